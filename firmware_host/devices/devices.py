"""A layout's drivers: only this module maps devices to drivers.

The daemon, `play` and the tests open `Devices`. The drivers are the same whether the ports are real or emulated. A
driver is imported for the first seat with its device: a table of boards starts without gpiozero, luma.oled and their
threads.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from types import MappingProxyType, TracebackType
from typing import Self

from drivers.messages import Button, Device, Post
from firmware_host.devices.displays import DisplayBuses, DisplayProxy
from firmware_host.devices.host_io.ports import Ports
from firmware_host.devices.links import LinkRegistry
from firmware_host.devices.supervision.supervisor import DriverSupervisor
from firmware_host.util.log import ErrorCounter
from firmware_host.wire import Seat, all_seats, enumerate_seats
from hardware.config.layout import Layout, SerialDevice, TiltSwitch
from hardware.config.layout_schema import BOARD_KEY

NO_EVENTS: Mapping[str, int] = MappingProxyType({})


class Devices:
    """A table's drivers: `displays` by seat, `links` to devices with a program, and their `supervisor`.

    `durable_events` has each device's last event made durable by an earlier daemon, by names as in
    `LinkRegistry.event_id`. A failing driver is closed and built again.
    """

    def __init__(
        self,
        layout: Layout,
        ports: Ports,
        *,
        loop: asyncio.AbstractEventLoop,
        post: Post,
        durable_events: Mapping[str, int] = NO_EVENTS,
        errors: ErrorCounter | None = None,
    ) -> None:
        self._ports = ports
        names = [seat.name for seat in layout.seats]
        self.supervisor = DriverSupervisor(names, loop=loop, post=post, errors=errors or ErrorCounter())
        self._buses = DisplayBuses(layout, ports, self.supervisor)
        self.links = LinkRegistry(ports, self.supervisor, durable_events)
        for seat, wanted in enumerate_seats(layout.seats):
            if wanted.board is not None:
                has_key = layout.service_key == BOARD_KEY and seat == layout.service_seat
                self.links.add_board(seat, wanted.board, has_key=has_key)
            if wanted.phone is not None:
                self.links.add_phone(seat, wanted.phone)
            if isinstance(wanted.cup, SerialDevice):
                self.links.add_cup(seat, wanted.cup)
        # In the loop's next turn: the first pictures are then on their buses, and gpiozero is loaded meanwhile.
        self._opening = loop.call_soon(self._open_switches, layout)
        displays = {**self._buses.displays, **self.links.displays}
        self.displays: Sequence[DisplayProxy] = [displays[seat] for seat in all_seats(len(layout.seats))]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Close every driver, even if one raises; on return, responding displays are dark."""
        async with AsyncExitStack() as closing:
            for bus in self._buses.drivers():
                closing.push_async_callback(bus.wait_closed)
            closing.callback(self.supervisor.close)
            self._opening.cancel()

    def _open_switches(self, layout: Layout) -> None:
        for seat, wanted in enumerate_seats(layout.seats):
            if wanted.buttons is not None:
                self._open_buttons(seat, wanted.buttons)
            if isinstance(wanted.cup, TiltSwitch):
                self._open_tilt_cup(seat, wanted.cup)
        if isinstance(layout.service_key, int):
            self._open_key(Seat(layout.service_seat), layout.service_key)

    def _open_buttons(self, seat: Seat, numbers: Mapping[str, int]) -> None:
        from drivers.gpio.switches import Buttons

        pins = {Button(name): pin for name, pin in numbers.items()}
        self.supervisor.supervise(
            lambda loop, post: Buttons(seat, pins, factory=self._ports.factory, loop=loop, post=post),
            devices=[(seat, Device.BUTTONS)],
            posts_found=True,
        )

    def _open_key(self, seat: Seat, pin: int) -> None:
        from drivers.gpio.key_switch import KeySwitch

        self.supervisor.supervise(
            lambda loop, post: KeySwitch(seat, pin, factory=self._ports.factory, loop=loop, post=post),
            name=f"the service key on GPIO{pin}",
        )

    def _open_tilt_cup(self, seat: Seat, switch: TiltSwitch) -> None:
        from drivers.gpio.tilt_cup import TiltCup

        self.supervisor.supervise(
            lambda loop, post: TiltCup(seat, switch.pin, factory=self._ports.factory, loop=loop, post=post),
            devices=[(seat, Device.CUP)],
            posts_found=True,
        )
