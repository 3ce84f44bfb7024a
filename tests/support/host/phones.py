"""Phones of guests: contexts of a real browser with touch, that open the link of a QR code."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from support.host.browser import PATIENCE_MS, PlayedTable, a_page, a_table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = (390, 844)
ANSWER_S = 1.5
"""Seconds in which the table answers a control: a cup that is shaken again and again never comes to rest."""


@contextmanager
def a_phone(browser: "Browser", language: str = "en") -> Iterator["Page"]:
    """A phone with a page of its own; an error of its script fails the test."""
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


def sit_down(phone: "Page", link: str) -> None:
    """Open the link of a code that is good, and wait for the table."""
    scan(phone, link)
    phone.wait_for_selector("#middle[data-scene]")
    phone.wait_for_selector("#own .seat[data-chair=you]")


def link_of(host: "Page", seat: str) -> str:
    """Have the host's page show the code of a seat; return its link."""
    if not host.locator("dialog.party").is_visible():
        host.click(".invite")
    host.click(f"dialog.party [aria-pressed][aria-label*='{seat}']")
    link = host.get_attribute("dialog.party svg", "aria-label")
    assert link is not None
    return link


@contextmanager
def two_guests(browser: "Browser", *arguments: str) -> Iterator[tuple[PlayedTable, "Page", "Page", "Page"]]:
    """Give a table of four with a guest at Lima's seat and one at Puno's, its host's page, and the guests' phones."""
    with (
        a_table("--seats", "4", "--humans", "0", "--host", "0.0.0.0", *arguments) as table,
        a_page(browser, table) as host,
        a_phone(browser) as first,
        a_phone(browser) as second,
    ):
        sit_down(first, link_of(host, "Lima"))
        sit_down(second, link_of(host, "Puno"))
        yield table, host, first, second


ASKED = """() => {
    const keys = [...document.querySelectorAll("#own .key[data-next]")];
    const { scene } = document.querySelector("#middle").dataset;
    const asked = scene !== "over" && document.querySelector("#hint").hasAttribute("data-mine") && keys.length === 1;
    const doubts = scene === "bidding" && document.querySelector("#middle .bid") !== null;
    const key = asked ? [...keys[0].classList].at(-1) : "";
    return key === "ok" && doubts ? "dudo" : key;
}"""
"""The control that the page asks the person to use, by its marks; DUDO for every bid, so that rounds are short."""


class TouchPlayer:
    """Plays a phone by touch: uses the control that is marked, and doubts every bid."""

    def __init__(self, phone: "Page") -> None:
        self._phone = phone
        self.did: set[str] = set()
        self._last = ""
        self._again_s = 0.0  # when to do the same again, by the monotonic clock

    def is_over(self) -> bool:
        """Whether the match has a winner."""
        return self._phone.get_attribute("#middle", "data-scene") == "over"

    def step(self) -> None:
        """Do what the page asks for now, if anything; the same only once the table had time to answer."""
        name = self._phone.evaluate(ASKED)
        if name and (name != self._last or time.monotonic() > self._again_s):
            self._last, self._again_s = name, time.monotonic() + ANSWER_S
            self.did.add(name)
            self._phone.locator(f"#own .key.{name}").tap(force=True)
