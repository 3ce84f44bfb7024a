"""An emulated table's ports that record all traffic and can be made to fail: those of a round of `forked_round`.

    wires = TappedPorts(layout, emulated, record, loop)
    wires.err(2, after_bytes=30)   # seat 2's display fails in the middle of its next write
    wires.hang(2)                  # and keeps its wire, and everybody on it, for a second

A seat hears the bytes that go to it. The room hears of every write at the table when it was and how long: nobody can
measure more than that of a wire that others hang on, of a panel that is slow to acknowledge, or of a lamp on a hub. It
sees how each panel shines, and each board's light. What goes to a dongle or to a board of no seat it hears all of.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from hardware.config.layout import I2cDisplay, Layout, SerialDevice, SpiDisplay
from hardware.emulated.chips.controllers import Controller
from hardware.emulated.chips.i2c import EmulatedBus
from hardware.emulated.chips.spi import EmulatedSpiBus
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.line import EmulatedPort
from hardware.emulated.table import EmulatedTable

ROOM = -1
"""Where everybody in the room hears what is said, and the owner reads the log."""

RecordOutput = Callable[[int, str, object], None]


class TappedPorts:
    """What `Devices` takes for the wires of a table."""

    def __init__(
        self, layout: Layout, emulated: EmulatedTable, record: RecordOutput, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._layout = layout
        self._emulated = emulated
        self._record = record
        self._loop = loop
        self._late_s: dict[int, float] = {}  # by seat
        self._busy_until_s: dict[int, float] = {}
        self._fails_after: dict[int, int] = {}  # writes, by seat of a board
        self._seen: dict[int, object] = {}  # of each seat's display, from across the room
        self.factory = emulated.factory
        self.open_bus = emulated.open_bus
        self.open_spi = emulated.open_spi
        self.plugged_in = emulated.plugged_in
        self.to_phone: Callable[[int, bytes], None] = lambda seat, data: None
        """Takes what is written to a phone's port, beside the board that stands for its page."""
        self._phones = {number for number, seat in enumerate(layout.seats) if seat.phone is not None}
        self._ports: dict[str, int] = {}
        for number, seat in enumerate(layout.seats):
            for device in (seat.board, seat.cup):
                if isinstance(device, SerialDevice):
                    self._ports[device.id] = ROOM if device.address else number  # what a dongle sends is in the air
            if seat.phone is not None:
                self._ports[seat.phone] = number
            if seat.display is not None:
                self._tap(number, seat.display)

    def open_port(self, serial_id: str) -> Any:
        """Open the port of a board or a cup."""
        port = self._emulated.open_port(serial_id)
        port.write = partial(self._written, self._ports.get(serial_id, ROOM), port)
        return port

    def close(self) -> None:
        """Leave the far ends as they are: another session may follow."""

    # What can go wrong

    def err(self, seat: int, *, after_bytes: int = 0, times: int = 1) -> None:
        """A seat's display fails in the middle of its next write."""
        panel = self._layout.seats[seat].display
        if isinstance(panel, I2cDisplay):
            self._emulated.buses[panel.bus].fail(panel.address, after_bytes=after_bytes, times=times)
        elif panel is None:
            self._fails_after[seat] = 1

    def hang(self, seat: int, *, times: int = 1) -> None:
        """A seat's display keeps its wire for a second; a board reads nothing for as long."""
        panel = self._layout.seats[seat].display
        if isinstance(panel, I2cDisplay):
            self._emulated.buses[panel.bus].hang(panel.address, times=times)
        elif panel is None:
            self.slow(seat, 1.0)
            self._loop.call_later(1.0, self.slow, seat, 0.0)

    def slow(self, seat: int, late_s: float) -> None:
        """From now on everything reaches a seat's display or board so much later."""
        self._late_s[seat] = late_s

    def repair(self, seat: int) -> None:
        """Take it all back."""
        panel = self._layout.seats[seat].display
        self._late_s.pop(seat, None)
        self._fails_after.pop(seat, None)
        if isinstance(panel, I2cDisplay):
            self._emulated.buses[panel.bus].repair(panel.address)

    # The ears

    def _tap(self, seat: int, panel: I2cDisplay | SpiDisplay) -> None:
        bus: EmulatedBus | EmulatedSpiBus
        if isinstance(panel, I2cDisplay):
            bus, here = self._emulated.buses[panel.bus], panel.address
        else:
            bus, here = self._emulated.spi_buses[panel.spi], panel.select
        transfer = bus.transfer

        def tapped(place: int, payload: bytes) -> None:
            if place == here:
                self._told(seat, f"{'i2c' if isinstance(bus, EmulatedBus) else 'spi'} {place:#x}", payload)
                if late_s := self._late_s.get(seat):
                    self._spend(bus, late_s)
            transfer(place, payload)
            if place == here:
                self._look_over(seat, bus.panel(place))

        bus.transfer = tapped  # type: ignore[method-assign]
        if isinstance(bus, EmulatedBus):
            status = bus.status

            def asked(place: int) -> int:
                if place == here:
                    self._told(seat, "status", b"")
                return status(place)

            bus.status = asked  # type: ignore[method-assign]

    @staticmethod
    def _spend(bus: EmulatedBus | EmulatedSpiBus, late_s: float) -> None:
        assert bus._elapse is not None
        bus._elapse(late_s)

    def _written(self, seat: int, port: EmulatedPort, data: bytes) -> int:
        self._told(seat, "port", data)
        if seat in self._phones:
            self.to_phone(seat, data)
        now_s = self._loop.time()
        at_s = max(now_s + self._late_s.get(seat, 0.0), self._busy_until_s.get(seat, 0.0))
        if at_s == now_s:
            return EmulatedPort.write(port, data)
        self._busy_until_s[seat] = at_s + 1e-6
        self._loop.call_at(at_s, self._delivered, port, data)
        return len(data)

    @staticmethod
    def _delivered(port: EmulatedPort, data: bytes) -> None:
        if port.is_open and not port._pulled:
            EmulatedPort.write(port, data)

    def _told(self, seat: int, channel: str, data: bytes) -> None:
        self._record(seat, channel, bytes(data))
        self._record(ROOM, "length", (seat, channel, len(data)))

    def hear_board(self, cup: EmulatedCup, data: bytes) -> None:
        """A board writes to its own panel."""
        seat = self._ports.get(cup.fitted.identity, ROOM)  # one that belongs to nobody lies there for all to see
        self._told(seat, "board", data)

    def fail_board(self, cup: EmulatedCup) -> None:
        """Let a board's write to its panel fail where that is due."""
        seat = self._ports.get(cup.fitted.identity, ROOM)
        left = self._fails_after.get(seat)
        if left == 0:
            raise OSError("it does not answer")
        if left is not None:
            self._fails_after[seat] = left - 1

    def see_board(self, cup: EmulatedCup) -> None:
        """A board has written to its panel, or its light is on or off."""
        self._look_over(self._ports.get(cup.fitted.identity, ROOM), cup.panel, cup.lamp)

    def _look_over(self, seat: int, panel: Controller | None, lamp: bool = False) -> None:
        """From across the room nobody can read a panel, but see how it shines, and a board's light."""
        if panel is None:
            return
        regs = panel.registers
        seen = regs.on, regs.contrast, regs.inverted, regs.all_on, regs.start_line, regs.offset, lamp
        if self._seen.get(seat) != seen:
            self._seen[seat] = seen
            self._record(ROOM, "shine", (seat, *seen))
