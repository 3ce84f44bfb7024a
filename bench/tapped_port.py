"""A port that tells what goes through it, for whoever counts."""

from collections.abc import Callable

from drivers.link.port import Port


class TappedPort:
    """`port`, with `heard(data)` after every read and `sent(data, written)` after every write."""

    def __init__(self, port: Port, *, heard: Callable[[bytes], None], sent: Callable[[bytes, int], None]) -> None:
        self._port = port
        self._heard = heard
        self._sent = sent

    @property
    def in_waiting(self) -> int:
        """As the port's."""
        return self._port.in_waiting

    def fileno(self) -> int:
        """As the port's."""
        return self._port.fileno()

    def read(self, size: int = 1, /) -> bytes:
        """Read, and tell."""
        data = self._port.read(size)
        self._heard(data)
        return data

    def write(self, data: bytes, /) -> int | None:
        """Write, and tell."""
        written = self._port.write(data)
        self._sent(data, written or 0)
        return written

    def close(self) -> None:
        """As the port's."""
        self._port.close()
