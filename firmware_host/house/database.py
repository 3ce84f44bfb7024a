"""The house's memory, `house.sqlite`: the facts of all matches kept. It is made from their files and can be made again.

It has a row for each match and for each player in one. A file is read once, when its name is new.
A file that has changed, as that of a match that was reopened, has all of them read again: streaks depend on the order.
"""

import os
import sqlite3
import stat
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from engine.notation.score import ScoreError
from firmware_host.errors import UserError
from firmware_host.house.facts import MatchFacts, PlayerFacts, facts_of
from firmware_host.scores.score_file import read_scores
from hardware.config.problems import FileError

FILE_NAME = "house.sqlite"
SCHEMA = 2
LOCKED_S = 5.0
_BATCH = 500
"""Files in a transaction: what an interruption loses."""
_CREATE = f"""
PRAGMA user_version = {SCHEMA};
CREATE TABLE folder(changed_ns INTEGER);
CREATE TABLE files(name TEXT PRIMARY KEY, problem TEXT, changed_ns INTEGER) WITHOUT ROWID;
CREATE TABLE names(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE matches(id INTEGER PRIMARY KEY, day TEXT, rules TEXT, players INTEGER, rounds INTEGER, actions INTEGER,
    is_over INTEGER);
CREATE TABLE players(match INTEGER, name INTEGER, has_won INTEGER, bids INTEGER, dudo_right INTEGER, dudo_wrong INTEGER,
    exact_right INTEGER, exact_wrong INTEGER, is_comeback INTEGER, streak INTEGER, slain INTEGER, missing INTEGER,
    quantity INTEGER, face INTEGER);
CREATE INDEX by_match ON players(match);
"""

T = TypeVar("T")
Progress = Callable[[Sequence[str]], Iterable[str]]
"""Returns the names that it is given one by one, and shows how far they are."""


def remembered(
    folder: Path, read: Callable[[sqlite3.Connection], T], *, rebuild: bool = False, progress: Progress = iter
) -> T:
    """Return what `read` finds in the house's memory in `folder`, brought up to date with the files in its `matches`.

    A damaged file, or one of another version, is made again. Where the folder can't be written, the memory is brought
    up to date in RAM. Raises `UserError` where another program has locked the file, or where it is not a file.
    """
    file, matches = folder / FILE_NAME, folder / "matches"
    if not matches.is_dir():
        raise UserError(f"{matches}: there is no such folder, so no match was kept; name the state folder with --state")
    if not rebuild:
        try:
            return _read(file, matches, read, progress, discard=False)
        except sqlite3.DatabaseError as error:
            if _is_locked(error):
                raise _refusal(file, error) from error
    try:
        return _read(file, matches, read, progress, discard=True)
    except sqlite3.DatabaseError as error:
        raise _refusal(file, error) from error


def problems(house: sqlite3.Connection) -> list[str]:
    """Return what is wrong with files that could not be read, a line each."""
    return [problem for (problem,) in house.execute("SELECT problem FROM files WHERE problem NOT NULL ORDER BY name")]


def _read(
    file: Path, matches: Path, read: Callable[[sqlite3.Connection], T], progress: Progress, *, discard: bool
) -> T:
    with closing(_connect(file, discard=discard)) as house:
        _update(house, matches, progress)
        return read(house)


def _connect(file: Path, *, discard: bool) -> sqlite3.Connection:
    """Open the database, new if there is none or it is to be discarded, in RAM where it can't be written."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(file.lstat().st_mode):
            raise UserError(f"{file}: is not a file; move it away, and the figures are made again from the matches")
    try:
        if discard:
            file.unlink(missing_ok=True)
        _create(file)
        house = sqlite3.connect(file, isolation_level=None, timeout=LOCKED_S)
    except OSError:
        house = sqlite3.connect(":memory:", isolation_level=None)
        if not discard and os.access(file, os.R_OK):
            with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as kept:
                kept.backup(house)
    try:
        version = house.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            house.executescript(_CREATE)
        elif version != SCHEMA:
            raise sqlite3.DatabaseError(f"has schema {version}, this program knows {SCHEMA}")
    except BaseException:
        house.close()
        raise
    return house


def _create(file: Path) -> None:
    """Make sure that there is a file, for the user that owns the folder, and that it can be written."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o640)
    try:
        if os.geteuid() == 0:
            owner = file.parent.stat()
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
    finally:
        os.close(descriptor)


def _is_locked(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", None) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def _refusal(file: Path, error: sqlite3.Error) -> UserError:
    if _is_locked(error):
        return UserError(f"{file}: another program is using it; try again when that has ended")
    return UserError(f"{file}: {error}; free some space, or move the file away")


def _update(house: sqlite3.Connection, folder: Path, progress: Progress) -> None:
    """Read the files that are new, the older ones first. The folder's own time tells whether there can be any."""
    changed_ns = folder.stat().st_mtime_ns
    if house.execute("SELECT 1 FROM folder WHERE changed_ns = ?", (changed_ns,)).fetchone():
        return
    known = dict(house.execute("SELECT name, changed_ns FROM files").fetchall())
    with os.scandir(folder) as entries:
        found = sorted(
            (entry.name[:10], entry.stat(follow_symlinks=False).st_mtime_ns, entry.name)
            for entry in entries
            if entry.name.endswith(".dudo")
        )
    is_amended = any(known.get(name, changed_ns) != changed_ns for _, changed_ns, name in found)
    times = {name: changed_ns for _, changed_ns, name in found if is_amended or name not in known}
    house.execute("BEGIN IMMEDIATE")
    try:
        if is_amended:
            for table in ("folder", "files", "names", "matches", "players"):
                house.execute(f"DELETE FROM {table}")
        writer = _Writer(house)
        for number, name in enumerate(progress([*times]), start=1):
            writer.add_file(folder / name, times[name])
            if number % _BATCH == 0:
                house.execute("COMMIT")
                house.execute("BEGIN IMMEDIATE")
        house.execute("DELETE FROM folder")
        house.execute("INSERT INTO folder VALUES (?)", (changed_ns,))
    finally:
        if house.in_transaction:
            house.execute("COMMIT")


class _Writer:
    """Adds files. It knows each player's present streak: the matches won one after the other."""

    def __init__(self, house: sqlite3.Connection) -> None:
        self._house = house
        self._ids: dict[str, int] = {name: number for number, name in house.execute("SELECT id, name FROM names")}
        latest = "SELECT name, streak, max(match) FROM players GROUP BY name"
        self._streaks: dict[int, int] = {name: streak for name, streak, _ in house.execute(latest)}

    def add_file(self, file: Path, changed_ns: int) -> None:
        """Add the matches of a file, or what is wrong with it."""
        problem = None
        try:
            for score in read_scores(file):
                self._add(facts_of(score))
        except FileError as error:
            problem = str(error).splitlines()[0]
        except ScoreError as error:
            problem = f"{file}: {error}"
        self._house.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", (file.name, problem, changed_ns))

    def _add(self, match: MatchFacts) -> None:
        """Add a match; of one in which no round was played to its end there is nothing to remember."""
        if not match.rounds:
            return
        is_over = match.winner is not None
        row = (match.day, match.rules, len(match.players), match.rounds, match.actions, is_over)
        number = self._house.execute("INSERT INTO matches VALUES (NULL, ?, ?, ?, ?, ?, ?)", row).lastrowid
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
            self._ids[name] = len(self._ids) + 1
            self._house.execute("INSERT INTO names VALUES (?, ?)", (self._ids[name], name))
        return self._ids[name]


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
