"""The tables of a journal's file, and the migration of older files.

- `position`: one row, the table's scene and each device's last event in it.
- `matches`: the matches with events here, in starting order, with the day.
- `told`: the public events of each match, one row for each record that has some.
- `numbering`: one row, the public lines' numbering by name, and the number before its first.
- `lines`: the latest events' public lines, one row for each record that has some; its key is the number of its
  first line.

Each row has a digest, because SQLite does not notice changed bytes on the disk.
"""

import sqlite3

from firmware_host.public.line_log import new_numbering
from firmware_host.store.journal.records import digest

OPEN, OVER, EXPORTED, REOPENED = range(4)
"""Values of `matches.state`: being played; over or broken off; exported to the archive as well; being played again,
with an end in the archive."""

_RECORD = (
    """
CREATE TABLE record (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    game TEXT,
    scene TEXT NOT NULL,
    body BLOB NOT NULL
)
""",
)
_HEARD = ("ALTER TABLE record ADD COLUMN heard TEXT NOT NULL DEFAULT '{}'",)
_TABLES = (
    """
CREATE TABLE position (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    game TEXT,
    scene TEXT NOT NULL,
    body BLOB NOT NULL,
    heard TEXT NOT NULL,
    digest BLOB NOT NULL
)
""",
    """
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    day TEXT NOT NULL,
    digest BLOB NOT NULL,
    state INTEGER NOT NULL DEFAULT 0
)
""",
    """
CREATE TABLE told (
    id INTEGER PRIMARY KEY,
    match INTEGER NOT NULL REFERENCES matches,
    events BLOB NOT NULL,
    digest BLOB NOT NULL
)
""",
)
_LAST_RECORD = (
    """
INSERT INTO position (id, game, scene, body, heard, digest)
SELECT 1, game, scene, body, heard, digest(game, scene, body, heard) FROM record ORDER BY id DESC LIMIT 1
""",
    "DROP TABLE record",
)
_LINES = (
    """
CREATE TABLE numbering (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    before INTEGER NOT NULL,
    digest BLOB NOT NULL
)
""",
    """
CREATE TABLE lines (
    number INTEGER PRIMARY KEY,
    lines BLOB NOT NULL,
    digest BLOB NOT NULL
)
""",
)
_STEPS = (_RECORD, _HEARD, (*_TABLES, *_LAST_RECORD), (), _LINES)
"""The statements that make each schema from the one before.

Schema 4 has the tables of 3. Its number keeps out versions that would continue a match with proofs 2 by version 1.
"""
SCHEMA = len(_STEPS)


def version(db: sqlite3.Connection) -> int:
    """Return a file's schema, 0 for a new one."""
    found: int
    (found,) = db.execute("PRAGMA user_version").fetchone()
    return found


def migrate(db: sqlite3.Connection, before: int) -> None:
    """Bring an older or new file to this schema, in one transaction."""
    steps = (*_TABLES, *_LINES) if before == 0 else [statement for step in _STEPS[before:] for statement in step]
    db.create_function("digest", -1, digest, deterministic=True)
    db.execute("BEGIN IMMEDIATE")
    try:
        for statement in steps:
            db.execute(statement)
        # At once, not with the first event: clients read the name before there is one.
        name = new_numbering()
        db.execute("INSERT INTO numbering (id, name, before, digest) VALUES (1, ?, 0, ?)", (name, digest(name, 0)))
        db.execute(f"PRAGMA user_version={SCHEMA}")
        db.execute("COMMIT")
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    if before:
        shrink(db)


def shrink(db: sqlite3.Connection) -> None:
    """Return unused pages to the disk, if it has room for the copy this takes."""
    try:
        db.execute("VACUUM")
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("ROLLBACK")
