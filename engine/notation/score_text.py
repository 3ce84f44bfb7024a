"""A score's text: a heading with `key: value` lines, a line a round, the result.
`write_score` writes it. `parse_score` reads it and plays it as far as its dice are known, so its result is a possible
match.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from engine.actions import Call, parse_action
from engine.errors import ActionTextError, NotationError, nearest
from engine.hands import NOTHING, parse_hand, write_hands
from engine.notation.score import (
    DealtHands,
    Departure,
    Entry,
    HandOver,
    OrderRoll,
    PlayedAction,
    Ruling,
    Score,
    ScoreError,
)
from engine.position import Player
from engine.rounds import SEATS
from engine.rulesets import parse_rules, write_rules

FORMAT = "dudo score 1"
UNKNOWN = "?"
NOT_OVER = "*"
_SEATS = tuple(f"seat {seat}" for seat in range(SEATS.stop - 1))
_KEYS = ("rules", "date", *_SEATS, "first")
_NUMBER = re.compile(r"(\d{1,9})\.", re.ASCII)
_BY_SEAT = re.compile(r"(\d):(.+)", re.ASCII)
_RULINGS = {str(ruling): ruling for ruling in Ruling}
_AFTER_CALL = (Ruling.UNDO, Ruling.REOPEN)
"""Rulings that continue a round after its call."""
_ENTRY = (
    "a roll such as 13356/22 or ?, a bid or call such as 0:4x3 or 1:dudo, 0:leave, 0:handover, void, forgo, undo or "
    "reopen"
)
_ASIDES = (Departure, HandOver)
"""Entries allowed among the rolls for the order of play."""
_RESULT = f"{NOT_OVER} for a match that is not over, or its winner such as 0:wins"
MAX_ENTRIES = 30_000
"""Most entries in a match; an eight-seat match has 700. It bounds the cost of reading arbitrary text."""
ASIDE = "%"
"""First character of a skipped line, as in chess players' PGN: `firmware_host` keeps proofs in such lines."""


# Writing


def write_score(score: Score) -> str:
    """Write the text that `parse_score` reads back, with all dice in `score`; publish only `score.public`."""
    result = NOT_OVER if score.winner is None else f"{score.winner}:wins"
    return "".join(f"{line}\n" for line in (*write_heading(score), "", *write_rounds(score), result))


def write_heading(score: Score) -> Iterator[str]:
    """Yield the lines before the empty one."""
    yield FORMAT
    yield f"rules: {write_rules(score.rules)}"
    if score.date:
        yield f"date: {score.date}"
    for seat, name in enumerate(score.names):
        yield f"seat {seat}: {name}".rstrip()
    if score.first or score.rules.seating == "fixed":
        yield f"first: {score.first}"


def write_rounds(score: Score) -> Iterator[str]:
    """Yield a line for each round, after one numbered 0 with the rolls for the order of play."""
    words: list[str] = []
    number, seated = 1, score.rules.seating == "fixed"
    for entry, following in pairwise((*score.entries, None)):
        assert entry is not None
        if isinstance(entry, OrderRoll) or not (seated or isinstance(entry, _ASIDES) or entry is Ruling.REOPEN):
            seated = not isinstance(entry, OrderRoll)
            if seated and words:
                yield " ".join(words)
                words = []
        words = words or [f"{number if seated else 0}."]
        words.append(write_entry(entry))
        if isinstance(entry, PlayedAction) and isinstance(entry.action, Call) and following not in _AFTER_CALL:
            yield " ".join(words)
            words, number = [], number + 1
    if words:
        yield " ".join(words)


def write_entry(entry: Entry) -> str:
    """Write an entry as one word in a score."""
    match entry:
        case OrderRoll(dice):
            return "/".join(NOTHING if die is None else str(die) for die in dice)
        case DealtHands(hands):
            return UNKNOWN if hands is None else write_hands(hands)
        case PlayedAction(seat, action):
            return f"{seat}:{action}"
        case Departure(seat):
            return f"{seat}:leave"
        case HandOver(seat):
            return f"{seat}:handover"
        case Ruling():
            return entry.value


# Reading the heading


class NumberedLine(NamedTuple):
    """A line or a word from a text, with its line number counted from one."""

    number: int
    text: str

    def error(self, problem: str) -> NotationError:
        """Return an error with this line's number and text."""
        return NotationError(self.text, problem, self.number)


