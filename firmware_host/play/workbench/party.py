"""A party: the guests' address for the table of `dudo-table play --host`, and the guests.

This computer's page stays on loopback and is the host's; guests come to a separate port, which gives away only a code
page without a seat's code or cookie (`guest_app`).
"""

import json
import logging
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from firmware_host.clients.web.access import bind
from firmware_host.clients.web.addresses import reachable_at
from firmware_host.errors import UserError
from firmware_host.play.kept_match import GUESTS, KeptMatch
from firmware_host.play.workbench.guests import Guests
from firmware_host.util.atomic_file import write_atomic
from firmware_host.util.system_error import reason_of
from firmware_host.wire import Seat

MAX_FILE_BYTES = 1 << 14

log = logging.getLogger("dudo-table")


@dataclass(frozen=True)
class Party:
    """A party's listening socket, public address, and seats."""

    listening: socket.socket
    address: str
    guests: Guests = field(repr=False)

    def link(self, seat: Seat) -> str:
        """Return the address with a seat's code as a fragment: browsers keep that out of servers and logs."""
        return f"{self.address}#{self.guests.code(seat)}"


@contextmanager
def open_party(host: str, page: socket.socket, names: Sequence[str], kept: KeptMatch | None) -> Iterator[Party]:
    """Listen for guests at this computer's address, on the first free port above the host page's.

    Guests of a resumed match keep their seats. Raises `UserError`.
    """
    with bind(None, host, first=page.getsockname()[1] + 1) as listening:
        file = None if kept is None else kept.folder / GUESTS
        guests = Guests(names, stored=stored_guests(kept), save=lambda digests: _write(file, digests))
        yield Party(listening, f"http://{reachable_at(host)}:{listening.getsockname()[1]}/", guests)


def stored_guests(kept: KeptMatch | None) -> Mapping[str, str]:
    """Return a resumed match's guests: the digest of each token, by seat name."""
    return {} if kept is None or kept.scene is None else _read(kept.folder / GUESTS)


def check_without_guests(kept: KeptMatch | None) -> None:
    """Raise `UserError` if a resumed match has guests: without a party, anybody may look under their covers."""
    if seats := [*stored_guests(kept)]:
        raise UserError(
            f"the match that goes on has guests ({', '.join(seats)}): add --host, or --fresh for another match"
        )


def _read(file: Path) -> dict[str, str]:
    """Return the stored token digests, empty if the file differs from `_write`'s format."""
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
