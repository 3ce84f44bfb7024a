"""Finished matches are exported as files, at the latest when the next daemon starts."""

import asyncio
import logging
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.host.bad_disks import nobody
from support.table.dying_sessions import KilledMatch

from engine import PERUDO, Score, parse_score
from firmware_host.fairness.verify.checker import verify
from firmware_host.store.journal.journal import Journal
from firmware_host.store.journal.maintenance import IDLE_S
from firmware_host.store.journal.store import (
    MAX_EXPORTED_MATCHES,
    MAX_WAITING_MATCHES,
    JournalFile,
    MatchLog,
    MatchLogEntry,
    StateRow,
)
from firmware_host.store.scores.archive import MatchArchive
from firmware_host.store.scores.recorder import record_text
from firmware_host.table.events import PublicEvent, Revealed
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from firmware_host.util import atomic_file
from firmware_host.wire import MatchWon
from hardware.emulated.virtual_loop import VirtualLoop

Records = Sequence[tuple[Scene, Sequence[PublicEvent]]]


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> KilledMatch:
    """Give a match that was played to its end, record by record."""
    loop = VirtualLoop(patience_s=10.0)
    match = KilledMatch(loop, tmp_path_factory.mktemp("match"), PERUDO, seed=4, deaths=0)
    match.play()
    loop.close()
    return match


def journal_in(folder: Path, day: str = "2026-11-21") -> Journal:
    return Journal(folder / "journal.sqlite", MatchArchive(folder / "matches"), day=lambda: day)


def write(loop: VirtualLoop, journal: Journal, records: Records) -> None:
    for scene, told in records:
        loop.run_until_complete(journal.write(scene, {}, told))


def files(folder: Path) -> list[str]:
    return sorted(os.listdir(folder / "matches")) if (folder / "matches").exists() else []


def read(folder: Path) -> str:
    (name,) = files(folder)
    return (folder / "matches" / name).read_text("utf-8")


def half(match: KilledMatch) -> Records:
    """Up to the middle of a round in which dice lie under the cups and bids have been made."""
    last = len(match.recorded) * 2 // 3
    while match.recorded[last][0].name != "bidding" or not any(
        "ActionTaken" in repr(e) for e in match.recorded[last][1]
    ):
        last -= 1
    return match.recorded[: last + 1]


# When and what


def test_a_match_is_a_file_a_little_after_it_is_won(match: KilledMatch, tmp_path: Path, loop: VirtualLoop) -> None:
    with journal_in(tmp_path) as journal:
        write(loop, journal, match.recorded)
        assert files(tmp_path) == []  # in no press's way
        loop.run_until_complete(asyncio.sleep(IDLE_S + 0.1))
        assert files(tmp_path) == [f"2026-11-21-{match.id}.dudo"]
        (verdict,) = verify(read(tmp_path))
    assert (verdict.wrong, verdict.closed) == (None, True)


def test_a_match_is_a_file_when_the_daemon_stops_at_once_after_it(
    match: KilledMatch, tmp_path: Path, loop: VirtualLoop
) -> None:
    with journal_in(tmp_path) as journal:
        write(loop, journal, match.recorded)
    assert read(tmp_path) == match.record


