"""An emulated SPI bus in place of `/dev/spidevN.M` and spidev, with panels at its chip selects.

`EmulatedTable` builds one `EmulatedSpiBus` for each bus number and passes opened devices to the display driver. Panels
don't answer on SPI, so the driver can't notice a missing one.
"""

import errno
import os
from collections.abc import Callable, Sequence
from typing import Protocol

from hardware.emulated.chips.controllers import PanelBus

CLOCK_HZ = 8_000_000
MAX_WRITE_BYTES = 4096
"""spidev's buffer size for one write, in bytes."""

COMMANDS, MEMORY = b"\x00", b"\x40"


class OutputLine(Protocol):
    """The part of an emulated pin that a panel needs."""

    moved: Callable[[bool], None] | None

    @property
    def state(self) -> bool | int | float:
        """The level of the line."""


class EmulatedSpiBus(PanelBus):
    """One bus with panels at its chip selects, each with two lines of its own.

    The level of a panel's D/C line during a write says whether the bytes are commands or go to the memory. A low RES
    line resets the registers, and the panel then ignores writes. Payloads for `listen` begin with the control byte that
    I2C would send.
    """

    def __init__(self, number: int, *, elapse: Callable[[float], None] | None = None, clock_hz: int = CLOCK_HZ) -> None:
        super().__init__(number, elapse=elapse, clock_hz=clock_hz)
        self._lines: dict[int, tuple[OutputLine, OutputLine]] = {}

    def __repr__(self) -> str:
        panels = ", ".join(f"{select} {panel!r}" for select, panel in sorted(self._panels.items()))
        return f"<EmulatedSpiBus {self.number}: {panels or 'no panels'}>"

    def wire(self, select: int, dc: OutputLine, reset: OutputLine) -> None:
        """Wire a panel's chip select, D/C and RES."""
        self._lines[select] = dc, reset
        reset.moved = lambda is_high: None if is_high else self._reset(select)

    def open(self, select: int) -> "EmulatedSpiDevice":
        """Open a chip select as spidev would; any number of times. FileNotFoundError for an unwired one."""
        if select not in self._lines:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), f"/dev/spidev{self.number}.{select}")
        return EmulatedSpiDevice(self, select)

    def transfer(self, select: int, data: bytes) -> None:
        """Transfer one write. A panel that is plugged or unplugged meanwhile does not receive it."""
        panel = self._panels.get(select)
        wire_s = 8 * len(data) / self.clock_hz
        self.transfers += 1
        self.bytes_sent += len(data)
        self.busy_s += wire_s
        if self._elapse is not None:
            self._elapse(wire_s)
        dc, reset = self._lines[select]
        payload = (MEMORY if dc.state else COMMANDS) + data
        if panel is not None and panel is self._panels.get(select) and reset.state:
            panel.write(payload)
        if self.listen is not None:
            self.listen(select, payload)

    def _reset(self, select: int) -> None:
        if (panel := self._panels.get(select)) is not None:
            panel.reset()
            if panel.written is not None:
                panel.written()


class EmulatedSpiDevice:
    """An open chip select with the displays' part of `spidev.SpiDev`, and with its limits."""

    def __init__(self, bus: EmulatedSpiBus, select: int) -> None:
        self._bus: EmulatedSpiBus | None = bus
        self._select = select
        self.mode = 0
        self.max_speed_hz = CLOCK_HZ

    def __repr__(self) -> str:
        return f"<EmulatedSpiDevice {f'{self._bus.number}.{self._select}' if self._bus else 'closed'}>"

    def writebytes(self, data: Sequence[int], /) -> None:
        """Write 1 to 4096 bytes; as in spidev, TypeError for 0 bytes, OverflowError for more; OSError once closed."""
        if self._bus is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        if not data:
            raise TypeError("Non-Zero length list argument required.")
        if len(data) > MAX_WRITE_BYTES:
            raise OverflowError(f"Argument list size exceeds {MAX_WRITE_BYTES} bytes.")
        self._bus.transfer(self._select, bytes(data))

    def close(self) -> None:
        """Close the chip select; further writes raise OSError."""
        self._bus = None
