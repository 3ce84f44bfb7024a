"""Closing time: it waits for a match to end, shows what is public of the evening, and asks for a copy."""

import asyncio
import json
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from support.engine.played_score import played
from support.pages.public_pages import StagedTable, state

from engine import write_score
from firmware_host.daemon.closing import evening
from firmware_host.daemon.closing.evening import close_evening, first_day, is_idle
from firmware_host.public import recap
from firmware_host.public.recap import Recap, Winner
from firmware_host.util.evening import this_evening

ENDLESS_S = 60.0


@pytest.fixture
def table() -> Iterator[StagedTable]:
    with tempfile.TemporaryDirectory() as folder:  # a socket's path may not be as long as a test's
        staged = StagedTable(Path(folder) / "events.sock")
        yield staged
        staged.close()


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a state folder with three matches of tonight and one of another year."""
    monkeypatch.setattr(evening, "EXPORT_S", 0)
    (tmp_path / "matches").mkdir()
    tonight = this_evening()
    for number, day in enumerate((tonight, tonight, tonight, "2001-01-01")):
        score = replace(played("perudo", 3, random.Random(number)), names=("Lima", "Quito", "Puno"), date=day)
        (tmp_path / "matches" / f"{day}-{number:012x}.dudo").write_text(write_score(score), "utf-8")
    return tmp_path


def closed(table: Path, house: Path, grace_s: float = ENDLESS_S) -> list[str]:
    return asyncio.run(close_evening(table, house, grace_s=grace_s, recap_s=600))


def test_one_match_and_one_minute_are_singular(table: StagedTable, house: Path) -> None:
    for file in sorted((house / "matches").glob(f"{this_evening()}-*"))[1:]:
        file.unlink()
    table.send(state("lobby", 1, players=[]))
    done = asyncio.run(close_evening(table.path, house, grace_s=ENDLESS_S, recap_s=60))
    assert done[0] == "the recap of 1 match is shown for 1 minute"


def test_an_idle_table_gets_the_recap_of_tonight_and_a_copy_is_requested(table: StagedTable, house: Path) -> None:
    table.send(state("lobby", 3, players=[]))
    done = closed(table.path, house)
    assert done[0] == "the recap of 3 matches is shown for 10 minutes"
    found = recap.read(table.path)
    assert found is not None
    assert (found.matches, found.is_shown(time.time())) == (3, True)
    assert 1 <= sum(winner.won for winner in found.winners) <= 3
    assert table.path.with_name("backup-wanted").exists()


def test_a_match_that_is_played_gets_no_recap_but_a_copy(table: StagedTable, house: Path) -> None:
    table.send(state("bidding", 3, turn=0))
    done = closed(table.path, house, grace_s=0.05)
    assert "no recap" in done[0]
    assert recap.read(table.path) is None
    assert table.path.with_name("backup-wanted").exists()


def test_closing_waits_for_a_match_to_end(table: StagedTable) -> None:
    async def waiting() -> bool:
        table.send(state("bidding", 3, turn=0))
        task = asyncio.create_task(is_idle(table.path, ENDLESS_S))
        await asyncio.sleep(0)
        table.send(state("over", 3, winner=1, standings=[1, 0, 2]))
        return await task

    assert asyncio.run(waiting())


def test_a_table_that_is_off_is_closed_too(house: Path) -> None:
    done = closed(house / "events.sock", house)
    assert "3 matches" in done[0]


def test_an_evening_without_a_match_has_no_recap(house: Path, tmp_path: Path) -> None:
    for file in (house / "matches").iterdir():
        file.unlink()
    assert closed(tmp_path / "events.sock", house)[0].startswith("no match was played since")
    assert recap.read(tmp_path / "events.sock") is None


def test_a_state_folder_that_is_not_there_costs_the_recap_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evening, "EXPORT_S", 0)
    done = closed(tmp_path / "events.sock", tmp_path / "nowhere")
    assert "there is no such folder" in done[0]
    assert "requested" in done[1]


@pytest.mark.parametrize(
    ("closes", "day"),
    [("2026-11-23 04:00", "2026-11-22"), ("2026-11-23 08:00", "2026-11-22"), ("2026-11-23 23:30", "2026-11-23")],
)
def test_an_evening_begins_on_the_day_before_when_it_closes_in_the_morning(closes: str, day: str) -> None:
    assert first_day(datetime.fromisoformat(closes)) == day


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x" * 20_000,
        '{"until": 1}',
        json.dumps({"until": 1, "matches": 1, "rounds": 1, "winners": [{"name": "x" * 65, "won": 1, "matches": 1}]}),
        json.dumps({"until": 1, "matches": -1, "rounds": 1}),
        '{"until": 1, "matches": 1, "rounds": 1, "bluff": {"name": "x", "quantity": 1, "face": 7, "missing": 1}}',
    ],
)
def test_a_file_that_is_no_recap_counts_as_none(text: str, tmp_path: Path) -> None:
    (tmp_path / recap.FILE_NAME).write_text(text)
    assert recap.read(tmp_path / "events.sock") is None


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    events = tmp_path / "events.sock"
    recap.write(Recap(1.0, 1, 1, (Winner("Lima", 1, 1),)), events)
    recap.path_beside(events).rename(tmp_path / "other")
    recap.path_beside(events).symlink_to(tmp_path / "other")
    assert recap.read(events) is None


@pytest.mark.parametrize(("now", "is_shown"), [(999.0, True), (1000.0, False), (1001.0, False), (-5000.0, False)])
def test_a_recap_is_shown_until_its_time_and_no_clock_shows_it_for_days(now: float, is_shown: bool) -> None:
    assert Recap(1000.0, 1, 1).is_shown(now) is is_shown
