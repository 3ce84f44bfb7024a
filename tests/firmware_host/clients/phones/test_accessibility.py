"""A phone's page for people who hear it: axe-core's rules in every state, and a lesson at a phone's seat."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from support.pages.accessibility import broken_rules, nameless_tab_stops
from support.pages.browser import PlayedTable, a_page, a_table
from support.pages.phones import a_phone, link_of, scan, sit_down

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser


TABLE = ("--seats", "2", "--host", "127.0.0.1", "--humans", "0")


@pytest.fixture(scope="module")
def table() -> Iterator[PlayedTable]:
    """Give a table of two seats for phones."""
    with a_table(*TABLE) as table:
        yield table


def test_the_story_breaks_no_serious_rule(chromium: "Browser") -> None:
    broken: dict[str, list[str]] = {}
    told = (("en", "Lima", "sits down"), ("es", "Cusco", "se sienta"), ("fr", "Puno", "s’assied"))
    with a_table("--seats", "4", *TABLE[2:]) as table, a_page(chromium, table) as host:
        for language, seat, joined in told:
            with a_phone(chromium, language) as phone:
                sit_down(phone, link_of(host), seat)
                phone.locator("#so-far").tap()
                phone.locator("#sentences li", has_text=joined).first.wait_for()
                broken[language] = broken_rules(phone) + nameless_tab_stops(phone, at_least=2)
    assert {language: rules for language, rules in broken.items() if rules} == {}


@pytest.mark.parametrize("language", ["en", "es", "fr"])
def test_no_state_of_the_way_in_breaks_a_serious_rule(chromium: "Browser", table: PlayedTable, language: str) -> None:
    broken: dict[str, list[str]] = {}
    with a_page(chromium, table) as host, a_phone(chromium, language) as phone:
        phone.goto(link_of(host).partition("#")[0])
        phone.locator(f"html[lang={language}]").wait_for(state="attached")
        phone.locator("#form").wait_for()
        broken["asks"] = broken_rules(phone) + nameless_tab_stops(phone)
        phone.fill("#code", "never")
        phone.tap("#go")
        phone.wait_for_selector("[data-problem]")
        broken["refuses"] = broken_rules(phone)
        scan(phone, link_of(host))
        phone.locator("#form[data-scanned]").wait_for()
        broken["scanned"] = broken_rules(phone) + nameless_tab_stops(phone)
    assert {state: rules for state, rules in broken.items() if rules} == {}


def test_no_state_of_a_seat_breaks_a_serious_rule_and_the_lesson_is_heard(chromium: "Browser") -> None:
    broken: dict[str, list[str]] = {}
    with (
        a_table(*TABLE) as table,  # at one that others looked at, robots may have begun a match
        a_page(chromium, table) as host,
        a_phone(chromium) as phone,
        a_phone(chromium) as other,
    ):
        sit_down(phone, link_of(host), "Lima")
        broken["lobby"] = broken_rules(phone) + nameless_tab_stops(phone)
        phone.locator("#heard", has_text="OK: join in").wait_for(state="attached")
        phone.locator("#right").tap()
        phone.locator("#heard", has_text="Learn").wait_for(state="attached")
        phone.locator("#ok").tap()
        phone.locator("#heard", has_text="Shake your cup").wait_for(state="attached")
        broken["lesson"] = broken_rules(phone)
        phone.locator("#shake").tap()
        phone.locator("#heard", has_not_text="Shake your cup").wait_for(state="attached")
        phone.locator("#look").evaluate("button => button.click()")  # as a screen reader does
        phone.locator("#heard", has_text="Your dice:").wait_for(state="attached")
        broken["looks"] = broken_rules(phone)
        phone.locator("#leave").tap()
        broken["is asked"] = broken_rules(phone)
        phone.locator("#sure [value=stay]").tap()
        sit_down(other, link_of(host), "Cusco")
        with a_phone(chromium) as late:
            late.goto(phone.url)
            late.wait_for_selector("[data-problem]")
            broken["full"] = broken_rules(late)
        again = phone.context.new_page()
        again.goto(phone.url)
        phone.wait_for_selector("#status[data-problem]")
        broken["is open elsewhere"] = broken_rules(phone)
        again.close()
        phone.reload()
        phone.wait_for_selector("body:not([data-gone]) #seat:not([hidden])")
        phone.context.set_offline(True)
        phone.evaluate("dispatchEvent(new Event('offline'))")
        phone.wait_for_selector("body[data-gone]")
        broken["gone"] = broken_rules(phone)
    assert {state: rules for state, rules in broken.items() if rules} == {}
