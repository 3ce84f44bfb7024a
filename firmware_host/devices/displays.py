"""A layout's displays: a proxy for each, outliving its driver, and one driver for each physical bus."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from PIL import Image

from drivers.display.spi import Select
from drivers.messages import Brightness, Device, Post
from firmware_host.devices.host_io.ports import Ports, open_spi_display
from firmware_host.devices.supervision.scoped_loop import FAILURES
from firmware_host.devices.supervision.supervisor import DriverSupervisor, SupervisedDriver
from firmware_host.wire import Seat, enumerate_seats
from hardware.config.layout import I2cDisplay, Layout, SpiDisplay

if TYPE_CHECKING:
    from drivers.display.bus import DisplayBus
    from drivers.display.bus_worker import BusName, Openers


class DisplayDriver(Protocol):
    """A display, however it is wired."""

    def show(
        self,
        image: Image.Image,
        *,
        first: bool = False,
        dice: Sequence[tuple[int, int, int, int]] = (),
        lamp: bool = False,
    ) -> None:
        """Replace the picture; return at once. `first` overtakes other displays; dice stand in the boxes `dice` alone.

        `lamp` is a seat board's lamp: the table waits for this seat.
        """

    def set_brightness(self, brightness: Brightness) -> None:
        """Set the brightness."""


class DisplayProxy:
    """One seat's display as known to its `SeatDisplay`, whichever driver serves it.

    The latest picture is kept, so a restarted driver shows its predecessor's. `speaks` is whether the device wants its
    display in words.
    """

    def __init__(self, driver: SupervisedDriver[Any], display: DisplayDriver | None, *, speaks: bool = False) -> None:
        self.speaks = speaks
        self._driver = driver
        self._display = display
        self._picture: tuple[Image.Image, Sequence[tuple[int, int, int, int]], bool] | None = None
        self._brightness: Brightness | None = None
        self._words: tuple[str, bool] | None = None

    def __repr__(self) -> str:
        return f"<DisplayProxy, {self._brightness or 'not lit yet'}>"  # dice may be on it

    def show(
        self,
        image: Image.Image,
        *,
        first: bool = False,
        dice: Sequence[tuple[int, int, int, int]] = (),
        lamp: bool = False,
    ) -> None:
        """Replace the picture, see `DisplayDriver`. An exception fails the driver, not the caller."""
        self._picture = image, dice, lamp
        self._call(lambda display: display.show(image, first=first, dice=dice, lamp=lamp))

    def set_brightness(self, brightness: Brightness) -> None:
        """Set the brightness. An exception fails the driver, not the caller."""
        self._brightness = brightness
        self._call(lambda display: display.set_brightness(brightness))

    def say(self, text: str, *, dice: bool) -> None:
        """Replace a phone's words, see `PhoneBoard`. An exception fails the driver, not the caller."""
        self._words = text, dice
        self._call(lambda phone: phone.say(text, dice=dice))

    def _call(self, act: Callable[[Any], None]) -> None:
        if self._driver.driver is not None and self._display is not None:
            try:
                act(self._display)
            except FAILURES as error:
                self._driver.fail(error)

    def replay(self, display: Any) -> None:
        """Take over a restarted driver's display, and show it the latest picture."""
        self._display = display
        if self._brightness is not None:
            display.set_brightness(self._brightness)
        if self._picture is not None:
            image, dice, lamp = self._picture
            display.show(image, dice=dice, lamp=lamp)
        if self._words is not None:
            text, has_dice = self._words
            display.say(text, dice=has_dice)


class DisplayBuses:
    """A layout's I2C and SPI buses. `displays` are their displays' proxies, by seat."""

    def __init__(self, layout: Layout, ports: Ports, supervisor: DriverSupervisor) -> None:
        self.displays: dict[Seat, DisplayProxy] = {}
        self._supervisor = supervisor
        self._buses: list[SupervisedDriver[DisplayBus]] = []
        for numbers in layout.display_wires():
            self._open(layout, {number: partial(ports.open_bus, number) for number in numbers})
        for panels in layout.spi_displays().values():
            self._open(
                layout, {Select(panel.spi, panel.select): partial(open_spi_display, ports, panel) for panel in panels}
            )

    def drivers(self) -> "Iterable[DisplayBus]":
        """Return the working drivers, for callers to wait for their closing."""
        return [bus.driver for bus in self._buses if bus.driver is not None]

    def _open(self, layout: Layout, openers: "Openers") -> None:
        """Build one driver for all buses sharing a physical wire."""
        from drivers.display.bus import DisplayBus

        panels = {
            seat: wanted.display
            for seat, wanted in enumerate_seats(layout.seats)
            if wanted.display and _bus(wanted.display) in openers
        }

        def build(loop: asyncio.AbstractEventLoop, post: Post) -> DisplayBus:
            bus = DisplayBus(openers, loop=loop, post=post)
            for seat, panel in panels.items():
                address = 0 if isinstance(panel, SpiDisplay) else panel.address
                bus.add(seat, _bus(panel), address, panel.chip, rotate=panel.rotate)
            return bus

        def replay(bus: DisplayBus) -> None:
            for display in bus.displays:
                display.lost = True  # until it answers
                self.displays[Seat(display.seat)].replay(display)

        name = f"the driver of the displays on {', '.join(map(_describe, openers))}"
        devices = [(seat, Device.PANEL) for seat in panels]
        bus = self._supervisor.supervise(build, devices=devices, name=name, on_restarted=replay)
        self._buses.append(bus)
        opened = {display.seat: display for display in bus.driver.displays} if bus.driver else {}
        self.displays |= {seat: DisplayProxy(bus, opened.get(seat)) for seat in panels}


def _bus(panel: I2cDisplay | SpiDisplay) -> "BusName":
    return Select(panel.spi, panel.select) if isinstance(panel, SpiDisplay) else panel.bus


def _describe(bus: "BusName") -> str:
    return str(bus) if isinstance(bus, Select) else f"I2C bus {bus}"
