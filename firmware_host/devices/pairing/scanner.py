"""The scanner for plugged-in cups and boards without a seat; it listens only while a device is missing, or the owner's
page asks for boards.

`SessionRunner` passes every driver message from the seats through `tap`. The scanner opens a port as late and as rarely
as possible, because opening one resets some devices. A device that does not speak the link is logged once and ignored
until plugged in again. `PairingRules` chooses a device's seat, `Replacements` remembers it.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Self

from drivers.messages import (
    Brightness,
    Button,
    Device,
    Event,
    Found,
    Levelled,
    Lost,
    Message,
    Post,
    Pressed,
    Released,
    Replaced,
    Settled,
    Shaken,
    Tilted,
)
from firmware_host.devices.host_io.ports import Ports
from firmware_host.devices.host_io.serial_ports import PluggedDevice, is_own_name
from firmware_host.devices.pairing.replacements import Replacements
from firmware_host.devices.pairing.rules import PairingRules
from firmware_host.devices.supervision.scoped_loop import ScopedLoop
from firmware_host.i18n.words import Words
from firmware_host.screens.idle import UnassignedBoardView, draw_unassigned_board
from firmware_host.wire import Seat
from hardware.config.layout import Layout

if TYPE_CHECKING:
    from drivers.link.devices import UnassignedDevice

log = logging.getLogger(__name__)

GRACE_S = 2.0
"""Seconds for which a device must be missing before other ports are opened: a slipped cable is put back sooner."""
SCAN_INTERVAL_S = 1.0
LOOKING_S = 15.0
"""Seconds for which the scanner looks for boards after the owner's page has asked; an open page asks more often."""


