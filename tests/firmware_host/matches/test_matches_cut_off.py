"""A match that is cut off ten times ends with one record, whole and verified, wherever the cuts were."""

from pathlib import Path

import pytest
from support.table.dying_sessions import DAY, KilledMatch

from engine import RULESETS, Rules
from firmware_host.fairness.verify.checker import verify
from hardware.emulated.virtual_loop import VirtualLoop

pytestmark = pytest.mark.slow


DEATHS = 10


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_a_match_cut_off_ten_times_ends_with_one_verified_record(
    rules: Rules, loop: VirtualLoop, tmp_path: Path
) -> None:
    match = KilledMatch(loop, tmp_path, rules, seed=1, deaths=DEATHS)
    match.play()
    assert match.runs == DEATHS + 2
    assert match.last is not None
    game = match.last.game
    (file,) = match.exported.iterdir()
    assert file.name == f"{DAY}-{game.id}.dudo"
    (verdict,) = verify(file.read_text("utf-8"))
    assert verdict.wrong is None
    assert verdict.closed
    assert verdict.head == game.head
    assert verdict.score is not None
    assert verdict.score.winner is not None
    assert match.file.read_text("utf-8") == file.read_text("utf-8")
