"""What a table counts: which calls and matches, what is kept of them, and what becomes of a file that is damaged."""

import os
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.table.harness import lay_out

from drivers.messages import Button
from engine import PERUDO, Bid
from firmware_host.store.house.counters import (
    FILE,
    MAX_COUNT,
    OLD_FILE,
    Count,
    Counters,
    CountersError,
    Tally,
    damaged_name,
    nothing,
    put_back,
    read,
    set_aside,
    taken_along,
    tally_of,
    write,
)
from firmware_host.table.events import PublicEvent, Revealed
from firmware_host.table.scenes.over import MatchOver
from firmware_host.table.staff.actions import StaffAction, StaffCommand
from firmware_host.wire import Left, MatchBegan, MatchBrokenOff, MatchReopened, MatchWon

DAY, LATER = date(2026, 3, 1), date(2026, 11, 23)
counts = st.builds(Count, st.integers(0, MAX_COUNT), st.dates())
names = st.text(max_size=64, alphabet="0123456789abcdef-")
tallies = st.builds(Tally, names, st.integers(0, MAX_COUNT), st.booleans(), st.booleans())
everything = st.builds(Counters, counts, counts, counts, counts, st.integers(0, MAX_COUNT), st.booleans(), tallies)


def counted(*events: PublicEvent) -> tuple[int, int]:
    """Return the matches and calls after these events."""
    kept = nothing(DAY)
    for event in events:
        kept = kept.after(event)
    return kept.matches.count, kept.calls.count


def test_a_call_counts_once_its_cups_are_up_and_not_before() -> None:
    harness = lay_out(PERUDO, [(1, 3, 3), (2, 2, 4)], Bid(2, 3))
    harness[1].press(Button.DUDO)
    harness.wait(0.03)
    assert counted(*harness.events) == (0, 0)
    harness.told()
    assert counted(*harness.events) == (0, 1)


def test_a_call_that_is_taken_back_does_not_count() -> None:
    harness = lay_out(PERUDO, [(1, 3, 3), (2, 2, 4)], Bid(2, 3))
    harness[1].press(Button.DUDO)
    harness.wait(0.05)
    harness.send(StaffAction(StaffCommand.UNDO))
    harness.wait(60)
    assert counted(*harness.events) == (0, 0)


def test_a_match_counts_when_it_is_won_and_once_if_it_is_reopened_and_won_again() -> None:
    harness = lay_out(PERUDO, [(5,), (3, 3)], Bid(1, 4))
    harness[1].tap(Button.DUDO)
    harness.wait(60)
    assert isinstance(harness.table.scene, MatchOver)
    assert counted(*harness.events) == (1, 1)
    harness.send(StaffAction(StaffCommand.REOPEN))
    assert counted(*harness.events) == (0, 0), "the round of an end that does not stand is void"
    harness.send(StaffAction(StaffCommand.REMOVE, 0))
    assert counted(*harness.events) == (1, 0)


def test_a_call_stands_where_a_later_departure_had_ended_the_match_that_is_reopened() -> None:
    harness = lay_out(PERUDO, [(5, 5), (3, 3)], Bid(1, 4))
    harness[1].press(Button.DUDO)
    harness.told()
    harness.wait(60)
    harness.send(StaffAction(StaffCommand.REMOVE, 0))
    assert counted(*harness.events) == (1, 1)
    harness.send(StaffAction(StaffCommand.REOPEN))
    assert counted(*harness.events) == (0, 1)


def test_a_match_that_is_broken_off_does_not_count_and_its_calls_do() -> None:
    harness = lay_out(PERUDO, [(1, 3, 3), (2, 2, 4)], Bid(2, 3))
    harness[1].press(Button.DUDO)
    harness.told()
    harness.wait(60)
    harness.send(StaffAction(StaffCommand.END_MATCH))
    assert harness.events_of(MatchBrokenOff)
    assert counted(*harness.events) == (0, 1)


ONE_REVEAL = Revealed(None, (0, 1), (1, 1))  # type: ignore[arg-type]
MATCH = (MatchBegan("a", "perudo", (0, 1)), ONE_REVEAL, ONE_REVEAL, MatchWon(0, (0, 1)))
REOPENED = MatchReopened("a", "perudo", (0, 1), (1, 1))
STREAM = st.lists(st.sampled_from([*MATCH[1:], REOPENED, Left(0)]), max_size=12)


