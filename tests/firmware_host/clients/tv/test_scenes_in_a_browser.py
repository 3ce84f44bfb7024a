"""The public page's scenes in a real browser: sizes as seen from a sofa, contrast, and nothing on anything else."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.pages.browser import PATIENCE_MS
from support.pages.legibility import low_contrasts, overlaps, shown_texts
from support.pages.public_pages import HEAD, Line, StagedTable, a_screen, showdown, state

from bench.tools.broker import free_port
from firmware_host.i18n.catalogues import LANGUAGES

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SIZES = ((1280, 720), (1920, 1080), (3840, 2160), (390, 844))
SEATS = 6
LEAST_OF_WIDTH = 67 / 1920
"""Letters of 16 arc minutes at five metres from 43 inches, as a part of a TV's width."""
LEAST_PHONE = 12
"""Pixels of the smallest letters on a phone."""
LEAST_CONTRAST = 4.5
BID = {"quantity": 12, "face": 3, "seat": 0}
TURN = {"standing": BID, "turn": 1, "waiting_for": [1]}


def _with_faults() -> Line:
    line = state("bidding", SEATS, **TURN)
    line["seats"][2]["missing"] = ["cup"]
    line["seats"][4] |= {"away": True, "out_in_min": 4}
    return line


SCENES: dict[str, Line] = {
    "attract": state("lobby", SEATS, players=[]),
    "lobby": state("lobby", SEATS),
    "choosing": state("choosing", SEATS, waiting_for=[1], choices=["normal", "blind", "open"]),
    "shaking": state("shaking", SEATS, waiting_for=[1, 2], deal=1, head=HEAD),
    "bidding": _with_faults(),
    "called": state("called", SEATS, standing=BID, called={"call": "dudo", "seat": 1}),
    "reveal": state("reveal", SEATS, showdown=showdown(SEATS)),
    "over": state("over", SEATS, dice=[0, 0, 3, 0, 0, 0], winner=2, standings=[2, 0, 5, 1, 4, 3], head=HEAD),
    "paused": state("bidding", SEATS, paused=True, **TURN),
    "off": state("bidding", SEATS, **TURN),
}


COUNT_MESSAGES = """
    window.heard = 0
    const Plain = WebSocket
    window.WebSocket = class extends Plain {
        set onmessage(handler) {
            super.onmessage = (event) => { handler(event); heard += 1 }
        }
    }
"""
"""A page's script that counts the messages it has taken."""


def _shown(page: "Page", table: StagedTable, scene: str) -> None:
    table.send(SCENES[scene])
    if scene == "off":
        page.wait_for_selector("#stage[data-scene=bidding]")
        table.close()
    page.wait_for_selector(f"#stage[data-scene={scene}]")


def test_every_scene_is_readable_from_a_sofa_and_covers_nothing(chromium: "Browser") -> None:
    small: dict[str, float] = {}
    covered: dict[str, list[str]] = {}
    faint: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:  # a socket's path may not be as long as a test's
        table = StagedTable(Path(folder) / "events.sock")
        table.send(SCENES["lobby"])
        port = free_port()
        with a_screen(table.path, "--listen", f"0.0.0.0:{port}"):  # with the code for phones
            page = chromium.new_page(reduced_motion="reduce")
            page.set_default_timeout(PATIENCE_MS)
            for language in LANGUAGES:
                page.goto(f"http://127.0.0.1:{port}/?language={language}")
                for scene in SCENES:
                    _shown(page, table, scene)
                    for width, height in SIZES:
                        page.set_viewport_size({"width": width, "height": height})
                        where, texts = f"{scene} in {language} at {width}", shown_texts(page)
                        least = LEAST_OF_WIDTH * width - 0.2 if width > height else LEAST_PHONE
                        shown = [each for each in texts if each.is_text and each.size < least]
                        small |= {f"{each.name}, {where}": each.size for each in shown}
                        covered[where] = overlaps(texts)
                    if language == LANGUAGES[0]:
                        page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
                        texts = [each for each in shown_texts(page) if scene != "off" or not each.is_of_seats]
                        faint[scene] = low_contrasts(page, texts, LEAST_CONTRAST)
                table.open()
            page.close()
        table.close()
    assert small == {}
    assert {where: pairs for where, pairs in covered.items() if pairs} == {}
    assert {where: texts for where, texts in faint.items() if texts} == {}


NOTE_CHANGES = """() => {
    window.changes = []
    const told = ({ type, target }) => `${type} of ${target.id || target.className}`
    const note = (records) => changes.push(...records.map(told))
    const all = { subtree: true, childList: true, attributes: true, characterData: true }
    new MutationObserver(note).observe(document.querySelector("#stage"), all)
}"""


def test_a_message_without_news_touches_nothing(chromium: "Browser") -> None:
    touched: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        table = StagedTable(Path(folder) / "events.sock")
        table.send(SCENES["lobby"])
        with a_screen(table.path) as screen:
            page = chromium.new_page(reduced_motion="reduce")
            page.set_default_timeout(PATIENCE_MS)
            page.add_init_script(COUNT_MESSAGES)
            page.goto(screen.address)
            for scene in SCENES.keys() - {"attract", "off"}:  # the lesson goes on by itself
                _shown(page, table, scene)
                page.evaluate(NOTE_CHANGES)
                before = page.evaluate("heard")
                table.send(SCENES[scene] | {"may_see": [[0]]})
                page.wait_for_function(f"() => heard > {before}")
                touched[scene] = page.evaluate("changes")
            page.close()
        table.close()
    assert {scene: changes for scene, changes in touched.items() if changes} == {}


def test_each_cup_has_a_letter_of_its_own(chromium: "Browser") -> None:
    names = ("Lima", "Luz Clara", "Lea", "Tacna", "Ica", "Ícaro")
    with tempfile.TemporaryDirectory() as folder:
        table = StagedTable(Path(folder) / "events.sock")
        table.send(state("lobby", SEATS, names=names))
        with a_screen(table.path) as screen:
            page = chromium.new_page(reduced_motion="reduce")
            page.set_default_timeout(PATIENCE_MS)
            page.goto(screen.address)
            page.wait_for_selector(".seat")
            letters = page.locator(".cup-letter").all_text_contents()
            page.close()
        table.close()
    assert letters == ["LI", "LC", "LE", "T", "I", "Í"]
