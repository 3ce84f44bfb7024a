"""Pictures of the page of figures: `PYTHONPATH=tests python -m support.pictures.figures_pictures FOLDER [PICTURE ...]`.

An autumn of eight players at four sizes in three languages, of the last evening and of all time. `docs.pictures` takes
one of them.
"""

import json
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from support.engine.played_score import played
from support.pages.browser import PATIENCE_MS, a_chromium
from support.pages.public_pages import NAMES, StagedTable, a_screen, state

from engine import write_score
from firmware_host.fairness.chain import player_name
from firmware_host.store.house.database import remembered
from firmware_host.store.house.page import page_figures
from firmware_host.table.robot_level import RobotLevel

SIZES = {"phone": (390, 844), "laptop": (1280, 720), "tv": (1920, 1080), "4k": (3840, 2160)}
LANGUAGES = ("en", "es", "fr")
PARTS = ("tonight", "all")
MATCHES = 3, 5, 4, 7, 2, 6, 4, 8, 11
"""Those of each evening."""
FIRST_DAY = date(2026, 9, 24)


def keep_an_autumn(state: Path) -> None:
    """Write the matches of some evenings with up to eight players into a state folder; a robot plays in some."""
    chance = random.Random(11)
    (state / "matches").mkdir()
    weeks = [week for week, count in enumerate(MATCHES) for _ in range(count)]
    for number, week in enumerate(weeks):
        day = FIRST_DAY + timedelta(weeks=week)
        players = chance.choice((3, 4, 5, 8))
        names = chance.sample(NAMES, k=players)
        if number % 4 == 3:
            names[0] = player_name(names[0], RobotLevel.HARD)
        score = played(("perudo", "kill-spot")[number % 5 == 0], players, chance)
        file = state / "matches" / f"{day}-{number:012x}.dudo"
        file.write_text(write_score(replace(score, names=tuple(names), date=str(day))), "utf-8")


@cache
def figures_of_an_autumn() -> dict[str, Any]:
    """Return the figures of those evenings."""
    with tempfile.TemporaryDirectory() as folder:
        keep_an_autumn(Path(folder))
        return remembered(Path(folder), page_figures)


def main(folder: Path, names: Sequence[str] = ()) -> None:
    """Write the named pictures into a folder, or all."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as short:
        table = StagedTable(Path(short) / "events.sock")
        table.send(state("lobby", 3, players=[]))
        table.figures |= {"text": json.dumps(figures_of_an_autumn())}
        with a_screen(table.path) as screen, a_chromium() as browser:
            for name in names or [f"{size}-{part}-{each}" for size in SIZES for part in PARTS for each in LANGUAGES]:
                size, part, language = name.split("-")
                width, height = SIZES[size]
                page = browser.new_page(viewport={"width": width, "height": height})
                page.set_default_timeout(PATIENCE_MS)
                page.goto(f"{screen.address}figures/?language={language}")
                page.wait_for_selector("#content:not([hidden])")
                page.click(f"#{part}")
                page.screenshot(path=folder / f"{name}.png", full_page=size == "phone")
                page.close()
        table.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
