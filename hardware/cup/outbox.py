"""The cup's events until the host has them for good: numbered, repeated, and never half of a pair."""

from hardware.link.messages import LEVELLED, PRESSED, RELEASED, SETTLED, SHAKEN, TILTED, Event

CAPACITY = 64  # events
WINDOW = 8  # events sent again at a time
FIRST_REPEAT_NS = 50_000_000
LONGEST_REPEAT_NS = 800_000_000
_CLOSING = {PRESSED: RELEASED, TILTED: LEVELLED, SHAKEN: SETTLED}


class Outbox:
    """Holds the events that are not yet acknowledged, oldest first, and says which are to be sent now.

    Repeats come after 50 ms and then ever more slowly while the host does not answer. When CAPACITY is reached
    something that begins (a press, a tilt, a shake) is refused together with its end, and counted in `refused`;
    the end of what the host knows of always has a place.
    """

    def __init__(self, boot: int) -> None:
        self.refused = 0
        self._boot = boot
        self._next = 1
        self._waiting: list[Event] = []
        self._begun: list[tuple[int, bytes]] = []
        self._repeat_ns: int | None = None
        self._pause_ns = FIRST_REPEAT_NS

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
        if not self._has_place(what, b"" if what == SETTLED else detail):
            self.refused += 1
            return []
        event = Event(self._boot, self._next, at_ns, what, detail)
        self._next += 1
        self._waiting.append(event)
        self._pause_ns = FIRST_REPEAT_NS
        due_ns = now_ns + FIRST_REPEAT_NS
        self._repeat_ns = due_ns if self._repeat_ns is None else min(due_ns, self._repeat_ns)
        return [event]

    def acknowledge(self, number: int, now_ns: int) -> None:
        """Forget every event up to and including `number`; a number never given is passed over."""
        if not self.oldest <= number < self._next:
            return
        self._waiting = self._waiting[number - self.oldest + 1 :]
        self._pause_ns = FIRST_REPEAT_NS
        self._repeat_ns = now_ns + FIRST_REPEAT_NS if self._waiting else None

    def again(self, now_ns: int) -> "list[Event]":
        """Return the oldest events because they are due or a host has just come."""
        if not self._waiting:
            return []
        self._repeat_ns = now_ns + self._pause_ns
        self._pause_ns = min(2 * self._pause_ns, LONGEST_REPEAT_NS)
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
