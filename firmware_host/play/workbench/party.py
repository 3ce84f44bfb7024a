"""A party: the address at which guests reach the table of `dudo-table play --host`, and who they are.

The page of this computer stays on loopback and is the host's; guests come to a port of their own, where nobody gets
anything without the code or the cookie of a seat (`guest_app`).
"""

import json
import logging
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from firmware_host.clients.web.access import bind
from firmware_host.clients.web.addresses import EVERY_ADDRESS, own_addresses
from firmware_host.errors import UserError
from firmware_host.play.kept_match import GUESTS, KeptMatch
from firmware_host.play.workbench.guests import Guests
from firmware_host.util.atomic_file import write_atomic
from firmware_host.util.system_error import reason_of

MAX_FILE_BYTES = 1 << 14

log = logging.getLogger("dudo-table")


@dataclass(frozen=True)
class Party:
    """What guests need: a socket that listens for them, the address to tell them, and their seats."""

    listening: socket.socket
    address: str
    guests: Guests = field(repr=False)

    def link(self, seat: int) -> str:
        """Return the address with the code of a seat, as a fragment: no browser sends one to a server or a log."""
        return f"{self.address}#{self.guests.code(seat)}"


@contextmanager
def open_party(host: str, page: socket.socket, names: Sequence[str], kept: KeptMatch | None) -> Iterator[Party]:
    """Listen for guests at an address of this computer, on the first free port above that of the host's page.

    Guests of a match that goes on keep their seats. Raises `UserError`.
    """
    with bind(None, host, first=page.getsockname()[1] + 1) as listening:
        file = None if kept is None else kept.folder / GUESTS
        guests = Guests(names, stored=stored_guests(kept), save=lambda digests: _write(file, digests))
        named = own_addresses()[0] if host == EVERY_ADDRESS else host
        yield Party(listening, f"http://{named}:{listening.getsockname()[1]}/", guests)


def stored_guests(kept: KeptMatch | None) -> Mapping[str, str]:
    """Return the guests of a match that goes on: the digest of each one's token, by the name of the seat."""
    return {} if kept is None or kept.scene is None else _read(kept.folder / GUESTS)


def check_without_guests(kept: KeptMatch | None) -> None:
    """Raise `UserError` if a match that goes on has guests: without a party everybody may look under their covers."""
    if seats := [*stored_guests(kept)]:
        raise UserError(
            f"the match that goes on has guests ({', '.join(seats)}): add --host, or --fresh for another match"
        )


def _read(file: Path) -> dict[str, str]:
    """Return the stored digests of tokens, none from a file that is not as `_write` left it."""
    try:
        with file.open("rb") as stream:
            stored = json.loads(stream.read(MAX_FILE_BYTES))
        return {name: digest for name, digest in stored.items() if isinstance(digest, str) and digest}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError, RecursionError):
        log.warning("%s: is damaged; guests need the new codes of their seats", file)
        return {}


def _write(file: Path | None, digests: Mapping[str, str]) -> None:
    if file is None:
        return
    try:
        write_atomic(file, json.dumps(digests))
    except OSError as error:
        with suppress(OSError):
            file.unlink()  # it still lets in a guest whose seat was taken back
        log.warning("%s: can't be written: %s; after a restart guests need new codes", file, reason_of(error))
