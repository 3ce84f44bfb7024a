"""An emulated serial line: the host's port at one end, one cup or several behind a radio dongle at the other.
`EmulatedPort` has pyserial's method names and fails as a real port does when it is unplugged.
"""

import asyncio
import errno
import fcntl
import os
import socket
import struct
import termios
from collections.abc import Callable
from contextlib import suppress

import serial

CHUNK = 4096


class EmulatedPort:
    """The host's end of an emulated cable, in place of `serial.Serial(path, timeout=0, write_timeout=0)`.
    `pull` unplugs the cable: from then on reads and writes raise SerialException and `in_waiting` OSError, and the
    descriptor is readable as a real one is.
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
        """Return the descriptor for the loop."""
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


class EmulatedLine:
    """A serial line to one cup, or a radio dongle with several: its port is there while it is plugged in.
    Cups receive the host's bytes with `listen`; `name` is the port's. `plugged` counts how often it was plugged in.
    """

    def __init__(self, name: str, loop: asyncio.AbstractEventLoop) -> None:
        self.name = name
        self.is_plugged = True
        self.plugged = 1
        self._loop = loop
        self._callbacks: list[Callable[[bytes], None]] = []
        self._port: EmulatedPort | None = None
        self._end: socket.socket | None = None

    def __repr__(self) -> str:
        return f"<EmulatedLine {self.name}, {'plugged in' if self.is_plugged else 'unplugged'}>"

    def listen(self, callback: Callable[[bytes], None]) -> None:
        """Call `callback` with all bytes from the host."""
        self._callbacks.append(callback)

    def open(self) -> EmulatedPort:
        """Open the port. FileNotFoundError while the cable is pulled, SerialException while the port is open."""
        if not self.is_plugged:
            raise FileNotFoundError(errno.ENOENT, f"{self.name} is not plugged in")
        if self._port is not None and self._port.is_open:
            raise serial.SerialException(errno.EAGAIN, "Could not exclusively lock port")
        host_end, end = socket.socketpair()
        end.setblocking(False)
        self._port = EmulatedPort(host_end)
        if self._loop.is_running() and asyncio._get_running_loop() is not self._loop:
            self._loop.call_soon_threadsafe(self._attach, end)  # `blank` opens ports on threads of its own
        else:
            self._attach(end)
        return self._port

    def send(self, data: bytes) -> None:
        """Send to the host. As on USB, unread bytes are lost."""
        if self._end is not None:
            with suppress(BlockingIOError, ConnectionError):
                self._end.send(data)

    def plug(self) -> None:
        """Plug the cable in. No-op if it is plugged in."""
        if not self.is_plugged:
            self.is_plugged = True
            self.plugged += 1

    def unplug(self) -> None:
        """Pull the cable: the port fails and disappears. Cups behind a dongle keep their power and their state."""
        self.is_plugged = False
        if self._port is not None:
            self._port.pull()
            self._port = None
        self._hang_up()

    def close(self) -> None:
        """Take it off the loop."""
        self.unplug()

    def _attach(self, end: socket.socket) -> None:
        self._hang_up()
        self._end = end
        self._loop.add_reader(end.fileno(), self._readable)

    def _readable(self) -> None:
        if self._end is None:
            return
        try:
            received = self._end.recv(CHUNK)
        except BlockingIOError:
            return
        except ConnectionError:
            received = b""
        if not received:
            self._hang_up()
            return
        for callback in self._callbacks:
            callback(received)

    def _hang_up(self) -> None:
        if self._end is not None:
            self._loop.remove_reader(self._end.fileno())
            self._end.close()
            self._end = None
