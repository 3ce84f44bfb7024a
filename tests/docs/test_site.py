"""The site of the documents is whole: every document, picture and link, and no address that a browser loads from."""

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest
from support import ROOT
from support.pages.accessibility import broken_rules
from support.pages.browser import a_chromium

from docs.pictures import PICTURES
from firmware_host.i18n.owner_texts import ANCHOR

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning"),
]
"""MyST calls parts of Sphinx that a later release will remove."""

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request

SIZES = ({"width": 1280, "height": 800}, {"width": 390, "height": 844})
LOADED = {"src", "srcset", "poster", "data"}
"""Attributes that a browser loads by itself; of links it loads those of `<link>`."""
MAX_MB = 8
FOUND = {
    "Your cup does not answer": "What a display says > Your cup does not answer (no cup)",
    "no cup": "What a display says",
    "back up": "Closing time and USB backups > Back up",
    "paper clip": "What a display says",
    "phone": "Phones as seats",
    "voice": "Sounds and the announcer",
    "power cut": "Troubles and remedies",
    "table does not start": "Troubles and remedies",
    "raspberry pi 5": "Installing the package",
    "pi zero": "Installing the package",
    "wi-fi": "Installing the package",
    "wifi": "Installing the package",
    "update": "Staff at the table > Update",
    "usb drive": "Closing time and USB backups",
    "language": "Languages",
    "print box": "Building a table",
    "parts list": "Building a table",
    "service key": "Staff at the table",
    "house rules": "The owner’s page",
    "no sound": "Sounds and the announcer",
}
"""The first result of a search: for a reader in trouble, the page with the remedy."""


class Parsed(HTMLParser):
    """A page's addresses and anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.anchors.add(value or "")
            elif name in LOADED or (tag == "link" and name == "href"):
                self.loads.append(value or "")
            elif name == "href":
                self.links.append(value or "")


@cache
def parsed(page: Path) -> Parsed:
    return Parsed(page.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as `make site` does."""
    pytest.importorskip("sphinx", reason="make site installs it")
    from docs.site import write

    folder = tmp_path_factory.mktemp("site")
    assert write(folder), "see its warnings"
    return folder


def is_there(page: Path, address: str) -> bool:
    """Return whether a relative address leads to a file, and to an anchor in it if it names one."""
    to = urlsplit(address)
    file = (page.parent / unquote(to.path)).resolve() if to.path else page
    return file.is_file() and (not to.fragment or unquote(to.fragment) in parsed(file).anchors)


def test_every_document_has_its_page_and_its_place_in_the_navigation(site: Path) -> None:
    sources = chain(ROOT.glob("*.md"), ROOT.glob("docs/*.md"), ROOT.glob("hardware/**/*.md"))
    pages = {str(source.relative_to(ROOT).with_suffix(".html")) for source in sources}
    shown = re.findall(r'class="toctree-l1[^>]*><a [^>]*href="([^"#]+)"', (site / "README.html").read_text("utf-8"))
    assert pages - {"README.html"} == {*shown}
    assert len(shown) == len({*shown})


def test_every_link_and_picture_leads_to_a_file_and_an_anchor(site: Path) -> None:
    broken = [
        f"{page.relative_to(site)}: {address}"
        for page in site.rglob("*.html")
        for address in chain(parsed(page).links, parsed(page).loads)
        if not urlsplit(address).scheme and not is_there(page, address)
    ]
    assert broken == []
    assert not [*site.rglob("*.py")]  # which a package has in a folder of its own


def test_a_link_names_a_page_and_not_its_file(site: Path) -> None:
    linked = re.findall(r"<a [^>]*>(?:<[^>]+>)*([^<]+)", (site / "docs/evening.html").read_text("utf-8"))
    assert "Staff at the table" in linked
    assert [text for text in linked if text.endswith(".md")] == []


def test_every_picture_is_in_it(site: Path) -> None:
    assert {*PICTURES} <= {file.name for file in site.rglob("*")}


def test_it_loads_nothing_from_outside(site: Path) -> None:
    loads = {address for page in site.rglob("*.html") for address in parsed(page).loads}
    styles = [address for file in site.rglob("*.css") for address in urls_in(file.read_text(encoding="utf-8"))]
    assert [address for address in (*loads, *styles) if urlsplit(address).scheme not in ("", "data")] == []


def urls_in(style: str) -> Iterator[str]:
    """Yield what a style sheet loads."""
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    yield from re.findall(r"""url\(["']?([^"')]+)""", style)
    yield from re.findall(r"""@import ["']([^"']+)""", style)


def test_it_is_small_enough_for_the_package(site: Path) -> None:
    assert sum(file.stat().st_size for file in site.rglob("*") if file.is_file()) < MAX_MB * 1_000_000


def test_opened_as_a_file_it_searches_fits_a_phone_and_breaks_no_rule_of_axe(site: Path) -> None:
    asked: list[str] = []
    errors: list[str] = []

    def note(request: "Request") -> None:
        asked.append(request.url)

    with a_chromium() as browser:
        for size, searched in zip(SIZES, (1, len(FOUND)), strict=True):  # a result is the same at any size
            page = browser.new_page(viewport=size)
            page.on("request", note)
            page.on("pageerror", lambda error: errors.append(str(error)))
            for name in ("index.html", "docs/staff.html", "hardware/README.html"):
                page.goto((site / name).as_uri())
                page.wait_for_selector("h1")
                assert is_within(page), (name, size)
                assert broken_rules(page) == []
            for asked_for, first in islice(FOUND.items(), searched):
                page.goto((site / "search.html").as_uri() + f"?q={asked_for.replace(' ', '+')}")
                page.wait_for_selector(".search-summary:has-text('found')")
                assert page.locator(".search li a").first.inner_text() == first
            page.close()
    assert errors == []
    assert [address for address in asked if urlsplit(address).scheme not in ("file", "data")] == []


def is_within(page: "Page") -> bool:
    """Return whether the page needs no scrolling sideways; a wide table or block of code scrolls by itself."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_each_fault_on_the_owners_page_links_to_its_section(site: Path) -> None:
    anchors = parsed(site / "docs/faults.html").anchors
    assert {*ANCHOR.values()} <= anchors
