"""Takes a match to its first round, and a round from its choice to its last bid.
Each function returns the next public position without checking legality. `Match` calls them after `engine.legality`,
and `engine.settlement` takes over at a call.
"""

from collections.abc import Mapping
from dataclasses import replace

from engine.actions import Bid
from engine.position import BIDDING, CHOOSING, OVER, ROLLING, SEATING, Player, Position, Round, without_passes
from engine.rules import RoundKind, Rules

Rolls = tuple[tuple[int, ...], ...]
"""By seat, the rolls for the order of play."""

SEATS = range(2, 9)
"""Players at a table; only the first text states the limit."""


def begin(rules: Rules, seats: int, first: Player) -> Position:
    """Return the position before a match's first roll."""
    if seats not in SEATS:
        raise ValueError(f"a match has 2 to 8 players, not {seats}")
    if not 0 <= first < seats:
        raise ValueError(f"first is one of the seats 0 to {seats - 1}, not {first}")
    fixed, dice = rules.seating == "fixed", rules.starting_dice
    opening = Round(
        rules=rules,
        order=tuple(map(Player, range(seats))),
        dice=(dice,) * seats,
        starting_dice=dice * seats,
        first=first if fixed else None,
        banked=(0,) * seats if rules.banked_lives else (),
        rolls=() if fixed else ((),) * seats,
    )
    return Position(opening, ROLLING if fixed else SEATING, rolling=opening.order)


def rolled_for_order(position: Position, dice: Mapping[Player, int]) -> Position:
    """Return the position after one die from each rolling seat; tied seats roll again among themselves."""
    rolls = list(position.rolls)
    for seat, die in dice.items():
        rolls[seat] = (*rolls[seat], die)
    return _settle_order(position.round, tuple(rolls))


def _settle_order(opening: Round, rolls: Rolls) -> Position:
    """Return the first round unless living seats are tied, else the position for the tied to roll again."""
    ranking = sorted(opening.living, key=rolls.__getitem__, reverse=True)
    if tied := _tied(opening, ranking, rolls):
        return Position(replace(opening, rolls=rolls), SEATING, rolling=tied)
    order = opening.order
    if opening.rules.seating == "roll-order":
        order = (*ranking, *(seat for seat in order if seat not in ranking))
    return to_roll(replace(opening, order=order, first=ranking[0], rolls=rolls))


def _tied(opening: Round, ranking: list[Player], rolls: Rolls) -> tuple[Player, ...]:
    if opening.rules.seating == "roll-opener":
        highest = [seat for seat in ranking if rolls[seat] == rolls[ranking[0]]]
        return tuple(sorted(highest)) if len(highest) > 1 else ()
    counted = [rolls[seat] for seat in ranking]
    return tuple(sorted(seat for seat in ranking if counted.count(rolls[seat]) > 1))


# A round


def to_roll(coming: Round) -> Position:
    """Return the position before the roll in a round of known kind."""
    return Position(coming, ROLLING, rolling=coming.living)


def chosen(position: Position, kind: RoundKind) -> Position:
    """Return the position after the owner's choice; a waived special round becomes a normal one, and is used up."""
    now = position.round
    owner = None if kind is RoundKind.NORMAL else now.owner
    return to_roll(
        now.changed(now.number, now.dice, now.owner, kind, owner, now.special_used, now.banked, now.showdown)
    )


def forgone(position: Position) -> Position:
    """Replace a special round before its start by a normal one. No-op where none is due."""
    due = position.owner is not None and position.phase in (CHOOSING, ROLLING)
    return chosen(position, RoundKind.NORMAL) if due else position


def opened(position: Position) -> Position:
    """Return the position after the roll: the first player is to open."""
    now, first = position.round, position.round.first
    return Position(now, BIDDING) if first is None else without_passes(now, first, None, None)


def bid(position: Position, seat: Player, made: Bid) -> Position:
    """Return the position after a bid: it stands, and earlier passes can no longer be doubted."""
    now = position.round
    turn, passed = now.next_living[seat], position.passed
    return Position(now, BIDDING, turn, made, seat, None, passed) if passed else without_passes(now, turn, made, seat)


def passed(position: Position, seat: Player) -> Position:
    """Return the position after a pass: the bid still stands, but the next player would doubt the pass."""
    now, standing, bidder = position.round, position.standing, position.bidder
    return Position(now, BIDDING, now.next_living[seat], standing, bidder, seat, (*position.passed, seat))


def voided(position: Position) -> Position:
    """Return the same round before its roll. No-op outside the bidding."""
    return to_roll(position.round) if position.phase is BIDDING else position


def without(position: Position, seat: Player) -> Position:
    """Return the position after `seat` left for good. No-op for a seat without dice or a finished match.
    The seat's own special round is used up; the starting dice keep their number.
    """
    if not position.dice[seat] or position.phase is OVER:
        return position
    left = replace(position.round, dice=_zeroed(position.dice, seat), banked=_zeroed(position.banked, seat))
    if len(left.living) == 1:
        return Position(replace(left, first=None, kind=RoundKind.NORMAL, owner=None), OVER)
    if position.phase is SEATING:
        return _settle_order(left, left.rolls)
    if position.phase is CHOOSING and seat != left.owner:
        return replace(position, round=left)
    assert left.first is not None
    left = replace(left, first=left.living_from(left.first))
    return to_roll(replace(left, kind=RoundKind.NORMAL, owner=None) if seat == left.owner else left)


def _zeroed(by_seat: tuple[int, ...], seat: Player) -> tuple[int, ...]:
    return tuple(0 if other == seat else count for other, count in enumerate(by_seat))
