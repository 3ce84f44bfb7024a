"""The terminal session in docs/stats.md is what `stats` prints of the matches in the picture beside it."""

from pathlib import Path

import pytest
from support import ROOT
from support.pictures.figures_pictures import keep_an_autumn

from firmware_host import cli

SESSION = "$ dudo-table stats\n"


def test_the_session_is_what_stats_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep_an_autumn(tmp_path)
    assert cli.main(["stats", "--state", str(tmp_path)]) == 0
    printed = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    session = (ROOT / "docs" / "stats.md").read_text("utf-8").partition(SESSION)[2].partition("```")[0]
    assert session.splitlines() == printed
