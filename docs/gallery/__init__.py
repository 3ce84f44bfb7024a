"""Every state of a seat as data: for the golden pictures, for tests that texts fit, and for `make screens`.

for exhibit in gallery(8):
    exhibit.picture().save(f"{exhibit.name}.png")
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

from docs.gallery import after, away, before, play, problems
from docs.gallery.exhibit import Exhibit
from docs.gallery.problems import LONG

__all__ = ["LONG", "NAMES", "Exhibit", "gallery"]

NAMES = ("Lima", "Cusco", "Puno", "Ica", "Tacna", "Nazca", "Huaraz", "Arequipa")
"""The seats of the emulated table."""

_CHAPTERS: tuple[Callable[[tuple[str, ...]], Iterator[Exhibit]], ...] = (
    before.lobby,
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
    problems.notices,
    problems.resumed,
    problems.long_names,
    away.away,
    away.side_menu,
    away.clock,
    away.repeated,
)


@lru_cache
def gallery(seats: int) -> tuple[Exhibit, ...]:
    """Return all states at a table of two to eight seats in the order of a session. Their names are unique."""
    return tuple(exhibit for chapter in _CHAPTERS for exhibit in chapter(NAMES[:seats]))
