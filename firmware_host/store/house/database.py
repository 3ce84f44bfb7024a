"""The house's memory, `house.sqlite`: facts from all kept matches. It can be rebuilt from their files.

It has a row for each match and for each player in one. A file is read once, when its name is new. A changed file, such
as a reopened match's, is read again with all later ones: streaks depend on the order.

Players there are seats. Where players have entered names, `players.sqlite` has the same data under those: only its
owner can read it, it is never copied, and it follows each change and removal of a name.
"""

import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from stat import S_ISDIR
from typing import TypeVar

from engine import Player
from engine.notation.score import Ruling, ScoreError
from firmware_host.errors import UserError
from firmware_host.store.house import counters
from firmware_host.store.house.facts import NOBODY, MatchFacts, PlayerFacts, facts_of
from firmware_host.store.house.names import NameBook, copy_in_ram
from firmware_host.store.scores.score_file import read_scores
from firmware_host.util import state_dir
from firmware_host.util.system_error import reason_of
from hardware.config.problems import FileError

FILE_NAME = counters.FILE
NAMED_FILE = "players.sqlite"
SCHEMA = 3
LOCK_FILE = "figures.lock"
TURN_S = 110.0
"""Seconds for which a process waits for another one's figures: less than its limit in `daemon.answers.FIGURES`."""
LOCKED_S = 5.0
_POLL_S = 0.02
_BATCH = 500
"""Files in a transaction, lost by an interruption."""
_CREATE = f"""
PRAGMA user_version = {SCHEMA};
CREATE TABLE folder(changed_ns INTEGER, names INTEGER);
CREATE TABLE files(id INTEGER PRIMARY KEY, name TEXT UNIQUE, match TEXT, problem TEXT, changed_ns INTEGER);
CREATE TABLE names(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE matches(id INTEGER PRIMARY KEY, file INTEGER, day TEXT, rules TEXT, players INTEGER, rounds INTEGER,
    actions INTEGER, is_over INTEGER);
CREATE TABLE players(match INTEGER, name INTEGER, has_won INTEGER, bids INTEGER, dudo_right INTEGER, dudo_wrong INTEGER,
    exact_right INTEGER, exact_wrong INTEGER, is_comeback INTEGER, streak INTEGER, slain INTEGER, missing INTEGER,
    quantity INTEGER, face INTEGER);
CREATE INDEX by_match ON players(match);
CREATE INDEX by_file ON matches(file);
"""

T = TypeVar("T")
Progress = Callable[[Sequence[str]], Iterable[str]]
"""Returns the given names one by one, and shows the progress."""


def remembered(
    folder: Path,
    read: Callable[[sqlite3.Connection], T],
    *,
    rebuild: bool = False,
    progress: Progress = iter,
    public: bool = False,
) -> T:
    """Return the result of `read` on the house's memory in `folder`, updated from the files in its `matches`.

    A damaged file, or one from another version, is rebuilt. If the folder can't be written, the memory is brought up to
    date in RAM. Players have their entered names; for `public` use only if the owner allows it (`names_public`). Raises
    `UserError` if another program has locked the file, or if it is not a file.
    """
    matches, book = folder / "matches", NameBook(folder)
    try:
        is_there = S_ISDIR(matches.stat().st_mode)  # is_dir() is false where Python 3.14 may not look
    except (FileNotFoundError, NotADirectoryError):
        is_there = False
    except OSError as error:
        raise UserError(f"{matches}: {reason_of(error)}; run it with sudo") from error
    if not is_there:
        raise UserError(f"{matches}: there is no such folder, so no match was kept; {_folder_of_play(folder)}")
    named = _has_names(book, public=public)
    file = folder / (NAMED_FILE if named else FILE_NAME)
    with _turn(folder):
        if not rebuild:
            try:
                return _read(file, matches, read, progress, book if named else None, discard=False)
            except sqlite3.DatabaseError as error:
                if _is_locked(error):
                    raise _refusal(file, error) from error
        try:
            return _read(file, matches, read, progress, book if named else None, discard=True)
        except sqlite3.DatabaseError as error:
            raise _refusal(file, error) from error


def _folder_of_play(folder: Path) -> str:
    """Return where else the matches may be: in the folders of `dudo-table play` below the user's state folder."""
    with suppress(OSError):
        if kept := sorted(folder.glob("*/*/matches"), key=os.path.getmtime):
            return f"dudo-table play keeps those of its last table in --state {kept[-1].parent}"
    return "name the state folder with --state"


def problems(house: sqlite3.Connection) -> list[str]:
    """Return the faults in unreadable files, a line each."""
    return [problem for (problem,) in house.execute("SELECT problem FROM files WHERE problem NOT NULL ORDER BY name")]


