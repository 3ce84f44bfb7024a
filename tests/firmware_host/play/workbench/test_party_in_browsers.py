"""A party with real browsers: the host's page, and phones that come by a QR code, sleep and come back."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.host.browser import a_chromium, a_page, a_short_match, a_table, settled_dots, wait_until
from support.host.phones import TouchPlayer, a_phone, link_of, scan, sit_down, two_guests

from firmware_host.clients.web.addresses import own_addresses, qr

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from support.host.browser import PlayedTable

Party = tuple["Browser", "PlayedTable", "Page"]
STEPS = 2000


@pytest.fixture
def party() -> Iterator[Party]:
    """Give a browser, a table of four that guests reach, and the page of its host, who has sat down at Lima's seat."""
    with (
        a_chromium() as chromium,
        a_table("--seats", "4", "--host", "0.0.0.0") as table,
        a_page(chromium, table) as host,
    ):
        yield chromium, table, host


def test_two_phones_play_a_match_against_two_robots(tmp_path: Path) -> None:
    options = ("--rules", a_short_match(tmp_path, dice=1), "--speed", "6")
    with a_chromium() as chromium, two_guests(chromium, *options) as (table, host, first, second):
        players = TouchPlayer(first), TouchPlayer(second)
        for _ in range(STEPS):
            if all(player.is_over() for player in players):
                break
            for player in players:
                player.step()
            first.wait_for_timeout(150)
        assert all(player.is_over() for player in players), table.story[-5:]
        assert players[0].did | players[1].did >= {"ok", "shake", "lift", "dudo"}
        wait_until(host, lambda: any("wins the match." in line for line in table.story))
        assert not [line for line in table.story if "Traceback" in line]


def test_the_page_shows_a_code_that_a_camera_reads_and_says_who_can_listen(party: Party) -> None:
    _, table, host = party
    assert re.search(r"Guests open http://\S+/ with the code of their seat", "\n".join(table.story))
    link = link_of(host, "Cusco")
    assert link.startswith(f"http://{own_addresses()[0]}:")
    drawn = host.locator("dialog.party svg path").last.get_attribute("d")
    assert f'd="{drawn}"' in qr(link)
    assert "anybody nearby can read every phone’s dice" in host.inner_text("dialog.party .listen")
    size = host.locator("dialog.party svg").bounding_box()
    assert size is not None
    assert min(size["width"], size["height"]) >= 200


def test_a_guest_sits_down_and_the_code_is_used(party: Party) -> None:
    chromium, _, host = party
    link = link_of(host, "Cusco")
    with a_phone(chromium) as phone, a_phone(chromium, "es-ES") as second, a_phone(chromium, "de-DE") as third:
        sit_down(phone, link)
        assert "#" not in phone.url
        host.wait_for_selector("dialog.party [aria-label='Take back: Cusco']")
        scan(second, link)
        second.wait_for_selector("[data-problem]")
        assert second.inner_text("#words").startswith("Este código ya se usó")
        scan(third, link[:-1])
        third.wait_for_selector("[data-problem]")
        assert third.inner_text("#words").startswith("No seat has this code")  # there is no German
        scan(phone, link)
        phone.wait_for_selector("#own .seat[data-chair=you]")


def test_a_code_can_be_typed_as_it_is_read(party: Party) -> None:
    chromium, _, host = party
    link_of(host, "Ica")
    address, letters = host.locator("dialog.party .typed b").all_inner_texts()
    with a_phone(chromium) as phone:
        phone.goto(address)
        phone.fill("#code", letters.lower())
        phone.tap("#go")
        phone.wait_for_selector("#own .seat[data-chair=you][aria-label=Ica]")


def test_a_phone_that_slept_finds_its_seat_again(party: Party) -> None:
    chromium, _, host = party
    with a_phone(chromium) as phone:
        sit_down(phone, link_of(host, "Cusco"))
        phone.context.set_offline(True)
        phone.evaluate("dispatchEvent(new Event('offline'))")
        phone.goto("about:blank")
        host.wait_for_selector("text=a guest, whose phone sleeps")
        phone.context.set_offline(False)
        phone.go_back()
        phone.wait_for_selector("#own .seat[data-chair=you][aria-label=Cusco]")


@pytest.mark.parametrize("query", ["", "?back"])
def test_a_link_on_a_page_elsewhere_moves_no_guest_to_another_seat(party: Party, query: str) -> None:
    chromium, _, host = party
    with a_phone(chromium) as phone:
        sit_down(phone, link_of(host, "Cusco"))
        phone.goto("about:blank")
        link = link_of(host, "Puno").replace("#", f"{query}#")
        phone.set_content(f"<a href='{link}'>Win a prize</a>")  # the browser sends no cookie along
        phone.click("a")
        phone.wait_for_selector("#own .seat[data-chair=you]")
        assert phone.get_attribute("#own .seat", "aria-label") == "Cusco"


def test_a_seat_that_is_taken_back_leads_its_phone_out_with_a_sentence(party: Party) -> None:
    chromium, _, host = party
    with a_phone(chromium, "fr-FR") as phone:
        before = link_of(host, "Cusco")
        sit_down(phone, before)
        back = "dialog.party [aria-label='Take back: Cusco']"
        host.click(back)
        assert "Really take Cusco’s seat" in host.inner_text("dialog.party")
        host.click(back)
        phone.wait_for_selector("[data-problem]")
        assert phone.inner_text("#words").startswith("L’hôte a repris ta place")
        after = link_of(host, "Cusco")
        assert after != before
        scan(phone, before)
        phone.wait_for_selector("[data-problem]")
        assert phone.inner_text("#words").startswith("Ce code a déjà servi")
        sit_down(phone, after)


def test_a_guest_has_nothing_to_press_at_other_seats_and_sees_no_display_of_theirs(party: Party) -> None:
    chromium, _, host = party
    with a_phone(chromium) as phone:
        sit_down(phone, link_of(host, "Cusco"))
        assert phone.locator(".others button:enabled").count() == 0
        assert "1" in settled_dots(phone, "Cusco")
        for other in ("Lima", "Puno", "Ica"):
            assert "1" not in settled_dots(phone, other)
        assert phone.locator(".invite, dialog.party").count() == 0


def test_the_host_closes_the_panel_and_plays_on_with_the_keyboard(party: Party) -> None:
    _, _, host = party
    host.keyboard.press("Escape")
    host.wait_for_selector("dialog.party", state="hidden")
    host.wait_for_function("() => document.activeElement === document.body")  # a moment after the dialog is gone
    host.keyboard.press("Enter")
    host.wait_for_selector("#own .seat:not([data-away])")
    host.reload()
    host.wait_for_selector(".invite")
    assert host.locator("dialog.party").is_hidden()
