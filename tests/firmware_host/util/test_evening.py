"""An evening ends at six: records, figures, the recap, names and the venue agree on a match after midnight."""

import asyncio
import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.table.dying_sessions import NAMES, KilledMatch

from engine import PERUDO
from firmware_host import cli
from firmware_host.daemon.closing.evening import close_evening
from firmware_host.daemon.names import NameKeeper
from firmware_host.public import recap
from firmware_host.store.house.database import remembered
from firmware_host.store.house.page import page_figures
from firmware_host.store.journal.journal import Journal
from firmware_host.store.scores.archive import MatchArchive
from firmware_host.store.scores.last_record import LastRecord
from firmware_host.store.scores.recorder import recording
from firmware_host.table.seat.names import KeepNames
from firmware_host.util.evening import ENDS_H, evening_of, this_evening
from firmware_host.venue.follower import night_of
from hardware.emulated.virtual_loop import VirtualLoop


@pytest.fixture
def yesterday(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Have the computer stand in a place where it is between one and two in the night; return the day before."""
    with monkeypatch.context() as place:
        west = datetime.now(UTC).hour - 1
        place.setenv("TZ", f"XXX{west if west <= 12 else west - 24:+d}")
        time.tzset()
        now = datetime.now()
        assert now.hour in {1, 2}
        yield (now - timedelta(days=1)).date().isoformat()
    time.tzset()


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> KilledMatch:
    """Return a match that was played to its end."""
    loop = VirtualLoop(patience_s=10.0)
    match = KilledMatch(loop, tmp_path_factory.mktemp("match"), PERUDO, seed=4, deaths=0)
    match.play()
    loop.close()
    return match


@pytest.fixture
def state(tmp_path: Path, yesterday: str, match: KilledMatch) -> Path:
    """Return a state folder with a match of one in the night, and the same one of the evening before, at eleven."""

    async def play() -> None:
        with Journal(tmp_path / "journal.sqlite", MatchArchive(tmp_path / "matches")) as journal:
            for scene, told in match.recorded:
                await journal.write(scene, {}, told)

    asyncio.run(play())
    (tmp_path / "matches" / f"{yesterday}-e1even.dudo").write_text(match.record.replace("2026-11-21", yesterday))
    return tmp_path


@given(st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(2100, 1, 1)))
def test_an_evening_lasts_from_six_to_the_next_six(moment: datetime) -> None:
    day = datetime.fromisoformat(evening_of(moment))
    assert day + timedelta(hours=ENDS_H) <= moment < day + timedelta(days=1, hours=ENDS_H)


def test_a_match_after_midnight_is_kept_with_those_of_its_evening(state: Path, yesterday: str) -> None:
    assert {file.name[:10] for file in (state / "matches").iterdir()} == {yesterday}
    assert all(f"date: {yesterday}\n" in file.read_text("utf-8") for file in (state / "matches").iterdir())


def test_figures_of_tonight_have_both_sides_of_midnight(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["stats", "--state", str(state), "--tonight", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["matches"] == 2
    assert remembered(state, page_figures)["tonight"]["matches"] == 2


def test_the_recap_has_both_sides_of_midnight(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_host.daemon.closing.evening.EXPORT_S", 0)
    events = state / "events.sock"
    asyncio.run(close_evening(events, state, grace_s=60, recap_s=600))
    shown = recap.read(events)
    assert shown is not None
    assert shown.matches == 2


def test_names_kept_for_a_day_outlive_midnight(state: Path, yesterday: str) -> None:
    async def session() -> None:
        async with NameKeeper(state) as keeper:
            await keeper.begin(("North",), 1)
            keeper.keep(KeepNames(("ANA",), (), "e1even", (0,)))
            await keeper.begin(("North",), 1)  # names that are too old have expired

    asyncio.run(session())
    (one,) = {player["name"] for player in remembered(state, page_figures)["tonight"]["players"]} & {"ANA"}
    assert one == "ANA"


def test_records_and_the_venue_have_the_same_evening(yesterday: str, match: KilledMatch, tmp_path: Path) -> None:
    assert night_of(time.time()) == this_evening() == yesterday
    announced = [event for _, told in match.recorded for event in told]
    last = LastRecord()
    take = last.listener(PERUDO, NAMES[:3])
    with recording(tmp_path / "evening.dudo", PERUDO, NAMES[:3]) as record:
        for event in announced:
            take(event)
            record(event)
    assert f"date: {yesterday}\n" in (last.get().text or "")
    assert f"date: {yesterday}\n" in (tmp_path / "evening.dudo").read_text("utf-8")