class UnassignedScanner:
    """A table's unassigned devices. `words` are each seat's words; call `attach` before messages arrive."""

    def __init__(
        self,
        replacements: Replacements,
        ports: Ports,
        *,
        words: Sequence[Words],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._replacements = replacements
        self._ports = ports
        self._words = words
        self._assign: Callable[[Seat, str, int], None] = lambda seat, identity, after: None
        self._may_look: Callable[[Seat], bool] = lambda seat: False
        self._loop = loop
        self._post: Post = lambda message: None
        self._devices = replacements.devices
        self._rules = PairingRules(self._devices)
        self._just_lost: dict[Seat, asyncio.TimerHandle] = {}  # by seat, until `GRACE_S` have passed
        self._links: dict[PluggedDevice, UnassignedDevice] = {}
        self._ignored: set[PluggedDevice] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._looks_s = 0.0, 0.0  # since when and until when
        self.pressed: Seat | str = ""
        """The last press of OK while the owner's page looks: at a seat, or at the board with this id."""
        self.presses = 0

    def __repr__(self) -> str:
        return f"<UnassignedScanner: {', '.join(plug.name for plug in self._links) or 'none'}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close all ports."""
        for grace in self._just_lost.values():
            grace.cancel()
        self._just_lost.clear()
        self._stop()

    def tap(self, post: Post) -> Post:
        """Return a `post` that copies each message to this scanner; `post` itself without a replaceable device."""
        self._post = post
        if not self._devices:
            return post

        def tapped(message: Message) -> None:
            try:
                self._on_seat_message(message)
            except Exception as error:  # neither the driver nor the table must suffer from it
                self._loop.call_exception_handler({"message": repr(self), "exception": error})
            post(message)

        return tapped

    def attach(self, assign: Callable[[Seat, str, int], None], may_look: Callable[[Seat], bool]) -> None:
        """Connect the scanner to the seats' devices and displays, made after it.

        `assign` gives a seat another device; its events count after a number. `may_look` tells whether a seat has dice
        to look at: then OK is held there for peeking.
        """
        self._assign = assign
        self._may_look = may_look

    @property
    def layout(self) -> Layout:
        """The layout with the replacements applied."""
        return self._replacements.layout

    def look(self) -> tuple[str, ...]:
        """Look for boards without a seat for `LOOKING_S`; return the ids of those found so far."""
        now_s = self._loop.time()
        self._looks_s = self._looks_s[0] if self._is_looking else now_s, now_s + LOOKING_S
        if self._timer is None:
            self._scan()
            self._show()
        found = (unassigned.own_identity for plug, unassigned in self._links.items() if self._rules.is_board(plug.name))
        return tuple(sorted(found))

    @property
    def _is_looking(self) -> bool:
        return self._loop.time() < self._looks_s[1]

    def _note_press(self, place: Seat | str, press: Message) -> None:
        """Note a press of OK, but not one from before: a board keeps its presses until its port is opened."""
        is_ok = isinstance(press, Pressed) and press.button is Button.OK and press.at_ns >= self._looks_s[0] * 1e9
        if is_ok and self._is_looking:
            self.pressed, self.presses = place, self.presses + 1

    def _on_seat_message(self, message: Message) -> None:
        seat = Seat(message.seat)
        self._note_press(seat, message)
        match message:
            case Lost(_, device) if self._devices.get(seat) is device:
                if seat not in self._just_lost:
                    self._just_lost[seat] = self._loop.call_later(GRACE_S, self._on_missing, message)
            case Found(_, device) if self._devices.get(seat) is device:
                self._on_found(message)
            case _:
                self._rules.on_seat_message(message)

    def _on_missing(self, lost: Lost) -> None:
        """Begin to scan: a seat's own device has not come back."""
        del self._just_lost[Seat(lost.seat)]
        self._rules.on_seat_message(lost)
        if self._timer is None:
            self._scan()
        self._show()

    def _on_found(self, found: Found) -> None:
        if grace := self._just_lost.pop(Seat(found.seat), None):
            grace.cancel()
        self._rules.on_seat_message(found)
        if not self._rules.is_wanted and not self._is_looking:
            self._stop()
        self._show()

    def _stop(self) -> None:
        """Close the ports: no device is missing any more, and no page looks."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for plug in [*self._links]:
            self._close(plug)

    def _scan(self) -> None:
        """Open the ports of new devices and close those of removed ones."""
        if not self._rules.is_wanted and not self._is_looking:
            self._stop()
            return
        self._timer = self._loop.call_later(SCAN_INTERVAL_S, self._scan)
        here = self._plugged()
        self._ignored &= here
        for plug in self._links.keys() - here:
            self._close(plug)
        from drivers.link.devices import UnassignedDevice  # a wired table never needs it, and starts faster without

        for plug in sorted(here - self._links.keys() - self._ignored):
            opener = partial(self._ports.open_port, plug.name)
            watched = ScopedLoop(self._loop, partial(self._failed, plug))
            self._links[plug] = UnassignedDevice(
                opener, loop=watched.for_driver(), post=partial(self._on_message, plug)
            )

    def _failed(self, plug: PluggedDevice, error: BaseException) -> None:
        """Ignore a device after an exception in its driver; the table goes on."""
        self._loop.call_exception_handler({"message": f"the driver of {plug.name}", "exception": error})
        if plug in self._links:
            self._ignore(plug, "its driver failed")

    def _on_message(self, plug: PluggedDevice, message: Message) -> None:
        unassigned = self._links.get(plug)
        if unassigned is None:
            return
        match message:
            case Found(_, Device.BOARD):
                self._identified(plug, unassigned)
            case Lost(_, Device.BOARD, why):
                self._ignore(plug, why)
            case Pressed() | Released() | Shaken() | Settled() | Tilted() | Levelled():
                self._on_event(plug, unassigned, message)
        self._show()

    def _identified(self, plug: PluggedDevice, unassigned: "UnassignedDevice") -> None:
        if not is_own_name(plug.name, unassigned.own_identity):
            self._ignore(
                plug, f"it identifies itself as {unassigned.own_identity!r}, and its port's name does not end in that"
            )
            return
        self._rules.seen(plug.name, Device.BOARD if unassigned.is_board else Device.CUP)

    def _on_event(self, plug: PluggedDevice, unassigned: "UnassignedDevice", event: Event) -> None:
        assert event.event is not None
        unassigned.acknowledge(event.event)
        self._note_press(unassigned.own_identity, event)
        seat = self._rules.on_event(plug.name, event)
        if seat is None or (self._devices[seat] is Device.CUP and self._may_look(seat)):
            return
        identity = unassigned.own_identity
        self._close(plug)
        self._replacements.assign(seat, identity)
        self._assign(seat, identity, event.event)
        self._post(Replaced(seat, self._replacements.devices[seat]))
        self._loop.run_in_executor(None, self._replacements.keep)

    def _ignore(self, plug: PluggedDevice, why: str) -> None:
        self._close(plug)
        if plug in self._plugged():
            log.warning("%s belongs to no seat and is ignored until it is plugged in again: %s", plug.name, why)
            self._ignored.add(plug)

    def _plugged(self) -> set[PluggedDevice]:
        """Return the plugged-in devices without a seat."""
        return {
            plug
            for plug in (PluggedDevice(*port) for port in self._ports.plugged_in())
            if not self._replacements.knows(plug.name)
        }

    def _close(self, plug: PluggedDevice) -> None:
        self._rules.removed(plug.name)
        try:
            self._links.pop(plug).close()
        except Exception as error:
            self._loop.call_exception_handler({"message": f"closing {plug.name}", "exception": error})

    def _show(self) -> None:
        """Show every unassigned board its prospective seat."""
        for plug, unassigned in self._links.items():
            offer = self._rules.offer(plug.name)
            unassigned.set_brightness(Brightness.DARK if offer is None else Brightness.BRIGHT)
            if offer is None:
                continue
            names = tuple(self._replacements.names[seat] for seat in offer.seats)
            view = UnassignedBoardView(unassigned.own_identity, names, offer.seats.index(offer.chosen))
            unassigned.show(draw_unassigned_board(view, self._words[offer.chosen]))
