"""What a cup may do before it is left alone, and for how long it is then: a judge without wires, one a `SerialLink`."""

from drivers.timing import Backoff, Patience
from hardware.link.messages import EVENTS_HELD

MOST_AT_ONCE, MOST_A_SECOND = 600, 300
"""How many messages nobody asked for are put up with; eight events repeated twenty times a second are 160."""
MOST_RESTARTS, RESTARTS_A_SECOND = 5, 0.1
"""How often a cup may start anew without its port being gone."""
MOST_LEAPS = 3
"""How often its clock may jump in one start."""
MOST_AHEAD = 200
"""So many events from behind one that never comes: the cup has lost it."""
ALONE_S, LONGEST_ALONE_S = 5.0, 60.0
"""How long a cup that does not play by the rules is left alone."""
CALM_S = 2.0
"""So long it must then keep to them before it is found again."""
FORGIVEN_S = 60.0
"""After so long without a fault the next one is the first again."""


class Conduct:
    """Counts what one cup does. What is too much comes back as words that go on after "the cup", else None."""

    def __init__(self) -> None:
        self._messages = Patience(MOST_AT_ONCE, MOST_A_SECOND)
        self._restarts = Patience(MOST_RESTARTS, RESTARTS_A_SECOND)
        self._leaps = self._ahead = 0
        self._alone = Backoff(ALONE_S, LONGEST_ALONE_S)
        self._fault_s = self._calm_s = 0.0

    def talks(self, cost: float, now_s: float) -> str | None:
        """Count messages that nobody asked for."""
        if self._messages.bears(cost, now_s):
            return None
        return f"talks without end: over {MOST_A_SECOND} messages a second"

    def starts(self, was_up: bool, now_s: float) -> str | None:
        """Count a start; the first after a port was opened is none."""
        self._leaps = self._ahead = 0
        if not was_up or self._restarts.bears(1, now_s):
            return None
        self._restarts.recover()
        return "starts anew again and again; has it got enough power?"

    def leaps(self) -> str | None:
        """Count a jump of its clock."""
        self._leaps += 1
        return "has a clock that jumps: nobody knows when something happened" if self._leaps > MOST_LEAPS else None

    def runs_ahead(self, number: int, taken: int, durable: int) -> str | None:
        """Count an event that comes before the one that follows the last that was taken."""
        self._ahead += 1
        if self._ahead <= MOST_AHEAD and number <= durable + EVENTS_HELD:
            return None
        return f"does not number its events in turn: {number} after {taken}"

    def keeps_turn(self) -> None:
        """The next event has come."""
        self._ahead = 0

    def punish(self, now_s: float) -> float:
        """Return for how many seconds to leave the cup alone."""
        if now_s - self._fault_s > FORGIVEN_S + LONGEST_ALONE_S:
            self._alone.reset()
        self._fault_s = now_s
        self._messages.recover()
        alone_s = self._alone.next_s()
        self._calm_s = now_s + alone_s + CALM_S
        return alone_s

    def is_served(self, now_s: float) -> bool:
        """Whether it need not be left alone (any more)."""
        return now_s >= self._calm_s - CALM_S

    def is_calm(self, now_s: float) -> bool:
        """Whether it has kept to the rules for long enough since."""
        return now_s >= self._calm_s
