"""A party: guests of `dudo-table play --host`, whose phones are seats as at a real table (`clients.phones`).

This computer's page stays on loopback and is the host's; phones come to a port of their own.
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import structs
from nacl.public import PrivateKey

from firmware_host.clients.phones.guests import GUESTS_FILE, read_guests
from firmware_host.clients.phones.server import PhonesServer
from firmware_host.clients.web.access import bind
from firmware_host.devices.host_io.phone_cipher import fingerprint, load_key
from firmware_host.devices.host_io.phone_port import PhonePort, open_phone
from firmware_host.errors import UserError
from firmware_host.play.kept_match import GUESTS, KeptMatch
from firmware_host.public import invitation
from firmware_host.public.address import phones_folder
from firmware_host.wire import Seat
from hardware.config.layout import PHONE, Layout, LayoutSeat


def with_phones(layout: Layout, hosts: int) -> Layout:
    """Return a layout whose seats are for phones, but for the first `hosts`."""
    phones = (
        LayoutSeat(seat.name, seat.color, phone=f"{PHONE}{number}", language=seat.language)
        for number, seat in enumerate(layout.seats, 1)
        if number > hosts
    )
    return structs.replace(layout, seats=(*layout.seats[:hosts], *phones), service_key=None)


class Party(PhonesServer):
    """A party's server for phones, with the table's end of their connections. `key` is that end's."""

    def __init__(
        self, key: PrivateKey, listening: socket.socket, folder: Path, events: Path, guests: Path, language: str | None
    ) -> None:
        super().__init__(listening, folder, events, guests=guests, language=language)
        self._table_key = key

    def open_phone(self, seat: Seat) -> PhonePort:
        """Open the port of a seat's phone. Raises `OSError` while its page is closed."""
        return open_phone(self.folder, self._table_key, seat + 1)


@contextmanager
def open_party(
    host: str, page: socket.socket, events: Path, kept: KeptMatch | None, language: str | None = None
) -> Iterator[Party]:
    """Listen for phones at this computer's address, on the first free port above the host page's.

    Guests of a resumed match keep their seats. Raises `UserError`.
    """
    folder = phones_folder(events)
    folder.mkdir(mode=0o700, exist_ok=True)
    guests = folder / GUESTS_FILE if kept is None else kept.folder / GUESTS
    key = load_key(guests.parent)
    invitation.write_key(fingerprint(key), events)
    with bind(None, host, first=page.getsockname()[1] + 1) as listening:
        yield Party(key, listening, folder, events, guests, language)


def check_without_guests(kept: KeptMatch | None, layout: Layout) -> None:
    """Raise `UserError` if a resumed match has guests: without a party, anybody may look under their covers."""
    stored = {} if kept is None or kept.scene is None else read_guests(kept.folder / GUESTS)
    if names := [layout.seats[seat].name for seat in sorted(stored) if seat < len(layout.seats)]:
        raise UserError(
            f"the match that goes on has guests ({', '.join(names)}): add --host, or --fresh for another match"
        )