def parse_heading(lines: Iterable[NumberedLine]) -> Score:
    """Read a score without entries; the first of the `lines` names the format. Raises `NotationError`."""
    first, *rest = lines
    if first.text != FORMAT:
        raise first.error(f"expected the first line of a score, {FORMAT!r}")
    found: dict[str, NumberedLine] = {}
    last = first
    for last in rest:
        key, value = _pair(last)
        if key in found:
            raise last.error(f"expected {key!r} once, it stands on line {found[key].number} too")
        found[key] = NumberedLine(last.number, value)
    if "rules" not in found:
        raise last.error("ends the heading, expected a line such as 'rules: perudo' in it")
    seats = [key for key in _SEATS if key in found]
    if seats != [*_SEATS[: len(seats)]] or len(seats) not in SEATS:
        raise last.error("ends the heading, expected 2 to 8 lines in it such as 'seat 0: Lima', counting from 0")
    return _score_of_heading(found, seats)


def _pair(line: NumberedLine) -> tuple[str, str]:
    key, colon, value = (part.strip() for part in line.text.partition(":"))
    if key not in _KEYS or not colon:
        near = nearest(key[:60], _KEYS)
        raise line.error(f"expected {f'{near}: …' if near else 'rules, date, seat 0 to 7 or first, and a colon'}")
    return key, value


def _score_of_heading(found: dict[str, NumberedLine], seats: list[str]) -> Score:
    rules = found["rules"]
    try:
        score = Score(parse_rules(rules.text), names=("",) * len(seats))
    except NotationError as error:
        raise error.at(rules.number) from None
    for key, value in found.items():
        try:
            score = _with(score, key, value.text)
        except ValueError as error:
            raise value.error(str(error)) from None
    return score


def _with(score: Score, key: str, value: str) -> Score:
    if key == "first":
        if not re.fullmatch(r"\d", value, re.ASCII):
            raise ValueError(f"expected a seat, 0 to {score.seats - 1}")
        return replace(score, first=Player(int(value)))
    if key == "date":
        return replace(score, date=value)
    if key == "rules":
        return score
    seat = int(key.removeprefix("seat "))
    return replace(score, names=(*score.names[:seat], value, *score.names[seat + 1 :]))


# Reading the rounds


class PartialScore(NamedTuple):
    """The readable part of a score, and the word behind each entry."""

    score: Score
    words: tuple[NumberedLine, ...]
    result: NumberedLine | None  # None if the text ends, or is wrong, before it
    last: NumberedLine  # the last word taken
    problem: NotationError | None  # the reason why reading stopped before the end of the text


def is_aside(line: str) -> bool:
    """Return whether all score readers skip this line."""
    return line.startswith(ASIDE)


def parse_score(text: str, *, playable: bool = False) -> Score:
    """Read the one score in `text`. Raises `NotationError` with the faulty line, in form or in play.
    With `playable` a score must also have the dice required by `Score.positions`.
    """
    score, *more = parse_scores(text, playable=playable)
    if more:
        raise NotationError(FORMAT, "expected one score, this text has several")
    return score


def parse_scores(text: str, *, playable: bool = False, played: bool = True) -> tuple[Score, ...]:
    """Read one or more scores in sequence. Raises `NotationError` as `parse_score` does.
    `played=False` skips the replay for a caller that replays them anyway; errors are then `ScoreError`.
    """
    found = enumerate(text.splitlines(), start=1)
    lines = [NumberedLine(number, line.strip()) for number, line in found if not is_aside(line)]
    first = next((place for place, line in enumerate(lines) if line.text), None)
    if first is None:
        raise NotationError("", f"is empty, expected the first line of a score, {FORMAT!r}", 1)
    starts = [first, *(place for place, line in enumerate(lines) if line.text == FORMAT and place != first)]
    return tuple(
        _whole_score(lines[start:end], playable=playable, played=played)
        for start, end in pairwise((*starts, len(lines)))
    )


def read_score(lines: Sequence[NumberedLine]) -> PartialScore:
    """Read as much of one score as its lines allow, without asides and without playing it.
    Raises `NotationError` for an invalid heading.
    """
    blank = next((place for place, line in enumerate(lines) if not line.text), len(lines))
    score = parse_heading(lines[:blank])
    words = (NumberedLine(line.number, word) for line in lines[blank:] for word in line.text.split())
    body = _Body(score.seats, words, before=lines[blank - 1])
    entries, places, problem = list[Entry](), list[NumberedLine](), None
    try:
        for entry, word in body.entries():
            if len(entries) == MAX_ENTRIES:
                raise word.error(f"expected the end: no match has more than {MAX_ENTRIES} entries")
            entries.append(entry)
            places.append(word)
    except NotationError as error:
        problem = error
    score = replace(score, entries=tuple(entries), winner=body.winner)
    return PartialScore(score, tuple(places), body.result, body.last, problem)


