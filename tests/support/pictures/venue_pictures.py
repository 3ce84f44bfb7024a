"""Pictures of a venue's page: `PYTHONPATH=tests python -m support.pictures.venue_pictures FOLDER [PICTURE ...]`.

Five tables, a tournament and the owner's dialog, at four sizes in three languages. `docs.pictures` takes some of them.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from support.pages.browser import PATIENCE_MS, a_chromium
from support.venue.page import PASSWORD, StagedVenue, served
from support.venue.tables import BAR, VenueTable, five_tables

from firmware_host.venue.tournament import Tournament

SIZES = {"phone": (480, 900), "laptop": (1280, 800), "tv": (1920, 1080), "4k": (3840, 2160)}
LANGUAGES = ("en", "es", "fr")
OWNER = "owner"
SETTLE_MS = 500
"""Real milliseconds for what the style sheet moves."""


async def with_tables(venue: StagedVenue) -> None:
    """Have an evening at five tables."""
    await venue.hear(*five_tables())


async def with_tournament(venue: StagedVenue) -> None:
    """Have a tournament of everybody in the bar: one heat is over, one is being played, two are called."""
    await with_tables(venue)
    everybody = [name for names in BAR.values() for name in names]
    drawn = Tournament.of(everybody, seed=3).drawn()
    heats = drawn.called([f"bar/{table}" for table in ("window", "corner", "billiards", "terrace")])
    now = heats.began("bar/corner").reported("bar/window", _players(heats, "window"))
    await venue.store.run(lambda store: store.start_tournament(Tournament.of(everybody, seed=3)))
    await venue.store.run(lambda store: store.change_tournament(1, lambda _: now))
    for table in ("window", "corner", "billiards", "terrace"):
        names = _players(heats, table)
        at = VenueTable("bar", table, seats=len(names), seed=99, names=names)
        if table == "window":
            at.over(0)
        elif table == "corner":
            at.bidding([4, 2, 5, 3, 1, 5][: len(names)], 2, 6, 4)
        await venue.hear(at.state())
    await venue.page.refresh()


def _players(tournament: Tournament, table: str) -> tuple[str, ...]:
    heat = tournament.at(f"bar/{table}")
    assert heat is not None
    return heat.players


def main(folder: Path, names: Sequence[str] = ()) -> None:
    """Write the named pictures into a folder, or all."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind, prepare in {"tables": with_tables, "tournament": with_tournament}.items():
        with tempfile.TemporaryDirectory() as state, served(Path(state), prepare) as address, a_chromium() as browser:
            for size, (width, height) in SIZES.items():
                wanted = [each for each in (*LANGUAGES, OWNER) if not names or f"{kind}-{size}-{each}" in names]
                page = browser.new_page(viewport={"width": width, "height": height})
                page.set_default_timeout(PATIENCE_MS)
                for each in wanted:
                    page.goto(f"{address}?language={LANGUAGES[0] if each is OWNER else each}")
                    page.wait_for_selector("tbody tr")
                    page.wait_for_timeout(SETTLE_MS)
                    if each is OWNER:
                        page.click("#owner")
                        page.fill("input[type=password]", PASSWORD)
                        page.click("#owner-content button.main")
                        page.wait_for_selector(".table")
                    whole = size == "phone" and each is not OWNER
                    page.screenshot(path=folder / f"{kind}-{size}-{each}.png", full_page=whole)
                page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
