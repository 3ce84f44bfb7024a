"""The files of a state folder at a taped session: when each was written, as its time tells everybody who may list it.

The clock of the disk is real, and that of the session is not. So a file is marked with a time of long ago, and one that
has lost its mark was written since the last look.
"""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

_MARK_NS = 10**18
_SOON_S = 5.0
_LEFT_OUT = ("-shm", "album", "matches", ".png")
"""Memory that SQLite maps, whose time is the kernel's; the owner's album; the folder whose time `house` reads."""


class FileTimes:
    """The times of the files of a folder; `record` is given the name of each that was written."""

    def __init__(self, folder: Path, record: Callable[[object], None]) -> None:
        self._folder = folder
        self._record = record
        self._began_s = time.time()
        self._known: set[str] = set()

    def look(self) -> None:
        """Record which files were written or removed since the last look, and every time that is not about now."""
        if self._known and all(map(_is_marked, self._known)):  # and its folder, so the files are the same
            return
        found = {str(self._folder): self._folder.stat()}
        found |= {entry.path: entry.stat() for entry in _entries(str(self._folder))}
        for path in sorted(self._known.difference(found)):
            self._record((path.removeprefix(str(self._folder)), "gone"))
        for path, about in sorted(found.items()):
            if about.st_mtime_ns != _MARK_NS:
                is_now = self._began_s - _SOON_S < about.st_mtime < time.time() + _SOON_S
                self._record((path.removeprefix(str(self._folder)), "now" if is_now else about.st_mtime_ns))
                os.utime(path, ns=(about.st_atime_ns, _MARK_NS))
        self._known = {*found}


def _is_marked(path: str) -> bool:
    """Return whether a file or folder is there and has kept its mark."""
    try:
        return os.stat(path).st_mtime_ns == _MARK_NS
    except FileNotFoundError:
        return False


def _entries(folder: str) -> Iterator["os.DirEntry[str]"]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_LEFT_OUT):
                continue
            yield entry
            if entry.is_dir(follow_symlinks=False):
                yield from _entries(entry.path)
