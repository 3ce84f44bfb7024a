"""The rule-case format: worked positions in JSON, each with the sentence that decides it, read strictly.

`read` gives the cases of one file's text; `engine.checking` plays them; `python -m engine check` is the command.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.actions import PASS, Action, Bid, Call, parse_action
from engine.errors import ActionTextError
from engine.hands import Hand
from engine.match import Match
from engine.phase import Phase
from engine.position import Position
from engine.rounds import RoundKind
from engine.rules import DICE, Rules
from engine.rulesets import RULESETS
from engine.written import FieldError, Written, one_line

MAX_SEATS = 64
"""Far more than any table has: what a case takes to check grows with the square of them."""


class CaseFormatError(ValueError):
    """Text that is not in the format; the message names case and field."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a case, whether it should be legal, and the field that says so."""

    field: str
    by: int
    do: Action
    legal: bool


@dataclass(frozen=True, slots=True)
class Case:
    """One case. Seats are numbers in it, but for `expect`, which is as it was written; `seats` has their names."""

    id: str
    seats: tuple[str, ...]
    match: Match
    actions: tuple[Step, ...]
    next: tuple[Step, ...]
    expect: Mapping[str, Any]
    sees: Mapping[int, frozenset[int]]


def read(text: str) -> list[Case]:
    """The cases of one file. Raises `CaseFormatError` at the first thing that is not as the format says."""
    try:
        listed = json.loads(text, object_pairs_hook=_without_twins)
    except (ValueError, RecursionError) as error:
        raise CaseFormatError(f"is not JSON: {error}") from None
    if not isinstance(listed, list):
        raise CaseFormatError("is not a list of cases")
    return [_named(number, written) for number, written in enumerate(listed, start=1)]


def _without_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    counts = Counter(key for key, _ in pairs)
    if twin := next((key for key, count in counts.items() if count > 1), None):
        raise ValueError(f"the key {twin!r} stands twice in one table")
    return dict(pairs)


def _named(number: int, written: object) -> Case:
    name = written.get("id") if isinstance(written, dict) else None
    try:
        return _case(Written(written))
    except FieldError as error:
        label = name if isinstance(name, str) and name else f"number {number}"
        raise CaseFormatError(one_line(f"case {label}: {error}")) from None


def _case(written: Written) -> Case:
    optional = ("actions", "next", "expect", "sees", "reading")
    fields = written.fields(("id", "rules", "title", "position", "why"), optional)
    fields["title"].text()
    for note in (fields[name] for name in ("why", "reading") if name in fields):
        for sentence in note.items() if isinstance(note.value, list) else (note,):
            sentence.text()
    rules = RULESETS[fields["rules"].one_of(RULESETS)]
    seats, match = _match(fields["position"], rules)
    nothing = Written([])
    if "expect" in fields:
        _check_expect(fields["expect"], seats)
    return Case(
        id=one_line(fields["id"].text()),
        seats=seats,
        match=match,
        actions=tuple(_step(item, seats) for item in fields.get("actions", nothing).items()),
        next=tuple(_next(fields["next"], seats)) if "next" in fields else (),
        expect=fields["expect"].value if "expect" in fields else {},
        sees=_sees(fields["sees"], seats) if "sees" in fields else {},
    )


# The position


def _match(written: Written, rules: Rules) -> tuple[tuple[str, ...], Match]:
    needed = ("dice", "hands", "first", "round", "owner", "special_used", "starting_dice")
    fields = written.fields(needed, ("standing_bid",))
    seats = tuple(fields["dice"].table())
    if len(seats) > MAX_SEATS:
        fields["dice"].fail(f"has more than {MAX_SEATS} seats")
    dice = tuple(held.whole(0, DICE) for held in fields["dice"].table().values())
    if not any(dice):
        fields["dice"].fail("nobody holds a die")
    owner = None if fields["owner"].value is None else _seat(fields["owner"], seats)
    used = {*_seats(fields["special_used"], seats)} | ({owner} if owner is not None else set())
    position = Position(
        rules=rules,
        phase=Phase.OVER,
        order=tuple(range(len(seats))),
        dice=dice,
        starting_dice=fields["starting_dice"].whole(1),
        first=_seat(fields["first"], seats),
        kind=RoundKind(fields["round"].one_of(RoundKind)),
        owner=owner,
        special_used=tuple(sorted(used)),
    )
    stands = fields.get("standing_bid", Written(None))
    bid, bidder = (None, None) if stands.value is None else _standing(stands, position, seats)
    return seats, Match(_under_way(position, bid, bidder), _hands(fields["hands"], seats, dice))


