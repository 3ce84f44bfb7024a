"""The connection to a venue's database: an SQLite file, or PostgreSQL. The same SQL serves both.

A connection belongs to one thread. It is opened at its first use, and again after a loss.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from firmware_host.errors import UserError
from firmware_host.util.system_error import reason_of

SCHEMA = 1
LOCKED_S = 10.0
"""Seconds for which SQLite waits for another process."""
CONNECT_TIMEOUT_S = 5
STATEMENT_TIMEOUT_MS = 30_000
_LOCK = 0x6475646F  # of PostgreSQL's advisory locks: held by the process that makes the tables
_CREATE = """
CREATE TABLE IF NOT EXISTS venue(version INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS tables(site TEXT, name TEXT, epoch TEXT NOT NULL, seq BIGINT NOT NULL, gaps BIGINT NOT NULL,
    title TEXT NOT NULL, hidden INTEGER NOT NULL, PRIMARY KEY(site, name));
CREATE TABLE IF NOT EXISTS events(site TEXT, name TEXT, epoch TEXT, seq BIGINT, type TEXT NOT NULL, body BYTEA NOT NULL,
    taken_ms BIGINT NOT NULL, PRIMARY KEY(site, name, epoch, seq));
CREATE TABLE IF NOT EXISTS origins(site TEXT, name TEXT, epoch TEXT, origin TEXT NOT NULL,
    PRIMARY KEY(site, name, epoch));
CREATE TABLE IF NOT EXISTS results(site TEXT, name TEXT, epoch TEXT, seq BIGINT, match TEXT NOT NULL,
    rules TEXT NOT NULL, standings TEXT NOT NULL, season INTEGER NOT NULL, night TEXT NOT NULL,
    taken_ms BIGINT NOT NULL, PRIMARY KEY(site, name, epoch, seq));
CREATE TABLE IF NOT EXISTS scores(season INTEGER, night TEXT, site TEXT, name TEXT, player TEXT,
    points BIGINT NOT NULL, wins BIGINT NOT NULL, matches BIGINT NOT NULL,
    PRIMARY KEY(season, night, site, name, player));
CREATE TABLE IF NOT EXISTS tournaments(number INTEGER PRIMARY KEY, revision INTEGER NOT NULL,
    is_closed INTEGER NOT NULL, body BYTEA NOT NULL);
CREATE TABLE IF NOT EXISTS seasons(number INTEGER PRIMARY KEY, title TEXT NOT NULL, began_ms BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS revisions(id INTEGER PRIMARY KEY, number BIGINT NOT NULL);
CREATE INDEX IF NOT EXISTS scores_by_night ON scores(night);
CREATE INDEX IF NOT EXISTS results_by_time ON results(taken_ms);
INSERT INTO revisions VALUES (1, 0) ON CONFLICT DO NOTHING;
"""
"""The schema. A player is a name at a table; `seq` is -1 before a table's first event. An epoch's `origin` is the
table's epoch before it was restored."""

Row = tuple[Any, ...]


class DatabaseAwayError(Exception):
    """An unreachable database, or a conflict with another process: try again."""


class Database(Protocol):
    """A database running statements with a `?` for each value."""

    for_update: str
    """The end of a SELECT that locks its rows for the transaction."""

    def run(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """Run a statement and return its rows. Raises `DatabaseAwayError`."""

    def change(self, statement: str, values: Sequence[object] = ()) -> int:
        """Run a statement and return the number of changed rows."""

    def run_all(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """Run a statement once for each row of values."""

    def transaction(self) -> Any:
        """Return a context for one transaction, complete or undone. It is on disk when the context ends."""

    def close(self) -> None:
        """Close the connection."""


def database_at(place: str, password: str | None = None) -> Database:
    """Return the database at a PostgreSQL URL, with this password if any, or in a file. Raises `UserError`."""
    if place.startswith(("postgresql://", "postgres://")):
        try:
            import psycopg
        except ImportError as error:
            raise UserError(
                "venue: PostgreSQL needs psycopg: sudo apt install python3-psycopg, or in a clone "
                ".venv/bin/pip install -c constraints.txt -e '.[venue]'"
            ) from error
        try:
            psycopg.conninfo.conninfo_to_dict(place)
        except psycopg.ProgrammingError as error:
            why = str(error).strip()
            raise UserError(f"--database: is no address of PostgreSQL: {why}; write postgresql://host/name") from error
        return _Postgres(place, password)
    return _Sqlite(Path(place))


def _check_version(database: Database, place: str) -> None:
    """Make missing tables. Raises `UserError` if a newer program has made them."""
    for statement in _CREATE.split(";\n"):
        if statement.strip():
            database.run(statement)
    found = database.run("SELECT version FROM venue")
    if not found:
        database.run("INSERT INTO venue VALUES (?)", (SCHEMA,))
        database.run("INSERT INTO seasons VALUES (1, ?, 0) ON CONFLICT DO NOTHING", ("",))
    elif found[0][0] != SCHEMA:
        raise UserError(
            f"{place}: was made by a newer dudo-table (version {found[0][0]}, this program knows {SCHEMA}); update "
            "dudo-table on this computer"
        )


class _Sqlite:
    for_update = ""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._connection: sqlite3.Connection | None = None

    def run(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        with self._errors():
            return self._open().execute(statement, values).fetchall()

    def change(self, statement: str, values: Sequence[object] = ()) -> int:
        with self._errors():
            return self._open().execute(statement, values).rowcount

    def run_all(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        with self._errors():
            self._open().executemany(statement, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._errors():
            self._open().execute("BEGIN IMMEDIATE")
        try:
            yield
            with self._errors():
                self._open().execute("COMMIT")
        except BaseException:
            if self._connection is not None and self._connection.in_transaction:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None:
            return self._connection
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._connection = sqlite3.connect(
            self._file, isolation_level=None, timeout=LOCKED_S, check_same_thread=False, cached_statements=256
        )
        try:
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")  # a commit is on disk
            with self.transaction():
                _check_version(self, str(self._file))
        except BaseException:
            self.close()
            raise
        return self._connection

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise DatabaseAwayError(f"{self._file}: {error}") from error
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError | sqlite3.InterfaceError):
                raise
            raise UserError(
                f"{self._file}: {error}; move it away, and the venue begins with what the tables still have"
            ) from error
        except OSError as error:
            raise DatabaseAwayError(f"{self._file}: {reason_of(error)}") from error


class _Postgres:
    for_update = " FOR UPDATE"

    def __init__(self, url: str, password: str | None) -> None:
        import psycopg

        self._psycopg = psycopg
        self._url = url
        self._password = password
        self._connection: psycopg.Connection[Row] | None = None

    def run(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        with self._errors():
            cursor = self._execute(statement, values)
            return [] if cursor.description is None else cursor.fetchall()

    def change(self, statement: str, values: Sequence[object] = ()) -> int:
        with self._errors():
            return int(self._execute(statement, values).rowcount)

    def run_all(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        with self._errors(), self._open().cursor() as cursor:
            cursor.executemany(statement.replace("?", "%s"), rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._errors(), self._open().transaction():
            yield

    def close(self) -> None:
        if self._connection is not None:
            with suppress(self._psycopg.Error):
                self._connection.close()
            self._connection = None

    def _execute(self, statement: str, values: Sequence[object]) -> Any:
        return self._open().execute(statement.replace("?", "%s"), values or None)

    def _open(self) -> Any:
        if self._connection is not None and not self._connection.closed:
            return self._connection
        # A computer that vanished is noticed by unanswered probes; autocommit: a transaction is always a block.
        self._connection = self._psycopg.connect(
            self._url,
            autocommit=True,
            connect_timeout=CONNECT_TIMEOUT_S,
            keepalives_idle=5,
            keepalives_interval=2,
            keepalives_count=3,
            tcp_user_timeout=10_000,
            application_name="dudo-table venue",
            password=self._password,
        )
        try:
            # A commit is on disk, whatever the server's default.
            self._connection.execute("SET synchronous_commit TO on")
            self._connection.execute(f"SET statement_timeout TO {STATEMENT_TIMEOUT_MS}")
            self._connection.execute("SET client_min_messages TO warning")
            with self._connection.transaction():
                self._connection.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
                _check_version(self, self._name)
        except BaseException:
            self.close()
            raise
        return self._connection

    @property
    def _name(self) -> str:
        """The database's name without its password."""
        parts = self._psycopg.conninfo.conninfo_to_dict(self._url)
        return f"PostgreSQL at {parts.get('host', 'this computer')}, database {parts.get('dbname', '')}".rstrip(" ,")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except self._psycopg.OperationalError as error:  # also deadlocks, time-outs and a server that stops
            self.close()
            raise DatabaseAwayError(f"{self._name}: {str(error).strip().splitlines()[0]}") from error
        except self._psycopg.errors.InsufficientPrivilege as error:
            self.close()
            why = str(error).strip().splitlines()[0]
            raise UserError(f"{self._name}: {why}; give its user the right to create tables there") from error
