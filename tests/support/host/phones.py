"""Phones of guests: contexts of a real browser with touch, that open the link of a QR code."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from support.host.browser import PATIENCE_MS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = (390, 844)


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
    host.click(f"dialog.party [aria-label$='{seat}’s place']")
    link = host.get_attribute("dialog.party svg", "aria-label")
    assert link is not None
    return link


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

    def is_over(self) -> bool:
        """Whether the match has a winner."""
        return self._phone.get_attribute("#middle", "data-scene") == "over"

    def step(self) -> None:
        """Do what the page asks for now, if anything."""
        if name := self._phone.evaluate(ASKED):
            self.did.add(name)
            self._phone.locator(f"#own .key.{name}").tap(force=True)
