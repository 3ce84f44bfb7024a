"""A board's switches: each edge is stamped in its interrupt and kept until the program takes it.
The interrupts are hard: a soft one waits until an I2C write to the panel is done, and a Pico queues only eight. A hard
interrupt must not allocate memory: neither `GpioInput._moved` nor its callees do.
"""

from machine import Pin  # type: ignore[import-not-found]

from hardware.firmware.clock import ticks_us
from hardware.firmware.edge_buffer import EdgeBuffer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hardware.firmware.clock import BoardClock


class GpioInput:
    """A switch between its pin and ground. It puts its edges into `edges` as 2 * `number` + closed."""

    def __init__(self, gp: int, number: int, edges: EdgeBuffer) -> None:
        self._open = 2 * number
        self._edges = edges
        self._pin = Pin(gp, Pin.IN, Pin.PULL_UP)
        self._pin.irq(self._moved, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)

    def reading(self) -> int:
        """Return the switch's state, coded as an edge is."""
        level: int = self._pin.value()
        return self._open + 1 - level

    def _moved(self, pin: Pin) -> None:
        self._edges.put(self._open + 1 - pin.value(), ticks_us())


class GpioInputs:
    """A board's switches, by line name."""

    def __init__(self, pins: "dict[str, int]", clock: "BoardClock") -> None:
        self._clock = clock
        self._edges = EdgeBuffer()
        self._lines = list(pins)
        self._contacts = [GpioInput(pins[line], number, self._edges) for number, line in enumerate(self._lines)]

    def __bool__(self) -> bool:
        return bool(self._edges)

    def is_closed(self, line: str) -> bool:
        """Return whether a switch is closed. A missing one is open."""
        return line in self._lines and bool(self._contacts[self._lines.index(line)].reading() & 1)

    def edges(self) -> "tuple[tuple[str, bool, int], ...]":
        """Take the buffered edges, as in `Inputs`. After an overrun every switch's state follows."""
        taken = []
        edge = self._edges.take()
        while edge is not None:
            taken.append(self._edge(edge[0], self._clock.at_ns(edge[1])))
            edge = self._edges.take()
        if self._edges.overrun:
            self._edges.overrun = False
            taken += [self._edge(contact.reading(), self._clock.now_ns()) for contact in self._contacts]
        return tuple(taken)

    def _edge(self, reading: int, at_ns: int) -> "tuple[str, bool, int]":
        return self._lines[reading >> 1], bool(reading & 1), at_ns
