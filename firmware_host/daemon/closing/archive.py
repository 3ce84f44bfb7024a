"""A copy's format: a gzipped tar, first the member `copy.json`, then those known to `mode_of`.

`copies` writes it and `restore` reads it back. A copy may come from a stranger's USB drive, so it has its own reader:
for plain files with known names and bounded sizes, without links, folders and extended headers.
"""

import gzip
import hmac
import io
import json
import os
import re
import stat
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, NamedTuple

from firmware_host.errors import UserError
from firmware_host.util.system_error import reason_of
from hardware.config.problems import escaped

SUFFIX = ".tar.gz"
EXAMPLE = f"such as dudo-table-bar-2026-11-23-040000{SUFFIX}"
HOUSE = "house.sqlite"
OLD_COUNTERS = "counters.toml"
STATE_FILES = (OLD_COUNTERS, "house-rules.toml", "settings.toml", "stand-ins.toml")
"""Files of the state folder that are copied as they are; counters in one of their own are those of an older version."""
MAX_FILE_BYTES = 16 * 1024 * 1024
"""Bytes allowed for a file copied unchanged; a match has some 20 thousand."""
MAX_HOUSE_BYTES = 1 << 30
MAX_BYTES = 4 << 30
"""Bytes allowed for a copy's whole content."""
MAX_MEMBERS = 100_000
MAX_PADDING_BYTES = 1 << 20
"""Zeros after a copy's end; tar fills 10 kB. A terabyte packs into a small file."""
MACHINE_ID = Path("/etc/machine-id")
_SEAL = "copy.json"
_MAX_SEAL_BYTES = 1024
_MAX_NUMBER = 1 << 53
_MODES = (
    (re.compile(r"matches/[0-9A-Za-z-]{1,140}\.dudo"), 0o644),
    (re.compile(r"etc/[^/.\0][^/\0]*\.toml"), 0o644),
    (re.compile("|".join(map(re.escape, (*STATE_FILES, HOUSE)))), 0o600),
)


class Member(NamedTuple):
    """A file in a copy."""

    name: str
    size: int


def mode_of(name: str) -> int | None:
    """Return a member's mode for restoring; None for an unknown name.

    Unprintable names are unknown: they could write to the terminal during a restore.
    """
    if not name.isprintable():
        return None
    return next((mode for pattern, mode in _MODES if pattern.fullmatch(name)), None)


def seal(file: str, number: int) -> bytes:
    """Return the content of `copy.json`: the copy's file name, its number on this USB drive, and a proof for both.

    Only this computer can make the proof: its key is the machine id, confidential by machine-id(5).
    """
    return json.dumps({"file": file, "number": number, "proof": _proof(file, number)}).encode()


def number_of(file: Path) -> int | None:
    """Return the number of a copy made by this computer under this file name; None for anything else."""
    with suppress(OSError, EOFError, zlib.error, ValueError, LookupError, TypeError, RecursionError, tarfile.TarError):
        with _opened(file) as packed:
            entry = tarfile.TarInfo.frombuf(packed.read(tarfile.BLOCKSIZE), "utf-8", "surrogateescape")
            if entry.name != _SEAL or entry.type != tarfile.REGTYPE or not 0 < entry.size <= _MAX_SEAL_BYTES:
                return None
            sealed = json.loads(packed.read(entry.size))
        number, proof = sealed["number"], sealed["proof"]
        if type(number) is int and 0 < number < _MAX_NUMBER and hmac.compare_digest(proof, _proof(file.name, number)):
            return number
    return None


def write(archive: tarfile.TarFile, name: str, content: IO[bytes], size: int) -> None:
    """Add a file. Raises `ValueError` for an unfitting name."""
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, mode_of(name) or 0o644
    archive.addfile(entry, content)


def write_seal(archive: tarfile.TarFile, file: str, number: int) -> None:
    """Add `copy.json`, before anything else."""
    data = seal(file, number)
    write(archive, _SEAL, io.BytesIO(data), len(data))


def members(file: Path) -> Iterator[tuple[Member, gzip.GzipFile]]:
    """Yield a copy's members, each with a file for reading its content before taking the next one.

    Reads to the end, so gzip's checksum is compared. Blocks; raises `UserError` for anything but a copy.
    """
    try:
        with _opened(file) as packed:
            yield from _members(file, packed)
    except (EOFError, gzip.BadGzipFile, zlib.error, tarfile.HeaderError) as error:
        raise UserError(f"{file}: is damaged, or no copy of a table: {error}; take another copy") from error
    except OSError as error:
        raise UserError(f"{file}: can't be read: {reason_of(error)}; name a copy, {EXAMPLE}") from error


def _members(file: Path, packed: gzip.GzipFile) -> Iterator[tuple[Member, gzip.GzipFile]]:
    seen: set[str] = set()
    end, total = 0, 0
    while (block := packed.read(tarfile.BLOCKSIZE)).strip(b"\0"):
        entry = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        name = escaped(entry.name)
        if entry.type != tarfile.REGTYPE:
            raise UserError(f"{file}: {name} in it is no plain file, and a copy has no other; take another copy")
        if (mode_of(entry.name) is None and entry.name != _SEAL) or entry.name in seen:
            raise UserError(f"{file}: no copy of a table has a file {name} here; take another copy")
        seen.add(entry.name)
        total += entry.size
        most = MAX_HOUSE_BYTES if entry.name == HOUSE else MAX_FILE_BYTES
        if not 0 <= entry.size <= most or total > MAX_BYTES or len(seen) > MAX_MEMBERS:
            raise UserError(f"{file}: {name} in it is too large for a copy; take another copy")
        end = packed.tell() + entry.size
        if entry.name != _SEAL:
            yield Member(entry.name, entry.size), packed
        packed.seek(end + -end % tarfile.BLOCKSIZE)
    if not block:
        raise EOFError("it ends too early")
    padding = 0
    while rest := packed.read(1 << 16):
        padding += len(rest)
        if rest.strip(b"\0") or padding > MAX_PADDING_BYTES:
            raise UserError(f"{file}: something follows its end; take another copy")


def _opened(file: Path) -> gzip.GzipFile:
    """Open a regular file for unpacking; raises `OSError`, also for a link, pipe or folder."""
    descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UserError(f"{file}: is not a file; name a copy, {EXAMPLE}")
    return gzip.open(os.fdopen(descriptor, "rb"), "rb")


def _proof(file: str, number: int) -> str:
    key = b""
    with suppress(OSError):
        key = MACHINE_ID.read_bytes().strip()
    return hmac.new(key, f"dudo-table copy {number} {file}".encode(), sha256).hexdigest()
