"""Records and journals with proofs of version 1 are read, verified, continued, and reported as old."""

import io
import random
from pathlib import Path

import pytest
from support.proofs.old_journals import PROOFS_OF_VERSION_1, of_schema_3
from support.table.harness import TableHarness
from support.table.program_cup import ProgramCup

from engine import PERUDO
from firmware_host import cli
from firmware_host.daemon.resume import opened_by_cups
from firmware_host.fairness.verify.checker import verify
from firmware_host.fairness.verify.deal_checker import DealStage
from firmware_host.store.journal.journal import SCHEMA, Journal
from firmware_host.store.scores.recorder import MatchRecorder, record_text
from firmware_host.table.scenes.called import Called
from firmware_host.table.scenes.scene import Scene

RECORDS = sorted(PROOFS_OF_VERSION_1.glob("*.dudo"))
DEALS = {"accidents-obliging": 13, "palo-fijo-2": 8, "perudo-2": 5, "perudo-4": 18, "wired-2": 9}
JOURNALS = ["bidding", "called", "shaking"]
NAMES = ("North", "East")


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_an_old_record_is_verified_whole(file: Path) -> None:
    (verdict,) = verify(file.read_text("utf-8"))
    assert (verdict.wrong, verdict.cut, verdict.version, verdict.closed) == (None, None, 1, True)
    assert len(verdict.deals_at(DealStage.OPEN)) == DEALS[file.stem]


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_the_verdict_on_an_old_record_says_its_version_and_ends_with_0(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["verify", str(file)]) == 0
    out, err = capsys.readouterr()
    assert "  Proofs of version 1, as older tables wrote them: a deal is bound to 48 bits of the match’s name," in out
    assert err == ""


@pytest.mark.slow
def test_the_verdict_on_a_new_record_says_no_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "evening.dudo"
    assert cli.main(f"play --headless --seats 2 --seed 4 --record {file}".split()) == 0
    capsys.readouterr()
    assert cli.main(["verify", str(file)]) == 0
    assert "version 1" not in capsys.readouterr().out


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.sqlite"


def resumed(scene: Scene | None) -> TableHarness:
    """Return the match, played to its end at cups that know nothing of it any more."""
    cups = {seat: ProgramCup(seat, random.Random(f"new/{seat}")) for seat in (0, 1)}
    harness = TableHarness(PERUDO, 2, seed=9, scene=scene, cups=cups)
    if isinstance(scene, Called):
        harness.revealed()
    return harness


@pytest.mark.parametrize("scene", JOURNALS)
def test_a_match_of_an_old_journal_goes_on_and_its_record_verifies(path: Path, scene: str) -> None:
    of_schema_3(path, scene)
    with Journal(path) as journal:
        played, last = journal.match, journal.scene
    assert played is not None
    file = io.StringIO()
    recorder = MatchRecorder(PERUDO, NAMES, lambda: played.day, file)
    recorder.record_all(played.events())
    recorder.record_all(resumed(last).until_over(random.Random(3)).events)
    recorder.close()
    (verdict,) = verify(file.getvalue())
    assert (verdict.wrong, verdict.version, verdict.closed) == (None, 1, True)
    repeated = verdict.deals_at(DealStage.REPEATED)  # bound cups that know nothing of it restarted
    assert len(repeated) == (scene == "shaking")


@pytest.mark.parametrize("scene", JOURNALS)
def test_an_old_journal_is_of_the_new_schema_from_its_opening_on(path: Path, scene: str) -> None:
    of_schema_3(path, scene)
    Journal(path).close()
    with Journal(path) as again:
        assert (SCHEMA, again.scene is None) == (5, False)
        assert again.match is not None
        assert verify(record_text(again.match))[0].wrong is None


def test_what_cups_opened_in_an_old_journal_is_remembered(path: Path) -> None:
    of_schema_3(path)
    with Journal(path) as journal:
        opened = [*opened_by_cups(journal.match, journal.scene)]
    assert [seat for seat, _, _ in opened] == [0, 1, 0, 1]  # two deals, of which one lies under the cups
    assert len({entropy for *_, entropy in opened}) == 4


def test_a_match_that_begins_after_an_old_one_has_proofs_of_today(path: Path) -> None:
    of_schema_3(path)
    with Journal(path) as journal:
        scene = journal.scene
    assert scene is not None
    assert scene.game is not None
    assert scene.game.deal_identity == scene.game.id
    assert len(TableHarness(PERUDO, 2).joined().game.deal_identity) == 64
