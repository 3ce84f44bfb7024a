"""Switches between GPIOs and ground: opened or retried, with their edges debounced into button events.
The daemon builds one `Buttons` for each wired seat and one `drivers.gpio.tilt_cup.TiltCup` for each cup on a pin. The
factory is `drivers.gpio.pins` at a real table, an emulated one or gpiozero's own otherwise.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar, Self

from gpiozero import InputDevice

from drivers.messages import Button, Device, Found, Lost, Post, Pressed, Released
from drivers.timing import Backoff
from hardware.link.debounce import Debounce

_REMEDY = "restart the computer if it does not come back, sudo dmesg tells why it went"

MAX_QUEUED_EDGES = 250
"""Edges from one switch that may wait for a busy loop. A fluttering pin has more; its level is read later."""


class Switch(InputDevice):  # type: ignore[misc]  # gpiozero is not typed
    """One switch to ground under a pull-up.
    Calls `on_edge(high, at_ns)` on the loop's thread, with the factory's stamp: the kernel's at a real table.
    gpiozero's bounce time is off, because it would report the last bounce, not the first. Calls `on_lost(why)` when the
    kernel has lost the pin, if the factory's pins can tell.
    """

    def __init__(
        self,
        pin: int,
        on_edge: Callable[[bool, int], None],
        on_lost: Callable[[str], None] = lambda why: None,
        *,
        factory: Any,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._on_edge = on_edge
        self._loop = loop
        self._queued = self._taken = 0  # edges; each counted on one thread alone
        super().__init__(pin, pull_up=True, pin_factory=factory)
        try:
            self.pin.bounce, self.pin.edges = None, "both"
            if hasattr(self.pin, "listen"):  # drivers.gpio.pins: already on the loop's thread
                self.pin.listen(on_edge, on_lost)
            else:
                self.pin.when_changed = self._on_change
        except BaseException:
            self.close()
            raise

    @property
    def conducts(self) -> bool:
        """Whether the switch is closed now."""
        return bool(self.is_active)

    def _on_change(self, ticks: float, high: int) -> None:
        """Queue an edge for the loop. gpiozero calls this on its own thread, which an exception would end."""
        try:
            at_ns = round(ticks * 1e9)
            if self._queued - self._taken < MAX_QUEUED_EDGES:
                self._queued += 1
                self._loop.call_soon_threadsafe(self._take, bool(high), at_ns)
        except Exception as error:
            context = {"message": f"an edge of {self!r}", "exception": error}
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._loop.call_exception_handler, context)

    def _take(self, high: bool, at_ns: int) -> None:
        self._taken += 1
        self._on_edge(high, at_ns)


class Switches:
    """A seat's switches by name; base class for `Buttons` and `TiltCup`, which handle edges and losses on the loop's
    thread. `factory` is a gpiozero factory with ticks in the loop's seconds (CLOCK_MONOTONIC at a real table). If a pin
    can't be opened, it is posted as Lost once and retried; the others work meanwhile. Found follows when all are open.
    Open pins lost later are also posted as Lost and retried.
    """

    DEVICE: ClassVar[Device]

    def __init__(
        self, seat: int, pins: Mapping[str, int], *, factory: Any, loop: asyncio.AbstractEventLoop, post: Post
    ) -> None:
        self.seat = seat
        self._pins = dict(pins)
        self._factory = factory
        self._loop = loop
        self._post = post
        self._switches: dict[str, Switch] = {}
        self._lost_pins: dict[str, str] = {}  # with the reasons, until they are reported
        self._backoff = Backoff()
        self._retry: asyncio.TimerHandle | None = None
        self._is_lost = False
        self._is_closed = False
        self._open_missing()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __repr__(self) -> str:
        states = (f"{name} on GPIO{pin} {self._state(name)}" for name, pin in self._pins.items())
        return f"<{type(self).__name__} of seat {self.seat}: {', '.join(states)}>"

    def close(self) -> None:
        """Release the pins and stop posting."""
        self._is_closed = True
        if self._retry:
            self._retry.cancel()
        for switch in self._switches.values():
            switch.close()
        self._switches.clear()

    # For the subclass

    def _handle_open(self, name: str, closed: bool) -> None:
        """Handle a switch's level when its pin is opened."""
        raise NotImplementedError

    def _handle_edge(self, name: str, closed: bool, at_ns: int) -> None:
        """Handle an edge."""
        raise NotImplementedError

    def _handle_loss(self, name: str) -> None:
        """Forget a switch with a lost pin: its known state no longer holds."""
        raise NotImplementedError

    def _conducts(self, name: str) -> bool:
        """Return whether a switch is closed now; False while its pin can't be opened, or was just lost."""
        try:
            return name in self._switches and self._switches[name].conducts
        except OSError:
            return False

    # Opening, losing and retrying

    def _open_missing(self) -> None:
        faults: dict[str, list[str]] = {}  # one reason may affect all of a seat's switches
        for name in self._pins:
            if name not in self._switches and (fault := self._open(name)):
                faults.setdefault(fault, []).append(self._describe(name))
        if faults:
            if not self._is_lost:
                why = (f"{', '.join(switches)} can't be opened ({fault})" for fault, switches in faults.items())
                self._lose("; ".join(why))
            self._try_later()
        elif self._is_lost:
            self._is_lost = False
            self._backoff.reset()
            self._post(Found(self.seat, self.DEVICE))

    def _lose(self, why: str) -> None:
        self._is_lost = True
        self._post(Lost(self.seat, self.DEVICE, why))

    def _try_later(self) -> None:
        if self._retry:
            self._retry.cancel()
        self._retry = self._loop.call_later(self._backoff.next_s(), self._open_missing)

    def _open(self, name: str) -> str:
        """Open one pin; return the reason for a failure, or an empty string."""
        try:
            self._switches[name] = Switch(
                self._pins[name],
                partial(self._on_edge, name),
                partial(self._on_pin_lost, name),
                factory=self._factory,
                loop=self._loop,
            )
        except Exception as error:  # the factories' errors share no base; lgpio's is a bare Exception
            return str(error) or type(error).__name__
        self._handle_open(name, self._conducts(name))
        return ""

    def _on_edge(self, name: str, high: bool, at_ns: int) -> None:
        # Other seats' edges are read in the same loop callback: a failure must stay here.
        try:
            if not self._is_closed:
                self._handle_edge(name, not high, at_ns)
        except (Exception, SystemExit) as error:
            self._loop.call_exception_handler({"message": f"an edge of {self!r}", "exception": error})

    def _on_pin_lost(self, name: str, why: str) -> None:
        """Report a lost pin together with any others lost meanwhile."""
        if not self._lost_pins:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._report_lost)
        self._lost_pins[name] = why

    def _report_lost(self) -> None:
        lost, self._lost_pins = self._lost_pins, {}
        if self._is_closed:
            return
        for name in lost:
            self._switches.pop(name).close()
            self._handle_loss(name)
        switches, reasons = ", ".join(map(self._describe, lost)), "; ".join(dict.fromkeys(lost.values()))
        self._lose(f"{switches}: gone {reasons}; {_REMEDY}")
        self._try_later()

    def _describe(self, name: str) -> str:
        return f"the {name} switch on GPIO{self._pins[name]}"

    def _state(self, name: str) -> str:
        if name not in self._switches:
            return "missing"
        return "closed" if self._conducts(name) else "open"


