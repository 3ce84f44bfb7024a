"""A journal of an earlier version is migrated; one of a later version is set aside."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from support.proofs.old_journals import HEARD, ROUND, of_schema_1, of_schema_2

from firmware_host.store.journal.journal import SCHEMA, Journal
from firmware_host.store.journal.records import decode_last_events, encode_scene, scene_name
from firmware_host.table.health import Alert
from firmware_host.table.scenes.lobby import Lobby
from hardware.emulated.virtual_loop import VirtualLoop

Make = Callable[[Path], None]
OLD = pytest.mark.parametrize("make", [of_schema_1, of_schema_2])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.sqlite"


@OLD
def test_an_old_journal_goes_on(path: Path, loop: VirtualLoop, make: Make) -> None:
    make(path)
    with Journal(path) as journal:
        assert journal.scene == ROUND
        assert journal.last_events == ({} if make is of_schema_1 else decode_last_events(HEARD))
        assert journal.match is None
        loop.run_until_complete(journal.write(Lobby(joined=(1,)), {"cup0002": 3}))
    with Journal(path) as again:
        assert (again.scene, again.last_events) == (Lobby(joined=(1,)), {"cup0002": 3})


@OLD
def test_it_is_of_the_new_schema_from_its_opening_on(path: Path, make: Make) -> None:
    make(path)
    Journal(path).close()
    assert sqlite3.connect(path).execute("PRAGMA user_version").fetchone() == (SCHEMA,)
    assert sqlite3.connect(path).execute("SELECT name FROM sqlite_master WHERE name = 'record'").fetchone() is None
    with Journal(path) as again:
        assert again.scene == ROUND


def test_what_months_of_an_old_journal_took_is_given_back(path: Path) -> None:
    of_schema_2(path)
    db = sqlite3.connect(path)
    row = ("laid", scene_name(ROUND), encode_scene(ROUND))
    db.executemany("INSERT INTO record (game, scene, body) VALUES (?, ?, ?)", [row] * 3000)
    db.commit()
    db.close()
    assert path.stat().st_size > 1 << 20
    Journal(path).close()
    assert path.stat().st_size < 40 << 10


@OLD
def test_an_upgrade_that_is_cut_off_leaves_the_old_journal(
    path: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(path)
    steps = ("CREATE TABLE position (id INTEGER PRIMARY KEY)", "a power cut")
    with monkeypatch.context() as patch:
        patch.setattr("firmware_host.store.journal.schema._STEPS", (steps, steps, steps))
        patch.setattr(
            "firmware_host.store.journal.journal.set_aside", lambda *_: (_ for _ in ()).throw(OSError(5, "cut"))
        )
        Journal(path).close()
    with Journal(path) as again:
        assert again.scene == ROUND


def test_a_journal_of_a_newer_version_is_kept_for_that_one(path: Path, loop: VirtualLoop) -> None:
    of_schema_2(path)
    newer(path)
    alerts: list[tuple[Alert, str]] = []
    with Journal(path) as journal:
        journal.report(lambda *trouble: alerts.append(trouble), lambda _: None)
        assert journal.scene is None
        loop.run_until_complete(journal.write(Lobby(joined=(0,)), {}))
    why = f"written by a newer dudo-table (schema {SCHEMA + 1}, this one knows {SCHEMA})"
    assert alerts == [(Alert.JOURNAL_RESET, f"{path}: {why}; it is kept as journal.newer-1.sqlite")]
    kept = sqlite3.connect(path.with_name("journal.newer-1.sqlite"))
    assert kept.execute("SELECT count(*) FROM record").fetchone() == (2,)
    assert kept.execute("PRAGMA user_version").fetchone() == (SCHEMA + 1,)
    with Journal(path) as again:
        assert again.scene == Lobby(joined=(0,))


def test_a_second_one_does_not_overwrite_the_first(path: Path) -> None:
    for joined in (1, 2):
        with Journal(path):
            pass
        newer(path, f"CREATE TABLE evening{joined} (id)")
    Journal(path).close()
    tables = [
        sqlite3.connect(path.with_name(f"journal.newer-{number}.sqlite"))
        .execute("SELECT name FROM sqlite_master WHERE name LIKE 'evening%'")
        .fetchall()
        for number in (1, 2)
    ]
    assert tables == [[("evening1",)], [("evening2",)]]


def newer(path: Path, statement: str = "SELECT 1") -> None:
    db = sqlite3.connect(path)
    db.execute(statement)
    db.execute(f"PRAGMA user_version={SCHEMA + 1}")
    db.close()
