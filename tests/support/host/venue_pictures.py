"""Pictures of a venue's page for people to look at: `PYTHONPATH=tests python -m support.host.venue_pictures FOLDER`.

Five tables, a tournament and the owner's dialog, at four sizes in three languages.
"""

import asyncio
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.host.browser import PATIENCE_MS, a_chromium
from support.host.venue_page import PASSWORD, StagedVenue, staged_venue
from support.host.venue_tables import BAR, five_tables

from firmware_host.venue.tournament import Tournament

SIZES = {"phone": (480, 900), "laptop": (1280, 800), "tv": (1920, 1080), "4k": (3840, 2160)}
LANGUAGES = ("en", "es", "fr")
SETTLE_MS = 500
"""Real milliseconds for what the style sheet moves."""


async def with_tournament(venue: StagedVenue) -> None:
    """Have a tournament of everybody in the bar, with one heat over."""
    names = [name for names in BAR.values() for name in names]

    def played(before: Tournament) -> Tournament:
        drawn = before.drawn().called([f"bar/{table}" for table in BAR])
        return drawn.reported("bar/window", drawn.at("bar/window").players)  # type: ignore[union-attr]

    await venue.store.run(lambda store: store.start_tournament(Tournament.of(names, seed=3)))
    await venue.store.run(lambda store: store.change_tournament(1, played))
    await venue.page.refresh()


@contextmanager
def a_bar(folder: Path, *, tournament: bool) -> Iterator[str]:
    """Serve the page of five tables in a thread; return its address."""
    ready, stop = threading.Event(), asyncio.Event()
    found: list[str] = []
    loop = asyncio.new_event_loop()

    async def run() -> None:
        async with staged_venue(folder) as venue:
            await venue.hear(*five_tables())
            if tournament:
                await with_tournament(venue)
            found.append(venue.address)
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
    thread.start()
    try:
        assert ready.wait(20)
        yield found[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(20)
        loop.close()


def main(folder: Path) -> None:
    """Write the pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind in ("tables", "tournament"):
        with (
            tempfile.TemporaryDirectory() as state,
            a_bar(Path(state), tournament=kind == "tournament") as address,
            a_chromium() as browser,
        ):
            for size, (width, height) in SIZES.items():
                page = browser.new_page(viewport={"width": width, "height": height})
                page.set_default_timeout(PATIENCE_MS)
                for language in LANGUAGES:
                    page.goto(f"{address}?language={language}")
                    page.wait_for_selector("tbody tr")
                    page.wait_for_timeout(SETTLE_MS)
                    page.screenshot(path=folder / f"{kind}-{size}-{language}.png", full_page=size == "phone")
                page.click("#owner")
                page.fill("input[type=password]", PASSWORD)
                page.click("#owner-content button.main")
                page.wait_for_selector(".table")
                page.screenshot(path=folder / f"{kind}-{size}-owner.png")
                page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
