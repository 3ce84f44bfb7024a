"""The cup's events until the host has them for good: numbered, repeated, and never half of a pair."""

from hardware.link.messages import LEVELLED, PRESSED, RELEASED, SETTLED, SHAKEN, TILTED, Event

CAPACITY = 64  # events
WINDOW = 8  # events sent again at a time
REPEAT_NS = 50_000_000
LONGEST_REPEAT_NS = 800_000_000
LIVELY_NS = 1_000_000_000  # repeats come quickly for so long after the host was heard or something new happened
_CLOSING = {PRESSED: RELEASED, TILTED: LEVELLED, SHAKEN: SETTLED}


class Outbox:
    """Holds the events that are not yet acknowledged, oldest first, and says which are to be sent now.

    Repeats come every 50 ms, and ever more slowly once nothing was heard or happened for a second; when the host
    has taken the WINDOW oldest that were sent again, the next follow at once. So all is through within 200 ms of
    the last fault of a cable. When CAPACITY is reached something that begins (a press, a tilt, a shake) is refused
    together with its end, and counted in `refused`; the end of what the host knows of always has a place.
    """

    def __init__(self, boot: int) -> None:
        self.refused = 0
        self._boot = boot
        self._next = 1
        self._waiting: list[Event] = []
        self._begun: list[tuple[int, bytes]] = []
        self._repeat_ns: int | None = None
        self._pause_ns = REPEAT_NS
        self._lively_ns = 0  # until when
        self._behind = 0  # the number of the first event that the last window had no place for, 0 if it had for all

    @property
    def oldest(self) -> int:
        """The number of the first event not acknowledged, or of the next one to come."""
        return self._next - len(self._waiting)

    @property
    def due_ns(self) -> "int | None":
        """When events are to be sent again, None when all are acknowledged."""
        return self._repeat_ns

    def put(self, what: int, at_ns: int, detail: bytes, now_ns: int) -> "list[Event]":
        """Number an event and return it for sending; an empty list when it is refused."""
        if not self._has_place(what, detail):
            self.refused += 1
            return []
        event = Event(self._boot, self._next, at_ns, what, detail)
        self._next += 1
        self._waiting.append(event)
        if self._repeat_ns is None:
            self._repeat_ns = now_ns + REPEAT_NS
        self.enliven(now_ns)
        return [event]

    def enliven(self, now_ns: int) -> None:
        """Repeat quickly again: the host was heard."""
        self._lively_ns = now_ns + LIVELY_NS
        if self._repeat_ns is not None:
            self._repeat_ns = min(self._repeat_ns, now_ns + REPEAT_NS)

    def acknowledge(self, number: int, now_ns: int) -> None:
        """Forget every event up to and including `number`; a number never given is passed over."""
        if not self.oldest <= number < self._next:
            return
        self._waiting = self._waiting[number - self.oldest + 1 :]
        if not self._waiting:
            self._repeat_ns = None
        elif 0 < self._behind <= self.oldest:
            self._repeat_ns = now_ns
        else:
            self._repeat_ns = now_ns + REPEAT_NS

    def again(self, now_ns: int) -> "list[Event]":
        """Return the oldest events because they are due or a host has just come."""
        if not self._waiting:
            return []
        self._pause_ns = REPEAT_NS if now_ns < self._lively_ns else min(2 * self._pause_ns, LONGEST_REPEAT_NS)
        self._repeat_ns = now_ns + self._pause_ns
        self._behind = self.oldest + WINDOW if len(self._waiting) > WINDOW else 0
        return self._waiting[:WINDOW]

    def _has_place(self, what: int, subject: bytes) -> bool:
        if what in _CLOSING:
            if len(self._waiting) + len(self._begun) + 2 > CAPACITY:
                return False
            self._begun.append((_CLOSING[what], subject))
            return True
        if (what, subject) not in self._begun:
            return False
        self._begun.remove((what, subject))
        return True
