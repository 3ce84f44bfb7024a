"""An emulated table: an emulated device on every wire in a layout, and hands at its seats.
`play` and the tests give its `factory`, `open_bus` and `open_port` to the drivers where a real table has lgpio, smbus2
and pyserial, and then operate its seats as people would.
"""

import asyncio
import errno
import os
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, Self

import serial

from hardware.chips import RECOMMENDED
from hardware.config.layout import PHONE, I2cDisplay, Layout, LayoutSeat, SerialDevice, SpiDisplay, TiltSwitch
from hardware.config.layout_schema import BOARD_KEY
from hardware.emulated.cables import EmulatedDisplay, PanelCable, PinCable
from hardware.emulated.chips.i2c import EmulatedBus, EmulatedSMBus
from hardware.emulated.chips.spi import EmulatedSpiBus, EmulatedSpiDevice
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.cup_process import CupProcess
from hardware.emulated.flash import flash_with
from hardware.emulated.hand import EmulatedHand
from hardware.emulated.line import EmulatedLine, EmulatedPort
from hardware.emulated.pace import PICO, Pace
from hardware.emulated.seat import EmulatedSeat
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig

if TYPE_CHECKING:
    from hardware.emulated.chips.pins import EmulatedFactory

__all__ = ["EmulatedSeat", "EmulatedTable"]

AnyCup = EmulatedCup | CupProcess

BOARD_BUTTONS = ("left", "right", "ok", "dudo")


class AnyPort(Protocol):
    """A serial device at an emulated table: a cup, a board, a dongle, or an unrelated one such as a printer."""

    plugged: int  # how often it was plugged in

    @property
    def is_plugged(self) -> bool:
        """Whether it is now."""

    def open(self) -> "EmulatedPort | serial.Serial":
        """Open its port. Raises OSError."""

    def close(self) -> None:
        """Take it off the loop."""


