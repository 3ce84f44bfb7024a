"""Limits for a device on the link, and the quarantine for exceeding them. Pure.
`LinkSession` has one policy for its device and reports the device's behaviour to it.
"""

from drivers.timing import Backoff, RateLimiter
from hardware.link.messages import EVENTS_HELD

MAX_BURST, MAX_PER_S = 600, 300
"""Unsolicited messages at once and a second; eight events repeated twenty times a second are 160."""
MAX_RESTARTS, RESTARTS_PER_S = 5, 0.1
"""Device restarts while its port stays."""
MAX_CLOCK_JUMPS = 3
"""Clock jumps in one boot."""
MAX_AHEAD = 200
"""Events after a missing one until it counts as lost in the device."""
QUARANTINE_S, MAX_QUARANTINE_S = 5.0, 60.0
"""Seconds for which a misbehaving device is ignored, the first time and at most."""
PROBATION_S = 2.0
"""Seconds of good behaviour before it is reported as found."""
FORGIVE_AFTER_S = 60.0
"""Seconds without an offence after which the next one counts as the first."""


class MisbehaviourPolicy:
    """Counts one device's offences. Each is returned as words to follow "the cup"; None means no offence."""

    def __init__(self) -> None:
        self._messages = RateLimiter(MAX_BURST, MAX_PER_S)
        self._restarts = RateLimiter(MAX_RESTARTS, RESTARTS_PER_S)
        self._clock_jumps = self._ahead = 0
        self._pauses = Backoff(QUARANTINE_S, MAX_QUARANTINE_S)
        self._offence_s = self._trusted_s = 0.0

    def on_unsolicited(self, cost: float, now_s: float) -> str | None:
        """Count messages the host did not ask for."""
        if self._messages.charge(cost, now_s):
            return None
        return f"talks without end: over {MAX_PER_S} messages a second"

    def on_restart(self, was_up: bool, now_s: float) -> str | None:
        """Count a restart, except the first boot after the port was opened."""
        self._clock_jumps = self._ahead = 0
        if not was_up or self._restarts.charge(1, now_s):
            return None
        self._restarts.reset()
        return "restarts again and again; is its power supply sufficient?"

    def on_clock_jump(self) -> str | None:
        """Count a clock jump."""
        self._clock_jumps += 1
        if self._clock_jumps <= MAX_CLOCK_JUMPS:
            return None
        return "has a clock that jumps: nobody knows when something happened"

    def on_gap(self, number: int, accepted: int, durable: int) -> str | None:
        """Count an event out of order after `accepted`."""
        self._ahead += 1
        if self._ahead <= MAX_AHEAD and number <= durable + EVENTS_HELD:
            return None
        return f"does not number its events in turn: {number} after {accepted}"

    def on_in_order(self) -> None:
        """Forget the gap: the next event has come."""
        self._ahead = 0

    def quarantine(self, now_s: float) -> float:
        """Return the seconds for which to ignore the device after an offence."""
        if now_s - self._offence_s > FORGIVE_AFTER_S + MAX_QUARANTINE_S:
            self._pauses.reset()
        self._offence_s = now_s
        self._messages.reset()
        pause_s = self._pauses.next_s()
        self._trusted_s = now_s + pause_s + PROBATION_S
        return pause_s

    def may_return(self, now_s: float) -> bool:
        """Return whether the device is out of quarantine."""
        return now_s >= self._trusted_s - PROBATION_S

    def is_trusted(self, now_s: float) -> bool:
        """Return whether the device has behaved long enough since the last offence."""
        return now_s >= self._trusted_s
