"""The cup's events until they are durable on the host: numbered, repeated, and always in complete pairs."""

from hardware.link.messages import KEY_OFF, KEY_ON, LEVELLED, PRESSED, RELEASED, SETTLED, SHAKEN, TILTED, Event

CAPACITY = 64  # events
WINDOW = 8  # events sent again at a time
REPEAT_NS = 50_000_000
LONGEST_REPEAT_NS = 800_000_000
FAST_NS = 1_000_000_000  # for so long after a frame from the host or a new event, repeats are fast
_CLOSING = {PRESSED: RELEASED, TILTED: LEVELLED, SHAKEN: SETTLED, KEY_ON: KEY_OFF}


class UnacknowledgedEvents:
    """The unacknowledged events, oldest first.
    Repeats come every 50 ms; without a frame or a new event for a second, the pause doubles each time. When the host
    has acknowledged the WINDOW oldest, which were repeated, the next follow at once. So all events arrive within 200 ms
    after a cable's last fault. At CAPACITY, a press, tilt or shake is refused together with its end, and counted in
    `refused`; the end of a begun pair always has room.
    """

    def __init__(self, boot: int) -> None:
        self.refused = 0
        self._boot = boot
        self._next = 1
        self._waiting: list[Event] = []
        self._begun: list[tuple[int, bytes]] = []
        self._repeat_ns: int | None = None
        self._pause_ns = REPEAT_NS
        self._fast_until_ns = 0  # the time until which repeats are fast
        self._behind = 0  # the number of the first event after the last window, or 0

    @property
    def oldest(self) -> int:
        """The first unacknowledged event's number, or the next new one's."""
        return self._next - len(self._waiting)

    @property
    def due_ns(self) -> "int | None":
        """The next repeat's time, None if all events are acknowledged."""
        return self._repeat_ns

    def put(self, what: int, at_ns: int, detail: bytes, now_ns: int) -> "list[Event]":
        """Number an event and return it for sending. The list is empty if the event is refused."""
        if not self._has_place(what, detail):
            self.refused += 1
            return []
        event = Event(self._boot, self._next, at_ns, what, detail)
        self._next += 1
        self._waiting.append(event)
        if self._repeat_ns is None:
            self._repeat_ns = now_ns + REPEAT_NS
        self.speed_up(now_ns)
        return [event]

    def speed_up(self, now_ns: int) -> None:
        """Repeat fast again, after a frame from the host."""
        self._fast_until_ns = now_ns + FAST_NS
        if self._repeat_ns is not None:
            self._repeat_ns = min(self._repeat_ns, now_ns + REPEAT_NS)

    def acknowledge(self, number: int, now_ns: int) -> None:
        """Forget every event up to and including `number`. An unused number is ignored."""
        if not self.oldest <= number < self._next:
            return
        self._waiting = self._waiting[number - self.oldest + 1 :]
        if not self._waiting:
            self._repeat_ns = None
        elif 0 < self._behind <= self.oldest:
            self._repeat_ns = now_ns
        else:
            self._repeat_ns = now_ns + REPEAT_NS

    def repeat(self, now_ns: int) -> "list[Event]":
        """Return the oldest events for resending: they are due, or the host sent an Ask."""
        if not self._waiting:
            return []
        self._pause_ns = REPEAT_NS if now_ns < self._fast_until_ns else min(2 * self._pause_ns, LONGEST_REPEAT_NS)
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
