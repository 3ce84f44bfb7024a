"""How a round goes from its choice to its last bid: each function gives the next public position."""

from engine import seating
from engine.actions import Bid
from engine.circle import living
from engine.phase import BIDDING, CHOOSING, OVER, ROLLING, SEATING
from engine.position import Position
from engine.rounds import RoundKind


def new_round(position: Position, first: int, kind: RoundKind, owner: int | None, *, number: int) -> Position:
    """The position in which the dice of a round of known kind are awaited."""
    return Position(
        position.rules,
        ROLLING,
        position.order,
        position.dice,
        position.starting_dice,
        first,
        number,
        kind,
        owner,
        None,
        None,
        None,
        None,
        (),
        position.special_used,
        position.banked,
        position.rolls,
        living(position.order, position.dice),
        position.showdown,
    )


def choice_of(position: Position, owner: int, *, number: int) -> Position:
    """The position in which `owner` chooses the special round, or already that round where there is no choice."""
    choices = position.rules.choices
    if len(choices) == 1:
        return new_round(position, owner, choices[0], owner, number=number)
    waiting = new_round(position, owner, RoundKind.NORMAL, owner, number=number)
    return waiting.but(phase=CHOOSING, rolling=())


def chosen(position: Position, kind: RoundKind) -> Position:
    """After the owner's choice; a waived special round is a normal one, and is used up."""
    assert position.owner is not None
    owner = None if kind is RoundKind.NORMAL else position.owner
    return new_round(position, position.owner, kind, owner, number=position.number)


def forgone(position: Position) -> Position:
    """A normal round instead of a special one that has not begun. No-op where none is due."""
    due = position.owner is not None and position.phase in (CHOOSING, ROLLING)
    return chosen(position, RoundKind.NORMAL) if due else position


def opened(position: Position) -> Position:
    """After the roll: the first player is to open."""
    return position.bidding(position.first, None, None, None, ())


def bid(position: Position, seat: int, made: Bid) -> Position:
    """After a bid: it stands, and a pass before it is past."""
    return position.bidding(position.after(seat), made, seat, None, position.passed)


def passed(position: Position, seat: int) -> Position:
    """After a pass: the bid still stands, but the pass is what the next player would doubt."""
    passed = (*position.passed, seat)
    return position.bidding(position.after(seat), position.standing, position.bidder, seat, passed)


def voided(position: Position) -> Position:
    """The same round before its roll."""
    if position.phase is not BIDDING:
        return position
    assert position.first is not None
    return new_round(position, position.first, position.kind, position.owner, number=position.number)


def without(position: Position, seat: int) -> Position:
    """After `seat` left for good. A special round of its own is used up; the starting dice stay what they were."""
    if not position.dice[seat] or position.phase is OVER:
        return position
    left = position.but(dice=_zeroed(position.dice, seat), banked=_zeroed(position.banked, seat))
    if len(left.living) == 1:
        return over(left)
    if left.phase is SEATING:
        return seating.settled(left)
    assert left.first is not None
    first = left.from_(left.first)
    if seat == left.owner:
        return new_round(left, first, RoundKind.NORMAL, None, number=left.number)
    if left.phase is CHOOSING:
        return left
    return new_round(left, first, left.kind, left.owner, number=left.number)


def _zeroed(by_seat: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(0 if other == seat else count for other, count in enumerate(by_seat))


def over(position: Position) -> Position:
    """The end: one seat holds dice."""
    ended = new_round(position, position.living[0], RoundKind.NORMAL, None, number=position.number)
    return ended.but(phase=OVER, first=None, rolling=())