def _under_way(position: Position, bid: Bid | None, bidder: int | None) -> Position:
    if len(position.living) == 1:
        return position
    assert position.first is not None
    turn = position.from_(position.first) if bidder is None else position.after(bidder)
    return replace(position, phase=Phase.BIDDING, turn=turn, standing=bid, bidder=bidder)


def _standing(written: Written, position: Position, seats: tuple[str, ...]) -> tuple[Bid, int]:
    fields = written.fields(("by", "bid"))
    bidder, bid = _seat(fields["by"], seats), _action(fields["bid"])
    if not position.dice[bidder]:
        fields["by"].fail("holds no dice")
    if not isinstance(bid, Bid) or bid.quantity < 1 or not 1 <= bid.face <= 6:
        fields["bid"].fail("is no bid that could stand")
    return bid, bidder


def _hands(written: Written, seats: tuple[str, ...], dice: tuple[int, ...]) -> tuple[Hand, ...]:
    if written.value is None:
        return tuple(Hand([2] * held) for held in dice)
    hands = {_seat(Written(name, hand.path), seats): hand for name, hand in written.table().items()}
    for seat, held in enumerate(dice):
        if len(hands[seat].items() if seat in hands else ()) != held:
            hands.get(seat, written).fail(f"{seats[seat]} holds {held} dice")
    faces = {seat: [die.whole(1, 6) for die in hand.items()] for seat, hand in hands.items()}
    return tuple(Hand(faces.get(seat, ())) for seat in range(len(seats)))


# What is done and what should come of it


def _step(written: Written, seats: tuple[str, ...]) -> Step:
    fields = written.fields(("by", "do", "legal"))
    return Step(written.path, _seat(fields["by"], seats), _action(fields["do"]), fields["legal"].flag())


def _next(written: Written, seats: tuple[str, ...]) -> Iterator[Step]:
    fields = written.fields(("by",), ("legal", "illegal"))
    by = _seat(fields["by"], seats)
    for name in [name for name in fields if name != "by"]:
        yield from (Step(f"next.{name}", by, _action(item), name == "legal") for item in fields[name].items())


def _sees(written: Written, seats: tuple[str, ...]) -> Mapping[int, frozenset[int]]:
    looks = written.table()
    return {_seat(Written(name, seen.path), seats): frozenset(_seats(seen, seats)) for name, seen in looks.items()}


def _check_expect(written: Written, seats: tuple[str, ...]) -> None:
    def by_seat(field: Written, least: int, most: int) -> None:
        for name, dice in field.table().items():
            _seat(Written(name, dice.path), seats)
            dice.whole(least, most)

    def null_or(check: Callable[[Written], object]) -> Callable[[Written], object]:
        return lambda field: field.value is None or check(field)

    seat = null_or(lambda field: _seat(field, seats))
    checks: dict[str, Callable[[Written], object]] = {
        "matching": null_or(lambda field: field.whole(0)),
        "change": lambda field: by_seat(field, -DICE, DICE),
        "dice": lambda field: by_seat(field, 0, DICE),
        "out": lambda field: _seats(field, seats),
        "next_first": seat,
        "next_round": null_or(lambda field: field.one_of((*RoundKind, *_CHOICES))),
        "next_owner": seat,
        "winner": seat,
    }
    for name, field in written.fields((), checks).items():
        checks[name](field)


_CHOICES = tuple(f"choice:{'|'.join(rules.special)}" for rules in RULESETS.values() if len(rules.choices) > 1)


def _seat(written: Written, seats: tuple[str, ...]) -> int:
    return seats.index(written.one_of(seats))


def _seats(written: Written, seats: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(_seat(item, seats) for item in written.items())


def _action(written: Written) -> Action:
    try:
        action = parse_action(written.text())
    except ActionTextError:
        action = RoundKind.NORMAL
    if isinstance(action, RoundKind):
        written.fail(f"is no action: a bid such as 5x3, or {', '.join((*Call, str(PASS)))}")
    return action
