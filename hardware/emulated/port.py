"""A serial port in memory with pyserial's method names, and with its ways of failing when the far end is pulled."""

import errno
import fcntl
import os
import socket
import struct
import termios

import serial


class EmulatedPort:
    """The host's end of an emulated cable: what `serial.Serial(path, timeout=0, write_timeout=0)` would be.

    `pull` is the cable being unplugged: from then on reads and writes raise SerialException and `in_waiting`
    OSError, and the descriptor is readable as a real one is.
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
        """How many bytes can be read at once."""
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
        """Write without waiting; return how many bytes went."""
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
