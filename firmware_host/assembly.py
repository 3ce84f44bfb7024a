"""From a layout to drivers: the one place that knows which driver serves which furniture.

Whether the wires are real or emulated, the drivers are the same; only where they hang differs. A driver is loaded for
the first seat that has its device: a table of boards starts without gpiozero, luma.oled and the threads they bring.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, Self, cast

from drivers.messages import Button, Device, Message, Opened, Post
from drivers.spi_port import Select
from firmware_host.glass import Showing
from firmware_host.heard import Told
from firmware_host.supervision.kept_panels import KeptPanel, WiredPanels
from firmware_host.supervision.mishaps import Mishaps
from firmware_host.supervision.supervision import Build, Ward
from firmware_host.wires import Wires, open_panel
from hardware.layout import Layout, Panel, Seat, SerialDevice, SpiPanel

if TYPE_CHECKING:
    from drivers.panel_owner import BusName, Openers
    from drivers.seat_board import SeatBoard
    from drivers.serial_line import Port, SerialLine
    from drivers.serial_link import SerialLink

NOTHING_HEARD: Mapping[str, int] = MappingProxyType({})


class Devices:
    """The open drivers of a table: `panels` by seat, and the way back to the cups that number their events.

    `heard` is the last event of each device that an earlier daemon made durable, as `told` names them. Each driver is
    watched over: one that fails is closed and made anew, and `ailing`, if set, is told which fail over and over.
    """

    def __init__(
        self,
        layout: Layout,
        wires: Wires,
        *,
        loop: asyncio.AbstractEventLoop,
        post: Post,
        heard: Mapping[str, int] = NOTHING_HEARD,
        mishaps: Mishaps | None = None,
    ) -> None:
        self._wires = wires
        self._heard = {**heard}
        self._loop = loop
        self._post = post
        self._mishaps = mishaps or Mishaps()
        self._names = [seat.name for seat in layout.seats]
        self._wards: list[Ward[Any]] = []
        self._links: dict[int, Ward[Any]] = {}  # by seat
        self._ids: dict[int, str] = {}  # of their cups and boards; behind a dongle with the address
        self._told: dict[int, int] = {}  # the last event that each has told
        self._asked: dict[int, Callable[[SerialLink], None]] = {}  # of each, last
        self._dongles: dict[str, Dongle] = {}
        self._panel_wires: dict[BusName, Ward[WiredPanels]] = {}
        self._ails: dict[str, None] = {}
        self.ailing: Callable[[Sequence[str]], None] = lambda names: None
        """Told the names of the drivers that fail over and over whenever these are others: to be set by who cares."""
        self.panels: Sequence[KeptPanel] = [
            KeptPanel(partial(self._on_panel, seat)) for seat in range(len(self._names))
        ]
        for buses in layout.panel_wires():
            self._wire(layout, {number: partial(wires.open_bus, number) for number in buses})
        for panels in layout.spi_panels().values():
            self._wire(layout, {Select(panel.spi, panel.select): partial(open_panel, wires, panel) for panel in panels})
        self._on_wire = {
            number: self._panel_wires[_bus(seat.panel)] for number, seat in enumerate(layout.seats) if seat.panel
        }
        for number, seat in enumerate(layout.seats):
            self._seat(number, seat)

    def told(self, message: Message) -> Told | None:
        """Which event of which device a message is, None if no device tells it again.

        Devices are known by their ids, wherever they are: what stands in for another has a past of its own.
        """
        event = getattr(message, "event", None)
        if event is None or not self._links[message.seat].ask_latest(lambda link: link.tells_again(event)):
            return None
        return Told(self._ids[message.seat].casefold(), event)

    def durable(self, message: Message) -> None:
        """A message is on disk: let the cup that sent it forget it."""
        event = getattr(message, "event", None)
        if event is not None:
            self._links[message.seat].ask_latest(lambda link: link.acknowledge(event))

    def draw(self, seat: int, deal: bytes) -> None:
        """Have a cup bind itself for a deal, whenever it is there; `Drawn` follows. A cup without a program can't."""
        self._ask(seat, lambda link: link.draw(deal))

    def open_deal(self, seat: int, deal: bytes, head: bytes) -> None:
        """Have a cup open what it was bound to; `Opened` follows."""
        self._ask(seat, lambda link: link.open_deal(deal, head))

    def assign(self, seat: int, identity: str, after: int) -> None:
        """Have another cup or board at a seat; what it said up to event `after` has been heard."""
        self._ids[seat] = identity
        self._heard[identity.casefold()] = after
        self._told[seat] = after
        self._links[seat].ask(lambda link: link.become(identity, after))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Close every driver, whatever befalls another; panels are dark when this returns, as far as they answer."""
        wires = [ward.driver.wire for ward in set(self._panel_wires.values()) if ward.driver is not None]
        async with AsyncExitStack() as closing:
            for wire in wires:
                closing.push_async_callback(wire.wait_closed)
            for ward in reversed(self._wards):
                closing.callback(ward.close)

    # Drivers and who watches over them

    def _ward(self, what: str, build: Build[Any], devices: Iterable[tuple[int, Device]], **more: Any) -> Ward[Any]:
        ward = Ward(
            what,
            build,
            devices=devices,
            loop=self._loop,
            post=self._post,
            mishaps=self._mishaps,
            ailing=self._ailed,
            **more,
        )
        self._wards.append(ward)
        return ward

    def _ailed(self, what: str, ails: bool) -> None:
        if ails:
            self._ails[what] = None
        else:
            self._ails.pop(what, None)
        self.ailing([*self._ails])

    def _named(self, what: str, seat: int) -> str:
        return f"the driver of {self._names[seat]}'s {what}"

    def _wire(self, layout: Layout, openers: "Openers") -> None:
        """One owner for all buses that share a physical wire."""
        from drivers.panel import PanelWire

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

        devices = [(number, Device.PANEL) for number in hung]
        what = f"the driver of the panels on {', '.join(map(_wire_name, openers))}"
        ward = self._ward(what, build, devices, has_come=has_come)
        self._panel_wires |= dict.fromkeys(openers, ward)

    def _on_panel(self, seat: int, act: Callable[[Showing], None]) -> None:
        if seat in self._on_wire:
            self._on_wire[seat].ask(lambda driver: act(driver.panels[seat]))
        else:
            self._links[seat].ask(act)

    def _seat(self, number: int, seat: Seat) -> None:
        if seat.board is not None:
            self._board(number, seat.board)
            return
        from drivers.buttons import Buttons

        assert seat.buttons is not None
        pins = {Button(name): pin for name, pin in seat.buttons.items()}
        self._ward(
            self._named("buttons", number),
            lambda loop, post: Buttons(number, pins, factory=self._wires.factory, loop=loop, post=post),
            [(number, Device.BUTTONS)],
            silent=True,
        )
        self._cup(number, seat)

    def _board(self, number: int, board: SerialDevice) -> None:
        from drivers.seat_board import SeatBoard

        def build(loop: asyncio.AbstractEventLoop, post: Post) -> SeatBoard:
            opener, identity = self._opener(number), self._ids[number]
            after = self._heard.get(identity.casefold(), 0)
            return SeatBoard(number, opener, loop=loop, post=self._noting(post), identity=identity, after=after)

        self._link(number, board.id, build, Device.BOARD)

    def _cup(self, number: int, seat: Seat) -> None:
        if isinstance(seat.cup, SerialDevice):
            self._serial_cup(number, seat.cup)
        elif seat.cup is not None:
            from drivers.tilt_cup import TiltCup

            pin = seat.cup.pin
            self._ward(
                self._named("cup", number),
                lambda loop, post: TiltCup(number, pin, factory=self._wires.factory, loop=loop, post=post),
                [(number, Device.CUP)],
                silent=True,
            )

    def _serial_cup(self, number: int, device: SerialDevice) -> None:
        from drivers.serial_cup import SerialCup

        dongle = self._dongle(device.id) if device.address else None

        def build(loop: asyncio.AbstractEventLoop, post: Post) -> SerialCup:
            return SerialCup(
                number,
                dongle.line() if dongle else self._opener(number),
                loop=loop,
                post=self._noting(post),
                identity=None if dongle else self._ids[number],
                address=device.address,
                after=self._heard.get(self._ids[number].casefold(), 0),
            )

        ward = self._link(number, f"{device.id}/{device.address}" if dongle else device.id, build, Device.CUP)
        if dongle:
            dongle.cups.append(ward)

    # What has a program of its own

    def _link(self, number: int, identity: str, build: Build[Any], device: Device) -> Ward[Any]:
        self._ids[number] = identity
        has_come = partial(self._carry_on, number)
        ward = self._ward(self._named(device, number), build, [(number, device)], has_come=has_come)
        self._links[number] = ward
        return ward

    def _carry_on(self, number: int, link: "SerialLink") -> None:
        """Teach a driver what its predecessor knew: of the cup's events, what the cup was asked, what was shown."""
        before = self._links[number].predecessor
        if before is not None and before.identity == link.identity:
            link.carry_on(before, self._told.get(number, 0))
        if number in self._asked:
            self._asked[number](link)
        if link.DEVICE is Device.BOARD:
            self.panels[number].show_again(cast("SeatBoard", link))

    def _noting(self, post: Post) -> Post:
        """`post`, and a note of what a driver that takes this one's place must know."""

        def note(message: Message) -> None:
            if (event := getattr(message, "event", None)) is not None:
                self._told[message.seat] = event
            elif isinstance(message, Opened):
                self._asked.pop(message.seat, None)
            post(message)

        return note

    def _ask(self, seat: int, act: "Callable[[SerialLink], None]") -> None:
        if seat in self._links:
            self._asked[seat] = act
            self._links[seat].ask(act)

    def _opener(self, number: int) -> "Callable[[], Port]":
        """Opens the port of the device that is the seat's by then."""
        return lambda: self._wires.open_port(self._ids[number])

    def _dongle(self, serial_id: str) -> "Dongle":
        """The line of all cups behind a dongle."""
        from drivers.serial_line import SerialLine

        key = serial_id.casefold()
        if key not in self._dongles:
            dongle = self._dongles[key] = Dongle()

            def build(loop: asyncio.AbstractEventLoop, post: Post) -> SerialLine:
                dongle.let_go()
                return SerialLine(partial(self._wires.open_port, serial_id), loop=loop)

            dongle.ward = self._ward(f"the driver of the dongle {serial_id}", build, [])
        return self._dongles[key]


class Dongle:
    """The line that several cups share, and who watches over them: with a new line they are made anew."""

    def __init__(self) -> None:
        self.ward: Ward[SerialLine] | None = None
        self.cups: list[Ward[Any]] = []

    def line(self) -> "SerialLine":
        """The line; ConnectionError while there is none."""
        line = None if self.ward is None else self.ward.driver
        if line is None:
            raise ConnectionError("the dongle's driver is being made anew")
        return line

    def let_go(self) -> None:
        """Have the cups come over to another line."""
        for cup in self.cups:
            cup.fail(ConnectionError("the dongle's driver has failed"))


def _bus(panel: Panel | SpiPanel) -> "BusName":
    return Select(panel.spi, panel.select) if isinstance(panel, SpiPanel) else panel.bus


def _wire_name(bus: "BusName") -> str:
    return str(bus) if isinstance(bus, Select) else f"I2C bus {bus}"
