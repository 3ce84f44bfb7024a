"""Solved rounds between two players: how often to take each action.
`engine.arena.end_games` trains the tables and writes a file for each rule set. `strong` draws from `solution`.

A decision is told apart by the own hand, in large rounds by its group, and the last bids. One that is not in the table
is `unsolved`. The first line of a file lists its rounds: title, bytes, remembered bids, parts of a whole, and `groups`
if hands are in groups. Each round is compressed by itself and read when a match comes to it. It holds, in columns: the
situations, each with the player, the remembered bids and the number of its hands or groups; the hands or groups; for
each of them the number of its actions, the actions, and the parts of all but the last.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate, combinations_with_replacement
from lzma import FORMAT_ALONE, decompress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from engine.actions import CALZA, DUDO, KILL, SPOT, Action, Bid
from engine.hands import Hand
from engine.match import visible_seats
from engine.opponents.chances import at_least
from engine.rules import ACES, FACES, RoundKind, Rules
from engine.rulesets import RULESETS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.bidding import BidRanges
    from engine.match import View

FOLDER = Path(__file__).with_name("tables")
CALLS = (DUDO, CALZA, KILL, SPOT)
FIRST_CALL = 240
"""The number of the first call in a table; a bid's is that of `bid_number`."""
MIN_CHANCE = 0.02
"""Chance of a bid to hold, for an onlooker, below which no table has it."""


def bid_number(bid: Bid) -> int:
    """Return a bid's number: 1 is 1x1, 7 is 2x1. Bids of more dice than two players have share the last one."""
    return min(len(FACES) * (bid.quantity - 1) + bid.face, FIRST_CALL - 1)


def _action(number: int) -> Action:
    if number >= FIRST_CALL:
        return CALLS[number - FIRST_CALL]
    quantity, face = divmod(number - 1, len(FACES))
    return Bid(quantity + 1, face + 1)


def chance_of(rules: Rules, kind: RoundKind, in_play: int, bid: Bid) -> float:
    """Return the chance of a bid to hold for somebody who sees no die."""
    return at_least(bid.quantity, in_play, 1 + (rules.wilds_in(kind) and bid.face != ACES))


def title_of(kind: RoundKind, dice: tuple[int, int]) -> str:
    """Return a round's name in a file; `dice` are the opener's and the other's."""
    return f"{kind}/{dice[0]}/{dice[1]}"


def unsolved(rules: Rules, kind: RoundKind, in_play: int, standing: Bid, hand: Hand, bids: BidRanges) -> Action:
    """Return the likeliest of a doubt and the lowest bids, by the own dice alone: tables leave out where they agree."""
    held = partial(_holds, rules.wilds_in(kind), in_play - len(hand), hand)
    chances: dict[Action, float] = {DUDO: 1 - held(standing), **{bid: held(bid) for bid in _lowest(bids)}}
    return max(chances, key=chances.__getitem__)


def group_of(rules: Rules, kind: RoundKind, in_play: int, standing: Bid, hand: Hand, bids: BidRanges) -> int:
    """Return the number of a hand's group, below `FIRST_CALL`.

    A group has as many dice that match the standing bid, the same best bid on another face, and as many that match it.
    """
    wilds, unseen = rules.wilds_in(kind), in_play - len(hand)

    def strength(bid: Bid) -> tuple[float, int]:
        return _holds(wilds, unseen, hand, bid), hand.matching(bid.face, wilds=wilds) - bid.quantity

    best = max([bid for bid in _lowest(bids) if bid.face != standing.face], key=strength, default=standing)
    matching, other = [hand.matching(face, wilds=wilds) for face in (standing.face, best.face)]
    return (matching * len(FACES) + other) * len(FACES) + best.face - 1


def _lowest(bids: BidRanges) -> list[Bid]:
    """Return the lowest bid on each face."""
    return [Bid(quantities.start, face) for face, quantities in zip(FACES, bids.by_face, strict=True) if quantities]


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
    ends: list[int]  # of each row's actions
    actions: bytes
    shares: bytes

    def choices(self, player: int, bids: list[Bid], hand: int) -> dict[Action, float] | None:
        """Return the actions with their shares, or None for a decision that is not in the table."""
        remembered = bids[-self.form.memory :]
        key = bytes([player, *([0] * (self.form.memory - len(remembered))), *map(bid_number, remembered)])
        first, rows = self.situations.get(key, (0, 0))
        row = self.hands.find(hand, first, first + rows)
        if row < 0:
            return None
        start, end = self.ends[row], self.ends[row + 1]
        shares = [*self.shares[start - row : end - row - 1]]
        shares.append(self.form.parts - sum(shares))
        actions = map(_action, self.actions[start:end])
        return {action: share / self.form.parts for action, share in zip(actions, shares, strict=True)}


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


@lru_cache(maxsize=32)
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
    count, memory = int.from_bytes(content[:2], "little"), form.memory
    columns = [content[2 + at * count : 2 + (at + 1) * count] for at in range(memory + 2)]
    rows = columns.pop()
    firsts = [*accumulate(rows, initial=0)]
    situations = {bytes(key): (firsts[at], rows[at]) for at, key in enumerate(zip(*columns, strict=True))}
    place, total = 2 + (memory + 2) * count, firsts[-1]
    hands, sizes = content[place : place + total], content[place + total : place + 2 * total]
    ends = [*accumulate(sizes, initial=0)]
    place += 2 * total
    return SolvedRound(form, situations, hands, ends, content[place : place + ends[-1]], content[place + ends[-1] :])


def solution(view: View) -> dict[Action, float] | None:
    """Return the solution's actions with their shares, or None for a decision outside the tables."""
    position, seat = view.position, view.seat
    if len(position.living) != 2 or position.turn != seat or any(position.banked) or position.passed:
        return None
    rules = position.rules
    if RULESETS.get(rules.name) != rules:
        return None
    bids, standing = [action for _, action in view.history if isinstance(action, Bid)], position.standing
    if (bids[-1] if bids else None) != standing or position.bidder == seat:
        return None
    own, other = position.dice[seat], position.dice[position.after(seat)]
    player = len(bids) % 2
    found = table(rules.name, title_of(position.kind, (other, own) if player else (own, other)))
    if found is None:
        return None
    seen = view.visible
    if len(seen) != len(visible_seats(position, seat)):  # a person who has not looked yet
        return None
    own_hand, ranges = seen[0] if seen else Hand(), view.legal.bids
    if standing is None or ranges is None:
        return found.choices(player, bids, hand_numbers(len(own_hand))[own_hand])
    situation = rules, position.kind, position.in_play, standing, own_hand, ranges
    number = group_of(*situation) if found.form.by_group else hand_numbers(len(own_hand))[own_hand]
    return found.choices(player, bids, number) or {unsolved(*situation): 1.0}
