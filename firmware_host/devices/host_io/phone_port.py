"""A phone's port: the socket that `dudo-table phones` has for a seat while its guest's page is connected.

To `drivers.link` it is one more serial port: it comes and goes with the phone, as a board's with its cable.
"""

import errno
import os
import socket
from pathlib import Path

READ_BYTES = 1024
"""Bytes offered for one read, as many as `drivers.link.port` takes."""


class PhonePort:
    """A connection to the phones' process, in place of a `serial.Serial` without time-outs."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    @property
    def in_waiting(self) -> int:
        """The most that a read may return: a socket does not tell how much there is."""
        return READ_BYTES

    def fileno(self) -> int:
        """Return the descriptor to watch."""
        return self._connection.fileno()

    def read(self, size: int = 1, /) -> bytes:
        """Return up to `size` bytes without waiting. Raises `OSError` once the phone is gone."""
        try:
            read = self._connection.recv(size)
        except BlockingIOError:
            return b""
        if not read:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return read

    def write(self, data: bytes, /) -> int:
        """Write without waiting; return the number of bytes taken."""
        try:
            return self._connection.send(data)
        except BlockingIOError:
            return 0

    def close(self) -> None:
        """End the connection."""
        self._connection.close()


def open_phone(path: Path) -> PhonePort:
    """Connect to a phone. Raises `FileNotFoundError` while its seat has none, and other `OSError`s."""
    connection = socket.socket(socket.AF_UNIX)
    connection.setblocking(False)
    try:
        connection.connect(os.fspath(path))
    except OSError as error:
        connection.close()
        if error.errno in (errno.ECONNREFUSED, errno.ENOENT):  # the first is left behind by a killed process
            raise FileNotFoundError(errno.ENOENT, "no guest's page is open", os.fspath(path)) from error
        raise
    return PhonePort(connection)
