"""A rehearsal with guests' phones, in browsers: a phone's seat, the service key, another seat, an unplugged board."""

import asyncio
import re
import shlex
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec import structs
from support.host.play_process import playing
from support.pages.browser import PATIENCE_MS, a_chromium
from support.pages.phones import a_phone, sit_down

from engine import PERUDO
from firmware_host.play.chairs import Chair, Chairs
from firmware_host.play.workbench.client import Client
from firmware_host.play.workbench.protocol import ProtocolError, Sit, Uncover
from firmware_host.play.workbench.workbench import Workbench
from firmware_host.wire import Seat
from hardware.config.layout import LayoutSeat, load_builtin
from hardware.emulated.table import EmulatedTable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE_S = 60


class Printed:
    """The lines that a process prints, read on a thread, so that the process never waits."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        self._out, self._lines, self._more = process.stdout, [""], threading.Condition()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self) -> None:
        for line in self._out:
            with self._more:
                self._lines.append(line)
                self._more.notify_all()

    def last(self, pattern: str) -> "re.Match[str]":
        """Wait for a line that matches; return the latest one."""

        def found() -> "re.Match[str] | None":
            return next((match for line in reversed(self._lines) if (match := re.search(pattern, line))), None)

        with self._more:
            match = self._more.wait_for(found, PATIENCE_S)
        assert match is not None, self._lines
        return match


@contextmanager
def a_page(browser: "Browser", address: str) -> Iterator["Page"]:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, locale="en")
    page.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(address)
    yield page
    page.close()
    assert complaints == []


@pytest.mark.slow
def test_guests_join_a_rehearsal_by_phone_and_the_owner_adds_a_seat_for_another(tmp_path: Path) -> None:
    given = ("--as-installed", "--no-browser", "--host", "127.0.0.1", "--seats", "3", "--state", str(tmp_path))
    with playing(*given) as process, a_chromium() as browser:
        printed = Printed(process)
        staff = shlex.split(printed.last(r"Command line +(.*) status$")[1])
        door = r"The next phone opens (\S+) with the code (\S+) (\S+)\.$"
        with a_page(browser, printed.last(r"Seats +(http://\S+)$")[1]) as host, a_phone(browser) as phone:
            address, *code = printed.last(door).groups()
            sit_down(phone, f"{address}#{''.join(code)}", "Orange")
            guest = host.locator("article.seat", has_text="Orange")
            guest.locator(".phone", has_text="a guest’s phone").wait_for()
            assert guest.locator(".key, canvas").locator("visible=true").count() == 0
            phone.locator("#heard", has_text="OK: join in").wait_for(state="attached")
            phone.locator("#ok").tap()
            guest.locator(".chair", has_text="person").wait_for()

            turn_key(host, "Turn the service key")
            host.locator("#spoken", has_text="Staff").wait_for(state="attached")
            turn_key(host, "Turn the service key back")
            host.locator("#hint", has_text="Press OK to join").wait_for()

            owner, digits = printed.last(r"Owner’s page +(http://\S+) with the code ([0-9 ]+)$").groups()
            with a_page(browser, owner) as page:
                page.fill("#code", digits)
                page.keyboard.press("Enter")
                page.click("#seats-open")
                page.wait_for_selector("#seats-list li >> nth=2")
                page.click("#seats-phone")
                page.keyboard.type("Sofa")
                page.click("#seats-form > button.main")
                page.locator("#setup-note", has_text="Done").wait_for()
            host.locator("article.seat", has_text="Sofa").wait_for()
            phone.locator("body:not([data-gone]) #status:not([data-problem])").wait_for(state="attached")

            host.click("#own .more")
            host.locator("#own").get_by_role("button", name="Unplug the seat board").click()
            host.locator("#own .note[data-wrong]").wait_for()
            found = subprocess.run([*staff, "doctor"], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            assert found.returncode == 2
            assert found.stderr.startswith("Red's board E661410000000001 is not plugged in → plug in its USB cable")


def test_a_page_neither_sits_down_at_a_phones_seat_nor_looks_under_its_cover() -> None:
    async def handled(message: Sit | Uncover) -> None:
        seats = (load_builtin("boards-8").seats[0], LayoutSeat("Guest", "pink", phone="phone/2"))
        layout = structs.replace(load_builtin("boards-8"), seats=seats)
        with EmulatedTable(layout, asyncio.get_running_loop(), seed=1, open_phone=lambda number: None) as table:
            workbench = Workbench(layout, PERUDO, Chairs(Chair(seat, None) for seat in table.seats))
            with closing(workbench):
                workbench.handle(Client(lambda: None), message)

    for message in (Sit(Seat(1)), Uncover(Seat(1))):
        with pytest.raises(ProtocolError, match="Guest’s seat is for a guest’s phone"), asyncio.Runner() as runner:
            runner.run(handled(message))


def turn_key(page: "Page", text: str) -> None:
    page.click("#own .more")
    page.locator("#own").get_by_role("button", name=text, exact=True).click()
