"""Solved rounds between two players: how often to take each action.
`engine.arena.end_games` trains the tables and writes a file for each rule set. `strong` draws from `solution`.

A decision is told apart by the own hand, in large rounds by its group, and the last bids. One that is not in the table
is `unsolved`. A rule set without a table of its own plays by that of another one if the round is the same under both.

The first line of a file lists its rounds: title, bytes, remembered bids, parts of a whole, and `groups` if hands are in
groups. Each round is compressed by itself and read when a match comes to it. It holds, in columns: the situations, each
with the player, the remembered bids and the number of its hands or groups; the hands or groups; for each of them its
pattern, the low and the high byte; and for each pattern the number of its actions, the actions, and the parts of all
but the last. A raise has a number by the own `lowest_bids`, so many situations share a pattern.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial
from io import BytesIO
from itertools import accumulate, combinations_with_replacement
from lzma import FORMAT_ALONE, decompress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from engine.actions import CALZA, DUDO, KILL, SPOT, Action, Bid
from engine.hands import Hand
from engine.match import visible_seats
from engine.opponents.chances import at_least
from engine.rules import ACES, FACES, ExactCall, RoundKind, Rules
from engine.rulesets import RULESETS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.bidding import BidRanges
    from engine.match import View

FOLDER = Path(__file__).with_name("tables")
CALLS = (DUDO, CALZA, KILL, SPOT)
FIRST_CALL = 240
"""The number of the first call in a table; a raise has the dice over a face's lowest bid, and this bid's place."""
MIN_CHANCE = 0.02
"""Chance of a bid to hold, for an onlooker, below which no table has it."""


def bid_number(bid: Bid) -> int:
    """Return a bid's number: 1 is 1x1, 7 is 2x1. Bids of more dice than two players have share the last one."""
    return min(len(FACES) * (bid.quantity - 1) + bid.face, FIRST_CALL - 1)


def action_number(action: Action, lowest: Sequence[Bid]) -> int:
    """Return an action's number in a pattern; `lowest` is as from `lowest_bids`."""
    if not isinstance(action, Bid):
        return FIRST_CALL + CALLS.index(action)
    place = next(place for place, bid in enumerate(lowest) if bid.face == action.face)
    return len(FACES) * (action.quantity - lowest[place].quantity) + place


def _action(number: int, lowest: Sequence[Bid]) -> Action:
    if number >= FIRST_CALL:
        return CALLS[number - FIRST_CALL]
    extra, place = divmod(number, len(FACES))
    return Bid(lowest[place].quantity + extra, lowest[place].face)


def chance_of(rules: Rules, kind: RoundKind, in_play: int, bid: Bid) -> float:
    """Return the chance of a bid to hold for somebody who sees no die."""
    return at_least(bid.quantity, in_play, 1 + (rules.wilds_in(kind) and bid.face != ACES))


def title_of(kind: RoundKind, dice: tuple[int, int]) -> str:
    """Return a round's name in a file; `dice` are the opener's and the other's."""
    return f"{kind}/{dice[0]}/{dice[1]}"


def lowest_bids(
    rules: Rules, kind: RoundKind, in_play: int, standing: Bid | None, hand: Hand, bids: BidRanges
) -> list[Bid]:
    """Return the lowest bid on each face: on the standing one, then on the one that suits the own dice best."""
    wilds, unseen = rules.wilds_in(kind), in_play - len(hand)
    lowest = [Bid(quantities.start, face) for face, quantities in zip(FACES, bids.by_face, strict=True) if quantities]

    def strength(bid: Bid) -> tuple[float, int]:
        return _holds(wilds, unseen, hand, bid), hand.matching(bid.face, wilds=wilds) - bid.quantity

    best = max([bid for bid in lowest if not standing or bid.face != standing.face], key=strength, default=standing)
    return sorted(lowest, key=lambda bid: (not standing or bid.face != standing.face, bid != best))


