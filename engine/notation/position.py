"""Reads the line written by `str(position)`. As with a FEN, any well-formed position is accepted, even if unreachable
in play.
"""

import re
from collections.abc import Iterable
from typing import NoReturn, TypeVar

from engine.actions import Bid, Call, parse_action
from engine.errors import ActionTextError, NotationError
from engine.hands import NOTHING, Hand, parse_hand
from engine.position import Phase, Player, Position, Round, Showdown
from engine.rules import RoundKind
from engine.rulesets import parse_rules

MAX_SEATS = 8
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_Word = TypeVar("_Word", bound=str)


class _Tokens:
    """The words on one line, taken from left to right. A method takes one or more, or raises `NotationError`."""

    def __init__(self, text: str) -> None:
        if not text.isprintable():
            raise NotationError(text, "expected one line of printable text")
        self._tokens = text.split()
        self._place = 0
        self.seats = MAX_SEATS

    def take(self, expected: str) -> str:
        """Take the next word."""
        if self._place == len(self._tokens):
            raise NotationError(" ".join(self._tokens[-4:]), f"ends too early, expected {expected}")
        self._place += 1
        return self._tokens[self._place - 1]

    def fail(self, expected: str) -> NoReturn:
        """Raise an error about the last word taken."""
        raise NotationError(self._tokens[self._place - 1], f"expected {expected}")

    def has(self, keyword: str) -> bool:
        """Return whether the next word is `keyword`, and take it if so."""
        found = self._tokens[self._place : self._place + 1] == [keyword]
        self._place += found
        return found

    def need(self, keyword: str) -> None:
        """Take `keyword`."""
        if self.take(f"the word {keyword}") != keyword:
            self.fail(f"the word {keyword}")

    def end(self) -> None:
        """Raise `NotationError` if a word is left."""
        if self._place < len(self._tokens):
            self.take("")
            self.fail("the end of the line, or a known word in its place")

    def one_of(self, words: Iterable[_Word]) -> _Word:
        """Take one of these words."""
        known = {str(word): word for word in words}
        if (word := known.get(self.take(f"one of {', '.join(known)}"))) is None:
            self.fail(f"one of {', '.join(known)}")
        return word

    def number(self, expected: str) -> int:
        """Take a whole number of at most nine digits."""
        return self._number(self.take(expected), expected)

    def seat(self) -> Player:
        """Take a seat."""
        return self._seat(self.take("a seat"))

    def seat_after(self, keyword: str) -> Player | None:
        """Take the seat after `keyword`, or return None if another word is next."""
        return self.seat() if self.has(keyword) else None

    def seats_after(self, keyword: str) -> tuple[Player, ...]:
        """Take the comma-separated seats after `keyword`, or return an empty tuple if another word is next."""
        if not self.has(keyword):
            return ()
        return tuple(map(self._seat, self.take("seats parted by commas").split(",")))

    def bid(self) -> Bid:
        """Take a bid."""
        word = self.take("a bid such as 5x3")
        try:
            action = parse_action(word)
        except ActionTextError:
            action = None
        if not isinstance(action, Bid):
            self.fail("a bid such as 5x3")
        return action

    def by_seat(self, expected: str) -> list[str]:
        """Take one entry for each seat, separated by slashes."""
        entries = self.take(expected).split("/")
        if len(entries) != self.seats:
            self.fail(f"{expected}, one entry for each of {self.seats} seats parted by /")
        return entries

    def numbers_by_seat(self, expected: str, least: int = 0) -> tuple[int, ...]:
        """Take a whole number for each seat, at least `least`, separated by slashes."""
        return tuple(self._signed(entry, expected, least) for entry in self.by_seat(expected))

    def dice_in_order(self) -> dict[Player, int]:
        """Take each seat's dice count, in order of play: `0:5,2:4,1:0`. From here on these are the only seats."""
        expected = "the dice of each seat in order of play, such as 0:5,2:4,1:0"
        held = self.take(expected)
        pairs = [entry.split(":") for entry in held.split(",")]
        if len(pairs) > MAX_SEATS or any(len(pair) != 2 for pair in pairs):
            self.fail(expected)
        self.seats = len(pairs)
        dice = {self._seat(seat): self._number(count, expected) for seat, count in pairs}
        if len(dice) < len(pairs) or max(dice.values()) > 5 or not any(dice.values()):
            self.fail(f"{expected}, each seat once with 0 to 5 dice and somebody with some")
        return dice

    def check_seat(self, seat: Player | None) -> None:
        """Raise `NotationError` unless a seat read before the dice belongs to the table."""
        if seat is not None and seat >= self.seats:
            raise NotationError(str(seat), f"expected {self._seat_expected}")

    @property
    def _seat_expected(self) -> str:
        return f"a seat, 0 to {self.seats - 1}"

    def _seat(self, text: str) -> Player:
        seat = Player(self._number(text, self._seat_expected))
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