class Buttons(Switches):
    """A seat's buttons between pins (BCM numbers) and ground, open from the start.
    Posts `Pressed` and `Released` on the loop's thread, with the first edge's stamp.
    """

    DEVICE = Device.BUTTONS

    def __init__(
        self, seat: int, pins: Mapping[Button, int], *, factory: Any, loop: asyncio.AbstractEventLoop, post: Post
    ) -> None:
        self._contacts: dict[str, Debounce] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        names = {button.value: pin for button, pin in pins.items()}
        super().__init__(seat, names, factory=factory, loop=loop, post=post)

    def close(self) -> None:
        """Release the pins."""
        super().close()
        for timer in self._timers.values():
            timer.cancel()

    def _handle_open(self, name: str, closed: bool) -> None:
        # A button held while its pin is opened was not pressed at this table.
        self._contacts[name] = Debounce(closed)

    def _handle_edge(self, name: str, closed: bool, at_ns: int) -> None:
        self._report(name, self._contacts[name].edge(closed, at_ns))

    def _handle_loss(self, name: str) -> None:
        # The table releases held buttons on Lost: a release posted here would be an action.
        del self._contacts[name]
        if timer := self._timers.pop(name, None):
            timer.cancel()

    def _settle(self, name: str) -> None:
        contact = self._contacts[name]
        now_ns = max(round(self._loop.time() * 1e9), contact.due_ns or 0)  # a timer may fire a little early
        self._report(name, contact.settle(self._conducts(name), now_ns))

    def _report(self, name: str, changes: list[tuple[bool, int]]) -> None:
        for closed, at_ns in changes:
            kind = Pressed if closed else Released
            self._post(kind(self.seat, Button(name), at_ns))
        if timer := self._timers.pop(name, None):
            timer.cancel()
        if (due_ns := self._contacts[name].due_ns) is not None:
            self._timers[name] = self._loop.call_at(due_ns / 1e9, self._settle, name)
