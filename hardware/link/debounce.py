"""Debouncing for a push button: from a bouncing contact's edges to a hand's presses and releases.
`drivers.gpio.switches` uses `Debounce` for a button on a GPIO, `hardware.firmware.program` uses `BoardDebounce` for one
on a Pico. Pure: the caller passes levels and times. Written in the common subset of MicroPython and CPython.
"""

LOCKOUT_NS = 12_000_000
"""Nanoseconds for which edges are ignored after a change: a contact bounces for up to 5 ms, a quick tap lasts 25 ms."""
STEADY_NS = 150_000_000
"""Nanoseconds for which the service key must hold its level: it bounces longer than a button, and has more time."""


class Debounce:
    """One contact with a readable level. Call `edge` at each edge, and `settle` with the level at `due_ns`.
    The first edge counts, with its own time, because it is the moment of the press. Edges within the lock-out after it
    count as bounce. A tap may end within the lock-out, so the level at its end is compared once more: if it differs,
    that is a change at the time of the last edge. Changes are pairs of (is closed, time in ns), in order.
    """

    def __init__(self, closed: bool = False) -> None:
        self.closed = closed
        """The level of the last returned change."""
        self.due_ns: int | None = None
        """End of the running lock-out, None without one."""
        self._level = closed
        self._edge_ns = 0

    def __repr__(self) -> str:
        locked = "" if self.due_ns is None else ", locked out"
        return f"<{type(self).__name__} {'closed' if self.closed else 'open'}{locked}>"

    def edge(self, closed: bool, at_ns: int) -> "list[tuple[bool, int]]":
        """Take an edge and the level after it; return the changes."""
        changes = self.tick(at_ns)
        self._level = closed
        self._edge_ns = at_ns
        if self.due_ns is None and closed != self.closed:
            changes.append(self._change(at_ns))
        return changes

    def settle(self, closed: bool, now_ns: int) -> "list[tuple[bool, int]]":
        """Take the present level, even if its edge was missed; return the changes. A lock-out goes on."""
        if self.due_ns is None or now_ns < self.due_ns:
            return []
        if closed != self._level:
            self._level = closed
            self._edge_ns = now_ns
        return self.tick(now_ns)

    def tick(self, now_ns: int) -> "list[tuple[bool, int]]":
        """Let time pass up to `now_ns`; return the changes at the ends of lock-outs."""
        changes = []
        while self.due_ns is not None and now_ns >= self.due_ns:
            ended_ns = self.due_ns
            self.due_ns = None
            if self._level != self.closed:
                changes.append(self._change(ended_ns))
        return changes

    def _change(self, decided_ns: int) -> "tuple[bool, int]":
        self.closed = self._level
        self.due_ns = self._lockout_end_ns(decided_ns)
        return self.closed, self._edge_ns

    def _lockout_end_ns(self, decided_ns: int) -> int:
        """Return the end of the lock-out after a change decided on at `decided_ns`."""
        return self._edge_ns + LOCKOUT_NS


class SteadyContact:
    """The service key: it has turned once its contact has held a new level for STEADY_NS, and starts as off.
    A key bounces longer than a button, and has more time. A key that is on when the board starts is ignored until it
    has been off: it may be stuck.
    """

    def __init__(self) -> None:
        self.closed = False
        self.due_ns: int | None = None
        self._level = False

    def edge(self, closed: bool, at_ns: int) -> None:
        """Take an edge and the level after it."""
        self._level = closed
        self.due_ns = at_ns + STEADY_NS

    def tick(self, now_ns: int) -> "list[tuple[bool, int]]":
        """Let time pass up to `now_ns`; return the completed turn with its moment."""
        if self.due_ns is None or now_ns < self.due_ns:
            return []
        steady_ns, self.due_ns = self.due_ns, None
        if self._level == self.closed:
            return []
        self.closed = self._level
        return [(self.closed, steady_ns)]


class BoardDebounce(Debounce):
    """One contact known only by its edges, open at the start. Call `edge` at each edge, `tick` at `due_ns`.
    Without a level to compare with, a board is more careful than a driver in two ways. The lock-out after a late change
    begins where the one before it ended, not at the last edge. And an edge that opens an already open contact begins a
    lock-out: a button held when the board started bounces on release, which is not a press.
    """

    def edge(self, closed: bool, at_ns: int) -> "list[tuple[bool, int]]":
        """Take an edge and the level after it; return the changes."""
        changes = super().edge(closed, at_ns)
        if self.due_ns is None and not closed:
            self.due_ns = at_ns + LOCKOUT_NS
        return changes

    def _lockout_end_ns(self, decided_ns: int) -> int:
        return decided_ns + LOCKOUT_NS
