"""Journals as earlier versions left them.

Those of schemas 1 and 2 are made here, statement by statement as these versions made them. Those of schema 3, which
have proofs of version 1, are dumps in `version_1`: of daemons that were stopped in the second round, with dice under
the cups (`bidding`) and with all cups committed (`shaking`), and of one that was killed after a call (`called`). The
records beside them were written by `play --record` and in a match with repeated deals and seats that left.
"""

import sqlite3
from pathlib import Path

from support.table.harness import lay_out

from engine import PYRUDO, Bid
from firmware_host.store.journal.records import encode_scene, scene_name

ROUND = lay_out(PYRUDO, [(1, 2, 3), (4, 5, 6)], Bid(2, 3)).table.scene
HEARD = '{"cup0001":21474836487}'


def of_schema_1(path: Path) -> None:
    """Make one of the first schema: whole scenes, one after the other."""
    path.parent.mkdir(exist_ok=True)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute(
        "CREATE TABLE record (id INTEGER PRIMARY KEY, "
        "at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), "
        "game TEXT, scene TEXT NOT NULL, body BLOB NOT NULL)"
    )
    db.execute("INSERT INTO record (scene, body) VALUES ('lobby', ?)", (b'{"joined": [1, 2]}',))
    db.execute("INSERT INTO record (game, scene, body) VALUES ('laid', ?, ?)", (scene_name(ROUND), encode_scene(ROUND)))
    db.execute("PRAGMA user_version=1")
    db.close()


def of_schema_2(path: Path) -> None:
    """Make one of the second schema: beside each scene the last event of each cup."""
    of_schema_1(path)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("ALTER TABLE record ADD COLUMN heard TEXT NOT NULL DEFAULT '{}'")
    db.execute("UPDATE record SET heard = ? WHERE id = 2", (HEARD,))
    db.execute("PRAGMA user_version=2")
    db.close()


PROOFS_OF_VERSION_1 = Path(__file__).with_name("version_1")


def of_schema_3(path: Path, scene: str = "bidding") -> None:
    """Make one of the third schema, with proofs of version 1, in the middle of a match."""
    path.parent.mkdir(exist_ok=True)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.executescript((PROOFS_OF_VERSION_1 / f"journal-{scene}.sql").read_text("utf-8"))
    db.execute("PRAGMA user_version=3")
    db.close()
