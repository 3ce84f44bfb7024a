"""The words of one line, taken from left to right: every reader of the notation asks these for what it expects."""

import re
from collections.abc import Iterable
from typing import NoReturn, TypeVar

from engine.actions import Bid, parse_action
from engine.errors import ActionTextError, NotationError

MOST_SEATS = 8
NOTHING = "-"
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_Word = TypeVar("_Word", bound=str)


class Words:
    """Each method takes one word, or more, and gives their value; else it raises `NotationError` and quotes them."""

    def __init__(self, text: str) -> None:
        if not text.isprintable():
            raise NotationError(text, "expected one line of printable text")
        self._words = text.split()
        self._place = 0
        self.seats = MOST_SEATS

    def take(self, expected: str) -> str:
        """The next word, whatever it is."""
        if self._place == len(self._words):
            raise NotationError(" ".join(self._words[-4:]), f"ends too early, expected {expected}")
        self._place += 1
        return self._words[self._place - 1]

    def fail(self, expected: str) -> NoReturn:
        """Raise the error about the word that was taken last."""
        raise NotationError(self._words[self._place - 1], f"expected {expected}")

    def has(self, keyword: str) -> bool:
        """Whether the next word is `keyword`; if so it is taken."""
        found = self._words[self._place : self._place + 1] == [keyword]
        self._place += found
        return found

    def need(self, keyword: str) -> None:
        """Take `keyword`."""
        if self.take(f"the word {keyword}") != keyword:
            self.fail(f"the word {keyword}")

    def end(self) -> None:
        """Insist that no word is left."""
        if self._place < len(self._words):
            self.take("")
            self.fail("the end of the line, or a known word in its place")

    def one_of(self, words: Iterable[_Word]) -> _Word:
        """One of these words."""
        known = {str(word): word for word in words}
        if (word := known.get(self.take(f"one of {', '.join(known)}"))) is None:
            self.fail(f"one of {', '.join(known)}")
        return word

    def number(self, expected: str) -> int:
        """A whole number of at most nine digits."""
        return self._number(self.take(expected), expected)

    def seat(self) -> int:
        """A seat."""
        return self._seat(self.take("a seat"))

    def seat_after(self, keyword: str) -> int | None:
        """The seat that follows `keyword`, None if that is not the next word."""
        return self.seat() if self.has(keyword) else None

    def seats_after(self, keyword: str) -> tuple[int, ...]:
        """The seats that follow `keyword`, parted by commas; none if that is not the next word."""
        if not self.has(keyword):
            return ()
        return tuple(map(self._seat, self.take("seats parted by commas").split(",")))

    def bid(self) -> Bid:
        """A bid."""
        word = self.take("a bid such as 5x3")
        try:
            action = parse_action(word)
        except ActionTextError:
            action = None
        if not isinstance(action, Bid):
            self.fail("a bid such as 5x3")
        return action

    def by_seat(self, expected: str) -> list[str]:
        """As many entries as there are seats, parted by slashes."""
        entries = self.take(expected).split("/")
        if len(entries) != self.seats:
            self.fail(f"{expected}, one entry for each of {self.seats} seats parted by /")
        return entries

    def numbers_by_seat(self, expected: str, least: int = 0) -> tuple[int, ...]:
        """A whole number for each seat, parted by slashes; none below `least`."""
        return tuple(self._signed(entry, expected, least) for entry in self.by_seat(expected))

    def dice_in_order(self) -> dict[int, int]:
        """`0:5,2:4,1:0`: the dice each seat holds, in order of play. From here on these are the seats there are."""
        expected = "the dice of each seat in order of play, such as 0:5,2:4,1:0"
        held = self.take(expected)
        pairs = [entry.split(":") for entry in held.split(",")]
        if len(pairs) > MOST_SEATS or any(len(pair) != 2 for pair in pairs):
            self.fail(expected)
        self.seats = len(pairs)
        dice = {self._seat(seat): self._number(count, expected) for seat, count in pairs}
        if len(dice) < len(pairs) or max(dice.values()) > 5 or not any(dice.values()):
            self.fail(f"{expected}, each seat once with 0 to 5 dice and somebody with some")
        return dice

    def check_seat(self, seat: int | None) -> None:
        """Insist that a seat read before the dice is one of those."""
        if seat is not None and seat >= self.seats:
            raise NotationError(str(seat), f"expected {self._seat_expected}")

    @property
    def _seat_expected(self) -> str:
        return f"a seat, 0 to {self.seats - 1}"

    def _seat(self, text: str) -> int:
        seat = self._number(text, self._seat_expected)
        if seat >= self.seats:
            self.fail(self._seat_expected)
        return seat

    def _signed(self, text: str, expected: str, least: int) -> int:
        sign = -1 if least < 0 and text.startswith("-") else 1
        number = sign * self._number(text.removeprefix("-") if sign < 0 else text, expected)
        if number < least:
            self.fail(expected)
        return number

    def _number(self, text: str, expected: str) -> int:
        if not _NUMBER.fullmatch(text):
            self.fail(expected)
        return int(text)
