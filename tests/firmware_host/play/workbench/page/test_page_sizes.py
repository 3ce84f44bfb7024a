"""How the page lies on a laptop and on phones, with all eight seats: nothing beside the screen, nothing too small."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from support.pages.browser import LAPTOP, PlayedTable, a_page, a_table

pytestmark = pytest.mark.slow


if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONES = ((390, 844), (360, 640))
THUMB = 44  # CSS pixels, WCAG 2.2 target size (enhanced)
OWN_CONTROLS = "#own .key"


@pytest.fixture(scope="module")
def table(chromium: "Browser") -> Iterator[PlayedTable]:
    """Eight chairs kept for people: it stays in the lobby."""
    with a_table("--seats", "8", "--humans", "8") as table:
        yield table


@pytest.fixture(scope="module", params=PHONES, ids=lambda size: "x".join(map(str, size)))
def phone(request: pytest.FixtureRequest, chromium: "Browser", table: PlayedTable) -> Iterator["Page"]:
    with a_page(chromium, table, request.param, phone=True) as page:
        page.wait_for_selector("#own .seat")
        yield page


@pytest.fixture
def laptop(chromium: "Browser", table: PlayedTable) -> Iterator["Page"]:
    with a_page(chromium, table, LAPTOP) as page:
        page.wait_for_selector("#own .seat")
        yield page


def size_of_page(page: "Page") -> tuple[int, int]:
    width, height = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    return width, height


def size_of_window(page: "Page") -> tuple[int, int]:
    assert page.viewport_size is not None
    return page.viewport_size["width"], page.viewport_size["height"]


def test_a_phone_scrolls_in_no_direction(phone: "Page") -> None:
    assert size_of_page(phone) == size_of_window(phone)


def test_a_laptop_shows_eight_seats_without_scrolling(laptop: "Page") -> None:
    assert size_of_page(laptop) == size_of_window(laptop)
    width, height = size_of_window(laptop)
    for seat in laptop.locator("article.seat").all():
        box = seat.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height


def test_every_control_of_the_own_seat_fits_a_thumb(phone: "Page") -> None:
    controls = phone.locator(OWN_CONTROLS).all()
    assert len(controls) == 6
    for control in controls:
        box = control.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= THUMB


def test_the_own_controls_are_in_the_lower_half_of_a_phone(phone: "Page") -> None:
    _, height = size_of_window(phone)
    for control in phone.locator(OWN_CONTROLS).all():
        box = control.bounding_box()
        assert box is not None
        assert height / 2 < box["y"]
        assert box["y"] + box["height"] <= height


# Phones of 375, 390 and 480 CSS pixels at 200 %, and one of 375 at 125 %.
MAGNIFIED = ((188, 406), (406, 188), (195, 422), (422, 195), (240, 520), (300, 533), (533, 300), (300, 650), (650, 300))
HITS = """controls => controls.filter((control) => {
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    return !isInside || !control.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).map((control) => control.className)"""
CUT = """controls => controls.filter((control) => control.scrollWidth > control.clientWidth)
    .map((control) => control.className)"""


@pytest.mark.parametrize("language", ["en", "es", "fr"])
def test_every_control_of_the_own_seat_is_on_a_phone_at_200_percent(
    chromium: "Browser", table: PlayedTable, language: str
) -> None:
    with a_page(chromium, table, PHONES[0], phone=True, locale=language) as page:
        page.wait_for_selector("#own .seat")
        for width, height in MAGNIFIED:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("new Promise(requestAnimationFrame)")
            outside = page.locator(f"{OWN_CONTROLS}, #own canvas").evaluate_all(HITS)
            cut = page.locator(OWN_CONTROLS).evaluate_all(CUT)
            assert (width, height, outside, cut) == (width, height, [], [])
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_dot_of_the_own_panel_is_a_whole_number_of_pixels(phone: "Page") -> None:
    box = phone.locator("#own canvas").bounding_box()
    assert box is not None
    pixels = box["width"] * 3 / 128
    assert pixels == pytest.approx(round(pixels), abs=0.01)
    assert pixels >= 6


def test_a_sheet_on_a_phone_folds_when_something_else_is_touched(phone: "Page") -> None:
    phone.locator("#help summary").tap()
    phone.locator("#help ol").wait_for()
    phone.locator("#own canvas").tap()
    phone.locator("#help ol").wait_for(state="hidden")


def test_a_touch_presses_and_lets_go(phone: "Page") -> None:
    phone.locator("#own .ok").tap()
    phone.locator("#hint", has_text="You are in").wait_for()
    phone.locator("#own .key.right").tap()
    phone.locator("#own .key.right").tap()  # over to Leave
    phone.locator("#own .ok").tap()
    phone.locator("#hint", has_text="Press OK to join").wait_for()
