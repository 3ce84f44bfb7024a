"""Rule cases: worked positions in JSON, each with the deciding sentence, read strictly and played. `read` gives the
cases from one file's text, `mismatches` plays one; `python -m engine check` is the command. The rest of the engine does
not import this module.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.actions import PASS, Action, Bid, Call, parse_action
from engine.errors import ActionTextError, DudoError
from engine.hands import Hand
from engine.json_field import FieldError, JsonField, one_line
from engine.legality import check
from engine.match import Match, visible_seats
from engine.position import Phase, Player, Position, Round
from engine.rules import DICE, RoundKind, Rules
from engine.rulesets import RULESETS

MAX_SEATS = 64
"""Far more than any table has: the cost of checking a case grows with its square."""


class CaseFormatError(ValueError):
    """Text in the wrong format; the message names case and field."""


@dataclass(frozen=True, slots=True)
class CaseStep:
    """One action in a case, its expected legality, and the field with it."""

    field: str
    by: Player
    do: Action
    legal: bool


@dataclass(frozen=True, slots=True)
class Case:
    """One case. Seats are numbers in it, except in `expect`, kept as written; `seats` has their names."""

    id: str
    seats: tuple[str, ...]
    match: Match
    actions: tuple[CaseStep, ...]
    next: tuple[CaseStep, ...]
    expect: Mapping[str, Any]
    sees: Mapping[Player, frozenset[Player]]


def read(text: str) -> list[Case]:
    """Read one file's cases. Raises `CaseFormatError` at the first format error."""
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
        return _case(JsonField(written))
    except FieldError as error:
        label = name if isinstance(name, str) and name else f"number {number}"
        raise CaseFormatError(one_line(f"case {label}: {error}")) from None


def _case(written: JsonField) -> Case:
    optional = ("actions", "next", "expect", "sees", "reading")
    fields = written.fields(("id", "rules", "title", "position", "why"), optional)
    fields["title"].text()
    for note in (fields[name] for name in ("why", "reading") if name in fields):
        for sentence in note.items() if isinstance(note.value, list) else (note,):
            sentence.text()
    rules = RULESETS[fields["rules"].one_of(RULESETS)]
    seats, match = _match(fields["position"], rules)
    nothing = JsonField([])
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


def _match(written: JsonField, rules: Rules) -> tuple[tuple[str, ...], Match]:
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
    under_way = Round(
        rules=rules,
        order=tuple(map(Player, range(len(seats)))),
        dice=dice,
        starting_dice=fields["starting_dice"].whole(1),
        first=_seat(fields["first"], seats),
        kind=RoundKind(fields["round"].one_of(RoundKind)),
        owner=owner,
        special_used=tuple(sorted(used)),
    )
    stands = fields.get("standing_bid", JsonField(None))
    bid, bidder = (None, None) if stands.value is None else _standing(stands, under_way, seats)
    return seats, Match(_position(under_way, bid, bidder), _hands(fields["hands"], seats, dice))


def _position(under_way: Round, bid: Bid | None, bidder: Player | None) -> Position:
    if len(under_way.living) == 1:
        return Position(under_way, Phase.OVER)
    assert under_way.first is not None
    turn = under_way.living_from(under_way.first) if bidder is None else under_way.after(bidder)
    return Position(under_way, Phase.BIDDING, turn, standing=bid, bidder=bidder)


def _standing(written: JsonField, under_way: Round, seats: tuple[str, ...]) -> tuple[Bid, Player]:
    fields = written.fields(("by", "bid"))
    bidder, bid = _seat(fields["by"], seats), _action(fields["bid"])
    if not under_way.dice[bidder]:
        fields["by"].fail("holds no dice")
    if not isinstance(bid, Bid) or bid.quantity < 1 or not 1 <= bid.face <= 6:
        fields["bid"].fail("is no bid that could stand")
    return bid, bidder


