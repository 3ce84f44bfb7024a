"""Every state at a seat, as data: for the golden pictures, for tests of the layout, and for `docs.screens`.

for exhibit in gallery(8):
    exhibit.picture().save(f"{exhibit.name}.png")
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

from docs.gallery import after, away, before, learning, play, problems, staff
from docs.gallery.problems import LONG
from docs.gallery.stage import Exhibit

__all__ = ["LONG", "NAMES", "Exhibit", "gallery"]

NAMES = ("Lima", "Cusco", "Puno", "Ica", "Tacna", "Nazca", "Huaraz", "Arequipa")
"""The names of the seats of the emulated table."""

_PARTS: tuple[Callable[[tuple[str, ...]], Iterator[Exhibit]], ...] = (
    before.lobby,
    learning.lesson,
    before.naming,
    before.order,
    before.shake,
    before.choice,
    play.peek,
    play.turn,
    play.others,
    after.called,
    after.reveal,
    after.over,
    problems.missing,
    problems.alerts,
    problems.refused,
    problems.resumed,
    learning.tips,
    problems.long_names,
    away.away,
    away.side_menu,
    away.undo,
    away.clock,
    away.repeated,
    before.robots,
    after.robot,
    staff.paused,
    staff.menu,
)


@lru_cache
def gallery(seats: int) -> tuple[Exhibit, ...]:
    """Return all states at a table for two to eight, in a session's order; names are unique.

    The golden sheets record the names, so a state keeps its name when words elsewhere change.
    """
    return tuple(exhibit for part in _PARTS for exhibit in part(NAMES[:seats]))
