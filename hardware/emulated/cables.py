"""The emulated table's cables: a serial port in memory, and a seat's wires to pins and buses.
`EmulatedPort` has pyserial's method names and fails as a real port does when it is unplugged. `PinCable` and
`PanelCable` can be unplugged and plugged in again; `EmulatedTable` makes them. A cup or board on USB is its own cable:
`EmulatedCup`.
"""

import asyncio
import errno
import fcntl
import os
import socket
import struct
import termios
from collections.abc import Callable, Mapping
from random import Random
from typing import TYPE_CHECKING

import serial
from PIL import Image

from hardware.config.layout import I2cDisplay, SpiDisplay
from hardware.emulated.chips.controllers import CONTROLLERS, HEIGHT, WIDTH, PanelBus
from hardware.emulated.hand import EmulatedHand

if TYPE_CHECKING:
    from hardware.emulated.chips.pins import EmulatedFactory


class EmulatedPort:
    """The host's end of an emulated cable, in place of `serial.Serial(path, timeout=0, write_timeout=0)`. `pull`
    unplugs the cable: from then on reads and writes raise SerialException and `in_waiting` OSError, and the descriptor
    is readable, like a real one.
    """

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self._end = end
        self._pulled = False
        self.is_open = True

    def __repr__(self) -> str:
        state = "pulled" if self._pulled else "open" if self.is_open else "closed"
        return f"<EmulatedPort {state}>"

    @property
    def in_waiting(self) -> int:
        """Number of bytes that can be read at once."""
        self._check_open()
        if self._pulled:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        waiting: int = struct.unpack("I", fcntl.ioctl(self._end, termios.FIONREAD, bytes(4)))[0]
        return waiting

    def fileno(self) -> int:
        """The descriptor for the loop."""
        self._check_open()
        return self._end.fileno()

    def read(self, size: int = 1, /) -> bytes:
        """Return up to `size` bytes without waiting."""
        self._check_open()
        try:
            data = b"" if self._pulled else self._end.recv(size)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise serial.SerialException(f"read failed: {error}") from error
        if not data:
            raise serial.SerialException("device reports readiness to read but returned no data")
        return data

    def write(self, data: bytes, /) -> int:
        """Write without waiting; return the number of bytes written."""
        self._check_open()
        try:
            if self._pulled:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return self._end.send(data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise serial.SerialException(f"write failed: {error}") from error

    def close(self) -> None:
        """Give the port back; may be called twice."""
        self.is_open = False
        self._end.close()

    def pull(self) -> None:
        """Let the cable be pulled."""
        self._pulled = True

    def _check_open(self) -> None:
        if not self.is_open:
            raise serial.PortNotOpenError


class PinCable:
    """The wires from some contacts at a seat to their pins. While they are unplugged, the pins see no edges."""

    def __init__(
        self, lines: Mapping[str, int], factory: "EmulatedFactory", loop: asyncio.AbstractEventLoop, rng: Random
    ) -> None:
        self._pins = {line: factory.pin(number) for line, number in lines.items()}
        self._plugged = True
        self.hand = EmulatedHand(loop, rng, self._move)

    def unplug(self) -> None:
        """Unplug the wires."""
        self._plugged = False
        for pin in self._pins.values():
            pin.ground(False)

    def plug(self) -> None:
        """Plug them in: pins with closed contacts see it at once."""
        self._plugged = True
        for line, pin in self._pins.items():
            pin.ground(self.hand.closed(line))

    def _move(self, line: str, closed: bool) -> None:
        if self._plugged:
            self._pins[line].ground(closed)


class PanelCable:
    """A panel's wires at a bus address. A panel powers up dark, with noise in its memory."""

    lamp = False  # a wired seat has no light

    def __init__(self, panel: I2cDisplay | SpiDisplay, bus: PanelBus, place: int, rng: Random) -> None:
        self._panel = panel
        self._bus = bus
        self._place = place
        self._rng = rng
        self._changed: Callable[[], None] | None = None
        self.plug()

    def unplug(self) -> None:
        """Unplug the wires."""
        self._bus.unplug(self._place)
        if self._changed is not None:
            self._changed()

    def plug(self) -> None:
        """Put them in."""
        if self._bus.panel(self._place) is None:
            controller = CONTROLLERS[self._panel.chip](self._rng.getrandbits(32))
            controller.written = self._changed
            self._bus.plug(self._place, controller)

    def picture(self) -> Image.Image:
        """Return the visible picture, upright however the panel is mounted."""
        controller = self._bus.panel(self._place)
        if controller is None:
            return Image.new("1", (WIDTH, HEIGHT))
        return controller.picture().rotate(self._panel.rotate)

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` whenever the picture may have changed, on the bus's thread."""
        self._changed = changed
        controller = self._bus.panel(self._place)
        if controller is not None:
            controller.written = changed
