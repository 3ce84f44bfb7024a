"""The page of figures in a real browser: at every size, in each language, and without figures."""

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.pages.accessibility import broken_rules
from support.pages.browser import PATIENCE_MS, a_chromium
from support.pages.public_pages import LONG_NAMES, StagedTable, a_screen, state
from support.pictures.figures_pictures import LANGUAGES, PARTS, SIZES, figures_of_an_autumn

from firmware_host.store.house.page import MAX_NAME, MAX_PLAYERS

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OUTSIDE = """() => [...document.querySelectorAll("header > *, .panel, .panel > *, #players li > *, #told div, canvas")]
    .filter((each) => each.getClientRects().length > 0 && each.id !== "first")
    .filter((each) => {
        const around = each.closest("#players") ?? each.closest(".panel") ?? document.body;
        const box = each.getBoundingClientRect(), limits = around.getBoundingClientRect();
        return box.left < limits.left - 1 || box.right > limits.right + 1 || box.bottom > limits.bottom + 1;
    })
    .map((each) => `${each.tagName} ${each.id} ${each.textContent}`)"""
"""What is outside the panel that it is in, or beside the page."""
AXE = (("en", "phone"), ("es", "tv"))
"""Where axe-core looks: its rules depend little on the size."""
IS_WIDER = "document.documentElement.scrollWidth > innerWidth"
IS_HIGHER = "document.documentElement.scrollHeight > innerHeight"


def opened(browser: "Browser", address: str, complaints: list[str]) -> "Page":
    """Return a page that collects the errors of its scripts."""
    page = browser.new_page(reduced_motion="reduce")
    page.set_default_timeout(PATIENCE_MS)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda text: complaints.append(text.text) if "Content Security" in text.text else None)
    page.goto(address)
    return page


def test_the_figures_fit_every_size_and_can_be_read_by_everybody() -> None:
    complaints: list[str] = []
    with tempfile.TemporaryDirectory() as folder:  # a socket's path may not be as long as a test's
        table = StagedTable(Path(folder) / "events.sock")
        table.send(state("lobby", 3, players=[]))
        found = json.dumps(figures_of_an_autumn())
        for name in LONG_NAMES[:2]:
            found = found.replace(name.split()[0], name[:MAX_NAME])
        parts = json.loads(found)
        for part in PARTS:
            parts[part]["players"] = (parts[part]["players"] * 2)[:MAX_PLAYERS]
        table.figures |= {"text": json.dumps(parts)}
        with a_screen(table.path) as screen, a_chromium() as browser:
            page = opened(browser, f"{screen.address}?language=fr", complaints)
            page.wait_for_selector("#stage:not([data-scene=none])")
            page.focus("#figures")
            page.keyboard.press("Enter")
            page.wait_for_selector("#content:not([hidden])")
            assert page.title() == "Tableau d’honneur"
            for language in LANGUAGES:
                page.goto(f"{screen.address}figures/?language={language}")
                page.wait_for_selector("#content:not([hidden])")
                for size, (width, height) in SIZES.items():
                    page.set_viewport_size({"width": width, "height": height})
                    for part in PARTS:
                        page.click(f"#{part}")  # draws the plots for this size
                        assert not page.evaluate(IS_WIDER), (language, size, part)
                        assert page.evaluate(OUTSIDE) == [], (language, size, part)
                        assert size == "phone" or not page.evaluate(IS_HIGHER), (language, size, part)
                        assert page.locator("canvas").count() == 1
                        assert (language, size) not in AXE or broken_rules(page) == [], (size, part)
            assert page.get_attribute("#plot > div", "aria-label")
            page.close()
        table.close()
    assert complaints == []


def test_a_page_without_figures_says_so_in_one_sentence() -> None:
    complaints: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        table = StagedTable(Path(folder) / "events.sock")
        table.send(state("lobby", 3, players=[]))
        with a_chromium() as browser:
            for text, sentence in ((None, "There are no figures now"), ("null", "No match has been played")):
                table.figures |= {"text": text}
                with a_screen(table.path) as screen:
                    page = opened(browser, f"{screen.address}figures/?language=en", complaints)
                    page.wait_for_selector(f"#state:has-text('{sentence}')")
                    assert not page.is_visible("#content")
                    assert broken_rules(page) == []
                    page.close()
        table.close()
    assert complaints == []
