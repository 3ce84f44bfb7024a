"""A table is found again: whole from its folder, copied as docs/journal.md says, and without secrets from a backup."""

import asyncio
import random
import re
import shlex
import subprocess
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace
from support import ROOT
from support.engine.played_score import played
from support.table.harness import lay_out

from engine import PERUDO, Bid, write_score
from firmware_host import cli
from firmware_host.configuration import settings
from firmware_host.configuration.settings import Settings
from firmware_host.store.house import counters, database
from firmware_host.store.house.counters import Count, Counters, nothing
from firmware_host.store.house.names import NameBook
from firmware_host.store.journal.journal import Journal
from firmware_host.table.scenes.scene import Scene

PAGE = (ROOT / "docs/journal.md").read_text(encoding="utf-8")
MATCH = "2026-11-20-000000000001.dudo"
SCENE = lay_out(PERUDO, [(1, 3, 3), (2, 2, 4)], Bid(2, 3)).table.scene
COUNTED = replace(nothing(date(2026, 3, 1)), calls=Count(7312, date(2026, 9, 14)), is_on=True)
SETTINGS = Settings(turn_clock_s=90)
SCORE = write_score(played("perudo", 3, random.Random(1)))


@dataclass
class Found:
    """All that a state folder has."""

    scene: Scene | None
    match: str
    names: list[str]
    settings: Settings
    matches_in_figures: int
    counters: Counters | None


WHOLE = Found(SCENE, SCORE, ["ANA"], SETTINGS, 1, COUNTED)


def found_in(state: Path) -> Found:
    with Journal(state / "journal.sqlite") as journal:
        scene = journal.scene
    names = [*NameBook(state).known()]
    count = "SELECT count(*) FROM matches"
    return Found(
        scene,
        (state / "matches" / MATCH).read_text("utf-8"),
        names,
        settings.read(state),
        database.remembered(state, lambda house: int(house.execute(count).fetchone()[0])),
        counters.read(state),
    )


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Return the state folder of a table that was stopped in mid-match."""
    state = tmp_path / "old" / "dudo-table"
    (state / "matches").mkdir(parents=True)
    with Journal(state / "journal.sqlite") as journal:
        asyncio.run(journal.write(SCENE, {}))
    (state / "matches" / MATCH).write_text(SCORE, "utf-8")
    NameBook(state).keep_match(MATCH[11:-5], ("ANA",), "2026-11-20")
    settings.write(SETTINGS, state)
    counters.write(COUNTED, state)
    database.remembered(state, lambda house: None, public=True)
    database.remembered(state, lambda house: None)
    return state


def test_a_copy_of_the_one_folder_has_all_of_a_table(state: Path, tmp_path: Path) -> None:
    (block,) = re.findall(r"^```sh\n(sudo systemctl stop.*?)```", PAGE, re.DOTALL | re.MULTILINE)
    (command,) = re.findall(r"sudo (cp .*)", block)
    (tmp_path / "nas").mkdir()
    typed = command.replace("/var/lib/dudo-table", str(state)).replace("/mnt/nas", str(tmp_path / "nas"))
    subprocess.run(shlex.split(typed), check=True)
    assert found_in(tmp_path / "nas" / "dudo-table") == WHOLE


def test_a_backup_restored_elsewhere_has_all_but_dice_and_names(state: Path, tmp_path: Path) -> None:
    stick, new = tmp_path / "stick", tmp_path / "new"
    for folder in (stick, new):
        folder.mkdir()
    assert cli.main(["backup", "--state", str(state), str(stick)]) == 0
    (copy,) = stick.iterdir()
    assert cli.main(["restore", "--state", str(new), str(copy)]) == 0
    assert found_in(new) == Found(None, SCORE, [], SETTINGS, 1, COUNTED)


def test_the_page_names_each_file_of_the_folder(state: Path) -> None:
    table = PAGE.partition("| file | is |")[2].partition("\n\n")[0]
    cells = re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE)
    named = {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}
    there = {file.name for file in state.iterdir()} - {"matches"}
    assert there <= named