def parse_position(text: str) -> Position:
    """Return the position whose `str` is `text`. Raises `NotationError` with the place and the expected text."""
    tokens = _Tokens(text)
    rules = parse_rules(tokens.take("a rule set"))
    phase = tokens.one_of(Phase)
    number, kind = _round(tokens)
    owner = tokens.seat_after("of")
    tokens.need("dice")
    dice = tokens.dice_in_order()
    tokens.check_seat(owner)
    tokens.need("of")
    starting_dice = tokens.number("the dice at the start")
    first, turn = tokens.seat_after("first"), tokens.seat_after("turn")
    standing = tokens.bid() if tokens.has("bid") else None
    bidder, passer = tokens.seat_after("by"), _passer(tokens)
    passed, special_used = tokens.seats_after("passed"), tokens.seats_after("used")
    banked = tokens.numbers_by_seat("lives kept aside") if tokens.has("banked") else ()
    rolls = _rolls(tokens) if tokens.has("rolls") else ()
    rolling = tokens.seats_after("rolling")
    showdown = _showdown(tokens) if tokens.has("after") else None
    tokens.end()
    now = Round(
        rules=rules,
        order=tuple(dice),
        dice=tuple(count for _, count in sorted(dice.items())),
        starting_dice=starting_dice,
        first=first,
        number=number,
        kind=kind,
        owner=owner,
        special_used=special_used,
        banked=banked,
        rolls=rolls,
        showdown=showdown,
    )
    return Position(now, phase, turn, standing=standing, bidder=bidder, passer=passer, passed=passed, rolling=rolling)


def _round(tokens: _Tokens) -> tuple[int, RoundKind]:
    tokens.need("round")
    return tokens.number("the number of the round"), tokens.one_of(RoundKind)


def _passer(tokens: _Tokens) -> Player | None:
    if not tokens.has("pass"):
        return None
    tokens.need("by")
    return tokens.seat()


def _rolls(tokens: _Tokens) -> tuple[tuple[int, ...], ...]:
    """Read each seat's rolls in order, as many as ties required."""
    expected = "rolls for the order of play such as 5/36/32"
    entries = tokens.by_seat(expected)
    if any(entry != NOTHING and (not entry or set(entry) - set("123456")) for entry in entries):
        tokens.fail(expected)
    return tuple(() if entry == NOTHING else tuple(map(int, entry)) for entry in entries)


def _showdown(tokens: _Tokens) -> Showdown:
    number, kind = _round(tokens)
    tokens.need("bid")
    bid = tokens.bid()
    call = tokens.one_of(Call)
    tokens.need("by")
    caller = tokens.seat()
    tokens.need("of")
    doubted = tokens.seat()
    right = tokens.one_of(("right", "wrong")) == "right"
    matching = tokens.number("the dice that counted") if tokens.has("matching") else None
    tokens.need("hands")
    hands = _hands(tokens)
    tokens.need("change")
    return Showdown(
        number=number,
        call=call,
        caller=caller,
        doubted=doubted,
        bid=bid,
        kind=kind,
        matching=matching,
        right=right,
        hands=hands,
        change=tokens.numbers_by_seat("dice won and lost", least=-5),
        out=tokens.seats_after("out"),
    )


def _hands(tokens: _Tokens) -> tuple[Hand, ...]:
    return tuple(map(parse_hand, tokens.by_seat("hands such as 13356/-/22")))
