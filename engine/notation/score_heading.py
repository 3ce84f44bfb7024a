"""Reads the heading of a score: `key: value` lines, each key once, in any order."""

import re
from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from typing import NamedTuple

from engine.errors import NotationError
from engine.notation.rules import parse_rules
from engine.notation.score import Score
from engine.notation.score_writing import FORMAT
from engine.seating import SEATS

_SEATS = tuple(f"seat {seat}" for seat in range(SEATS.stop - 1))
_KEYS = ("rules", "date", *_SEATS, "first")


class Line(NamedTuple):
    """A line of a text, or a word on it; lines count from one."""

    number: int
    text: str

    def error(self, problem: str) -> NotationError:
        """The error that names this line and quotes its text."""
        return NotationError(self.text, problem, self.number)


def parse_heading(lines: Iterable[Line]) -> Score:
    """The score with nothing in it yet; the first of the `lines` is the format's. Raises `NotationError`."""
    first, *rest = lines
    if first.text != FORMAT:
        raise first.error(f"expected the first line of a score, {FORMAT!r}")
    told: dict[str, Line] = {}
    last = first
    for last in rest:
        key, value = _pair(last)
        if key in told:
            raise last.error(f"expected {key!r} once, it stands on line {told[key].number} too")
        told[key] = Line(last.number, value)
    if "rules" not in told:
        raise last.error("ends the heading, expected a line such as 'rules: perudo' in it")
    seats = [key for key in _SEATS if key in told]
    if seats != [*_SEATS[: len(seats)]] or len(seats) not in SEATS:
        raise last.error("ends the heading, expected 2 to 8 lines in it such as 'seat 0: Lima', counting from 0")
    return _score(told, seats)


def _pair(line: Line) -> tuple[str, str]:
    key, colon, value = (part.strip() for part in line.text.partition(":"))
    if key not in _KEYS or not colon:
        near = get_close_matches(key[:60], _KEYS, n=1)
        raise line.error(f"expected {f'{near[0]}: …' if near else 'rules, date, seat 0 to 7 or first, and a colon'}")
    return key, value


def _score(told: dict[str, Line], seats: list[str]) -> Score:
    rules = told["rules"]
    try:
        score = Score(parse_rules(rules.text), names=("",) * len(seats))
    except NotationError as error:
        raise error.at(rules.number) from None
    for key, value in told.items():
        try:
            score = _with(score, key, value.text)
        except ValueError as error:
            raise value.error(str(error)) from None
    return score


def _with(score: Score, key: str, value: str) -> Score:
    if key == "first":
        if not re.fullmatch(r"\d", value, re.ASCII):
            raise ValueError(f"expected a seat, 0 to {score.seats - 1}")
        return replace(score, first=int(value))
    if key == "date":
        return replace(score, date=value)
    if key == "rules":
        return score
    seat = int(key.removeprefix("seat "))
    return replace(score, names=(*score.names[:seat], value, *score.names[seat + 1 :]))
