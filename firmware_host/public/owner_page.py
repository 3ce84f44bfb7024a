"""The address of the owner's page and the code to sign in, in a file: the page writes it, the staff menu shows it.

The page runs beside the daemon, as the same user. The daemon has no network, so it can't know the address.
"""

import os
import re
from pathlib import Path
from typing import NamedTuple

from firmware_host.public.address import SERVICE_SOCKET
from firmware_host.util import atomic_file

SERVICE_FILE = Path("/run/dudo-table-owner/page")
COPY, RECEIVED = "copy.tar.gz", "received.tar.gz"
"""Beside that file: the copy that root made for the page, and the one that a browser sent."""
MAX_COPY_BYTES = 16 << 20
"""Bytes of such a copy; 3.1 MB have 812 matches."""
MAX_BYTES = 64
CODE_DIGITS = 8
_CONTENT = re.compile(r"([0-9.]{7,15}:[0-9]{1,5})\n([0-9]{4} [0-9]{4})\n", re.ASCII)


class OwnerPage(NamedTuple):
    """An address with its port, and a code in two groups of digits."""

    address: str
    code: str


def path_of(events: Path) -> Path:
    """Return the file's path for a table with its public socket at `events`."""
    return SERVICE_FILE if events == SERVICE_SOCKET else events.with_name(f"{events.name}.owner")


def read(path: Path) -> OwnerPage | None:
    """Return the file's content, None without a page. Raises `OSError`."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with open(descriptor, "rb") as file:
        found = _CONTENT.fullmatch(file.read(MAX_BYTES).decode(errors="replace"))
    return None if found is None else OwnerPage(*found.groups())


def write(path: Path, page: OwnerPage) -> None:
    """Write the file, for its owner alone. Raises `OSError`."""
    atomic_file.write_atomic(path, f"{page.address}\n{page.code}\n", mode=0o600)
