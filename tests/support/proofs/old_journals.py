"""Journals as earlier versions left them, statement by statement as those versions made them.

Beside this file, in `proofs_of_version_1`, lie records and journals that dudo-table wrote before proofs 2: what `play`
wrote with `--record`, a match in which deals were repeated and seats left, and the journals of a daemon that was
stopped in the second round, with dice under the cups and with everybody bound.
"""

import sqlite3
from pathlib import Path

from support.table.harness import laid

from engine import PYRUDO, Bid
from firmware_host.journal.records import encode_scene, scene_name

ROUND = laid(PYRUDO, [(1, 2, 3), (4, 5, 6)], Bid(2, 3)).table.scene
HEARD = '{"cup0001":21474836487}'


def of_schema_1(path: Path) -> None:
    """The first that there was: whole scenes, one after the other."""
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
    """The second: beside each scene what it had heard of the cups."""
    of_schema_1(path)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("ALTER TABLE record ADD COLUMN heard TEXT NOT NULL DEFAULT '{}'")
    db.execute("UPDATE record SET heard = ? WHERE id = 2", (HEARD,))
    db.execute("PRAGMA user_version=2")
    db.close()


PROOFS_OF_VERSION_1 = Path(__file__).with_name("version_1")


def of_schema_3(path: Path, scene: str = "bidding") -> None:
    """The third, with a match of proofs of version 1 in its second round: `bidding` or `shaking`."""
    path.parent.mkdir(exist_ok=True)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.executescript((PROOFS_OF_VERSION_1 / f"journal-{scene}.sql").read_text("utf-8"))
    db.execute("PRAGMA user_version=3")
    db.close()
