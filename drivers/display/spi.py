"""A display on SPI, written to as luma's `spi` interface does: its D/C line tells commands from data.
`BusIO` writes to it on the bus's own thread. luma's own class is not used because `dudo-table blank` does without luma,
and because it wants pin numbers in place of gpiozero's lines; a test compares their output.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import NamedTuple, Protocol

from hardware.link.oled import MEMORY


class Select(NamedTuple):
    """An SPI chip select: `/dev/spidev0.1` is `Select(0, 1)`."""

    bus: int
    select: int

    def __str__(self) -> str:
        return f"SPI {self.bus}.{self.select}"


class SpiDevice(Protocol):
    """The part of `spidev.SpiDev` used for displays."""

    max_speed_hz: int

    def writebytes(self, data: Sequence[int], /) -> None:
        """Write at most 4096 bytes."""

    def close(self) -> None:
        """Close the chip select."""


class Line(Protocol):
    """The part of `gpiozero.OutputDevice` used for displays."""

    def on(self) -> None:
        """Set it high."""

    def off(self) -> None:
        """Set it low."""

    def close(self) -> None:
        """Release it."""


class SpiPort:
    """An open chip select with its display's two lines. It has no answers: a missing display goes unnoticed.
    Opening it resets the display, which is dark then. The data sheets want a low level for 3 (SH1106: 10) µs; setting a
    line from Python takes longer.
    """

    def __init__(self, device: SpiDevice, dc: Line, reset: Line) -> None:
        self._device = device
        self._dc = dc
        self._reset = reset
        reset.off()
        reset.on()

    def write(self, payload: bytes) -> None:
        """Write a payload in I2C form, with its control byte. OSError if the bus is closed or gone."""
        if payload[:1] == MEMORY:
            self._dc.on()
        else:
            self._dc.off()
        self._device.writebytes(payload[1:])

    def close(self) -> None:
        """Release the device and both lines."""
        with ExitStack() as closing:
            for part in (self._reset, self._dc, self._device):
                closing.callback(part.close)
