"""The firmware's part of MicroPython's `machine`, for an emulated Pico with a descriptor as its pins.

`boot` switches it on, and `import machine` then finds this file because it is beside the script. Interrupts happen in
`idle`, as most of those of a Pico do.
"""

import errno
import select
import sys

from hardware.emulated.pico import wires
from hardware.firmware.clock import BoardClock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.emulated.chips.lis3dh import EmulatedLis3dh

CHUNK = 4096
LONGEST_IDLE_MS = 20
"""A Pico's `idle` lasts a millisecond. Here it grows while the board is inactive: boards share a machine."""


class Wires:
    """The descriptor of the pins, with the levels received from it."""

    def __init__(self) -> None:
        self.levels: dict[int, int] = {}
        self.pins: dict[int, Pin] = {}
        self.mute: set[int] = set()
        self.sensor: tuple[int, EmulatedLis3dh] | None = None
        self._packets = wires.Packets()
        self._idle_ms = 1

    def connect(self, descriptor: int) -> None:
        """Switch the power on and read the initial state of the contacts."""
        self._wires = open(descriptor, "r+b", buffering=0)  # noqa: SIM115 - open as long as there is power
        self._poller = select.poll()
        self._poller.register(self._wires, select.POLLIN)
        self._poller.register(sys.stdin, select.POLLIN)
        self._drain = select.poll()
        self._drain.register(self._wires, select.POLLOUT)
        self._read()

    def say(self, kind: int, data: bytes) -> None:
        """Send a packet to the far end; wait until it is sent."""
        left = wires.packet(kind, data)
        try:
            while left:
                left = left[self._wires.write(left) or 0 :]
                if left:
                    self._drain.poll(LONGEST_IDLE_MS)
        except OSError:
            raise SystemExit from None

    def wait(self) -> None:
        """Wait until something happens, and not for long."""
        if self._poller.poll(self._idle_ms):
            self._idle_ms = 1
            self._read()
        else:
            self._idle_ms = min(2 * self._idle_ms, LONGEST_IDLE_MS)

    def _read(self) -> None:
        data = self._wires.read(CHUNK)
        if data == b"":
            raise SystemExit  # the far end has closed, so the power is off
        for kind, what in self._packets.feed(data or b""):
            if kind == wires.LEVEL:
                self._level(what[0], what[1])
            elif kind == wires.ANSWERS:
                (self.mute.discard if what[1] else self.mute.add)(what[0])
            elif kind == wires.MOVE and self.sensor is not None:
                self.sensor[1].move(what[0])

    def _level(self, number: int, level: int) -> None:
        changed = self.levels.get(number, 1) != level
        self.levels[number] = level
        if changed and number in self.pins:
            self.pins[number].interrupt()


class Pin:
    """A pin; one that is read is pulled up, and low while its contact is closed."""

    IN, OUT, PULL_UP = 0, 1, 1
    IRQ_FALLING, IRQ_RISING = 4, 8

    def __init__(self, id: int, mode: int = -1, pull: int = -1, *, value: "int | None" = None) -> None:
        self._number = id
        self._handler: Callable[[Pin], None] | None = None
        if mode == Pin.OUT and value is not None:
            self.value(value)

    def value(self, x: "int | None" = None) -> int:
        """Read the level, or set it."""
        if x is not None:
            _WIRES.levels[self._number] = x
            _WIRES.say(wires.LEVEL, bytes([self._number, x]))
        return _WIRES.levels.get(self._number, 1)

    def irq(self, handler: "Callable[[Pin], None]", trigger: int = 12, *, hard: bool = False) -> None:
        """Have `handler` called at both edges."""
        self._handler = handler
        _WIRES.pins[self._number] = self

    def interrupt(self) -> None:
        """Be moved."""
        if self._handler is not None:
            self._handler(self)


class I2C:
    """The I2C bus: silent panels at any address, and perhaps an LIS3DH."""

    def __init__(self, id: int, *, scl: Pin, sda: Pin, freq: int = 400_000) -> None:
        pass

    def writeto(self, addr: int, buf: bytes) -> int:
        """Write. OSError without an answer."""
        if addr in _WIRES.mute:
            raise OSError(errno.EIO)
        _WIRES.say(wires.WRITE, bytes([addr]) + buf)
        return len(buf)

    def readfrom_mem(self, addr: int, memaddr: int, nbytes: int) -> bytes:
        """Read registers. OSError without an answer."""
        chip = self._chip(addr)
        chip.write(bytes([memaddr]))
        return chip.read(nbytes)

    def writeto_mem(self, addr: int, memaddr: int, buf: bytes) -> None:
        """Write registers. OSError without an answer."""
        self._chip(addr).write(bytes([memaddr]) + buf)

    def _chip(self, addr: int) -> "EmulatedLis3dh":
        if _WIRES.sensor is None or _WIRES.sensor[0] != addr or addr in _WIRES.mute:
            raise OSError(errno.EIO)
        return _WIRES.sensor[1]


def idle() -> None:
    """Wait for an interrupt, at most a few milliseconds."""
    _WIRES.wait()


def unique_id() -> bytes:
    """Return the chip's factory number."""
    return b"EMULATED"


def reset() -> None:
    """End the process, as the power's going would."""
    raise SystemExit(1)


def power(descriptor: int, sensor: "tuple[int, int] | None") -> None:
    """Put the power on. `sensor` is the address of an LIS3DH and a seed for it."""
    if sensor is not None:
        from hardware.emulated.chips.lis3dh import EmulatedLis3dh

        _WIRES.sensor = sensor[0], EmulatedLis3dh(sensor[1], BoardClock().now_ns)
    _WIRES.connect(descriptor)


_WIRES = Wires()
