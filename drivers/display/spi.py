"""A display on SPI, written to as luma's `spi` interface does: the level of its D/C line says what the bytes are.

`BusIO` writes to it on the bus's own thread. luma's own class is not used because `dudo-table blank` does without luma,
and because it wants numbers of pins where gpiozero has lines; a test compares what the two send.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import NamedTuple, Protocol

from hardware.link.oled import MEMORY


class Select(NamedTuple):
    """A chip select of an SPI bus: `/dev/spidev0.1` is `Select(0, 1)`."""

    bus: int
    select: int

    def __str__(self) -> str:
        return f"SPI {self.bus}.{self.select}"


class SpiDevice(Protocol):
    """The part of `spidev.SpiDev` that displays need."""

    max_speed_hz: int

    def writebytes(self, data: Sequence[int], /) -> None:
        """Write at most 4096 bytes."""

    def close(self) -> None:
        """Close the chip select."""


class Line(Protocol):
    """The part of `gpiozero.OutputDevice` that displays need."""

    def on(self) -> None:
        """Set it high."""

    def off(self) -> None:
        """Set it low."""

    def close(self) -> None:
        """Give it back."""


class SpiPort:
    """An open chip select with the two lines of its display. It has no answers: a missing display goes unnoticed.

    Opening it resets the display, which is dark then. The data sheets want 3 (SH1106: 10) µs of low level; setting a
    line from Python takes longer than that.
    """

    def __init__(self, device: SpiDevice, dc: Line, reset: Line) -> None:
        self._device = device
        self._dc = dc
        self._reset = reset
        reset.off()
        reset.on()

    def write(self, payload: bytes) -> None:
        """Write a payload as I2C has it, with its control byte. OSError where the bus is closed or gone."""
        if payload[:1] == MEMORY:
            self._dc.on()
        else:
            self._dc.off()
        self._device.writebytes(payload[1:])

    def close(self) -> None:
        """Give everything back."""
        with ExitStack() as closing:
            for part in (self._reset, self._dc, self._device):
                closing.callback(part.close)
