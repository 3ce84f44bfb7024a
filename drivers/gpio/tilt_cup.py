"""A cup felt by a tilt or vibration switch on a GPIO: `Shaken`, `Settled`, `Tilted`, `Levelled`.

The daemon builds one for each seat whose layout gives its cup a pin. What the edges mean is decided by
`hardware.link.gesture`, as in the cups that have a program of their own.

The switch is mounted so that it is open while the cup stands: a broken cable then looks like a cup at rest, and never
like one somebody looks under. A vibration switch is always so; its cup can be shaken but not tilted.
"""

import asyncio
from hashlib import sha256
from types import TracebackType
from typing import Any, Self

from drivers.gpio.switches import Switches
from drivers.messages import Device, Event, Levelled, Post, Settled, Shaken, Tilted
from hardware.link import messages as link
from hardware.link.gesture import GestureDetector

_SWITCH = "tilt"
_LOOK_NS = 200_000_000  # while the cup moves the switch itself is looked at: the kernel drops edges it has no room for


class TiltCup:
    """One cup on a pin (BCM number), open from the start; `factory`, `loop` and `post` as for `Buttons`.

    The entropy of `Settled` is the SHA-256 of the stamps of the shake's edges.
    """

    def __init__(self, seat: int, pin: int, *, factory: Any, loop: asyncio.AbstractEventLoop, post: Post) -> None:
        self.seat = seat
        self._loop = loop
        self._post = post
        self._motion = GestureDetector(False, 0)
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ns = 0
        self._switches = Switches(
            seat,
            Device.CUP,
            {_SWITCH: pin},
            factory=factory,
            loop=loop,
            post=post,
            opened=self._opened,
            heard=self._heard,
            gone=self._gone,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<TiltCup: {self._switches!r}>"

    def close(self) -> None:
        """Give the pin back."""
        self._switches.close()
        if self._timer:
            self._timer.cancel()

    def _opened(self, name: str, tilted: bool) -> None:
        self._motion = GestureDetector(tilted, round(self._loop.time() * 1e9))
        self._set_timer()

    def _heard(self, name: str, tilted: bool, at_ns: int) -> None:
        self._report(self._motion.edge(at_ns, tilted))

    def _gone(self, name: str) -> None:
        """A shake that nobody felt to its end was none."""
        self._opened(name, False)

    def _due(self) -> None:
        now_ns = max(round(self._loop.time() * 1e9), self._timer_ns)  # a timer may fire a hair early
        tilted, due_ns = self._switches.conducts(_SWITCH), self._motion.due_ns
        if tilted == self._motion.is_tilted:
            self._report(self._motion.tick(now_ns))
        else:  # nothing is decided on a level that holds no longer
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
        raise ValueError(f"{what} is no motion of a cup")

    def _set_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
        due_ns = self._motion.due_ns
        if due_ns is None:
            self._timer = None
            return
        self._timer_ns = min(due_ns, round(self._loop.time() * 1e9) + _LOOK_NS)
        self._timer = self._loop.call_at(self._timer_ns / 1e9, self._due)
