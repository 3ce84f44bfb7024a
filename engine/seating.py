"""How a match begins: fixed seats, or one die each for the order of play."""

from collections.abc import Mapping

from engine.phase import ROLLING, SEATING
from engine.position import Position
from engine.rules import DICE, Rules

SEATS = range(2, 9)
"""Players at a table; only the first text states the limit."""


def begin(rules: Rules, seats: int, first: int) -> Position:
    """The position before the first roll of a match."""
    if seats not in SEATS:
        raise ValueError(f"a match has 2 to 8 players, not {seats}")
    if not 0 <= first < seats:
        raise ValueError(f"first is one of the seats 0 to {seats - 1}, not {first}")
    everybody = tuple(range(seats))
    fixed = rules.seating == "fixed"
    return Position(
        rules=rules,
        phase=ROLLING if fixed else SEATING,
        order=everybody,
        dice=(DICE,) * seats,
        starting_dice=DICE * seats,
        first=first if fixed else None,
        banked=(0,) * seats if rules.banked_lives else (),
        rolls=() if fixed else ((),) * seats,
        rolling=everybody,
    )


def rolled(position: Position, dice: Mapping[int, int]) -> Position:
    """After one die from each seat that was to roll; who ties rolls again among themselves."""
    rolls = list(position.rolls)
    for seat, die in dice.items():
        rolls[seat] = (*rolls[seat], die)
    return settled(position.but(rolls=tuple(rolls)))


def settled(position: Position) -> Position:
    """The first round if no tie among the living is left, else the tied seats to roll again."""
    ranking = sorted(position.living, key=lambda seat: position.rolls[seat], reverse=True)
    if again := _tied(position, ranking):
        return position.but(rolling=again)
    if position.rules.seating == "roll-order":
        out = (seat for seat in position.order if seat not in ranking)
        position = position.but(order=(*ranking, *out))
    return position.but(phase=ROLLING, first=ranking[0], rolling=position.living)


def _tied(position: Position, ranking: list[int]) -> tuple[int, ...]:
    rolls = position.rolls
    if position.rules.seating == "roll-opener":
        highest = [seat for seat in ranking if rolls[seat] == rolls[ranking[0]]]
        return tuple(sorted(highest)) if len(highest) > 1 else ()
    counted = [rolls[seat] for seat in ranking]
    return tuple(sorted(seat for seat in ranking if counted.count(rolls[seat]) > 1))
