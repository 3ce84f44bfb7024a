"""How few presses a hand needs to a menu's item: the arrows, tapped or held, and the OK.

`bench.presses` counts with it. A held arrow is not free: its press counts, and so does each step that it runs.
"""

from collections.abc import Iterator
from heapq import heappop, heappush

from engine import Bid
from firmware_host.table.menu import Menu, MenuItem

_Way = tuple[int, int, int]  # presses so far, cursor, and the direction in which an arrow is held, or 0


def presses(menu: Menu, item: MenuItem) -> int:
    """The least number of presses that chooses `item`, its OK among them. Raises `ValueError` for one not in it."""
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
    """What a hand can do next, and how many presses that is: tap an arrow, hold it, let the held one run on."""
    for by in (-1, +1):
        stepped = menu.step(by)
        yield 1, stepped.cursor, 0
        if isinstance(menu.chosen, Bid) and isinstance(stepped.chosen, Bid):  # else it would only go on stepping
            yield 2, menu.run(by).cursor, by
    if held:
        yield 1, menu.run(held).cursor, held
