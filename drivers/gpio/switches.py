"""Switches between GPIOs and ground: opened, retried while they can't be, their edges brought to the loop's thread.

`Buttons` and `TiltCup` are built on it. A gpiozero factory may call from a thread of its own and stops calling for
good when a callback raises, so the callback here only enqueues.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from gpiozero import DigitalInputDevice

from drivers.messages import Device, Found, Lost, Post
from drivers.timing import Backoff

Heard = Callable[[str, bool, int], None]

_REMEDY = "restart the computer if it does not come back, sudo dmesg tells why it went"

MOST_ON_THEIR_WAY = 1000
"""So many edges of a seat may wait for a loop that is busy. A pin that flutters has more; its level is read later."""


class Switch(DigitalInputDevice):  # type: ignore[misc]  # gpiozero is not typed
    """One switch to ground under a pull-up, `closed` when it conducts.

    `heard(closed, at_ns)` is called in whatever thread the factory calls from, with the stamp the factory gives: the
    kernel's at a real table. There is no bounce time, because gpiozero would report the last bounce, not the first.
    `failed` is told in the same thread what went wrong with an edge, and `gone` with what the pin has gone, where the
    factory's pins tell of that: then there are no edges any more, and no level.
    """

    def __init__(
        self,
        pin: int,
        heard: Callable[[bool, int], None],
        *,
        factory: Any,
        failed: Callable[[Exception], None] = lambda error: None,
        gone: Callable[[str], None] = lambda why: None,
    ) -> None:
        self._heard = heard
        self._failed = failed
        self._opened = False
        super().__init__(pin, pull_up=True, bounce_time=None, pin_factory=factory)
        self.pin.when_gone = gone
        self._opened = True

    @property
    def conducts(self) -> bool:
        """Whether the switch is closed now."""
        return bool(self.is_active)

    def _fire_events(self, ticks: float, new_active: bool) -> None:
        try:
            if self._opened:
                self._heard(bool(new_active), round(ticks * 1e9))
        except Exception as error:  # whoever calls would never call again
            self._failed(error)


class Switches:
    """A seat's switches by name. `opened(name, closed)` tells the level found, `heard(name, closed, at_ns)` each edge.

    Both are called on the loop's thread. A pin that can't be opened is told as Lost once and retried; the others work
    meanwhile. Found follows when all are open. Pins that go while they are open are told as Lost and retried as well,
    and `gone(name)` of each: what was told of it holds no longer.
    """

    def __init__(
        self,
        seat: int,
        device: Device,
        pins: Mapping[str, int],
        *,
        factory: Any,
        loop: asyncio.AbstractEventLoop,
        post: Post,
        opened: Callable[[str, bool], None],
        heard: Heard,
        gone: Callable[[str], None],
    ) -> None:
        self._seat = seat
        self._device = device
        self._pins = dict(pins)
        self._factory = factory
        self._loop = loop
        self._post = post
        self._tell_opened = opened
        self._tell_heard = heard
        self._tell_gone = gone
        self._switches: dict[str, Switch] = {}
        self._gone: dict[str, str] = {}  # why, of those that are still to be told
        self._backoff = Backoff()
        self._retry: asyncio.TimerHandle | None = None
        self._lost = False
        self._closed = False
        self._told = self._taken = 0  # edges; each counted in one thread alone
        self._open_missing()

    def __repr__(self) -> str:
        states = (f"{name} on GPIO{pin} {self._state(name)}" for name, pin in self._pins.items())
        return f"<Switches of seat {self._seat}: {', '.join(states)}>"

    def conducts(self, name: str) -> bool:
        """Whether a switch is closed now; False while its pin can't be opened, or has just gone."""
        try:
            return name in self._switches and self._switches[name].conducts
        except OSError:
            return False

    def close(self) -> None:
        """Give the pins back; nothing is told any more."""
        self._closed = True
        if self._retry:
            self._retry.cancel()
        for switch in self._switches.values():
            switch.close()
        self._switches.clear()

    def _open_missing(self) -> None:
        faults: dict[str, list[str]] = {}  # one reason may keep all of a seat's switches from opening
        for name in self._pins:
            if name not in self._switches and (fault := self._open(name)):
                faults.setdefault(fault, []).append(self._called(name))
        if faults:
            if not self._lost:
                why = (f"{', '.join(switches)} can't be opened ({fault})" for fault, switches in faults.items())
                self._lose("; ".join(why))
            self._try_later()
        elif self._lost:
            self._lost = False
            self._backoff.reset()
            self._post(Found(self._seat, self._device))

    def _lose(self, why: str) -> None:
        self._lost = True
        self._post(Lost(self._seat, self._device, why))

    def _try_later(self) -> None:
        if self._retry:
            self._retry.cancel()
        self._retry = self._loop.call_later(self._backoff.next_s(), self._open_missing)

    def _open(self, name: str) -> str:
        """Open one pin; return why it can't be, or nothing."""
        pin = self._pins[name]
        try:
            switch = Switch(
                pin,
                partial(self._enqueue, name),
                factory=self._factory,
                failed=self._fail,
                gone=partial(self._part_with, name),
            )
        except Exception as error:  # the factories' errors have no base in common, lgpio's is a bare Exception
            return str(error) or type(error).__name__
        self._switches[name] = switch
        self._tell_opened(name, self.conducts(name))
        return ""

    def _part_with(self, name: str, why: str) -> None:
        """A pin has gone, and others may go with it: all are told at once, after the edges on their way."""
        if not self._gone:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._tell_parted)
        self._gone[name] = why

    def _tell_parted(self) -> None:
        parted, self._gone = self._gone, {}
        if self._closed:
            return
        for name in parted:
            self._switches.pop(name).close()
            self._tell_gone(name)
        switches, reasons = ", ".join(map(self._called, parted)), "; ".join(dict.fromkeys(parted.values()))
        self._lose(f"{switches}: gone {reasons}; {_REMEDY}")
        self._try_later()

    def _called(self, name: str) -> str:
        return f"the {name} switch on GPIO{self._pins[name]}"

    def _enqueue(self, name: str, closed: bool, at_ns: int) -> None:
        if self._told - self._taken >= MOST_ON_THEIR_WAY:
            return
        self._told += 1
        with suppress(RuntimeError):  # the loop is closed: the table has gone home
            self._loop.call_soon_threadsafe(self._hear, name, closed, at_ns)

    def _hear(self, name: str, closed: bool, at_ns: int) -> None:
        self._taken += 1
        if not self._closed:
            self._tell_heard(name, closed, at_ns)

    def _fail(self, error: Exception) -> None:
        with suppress(Exception):  # nothing is left to be told
            self._loop.call_soon_threadsafe(self._raise, error)

    def _raise(self, error: Exception) -> None:
        """Raise on the loop's thread, where somebody watches, what was raised elsewhere."""
        raise error

    def _state(self, name: str) -> str:
        if name not in self._switches:
            return "missing"
        return "closed" if self.conducts(name) else "open"
