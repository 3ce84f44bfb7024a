"""The pings of one cup: how often, with which lease, and for how long it may be silent. `SerialLink` has one.

All heartbeats of a table beat at the same moments: the loop then wakes once for all of them.
"""

import asyncio
from collections.abc import Callable

from msgspec import Struct

from drivers.timing import EARLY_S, next_beat_s
from hardware.link import messages as link


class Pace(Struct, frozen=True):
    """So often a cup is asked, and for so long from each time its picture may stay lit."""

    every_s: float
    lease_ms: int


LIVELY = Pace(0.2, 500)
AT_REST = Pace(4.0, 10_000)
"""Of a cup that nobody has touched for `REST_AFTER_S`: an idle table should hardly wake."""
REST_AFTER_S = 10.0
ASLEEP = Pace(12.0, 30_000)
"""Of one that nobody has touched for `ASLEEP_AFTER_S`: each of eight answers wakes the table by itself."""
ASLEEP_AFTER_S = 120.0
AGAIN_S = 0.1
"""A ping that is not answered after so long is followed by the next."""
SILENT_S = 3.0
"""A cup that was not heard for so long after a ping is lost."""
_MOST_PINGS = 32


class Heartbeat:
    """Pings while it runs. `fell_silent` is called once, when nothing is heard any more; then it has stopped."""

    def __init__(
        self,
        *,
        loop: asyncio.AbstractEventLoop,
        send: Callable[[link.LinkMessage], None],
        fell_silent: Callable[[], None],
    ) -> None:
        self._loop = loop
        self._send = send
        self._fell_silent = fell_silent
        self._timer: asyncio.TimerHandle | None = None
        self._pace = LIVELY
        self._token = 0
        self._sent_ns: dict[int, int] = {}  # of the pings without an answer
        self._touched_s = 0.0
        self._unheard_s: float | None = None  # since when
        self.is_watched = False
        """Whether the cup is to be lively though nobody touches it."""
        self.silent_s = SILENT_S
        """For how long it may be silent."""
        self.is_in_doubt = False
        """Whether it is asked who it is with every ping."""

    def __repr__(self) -> str:
        return f"<Heartbeat every {self._pace.every_s} s>"

    @property
    def is_running(self) -> bool:
        """Whether a ping is due some time."""
        return self._timer is not None

    def start(self) -> None:
        """Ping at once and go on."""
        self._touched_s = self._loop.time()
        self._unheard_s = None
        self._sent_ns.clear()
        self.beat()

    def stop(self) -> None:
        """Ping no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def touch(self) -> None:
        """Somebody does something with the cup or sees dice on it: be lively."""
        self._touched_s = self._loop.time()
        if self.is_running and self._pace is not LIVELY:
            self.beat()

    def doubt(self) -> None:
        """Somebody else than the known cup seems to be there: ask who it is, with every ping until that is settled."""
        self.is_in_doubt = True
        if self.is_running:
            self.beat()

    def hear(self) -> None:
        """The cup has said something."""
        self._unheard_s = None

    def is_answer(self, token: int) -> bool:
        """Whether a ping with this token waits for its answer."""
        return token in self._sent_ns

    def answered(self, token: int) -> int | None:
        """Take an answer; return when its ping was sent, None when there was none."""
        sent_ns = self._sent_ns.pop(token, None)
        if sent_ns is not None and self.is_running and not self.is_in_doubt:
            self._at(next_beat_s(self._loop.time(), self._pace.every_s))
        return sent_ns

    def beat(self) -> int:
        """Ping now; return the ping's token."""
        now_s = self._loop.time()
        if self._unheard_s is None:
            self._unheard_s = now_s
        elif now_s - self._unheard_s > self.silent_s - EARLY_S:
            self.stop()
            self._fell_silent()
            return self._token
        self._pace = self._pace_at(now_s)
        self._token = self._token + 1 & 0xFFFF_FFFF
        self._sent_ns[self._token] = round(now_s * 1e9)
        if len(self._sent_ns) > _MOST_PINGS:
            del self._sent_ns[next(iter(self._sent_ns))]
        self._at(now_s + AGAIN_S)
        if self.is_in_doubt:
            self._send(link.Ask())
        self._send(link.Ping(self._token, self._pace.lease_ms))
        return self._token

    def _pace_at(self, now_s: float) -> Pace:
        untouched_s = now_s - self._touched_s
        if self.is_watched or self.is_in_doubt or untouched_s <= REST_AFTER_S:
            return LIVELY
        return AT_REST if untouched_s <= ASLEEP_AFTER_S else ASLEEP

    def _at(self, when_s: float) -> None:
        self.stop()
        self._timer = self._loop.call_at(when_s, self.beat)
