"""A cup with a tilt or vibration switch on a GPIO: posts `Shaken`, `Settled`, `Tilted` and `Levelled`.
The daemon builds one for each seat with a cup pin in its layout. `hardware.link.gesture` interprets the edges, as it
does in cups with their own program.

Mount the switch so that it is open while the cup stands: a broken cable then looks like a cup at rest, never a lifted
one. A vibration switch is always open at rest; its cup can be shaken but not tilted.
"""

import asyncio
from hashlib import sha256
from typing import Any

from drivers.gpio.switches import Switches
from drivers.messages import Device, Event, Levelled, Post, Settled, Shaken, Tilted
from hardware.link import messages as link
from hardware.link.gesture import GestureDetector

_SWITCH = "tilt"
_POLL_NS = 200_000_000  # while the cup moves the level is read too: the kernel drops edges when its buffer is full


class TiltCup(Switches):
    """One cup on a pin (BCM number), open from the start; `factory`, `loop` and `post` as for `Buttons`.
    The entropy in `Settled` is the SHA-256 of the stamps of the shake's edges.
    """

    DEVICE = Device.CUP

    def __init__(self, seat: int, pin: int, *, factory: Any, loop: asyncio.AbstractEventLoop, post: Post) -> None:
        self._motion = GestureDetector(False, 0)
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ns = 0
        super().__init__(seat, {_SWITCH: pin}, factory=factory, loop=loop, post=post)

    def close(self) -> None:
        """Release the pin."""
        super().close()
        if self._timer:
            self._timer.cancel()

    def _handle_open(self, name: str, closed: bool) -> None:
        self._motion = GestureDetector(closed, round(self._loop.time() * 1e9))
        self._set_timer()

    def _handle_edge(self, name: str, closed: bool, at_ns: int) -> None:
        self._report(self._motion.edge(at_ns, closed))

    def _handle_loss(self, name: str) -> None:
        # A shake with an unfelt end does not count.
        self._handle_open(name, False)

    def _due(self) -> None:
        now_ns = max(round(self._loop.time() * 1e9), self._timer_ns)  # a timer may fire a little early
        tilted, due_ns = self._conducts(_SWITCH), self._motion.due_ns
        if tilted == self._motion.is_tilted:
            self._report(self._motion.tick(now_ns))
        else:  # the deciding level is out of date
            self._report(self._motion.edge(now_ns if due_ns is None else min(now_ns, due_ns - 1), tilted))

    def _report(self, moved: list[tuple[int, int]]) -> None:
        for what, at_ns in moved:
            self._post(self._message(what, at_ns))
        self._set_timer()

    def _message(self, what: int, at_ns: int) -> Event:
        match what:
            case link.SHAKEN:
                return Shaken(self.seat, at_ns)
            case link.SETTLED:
                return Settled(self.seat, at_ns, sha256(self._motion.stamps).digest())
            case link.TILTED:
                return Tilted(self.seat, at_ns)
            case link.LEVELLED:
                return Levelled(self.seat, at_ns)
        raise ValueError(f"{what} is not a motion of a cup")

    def _set_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
        due_ns = self._motion.due_ns
        if due_ns is None:
            self._timer = None
            return
        self._timer_ns = min(due_ns, round(self._loop.time() * 1e9) + _POLL_NS)
        self._timer = self._loop.call_at(self._timer_ns / 1e9, self._due)
