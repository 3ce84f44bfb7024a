"""Plays a rule case and tells what came out otherwise than it wants. `python -m engine check` prints that."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.cases import Case, Step
from engine.errors import DudoError
from engine.match import Match
from engine.phase import Phase
from engine.position import Position
from engine.sight import sees


class Mismatch(NamedTuple):
    """One field of a case that came out otherwise; `str` is the line that tells it."""

    case: str
    field: str
    wanted: object
    got: object

    def __str__(self) -> str:
        return f"{self.case} {self.field}: wanted {_json(self.wanted)}, got {_json(self.got)}"


def mismatches(case: Case) -> Iterator[Mismatch]:
    """Everything in which the engine's play differs from the case; it stops at an action that went otherwise."""
    match = case.match
    for step in case.actions:
        if wrong := _wrong(case, match, step):
            yield wrong
            return
        if step.legal:
            match = match.play(step.by, step.do)
    for step in case.next:
        if wrong := _wrong(case, match, step):
            yield wrong
    for field, wanted, got in _outcome(case, match.position):
        yield Mismatch(case.id, f"expect.{field}", wanted, got)
    for field, wanted, got in _sight(case, match.position):
        yield Mismatch(case.id, f"sees.{field}", wanted, got)


_Difference = tuple[str, object, object]


def _wrong(case: Case, match: Match, step: Step) -> Mismatch | None:
    refusal = ""
    try:
        match.position.check(step.by, step.do)
    except DudoError as error:
        refusal = f"illegal ({error.reason})"
    if step.legal is not bool(refusal):
        return None
    field = f"{step.field} {case.seats[step.by]} {step.do}"
    return Mismatch(case.id, field, "legal" if step.legal else "illegal", refusal or "legal")


def _outcome(case: Case, position: Position) -> Iterator[_Difference]:
    came = _came(case, position)
    for field, wanted in case.expect.items():
        got = came[field]
        if got != (sorted(wanted, key=case.seats.index) if field == "out" else wanted):
            yield field, wanted, got


def _came(case: Case, position: Position) -> dict[str, Any]:
    """The fields of `expect` as the match has them now, seats by name."""
    showdown = position.showdown
    change = showdown.change if showdown else ()
    next_round = showdown is not None and position.winner is None
    return {
        "matching": showdown.matching if showdown else None,
        "change": {case.seats[seat]: dice for seat, dice in enumerate(change) if dice},
        "dice": dict(zip(case.seats, position.dice, strict=True)),
        "out": [case.seats[seat] for seat in (showdown.out if showdown else ())],
        "next_first": _name(case, position.first if next_round else None),
        "next_round": _kind(position) if next_round else None,
        "next_owner": _name(case, position.owner if next_round else None),
        "winner": _name(case, position.winner),
    }


def _kind(position: Position) -> str:
    if position.phase is Phase.CHOOSING:
        return f"choice:{'|'.join(position.rules.special)}"
    return str(position.kind)


def _sight(case: Case, position: Position) -> Iterator[_Difference]:
    for seat, wanted in case.sees.items():
        got = frozenset(_revealed(position) if position.showdown else sees(position, seat))
        if got != wanted:
            yield case.seats[seat], _names(case, wanted), _names(case, got)


def _revealed(position: Position) -> Iterator[int]:
    assert position.showdown is not None
    return (seat for seat, hand in enumerate(position.showdown.hands) if hand)


def _names(case: Case, seats: frozenset[int]) -> list[str]:
    return [case.seats[seat] for seat in sorted(seats)]


def _name(case: Case, seat: int | None) -> str | None:
    return None if seat is None else case.seats[seat]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
