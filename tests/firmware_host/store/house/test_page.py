"""The figures for the page: bounded, of matches that are kept, and under the names that are public."""

import json
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from support import ROOT
from support.engine.played_score import played

from engine import write_score
from firmware_host.daemon.answers import FIGURES
from firmware_host.store.house.database import FILE_NAME, remembered
from firmware_host.store.house.page import MAX_DAYS, MAX_NAME, MAX_PLAYERS, MAX_RACE, page_figures

NAMES = ("Lima", "Quito", "Puno")


def keep(state: Path, number: int, names: tuple[str, ...] = NAMES, day: str = "2026-11-20") -> None:
    """Keep a match of this number in a state folder."""
    (state / "matches").mkdir(exist_ok=True)
    score = replace(played("perudo", len(names), random.Random(number)), names=names, date=day)
    (state / "matches" / f"{day}-{number:012x}.dudo").write_text(write_score(score), "utf-8")


def found_in(state: Path) -> dict[str, Any]:
    return remembered(state, page_figures, public=True)


def printed(state: Path) -> subprocess.CompletedProcess[str]:
    """Run the process that the daemon runs."""
    command = [sys.executable, "-m", FIGURES.module, str(state)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_the_last_evening_is_a_part_of_all_time(tmp_path: Path) -> None:
    for number in range(5):
        keep(tmp_path, number, day=f"2026-11-{20 + number // 3}")
    found = found_in(tmp_path)
    assert (found["tonight"]["matches"], found["all"]["matches"]) == (2, 5)
    assert found["days"] == [("2026-11-20", 3), ("2026-11-21", 2)]
    assert len(found["race"]) == 2
    won = {player["name"]: player["won"] for player in found["tonight"]["players"]}
    assert {name: found["race"].count(name) for name in NAMES} == won


def test_the_figures_have_a_bounded_size(tmp_path: Path) -> None:
    for number in range(MAX_RACE + 5):
        names = (f"{number} {'é' * 100}", "Lima")
        keep(tmp_path, number, names, day=f"20{number + 10}-01-01")
    found = found_in(tmp_path)
    assert len(found["days"]) == MAX_DAYS
    assert len(found["all"]["players"]) == MAX_PLAYERS
    assert max(len(player["name"]) for player in found["all"]["players"]) == MAX_NAME
    assert len(json.dumps(found)) < FIGURES.max_bytes / 2


def test_the_race_has_the_last_matches_of_a_long_evening(tmp_path: Path) -> None:
    for number in range(MAX_RACE + 3):
        keep(tmp_path, number, ("Lima", "Quito"))
    assert len(found_in(tmp_path)["race"]) == MAX_RACE


def test_a_house_without_matches_has_no_figures(tmp_path: Path) -> None:
    assert printed(tmp_path).stdout == "null\n"
    (tmp_path / "matches").mkdir()
    assert found_in(tmp_path) == {"tonight": None, "all": None, "days": [], "race": []}


def test_a_damaged_memory_is_made_again_by_the_process(tmp_path: Path) -> None:
    keep(tmp_path, 1)
    (tmp_path / FILE_NAME).write_bytes(b"no database at all" * 100)
    done = printed(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["all"]["matches"] == 1


def test_a_memory_that_is_no_file_gets_one_clear_line(tmp_path: Path) -> None:
    keep(tmp_path, 1)
    (tmp_path / FILE_NAME).mkdir()
    done = printed(tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        f"{tmp_path / FILE_NAME}: is not a file; move it away, and the figures are made again from the matches"
    ]
