"""From a layout to drivers: the one place that knows which driver serves which furniture.

Whoever conducts a table opens its `Devices`. Whether the wires are real or emulated, the drivers are the same; only
where they hang differs. A driver is loaded for the first seat that has its device: a table of boards starts without
gpiozero, luma.oled and the threads they bring.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from types import MappingProxyType, TracebackType
from typing import Self

from drivers.messages import Button, Device, Post
from firmware_host.devices.display_buses import PanelWires
from firmware_host.devices.links import Links
from firmware_host.host_io.ports import Ports
from firmware_host.supervision.error_log import Mishaps
from firmware_host.supervision.kept_panels import KeptPanel
from firmware_host.supervision.wards import Wards
from hardware.config.layout import Layout, SerialDevice, TiltSwitch

NOTHING_HEARD: Mapping[str, int] = MappingProxyType({})


class Devices:
    """The open drivers of a table: `panels` by seat, `links` to what has a program of its own, and their `wards`.

    `heard` is the last event of each device that an earlier daemon made durable, as `Links.told` names them. Each
    driver is watched over: one that fails is closed and made anew.
    """

    def __init__(
        self,
        layout: Layout,
        wires: Ports,
        *,
        loop: asyncio.AbstractEventLoop,
        post: Post,
        heard: Mapping[str, int] = NOTHING_HEARD,
        mishaps: Mishaps | None = None,
    ) -> None:
        self._wires = wires
        self.wards = Wards([seat.name for seat in layout.seats], loop=loop, post=post, mishaps=mishaps or Mishaps())
        self._panel_wires = PanelWires(layout, wires, self.wards)
        self.links = Links(wires, self.wards, heard)
        for number, seat in enumerate(layout.seats):
            if seat.board is not None:
                self.links.add_board(number, seat.board)
            if seat.buttons is not None:
                self._open_buttons(number, seat.buttons)
            if isinstance(seat.cup, SerialDevice):
                self.links.add_cup(number, seat.cup)
            elif seat.cup is not None:
                self._open_tilt_cup(number, seat.cup)
        panels = {**self._panel_wires.panels, **self.links.panels}
        self.panels: Sequence[KeptPanel] = [panels[number] for number in range(len(layout.seats))]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Close every driver, whatever befalls another; panels are dark when this returns, as far as they answer."""
        async with AsyncExitStack() as closing:
            for wire in self._panel_wires.at_work():
                closing.push_async_callback(wire.wait_closed)
            closing.callback(self.wards.close)

    def _open_buttons(self, number: int, numbers: Mapping[str, int]) -> None:
        from drivers.gpio.switches import Buttons

        pins = {Button(name): pin for name, pin in numbers.items()}
        self.wards.watch_at(
            number,
            Device.BUTTONS,
            lambda loop, post: Buttons(number, pins, factory=self._wires.factory, loop=loop, post=post),
            silent=True,
        )

    def _open_tilt_cup(self, number: int, switch: TiltSwitch) -> None:
        from drivers.gpio.tilt_cup import TiltCup

        self.wards.watch_at(
            number,
            Device.CUP,
            lambda loop, post: TiltCup(number, switch.pin, factory=self._wires.factory, loop=loop, post=post),
            silent=True,
        )
