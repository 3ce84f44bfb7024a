"""The panels that hang on I2C and SPI: for `Devices`, one driver for all that share a physical wire."""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from drivers.display.spi import Select
from drivers.messages import Device, Post
from firmware_host.daemon.seat_display import Showing
from firmware_host.host_io.ports import Ports, open_spi_display
from firmware_host.supervision.kept_panels import KeptPanel, WiredPanels
from firmware_host.supervision.supervision import Ward
from firmware_host.supervision.wards import Wards
from hardware.config.layout import Layout, Panel, SpiPanel

if TYPE_CHECKING:
    from drivers.display.bus import PanelWire
    from drivers.display.bus_io import BusName, Openers


class PanelWires:
    """The wires of a layout with panels on them. `panels` are those by seat."""

    def __init__(self, layout: Layout, wires: Ports, wards: Wards) -> None:
        self.panels: dict[int, KeptPanel] = {}
        self._wards = wards
        self._opened: list[Ward[WiredPanels]] = []
        for buses in layout.panel_wires():
            self._open(layout, {number: partial(wires.open_bus, number) for number in buses})
        for panels in layout.spi_panels().values():
            self._open(
                layout, {Select(panel.spi, panel.select): partial(open_spi_display, wires, panel) for panel in panels}
            )

    def at_work(self) -> "Iterable[PanelWire]":
        """The wires whose drivers have not failed; whoever closes them can wait until they have."""
        return [ward.driver.wire for ward in self._opened if ward.driver is not None]

    def _open(self, layout: Layout, openers: "Openers") -> None:
        """One owner for all buses that share a physical wire."""
        from drivers.display.bus import PanelWire

        hung = {
            number: seat.panel for number, seat in enumerate(layout.seats) if seat.panel and _bus(seat.panel) in openers
        }

        def build(loop: asyncio.AbstractEventLoop, post: Post) -> WiredPanels:
            wire = PanelWire(openers, loop=loop, post=post)
            panels = {}
            for number, panel in hung.items():
                address = 0 if isinstance(panel, SpiPanel) else panel.address
                panels[number] = wire.panel(number, _bus(panel), address, panel.chip, rotate=panel.rotate)
            return WiredPanels(wire, panels)

        def has_come(driver: WiredPanels) -> None:
            for number, panel in driver.panels.items():
                panel.lost = True  # until it answers
                self.panels[number].show_again(panel)

        def ask(number: int, act: Callable[[Showing], None]) -> None:
            ward.ask(lambda driver: act(driver.panels[number]))

        what = f"the driver of the panels on {', '.join(map(_wire_name, openers))}"
        ward = self._wards.watch(what, build, devices=[(number, Device.PANEL) for number in hung], has_come=has_come)
        self._opened.append(ward)
        self.panels |= {number: KeptPanel(partial(ask, number)) for number in hung}


def _bus(panel: Panel | SpiPanel) -> "BusName":
    return Select(panel.spi, panel.select) if isinstance(panel, SpiPanel) else panel.bus


def _wire_name(bus: "BusName") -> str:
    return str(bus) if isinstance(bus, Select) else f"I2C bus {bus}"
