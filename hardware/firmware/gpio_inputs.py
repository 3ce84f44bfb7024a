"""A board's switches: each edge is stamped in its interrupt and kept until the program takes it.

The interrupts are hard ones: a soft one waits until an I2C write to the panel is through, and of several that wait
their turn a Pico keeps eight. A hard one may take no memory: `GpioInput._moved` and what it calls take none.
"""

from machine import Pin  # type: ignore[import-not-found]

from hardware.firmware.compat import ticks_us
from hardware.firmware.edge_buffer import EdgeBuffer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hardware.firmware.clock import Clock


class GpioInput:
    """One switch between its pin and ground, which puts its edges among `edges` as 2 * `number` + closed."""

    def __init__(self, gp: int, number: int, edges: EdgeBuffer) -> None:
        self._open = 2 * number
        self._edges = edges
        self._pin = Pin(gp, Pin.IN, Pin.PULL_UP)
        self._pin.irq(self._moved, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)

    def what(self) -> int:
        """Read it, as an edge says it."""
        level: int = self._pin.value()
        return self._open + 1 - level

    def _moved(self, pin: Pin) -> None:
        self._edges.put(self._open + 1 - pin.value(), ticks_us())


class GpioInputs:
    """The switches on their pins, by the names of their lines."""

    def __init__(self, pins: "dict[str, int]", clock: "Clock") -> None:
        self._clock = clock
        self._edges = EdgeBuffer()
        self._lines = list(pins)
        self._contacts = [GpioInput(pins[line], number, self._edges) for number, line in enumerate(self._lines)]

    def __bool__(self) -> bool:
        return bool(self._edges)

    def is_closed(self, line: str) -> bool:
        """Read a switch; one that isn't fitted is open."""
        return line in self._lines and bool(self._contacts[self._lines.index(line)].what() & 1)

    def edges(self) -> "tuple[tuple[str, bool, int], ...]":
        """Take the edges there are, as `Inputs` wants them. After an overrun every switch says how it stands."""
        taken = []
        edge = self._edges.take()
        while edge is not None:
            taken.append(self._said(edge[0], self._clock.at_ns(edge[1])))
            edge = self._edges.take()
        if self._edges.overrun:
            self._edges.overrun = False
            taken += [self._said(contact.what(), self._clock.now_ns()) for contact in self._contacts]
        return tuple(taken)

    def _said(self, what: int, at_ns: int) -> "tuple[str, bool, int]":
        return self._lines[what >> 1], bool(what & 1), at_ns
