"""End games: rounds between two players with at most six dice in all, solved by counterfactual regret minimisation.
`engine.arena.end_games` trains the tables and measures their loss to a best response. `strong` looks them up.

A decision is told apart by the own dice, the standing bid and the own bid before it. A table holds each decision's
actions with their shares, and nothing for hands that never come to it. Each rule set has a module of packed tables in
`engine.opponents.strong.tables`, imported when a match under these rules comes to its end.
"""

from __future__ import annotations

from base64 import b85decode
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from itertools import accumulate, combinations_with_replacement
from lzma import decompress
from typing import TYPE_CHECKING

from engine.actions import DUDO, Action, Bid, Call
from engine.bidding import legal_bids
from engine.hands import Hand
from engine.rules import FACES, RoundKind, Rules, Visibility
from engine.rulesets import RULESETS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.match import View

MAX_DICE = 6
"""Dice in all, up to which rounds are solved."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One player's decisions over one standing bid: the possible own bids before it, and the actions."""

    standing: Bid | None
    player: int  # 0 opened the round
    before: list[Bid | None]
    raises: list[Bid]
    calls: list[Call]

    @property
    def actions(self) -> list[Action]:
        """All actions, in the order of a table's columns."""
        return [*self.raises, *self.calls]


@lru_cache(maxsize=64)
def turns_of(rules: Rules, kind: RoundKind, dice: tuple[int, int]) -> tuple[Turn, ...]:
    """Return a round's turns, each before those to which its raises lead; `dice` are the opener's and the other's."""
    in_play = sum(dice)
    turns: dict[tuple[Bid | None, int], Turn] = {}
    order: dict[tuple[Bid | None, int], None] = {}

    def visit(standing: Bid | None, player: int) -> None:
        if (standing, player) in order:
            return
        raises = [*legal_bids(rules, kind, standing, dice=dice[player], in_play=in_play).up_to(in_play)]
        calls = _calls(rules, kind, in_play) if standing else []
        turns[standing, player] = Turn(standing, player, [] if standing else [None], raises, calls)
        for bid in raises:
            visit(bid, 1 - player)
        order[standing, player] = None

    visit(None, 0)
    found = [turns[key] for key in reversed(order)]
    for turn in found:
        for bid in turn.raises:
            turns[bid, 1 - turn.player].before.append(turn.standing)
    return tuple(found)


def _calls(rules: Rules, kind: RoundKind, in_play: int) -> list[Call]:
    def is_open(call: Call) -> bool:
        rule = rules.exact(call)
        if rule is None or rule.by == "out-of-turn" or (rule.while_most_dice_left and in_play <= rules.starting_dice):
            return False
        return rule.in_special or kind is RoundKind.NORMAL

    return [DUDO, *(call for call in Call if is_open(call))]


def seen_by(rules: Rules, kind: RoundKind, dice: tuple[int, int]) -> tuple[int | None, int | None]:
    """Return for the opener and the other whose dice each sees: 0 or 1, or None for nobody's."""
    match kind.visibility:
        case Visibility.OWN:
            return 0, 1
        case Visibility.OTHERS:
            return 1, 0
        case Visibility.ONE_DIE if rules.closed_seen_by == "one-die":
            return 0 if dice[0] == 1 else None, 1 if dice[1] == 1 else None
    return 0, None


@lru_cache(maxsize=8)
def hands_of(dice: int) -> tuple[Hand, ...]:
    """Return all hands of so many dice."""
    return tuple(map(Hand, combinations_with_replacement(FACES, dice)))


def title_of(kind: RoundKind, dice: tuple[int, int]) -> str:
    """Return the name of a round in a module of tables."""
    return f"{kind} {dice[0]} {dice[1]}"


Table = dict[tuple[int, Bid | None, Bid | None], tuple[Turn, list[bytes]]]
"""By player, own bid before and standing bid: for each visible hand pairs of an action's number and its parts."""


def packed(turns: Sequence[Turn], rows: Sequence[Sequence[Sequence[bytes]]]) -> bytes:
    """Write a table's bytes; `rows` has for each turn, own bid before and hand its pairs."""
    flat = [row for by_before in rows for by_hand in by_before for row in by_hand]
    sizes = bytes(len(row) // 2 for row in flat)
    joined = b"".join(flat)
    return sizes + joined[::2] + joined[1::2]


def unpacked(turns: Sequence[Turn], hands: tuple[int, int], content: bytes) -> Table:
    """Read `packed` bytes; `hands` are the numbers of visible hands of both players."""
    keys = [(turn, before) for turn in turns for before in turn.before]
    count = sum(hands[turn.player] for turn, _ in keys)
    sizes, pairs = content[:count], (len(content) - count) // 2
    joined = bytearray(2 * pairs)
    joined[::2], joined[1::2] = content[count : count + pairs], content[count + pairs :]
    flat, ends = bytes(joined), [*accumulate(sizes, initial=0)]
    table: Table = {}
    place = 0
    for turn, before in keys:
        number = hands[turn.player]
        rows = [flat[2 * ends[at] : 2 * ends[at + 1]] for at in range(place, place + number)]
        table[turn.player, before, turn.standing] = turn, rows
        place += number
    return table


@lru_cache(maxsize=4)
def _module(name: str) -> dict[str, bytes]:
    """Return the packed tables of a rule set by title; empty if there are none."""
    try:
        text: str = import_module(f"engine.opponents.strong.tables.{name.replace('-', '_')}").PACKED
    except ModuleNotFoundError:  # while the tables are trained
        return {}
    content, tables = decompress(b85decode(text)), {}
    head, _, rest = content.partition(b"\n")
    for entry in head.decode().split(",") if head else ():
        title, size = entry.rsplit(" ", 1)
        tables[title], rest = rest[: int(size)], rest[int(size) :]
    return tables


@lru_cache(maxsize=32)
def table(rules: Rules, kind: RoundKind, dice: tuple[int, int]) -> Table | None:
    """Return the table of a round, or None if it is not solved."""
    content = _module(rules.name).get(title_of(kind, dice))
    if content is None:
        return None
    sees = seen_by(rules, kind, dice)
    first, second = (1 if seat is None else len(hands_of(dice[seat])) for seat in sees)
    return unpacked(turns_of(rules, kind, dice), (first, second), content)


def solution(view: View) -> dict[Action, float] | None:
    """Return the solution's actions with their shares, or None for a decision outside the tables."""
    position, seat = view.position, view.seat
    if position.in_play > MAX_DICE or len(position.living) != 2 or position.turn != seat or any(position.banked):
        return None
    if RULESETS.get(position.rules.name) != position.rules or position.passed:
        return None
    bids = [action for _, action in view.history if isinstance(action, Bid)]
    if (bids[-1] if bids else None) != position.standing or position.bidder == seat:
        return None
    player, own, other = len(bids) % 2, position.dice[seat], position.dice[position.after(seat)]
    dice = (own, other) if player == 0 else (other, own)
    before, standing = (None, None, *bids)[-2:]
    found = table(position.rules, position.kind, dice)
    decision = found and found.get((player, before, standing))
    if not decision:
        return None
    turn, rows = decision
    seen = view.visible
    row = rows[hands_of(len(seen[0])).index(seen[0]) if seen else 0]
    total = sum(row[1::2])
    return {turn.actions[row[at]]: row[at + 1] / total for at in range(0, len(row), 2)} or None
