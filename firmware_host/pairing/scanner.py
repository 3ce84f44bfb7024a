"""Cups and boards that are plugged in and belong to no seat: heard only while some seat misses its own.

`run` lets it overhear what the seats' drivers post. Somebody's ports are opened no sooner and no oftener than needed:
opening one resets some devices. What does not speak the link is one line in the log and left alone until it is plugged
in again. Whose a device becomes, `Adoption` decides; `StandIns` remembers it.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Self

from drivers.messages import (
    Device,
    Event,
    Found,
    Levelled,
    Light,
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
from firmware_host.host_io.ports import Wires
from firmware_host.host_io.serial_ports import Plug, is_own_name
from firmware_host.i18n.words import Words
from firmware_host.pairing.replacements import StandIns
from firmware_host.pairing.rules import Adoption
from firmware_host.screens.unassigned_board import SpareView, draw_spare
from firmware_host.supervision.scoped_loop import ScopedLoop

if TYPE_CHECKING:
    from drivers.link.devices import Stranger

log = logging.getLogger(__name__)

GRACE_S = 2.0
"""A cable that is put back so soon was no reason to open anybody's port, nor to give the seat away."""
LOOK_EVERY_S = 1.0


class Strangers:
    """The strangers at a table; `spoken` are the seats' words."""

    def __init__(
        self,
        stand_ins: StandIns,
        wires: Wires,
        *,
        spoken: Sequence[Words],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._stand_ins = stand_ins
        self._wires = wires
        self._spoken = spoken
        self.assign: Callable[[int, str, int], None] = lambda seat, identity, after: None
        """Gives a seat another device, whose events count after this one: to be set once there are devices."""
        self.may_look: Callable[[int], bool] = lambda seat: False
        """Whether a seat may look at dice, so that OK is held there for that: to be set once there are glasses."""
        self._loop = loop
        self._post: Post = lambda message: None
        self._devices = stand_ins.devices
        self._adoption = Adoption(self._devices)
        self._just_lost: dict[int, asyncio.TimerHandle] = {}  # seats that miss theirs once these have run out
        self._links: dict[Plug, Stranger] = {}
        self._left_alone: set[Plug] = set()
        self._timer: asyncio.TimerHandle | None = None

    def __repr__(self) -> str:
        return f"<Strangers: {', '.join(plug.name for plug in self._links) or 'none'}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Give all ports back."""
        for grace in self._just_lost.values():
            grace.cancel()
        self._just_lost.clear()
        self._rest()

    def overhearing(self, post: Post) -> Post:
        """`post`, and a look at what is posted."""

        self._post = post

        def overheard(message: Message) -> None:
            try:
                self._heard(message)
            except Exception as error:  # the driver that posts has done nothing wrong, and the table is to hear it
                self._loop.call_exception_handler({"message": repr(self), "exception": error})
            post(message)

        return overheard

    def _heard(self, message: Message) -> None:
        match message:
            case Lost(seat, device) if self._devices.get(seat) is device:
                if seat not in self._just_lost:
                    self._just_lost[seat] = self._loop.call_later(GRACE_S, self._miss, message)
            case Found(seat, device) if self._devices.get(seat) is device:
                self._find(message)
            case _:
                self._adoption.heard(message)

    def _miss(self, lost: Lost) -> None:
        """A seat's own device has not come back."""
        del self._just_lost[lost.seat]
        self._adoption.heard(lost)
        if self._timer is None:
            self._look()
        self._show()

    def _find(self, found: Found) -> None:
        if grace := self._just_lost.pop(found.seat, None):
            grace.cancel()
        self._adoption.heard(found)
        if not self._adoption.is_wanted:
            self._rest()
        self._show()

    def _rest(self) -> None:
        """Nobody misses anything."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for plug in [*self._links]:
            self._part_with(plug)

    def _look(self) -> None:
        """Get to know who has come, forget who has gone."""
        self._timer = self._loop.call_later(LOOK_EVERY_S, self._look)
        here = self._plugged()
        self._left_alone &= here
        for plug in self._links.keys() - here:
            self._part_with(plug)
        from drivers.link.devices import Stranger  # a table of wires has none, and starts without it

        for plug in sorted(here - self._links.keys() - self._left_alone):
            opener = partial(self._wires.open_port, plug.name)
            watched = ScopedLoop(self._loop, partial(self._failed, plug))
            self._links[plug] = Stranger(opener, loop=watched.for_driver(), post=partial(self._said, plug))

    def _failed(self, plug: Plug, error: BaseException) -> None:
        """A stranger's driver has raised something: nobody at the table is to notice."""
        self._loop.call_exception_handler({"message": f"the driver of {plug.name}", "exception": error})
        if plug in self._links:
            self._leave_alone(plug, "its driver failed")

    def _said(self, plug: Plug, message: Message) -> None:
        stranger = self._links.get(plug)
        if stranger is None:
            return
        match message:
            case Found(_, Device.BOARD):
                self._meet(plug, stranger)
            case Lost(_, Device.BOARD, why):
                self._leave_alone(plug, why)
            case Pressed() | Released() | Shaken() | Settled() | Tilted() | Levelled():
                self._heard_of(plug, stranger, message)
        self._show()

    def _meet(self, plug: Plug, stranger: "Stranger") -> None:
        if not is_own_name(plug.name, stranger.own_identity):
            self._leave_alone(plug, f"it calls itself {stranger.own_identity!r}, and its port's name does not end so")
            return
        self._adoption.met(plug.name, Device.BOARD if stranger.is_board else Device.CUP)

    def _heard_of(self, plug: Plug, stranger: "Stranger", event: Event) -> None:
        assert event.event is not None
        stranger.acknowledge(event.event)
        seat = self._adoption.said(plug.name, event)
        if seat is None or (self._devices[seat] is Device.CUP and self.may_look(seat)):
            return
        identity = stranger.own_identity
        self._part_with(plug)
        self._stand_ins.assign(seat, identity)
        self.assign(seat, identity, event.event)
        self._post(Replaced(seat, self._stand_ins.devices[seat]))
        self._loop.run_in_executor(None, self._stand_ins.keep)

    def _leave_alone(self, plug: Plug, why: str) -> None:
        self._part_with(plug)
        if plug in self._plugged():
            log.warning("%s belongs to no seat and is left alone until it is plugged in again: %s", plug.name, why)
            self._left_alone.add(plug)

    def _plugged(self) -> set[Plug]:
        """The devices that are there and nobody's."""
        return {plug for plug in (Plug(*port) for port in self._wires.plugs()) if not self._stand_ins.knows(plug.name)}

    def _part_with(self, plug: Plug) -> None:
        self._adoption.gone(plug.name)
        try:
            self._links.pop(plug).close()
        except Exception as error:
            self._loop.call_exception_handler({"message": f"closing {plug.name}", "exception": error})

    def _show(self) -> None:
        """Let every spare board tell whose it would be."""
        for plug, stranger in self._links.items():
            offer = self._adoption.offer(plug.name)
            stranger.light(Light.DARK if offer is None else Light.BRIGHT)
            if offer is None:
                continue
            names = tuple(self._stand_ins.names[seat] for seat in offer.seats)
            view = SpareView(stranger.own_identity, names, offer.seats.index(offer.chosen))
            stranger.show(draw_spare(view, self._spoken[offer.chosen]))
