"""Every state that a seat can be in, as data: for golden pictures, for tests of what fits, and for `make screens`.

for exhibit in gallery(8):
    exhibit.picture().save(f"{exhibit.name}.png")
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

from docs.gallery import after, away, before, play, troubles
from docs.gallery.exhibit import Exhibit
from docs.gallery.troubles import LONG

__all__ = ["LONG", "NAMES", "Exhibit", "gallery"]

NAMES = ("Lima", "Cusco", "Puno", "Ica", "Tacna", "Nazca", "Huaraz", "Arequipa")
"""Who sits at the emulated table."""

_ROOMS: tuple[Callable[[tuple[str, ...]], Iterator[Exhibit]], ...] = (
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
    troubles.missing,
    troubles.ailing,
    troubles.refused,
    troubles.resumed,
    troubles.long_names,
    away.away,
    away.aside,
    away.clock,
    away.again,
)


@lru_cache
def gallery(seats: int) -> tuple[Exhibit, ...]:
    """All states at a table of two to eight, in the order of an evening; no two have one name."""
    return tuple(exhibit for room in _ROOMS for exhibit in room(NAMES[:seats]))
