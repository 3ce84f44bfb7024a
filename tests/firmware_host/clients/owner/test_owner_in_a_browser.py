"""The owner's page in a real browser: on a phone and a laptop, in three languages, with a hostile seat name."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.host.browser import PATIENCE_MS, a_chromium
from support.host.owner_table import OwnersTable, served, state

from firmware_host.wire import PublicSeat

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

HOSTILE = '<img src=x onerror="document.title=1">'
SIZES = ((390, 844), (1280, 800))


def broken_rules(page: "Page") -> list[str]:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="make test installs axe").Axe()
    return [rule["id"] for rule in axe.run(page).response["violations"] if rule["impact"] in ("serious", "critical")]


def check(page: "Page") -> None:
    """The page fits and breaks no rule at every size."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert broken_rules(page) == []


@pytest.mark.parametrize("language", ["en", "es", "fr"])
def test_an_owner_logs_in_and_cares_for_the_table(language: str, tmp_path: Path) -> None:
    table = OwnersTable(tmp_path)
    seats = (PublicSeat(HOSTILE, "red", True, 5, missing=("cup",), place=HOSTILE),)
    table.public_state = state("bidding", seats=seats)
    with a_chromium() as browser, served(table) as address:
        page = browser.new_page(locale=language)
        page.set_default_timeout(PATIENCE_MS)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(address)
        page.wait_for_selector("#log-in:not([hidden])")
        assert page.locator("html").get_attribute("lang") == language
        check(page)
        page.fill("#code", "1")
        page.click("#log-in button")
        page.wait_for_selector("#problem:not(:empty)")
        page.fill("#code", table.code)
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-section=play]")
        check(page)
        assert page.inner_text("#findings li").startswith(HOSTILE)
        assert page.locator("img").count() == 0
        page.select_option("#item-language", label="Français")
        page.wait_for_selector("#said:not(:empty)")
        assert table.settings.language == "fr"
        page.locator("#item-volume").press("ArrowLeft")
        page.wait_for_function("() => document.querySelector('.scale output').textContent === '90 %'")
        page.click('[data-key="pause"]')
        page.wait_for_selector('[data-key="resume"]')
        page.click('[data-key="calls"]')
        page.wait_for_function("() => [...document.querySelectorAll('.figure b')].some(e => e.textContent === '0')")
        check(page)
        page.click("#log-out")
        page.wait_for_selector("#log-in:not([hidden])")
        assert page.locator("#sections > *").count() == 0
        assert errors == []