@given(events=STREAM, done=st.integers(0, 12))
def test_what_a_kill_has_lost_of_a_match_is_caught_up_and_nothing_counts_twice(
    events: list[PublicEvent], done: int
) -> None:
    whole = [MATCH[0], *events]
    kept = nothing(DAY)
    for event in whole[:done]:
        kept = kept.after(event)
    live = kept
    for event in whole[done:]:
        live = live.after(event)
    caught_up = kept.caught_up(tally_of(whole))
    assert caught_up == live
    assert caught_up.caught_up(tally_of(whole)) == live


def test_the_counts_never_fall_below_nothing_after_a_reset() -> None:
    before = nothing(DAY)
    for event in MATCH:
        before = before.after(event)
    after = before.reset("matches", LATER).after(REOPENED)
    assert after.matches == Count(0, LATER)
    assert after.calls == Count(1, DAY)


def test_a_start_after_no_orderly_stop_is_a_crash_and_goes_with_the_starts_when_they_are_reset() -> None:
    first = nothing(DAY).started()
    assert (first.starts.count, first.crashes) == (1, 0)
    again = first.started()
    assert (again.starts.count, again.crashes) == (2, 1)
    assert again.reset("calls", LATER).crashes == 1
    assert (again.reset("starts", LATER).starts, again.reset("starts", LATER).crashes) == (Count(0, LATER), 0)


# The file


