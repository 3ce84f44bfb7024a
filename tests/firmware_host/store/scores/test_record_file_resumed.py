"""A daemon that resumes a match writes it whole to the record file, in place of what is there."""

from pathlib import Path

import pytest
from support.table.dying_sessions import KilledMatch

from engine import PERUDO
from firmware_host.fairness.chain import match_line, read_match_line
from firmware_host.fairness.verify.checker import verify
from firmware_host.store.journal.records import encode_events
from firmware_host.store.journal.store import MatchLog, MatchLogEntry
from firmware_host.store.scores.recorder import record_text, recording
from hardware.emulated.virtual_loop import VirtualLoop

NAMES = ("North", "East", "South")


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> KilledMatch:
    loop = VirtualLoop(patience_s=10.0)
    match = KilledMatch(loop, tmp_path_factory.mktemp("match"), PERUDO, seed=6, deaths=0)
    match.play()
    loop.close()
    return match


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "evening.dudo"


def played_until(match: KilledMatch, share: float) -> tuple[MatchLog, list[MatchLogEntry]]:
    """Return the match as far as the journal had it, and the rest."""
    lines = match.played.entries
    at = int(share * len(lines))
    return match.played._replace(entries=lines[:at]), [*lines[at:]]


def finished(file: Path, match: KilledMatch, share: float) -> str:
    """Return the file after a daemon came up in mid-match and played to the end."""
    before, rest = played_until(match, share)
    with recording(file, PERUDO, NAMES, before) as log_event:
        for event in MatchLog("", "", rest).events():
            log_event(event)
    return file.read_text("utf-8")


@pytest.mark.parametrize("share", [0.02, 0.1, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("written", [0.0, 0.3, 0.99, 1.0])
def test_what_a_dead_daemon_wrote_is_gone_on_with(file: Path, match: KilledMatch, share: float, written: float) -> None:
    so_far = record_text(played_until(match, share)[0]).removesuffix("*\n")
    file.write_text(so_far[: int(written * len(so_far))], "utf-8")
    if share == 1.0 and written == 0.0:
        return  # a match that is over is not written to a new file
    assert finished(file, match, share) == match.record


def test_what_a_stopped_daemon_closed_with_a_star_is_opened_again(file: Path, match: KilledMatch) -> None:
    file.write_text(record_text(played_until(match, 0.5)[0]), "utf-8")
    assert finished(file, match, 0.5) == match.record


def test_matches_before_it_stay_as_they_are(file: Path, match: KilledMatch, tmp_path: Path) -> None:
    other = "dudo score 1\nrules: perudo\nseat 0: Lima\nseat 1: Quito\n\n1. ? 0:4x3\n*\n"
    file.write_text(f"{other}\n{record_text(played_until(match, 0.5)[0])[:700]}", "utf-8")
    assert finished(file, match, 0.5) == f"{other}\n{match.record}"


def test_another_match_at_the_end_of_the_file_is_not_taken_for_it(file: Path, match: KilledMatch) -> None:
    other = match.record.replace(match.id, "0" * 12)
    file.write_text(other, "utf-8")
    assert finished(file, match, 0.5) == f"{other}\n{match.record}"


def test_a_new_file_gets_the_match_from_its_beginning(file: Path, match: KilledMatch) -> None:
    (verdict,) = verify(finished(file, match, 0.7))
    assert (verdict.wrong, verdict.closed) == (None, True)


def test_a_match_that_was_over_is_not_written_to_a_new_file(file: Path, match: KilledMatch) -> None:
    assert finished(file, match, 1.0) == ""


def test_a_match_whose_end_the_kill_kept_from_the_file_gets_it(file: Path, match: KilledMatch) -> None:
    file.write_text(match.record[:-300], "utf-8")
    assert finished(file, match, 1.0) == match.record


@pytest.mark.parametrize("name", ["/dev/null", "/dev/full"])
def test_what_is_no_file_on_a_disk_is_written_from_where_it_is(match: KilledMatch, name: str) -> None:
    before, _ = played_until(match, 0.5)
    with recording(Path(name), PERUDO, NAMES, before):
        pass


# The line that says who plays


def test_a_match_line_is_read_as_it_was_written() -> None:
    names = ["North", 'the "Bar" seats', "Ñandú\\", ""]
    assert read_match_line(match_line(b"s" * 32, PERUDO, 2, names)) == (PERUDO, tuple(names))
    assert read_match_line(match_line(b"s" * 32, PERUDO, None, names[:2])) == (PERUDO, tuple(names[:2]))


@pytest.mark.parametrize("line", ["match", "deal 1 sealed", "match a seed b rules perudo first 0 seats", "match 1 2 3"])
def test_what_is_no_match_line_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"begins no match|Expecting value"):
        read_match_line(line)


def test_events_that_no_score_needs_are_not_kept(match: KilledMatch) -> None:
    assert encode_events([]) == b""
    kept = {type(event).__name__ for event in match.played.events()}
    assert "CupSettled" in {type(event).__name__ for _, told in match.recorded for event in told}
    assert "CupSettled" not in kept