def _hands(written: JsonField, seats: tuple[str, ...], dice: tuple[int, ...]) -> tuple[Hand, ...]:
    if written.value is None:
        return tuple(Hand([2] * held) for held in dice)
    hands = {_seat(JsonField(name, hand.path), seats): hand for name, hand in written.table().items()}
    for seat, held in zip(map(Player, range(len(seats))), dice, strict=True):
        if len(hands[seat].items() if seat in hands else ()) != held:
            hands.get(seat, written).fail(f"{seats[seat]} holds {held} dice")
    faces = {seat: [die.whole(1, 6) for die in hand.items()] for seat, hand in hands.items()}
    return tuple(Hand(faces.get(Player(seat), ())) for seat in range(len(seats)))


# Actions and expected results


def _step(written: JsonField, seats: tuple[str, ...]) -> CaseStep:
    fields = written.fields(("by", "do", "legal"))
    return CaseStep(written.path, _seat(fields["by"], seats), _action(fields["do"]), fields["legal"].flag())


def _next(written: JsonField, seats: tuple[str, ...]) -> Iterator[CaseStep]:
    fields = written.fields(("by",), ("legal", "illegal"))
    by = _seat(fields["by"], seats)
    for name in [name for name in fields if name != "by"]:
        yield from (CaseStep(f"next.{name}", by, _action(item), name == "legal") for item in fields[name].items())


def _sees(written: JsonField, seats: tuple[str, ...]) -> Mapping[Player, frozenset[Player]]:
    looks = written.table()
    return {_seat(JsonField(name, seen.path), seats): frozenset(_seats(seen, seats)) for name, seen in looks.items()}


def _check_expect(written: JsonField, seats: tuple[str, ...]) -> None:
    def by_seat(field: JsonField, least: int, most: int) -> None:
        for name, dice in field.table().items():
            _seat(JsonField(name, dice.path), seats)
            dice.whole(least, most)

    def null_or(check: Callable[[JsonField], object]) -> Callable[[JsonField], object]:
        return lambda field: field.value is None or check(field)

    seat = null_or(lambda field: _seat(field, seats))
    checks: dict[str, Callable[[JsonField], object]] = {
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


def _seat(written: JsonField, seats: tuple[str, ...]) -> Player:
    return Player(seats.index(written.one_of(seats)))


def _seats(written: JsonField, seats: tuple[str, ...]) -> tuple[Player, ...]:
    return tuple(_seat(item, seats) for item in written.items())


def _action(written: JsonField) -> Action:
    try:
        action = parse_action(written.text())
    except ActionTextError:
        action = RoundKind.NORMAL
    if isinstance(action, RoundKind):
        written.fail(f"is no action: a bid such as 5x3, or {', '.join((*Call, str(PASS)))}")
    return action


# Playing a case


class Mismatch(NamedTuple):
    """One field with an unexpected value; `str` is its report, one line."""

    case: str
    field: str
    wanted: object
    got: object

    def __str__(self) -> str:
        return f"{self.case} {self.field}: wanted {_json(self.wanted)}, got {_json(self.got)}"


def mismatches(case: Case) -> Iterator[Mismatch]:
    """Yield each difference between the case and the engine's play, up to the first unexpected action."""
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
    for field, wanted, got in _visibility(case, match.position):
        yield Mismatch(case.id, f"sees.{field}", wanted, got)


_Difference = tuple[str, object, object]


def _wrong(case: Case, match: Match, step: CaseStep) -> Mismatch | None:
    refusal = ""
    try:
        check(match.position, step.by, step.do)
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
    """Return the fields in `expect` as the match has them now, seats by name."""
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


def _visibility(case: Case, position: Position) -> Iterator[_Difference]:
    for seat, wanted in case.sees.items():
        got = frozenset(_revealed(position) if position.showdown else visible_seats(position, seat))
        if got != wanted:
            yield case.seats[seat], _names(case, wanted), _names(case, got)


def _revealed(position: Position) -> Iterator[Player]:
    assert position.showdown is not None
    return (Player(seat) for seat, hand in enumerate(position.showdown.hands) if hand)


def _names(case: Case, seats: frozenset[Player]) -> list[str]:
    return [case.seats[seat] for seat in sorted(seats)]


def _name(case: Case, seat: Player | None) -> str | None:
    return None if seat is None else case.seats[seat]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
