"""docs/faults.md and docs/troubleshooting.md quote what displays, doctor and log say; each fault has its section."""

import ast
import re
from functools import cache

import pytest
from support import ROOT

from firmware_host.i18n import phrases
from firmware_host.i18n.owner_texts import HEADING
from firmware_host.table.health import Alert
from firmware_host.table.staff.machine import JobOutcome

PAGES = ("faults", "troubleshooting")
TEXTS = {page: (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8") for page in PAGES}


def quoted(text: str) -> list[str]:
    """Return what a page has in italics, with a no-break space as a space."""
    found = re.findall(r"(?<![*\w])\*([^*]+)\*(?!\*)", re.sub("`[^`]*`", "", text))
    return [" ".join(words.split()) for words in found]


FAULTS = re.findall(r"^### (.+)\n((?:(?!#).*\n)*)", TEXTS["faults"], re.MULTILINE)
SECTIONS = {heading.lower(): quoted(text) for heading, text in FAULTS}
"""The quotations in docs/faults.md by the heading above them."""


@cache
def strings() -> list[str]:
    """Return every string of the program, an f-string in pieces between its gaps."""
    files = [file for package in ("drivers", "firmware_host", "hardware") for file in (ROOT / package).rglob("*.py")]
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    return [plain(node.value) for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def gapped(text: str) -> str:
    """Return a display's text as the page writes it."""
    return re.sub(r"\{\w*}", "…", plain(text))


def is_said(quoted: str, said: str) -> bool:
    return all(piece.strip() in said for piece in quoted.split("…"))


@pytest.mark.parametrize("page", PAGES)
def test_what_it_quotes_is_really_said(page: str) -> None:
    said = "\n".join(re.sub(r"\{\w*}", "\n", text) for text in strings())
    assert len(quoted(TEXTS[page])) > 20
    assert [words for words in quoted(TEXTS[page]) if not is_said(words, said)] == []


def test_a_quotation_that_nothing_says_is_found() -> None:
    assert not is_said("the … is on fire", "the display\nis on")


def test_every_alert_and_every_missing_part_has_its_heading_and_what_it_says_at_other_seats() -> None:
    missing = [heading for heading in HEADING.values() if heading.lower() not in SECTIONS]
    assert missing == [], "write a section with this heading into docs/faults.md"
    assert [
        text for fault, text in phrases.HELD_UP.items() if gapped(text) not in SECTIONS[HEADING[fault].lower()]
    ] == []


def test_every_other_fault_that_a_display_shows_is_in_its_section() -> None:
    told = {
        "your cup does not answer (no cup)": [phrases.NO_CUP_TO_TILT, phrases.NEW_CUP],
        "new seat board": [phrases.HOLD_AND_SHAKE],
        "shake again": [*phrases.REPEATED.values()],
        "is away": [phrases.AWAY],
        "paused": [phrases.PAUSED_WHY],
        "no answer": [phrases.STAFF_NO_ANSWER],
    }
    assert {
        heading: [text for text in texts if gapped(text) not in SECTIONS[heading]] for heading, texts in told.items()
    } == {heading: [] for heading in told}
    jobs = [text for heading in ("no answer", "not updated", "no copy") for text in SECTIONS[heading]]
    on_the_owners_page = {JobOutcome.WELL, JobOutcome.FAULTS, JobOutcome.SET, JobOutcome.RESTORED, JobOutcome.NETWORKS}
    on_the_owners_page |= {JobOutcome.NO_WIFI, JobOutcome.NOT_JOINED, JobOutcome.NOT_SET}
    told_by_a_display = {*JobOutcome} - on_the_owners_page
    outcomes = [text for outcome, text in phrases.STAFF_OUTCOME.items() if outcome in told_by_a_display]
    assert [text for text in outcomes if gapped(text) not in jobs] == []


def test_each_alert_has_its_name_in_its_section_and_the_sections_their_order() -> None:
    named = [(heading, name) for heading, text in FAULTS for name in re.findall(r"\((`[a-z-]+`.*?)\)", text)]
    assert named == [(HEADING[each], f"`{each}`" + ", for the owner" * each.row.for_owner) for each in Alert]


def test_the_headings_that_the_doctor_names_are_there() -> None:
    named = {name for text in strings() for name in re.findall(r"hardware/README\.md, “([^”]+)”", text)}
    headings = {*re.findall(r"^#+ (.*)$", (ROOT / "hardware" / "README.md").read_text(encoding="utf-8"), re.MULTILINE)}
    assert named
    assert named <= headings


def anchors(page: str) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_heading_it_links_to_is_there() -> None:
    links = [(page, *link) for page in PAGES for link in re.findall(r"\]\(([^)#]*)#([^)]+)\)", TEXTS[page])]
    assert len(links) > 10
    assert [link for page, *link in links if link[1] not in anchors(link[0] or f"{page}.md")] == []
