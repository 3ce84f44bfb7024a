"""The owner's page in a real browser: on a phone and a laptop, in three languages, with a hostile seat name."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from support.pages.accessibility import broken_rules
from support.pages.browser import PATIENCE_MS, a_chromium, wait_until
from support.pages.owner_table import OwnersTable, served, state

from firmware_host.daemon.service.jobs import JobResult
from firmware_host.public.owner_page import COPY, RECEIVED
from firmware_host.table.staff.machine import Job, JobOutcome
from firmware_host.table.staff.setup import (
    JoinNetwork,
    MakeCopy,
    RestoreCopy,
    SeatEntry,
    SetClosing,
    SetSeats,
    SetTimeZone,
    SetVoice,
)
from firmware_host.wire import PublicSeat

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

NEW = "E6614103E7452D21"
HOSTILE = '<img src=x onerror="document.title=1">'
SIZES = ((390, 844), (1280, 800))


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


def is_made(table: OwnersTable, changes: int) -> bool:
    """Return whether so many changes were asked for; then the last one is made."""
    if len(table.changes) < changes:
        return False
    table.results[Job.SETUP] = JobResult(JobOutcome.SET)
    return True


def test_an_owner_names_seats_and_sets_up_the_computer(tmp_path: Path) -> None:
    table = OwnersTable(tmp_path)
    assert table.laid is not None
    first, *others = table.laid.seats
    hostile = replace(first, name=HOSTILE)
    table.laid = replace(table.laid, seats=(hostile, *others))
    with a_chromium() as browser, served(table) as address:
        page = browser.new_page(locale="en")
        page.set_default_timeout(PATIENCE_MS)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(address)
        page.fill("#code", table.code)
        page.keyboard.press("Enter")
        page.click("#seats-open")
        page.wait_for_selector("#seats-list li >> nth=3")
        check(page)
        assert page.locator("#seats-list li[data-missing]").count() == 1
        assert page.locator("img").count() == 0
        table.laid = replace(table.laid, pressed=NEW, presses=1, layout_hash="changed since the rows were read")
        page.wait_for_selector("#seats-loose li[data-pressed]")
        assert page.input_value("#seats-loose select") == "3"  # the missing one comes first
        page.click("#seats-loose button")
        page.wait_for_selector("#seats-none:not([hidden])")
        table.laid = replace(table.laid, pressed="East", presses=2)
        page.wait_for_selector("#seats-list li[data-pressed]")
        page.locator("#seats-list li[data-pressed] input").fill("Bar")
        page.locator("#seats-list li >> nth=1").locator("button >> nth=0").click()  # up
        page.locator("#seats-list li >> nth=2").locator("button >> nth=1").click()  # out
        page.locator("#seats-list li >> nth=1").locator("input").fill("Door")
        page.click("#seats-phone")
        page.keyboard.type("Sofa")
        check(page)
        page.click("#seats-form > button.main")
        page.wait_for_selector("#seats:not([open])", state="attached")
        assert table.changes == [
            SetSeats(
                (
                    SeatEntry("Bar", "yellow", others[0].board, "East"),
                    SeatEntry("Door", "red", first.board, HOSTILE),
                    SeatEntry("West", "blue", NEW, "West"),
                    SeatEntry("Sofa", "orange", is_phone=True),
                ),
                "c0ffee",
            )
        ]

        is_made(table, 1)
        page.check("#closing-on")
        page.fill("#closing-time", "02:00")
        page.click("#closing button")
        wait_until(page, lambda: is_made(table, 2))
        page.select_option("#zone", "Europe/Madrid")
        page.click("#zones button")
        wait_until(page, lambda: is_made(table, 3))
        page.check("#voice-on")
        page.select_option("#voice-language", "es")
        page.fill("#voice-card", "Device")
        page.click("#voice button")
        wait_until(page, lambda: is_made(table, 4))
        table.results[Job.SETUP] = JobResult(JobOutcome.NETWORKS, lines=("bar", HOSTILE))
        page.wait_for_selector("#wifi-names option", state="attached")
        page.fill("#wifi-name", "bar")
        page.fill("#wifi-password", "correct horse")
        page.click("#wifi button")
        page.wait_for_function("() => document.querySelector('#wifi-password').value === ''")
        wait_until(page, lambda: len(table.changes) == 5)
        assert table.changes[1:] == [
            SetClosing("02:00", "04:00"),
            SetTimeZone("Europe/Madrid"),
            SetVoice(on=True, language="es", card="Device"),
            JoinNetwork("bar", "correct horse"),
        ]
        check(page)
        assert errors == []


def test_an_owner_saves_a_copy_and_puts_one_back(tmp_path: Path) -> None:
    table, data = OwnersTable(tmp_path), os.urandom(60_000)
    (tmp_path / COPY).write_bytes(data)
    (tmp_path / "mine.tar.gz").write_bytes(data)
    with a_chromium() as browser, served(table) as address:
        page = browser.new_page(locale="en")
        page.set_default_timeout(PATIENCE_MS)
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(address)
        page.fill("#code", table.code)
        page.keyboard.press("Enter")
        page.click("#copy-make")
        wait_until(page, lambda: table.changes == [MakeCopy()])
        table.results[Job.SETUP] = JobResult(JobOutcome.COPIED, 1, len(data), lines=("dudo-table-bar.tar.gz",))
        page.wait_for_selector("#copy-save:not([hidden]):enabled")
        with page.expect_download() as saving:
            page.click("#copy-save")
        assert saving.value.suggested_filename == "dudo-table-bar.tar.gz"
        assert Path(saving.value.path()).read_bytes() == data
        page.set_input_files("#restore-file", tmp_path / "mine.tar.gz")
        page.check("#restore-layouts")
        page.click("#restore button")
        wait_until(page, lambda: len(table.changes) == 2)
        assert table.changes[1] == RestoreCopy(layouts=True)
        assert (tmp_path / RECEIVED).read_bytes() == data
