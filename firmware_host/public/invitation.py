"""The table's present invitation for phones, a file beside the phones' sockets.

`dudo-table phones` writes it while a seat for phones is free. The daemon shows it on its displays, and the TV's page on
this computer's own screen alone. Readers treat it as untrusted: they bound its size, and take an invalid one for
missing.
"""

import asyncio
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from firmware_host.table.invitation import Invitation
from firmware_host.util import atomic_file
from hardware.config import regular_file

FILE_NAME = "invitation.json"
KEY_NAME = "phones.fingerprint"
"""The file beside the public socket with the fingerprint of the table's key, from the daemon."""
MAX_BYTES = 2048
POLL_S = 2.0
"""Seconds between a reader's looks for another code."""

_FINGERPRINT = re.compile(rb"[0-9A-F]{16,32}")
_DECODER = msgspec.json.Decoder(Invitation)


def write(invitation: Invitation | None, folder: Path) -> None:
    """Write the invitation, or remove it. Blocks; raises `OSError`."""
    file = folder / FILE_NAME
    if invitation is None:
        file.unlink(missing_ok=True)
    else:
        atomic_file.write_atomic(file, msgspec.json.encode(invitation).decode())
        file.chmod(0o640)  # whatever the umask: daemon and page are in the folder's group


def read(folder: Path) -> Invitation | None:
    """Return the invitation in a folder, or None. Blocks for a small file."""
    with suppress(OSError, msgspec.MsgspecError, ValueError):
        return _DECODER.decode(regular_file.read(folder / FILE_NAME, MAX_BYTES, flags=os.O_NOFOLLOW))
    return None


def write_key(fingerprint: str, events: Path) -> None:
    """Publish the fingerprint of the table's key beside its public socket. Blocks; raises `OSError`."""
    file = events.with_name(KEY_NAME)
    atomic_file.write_atomic(file, fingerprint)
    file.chmod(0o640)  # as above


def read_key(events: Path) -> str:
    """Return that fingerprint, empty if the table has none. Blocks for a small file."""
    with suppress(OSError):
        found = regular_file.read(events.with_name(KEY_NAME), MAX_BYTES, flags=os.O_NOFOLLOW)
        if _FINGERPRINT.fullmatch(found):
            return found.decode()
    return ""


async def follow(folder: Path, changed: Callable[[Invitation | None], None]) -> None:
    """Call `changed` with each invitation in a folder, and with None when there is none any more. Runs for ever."""
    shown = None
    while True:
        if (found := read(folder)) != shown:
            shown = found
            changed(found)
        await asyncio.sleep(POLL_S)
