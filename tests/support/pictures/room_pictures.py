"""The public page for people to look at: `PYTHONPATH=tests python -m support.pictures.room_pictures FOLDER`.

Eight moments of a match at four sizes in three languages, and `sheet.png` with all of them.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PIL import Image
from support.pages.browser import PATIENCE_MS, a_chromium
from support.pages.public_pages import HEAD, Line, StagedTable, a_screen, revealed, showdown, state

from firmware_host.table.cues import CueKind, reveal_cues, told_ms
from firmware_host.wire import PublicShowdown

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SIZES = ((480, 800), (1024, 600), (1920, 1080), (3840, 2160))
LANGUAGES = ("en", "es", "fr")
SEATS = 6
BID = {"quantity": 12, "face": 3, "seat": 0}
OVER = {"winner": 2, "standings": [2, 0, 5, 1, 4, 3], "head": HEAD}
SHOWN_MS = 700
"""Milliseconds after a moment at which it is photographed: its movement is over."""
SETTLE_MS = 1200
"""Real milliseconds for what the style sheet moves."""
SHEET_HEIGHT, GAP = 150, 6


def moments() -> dict[str, tuple[list[Line], int]]:
    """Return each moment by its name: the lines before it, and the milliseconds of the page's clock after them."""
    shown = msgspec.convert(showdown(SEATS), PublicShowdown)
    cues = reveal_cues(shown, shown, range(SEATS))
    at = {cue.kind: cue.at_ms for cue in cues}
    reveal = {
        "reveal-1-bid": 300,
        "reveal-2-cups": next(cue.at_ms for cue in cues if cue.kind is CueKind.COUNT) + 150,
        "reveal-3-count": at[CueKind.COUNT] + 100,
        "reveal-4-verdict": at[CueKind.VERDICT] + 600,
        "reveal-5-fall": told_ms(cues) + 1500,
    }
    called = state("called", SEATS, standing=BID, called={"call": "dudo", "seat": 1})
    return {
        "attract": ([state("lobby", SEATS, players=[])], SHOWN_MS),
        "round": ([state("bidding", SEATS, standing=BID, turn=1, waiting_for=[1])], SHOWN_MS),
        **{name: ([called, *revealed(SEATS)], ms) for name, ms in reveal.items()},
        "winner": ([state("over", SEATS, dice=[0, 0, 3, 0, 0, 0], showdown=showdown(SEATS), **OVER)], SHOWN_MS),
    }


def pictures(browser: "Browser", address: str, table: StagedTable, folder: Path) -> Iterator[Path]:
    """Yield the pictures as they are written."""
    for name, (lines, ms) in moments().items():
        for width, height in SIZES:
            for language in LANGUAGES:
                table.send(state("lobby", SEATS, players=[]))
                context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB")
                page = context.new_page()
                page.set_default_timeout(PATIENCE_MS)
                page.clock.install()
                page.goto(f"{address}?language={language}")
                page.wait_for_selector("#stage[data-scene=attract]")
                yield photograph(page, table, lines, ms, folder / f"{name}-{width}x{height}-{language}.png")
                context.close()


def photograph(page: "Page", table: StagedTable, lines: list[Line], ms: int, file: Path) -> Path:
    """Show lines, let time pass on the page's clock, and write a picture."""
    table.send(*lines)
    scene = lines[-1]["scene"]
    if scene != "lobby":
        page.wait_for_selector(f"#stage[data-scene={scene}]")
    page.clock.run_for(ms)
    page.evaluate("(ms) => document.getAnimations().forEach((each) => (each.currentTime = ms))", SETTLE_MS)
    page.screenshot(path=file)
    return file


def sheet(files: list[Path], across: int) -> Image.Image:
    """Return all pictures in rows, each as high as the others."""
    small = []
    for file in files:
        with Image.open(file) as picture:
            small.append(picture.convert("RGB").resize((picture.width * SHEET_HEIGHT // picture.height, SHEET_HEIGHT)))
    rows = [small[at : at + across] for at in range(0, len(small), across)]
    width = max(sum(picture.width + GAP for picture in row) for row in rows)
    whole = Image.new("RGB", (width, len(rows) * (SHEET_HEIGHT + GAP)), "#444")
    for y, row in enumerate(rows):
        x = 0
        for picture in row:
            whole.paste(picture, (x, y * (SHEET_HEIGHT + GAP)))
            x += picture.width + GAP
    return whole


def main(folder: Path) -> None:
    """Write the pictures and the sheet into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with a_chromium() as browser, tempfile.TemporaryDirectory() as near:
        table = StagedTable(Path(near) / "events.sock")
        table.send(state("lobby", SEATS, players=[]))
        with a_screen(table.path, "--listen", "0.0.0.0:8659") as screen:
            files = list(pictures(browser, screen.address.replace("0.0.0.0", "127.0.0.1"), table, folder))
        table.close()
    sheet(files, len(SIZES) * len(LANGUAGES)).save(folder / "sheet.png")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/room"))
