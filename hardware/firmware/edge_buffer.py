"""Where the interrupts of a board's contacts leave their edges until the program takes them."""

from array import array

ROOM = 128  # edges; a contact that never stops bouncing must not eat the memory


class EdgeBuffer:
    """The edges of all contacts in the order they came. ROOM - 1 of them are kept; `overrun`: some are lost."""

    def __init__(self) -> None:
        self.overrun = False
        self._ticks = array("I", bytes(4 * ROOM))
        self._whats = bytearray(ROOM)
        self._put = 0
        self._taken = 0

    def put(self, what: int, ticks: int) -> None:
        """Keep one, from an interrupt."""
        after = (self._put + 1) % ROOM
        if after == self._taken:
            self.overrun = True
            return
        self._whats[self._put] = what
        self._ticks[self._put] = ticks
        self._put = after

    def take(self) -> "tuple[int, int] | None":
        """Return what was put first, as `put` was given it; None when nothing is left."""
        if self._taken == self._put:
            return None
        first = self._whats[self._taken], self._ticks[self._taken]
        self._taken = (self._taken + 1) % ROOM
        return first

    def __bool__(self) -> bool:
        return self._taken != self._put
