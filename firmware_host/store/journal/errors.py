"""Journal errors: problem and remedy for the owner, and an alert for the players."""

import errno
import sqlite3
from pathlib import Path

from firmware_host.table.health import Alert
from firmware_host.util.system_error import reason_of, sqlite_code

NEW_FILE = "move it away to begin again"
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
_NOT_A_JOURNAL = ("is not a journal", NEW_FILE)


class JournalError(OSError):
    """A journal that can't be opened, read or written. The message has the file, the problem and the remedy.

    `alert` is `JOURNAL_RESET` if the file itself is at fault, else the disk's. Where SQLite can't tell them apart,
    `alert` is a guess and `may_be_file_damage` is true.
    """

    def __init__(
        self,
        path: Path,
        problem: str,
        remedy: str,
        alert: Alert = Alert.JOURNAL_RESET,
        *,
        may_be_file_damage: bool = False,
    ) -> None:
        super().__init__(f"{path}: {problem}; {remedy}")
        self.problem = problem
        self.alert = alert
        self.may_be_file_damage = may_be_file_damage

    def blame_the_disk(self) -> None:
        """Blame the disk for damage to a new file."""
        if self.alert is Alert.JOURNAL_RESET:
            self.alert = Alert.DISK_FAILS


class NewerJournalError(JournalError):
    """A journal written by a later version."""


def journal_error(path: Path, action: str, error: OSError | sqlite3.Error) -> JournalError:
    """Return the error for a failed `action`, such as "opened"."""
    problem, remedy = explain(error)
    is_guess = isinstance(error, sqlite3.Error) and sqlite_code(error) in (
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
    )
    message = f"cannot be {action}: {problem}"
    return JournalError(path, message, remedy, _alert(error, problem), may_be_file_damage=is_guess)


def explain(error: OSError | sqlite3.Error) -> tuple[str, str]:
    """Return the problem and its remedy."""
    if isinstance(error, OSError):
        known = _OF_SYSTEM.get(error.errno or 0)
        return known or (reason_of(error), _OTHER_FOLDER)
    primary = sqlite_code(error)
    if primary == sqlite3.SQLITE_NOTADB:
        return _NOT_A_JOURNAL
    return _OF_SQLITE.get(primary) or ("is damaged", NEW_FILE)


def needs_new_file(error: OSError | sqlite3.Error) -> bool:
    """Return whether the file is at fault rather than the disk."""
    return explain(error)[1] == NEW_FILE


def _alert(error: OSError | sqlite3.Error, problem: str) -> Alert:
    if needs_new_file(error):
        return Alert.JOURNAL_RESET
    return Alert.DISK_FULL if problem == _FULL[0] else Alert.DISK_FAILS
