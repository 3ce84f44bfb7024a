"""The process for phones at a taped session: its own server, ports and WebSockets, and a page for each phone.

The emulated board behind a phone's port answers as its page would. The bytes that the daemon writes to the port take
the way through the process, too, so that a tape has each frame for the Wi-Fi.
"""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from aiohttp import web
from support.noninterference.tapes.taped_pages import Connection

from firmware_host.clients.phones.server import PhonesServer
from firmware_host.public.address import phone_socket
from firmware_host.wire import PublicState, Seat, all_seats, read_known
from hardware.config.layout import Layout


class TapedPhones:
    """A layout's phones, each at its seat. `folder` is for their ports, apart from the table's own."""

    def __init__(self, layout: Layout, folder: Path) -> None:
        listening = cast(socket.socket, SimpleNamespace(getsockname=lambda: ("192.0.2.7", 8680)))
        self._folder = folder
        self._ports: dict[int, socket.socket] = {}
        self._server = PhonesServer(listening, folder, folder / "events.sock")
        self._server._seat = self._seat  # type: ignore[method-assign]
        self._seats = {f"phone-{seat}": seat for seat in all_seats(len(layout.seats)) if layout.seats[seat].phone}
        if self._seats:
            folder.mkdir(exist_ok=True)

    @property
    def connections(self) -> Mapping[str, tuple[int, Connection]]:
        """The phones' WebSockets by page, with their seats."""
        return {name: (seat, cast(Connection, self._server._live)) for name, seat in self._seats.items()}

    def read(self, line: bytes) -> None:
        """Follow the table."""
        if isinstance(state := read_known(line), PublicState):
            self._server._state = state
        for phone in self._server._phones.values():
            phone.changed()

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Be connected to the ports during the block, as the daemon is."""
        for seat in self._seats.values():
            port = self._ports[seat] = socket.socket(socket.AF_UNIX)
            port.setblocking(False)
            port.connect(str(phone_socket(self._folder, seat + 1)))
        yield
        for port in self._ports.values():
            port.close()

    def write(self, seat: int, data: bytes) -> None:
        """Take the daemon's bytes for a phone."""
        if seat in self._ports:
            with suppress(OSError):
                self._ports[seat].send(data)

    def _seat(self, request: web.Request) -> Seat | None:
        return self._seats[request.match_info["page"]]
