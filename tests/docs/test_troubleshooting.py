"""docs/troubleshooting.md quotes what displays, doctor and log really say, and every alert and lost device is in it."""

import ast
import re
from collections.abc import Iterator

from support import ROOT

from firmware_host.i18n import phrases

PAGE = re.sub("`[^`]*`", "", (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8"))
QUOTED = [" ".join(words.split()) for words in re.findall(r"(?<![*\w])\*([^*]+)\*(?!\*)", PAGE)]


def strings() -> Iterator[str]:
    """Every string of the program, an f-string in pieces between its gaps."""
    for package in ("drivers", "firmware_host", "hardware"):
        for file in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield plain(node.value)


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def gapped(text: str) -> str:
    """A display's text as the page writes it."""
    return re.sub(r"\{\w*}", "…", plain(text))


def is_said(quoted: str, said: str) -> bool:
    return all(piece.strip() in said for piece in quoted.split("…"))


def test_what_it_quotes_is_really_said() -> None:
    said = "\n".join(re.sub(r"\{\w*}", "\n", text) for text in strings())
    assert len(QUOTED) > 50
    assert [quoted for quoted in QUOTED if not is_said(quoted, said)] == []


def test_a_quotation_that_nothing_says_is_found() -> None:
    assert not is_said("the … is on fire", "the display\nis on")


def test_every_trouble_that_a_display_tells_is_in_it() -> None:
    told = [
        *phrases.ALERT.values(),
        *phrases.ALERT_SHORT.values(),
        *phrases.MISSING_HERE.values(),
        *phrases.MISSING_THERE.values(),
        *phrases.HELD_UP.values(),
        *phrases.REPEATED.values(),
        phrases.NO_CUP_TO_TILT,
        phrases.NEW_CUP,
        phrases.NEW_BOARD,
        phrases.AWAY,
    ]
    assert [text for text in told if gapped(text) not in QUOTED] == []


def test_the_headings_that_the_doctor_names_are_there() -> None:
    named = {name for text in strings() for name in re.findall(r"hardware/README\.md, “([^”]+)”", text)}
    headings = {*re.findall(r"^#+ (.*)$", (ROOT / "hardware" / "README.md").read_text(encoding="utf-8"), re.MULTILINE)}
    assert named
    assert named <= headings


def anchors(page: str) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_heading_it_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]*)#([^)]+)\)", PAGE)
    assert len(links) > 10
    assert [(page, name) for page, name in links if name not in anchors(page or "troubleshooting.md")] == []