def _has_names(book: NameBook, *, public: bool) -> bool:
    """Return whether players have the names in a book: it is readable, and public use is allowed."""
    if not book.path.exists():
        return False
    try:
        return book.are_public() or not public
    except sqlite3.Error as error:
        if _is_locked(error):
            raise _refusal(book.path, error) from error
    except OSError:
        pass
    return False


@contextmanager
def _turn(folder: Path) -> Iterator[None]:
    """Wait for other processes updating the memory: two rebuilding ones would remove each other's file.

    The kernel releases a dead process's turn. Where locks fail, so do writes.
    """
    file, until_s = folder / LOCK_FILE, time.monotonic() + TURN_S
    try:
        state_dir.create_file(file, 0o600)
        lock = os.open(file, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        yield
        return
    try:
        while not _try_lock(lock):
            if time.monotonic() > until_s:
                raise UserError(f"{folder}: another program is making the figures; try again when that has ended")
            time.sleep(_POLL_S)
        yield
    finally:
        os.close(lock)


def _try_lock(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        pass
    return True


def _read(
    file: Path,
    matches: Path,
    read: Callable[[sqlite3.Connection], T],
    progress: Progress,
    book: NameBook | None,
    *,
    discard: bool,
) -> T:
    with closing(_connect(file, discard=discard)) as house:
        if book is not None:
            with suppress(OSError):
                file.chmod(0o600)
        _update(house, matches, progress, book)
        return read(house)


def _connect(file: Path, *, discard: bool) -> sqlite3.Connection:
    """Open the database, a new one if it is missing or discarded, in RAM if it can't be written."""
    state_dir.require_file(file, "the figures are made again from the matches")
    try:
        if discard:
            _replace(file)
        state_dir.create_file(file, counters.FILE_MODE)
        house = sqlite3.connect(file, isolation_level=None, timeout=LOCKED_S)
    except OSError:
        is_kept = not discard and os.access(file, os.R_OK)
        house = copy_in_ram(file) if is_kept else sqlite3.connect(":memory:", isolation_level=None)
    try:
        house.execute("PRAGMA secure_delete = ON")  # a removed name is overwritten
        version = house.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            house.executescript(_CREATE)
        elif version != SCHEMA:
            raise sqlite3.DatabaseError(f"has schema {version}, this program knows {SCHEMA}")
    except BaseException:
        house.close()
        raise
    return house


def _replace(file: Path) -> None:
    """Put an empty database in a file's place; the table's counters stay, because matches can't restore them."""
    with counters.taken_along(file) as kept:
        file.unlink(missing_ok=True)
        state_dir.create_file(file, counters.FILE_MODE)
        with closing(sqlite3.connect(file, isolation_level=None, timeout=LOCKED_S)) as house:
            counters.put_back(house, kept)


def _is_locked(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", None) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def _refusal(file: Path, error: sqlite3.Error) -> UserError:
    if _is_locked(error):
        return UserError(f"{file}: another program is using it; try again when that has ended")
    return UserError(f"{file}: {error}; free some space, or move the file away")


def _update(house: sqlite3.Connection, folder: Path, progress: Progress, book: NameBook | None) -> None:
    """Read new files, oldest first. The folder's modification time tells whether there can be any."""
    changed_ns = folder.stat().st_mtime_ns
    seen_ns, seen = house.execute("SELECT changed_ns, names FROM folder").fetchone() or (None, 0)
    names, renamed = (0, []) if book is None else book.changed_since(seen)
    if (seen_ns, seen) == (changed_ns, names):
        return
    if names < seen:
        raise sqlite3.DatabaseError("its names are those of a file that is lost")
    with os.scandir(folder) as entries:
        found = sorted(
            (entry.name[:10], entry.stat(follow_symlinks=False).st_mtime_ns, entry.name)
            for entry in entries
            if entry.name.endswith(".dudo")
        )
    known = _forget_from(house, renamed, {name: changed_ns for _, changed_ns, name in found})
    times = {name: changed_ns for _, changed_ns, name in found if name not in known}
    house.execute("BEGIN IMMEDIATE")
    try:
        entered: Mapping[str, Mapping[Player, str]] = {}
        if book is not None:
            with book.lookup() as lookup:
                entered = {name: lookup(_match_of(name)) for name in times}
        writer = _Writer(house)
        for number, name in enumerate(progress([*times]), start=1):
            writer.add_file(folder / name, times[name], entered.get(name, NOBODY))
            if number % _BATCH == 0:
                house.execute("COMMIT")
                house.execute("BEGIN IMMEDIATE")
        house.execute("DELETE FROM folder")
        house.execute("INSERT INTO folder VALUES (?, ?)", (changed_ns, names))
    finally:
        if house.in_transaction:
            house.execute("COMMIT")


def _match_of(file: str) -> str:
    """Return the match name in a file name."""
    return file[11:].removesuffix(".dudo")


def _forget_from(house: sqlite3.Connection, renamed: Sequence[str], found: Mapping[str, int]) -> set[str]:
    """Forget the first file with changed content or player names, and all read after it.

    Return the remaining names. Streaks follow one another, so everything after a change is wrong.
    """
    rows = house.execute("SELECT id, name, match, changed_ns FROM files").fetchall()
    changed = {*renamed}
    first = min((row[0] for row in rows if row[2] in changed or found.get(row[1], row[3]) != row[3]), default=None)
    if first is None:
        return {name for _, name, _, _ in rows}
    house.execute("BEGIN IMMEDIATE")
    house.execute("DELETE FROM players WHERE match IN (SELECT id FROM matches WHERE file >= ?)", (first,))
    house.execute("DELETE FROM matches WHERE file >= ?", (first,))
    house.execute("DELETE FROM files WHERE id >= ?", (first,))
    house.execute("DELETE FROM names WHERE id NOT IN (SELECT name FROM players)")
    house.execute("DELETE FROM folder")
    house.execute("COMMIT")
    return {name for number, name, _, _ in rows if number < first}


class _Writer:
    """Adds files. It knows each player's current streak of consecutive wins."""

    def __init__(self, house: sqlite3.Connection) -> None:
        self._house = house
        self._ids: dict[str, int] = {name: number for number, name in house.execute("SELECT id, name FROM names")}
        latest = "SELECT name, streak, max(match) FROM players GROUP BY name"
        self._streaks: dict[int, int] = {name: streak for name, streak, _ in house.execute(latest)}

    def add_file(self, file: Path, changed_ns: int, entered: Mapping[Player, str]) -> None:
        """Add a file's matches under the entered names, or else its faults."""
        problem = None
        row = "INSERT INTO files VALUES (NULL, ?, ?, NULL, ?)"
        number = self._house.execute(row, (file.name, _match_of(file.name), changed_ns)).lastrowid
        try:
            for match in _facts_in(file, entered):
                self._add(match, number)
        except FileError as error:
            problem = str(error).splitlines()[0]
        except ScoreError as error:
            problem = f"{file}: {error}"
        self._house.execute("UPDATE files SET problem = ? WHERE id = ?", (problem, number))

    def _add(self, match: MatchFacts, file: int | None) -> None:
        """Add a match, unless it has no finished round."""
        if not match.rounds:
            return
        is_over = match.winner is not None
        row = (file, match.day, match.rules, len(match.players), match.rounds, match.actions, is_over)
        number = self._house.execute("INSERT INTO matches VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", row).lastrowid
        players = (*match.players, *match.former)
        ids = [self._id(player.name) for player in players]
        before = [self._streaks.get(name, 0) for name in ids]
        slain = sum(streak >= 2 for streak, player in zip(before, players, strict=True) if not player.has_won)
        for name, streak, player in zip(ids, before, players, strict=True):
            if is_over:
                streak = streak + 1 if player.has_won and not player.is_robot else 0
            self._streaks[name] = streak
            ended = slain if player.has_won else 0
            self._house.execute(
                f"INSERT INTO players VALUES ({', '.join('?' * 14)})", (number, name, *_columns(player, streak, ended))
            )

    def _id(self, name: str) -> int:
        if name not in self._ids:
            self._ids[name] = max(self._ids.values(), default=0) + 1
            self._house.execute("INSERT INTO names VALUES (?, ?)", (self._ids[name], name))
        return self._ids[name]


def _facts_in(file: Path, entered: Mapping[Player, str]) -> list[MatchFacts]:
    """Return each match's facts from a file. Raises `FileError` or `ScoreError`.

    Facts are found by playing a match. A faulty match, or one with actions taken back, is played once more: the error
    from `read_scores` names the line, and facts skip actions taken back without a check.
    """
    try:
        scores = read_scores(file, played=False)
        if not any(ruling in score.entries for score in scores for ruling in (Ruling.UNDO, Ruling.REOPEN)):
            return [facts_of(score, entered) for score in scores]
    except ScoreError:
        pass
    return [facts_of(score, entered) for score in read_scores(file)]


def _columns(player: PlayerFacts, streak: int, slain: int) -> tuple[int, ...]:
    bluff = (player.bluff.missing, player.bluff.quantity, player.bluff.face) if player.bluff else (0, 0, 0)
    return (
        player.has_won,
        player.bids,
        player.dudo_right,
        player.dudo_wrong,
        player.exact_right,
        player.exact_wrong,
        player.has_won and player.had_one_die,
        streak,
        slain,
        *bluff,
    )
