"""One device's pings: their rate, their lease, and the silence allowed to the device.
`LinkSession` has one. All sessions at a table ping at the same moments, so the loop wakes once for all of them.
"""

import asyncio
from collections.abc import Callable

from msgspec import Struct

from drivers.timing import TIMER_SLACK_S, align_up
from hardware.link import messages as link


class PingRate(Struct, frozen=True):
    """Seconds between pings, and each one's lease for a lit picture in milliseconds."""

    interval_s: float
    lease_ms: int


ACTIVE = PingRate(0.2, 500)
IDLE = PingRate(12.0, 30_000)
"""The rate for a device untouched for `IDLE_AFTER_S`: each of eight answers wakes the table separately."""
IDLE_WIRELESS = PingRate(4.0, 10_000)
"""The same by radio or Wi-Fi, where only silence tells a loss; the kernel reports a pulled cable at once."""
IDLE_AFTER_S = 10.0
RETRY_S = 0.1
"""Seconds from an unanswered ping to the next."""
SILENCE_TIMEOUT_S = 3.0
"""Seconds without a message after a ping until the device is lost."""
_MAX_PINGS = 32


class Keepalive:
    """Pings while it runs. When the device falls silent it stops and calls `on_silence` once."""

    def __init__(
        self,
        *,
        loop: asyncio.AbstractEventLoop,
        send: Callable[[link.LinkMessage], None],
        on_silence: Callable[[], None],
        idle: PingRate = IDLE,
    ) -> None:
        self._loop = loop
        self._send = send
        self._on_silence = on_silence
        self._timer: asyncio.TimerHandle | None = None
        self._rate = ACTIVE
        self._idle = idle
        self._token = 0
        self._sent_ns: dict[int, int] = {}  # pings without an answer
        self._touched_s = 0.0
        self._unheard_s: float | None = None  # start of the silence
        self.is_kept_active = False
        """Whether to ping at the active rate even while the device is untouched."""
        self.timeout_s = SILENCE_TIMEOUT_S
        """Seconds for which the device may be silent."""
        self.is_suspect = False
        """Whether every ping comes with an `Ask`, because another device may be there."""

    def __repr__(self) -> str:
        return f"<Keepalive every {self._rate.interval_s} s>"

    @property
    def token(self) -> int:
        """The last ping's token."""
        return self._token

    @property
    def is_running(self) -> bool:
        """Whether a ping is scheduled."""
        return self._timer is not None

    def start(self) -> None:
        """Ping at once and regularly from then on."""
        self._touched_s = self._loop.time()
        self._unheard_s = None
        self._sent_ns.clear()
        self.ping()

    def stop(self) -> None:
        """Stop pinging."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def on_activity(self) -> None:
        """Ping at the active rate: somebody uses the device, or its display shows dice."""
        self._touched_s = self._loop.time()
        if self.is_running and self._rate is not ACTIVE:
            self.ping()

    def suspect(self) -> None:
        """Send an `Ask` with every ping until it is clear whether another device is there."""
        self.is_suspect = True
        if self.is_running:
            self.ping()

    def on_traffic(self) -> None:
        """End the silence: a message has come."""
        self._unheard_s = None

    def is_answer(self, token: int) -> bool:
        """Return whether a ping with this token waits for its answer."""
        return token in self._sent_ns

    def on_pong(self, token: int) -> int | None:
        """Handle an answer; return the time at which its ping was sent, None for an unknown token."""
        sent_ns = self._sent_ns.pop(token, None)
        if sent_ns is not None and self.is_running and not self.is_suspect:
            self._at(align_up(self._loop.time(), self._rate.interval_s))
        return sent_ns

    def ping(self) -> int:
        """Ping now; return the ping's token."""
        now_s = self._loop.time()
        if self._unheard_s is None:
            self._unheard_s = now_s
        elif now_s - self._unheard_s > self.timeout_s - TIMER_SLACK_S:
            self.stop()
            self._on_silence()
            return self._token
        self._rate = self._rate_at(now_s)
        self._token = self._token + 1 & 0xFFFF_FFFF
        self._sent_ns[self._token] = round(now_s * 1e9)
        if len(self._sent_ns) > _MAX_PINGS:
            del self._sent_ns[next(iter(self._sent_ns))]
        self._at(now_s + RETRY_S)
        if self.is_suspect:
            self._send(link.Ask())
        self._send(link.Ping(self._token, self._rate.lease_ms))
        return self._token

    def _rate_at(self, now_s: float) -> PingRate:
        is_in_use = self.is_kept_active or self.is_suspect or now_s - self._touched_s <= IDLE_AFTER_S
        return ACTIVE if is_in_use else self._idle

    def _at(self, when_s: float) -> None:
        self.stop()
        self._timer = self._loop.call_at(when_s, self.ping)
