"""The invitation: the table's present code and its address, a file beside the phones' sockets for the TV at the Pi.

`dudo-table phones` writes it while a seat for phones is free; the TV's page shows it on this computer's own screen
alone. Readers treat it as untrusted: they bound its size, and take an invalid one for missing.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec

from firmware_host.util import atomic_file
from hardware.config import regular_file

FILE_NAME = "invitation.json"
MAX_BYTES = 1024
POLL_S = 2.0
"""Seconds between a reader's looks for another code."""


class Invitation(msgspec.Struct, frozen=True):
    """The address that a person types, and the code there."""

    address: Annotated[str, msgspec.Meta(min_length=1, max_length=256)]
    code: Annotated[str, msgspec.Meta(min_length=1, max_length=32)]

    @property
    def link(self) -> str:
        """The address with the code as a fragment: browsers keep that out of servers and logs."""
        return f"{self.address}#{self.code}"


_DECODER = msgspec.json.Decoder(Invitation)


def write(invitation: Invitation | None, folder: Path) -> None:
    """Write the invitation, or remove it. Blocks; raises `OSError`."""
    file = folder / FILE_NAME
    if invitation is None:
        file.unlink(missing_ok=True)
    else:
        atomic_file.write_atomic(file, msgspec.json.encode(invitation).decode())
        file.chmod(0o640)  # whatever the umask: the page's user is in the folder's group


def read(folder: Path) -> Invitation | None:
    """Return the invitation in a folder, or None. Blocks for a small file."""
    with suppress(OSError, msgspec.MsgspecError, ValueError):
        return _DECODER.decode(regular_file.read(folder / FILE_NAME, MAX_BYTES, flags=os.O_NOFOLLOW))
    return None