def _whole_score(lines: Sequence[NumberedLine], *, playable: bool, played: bool) -> Score:
    score, words, result, last, problem = read_score(lines)
    if problem is not None:
        raise problem
    if result is None:
        raise last.error(f"ends too early, expected more of the match, {_RESULT}")
    try:
        if playable:
            deque(score.positions(), maxlen=0)
        elif played:
            score.check()
    except ScoreError as error:
        raise (*words, last)[error.entry].error(error.problem) from None
    return score


class _Body:
    """The words after the heading. `result` and `winner` are known once `entries` is exhausted."""

    def __init__(self, seats: int, words: Iterator[NumberedLine], before: NumberedLine) -> None:
        self.winner: Player | None = None
        self.result: NumberedLine | None = None
        self.last = before  # the last word taken
        self._seats = seats
        self._words = words
        self._number: int | None = None  # the open round's
        self._next = 1

    def entries(self) -> Iterator[tuple[Entry, NumberedLine]]:
        """Yield each entry with its word."""
        is_new = False  # whether the round is, as far as read
        for word in self._words:
            self.last = word
            if self._ends(word):
                return
            if number := _NUMBER.fullmatch(word.text):
                self._begin(int(number[1]))
                is_new = True
            elif is_new and word.text == Ruling.UNDO:
                raise word.error("takes nothing back here: the round has only begun")
            elif self._number is None and self._next > 1 and word.text in _AFTER_CALL:  # the call did not end it
                self._number = self._next = self._next - 1
                yield Ruling(word.text), word
            elif self._number is None:
                raise word.error(f"expected the number of the round, {self._next}., or {_RESULT}")
            else:
                is_new = False
                yield self._entry(word), word

    def _ends(self, word: NumberedLine) -> bool:
        found = _BY_SEAT.fullmatch(word.text)
        if found and found[2] == "wins":
            self.winner = self._seat(found[1])
        elif word.text != NOT_OVER:
            return False
        self.result = word
        if more := next(self._words, None):
            raise more.error("expected nothing after the result")
        return True

    def _begin(self, number: int) -> None:
        """Open a round: the next one, or at the start number 0, the rolls for the order of play."""
        seating = number == 0 and self._number is None and self._next == 1
        if not seating and (number != self._next or self._number not in (None, 0)):
            raise self.last.error(f"expected {_ENTRY if self._number else f'{self._next}.'}")
        self._number = number

    def _entry(self, word: NumberedLine) -> Entry:
        if ruling := _RULINGS.get(word.text):
            return ruling
        if found := _BY_SEAT.fullmatch(word.text):
            return self._by(self._seat(found[1]), found[2])
        if word.text == UNKNOWN:
            return DealtHands(None)
        if "/" not in word.text:
            raise word.error(f"expected {_ENTRY}")
        hands = word.text.split("/")
        if len(hands) != self._seats:
            raise word.error(f"expected the dice of {self._seats} seats, - for none")
        return self._rolled(hands)

    def _rolled(self, hands: Sequence[str]) -> Entry:
        try:
            dice = tuple(map(parse_hand, hands))
        except NotationError as error:
            raise self.last.error(error.problem) from None
        if self._number != 0:
            return DealtHands(dice)
        if any(len(hand) > 1 for hand in dice):
            raise self.last.error(f"expected one die each for the order of play, {NOTHING} for who does not roll")
        return OrderRoll(tuple(hand[0] if hand else None for hand in dice))

    def _by(self, seat: Player, text: str) -> Entry:
        if text == "leave":
            return Departure(seat)
        if text == "handover":
            return HandOver(seat)
        try:
            action = parse_action(text)
        except ActionTextError:
            raise self.last.error(f"expected {_ENTRY}") from None
        if isinstance(action, Call):
            self._number, self._next = None, self._next + 1
        return PlayedAction(seat, action)

    def _seat(self, text: str) -> Player:
        seat = Player(int(text))
        if seat >= self._seats:
            raise self.last.error(f"expected a seat, 0 to {self._seats - 1}")
        return seat
