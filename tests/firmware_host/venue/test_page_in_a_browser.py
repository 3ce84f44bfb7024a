"""The venue's page in a real browser: on a phone, a laptop and a large screen, with hostile names, and the owner."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.pages.accessibility import broken_rules
from support.pages.browser import PATIENCE_MS, a_chromium
from support.venue.page import PASSWORD, StagedVenue, served
from support.venue.tables import VenueTable, five_tables

if TYPE_CHECKING:
    pass

pytestmark = pytest.mark.slow

HOSTILE = '<img src=x onerror="document.title=1">'


async def five_and_a_hostile_one(venue: StagedVenue) -> None:
    """Have five tables, and one with a hostile player."""
    await venue.hear(*five_tables())
    hostile = VenueTable("bar", "zzz", seed=9, names=(HOSTILE, "East", "South", "West"))
    await venue.hear(hostile.status(), *hostile.match())


def test_the_page_fits_every_screen_breaks_no_rule_and_the_owner_changes_it(tmp_path: Path) -> None:
    with a_chromium() as browser, served(tmp_path, five_and_a_hostile_one) as address:
        page = browser.new_page(viewport={"width": 480, "height": 900}, locale="es")
        page.set_default_timeout(PATIENCE_MS)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)
        page.wait_for_selector("tbody tr")
        assert page.locator(".card").count() == 6
        for width, height in ((480, 900), (1280, 800), (3840, 2160)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert broken_rules(page) == []
        assert page.locator("html").get_attribute("lang") == "es"
        assert page.title() == "Dudo"  # nothing of a name was run
        assert page.locator("img").count() == 0
        page.click("#owner")
        page.fill("input[type=password]", PASSWORD)
        page.click("button.main")
        page.fill('input[aria-label="bar/window"]', HOSTILE)
        page.click('button[aria-label$=": window"]')
        page.wait_for_function(
            "name => [...document.querySelectorAll('.head bdi')].some(e => e.textContent === name)", arg=HOSTILE
        )
        assert broken_rules(page) == []
        page.keyboard.press("Escape")
        page.click('.card:has-text("terrace") .open')
        page.wait_for_selector("#stage[data-scene=attract]")
        page.click("#all-tables")
        page.wait_for_selector(".card")
        assert errors == []