def test_a_kill_between_the_win_and_the_file_only_delays_it(
    match: KilledMatch, tmp_path: Path, loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(atomic_file, "write_atomic", killed)
        journal = journal_in(tmp_path)
        write(loop, journal, match.recorded)
        with pytest.raises(KeyboardInterrupt):
            journal.close()
    assert files(tmp_path) == []
    journal_in(tmp_path).close()
    assert read(tmp_path) == match.record
    journal_in(tmp_path).close()
    assert len(files(tmp_path)) == 1


def test_a_match_that_is_not_over_is_no_file(match: KilledMatch, tmp_path: Path, loop: VirtualLoop) -> None:
    for _ in range(2):
        with journal_in(tmp_path) as journal:
            write(loop, journal, half(match) if journal.scene is None else ())
    assert files(tmp_path) == []


def test_a_match_that_was_broken_off_ends_with_a_star_and_without_the_dice_that_nobody_saw(
    match: KilledMatch, tmp_path: Path, loop: VirtualLoop
) -> None:
    told = half(match)
    with journal_in(tmp_path) as journal:
        write(loop, journal, [*told, (Lobby(), ())])
    text = read(tmp_path)
    assert text.endswith("\n*\n")
    (verdict,) = verify(text)
    assert verdict.wrong is None
    assert verdict.score is not None
    game = told[-1][0].game
    assert game is not None
    assert without_its_end(verdict.score) == without_its_end(parse_score(match.record), len(verdict.score.entries))
    shown = [event.showdown.hands for _, events in told for event in events if isinstance(event, Revealed)]
    assert text.count("/") >= len(shown)
    assert " ? " in text.splitlines()[-3]


def without_its_end(score: Score, entries: int | None = None) -> list[str]:
    """Return the entries as text, without dealt hands."""
    return [str(entry) for entry in score.entries[:entries] if not str(entry).startswith("DealtHands(")]


def test_its_date_is_that_of_its_beginning_whatever_the_clock_says_later(
    match: KilledMatch, tmp_path: Path, loop: VirtualLoop
) -> None:
    with journal_in(tmp_path, "1970-01-01") as journal:
        write(loop, journal, half(match))
    with journal_in(tmp_path, "2094-07-01") as journal:
        write(loop, journal, match.recorded[len(half(match)) :])
    assert files(tmp_path) == [f"1970-01-01-{match.id}.dudo"]
    assert read(tmp_path) == match.record.replace("2026-11-21", "1970-01-01")


def test_anybody_may_read_it_whom_the_folder_lets_in(match: KilledMatch, tmp_path: Path, loop: VirtualLoop) -> None:
    umask = os.umask(0o022)
    try:
        with journal_in(tmp_path) as journal:
            write(loop, journal, match.recorded)
    finally:
        os.umask(umask)
    (name,) = files(tmp_path)
    assert (tmp_path / "matches" / name).stat().st_mode & 0o777 == 0o644


# When it can't be written


def test_matches_wait_for_a_folder_that_can_be_written(
    match: KilledMatch, tmp_path: Path, loop: VirtualLoop, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "matches").write_text("in the way")
    for _ in range(2):
        with journal_in(tmp_path) as journal:
            write(loop, journal, match.recorded if journal.scene is None else ())
    assert f"{tmp_path}/matches: can't be written: file exists; matches wait for it" in caplog.messages
    (tmp_path / "matches").unlink()
    journal_in(tmp_path).close()
    assert read(tmp_path) == match.record


def test_a_damaged_match_is_given_up_and_keeps_no_other_from_its_file(
    match: KilledMatch, tmp_path: Path, loop: VirtualLoop, caplog: pytest.LogCaptureFixture
) -> None:
    over = [(1, None), (2, MatchLog("odd", "2026-11-21", [MatchLogEntry("odd", b"[]")])), (3, match.played)]
    assert MatchArchive(tmp_path / "matches").export(over) == [1, 2, 3]
    assert files(tmp_path) == [f"2026-11-21-{match.id}.dudo"]
    assert "match 2 of the journal can't be exported: it does not say who plays" in caplog.messages


@pytest.mark.parametrize("name", ["../journal", "a/b", "", "x" * 65])
def test_a_name_that_is_none_leads_nowhere(match: KilledMatch, tmp_path: Path, name: str) -> None:
    assert MatchArchive(tmp_path / "matches").export([(1, match.played._replace(name=name))]) == [1]
    assert files(tmp_path) == []


# What stays in the journal


def position(game: str | None) -> StateRow:
    return StateRow(game, "lobby", b"{}", "{}")


def put_match(file: JournalFile, name: str, told: bytes = b"[]") -> None:
    file.put(position(name), [MatchLogEntry(name, told, "2026-11-21")])
    file.put(position(name), [MatchLogEntry(name, told, ends=True)])


def test_the_last_matches_stay_in_the_journal_and_older_ones_go(tmp_path: Path) -> None:
    file = JournalFile(tmp_path / "journal.sqlite")
    file.open()
    for number in range(MAX_EXPORTED_MATCHES + 5):
        put_match(file, f"m{number}")
        file.mark_exported([found for found, _ in file.finished_matches()])
    names = [name for (name,) in file._opened.execute("SELECT name FROM matches ORDER BY id")]
    lines = [name for (name,) in file._opened.execute("SELECT DISTINCT match FROM told")]
    file.close()
    assert names == [f"m{number}" for number in range(5, MAX_EXPORTED_MATCHES + 5)]
    assert len(lines) == MAX_EXPORTED_MATCHES


def test_matches_that_could_not_be_exported_wait_but_not_without_end(tmp_path: Path) -> None:
    file = JournalFile(tmp_path / "journal.sqlite")
    file.open()
    for number in range(MAX_WAITING_MATCHES + 3):
        put_match(file, f"m{number}")
    file.mark_exported([])
    waiting = file.finished_matches()
    file.close()
    assert len(waiting) == MAX_WAITING_MATCHES
    assert waiting[0][1] is not None
    assert waiting[0][1].name == "m3"


def test_months_of_matches_leave_the_file_as_small_as_a_dozen_does(match: KilledMatch, tmp_path: Path) -> None:
    sizes = []
    file = JournalFile(tmp_path / "journal.sqlite")
    file.open()
    told = b"".join(line.events for line in match.played.entries)
    for number in range(300):
        put_match(file, f"m{number}", told)
        file.mark_exported([found for found, _ in file.finished_matches()])
        file.checkpoint()
        sizes.append(file.path.stat().st_size)
    file.close()
    assert sizes[-1] == sizes[MAX_EXPORTED_MATCHES + 2]
    assert not Path(f"{file.path}-wal").exists()


def test_a_match_told_again_is_the_same(match: KilledMatch) -> None:
    assert record_text(match.played) == match.record
    assert isinstance(match.played.events()[-1], MatchWon)


def test_without_any_right_to_the_folder_nothing_is_raised(
    match: KilledMatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "matches").mkdir(mode=0o500)
    played = match.played
    with caplog.at_level(logging.ERROR), nobody():
        assert MatchArchive(tmp_path / "matches").export([(1, played)]) == []
    assert "matches wait for it" in caplog.messages[-1]