@given(wanted=everything)
def test_what_is_written_is_read_again(wanted: Counters, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("state")
    write(wanted, folder)
    assert read(folder) == wanted
    assert [file.name for file in folder.iterdir()] == [FILE]


def test_a_table_without_a_file_has_no_counters(tmp_path: Path) -> None:
    assert read(tmp_path) is None


WHOLE = "\n".join(
    [
        "crashes = 1",
        *(f"{name} = {{ count = 3, since = 2026-03-01 }}" for name in ("matches", "calls", "seconds", "starts")),
    ]
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\0",
        "[" * 3000,
        "#" * 5000,
        "calls = 3",
        WHOLE.replace("crashes = 1", "crashes = true"),
        WHOLE.replace("count = 3", "count = -3"),
        WHOLE.replace("count = 3", "count = 3.5"),
        WHOLE.replace("count = 3", "count = nan"),
        WHOLE.replace("count = 3", f"count = {MAX_COUNT + 1}"),
        WHOLE.replace("count = 3", "count = 9" + "9" * 4000),
        WHOLE.replace("2026-03-01", '"yesterday"'),
        WHOLE.replace("2026-03-01", "2026-13-01"),
        WHOLE.replace("2026-03-01", "2026-03-01T04:00:00Z"),
        WHOLE + "\nlast = { match = 7 }",
        WHOLE + f'\nlast = {{ match = "{"x" * 65}" }}',
        WHOLE + "\nis_on = 1",
        WHOLE[: len(WHOLE) // 2],
    ],
)
def test_a_damaged_file_of_an_older_version_is_one_clear_error(text: str, tmp_path: Path) -> None:
    (tmp_path / OLD_FILE).write_text(text)
    is_one_clear_error(tmp_path / OLD_FILE, "counters.damaged")


def is_one_clear_error(file: Path, aside: str) -> None:
    with pytest.raises(CountersError) as error:
        read(file.parent)
    lines = str(error.value).splitlines()
    assert all(line.startswith(str(file)) and line.isprintable() for line in lines)
    assert lines[0].endswith(f"all counts begin again at 0; the daemon keeps this file as {aside}")
    set_aside(Path(error.value.file))
    assert [file.name for file in file.parent.iterdir()] == [aside]


def counters_as(text: object, folder: Path) -> None:
    """Write a file with this in its row of counters."""
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as house:
        house.execute("CREATE TABLE counters(kept)")
        house.execute("INSERT INTO counters VALUES (?)", (text,))


ROW = '{"matches":%s,"calls":%s,"seconds":%s,"starts":%s}' % (('{"count":3,"since":"2026-03-01"}',) * 4)


@pytest.mark.parametrize(
    "text",
    [
        "",
        None,
        b"\xff\xfe",
        3,
        "[" * 3000,
        ROW.replace('"count":3', '"count":-3'),
        ROW.replace('"count":3', f'"count":{MAX_COUNT + 1}'),
        ROW.replace("2026-03-01", "yesterday"),
        ROW.replace("}}", '},"last":{"match":7}}'),
        ROW[:40],
    ],
)
def test_a_damaged_row_is_one_clear_error(text: object, tmp_path: Path) -> None:
    counters_as(text, tmp_path)
    is_one_clear_error(tmp_path / FILE, "house.damaged")


def test_a_row_of_a_later_version_with_more_in_it_is_read(tmp_path: Path) -> None:
    counters_as(ROW.replace("}}", '},"wishes":3}'), tmp_path)
    kept = read(tmp_path)
    assert kept is not None
    assert (kept.calls, kept.crashes, kept.is_on) == (Count(3, DAY), 0, False)


def test_counters_of_an_older_version_are_read_once_and_their_file_goes_with_the_next_write(tmp_path: Path) -> None:
    (tmp_path / OLD_FILE).write_text(WHOLE)
    kept = read(tmp_path)
    assert kept is not None
    assert kept.calls == Count(3, DAY)
    write(kept.started(), tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [FILE]
    assert read(tmp_path) == kept.started()


def test_a_kill_before_the_old_file_is_gone_counts_nothing_twice_and_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / OLD_FILE).write_text(WHOLE)
    kept = read(tmp_path)
    assert kept is not None
    write(kept.started(), tmp_path)
    (tmp_path / OLD_FILE).write_text(WHOLE)
    assert read(tmp_path) == kept.started()


def test_a_damaged_file_is_set_aside_by_the_next_write_and_nothing_is_lost(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all" * 100)
    write(nothing(DAY).started(), tmp_path)
    assert read(tmp_path) == nothing(DAY).started()
    assert damaged_name(tmp_path / FILE).read_bytes() == b"no database at all" * 100


def test_a_write_into_a_file_that_is_made_again_meanwhile_goes_into_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    early, late = nothing(DAY).started(), nothing(DAY).started().started()
    write(early, tmp_path)
    connect, file = sqlite3.connect, tmp_path / FILE

    def replaced_after(path: Path, **how: Any) -> sqlite3.Connection:
        opened: sqlite3.Connection = connect(path, **how)
        monkeypatch.undo()
        with taken_along(file) as kept:
            file.unlink()
            with closing(connect(file, isolation_level=None)) as house:
                put_back(house, kept)
        return opened

    monkeypatch.setattr(sqlite3, "connect", replaced_after)
    write(late, tmp_path)
    assert read(tmp_path) == late


def test_counters_that_the_daemon_writes_into_a_new_file_first_stay(tmp_path: Path) -> None:
    early, late = nothing(DAY).started(), nothing(DAY).started().started()
    write(early, tmp_path)
    with taken_along(tmp_path / FILE) as kept:
        (tmp_path / FILE).unlink()
        write(late, tmp_path)
        with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as house:
            put_back(house, kept)
    assert read(tmp_path) == late


def test_a_file_of_a_later_version_with_more_in_it_is_read(tmp_path: Path) -> None:
    (tmp_path / OLD_FILE).write_text(WHOLE + "\nwishes = 3\n")
    kept = read(tmp_path)
    assert kept is not None
    assert (kept.calls, kept.crashes, kept.is_on) == (Count(3, DAY), 1, False)


@pytest.mark.parametrize(("name", "least"), [(OLD_FILE, 0), (FILE, 512)])  # SQLite takes a few bytes for a new file
@given(data=st.data())
def test_no_bytes_make_anything_but_counters_or_that_error(
    name: str, least: int, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("state")
    (folder / name).write_bytes(data.draw(st.binary(min_size=least, max_size=least + 200)))
    with pytest.raises(CountersError):
        read(folder)


@pytest.mark.parametrize("name", [FILE, OLD_FILE])
@pytest.mark.parametrize("what", ["pipe", "folder", "link"])
def test_what_is_no_file_is_not_waited_for(what: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    match what:
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "link":
            path.symlink_to(tmp_path / "nowhere")
    with pytest.raises(CountersError):
        read(tmp_path)
    set_aside(path)
    assert read(tmp_path) is None
