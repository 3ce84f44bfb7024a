"""A ring buffer for edges, between a board's contact interrupts and the program."""

from array import array

ROOM = 128  # edges; a contact that never stops bouncing must not eat the memory


class EdgeBuffer:
    """All contacts' edges in order of arrival, at most ROOM - 1. `overrun` is set when some were lost."""

    def __init__(self) -> None:
        self.overrun = False
        self._ticks = array("I", bytes(4 * ROOM))
        self._whats = bytearray(ROOM)
        self._put = 0
        self._taken = 0

    def put(self, what: int, ticks: int) -> None:
        """Add an edge; called in an interrupt."""
        after = (self._put + 1) % ROOM
        if after == self._taken:
            self.overrun = True
            return
        self._whats[self._put] = what
        self._ticks[self._put] = ticks
        self._put = after

    def take(self) -> "tuple[int, int] | None":
        """Remove and return the oldest edge as (what, ticks), None if there is none."""
        if self._taken == self._put:
            return None
        first = self._whats[self._taken], self._ticks[self._taken]
        self._taken = (self._taken + 1) % ROOM
        return first

    def __bool__(self) -> bool:
        return self._taken != self._put
