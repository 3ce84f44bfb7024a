"""A party with real browsers: the host's page, and phones that come by a QR code, sleep and come back."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.pages.browser import a_page, a_short_match, a_table, wait_until
from support.pages.phones import TouchPlayer, a_phone, link_of, sit_down, two_guests

from firmware_host.clients.web.addresses import own_addresses, qr

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from support.pages.browser import PlayedTable

Party = tuple["PlayedTable", "Page"]
STEPS = 2000
HERE = "body:not([data-gone]) #seat:not([hidden]) #status:not([data-problem])"


@pytest.fixture
def party(chromium: "Browser") -> Iterator[Party]:
    """Give a table of four that guests reach, and the page of its host, who has sat down at Lima's seat."""
    with a_table("--seats", "4", "--host", "0.0.0.0") as table, a_page(chromium, table) as host:
        yield table, host


def test_two_phones_play_a_match_against_a_robot(chromium: "Browser", tmp_path: Path) -> None:
    options = ("--seats", "3", "--rules", a_short_match(tmp_path, dice=1))
    with two_guests(chromium, *options) as (table, host, first, second):
        players = TouchPlayer(first), TouchPlayer(second)
        for _ in range(STEPS):
            if all(player.is_over() for player in players):
                break
            for player in players:
                player.step()
            first.wait_for_timeout(150)
        assert all(player.is_over() for player in players), table.story[-5:]
        assert players[0].did | players[1].did >= {"ok", "shake", "dudo"}
        wait_until(host, lambda: any("wins the match." in line for line in table.story))
        assert not [line for line in table.story if "Traceback" in line]


def test_the_page_shows_a_code_that_a_camera_reads_and_says_who_can_listen(party: Party) -> None:
    table, host = party
    assert re.search(r"Guests open http://\S+/ with the code that this page shows", "\n".join(table.story))
    link = link_of(host)
    assert link.startswith(f"http://{own_addresses()[0]}:")
    drawn = host.locator("dialog.party svg path").last.get_attribute("d")
    assert f'd="{drawn}"' in qr(link)
    assert "its operator could change the guests’ page" in host.inner_text("dialog.party .listen")
    typed = host.locator("dialog.party .typed b").last.inner_text()
    assert re.fullmatch(r"\w{4} \w{4}", typed)
    assert typed.replace(" ", "") == link.partition("#")[2].partition("-")[0]
    size = host.locator("dialog.party svg").bounding_box()
    assert size is not None
    assert min(size["width"], size["height"]) >= 200


def test_a_guest_comes_by_a_code_sleeps_comes_back_and_is_led_out_when_the_seat_is_taken_back(
    chromium: "Browser", party: Party
) -> None:
    _, host = party
    address, letters = host.locator("dialog.party .typed b").all_inner_texts()
    with a_phone(chromium, "fr-FR") as phone:
        phone.goto(address)
        phone.fill("#code", letters.lower())
        phone.fill("#called", "Zoé")
        phone.locator("#free label", has_text="Cusco").tap()
        phone.tap("#go")
        phone.wait_for_selector(
            "body:not([data-gone]) #seat:not([hidden]) #status:not([data-problem])", state="attached"
        )
        host.wait_for_selector("dialog.party [aria-label='Take back: Cusco']")
        phone.context.set_offline(True)
        phone.evaluate("dispatchEvent(new Event('offline'))")
        phone.goto("about:blank")
        host.wait_for_selector("text=a guest, whose phone sleeps")
        phone.context.set_offline(False)
        phone.go_back()
        phone.wait_for_selector(
            "body:not([data-gone]) #seat:not([hidden]) #status:not([data-problem])", state="attached"
        )
        back = "dialog.party [aria-label='Take back: Cusco']"
        host.click(back)
        assert "Really take Cusco’s seat" in host.inner_text("dialog.party")
        host.click(back)
        phone.wait_for_selector("#status[data-problem]")
        phone.locator("#status").tap()
        phone.wait_for_selector("#form")
        sit_down(phone, link_of(host), "Cusco")


def test_the_host_closes_the_panel_and_plays_on_with_the_keyboard(party: Party) -> None:
    _, host = party
    host.keyboard.press("Escape")
    host.wait_for_selector("dialog.party", state="hidden")
    host.wait_for_function("() => document.activeElement === document.body")  # a moment after the dialog is gone
    host.keyboard.press("Enter")
    host.wait_for_selector("#own .seat:not([data-away])")
    host.reload()
    host.wait_for_selector(".invite")
    assert host.locator("dialog.party").is_hidden()
