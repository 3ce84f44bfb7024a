"""The page for people who hear it, type or need strong contrast: axe-core's rules, names of all controls, live text."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.pages.accessibility import broken_rules, nameless_tab_stops
from support.pages.browser import PlayedTable, a_page, a_table, wait_until
from support.pages.phones import a_phone, link_of, sit_down

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LANGUAGES = ("en", "es", "fr")
SCENES = {"lobby", "shaking", "choosing", "bidding", "reveal", "over"}


KEY = {"lobby": "Enter", "choosing": "Enter", "shaking": "s", "reveal": "s"}


def play_on(page: "Page") -> None:
    """Do what the table waits for at this page's seat, if anything; doubt whatever is bid."""
    scene = page.get_attribute("#middle", "data-scene") or ""
    if page.get_attribute("#hint", "data-mine") is not None:
        doubt = scene == "bidding" and page.locator("#middle .bid.big").count()
        key = "d" if doubt else KEY.get(scene, "Enter")
        page.keyboard.press(key)
        page.wait_for_timeout(60)


def test_no_state_of_a_match_breaks_a_serious_rule_in_any_language(chromium: "Browser", tmp_path: Path) -> None:
    broken: dict[str, list[str]] = {}
    short = tmp_path / "short.toml"
    short.write_text('based_on = "palo-fijo"\nstarting_dice = 2\n')
    arguments = ("--seats", "3", "--humans", "3", "--speed", "8", "--rules", str(short))
    with a_table(*arguments) as table, ExitStack() as pages:
        speaking = {language: pages.enter_context(a_page(chromium, table, locale=language)) for language in LANGUAGES}
        for language, page in speaking.items():
            page.locator(f"html[lang={language}]").wait_for(state="attached")
        while not any(state.startswith("over") for state in broken):
            for language, page in speaking.items():
                state = f"{page.get_attribute('#middle', 'data-scene')} in {language}"
                if state not in broken:
                    broken[state] = broken_rules(page) + nameless_tab_stops(page)
                play_on(page)
    assert {state: rules for state, rules in broken.items() if rules} == {}
    assert {state.partition(" ")[0] for state in broken} >= SCENES


@pytest.fixture(scope="module")
def table(chromium: "Browser") -> Iterator[PlayedTable]:
    """Eight chairs kept for people: it stays in the lobby."""
    with a_table("--seats", "8", "--humans", "8") as table:
        yield table


@pytest.fixture
def lima(chromium: "Browser", table: PlayedTable) -> Iterator["Page"]:
    with a_page(chromium, table) as page:
        page.wait_for_selector("#own .seat")
        yield page


def test_problems_break_no_serious_rule(lima: "Page", chromium: "Browser", table: PlayedTable) -> None:
    own = lima.locator("#own .seat")
    name = own.get_attribute("aria-label")
    own.locator(".more").click()
    assert broken_rules(lima) == []  # with the menu open
    own.locator("menu button", has_text="Unplug").click()
    lima.locator("#hint", has_text="unplugged").wait_for()
    assert broken_rules(lima) == []
    own.locator(".more").click()
    own.locator("menu button", has_text="Plug").click()
    with a_page(chromium, table) as other:
        other.get_by_label(f"More about {name}’s seat").first.click()
        other.locator(f"article[aria-label={name}] menu button", has_text="Sit here").click()
        lima.locator("#notice").wait_for()
        assert broken_rules(lima) == []
        assert nameless_tab_stops(lima) == []
        lima.get_by_role("button", name="Take it back").click()


def test_a_phone_in_dark_colours_breaks_no_serious_rule(chromium: "Browser", table: PlayedTable) -> None:
    with a_page(chromium, table, (390, 844), phone=True) as page:
        page.emulate_media(color_scheme="dark")
        page.locator("#help summary").tap()
        assert broken_rules(page) == []
        assert nameless_tab_stops(page) == []


@pytest.fixture(scope="module")
def party(chromium: "Browser") -> Iterator[PlayedTable]:
    with a_table("--seats", "4", "--host", "127.0.0.1", "--humans", "0") as table:
        yield table


def test_no_state_of_the_hosts_panel_breaks_a_serious_rule(chromium: "Browser", party: PlayedTable) -> None:
    broken: dict[str, list[str]] = {}
    with a_page(chromium, party, locale="fr") as host, a_phone(chromium) as phone:
        broken["codes"] = broken_rules(host) + nameless_tab_stops(host, at_least=2)
        sit_down(phone, link_of(host), "Lima")
        host.click("dialog.party [aria-label='Reprendre: Lima']")
        broken["asks before a seat is taken back"] = broken_rules(host)
    assert {state: rules for state, rules in broken.items() if rules} == {}


def test_a_screen_readers_click_is_a_press(lima: "Page") -> None:
    lima.locator("#hint", has_text="Press OK to join").wait_for()
    lima.locator("#own .key.ok").evaluate("button => button.click()")
    lima.locator("#hint", has_text="You are in").wait_for()
    lima.wait_for_selector("#own .key.ok:not([data-down])")


def test_the_live_text_says_what_is_selected(chromium: "Browser") -> None:
    with a_table("--seats", "2", "--humans", "2") as table, a_page(chromium, table) as page:
        page.locator("#spoken", has_text="OK: join in").wait_for(state="attached")
        assert page.get_by_role("img", name="Your display: OK: join in").count() == 1


def test_a_covered_display_is_named_but_says_nothing(lima: "Page") -> None:
    panels = lima.locator(".others .seat[data-covered] canvas")
    wait_until(lima, lambda: panels.count() == 7)
    assert all((panels.nth(at).get_attribute("aria-label") or "").endswith(": covered") for at in range(7))
