"""A phone's port: the socket that `dudo-table phones` has for a seat while its guest's page is connected.

To `drivers.link` it is one more serial port: it comes and goes with the phone, as a board's with its cable. Everything
through the socket is encrypted for the page. A connection lasts as long as the page's own.
"""

import errno
import os
import re
import socket
from contextlib import suppress
from pathlib import Path

from nacl.public import PrivateKey

from firmware_host.devices.host_io.phone_cipher import CipherError, PhoneCipher
from firmware_host.public.address import phone_socket

READ_BYTES = 1024
"""Bytes offered for one read, as many as `drivers.link.port` takes."""
_FRAME = re.compile(rb"\0*[^\0]+\0*|\0+")
"""A frame of the link with the zeros that pad it. Each has an envelope of its own: their number tells nothing about its
content."""


class PhonePort:
    """A connection to the phones' process, in place of a `serial.Serial` without time-outs; `key` is the table's."""

    def __init__(self, connection: socket.socket, key: PrivateKey) -> None:
        self._connection = connection
        self._cipher = PhoneCipher(key)
        self._unsent = self._cipher.hello
        self._frame_bytes = 0  # of the frame in the unsent envelope

    @property
    def in_waiting(self) -> int:
        """The most that a read may return: a socket does not tell how much there is."""
        return READ_BYTES

    def fileno(self) -> int:
        """Return the descriptor to watch."""
        return self._connection.fileno()

    def read(self, size: int = 1, /) -> bytes:
        """Return the plain bytes of up to `size` bytes, without waiting.

        Raises `OSError` once the phone is gone, and for bytes that its page did not encrypt.
        """
        try:
            read = self._connection.recv(size)
        except BlockingIOError:
            return b""
        except ConnectionError:  # it went with something unread
            read = b""
        if not read:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        try:
            return self._cipher.receive(read)
        except CipherError as error:
            raise OSError(errno.EPROTO, str(error)) from error

    def write(self, data: bytes, /) -> int:
        """Write without waiting; return the number of bytes taken. Before the page's keys have come they are lost, as
        on a cable whose other end is not plugged in.
        """
        if not self._cipher.is_agreed:
            return len(data)
        taken = 0
        while taken < len(data):
            if not self._frame_bytes:
                frame = _FRAME.match(data, taken)
                assert frame is not None
                self._unsent += self._cipher.seal(frame[0])
                self._frame_bytes = len(frame[0])
            if not self.flush():
                break
            taken += self._frame_bytes  # only now: the rest of an envelope follows with the next write
            self._frame_bytes = 0
        return taken

    def flush(self) -> bool:
        """Send what is sealed; return whether all of it is on its way."""
        with suppress(BlockingIOError):
            self._unsent = self._unsent[self._connection.send(self._unsent) :]
        return not self._unsent

    def close(self) -> None:
        """End the connection."""
        self._connection.close()


def open_phone(folder: Path, key: PrivateKey, number: int) -> PhonePort:
    """Connect to the phone of a seat, by its number from 1; `key` is the table's.

    Raises `FileNotFoundError` while the seat has none, and other `OSError`s.
    """
    path = phone_socket(folder, number)
    connection = socket.socket(socket.AF_UNIX)
    connection.setblocking(False)
    port = PhonePort(connection, key)
    try:
        connection.connect(os.fspath(path))
        port.flush()  # a few bytes: a new connection takes them
    except OSError as error:
        connection.close()
        if error.errno in (errno.ECONNREFUSED, errno.ENOENT):  # the first is left behind by a killed process
            raise FileNotFoundError(errno.ENOENT, "no guest's page is open", os.fspath(path)) from error
        raise
    return port
