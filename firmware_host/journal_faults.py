"""Why a journal can't be used, and what mends that, in the owner's words: for `firmware_host.journal`."""

import errno
import sqlite3

ANEW = "move it away to begin anew"
_OTHER_FOLDER = "name another folder with --state"
_NO_RIGHT = ("you may not read and write it", "give it to the user that runs the table, or " + _OTHER_FOLDER)
_NO_WRITING = ("the disk lets nothing be written", _OTHER_FOLDER)
_FULL = ("the disk is full", "make room on it")
_BAD_DISK = ("the disk does not do it", "try again; if it stays so, the card or disk is failing")

_OF_SYSTEM = {
    errno.EACCES: _NO_RIGHT,
    errno.EPERM: _NO_RIGHT,
    errno.EROFS: _NO_WRITING,
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EIO: _BAD_DISK,
    errno.EISDIR: ("is a directory", ANEW),
    errno.ENOTDIR: ("its folder is a file", _OTHER_FOLDER),
}
_OF_SQLITE = {
    sqlite3.SQLITE_NOTADB: ("is not a journal", ANEW),
    sqlite3.SQLITE_CORRUPT: ("is damaged", ANEW),
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR: _BAD_DISK,
    sqlite3.SQLITE_READONLY: _NO_WRITING,
    sqlite3.SQLITE_PERM: _NO_RIGHT,
    sqlite3.SQLITE_CANTOPEN: _NO_RIGHT,
    sqlite3.SQLITE_BUSY: ("another program is writing to it", "close that one and start again"),
    sqlite3.SQLITE_LOCKED: ("another program is writing to it", "close that one and start again"),
}


def because(error: OSError | sqlite3.Error) -> tuple[str, str]:
    """What is wrong and what to do about it."""
    if isinstance(error, OSError):
        known = _OF_SYSTEM.get(error.errno or 0)
        return known or ((error.strerror or str(error)).lower(), _OTHER_FOLDER)
    primary = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the bytes above it say more than an owner needs
    return _OF_SQLITE.get(primary) or (f"is damaged: {error}", ANEW)
