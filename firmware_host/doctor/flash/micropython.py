"""MicroPython for a Pico: a UF2 file that the owner downloads once. `flashing` checks it before it touches a board.

The Pico itself accepts any UF2 file for its chip, also half of one.
"""

import hashlib
import re
import struct
from pathlib import Path

from msgspec import Struct

from firmware_host.errors import UserError
from hardware.config import regular_file

ACCEPTED = ("1.24", "1.25", "1.26", "1.27", "1.28", "1.29")
"""The MicroPython versions on which the program runs; each with its patch releases."""
CHIPS = {0xE48BFF56: "RPI-RP2", 0xE48BFF59: "RP2350"}
"""Labels of the chips' boot drives, by UF2 family."""
DOWNLOAD = "download the file for your Pico from micropython.org/download"
MAX_BYTES = 16 << 20
BLOCK = 512
_BEGIN = 0x9E5D51570A324655
_END = 0x0AB16F30
_ABSOLUTE = 0xE48BFF57
"""Family of a block before an RP2350's program: a work-around for an erratum of its boot mode."""


class MicroPython(Struct, frozen=True):
    """A checked file."""

    version: str
    drive: str
    """Label of the boot drive of the chip it is for."""
    sha256: str
    data: bytes


def read(path: Path, sha256: str = "") -> MicroPython:
    """Read and check a file, also against a SHA-256 if given. UserError for one that no board should get."""
    try:
        data = regular_file.read(path, MAX_BYTES)
    except OSError as error:
        raise _fault(path, f"can't be read: {error.strerror}", DOWNLOAD) from error
    families, program = _blocks(path, data)
    found = hashlib.sha256(data).hexdigest()
    if sha256 and found != sha256.casefold():
        raise _fault(path, f"has the SHA-256 {found}", DOWNLOAD)
    version = re.search(rb"MicroPython v(\d+\.\d+)([-.\w]*)", program)
    if version is None:
        raise _fault(path, "is no MicroPython", DOWNLOAD)
    if version[1].decode() not in ACCEPTED:
        wanted = f"download one of {ACCEPTED[0]} to {ACCEPTED[-1]} from micropython.org/download"
        raise _fault(path, f"is MicroPython {(version[1] + version[2]).decode()}", wanted)
    if len(families) != 1 or not families <= CHIPS.keys():
        raise _fault(path, "is for another chip than a Pico's", DOWNLOAD)
    return MicroPython((version[1] + version[2]).decode(), CHIPS[families.pop()], found, data)


def _blocks(path: Path, data: bytes) -> tuple[set[int], bytes]:
    """Return a file's families and program. UserError if a block is missing or out of order."""
    families: set[int] = set()
    program: list[bytes] = []
    expected = 0
    for at in range(0, len(data), BLOCK):
        block = data[at : at + BLOCK].ljust(BLOCK, b"\0")
        begin, _, _, size, number, count, family = struct.unpack_from("<Q6I", block)
        if (begin, struct.unpack_from("<I", block, BLOCK - 4)[0]) != (_BEGIN, _END):
            raise _fault(path, "is no UF2 file, or a damaged one", DOWNLOAD)
        if family == _ABSOLUTE:
            continue
        if number != expected:
            raise _fault(path, f"lacks block {expected}", DOWNLOAD)
        families.add(family)
        program.append(block[32 : 32 + min(size, 476)])
        expected = number + 1
        if at + BLOCK >= len(data) and expected != count:
            raise _fault(path, f"has {expected} of {count} blocks", DOWNLOAD)
    if not program:
        raise _fault(path, "is empty", DOWNLOAD)
    return families, b"".join(program)


def _fault(path: Path, fault: str, remedy: str) -> UserError:
    return UserError(f"{path}: {fault}; {remedy}")
