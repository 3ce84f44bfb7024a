"""What stands in a journal's file, and how the files of earlier versions become one of this: for `file`.

- `position`: the one row on which the evening rests, the scene and the last event of each device that is in it.
- `matches`: the matches whose events are here, in the order in which they began, and on which day.
- `told`: what the room was told in each of them, a row for each record that told something.

Each row has a digest of its own: SQLite does not notice a byte that has changed on the disk, this does.
"""

import sqlite3
from hashlib import blake2b

OPEN, OVER, EXPORTED = range(3)
"""What `matches.state` says: being played, over or broken off, and written down among the matches as well."""

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
_STEPS = (_RECORD, _HEARD, (*_TABLES, *_LAST_RECORD), ())
"""What makes each schema of the one before.

Schema 4 has the tables of 3. It keeps versions away that would go on with a match of proofs 2 by those of version 1.
"""
SCHEMA = len(_STEPS)


def digest(*values: object) -> bytes:
    """What a row's values come to: equal only for equal ones."""
    told = blake2b(digest_size=8)
    for value in values:
        part = value if isinstance(value, bytes) else str(value).encode(errors="surrogateescape")
        told.update(len(part).to_bytes(4, "big") + part)
    return told.digest()


def version(db: sqlite3.Connection) -> int:
    """The schema of a file, 0 for a new one."""
    found: int
    (found,) = db.execute("PRAGMA user_version").fetchone()
    return found


def migrate(db: sqlite3.Connection, before: int) -> None:
    """Make an older file, or a new one, one of this schema: all of it or nothing."""
    steps = _TABLES if before == 0 else [statement for step in _STEPS[before:] for statement in step]
    db.create_function("digest", -1, digest, deterministic=True)
    db.execute("BEGIN IMMEDIATE")
    try:
        for statement in steps:
            db.execute(statement)
        db.execute(f"PRAGMA user_version={SCHEMA}")
        db.execute("COMMIT")
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    if before:
        shrink(db)


def shrink(db: sqlite3.Connection) -> None:
    """Give back what older records took; a disk that has no room for that keeps them."""
    try:
        db.execute("VACUUM")
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("ROLLBACK")