def unsolved(rules: Rules, kind: RoundKind, in_play: int, standing: Bid, hand: Hand, lowest: Sequence[Bid]) -> Action:
    """Return the likeliest of a doubt and the lowest bids, by the own dice alone: tables leave out where they agree."""
    held = partial(_holds, rules.wilds_in(kind), in_play - len(hand), hand)
    chances: dict[Action, float] = {DUDO: 1 - held(standing), **{bid: held(bid) for bid in lowest}}
    return max(chances, key=chances.__getitem__)


def group_of(rules: Rules, kind: RoundKind, standing: Bid, hand: Hand, lowest: Sequence[Bid]) -> int:
    """Return the number of a hand's group, below `FIRST_CALL`.

    A group has as many dice that match the standing bid, the same best bid on another face, and as many that match it.
    """
    best = next((bid.face for bid in lowest if bid.face != standing.face), standing.face)
    matching, other = [hand.matching(face, wilds=rules.wilds_in(kind)) for face in (standing.face, best)]
    return (matching * len(FACES) + other) * len(FACES) + best - 1


def _holds(wilds: bool, unseen: int, hand: Hand, bid: Bid) -> float:
    """Return the chance of a bid to hold, by the own dice alone."""
    return at_least(bid.quantity - hand.matching(bid.face, wilds=wilds), unseen, 1 + (wilds and bid.face != ACES))


@lru_cache(maxsize=8)
def hand_numbers(dice: int) -> Mapping[Hand, int]:
    """Return the number of each hand of so many dice."""
    return {Hand(faces): number for number, faces in enumerate(combinations_with_replacement(FACES, dice))}


class Form(NamedTuple):
    """How a table tells decisions apart, and the precision of its shares."""

    memory: int  # bids
    parts: int  # of a whole
    by_group: bool = False
    """Whether hands on a standing bid are told apart by `group_of` alone."""


@dataclass(frozen=True, slots=True)
class SolvedRound:
    """The situations of one round with the choices of their hands."""

    form: Form
    situations: dict[bytes, tuple[int, int]]
    """The first row and the number of rows, by player and bid numbers."""
    hands: bytes  # by row
    low: bytes  # of each row's pattern
    high: bytes
    patterns: list[tuple[bytes, bytes]]
    """The numbers of the actions, and the parts of all but the last."""

    def choices(self, player: int, bids: Sequence[Bid], hand: int, lowest: Sequence[Bid]) -> dict[Action, float] | None:
        """Return the actions with their shares, or None for a decision that is not in the table."""
        first, rows = self.situations.get(situation_key(player, bids, self.form), (0, 0))
        row = self.hands.find(hand, first, first + rows)
        if row < 0:
            return None
        actions, parts = self.patterns[self.low[row] + 256 * self.high[row]]
        shares = *parts, self.form.parts - sum(parts)
        pairs = zip(actions, shares, strict=True)
        return {_action(action, lowest): share / self.form.parts for action, share in pairs}


def situation_key(player: int, bids: Sequence[Bid], form: Form) -> bytes:
    """Return the bytes of a situation: the player, and the numbers of the remembered bids."""
    numbers = [*map(bid_number, bids[-form.memory :])]
    return bytes([player, *[0] * (form.memory - len(numbers)), *numbers])


@lru_cache(maxsize=len(RULESETS))
def contents(name: str) -> dict[str, tuple[int, int, Form]]:
    """Return the rounds in a rule set's file: place, bytes and form."""
    rounds: dict[str, tuple[int, int, Form]] = {}
    path = FOLDER / f"{name}.table"
    if not path.exists():
        return rounds
    with path.open("rb") as file:
        head = file.readline()
    place = len(head)
    for entry in head.decode().split():
        title, size, memory, parts, *groups = entry.split(":")
        rounds[title] = place, int(size), Form(int(memory), int(parts), bool(groups))
        place += int(size)
    return rounds


@lru_cache(maxsize=64)
def table(name: str, title: str) -> SolvedRound | None:
    """Return the table of a round, or None if it is not solved."""
    found = contents(name).get(title)
    if found is None:
        return None
    place, size, form = found
    with (FOLDER / f"{name}.table").open("rb") as file:
        file.seek(place)
        content = decompress(file.read(size), FORMAT_ALONE)
    return unpacked(content, form)


