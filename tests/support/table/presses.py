"""The presses that an action takes, over matches of the engine's opponents.

Every bid, pass and call of theirs, in turn and out of turn, is looked up in the menu that its seat would have had. The
shortest way there counts, with the arrows tapped or held, and the OK. A held arrow is not free: its press counts, and
so does each step that it repeats.
"""

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from random import Random
from typing import NamedTuple

from engine import DUDO, Action, Bid, Match, Phase, Position, Rules
from engine.opponents.odds import choose
from firmware_host.table.seat.menu import Menu, MenuItem, bidding_menu

_Way = tuple[int, int, int]  # presses so far, cursor, and the direction in which an arrow is held, or 0


def presses(menu: Menu, item: MenuItem) -> int:
    """Return the least number of presses that chooses `item`, with OK. Raises `ValueError` if it is not in the menu."""
    goal = menu.items.index(item)
    ways: list[_Way] = [(0, menu.cursor, 0)]
    seen: set[tuple[int, int]] = set()
    while True:
        so_far, cursor, held = heappop(ways)
        if cursor == goal:
            return so_far + 1
        if (cursor, held) not in seen:
            seen.add((cursor, held))
            for further, there, holding in _onward(Menu(menu.items, cursor), held):
                heappush(ways, (so_far + further, there, holding))


def _onward(menu: Menu, held: int) -> Iterator[_Way]:
    """Yield each next step and its presses: tap an arrow, hold it, or keep holding it."""
    for by in (-1, +1):
        stepped = menu.step(by)
        yield 1, stepped.cursor, 0
        if isinstance(menu.chosen, Bid) and isinstance(stepped.chosen, Bid):  # else it would only go on stepping
            yield 2, menu.step_dice(by).cursor, by
    if held:
        yield 1, menu.step_dice(held).cursor, held


class Turn(NamedTuple):
    """A player's decision and the public position in which it was made."""

    position: Position
    seat: int
    action: Action


class Pressed(NamedTuple):
    """The presses of a decision; `what` is a kind of action."""

    what: str
    presses: int


def match(rules: Rules, seats: int, seed: int) -> Iterator[Turn]:
    """Play one match and yield its decisions, except the choices of special rounds."""
    rng = Random(seed)
    game = Match.start(rules, seats, first=rng.randrange(seats))
    while game.position.phase is not Phase.OVER:
        position = game.position
        if position.rolling:
            game = game.roll(
                {s: [rng.randint(1, 6) for _ in range(position.dice_to_roll(s))] for s in position.rolling}
            )
            continue
        turn = next(_decisions(game, rng))
        if position.phase is Phase.BIDDING:
            yield turn
        game = game.play(turn.seat, turn.action)


def _decisions(game: Match, rng: Random) -> Iterator[Turn]:
    """Yield the calls out of turn, in random order, and then the decision of the seat in turn."""
    position = game.position
    first = position.owner if position.phase is Phase.CHOOSING else position.turn
    assert first is not None
    others = [seat for seat in position.living if seat != first and position.standing is not None]
    for seat in [*rng.sample(others, len(others)), first]:
        action = choose(game.view(seat), rng)
        if action is not None:
            yield Turn(position, seat, action)


def counted(turns: Iterable[Turn], *, dudo_button: bool) -> Iterator[Pressed]:
    """Yield the presses of each decision; a bid above the dice in play is in no menu and left out."""
    for position, seat, action in turns:
        if action is DUDO and dudo_button:
            yield Pressed("dudo", 1)
            continue
        menu = bidding_menu(position, seat, dudo_button=dudo_button)
        if action not in menu.items:
            continue
        yield Pressed(_kind(position, action), presses(menu, action))
        if isinstance(action, Bid) and position.standing and action == next(filter(_is_bid, menu.items)):
            yield Pressed("least raise", presses(menu, action))


def _kind(position: Position, action: Action) -> str:
    if not isinstance(action, Bid):
        return str(action)
    return "raise" if position.standing else "opening"


def _is_bid(item: object) -> bool:
    return isinstance(item, Bid)
