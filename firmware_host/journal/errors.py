"""Why a journal can't be used, what mends that, in the owner's words, and what it is to the players."""

import errno
import sqlite3
from pathlib import Path

from firmware_host.table.health import Alert

NEW_FILE = "move it away to begin anew"
_OTHER_FOLDER = "name another folder with --state"
_NO_RIGHT = ("you may not read and write it", "give it to the user that runs the table, or " + _OTHER_FOLDER)
_NO_WRITING = ("the disk lets nothing be written", _OTHER_FOLDER)
_FULL = ("the disk is full", "make room on it")
_BAD_DISK = ("the disk does not do it", "try again; if it stays so, the card or disk is failing")
_BUSY = ("another program is writing to it", "close that one")

_OF_SYSTEM = {
    errno.EACCES: _NO_RIGHT,
    errno.EPERM: _NO_RIGHT,
    errno.EROFS: _NO_WRITING,
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _FULL,
    errno.EIO: _BAD_DISK,
    errno.EISDIR: ("is a directory", NEW_FILE),
    errno.ENOTDIR: ("its folder is a file", _OTHER_FOLDER),
}
_OF_SQLITE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR: _BAD_DISK,
    sqlite3.SQLITE_READONLY: _NO_WRITING,
    sqlite3.SQLITE_PERM: _NO_RIGHT,
    sqlite3.SQLITE_CANTOPEN: _NO_RIGHT,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_NOMEM: ("there is no memory left", "give it more, or close other programs"),
}
_NOT_ONE = ("is not a journal", NEW_FILE)


class JournalError(OSError):
    """A journal that cannot be opened, read or written; says which file, what is wrong, and what to do.

    `trouble` is what it is to who plays: `JOURNAL_ANEW` if the file itself is at fault, else the disk's. SQLite can't
    always tell: then it is a guess, `may_be_the_file`.
    """

    def __init__(
        self,
        path: Path,
        problem: str,
        remedy: str,
        trouble: Alert = Alert.JOURNAL_RESET,
        *,
        may_be_file_damage: bool = False,
    ) -> None:
        super().__init__(f"{path}: {problem}; {remedy}")
        self.problem = problem
        self.trouble = trouble
        self.may_be_file_damage = may_be_file_damage

    def blame_the_disk(self) -> None:
        """The file has only just been made: a disk that damages it at once fails."""
        if self.trouble is Alert.JOURNAL_RESET:
            self.trouble = Alert.DISK_FAILS


class NewerJournalError(JournalError):
    """A journal that a later version has written."""


def journal_error(path: Path, done: str, error: OSError | sqlite3.Error) -> JournalError:
    """The error for what could not be `done`, such as "opened"."""
    problem, remedy = explain(error)
    guessed = isinstance(error, sqlite3.Error) and _primary(error) in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
    told = f"cannot be {done}: {problem}"
    return JournalError(path, told, remedy, _trouble(error, problem), may_be_file_damage=guessed)


def explain(error: OSError | sqlite3.Error) -> tuple[str, str]:
    """What is wrong and what to do about it."""
    if isinstance(error, OSError):
        known = _OF_SYSTEM.get(error.errno or 0)
        return known or ((error.strerror or str(error)).lower(), _OTHER_FOLDER)
    primary = _primary(error)
    if primary == sqlite3.SQLITE_NOTADB:
        return _NOT_ONE
    return _OF_SQLITE.get(primary) or ("is damaged", NEW_FILE)


def _trouble(error: OSError | sqlite3.Error, problem: str) -> Alert:
    if needs_new_file(error):
        return Alert.JOURNAL_RESET
    return Alert.DISK_FULL if problem == _FULL[0] else Alert.DISK_FAILS


def needs_new_file(error: OSError | sqlite3.Error) -> bool:
    """Whether no disk is at fault."""
    return explain(error)[1] == NEW_FILE


def _primary(error: sqlite3.Error) -> int:
    """SQLite's code without the bytes that say more than an owner needs."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
