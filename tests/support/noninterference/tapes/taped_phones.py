"""The way to guests' phones at a taped session: the daemon's ports, `dudo-table phones` with its WebSockets, pages.

The emulated board behind a phone's port answers as its page would. The daemon's frames to it also pass here, encrypted,
so a tape has each frame for the Wi-Fi, and at its own seat the picture on the page. Each page has its story open, and
asks for it again at each public line.
"""

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from aiohttp import web
from nacl.exceptions import CryptoError
from nacl.public import PrivateKey
from support.noninterference.tapes.taped_pages import BINARY, TEXT, Connection, TapedPage
from support.noninterference.tapes.tapped_ports import ROOM, RecordOutput
from support.pages.phone_page import PhoneEnd

from firmware_host.clients.phones.server import PhonesServer
from firmware_host.devices.host_io.phone_port import READ_BYTES, PhonePort, open_phone
from firmware_host.wire import PublicState, Seat, all_seats, read_known
from hardware.config.layout import Layout

UNREADABLE = "unreadable"
"""A page's content of a frame for another one."""


class TapedPhones:
    """A layout's phones, each at its seat. `folder` is for their ports, apart from the table's own."""

    def __init__(self, layout: Layout, folder: Path, record: RecordOutput) -> None:
        listening = cast(socket.socket, SimpleNamespace(getsockname=lambda: ("192.0.2.7", 8680)))
        self._folder = folder
        self._record = record
        self._ports: dict[int, PhonePort] = {}
        phones = [seat for seat in all_seats(len(layout.seats)) if layout.seats[seat].phone]
        self._seats = {f"phone-{seat}": seat for seat in phones}
        self._ends = {name: PhoneEnd() for name in self._seats}
        self._server = PhonesServer(listening, folder, folder / "events.sock")
        self._server._seat = self._seat  # type: ignore[method-assign]
        self._server._key = self._key  # type: ignore[method-assign]
        if phones:
            folder.mkdir(exist_ok=True)

    @property
    def connections(self) -> Mapping[str, tuple[int, Connection]]:
        """The phones' WebSockets by page, with their seats."""
        return {name: (seat, cast(Connection, self._server._live)) for name, seat in self._seats.items()}

    async def read(self, line: bytes) -> None:
        """Follow the table."""
        if isinstance(message := read_known(line), PublicState):
            self._server._state = message
            self._server._story.follow(message)
        elif message is not None:
            self._server._story.add(message)
        for phone in self._server._phones.values():
            phone.changed()
        for name, seat in self._seats.items():
            asked = SimpleNamespace(match_info={"page": name}, query={"language": "es"})
            sealed = (await self._server._tell_story(cast(web.Request, asked))).body
            assert isinstance(sealed, bytes)
            self._record(ROOM, "story", (name, len(sealed)))
            self._record(seat, "story", self._ends[name].open_sealed(sealed).decode())

    def prepare(self, pages: Mapping[str, TapedPage]) -> None:
        """Have the pages decrypt what they get."""
        for name, end in self._ends.items():
            pages[name].decode = partial(_decode, pages[name], end)

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Connect the ports during the block, as the daemon does."""
        key = PrivateKey.generate()
        for seat in self._seats.values():
            self._ports[seat] = open_phone(self._folder, key, seat + 1)
        yield
        for port in self._ports.values():
            port.close()

    def write(self, seat: int, data: bytes) -> None:
        """Take the daemon's bytes for a phone."""
        if seat in self._ports:
            with suppress(OSError):
                self._ports[seat].read(READ_BYTES)  # the page's key, then nothing
                self._ports[seat].write(data)

    def _seat(self, request: web.Request) -> Seat | None:
        return self._seats[request.match_info["page"]]

    def _key(self, request: web.Request) -> str:
        return self._ends[request.match_info["page"]].door.hex()


def _decode(page: TapedPage, end: PhoneEnd, kind: int, payload: bytes) -> object:
    """Return a frame's content; answer the table's keys with the page's."""
    if kind == TEXT:
        said = json.loads(payload)
        return end.open_sealed(bytes.fromhex(said["sealed"])) if "sealed" in said else payload.decode()
    was_agreed = end.keys is not None
    try:
        plain = end.receive(payload)
    except CryptoError:
        return UNREADABLE
    if not was_agreed and end.keys is not None:
        page.send(BINARY, end.hello)
    return plain
