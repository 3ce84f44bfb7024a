"""A USB drive with an owner's repository, for a table without a network: the files of `make repository`, and a label.

apt sees the drive alone, with lists of its own, and checks it by the key of the package dudo-table-repository. It
copies each package before it checks it: a drive that answers differently the second time is read only once.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware_host.daemon.closing.copies import BackupError
from firmware_host.daemon.closing.sticks import mounted

MAX_DRIVES = 4
"""Labelled drives and partitions that an update looks at."""
KEY = Path("/usr/share/keyrings/dudo-table.gpg")
"""The owner's key, from dudo-table-repository."""
WAYS = ("ro", "ro=vfs")
"""Mount options. A drive that a desktop has mounted to write on can be read-only here, mount(8), not everywhere."""


@contextmanager
def opened(device: str) -> Iterator[tuple[str, ...]]:
    """Mount a drive, and give the apt options with which it is the only repository. Blocks; raises `BackupError`."""
    if not KEY.is_file():
        raise BackupError("this table knows no key for it; install the drive's dudo-table-repository.deb first")
    with tempfile.TemporaryDirectory(prefix="dudo-update-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        for place in (folder, drive := folder / "drive", lists := folder / "lists"):
            place.mkdir(exist_ok=True)
            place.chmod(0o755)  # apt reads as a user of its own
        source = folder / "drive.list"
        source.write_text(f"deb [signed-by={KEY}] copy:{drive} ./\n")
        with mounted(device, drive, *WAYS):
            yield (
                f"Dir::Etc::SourceList={source}",
                "Dir::Etc::SourceParts=/dev/null",
                f"Dir::State::Lists={lists}",
                "Dir::Cache::pkgcache=",
                "Dir::Cache::srcpkgcache=",
            )
