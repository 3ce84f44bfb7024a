"""The emulated wires of a layout with counters: bytes by seat, and the CPU of the far end of a bus."""

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial

import gpiozero
from smbus2 import i2c_msg

from bench.tools.counted_links import TappedPort
from bench.tools.display_watch import DisplayWatch, Sent
from drivers.display.bus_worker import I2cBus
from drivers.link.port import Port
from hardware.config.layout import I2cDisplay, Layout, SerialDevice
from hardware.emulated.chips.controllers import Controller
from hardware.emulated.chips.spi import EmulatedSpiDevice
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.table import EmulatedTable
from hardware.firmware.device_config import DeviceConfig
from hardware.link import messages as link
from hardware.link.framing import FramingError, Parser, unframe


class WatchedWires:
    """The ports of a table for `Devices`; `watches` are told of every byte."""

    def __init__(self, layout: Layout, loop: asyncio.AbstractEventLoop, *, seed: int) -> None:
        self._boards: dict[str, EmulatedCup] = {}
        self._parsers: dict[str, Parser] = {}
        self.watches: list[DisplayWatch] = []
        self.far_end_ns = 0
        self.table = EmulatedTable(layout, loop, seed=seed, cups=self._watched_cup())
        self._seats = {device.id: number for number, seat in enumerate(layout.seats) if (device := _serial(seat))}
        self._panels = {
            (seat.display.bus, seat.display.address): number
            for number, seat in enumerate(layout.seats)
            if isinstance(seat.display, I2cDisplay)
        }
        for number, bus in self.table.buses.items():
            bus.listen = self._listener(number)

    @property
    def factory(self) -> gpiozero.Factory:
        """The emulated pins."""
        return self.table.factory

    def open_bus(self, number: int) -> I2cBus:
        """Open an emulated bus whose far end is timed."""
        return _TimedBus(self.table.open_bus(number), self)

    def open_spi(self, number: int, select: int) -> EmulatedSpiDevice:
        """Open an emulated chip select; SPI is not counted."""
        return self.table.open_spi(number, select)

    def open_port(self, serial_id: str) -> Port:
        """Open a counted emulated port."""
        port = self.table.open_port(serial_id)
        return TappedPort(port, heard=partial(self._count_heard, serial_id), sent=partial(self._count_sent, serial_id))

    def plugged_in(self) -> Sequence[tuple[str, int]]:
        """Return what is plugged in."""
        return self.table.plugged_in()

    def memory_of(self, layout: Layout, seat: int) -> Callable[[], Controller | None]:
        """Return a function that returns the controller of a seat's display, None while it is unplugged."""
        furniture = layout.seats[seat]
        if furniture.board is not None:
            board = self._boards[furniture.board.id]
            return lambda: board.panel
        assert isinstance(furniture.display, I2cDisplay)
        bus, address = self.table.buses[furniture.display.bus], furniture.display.address
        return lambda: bus.panel(address)

    def _sent(self, serial_id: str) -> Sent:
        seat = self._seats[serial_id]
        return self.watches[seat].sent if self.watches else Sent()

    def _count_heard(self, serial_id: str, data: bytes) -> None:
        self._sent(serial_id).heard_bytes += len(data)
        for body in self._parsers.setdefault(serial_id, Parser()).feed(data):
            message = link.from_body(body)[1]
            if isinstance(message, link.PictureAck) and self.watches:
                self.watches[self._seats[serial_id]].picture_answered(message)

    def _count_sent(self, serial_id: str, data: bytes, written: int) -> None:
        sent = self._sent(serial_id)
        sent.link_bytes += len(data)
        for piece in data.split(b"\0"):
            picture = _picture_in(piece)
            if picture is not None:
                sent.picture_frames += 1
                sent.picture_bytes += len(piece) + 1
                if self.watches:
                    self.watches[self._seats[serial_id]].picture_sent(picture)

    def _listener(self, number: int) -> Callable[[int, bytes], None]:
        def listen(address: int, payload: bytes) -> None:
            self._arrived(self._panels[number, address], payload)

        return listen

    def _arrived(self, seat: int, payload: bytes) -> None:
        if self.watches:
            watch = self.watches[seat]
            watch.sent.transfers += 1
            watch.sent.i2c_bytes += 1 + len(payload)
            watch.written()

    def _watched_cup(self) -> type[EmulatedCup]:
        wires = self

        class WatchedCup(EmulatedCup):
            def __init__(self, fitted: DeviceConfig, loop: asyncio.AbstractEventLoop, *, seed: int) -> None:
                wires._boards[fitted.identity] = self
                super().__init__(fitted, loop, seed=seed)

            def _write_panel(self, data: bytes) -> None:
                super()._write_panel(data)
                if wires.watches:
                    wires._arrived(wires._seats[self.fitted.identity], data)

        return WatchedCup


class _TimedBus:
    """An emulated bus; the CPU of its transfers counts for the far end."""

    def __init__(self, bus: I2cBus, wires: WatchedWires) -> None:
        self._bus = bus
        self._wires = wires

    def i2c_rdwr(self, *i2c_msgs: i2c_msg) -> None:
        began_ns = time.thread_time_ns()
        self._bus.i2c_rdwr(*i2c_msgs)
        self._wires.far_end_ns += time.thread_time_ns() - began_ns

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        self._bus.write_i2c_block_data(i2c_addr, register, data)

    def close(self) -> None:
        self._bus.close()


def _picture_in(piece: bytes) -> link.Picture | None:
    try:
        message = link.from_body(unframe(piece))[1] if len(piece) > 12 else None
    except FramingError:
        return None
    return message if isinstance(message, link.Picture) else None


def _serial(seat: object) -> SerialDevice | None:
    device = getattr(seat, "board", None) or getattr(seat, "cup", None)
    return device if isinstance(device, SerialDevice) else None
