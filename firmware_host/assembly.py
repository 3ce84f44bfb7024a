"""From a layout to drivers: the one place that knows which driver serves which furniture.

Whether the wires are real or emulated, the drivers are the same; only where they hang differs. A driver is loaded for
the first seat that has its device: a table of boards starts without gpiozero, luma.oled and the threads they bring.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Protocol, Self
from unicodedata import normalize

from drivers.messages import Button, Message, Post
from drivers.spi_port import Select
from firmware_host.glass import Showing
from firmware_host.heard import Told
from firmware_host.screens.words import Words
from firmware_host.stand_ins import device_of
from firmware_host.table.seat_view import SeatInfo
from firmware_host.tongues import tongue
from firmware_host.wires import Wires, open_panel
from hardware.layout import Layout, Seat, SerialDevice, SpiPanel

if TYPE_CHECKING:
    from drivers.panel import PanelWire
    from drivers.panel_owner import BusName, Openers
    from drivers.serial_line import Port, SerialLine
    from drivers.serial_link import SerialLink

NOTHING_HEARD: Mapping[str, int] = MappingProxyType({})


class Driver(Protocol):
    """What all drivers have in common."""

    def close(self) -> None:
        """Give the wires back."""


class Devices:
    """The open drivers of a table: `panels` by seat, and the way back to the cups that number their events.

    `heard` is the last event of each device that an earlier daemon made durable, as `told` names them.
    """

    def __init__(
        self,
        layout: Layout,
        wires: Wires,
        *,
        loop: asyncio.AbstractEventLoop,
        post: Post,
        heard: Mapping[str, int] = NOTHING_HEARD,
    ) -> None:
        self._wires = wires
        self._heard = heard
        self._loop = loop
        self._post = post
        self._drivers: list[Driver] = []
        self._links: dict[int, SerialLink] = {}  # by seat
        self._ids: dict[int, str] = {}  # of their cups and boards; behind a dongle with the address
        self._dongles: dict[str, SerialLine] = {}
        self._panel_wires: dict[BusName, PanelWire] = {}
        for buses in layout.panel_wires():
            self._wire({number: partial(wires.open_bus, number) for number in buses})
        for panels in layout.spi_panels().values():
            self._wire({Select(panel.spi, panel.select): partial(open_panel, wires, panel) for panel in panels})
        self.panels: Sequence[Showing] = [self._seat(number, seat) for number, seat in enumerate(layout.seats)]

    def told(self, message: Message) -> Told | None:
        """Which event of which device a message is, None if no device tells it again.

        Devices are known by their ids, wherever they are: what stands in for another has a past of its own.
        """
        event = getattr(message, "event", None)
        if event is None or not self._links[message.seat].tells_again(event):
            return None
        return Told(self._ids[message.seat].casefold(), event)

    def durable(self, message: Message) -> None:
        """A message is on disk: let the cup that sent it forget it."""
        event = getattr(message, "event", None)
        if event is not None:
            self._links[message.seat].acknowledge(event)

    def draw(self, seat: int, deal: bytes) -> None:
        """Have a cup bind itself for a deal, whenever it is there; `Drawn` follows. A cup without a program can't."""
        if seat in self._links:
            self._links[seat].draw(deal)

    def open_deal(self, seat: int, deal: bytes, head: bytes) -> None:
        """Have a cup open what it was bound to; `Opened` follows."""
        if seat in self._links:
            self._links[seat].open_deal(deal, head)

    def assign(self, seat: int, identity: str, after: int) -> None:
        """Have another cup or board at a seat; what it said up to event `after` has been heard."""
        self._ids[seat] = identity
        self._links[seat].become(identity, after)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Close every driver, whatever befalls another; panels are dark when this returns, as far as they answer."""
        async with AsyncExitStack() as closing:
            for wire in set(self._panel_wires.values()):
                closing.push_async_callback(wire.wait_closed)
            for driver in reversed(self._drivers):
                closing.callback(driver.close)

    def _wire(self, openers: "Openers") -> None:
        """One owner for all buses that share a physical wire."""
        from drivers.panel import PanelWire

        wire = PanelWire(openers, loop=self._loop, post=self._post)
        self._drivers.append(wire)
        self._panel_wires |= dict.fromkeys(openers, wire)

    def _seat(self, number: int, seat: Seat) -> Showing:
        if seat.board is not None:
            return self._board(number, seat.board)
        from drivers.buttons import Buttons

        assert seat.buttons is not None
        assert seat.panel is not None
        pins = {Button(name): pin for name, pin in seat.buttons.items()}
        self._drivers.append(Buttons(number, pins, factory=self._wires.factory, loop=self._loop, post=self._post))
        self._cup(number, seat)
        panel = seat.panel
        bus = Select(panel.spi, panel.select) if isinstance(panel, SpiPanel) else panel.bus
        address = 0 if isinstance(panel, SpiPanel) else panel.address
        return self._panel_wires[bus].panel(number, bus, address, panel.chip, rotate=panel.rotate)

    def _board(self, number: int, board: SerialDevice) -> Showing:
        from drivers.seat_board import SeatBoard

        opener, after = self._opener(number), self._after(number, board.id)
        driver = SeatBoard(number, opener, loop=self._loop, post=self._post, identity=board.id, after=after)
        self._drivers.append(driver)
        self._links[number] = driver
        return driver

    def _after(self, number: int, identity: str) -> int:
        """The last event of the device at a seat that is durable."""
        self._ids[number] = identity
        return self._heard.get(identity.casefold(), 0)

    def _opener(self, number: int) -> "Callable[[], Port]":
        """Opens the port of the device that is the seat's by then."""
        return lambda: self._wires.open_port(self._ids[number])

    def _cup(self, number: int, seat: Seat) -> None:
        if isinstance(seat.cup, SerialDevice):
            self._serial_cup(number, seat.cup)
        elif seat.cup is not None:
            from drivers.tilt_cup import TiltCup

            pin = seat.cup.pin
            self._drivers.append(TiltCup(number, pin, factory=self._wires.factory, loop=self._loop, post=self._post))

    def _serial_cup(self, number: int, device: SerialDevice) -> None:
        from drivers.serial_cup import SerialCup

        cup = SerialCup(
            number,
            self._dongle(device.id) if device.address else self._opener(number),
            loop=self._loop,
            post=self._post,
            identity=None if device.address else device.id,
            address=device.address,
            after=self._after(number, f"{device.id}/{device.address}" if device.address else device.id),
        )
        self._links[number] = cup
        self._drivers.append(cup)

    def _dongle(self, serial_id: str) -> "SerialLine":
        """The line of all cups behind a dongle."""
        from drivers.serial_line import SerialLine

        key = serial_id.casefold()
        if key not in self._dongles:
            self._dongles[key] = SerialLine(partial(self._wires.open_port, serial_id), loop=self._loop)
        return self._dongles[key]


def seat_infos(layout: Layout) -> tuple[SeatInfo, ...]:
    """The furniture as the table knows it; panels have letters with their accents, not accents apart."""
    return tuple(_seat_info(seat, is_service=number == layout.service_seat) for number, seat in enumerate(layout.seats))


def _seat_info(seat: Seat, *, is_service: bool) -> SeatInfo:
    return SeatInfo(
        normalize("NFC", seat.name),
        seat.color,
        has_dudo_button(seat),
        commits=seat.board is not None or isinstance(seat.cup, SerialDevice),
        takes_new_cup=seat.cup is not None and device_of(seat) is seat.cup,
        is_service=is_service,
    )


def words_of(layout: Layout) -> tuple[Words, ...]:
    """What each seat's panel speaks with, in the language of the seat. Raises `TongueError`."""
    return tuple(Words(tongue(language)) for language in layout.languages())


def has_dudo_button(seat: Seat) -> bool:
    """Whether a seat can say dudo with a button of its own; boards have all four."""
    return seat.buttons is None or Button.DUDO in seat.buttons
