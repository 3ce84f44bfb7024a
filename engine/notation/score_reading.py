"""Reads a score, and plays it as far as its dice are known, so that what is read can have happened."""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from engine.actions import Call, parse_action
from engine.errors import ActionTextError, NotationError
from engine.notation.dice import parse_hand
from engine.notation.entries import Deal, Entry, Gone, OrderRoll, Ruling, Said, ScoreError
from engine.notation.score import Score
from engine.notation.score_heading import Line, parse_heading
from engine.notation.score_writing import FORMAT, NOT_OVER, UNKNOWN
from engine.notation.words import NOTHING

_NUMBER = re.compile(r"(\d{1,9})\.", re.ASCII)
_BY_SEAT = re.compile(r"(\d):(.+)", re.ASCII)
_RULINGS = {str(ruling): ruling for ruling in Ruling}
_ENTRY = "a roll such as 13356/22 or ?, a bid or call such as 0:4x3 or 1:dudo, 0:leave, void or forgo"
_RESULT = f"{NOT_OVER} for a match that is not over, or its winner such as 0:wins"
MAX_ENTRIES = 30_000
"""The entries of a match; one of eight seats has 700. It bounds what a text that is no score costs to read and play."""
ASIDE = "%"
"""Begins a line that is no part of the score, as in chess players' PGN: `firmware_host` keeps proofs in such lines."""


class Reading(NamedTuple):
    """A score as far as it can be read, and the word that each of its entries was read from."""

    score: Score
    words: tuple[Line, ...]
    result: Line | None  # None if the text ends, or is wrong, before it
    last: Line  # the word that was taken last
    problem: NotationError | None  # what stopped the reading before the end of the text


def is_aside(line: str) -> bool:
    """Whether every reader of scores passes over this line."""
    return line.startswith(ASIDE)


def parse_score(text: str, *, playable: bool = False) -> Score:
    """The one score in `text`. Raises `NotationError` with the line of what is wrong, in its form or in its play.

    With `playable` a score must have the dice that `Score.positions` needs, too.
    """
    score, *more = parse_scores(text, playable=playable)
    if more:
        raise NotationError(FORMAT, "expected one score, this text has several")
    return score


def parse_scores(text: str, *, playable: bool = False) -> tuple[Score, ...]:
    """The scores of a text that has one after the other, one at least. Raises `NotationError` as `parse_score`."""
    told = enumerate(text.splitlines(), start=1)
    lines = [Line(number, line.strip()) for number, line in told if not is_aside(line)]
    first = next((place for place, line in enumerate(lines) if line.text), None)
    if first is None:
        raise NotationError("", f"is empty, expected the first line of a score, {FORMAT!r}", 1)
    starts = [first, *(place for place, line in enumerate(lines) if line.text == FORMAT and place != first)]
    return tuple(_score(lines[start:end], playable) for start, end in pairwise((*starts, len(lines))))


def read_score(lines: Sequence[Line]) -> Reading:
    """As much of one score as can be read from its lines, asides left out; nothing is played.

    Raises `NotationError` if not even the heading is one.
    """
    blank = next((place for place, line in enumerate(lines) if not line.text), len(lines))
    score = parse_heading(lines[:blank])
    words = (Line(line.number, word) for line in lines[blank:] for word in line.text.split())
    body = _Body(score.seats, words, before=lines[blank - 1])
    entries, places, problem = list[Entry](), list[Line](), None
    try:
        for entry, word in body.entries():
            if len(entries) == MAX_ENTRIES:
                raise word.error(f"expected the end: no match has more than {MAX_ENTRIES} entries")
            entries.append(entry)
            places.append(word)
    except NotationError as error:
        problem = error
    score = replace(score, entries=tuple(entries), winner=body.winner)
    return Reading(score, tuple(places), body.result, body.last, problem)


def _score(lines: Sequence[Line], playable: bool) -> Score:
    score, words, result, last, problem = read_score(lines)
    if problem is not None:
        raise problem
    if result is None:
        raise last.error(f"ends too early, expected more of the match, {_RESULT}")
    try:
        if playable:
            deque(score.positions(), maxlen=0)
        else:
            score.check()
    except ScoreError as error:
        raise (*words, last)[error.entry].error(error.problem) from None
    return score


class _Body:
    """The words after the heading. `result` and `winner` are known when `entries` has come to its end."""

    def __init__(self, seats: int, words: Iterator[Line], before: Line) -> None:
        self.winner: int | None = None
        self.result: Line | None = None
        self.last = before  # the word that was taken last
        self._seats = seats
        self._words = words
        self._number: int | None = None  # of the round that is open
        self._next = 1

    def entries(self) -> Iterator[tuple[Entry, Line]]:
        """Everything that happened, with the word that tells it."""
        for word in self._words:
            self.last = word
            if self._ends(word):
                return
            if number := _NUMBER.fullmatch(word.text):
                self._begin(int(number[1]))
            elif self._number is None:
                raise word.error(f"expected the number of the round, {self._next}., or {_RESULT}")
            else:
                yield self._entry(word), word

    def _ends(self, word: Line) -> bool:
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
        """Open a round: the next one, or at the start the rolls for the order of play as number 0."""
        seating = number == 0 and self._number is None and self._next == 1
        if not seating and (number != self._next or self._number not in (None, 0)):
            raise self.last.error(f"expected {_ENTRY if self._number else f'{self._next}.'}")
        self._number = number

    def _entry(self, word: Line) -> Entry:
        if ruling := _RULINGS.get(word.text):
            return ruling
        if found := _BY_SEAT.fullmatch(word.text):
            return self._by(self._seat(found[1]), found[2])
        if word.text == UNKNOWN:
            return Deal(None)
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
            return Deal(dice)
        if any(len(hand) > 1 for hand in dice):
            raise self.last.error(f"expected one die each for the order of play, {NOTHING} for who does not roll")
        return OrderRoll(tuple(hand[0] if hand else None for hand in dice))

    def _by(self, seat: int, told: str) -> Entry:
        if told == "leave":
            return Gone(seat)
        try:
            action = parse_action(told)
        except ActionTextError:
            raise self.last.error(f"expected {_ENTRY}") from None
        if isinstance(action, Call):
            self._number, self._next = None, self._next + 1
        return Said(seat, action)

    def _seat(self, text: str) -> int:
        seat = int(text)
        if seat >= self._seats:
            raise self.last.error(f"expected a seat, 0 to {self._seats - 1}")
        return seat