def unpacked(content: bytes, form: Form) -> SolvedRound:
    """Read a round's columns."""
    take = BytesIO(content).read
    count, distinct = int.from_bytes(take(2), "little"), int.from_bytes(take(2), "little")
    keys = [take(count) for _ in range(form.memory + 1)]
    rows = take(count)
    firsts = [*accumulate(rows, initial=0)]
    situations = {bytes(key): (firsts[at], rows[at]) for at, key in enumerate(zip(*keys, strict=True))}
    hands, low, high = [take(firsts[-1]) for _ in range(3)]
    sizes = take(distinct)
    patterns = [*zip([take(size) for size in sizes], [take(size - 1) for size in sizes], strict=True)]
    return SolvedRound(form, situations, hands, low, high, patterns)


_BLANK = Rules(name="")
_ELSEWHERE = (
    "name",
    "seating",
    "dudo_by",
    "open_on_aces_in_special",
    "halving_without_wilds",
    "special",
    "special_waivable",
    "special_again",
    "special_with_two",
    "special_unchosen",
    "special_after_cancel",
    "face_change",
    "closed_seen_by",
    "fixed_face_name",
)
"""Fields that do not change a normal round between two players."""


def _normal_round(rules: Rules) -> Rules:
    """Return a rule set with the same normal rounds between two players: equal for all that share them."""

    def in_turn(rule: ExactCall | None) -> ExactCall | None:  # between two, only the player in turn is not the bidder
        return None if rule is None or rule.by == "out-of-turn" else replace(rule, by="in-turn", in_special=True)

    calza, kill, spot = map(in_turn, (rules.calza, rules.kill, rules.spot))
    elsewhere = {name: getattr(_BLANK, name) for name in _ELSEWHERE}
    return replace(rules, calza=calza, kill=kill, spot=spot, **elsewhere)


@lru_cache(maxsize=32)
def files_of(rules: Rules, kind: RoundKind) -> list[str]:
    """Return the files whose tables hold for a kind of round, the rule set's own first."""
    names = [rules.name] if RULESETS.get(rules.name) == rules else []
    if kind is RoundKind.NORMAL:
        names += [other.name for other in RULESETS.values() if _normal_round(other) == _normal_round(rules)]
    return names


def solved(rules: Rules, kind: RoundKind, dice: tuple[int, int]) -> SolvedRound | None:
    """Return the table of a round, its own or that of a rule set under which the round is the same."""
    title = title_of(kind, dice)
    return next((found for name in files_of(rules, kind) if (found := table(name, title))), None)


def solution(view: View) -> dict[Action, float] | None:
    """Return the solution's actions with their shares, or None for a decision outside the tables."""
    position, seat = view.position, view.seat
    if len(position.living) != 2 or position.turn != seat or any(position.banked) or position.passed:
        return None
    bids, standing = [action for _, action in view.history if isinstance(action, Bid)], position.standing
    if (bids[-1] if bids else None) != standing or position.bidder == seat:
        return None
    own, other = position.dice[seat], position.dice[position.after(seat)]
    player, rules, kind = len(bids) % 2, position.rules, position.kind
    found = solved(rules, kind, (other, own) if player else (own, other))
    if found is None:
        return None
    seen, ranges = view.visible, view.legal.bids
    if ranges is None or len(seen) != len(visible_seats(position, seat)):  # a person who has not looked yet
        return None
    hand = seen[0] if seen else Hand()
    lowest = lowest_bids(rules, kind, position.in_play, standing, hand, ranges)
    if standing is None:
        return found.choices(player, bids, hand_numbers(len(hand))[hand], lowest)
    is_group = found.form.by_group
    number = group_of(rules, kind, standing, hand, lowest) if is_group else hand_numbers(len(hand))[hand]
    return found.choices(player, bids, number, lowest) or {
        unsolved(rules, kind, position.in_play, standing, hand, lowest): 1.0
    }
