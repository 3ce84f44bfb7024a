"""From the edges of a bouncing contact to the presses a hand made. Pure: levels and stamps come in with each call.

The first edge counts, with its own stamp, because it is the moment of the press; what follows within the lock-out is
taken for bounce. A tap may end within the lock-out, so the level that holds when it is over is looked at once more.
"""

from typing import NamedTuple

LOCKOUT_NS = 12_000_000
"""Longer than contacts bounce (5 ms), short enough that a tap of 25 ms has edges of its own at both ends."""


class Change(NamedTuple):
    """The contact has changed: closed or open since `at_ns`."""

    closed: bool
    at_ns: int


class Debounce:
    """One contact. `edge` takes each edge; at `due_ns` the contact's level is wanted by `settle`."""

    def __init__(self, closed: bool, lockout_ns: int = LOCKOUT_NS) -> None:
        self.closed = closed
        self.due_ns: int | None = None
        """When the running lock-out ends, None when there is none."""
        self._lockout_ns = lockout_ns
        self._last = Change(closed, 0)

    def __repr__(self) -> str:
        return f"<Debounce {'closed' if self.closed else 'open'}{', locked out' if self.due_ns else ''}>"

    def edge(self, closed: bool, at_ns: int) -> list[Change]:
        """Take an edge; return the changes it tells of, in order, stamps never falling."""
        changes: list[Change] = []
        while self.due_ns is not None and at_ns >= self.due_ns:
            changes += self._end_lockout()
        self._last = Change(closed, at_ns)
        if self.due_ns is None and closed != self.closed:
            changes.append(self._change(self._last))
        return changes

    def settle(self, closed: bool, now_ns: int) -> list[Change]:
        """Take the level that holds now, at or after `due_ns`. It stands even if its edge was never heard of."""
        if self.due_ns is None or now_ns < self.due_ns:
            return []
        if closed != self._last.closed:
            self._last = Change(closed, now_ns)
        return self._end_lockout()

    def _end_lockout(self) -> list[Change]:
        self.due_ns = None
        return [self._change(self._last)] if self._last.closed != self.closed else []

    def _change(self, change: Change) -> Change:
        self.closed = change.closed
        self.due_ns = change.at_ns + self._lockout_ns
        return change
