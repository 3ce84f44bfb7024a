"""Names entered by players, `names.sqlite`: this evening's, each match's, and the regulars'.

Names are personal data, so they stay out of the chain, the records, the journal and the log. A deleted row is
overwritten. Statistics read match names here (`house.database`), the daemon reads and writes the evening's, and
`dudo-table names` shows and removes them. Every call blocks.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import date, timedelta
from pathlib import Path
from unicodedata import normalize

from engine import Player
from firmware_host.table.seat.names import MAX_CHARACTERS, MAX_REGULARS, NameOptions, is_spellable
from firmware_host.util import state_dir
from firmware_host.util.system_error import reason_of
from firmware_host.wire import Seat, enumerate_seats
from hardware.config import regular_file
from hardware.config.problems import FileError, Problem, preview

FILE_NAME = "names.sqlite"
SCHEMA = 1
LOCKED_S = 2.0
MAX_FILE_BYTES = 1 << 16
_CREATE = f"""
PRAGMA user_version = {SCHEMA};
CREATE TABLE evening(seat TEXT PRIMARY KEY, day TEXT, name TEXT) WITHOUT ROWID;
CREATE TABLE matches(match TEXT, player INTEGER, day TEXT, name TEXT, PRIMARY KEY(match, player)) WITHOUT ROWID;
CREATE TABLE regulars(name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE changes(match TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID;
CREATE TABLE wishes(days INTEGER, public INTEGER);
"""

log = logging.getLogger("dudo-table")


class RegularsError(FileError):
    """An unusable list of regulars."""


class NameBook:
    """The names in a state folder. Methods raise `sqlite3.Error` or `OSError` if the file can't be used.

    A damaged file, or one from another version, is replaced by an empty one, because its content exists only there.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME

    # The daemon

    def options(self, places: Sequence[str], day: str) -> NameOptions:
        """Return the known players at a table with these seat names on a day's evening."""
        with self._open() as book:
            book.execute("DELETE FROM evening WHERE day != ?", (day,))
            known: dict[str, str] = dict(book.execute("SELECT seat, name FROM evening"))
            rows = book.execute("SELECT name FROM regulars ORDER BY name COLLATE NOCASE")
            regulars = tuple(name for (name,) in rows if _is_usable(name))
        known = {seat: name for seat, name in known.items() if not name or _is_usable(name)}
        names = tuple(known.get(place, "") for place in places)
        skipped = tuple(seat for seat, place in enumerate_seats(places) if known.get(place) == "")
        return NameOptions(True, names=names, skipped=skipped, regulars=regulars[:MAX_REGULARS])

    def keep_evening(self, places: Sequence[str], names: Sequence[str], skipped: Iterable[Seat], day: str) -> None:
        """Save the players' names by seat name, and the seats that refused."""
        rows = [(places[seat], day, name) for seat, name in enumerate(names) if name]
        rows += [(places[seat], day, "") for seat in skipped]
        with self._open() as book:
            book.execute("DELETE FROM evening")
            book.executemany("INSERT OR REPLACE INTO evening VALUES (?, ?, ?)", rows)

    def keep_match(self, match: str, names: Sequence[str], day: str) -> None:
        """Save a match's player names, in its own order, in place of earlier ones."""
        wanted = {player: name for player, name in enumerate(names) if name}
        with self._open() as book:
            if dict(book.execute("SELECT player, name FROM matches WHERE match = ?", (match,))) == wanted:
                return
            book.execute("DELETE FROM matches WHERE match = ?", (match,))
            _note_changes(book, [match])
            rows = [(match, player, day, name) for player, name in wanted.items()]
            book.executemany("INSERT INTO matches VALUES (?, ?, ?, ?)", rows)

    def set_wishes(self, days: int, *, public: bool) -> None:
        """Note for how many days to keep names, and whether they are public."""
        with self._open() as book:
            if book.execute("SELECT days, public FROM wishes").fetchall() != [(days, public)]:
                book.execute("DELETE FROM wishes")
                book.execute("INSERT INTO wishes VALUES (?, ?)", (days, public))

    def forget_evening(self) -> None:
        """Forget this evening's names and make all names private, as the owner wants."""
        if not self.path.exists():
            return
        with self._open() as book:
            book.execute("DELETE FROM evening")
            book.execute("UPDATE wishes SET public = 0")

    def are_public(self) -> bool:
        """Return whether the owner wants names to be public."""
        if not self.path.exists():
            return False
        with self._open(to_read=True) as book:
            return bool(book.execute("SELECT coalesce(max(public), 0) FROM wishes").fetchone()[0])

    def expire(self, evening: str) -> None:
        """Forget match names after the configured days; with 1, the previous evening's."""
        if not self.path.exists():
            return
        with self._open() as book:
            days = int(book.execute("SELECT coalesce(max(days), 0) FROM wishes").fetchone()[0])
            before = (date.fromisoformat(evening) - timedelta(days=days - 1)).isoformat()
            _note_changes(book, _matches_where(book, "day < ?", before))
            book.execute("DELETE FROM matches WHERE day < ?", (before,))

    # The owner

    def known(self) -> Mapping[str, tuple[int, bool, bool]]:
        """Return each name, with its number of matches, and whether it is a regular's and this evening's."""
        if not self.path.exists():
            return {}
        with self._open(to_read=True) as book:
            matches = dict(book.execute("SELECT name, count(*) FROM matches GROUP BY name"))
            regulars = {name for (name,) in book.execute("SELECT name FROM regulars")}
            evening = {name for (name,) in book.execute("SELECT name FROM evening WHERE name != ''")}
        names = sorted({*matches, *regulars, *evening}, key=str.casefold)
        return {name: (matches.get(name, 0), name in regulars, name in evening) for name in names}

    def remove(self, name: str) -> int:
        """Forget a name everywhere, in small or capital letters. Return the number of affected rows."""
        wanted = normalize("NFC", name).casefold()
        removed = 0
        with self._open() as book:
            for table in ("evening", "matches", "regulars"):
                found = {each for (each,) in book.execute(f"SELECT DISTINCT name FROM {table}")}
                for each in found:
                    if each and each.casefold() == wanted:
                        if table == "matches":
                            _note_changes(book, _matches_where(book, "name = ?", each))
                        removed += book.execute(f"DELETE FROM {table} WHERE name = ?", (each,)).rowcount
        return removed

    def remove_all(self) -> int:
        """Forget all names. Return the number of affected rows."""
        with self._open() as book:
            _note_changes(book, _matches_where(book, "name != ?", ""))
            return sum(book.execute(f"DELETE FROM {table}").rowcount for table in ("evening", "matches", "regulars"))

    def set_regulars(self, names: Iterable[str]) -> None:
        """Replace the list of regulars."""
        with self._open() as book:
            book.execute("DELETE FROM regulars")
            book.executemany("INSERT OR IGNORE INTO regulars VALUES (?)", [(name,) for name in names])

    # Figures

    def changed_since(self, number: int) -> tuple[int, list[str]]:
        """Return the number of the last change, and the matches with names changed after a given change."""
        if not self.path.exists():
            return 0, []
        with self._open(to_read=True) as book:
            rows = book.execute("SELECT number, match FROM changes WHERE number > ?", (number,)).fetchall()
            last: int = book.execute("SELECT coalesce(max(number), 0) FROM changes").fetchone()[0]
        return last, [match for _, match in rows]

    @contextmanager
    def lookup(self) -> Iterator[Callable[[str], Mapping[Player, str]]]:
        """Yield a function that returns a match's players' names, by their number in it."""
        if not self.path.exists():
            yield lambda match: {}
            return
        query = "SELECT player, name FROM matches WHERE match = ?"
        with self._open(to_read=True) as book:
            yield lambda match: {player: name for player, name in book.execute(query, (match,)) if _is_usable(name)}

    # The file

    @contextmanager
    def _open(self, *, to_read: bool = False) -> Iterator[sqlite3.Connection]:
        """Yield the open file in a transaction. A damaged file is replaced before the block begins.

        If the file can't be written, a read-only block gets a copy.
        """
        state_dir.require_file(self.path, "names are kept in a new one")
        try:
            state_dir.create_file(self.path, 0o600)
        except OSError:
            if not to_read:
                raise
            with closing(copy_in_ram(self.path)) as copy:
                _prepare(copy)
                yield copy
            return
        book = sqlite3.connect(self.path, isolation_level=None, timeout=LOCKED_S)
        try:
            try:
                _prepare(book)
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                book.close()
                log.warning("%s: %s; a new one takes its place, and the names in it are lost", self.path, error)
                self.path.unlink()
                state_dir.create_file(self.path, 0o600)
                book = sqlite3.connect(self.path, isolation_level=None, timeout=LOCKED_S)
                _prepare(book)
            book.execute("BEGIN IMMEDIATE")
            try:
                yield book
            except BaseException:
                book.execute("ROLLBACK")
                raise
            book.execute("COMMIT")
        finally:
            book.close()


def copy_in_ram(file: Path) -> sqlite3.Connection:
    """Return a read-only database's content. Raises `OSError` or `sqlite3.DatabaseError`."""
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as kept:
        copy = sqlite3.connect(":memory:", isolation_level=None)
        try:
            kept.backup(copy)
        except BaseException:
            copy.close()
            raise
    return copy


def read_regulars(path: Path) -> tuple[str, ...]:
    """Return the names in a text file, one per line; lines that begin with # are notes. Raises `RegularsError`."""
    try:
        with open(regular_file.opened(path), "rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        why = reason_of(error)
        raise _error(path, "", "", f"can't be read: {why}", "name a text file with a name in each line") from error
    if len(content) > MAX_FILE_BYTES:
        raise _error(path, "", "", f"has more than {MAX_FILE_BYTES} bytes", f"keep it to {MAX_REGULARS} names")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise _error(path, f"line {line}", "", "is not UTF-8", "save the file as UTF-8 text") from None
    names: dict[str, str] = {}
    for number, written in enumerate(text.splitlines(), start=1):
        name = normalize("NFC", written.strip())
        if not name or name.startswith("#"):
            continue
        if problem := problem_of(name):
            raise _error(path, f"line {number}", preview(name), *problem)
        if name.casefold() in names:
            raise _error(path, f"line {number}", preview(name), "stands there twice", "give one of them another name")
        names[name.casefold()] = name
        if len(names) > MAX_REGULARS:
            remedy = f"keep the {MAX_REGULARS} who come most"
            raise _error(path, f"line {number}", preview(name), f"is one name more than {MAX_REGULARS}", remedy)
    return tuple(names.values())


def problem_of(name: str) -> tuple[str, str] | None:
    """Return the fault in a regular's name, with the remedy."""
    if not is_spellable(name):
        return "has characters that can't be entered, or no letter", "write letters and digits"
    if len(name) > MAX_CHARACTERS:
        return f"has {len(name)} characters, there is room for {MAX_CHARACTERS}", "shorten it"
    return None


def _is_usable(name: object) -> bool:
    """Return whether this program may have written this name into the file."""
    return isinstance(name, str) and problem_of(name) is None


def _error(path: Path, key: str, value: str, message: str, remedy: str) -> RegularsError:
    return RegularsError(str(path), [Problem(key, value, message, remedy)])


def _matches_where(book: sqlite3.Connection, condition: str, value: str) -> list[str]:
    return [match for (match,) in book.execute(f"SELECT DISTINCT match FROM matches WHERE {condition}", (value,))]


def _note_changes(book: sqlite3.Connection, matches: Sequence[str]) -> None:
    """Note changed names in these matches, for statistics made earlier."""
    number = book.execute("SELECT coalesce(max(number), 0) + 1 FROM changes").fetchone()[0]
    book.executemany("INSERT OR REPLACE INTO changes VALUES (?, ?)", [(match, number) for match in matches])


def _prepare(book: sqlite3.Connection) -> None:
    """Check the file's version and content, and make its tables if it is new."""
    book.execute("PRAGMA secure_delete = ON")
    version = book.execute("PRAGMA user_version").fetchone()[0]
    if version == 0 and not book.execute("SELECT 1 FROM sqlite_master").fetchone():
        book.executescript(f"BEGIN;{_CREATE}COMMIT;")
    elif version != SCHEMA:
        raise sqlite3.DatabaseError(f"has schema {version}, this program knows {SCHEMA}")
