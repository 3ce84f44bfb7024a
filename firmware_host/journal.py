"""The journal: every scene of the evening, on disk before anybody sees what rests on it.

SQLite in WAL mode with `synchronous=FULL`, written by one thread of its own, readable by its owner alone. `write`
returns when the record is durable. The daemon keeps one record in flight; what comes later waits behind it.

With each scene stands which events of the cups it rests on, so that a cup whose acknowledgement was lost with a daemon
is not heard twice.
"""

import asyncio
import os
import sqlite3
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from firmware_host import records
from firmware_host.journal_faults import ANEW, because
from firmware_host.table.scene import Scene

Read = TypeVar("Read")

_CREATE = """
CREATE TABLE IF NOT EXISTS record (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    game TEXT,
    scene TEXT NOT NULL,
    body BLOB NOT NULL
)
"""
_ADD_HEARD = "ALTER TABLE record ADD COLUMN heard TEXT NOT NULL DEFAULT '{}'"
_STEPS = (_CREATE, _ADD_HEARD)
"""What makes each schema of the one before; a new journal takes them all."""
SCHEMA = len(_STEPS)


class JournalError(OSError):
    """A journal that cannot be opened, read or written; says which file, what is wrong, and what to do."""

    def __init__(self, path: Path, problem: str, remedy: str) -> None:
        super().__init__(f"{path}: {problem}; {remedy}")


class Journal:
    """The records of one table in one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        try:
            self._db = self._thread.submit(self._open).result()
        except JournalError:
            self._thread.shutdown()
            raise

    def last(self) -> Scene | None:
        """The scene the evening stands in, None in a new journal. Raises `JournalError` for one that cannot be read."""
        return self._last(lambda scene, body, heard: records.decode(scene, body))

    def heard(self) -> dict[str, int]:
        """The last event of each device on which that scene rests, as drivers number them; nothing in a new journal."""
        return self._last(lambda scene, body, heard: records.decode_heard(heard)) or {}

    async def write(self, scene: Scene, heard: Mapping[str, int]) -> None:
        """Make a scene durable, and up to which event of each device it rests on them.

        Raises `JournalError` if the disk does not take it: then it holds neither.
        """
        game = None if scene.game is None else scene.game.id
        row = (game, records.name_of(scene), records.encode(scene), records.encode_heard(heard))
        await asyncio.get_running_loop().run_in_executor(self._thread, self._insert, row)

    def close(self) -> None:
        """Close the file; what `write` has returned from is in it."""
        self._thread.submit(self._db.close).result()
        self._thread.shutdown()

    def _open(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            self.path.chmod(0o600)
            db = sqlite3.connect(self.path, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise self._because("opened", error) from error
        try:
            self._prepare(db)
        except JournalError:
            db.close()
            raise
        except sqlite3.Error as error:
            db.close()
            raise self._because("opened", error) from error
        return db

    def _prepare(self, db: sqlite3.Connection) -> None:
        version = self._version(db)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        if version < SCHEMA:  # else nothing is written: the first panel waits for the disk
            for statement in ("BEGIN", *_STEPS[version:], f"PRAGMA user_version={SCHEMA}", "COMMIT"):
                db.execute(statement)

    def _version(self, db: sqlite3.Connection) -> int:
        version: int
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version > SCHEMA:
            problem = f"written by a newer dudo-table (schema {version}, this one knows {SCHEMA})"
            raise JournalError(self.path, problem, f"update dudo-table, or {ANEW}")
        return version

    def _last(self, decode: Callable[[str, bytes, str], Read]) -> Read | None:
        """What stands in the last record, None if there is none."""
        row = self._thread.submit(self._last_row).result()
        try:
            return None if row is None else decode(*row)
        except records.RecordError as error:
            raise JournalError(self.path, f"cannot be read: {error}", ANEW) from error

    def _last_row(self) -> tuple[str, bytes, str] | None:
        row: tuple[str, bytes, str] | None
        try:
            row = self._db.execute("SELECT scene, body, heard FROM record ORDER BY id DESC LIMIT 1").fetchone()
        except sqlite3.Error as error:
            raise self._because("read", error) from error
        return row

    def _insert(self, row: tuple[str | None, str, bytes, str]) -> None:
        try:
            self._db.execute("INSERT INTO record (game, scene, body, heard) VALUES (?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            raise self._because("written", error) from error

    def _because(self, done: str, error: OSError | sqlite3.Error) -> JournalError:
        """The error for what could not be done."""
        problem, remedy = because(error)
        return JournalError(self.path, f"cannot be {done}: {problem}", remedy)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Journal {self.path}>"
