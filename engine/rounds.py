"""How a match gets to its first round, and a round from its choice to its last bid.

Each function returns the next public position; none checks legality. `Match` calls them after `engine.legality`, and
`engine.settlement` takes over at a call.
"""

from collections.abc import Mapping
from dataclasses import replace

from engine.actions import Bid
from engine.position import BIDDING, CHOOSING, OVER, ROLLING, SEATING, Position
from engine.rules import DICE, RoundKind, Rules

SEATS = range(2, 9)
"""Players at a table; only the first text states the limit."""


def begin(rules: Rules, seats: int, first: int) -> Position:
    """Return the position before the first roll of a match."""
    if seats not in SEATS:
        raise ValueError(f"a match has 2 to 8 players, not {seats}")
    if not 0 <= first < seats:
        raise ValueError(f"first is one of the seats 0 to {seats - 1}, not {first}")
    all_seats = tuple(range(seats))
    fixed = rules.seating == "fixed"
    return Position(
        rules=rules,
        phase=ROLLING if fixed else SEATING,
        order=all_seats,
        dice=(DICE,) * seats,
        starting_dice=DICE * seats,
        first=first if fixed else None,
        banked=(0,) * seats if rules.banked_lives else (),
        rolls=() if fixed else ((),) * seats,
        rolling=all_seats,
    )


def rolled_for_order(position: Position, dice: Mapping[int, int]) -> Position:
    """Return the position after one die from each seat that was to roll; tied seats roll again among themselves."""
    rolls = list(position.rolls)
    for seat, die in dice.items():
        rolls[seat] = (*rolls[seat], die)
    return _settle_order(replace(position, rolls=tuple(rolls)))


def _settle_order(position: Position) -> Position:
    """Return the first round if no tie among the living is left, else the position in which the tied roll again."""
    ranking = sorted(position.living, key=lambda seat: position.rolls[seat], reverse=True)
    if tied := _tied(position, ranking):
        return replace(position, rolling=tied)
    order = position.order
    if position.rules.seating == "roll-order":
        order = (*ranking, *(seat for seat in order if seat not in ranking))
    rolling = tuple(seat for seat in order if seat in ranking)
    return replace(position, order=order, phase=ROLLING, first=ranking[0], rolling=rolling)


def _tied(position: Position, ranking: list[int]) -> tuple[int, ...]:
    rolls = position.rolls
    if position.rules.seating == "roll-opener":
        highest = [seat for seat in ranking if rolls[seat] == rolls[ranking[0]]]
        return tuple(sorted(highest)) if len(highest) > 1 else ()
    counted = [rolls[seat] for seat in ranking]
    return tuple(sorted(seat for seat in ranking if counted.count(rolls[seat]) > 1))


# A round


def new_round(position: Position, first: int, kind: RoundKind, owner: int | None, *, number: int) -> Position:
    """Return the position in which the dice of a round of known kind are awaited."""
    return Position(  # by place, which takes half the time that names take
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
        position.living,
        position.showdown,
    )


def choice_of(position: Position, owner: int, *, number: int) -> Position:
    """Return the position in which `owner` chooses the special round, or that round if there is only one kind."""
    choices = position.rules.choices
    if len(choices) == 1:
        return new_round(position, owner, choices[0], owner, number=number)
    waiting = new_round(position, owner, RoundKind.NORMAL, owner, number=number)
    return replace(waiting, phase=CHOOSING, rolling=())


def chosen(position: Position, kind: RoundKind) -> Position:
    """Return the position after the owner's choice; a waived special round becomes a normal one, and is used up."""
    assert position.owner is not None
    owner = None if kind is RoundKind.NORMAL else position.owner
    return new_round(position, position.owner, kind, owner, number=position.number)


def forgone(position: Position) -> Position:
    """Return a normal round instead of a special one that has not begun. No-op where none is due."""
    due = position.owner is not None and position.phase in (CHOOSING, ROLLING)
    return chosen(position, RoundKind.NORMAL) if due else position


def opened(position: Position) -> Position:
    """Return the position after the roll: the first player is to open."""
    return _in_bidding(position, position.first, None, None, None, ())


def bid(position: Position, seat: int, made: Bid) -> Position:
    """Return the position after a bid: it stands, and no earlier pass can be doubted any more."""
    return _in_bidding(position, position.after(seat), made, seat, None, position.passed)


def passed(position: Position, seat: int) -> Position:
    """Return the position after a pass: the bid still stands, but the next player would doubt the pass."""
    passed = (*position.passed, seat)
    return _in_bidding(position, position.after(seat), position.standing, position.bidder, seat, passed)


def _in_bidding(
    position: Position,
    turn: int | None,
    standing: Bid | None,
    bidder: int | None,
    passer: int | None,
    passed: tuple[int, ...],
) -> Position:
    """Return this round, its dice under the cups, with other facts of the bidding."""
    return Position(  # by place, which takes a third of the time of `replace`: every bid comes here
        position.rules,
        BIDDING,
        position.order,
        position.dice,
        position.starting_dice,
        position.first,
        position.number,
        position.kind,
        position.owner,
        turn,
        standing,
        bidder,
        passer,
        passed,
        position.special_used,
        position.banked,
        position.rolls,
        (),
        position.showdown,
    )


def voided(position: Position) -> Position:
    """Return the same round before its roll. No-op outside the bidding."""
    if position.phase is not BIDDING:
        return position
    assert position.first is not None
    return new_round(position, position.first, position.kind, position.owner, number=position.number)


def without(position: Position, seat: int) -> Position:
    """Return the position after `seat` left for good. No-op for a seat that is out or a match that is over.

    A special round of its own is used up; the starting dice stay what they were.
    """
    if not position.dice[seat] or position.phase is OVER:
        return position
    left = replace(position, dice=_zeroed(position.dice, seat), banked=_zeroed(position.banked, seat))
    if len(left.living) == 1:
        return over(left)
    if left.phase is SEATING:
        return _settle_order(left)
    assert left.first is not None
    first = left.living_from(left.first)
    if seat == left.owner:
        return new_round(left, first, RoundKind.NORMAL, None, number=left.number)
    if left.phase is CHOOSING:
        return left
    return new_round(left, first, left.kind, left.owner, number=left.number)


def _zeroed(by_seat: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(0 if other == seat else count for other, count in enumerate(by_seat))


def over(position: Position) -> Position:
    """Return the end of the match: one seat holds dice."""
    ended = new_round(position, position.living[0], RoundKind.NORMAL, None, number=position.number)
    return replace(ended, phase=OVER, first=None, rolling=())