class EmulatedTable:
    """The devices on a layout's wires, on `loop`. The same `seed` repeats contact bounces and board boots.
    On a `VirtualLoop` the wires take virtual time, on any other real time; cups and boards may then be processes on
    terminals: `cups=CupProcess`. Tests observe the I2C `buses` and make them fail; they observe the `spi_buses`, which
    never fail. `image` is the program on each emulated cup and board; without one they tell no release. `pace` is the
    speed of those in this process. A seat for a phone has a board of its own, or is a phone elsewhere that `open_phone`
    opens by its number.
    """

    def __init__(
        self,
        layout: Layout,
        loop: asyncio.AbstractEventLoop,
        *,
        seed: int,
        cups: type[EmulatedCup] | type[CupProcess] = EmulatedCup,
        image: bytes | None = None,
        pace: Pace = PICO,
        open_phone: Callable[[int], Any] | None = None,
    ) -> None:
        self._loop = loop
        self._open_phone = open_phone
        self._seed = seed
        self._make_cup = cups
        self._image = image
        self._pace = pace
        elapse = loop.elapse if isinstance(loop, VirtualLoop) else time.sleep
        numbers = sorted({seat.display.bus for seat in layout.seats if isinstance(seat.display, I2cDisplay)})
        self.buses: Mapping[int, EmulatedBus] = {number: EmulatedBus(number, elapse=elapse) for number in numbers}
        self.spi_buses: Mapping[int, EmulatedSpiBus] = {
            number: EmulatedSpiBus(number, elapse=elapse) for number in layout.spi_displays()
        }
        self.ports: dict[str, AnyPort] = {}
        """The devices that are, or could be, plugged in, by their ids."""
        self._identities = [seat.phone or (seat.board and seat.board.id) or "" for seat in layout.seats]
        self._replaced: dict[str, Callable[[], Any]] = {}
        self._radio_cups: list[EmulatedCup] = []
        self._hands: list[EmulatedHand] = []
        self._key_at = layout.seats[layout.service_seat].name if layout.service_key == BOARD_KEY else ""
        self.seats = tuple(map(self._seat, layout.seats))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    @cached_property
    def factory(self) -> "EmulatedFactory":
        """The pins, made on demand: a table with boards alone never makes them."""
        from hardware.emulated.chips.pins import EmulatedFactory

        return EmulatedFactory(self._loop)

    def open_bus(self, number: int) -> EmulatedSMBus:
        """Open an I2C bus by its number. FileNotFoundError for one outside the layout."""
        if number not in self.buses:
            raise _missing(f"/dev/i2c-{number}")
        return self.buses[number].open()

    def open_spi(self, number: int, select: int) -> EmulatedSpiDevice:
        """Open a chip select on an SPI bus. FileNotFoundError for one outside the layout."""
        if number not in self.spi_buses:
            raise _missing(f"/dev/spidev{number}.{select}")
        return self.spi_buses[number].open(select)

    def open_port(self, serial_id: str) -> "EmulatedPort | serial.Serial":
        """Open the port of a cup or board. FileNotFoundError for an unknown or unplugged one."""
        if serial_id in self._replaced:
            return self._replaced[serial_id]()
        if self._open_phone is not None and serial_id.startswith(PHONE):
            return self._open_phone(int(serial_id.removeprefix(PHONE)))
        if serial_id not in self.ports:
            raise _missing(serial_id)
        return self.ports[serial_id].open()

    def replace_board(self, number: int, open_port: Callable[[], Any] | None) -> None:
        """Have another device at a seat in place of its board, as `open_port` opens it; None: its board again."""
        if open_port is None:
            del self._replaced[self._identities[number]]
            self.seats[number].plug("board")
        else:
            self._replaced[self._identities[number]] = open_port
            self.seats[number].unplug("board")

    def plugged_in(self) -> tuple[tuple[str, int], ...]:
        """Return the ids of the plugged-in cups and boards, each with its number of plug-ins so far."""
        return tuple((name, port.plugged) for name, port in self.ports.items() if port.is_plugged)

    def bring(self, fitted: DeviceConfig) -> AnyCup:
        """Plug in a cup or board."""
        cup: AnyCup
        if self._make_cup is CupProcess:
            cup = CupProcess(fitted, self._loop, seed=self._seed)
        else:
            flash = flash_with(self._image, is_atomic=True) if self._image is not None else None
            cup = EmulatedCup(fitted, self._loop, seed=self._seed, flash=flash, pace=self._pace)
        self.ports[fitted.identity] = cup
        return cup

    def lay(self, name: str, port: AnyPort) -> None:
        """Plug an arbitrary serial device into a socket under this name."""
        self.ports[name] = port

    def close(self) -> None:
        """Stop every hand and remove the cups from the loop."""
        for hand in self._hands:
            hand.let_go()
        for port in (*self._radio_cups, *self.ports.values()):
            port.close()

    def _seat(self, seat: LayoutSeat) -> EmulatedSeat:
        if seat.phone and self._open_phone is not None:
            return self._phone(seat)
        identity = seat.phone or (seat.board and seat.board.id)  # a phone is a board at an emulated table
        return self._board(seat, identity) if identity else self._wired(seat)

    def _phone(self, seat: LayoutSeat) -> EmulatedSeat:
        """Return a seat without a device here."""
        hand = EmulatedHand(self._loop, self._rng(seat, "phone"), lambda line, closed: None)
        dark = EmulatedDisplay(None, self._rng(seat, "panel"))
        return EmulatedSeat(seat.name, self._loop, buttons=(), fingers=hand, cup_hand=hand, display=dark, cables={})

    def _board(self, seat: LayoutSeat, identity: str) -> EmulatedSeat:
        has_key = seat.name == self._key_at
        fitted = DeviceConfig(identity, buttons=BOARD_BUTTONS, panel=RECOMMENDED, light=True, key=has_key)
        board = self.bring(fitted)
        hand, cables = board.hand, {"board": board}
        return EmulatedSeat(
            seat.name,
            self._loop,
            buttons=BOARD_BUTTONS,
            fingers=hand,
            cup_hand=hand,
            display=board,
            cables=cables,
            has_key=has_key,
        )

    def _wired(self, seat: LayoutSeat) -> EmulatedSeat:
        assert seat.buttons is not None
        assert seat.display is not None
        assert seat.cup is not None
        buttons = self._on_pins(seat, "buttons", seat.buttons)
        panel = self._panel(seat.display, self._rng(seat, "panel"))
        cup: PinCable | AnyCup
        if isinstance(seat.cup, TiltSwitch):
            cup = self._on_pins(seat, "cup", {"tilt": seat.cup.pin})
        else:
            cup = self._serial_cup(seat.cup)
        return EmulatedSeat(
            seat.name,
            self._loop,
            buttons=tuple(seat.buttons),
            fingers=buttons.hand,
            cup_hand=cup.hand,
            display=panel,
            cables={"buttons": buttons, "cup": cup, "panel": panel},
        )

    def _panel(self, panel: I2cDisplay | SpiDisplay, rng: Random) -> PanelCable:
        if isinstance(panel, I2cDisplay):
            return PanelCable(panel, self.buses[panel.bus], panel.address, rng)
        bus = self.spi_buses[panel.spi]
        bus.wire(panel.select, self.factory.pin(panel.dc), self.factory.pin(panel.reset))
        return PanelCable(panel, bus, panel.select, rng)

    def _on_pins(self, seat: LayoutSeat, device: str, lines: Mapping[str, int]) -> PinCable:
        cable = PinCable(lines, lambda number: self.factory.pin(number), self._loop, self._rng(seat, device))
        self._hands.append(cable.hand)
        return cable

    def _serial_cup(self, device: SerialDevice) -> AnyCup:
        if not device.address:
            return self.bring(DeviceConfig(device.id))
        dongle = self.ports.setdefault(device.id, EmulatedLine(device.id, self._loop))
        assert isinstance(dongle, EmulatedLine)
        fitted = DeviceConfig(f"{device.id}-{device.address}", device.address)
        cup = EmulatedCup(fitted, self._loop, seed=self._seed, line=dongle, pace=self._pace)
        self._radio_cups.append(cup)
        return cup

    def _rng(self, seat: LayoutSeat, device: str) -> Random:
        return Random(f"{self._seed}/{seat.name}/{device}")


def _missing(name: str) -> FileNotFoundError:
    return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
