"""Phones of guests: contexts of a real browser with touch, that open the link of a QR code."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from support.pages.browser import PATIENCE_MS, PlayedTable, a_page, a_table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = (390, 844)
ANSWER_S = 1.5
"""Seconds in which the table answers a control: a cup that is shaken again and again never comes to rest."""


@contextmanager
def a_phone(browser: "Browser", language: str = "en") -> Iterator["Page"]:
    """Give a phone with a page of its own; an error of its script fails the test."""
    width, height = PHONE
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=2,
        is_mobile=True,
        has_touch=True,
        reduced_motion="reduce",
        locale=language,
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


def scan(phone: "Page", link: str) -> None:
    """Open what a QR code says, as a camera does: in a tab of its own."""
    phone.goto("about:blank")
    phone.goto(link)


def sit_down(phone: "Page", link: str, seat: str) -> None:
    """Open the link of a code that is good, choose a seat, and wait for the table."""
    scan(phone, link)
    phone.locator("#free label", has_text=seat).tap()
    phone.locator("#go").tap()
    phone.locator("body:not([data-gone]) #status:not([data-problem])").wait_for(state="attached")
    phone.locator("#seat").wait_for()


def link_of(host: "Page") -> str:
    """Have the host's page show the code for the next guest; return its link."""
    if not host.locator("dialog.party").is_visible():
        host.click(".invite")
    link = host.get_attribute("dialog.party svg", "aria-label")
    assert link is not None
    return link


@contextmanager
def two_guests(browser: "Browser", *arguments: str) -> Iterator[tuple[PlayedTable, "Page", "Page", "Page"]]:
    """Give a table of four with guests at Lima's and Puno's seats, its host's page, and the guests' phones."""
    with (
        a_table("--seats", "4", "--humans", "0", "--host", "0.0.0.0", *arguments) as table,
        a_page(browser, table) as host,
        a_phone(browser) as first,
        a_phone(browser) as second,
    ):
        sit_down(first, link_of(host), "Lima")
        sit_down(second, link_of(host), "Puno")
        yield table, host, first, second


class TouchPlayer:
    """Plays a phone by touch: does what its display says in words, and doubts every bid."""

    def __init__(self, phone: "Page") -> None:
        self._phone = phone
        self.did: set[str] = set()
        self._again_s = 0.0  # when to try the next control, by the monotonic clock
        self._tries = 0

    @property
    def heard(self) -> str:
        """The display in words."""
        return self._phone.inner_text("#heard")

    def is_over(self) -> bool:
        """Return whether the match has a winner."""
        return " wins!" in self.heard

    def step(self) -> None:
        """Touch a control if the table waits for this seat; another one once the table had time to answer."""
        if time.monotonic() < self._again_s or self.is_over():
            return
        self._again_s = time.monotonic() + ANSWER_S
        heard = self.heard
        is_turn = self._phone.get_attribute("#seat", "data-turn") is not None
        if "Your turn" in heard:
            self._tap("dudo" if re.search(r": \d", heard) else "ok")
        elif is_turn:
            self._tries += 1
            self._tap("shake" if self._tries % 2 else "ok")
        elif heard.endswith(("OK: join in", "Start")):
            self._tap("ok")

    def _tap(self, name: str) -> None:
        self.did.add(name)
        self._phone.locator(f"#{name}").tap(force=True)
