"""A party: guests of `dudo-table play --host`, whose phones are seats as at a real table (`clients.phones`).

This computer's page stays on loopback and is the host's; phones come to a port of their own.
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import structs

from firmware_host.clients.phones.server import GUESTS_FILE, PhonesServer, read_guests
from firmware_host.clients.web.access import bind
from firmware_host.errors import UserError
from firmware_host.play.kept_match import GUESTS, KeptMatch
from firmware_host.public.address import phones_folder
from hardware.config.layout import PHONE, Layout, LayoutSeat


def with_phones(layout: Layout, hosts: int) -> Layout:
    """Return a layout whose seats are for phones, but for the first `hosts`."""
    phones = (
        LayoutSeat(seat.name, seat.color, phone=f"{PHONE}{number}", language=seat.language)
        for number, seat in enumerate(layout.seats, 1)
        if number > hosts
    )
    return structs.replace(layout, seats=(*layout.seats[:hosts], *phones), service_key=None)


@contextmanager
def open_party(
    host: str, page: socket.socket, events: Path, kept: KeptMatch | None, language: str | None = None
) -> Iterator[PhonesServer]:
    """Listen for phones at this computer's address, on the first free port above the host page's.

    Guests of a resumed match keep their seats. Raises `UserError`.
    """
    folder = phones_folder(events)
    folder.mkdir(mode=0o700, exist_ok=True)
    guests = folder / GUESTS_FILE if kept is None else kept.folder / GUESTS
    with bind(None, host, first=page.getsockname()[1] + 1) as listening:
        yield PhonesServer(listening, folder, events, guests=guests, language=language)


def check_without_guests(kept: KeptMatch | None, layout: Layout) -> None:
    """Raise `UserError` if a resumed match has guests: without a party, anybody may look under their covers."""
    stored = {} if kept is None or kept.scene is None else read_guests(kept.folder / GUESTS)
    if names := [layout.seats[seat].name for seat in sorted(stored) if seat < len(layout.seats)]:
        raise UserError(
            f"the match that goes on has guests ({', '.join(names)}): add --host, or --fresh for another match"
        )
