"""The public page in a real browser: a whole match, restarts, an update, and what it shows at every size."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support import ROOT
from support.pages.accessibility import broken_rules
from support.pages.browser import PATIENCE_MS, wait_until
from support.pages.public_pages import HEAD, LONG_NAMES, Line, StagedTable, a_screen, revealed, showdown, state

from bench.tools.broker import free_port
from firmware_host.public import recap

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SIZES = ((390, 844), (480, 800), (1024, 600), (1280, 720), (1080, 1920), (1920, 1080), (3840, 2160))
LANGUAGES = ("en", "es", "fr")
BID = {"quantity": 25, "face": 4, "seat": 0}
OVER = {"winner": 7, "standings": [7, *range(7)], "head": HEAD}
BARE = state("lobby", 8, names=LONG_NAMES, players=[])
for unplugged in BARE["seats"]:
    unplugged["missing"] = ["board"]
SCENES: dict[str, list[Line]] = {
    "bare": [BARE],
    "attract": [state("lobby", 8, players=[])],
    "lobby": [state("lobby", 8, names=LONG_NAMES)],
    "shaking": [state("shaking", 8, names=LONG_NAMES, waiting_for=[1, 2], deal=1, head=HEAD)],
    "choosing": [state("choosing", 8, names=LONG_NAMES, waiting_for=[1], choices=["normal", "blind", "open"])],
    "bidding": [state("bidding", 8, names=LONG_NAMES, standing=BID, turn=1, waiting_for=[1])],
    "called": [state("called", 8, names=LONG_NAMES, standing=BID, called={"call": "dudo", "seat": 1})],
    "reveal": [state("reveal", 8, names=LONG_NAMES, showdown=showdown(8))],
    "over": [state("over", 8, names=LONG_NAMES, showdown=showdown(8), **OVER)],
}
WORDS_OUTSIDE = """() => {
    const shown = (texts) => [...document.querySelectorAll(texts)].filter((each) => each.getClientRects().length > 0);
    const players = shown("#seats .seat:not([data-up]) .cup-side, #seats .seat[data-up] .under svg, #seats .who");
    const seats = Math.min(innerHeight, ...players.map((each) => each.getBoundingClientRect().top));
    const is_outside = (each) => {
        const box = each.getBoundingClientRect();
        const bottom = each.closest("#middle") ? seats : innerHeight;
        return box.left < -1 || box.right > innerWidth + 1 || box.bottom > bottom + 1 || box.top < -1;
    };
    const is_cut = (each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== "inline";
    const texts = "#seats .name, #seats .who, #middle p, #middle li, #round, #seal code";
    return shown(texts).filter((each) => is_outside(each) || is_cut(each)).map((each) => each.textContent);
}"""
"""The words that are outside the screen, over the players, or cut."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[StagedTable]:
    with tempfile.TemporaryDirectory() as folder:  # a socket's path may not be as long as a test's
        staged = StagedTable(Path(folder) / "events.sock")
        staged.send(state("lobby", 3, players=[]))
        yield staged
        staged.close()


@contextmanager
def a_page(
    browser: "Browser", address: str, size: tuple[int, int] = (1280, 720), *, moves: bool = False
) -> Iterator["Page"]:
    """Give a page that shows the table; an error of its script fails the test."""
    width, height = size
    motion = "no-preference" if moves else "reduce"
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion=motion, locale="en-GB")  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda text: complaints.append(text.text) if "Content Security" in text.text else None)
    page.goto(address)
    page.wait_for_selector("#stage:not([data-scene=none])")
    yield page
    context.close()
    assert complaints == []


def show(page: "Page", table: StagedTable, scene: str) -> None:
    table.send(*SCENES[scene])
    page.wait_for_selector(f"#stage[data-scene={scene}]")


NOTE_EVERY_CHANGE = """attributes => {
  window.noted = {}
  for (const [selector, attribute] of Object.entries(attributes)) {
    const element = document.querySelector(selector)
    const values = (noted[selector] = [])
    const note = changes => values.push(...changes.map(change => change.oldValue), element.getAttribute(attribute))
    new MutationObserver(note).observe(element, { attributeFilter: [attribute], attributeOldValue: true })
  }
}"""
"""A page's script that keeps an attribute's values. A busy machine looks too seldom to see each of them."""

SCENE_AND_WINNERS = """[
  document.querySelector("#stage").dataset.scene ?? "", document.querySelectorAll(".won .name").length
]"""
"""Both at one moment: the table is switched off when the match has ended."""


def test_a_whole_match_is_shown_and_heard_from_the_lobby_to_the_winner(chromium: "Browser") -> None:
    broken: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        events, short = Path(folder) / "events.sock", Path(folder) / "short.toml"
        short.write_text('based_on = "perudo"\nstarting_dice = 2\n')
        play = [
            sys.executable,
            "-m",
            "firmware_host.cli",
            "play",
            *["--watch", "--seats", "2", "--seed", "4", "--speed", "8", "--rules", str(short), "--events", str(events)],
        ]
        with (
            a_screen(events) as screen,
            subprocess.Popen(
                play,
                cwd=ROOT,
                stdout=subprocess.DEVNULL,
            ) as match,
        ):
            with a_page(chromium, screen.address, moves=True) as page:
                page.evaluate(NOTE_EVERY_CHANGE, {"#stage": "data-scene", "#sound": "data-heard"})
                page.focus("#sound")
                page.keyboard.press("Enter")
                assert page.get_attribute("#sound", "aria-pressed") == "true"

                winners = 0

                def is_over() -> bool:
                    nonlocal winners
                    scene, winners = page.evaluate(SCENE_AND_WINNERS)
                    if scene not in broken:
                        broken[scene] = broken_rules(page)
                    return bool(scene == "over")

                wait_until(page, is_over, patience_ms=20 * PATIENCE_MS)
                assert winners == 1
                noted = page.evaluate("noted")
                assert {*noted["#stage"]} >= {"shaking", "bidding", "reveal", "over"}
                assert {scene: rules for scene, rules in broken.items() if rules} == {}
                assert {*noted["#sound"]} >= {"dudo", "reveal"}  # a busy table leaves out knocks and shakes
                page.reload()
                assert page.get_attribute("#sound", "aria-pressed") == "false"  # until a touch or a key
                page.keyboard.press("Tab")
                page.wait_for_selector("#sound[aria-pressed=true]")
            match.kill()


def test_no_scene_breaks_a_serious_rule_of_accessibility(chromium: "Browser", table: StagedTable) -> None:
    broken: dict[str, list[str]] = {}
    with a_screen(table.path) as screen:
        for language, scenes in {"en": (*SCENES,), "es": ("bidding", "over"), "fr": ("bidding", "over")}.items():
            with a_page(chromium, f"{screen.address}?language={language}") as page:
                for scene in scenes:
                    show(page, table, scene)
                    broken[f"{scene} in {language}"] = broken_rules(page)
                page.keyboard.press("Tab")  # the sound
                page.keyboard.press("Tab")
                page.keyboard.press("Enter")
                page.wait_for_selector("dialog[open] li")
                broken[f"help in {language}"] = broken_rules(page)
    assert {scene: rules for scene, rules in broken.items() if rules} == {}


def test_eight_players_with_forty_letters_fit_every_screen_in_every_language(
    chromium: "Browser", table: StagedTable
) -> None:
    outside: dict[str, list[str]] = {}
    with a_screen(table.path) as screen:
        for language in LANGUAGES:
            with a_page(chromium, f"{screen.address}?language={language}") as page:
                for scene in SCENES:
                    show(page, table, scene)
                    for width, height in SIZES:
                        page.set_viewport_size({"width": width, "height": height})
                        outside[f"{scene} in {language} at {width}x{height}"] = page.evaluate(WORDS_OUTSIDE)
    assert {scene: texts for scene, texts in outside.items() if texts} == {}


def test_the_recap_of_an_evening_fits_every_screen_until_somebody_sits_down(
    chromium: "Browser", table: StagedTable
) -> None:
    players = tuple(recap.Winner(name, 3 - place, 9) for place, name in enumerate(LONG_NAMES[:3]))
    bluff, praised = recap.BluffOfTheNight(LONG_NAMES[3], 15, 4, 6), recap.Praised(LONG_NAMES[4], 83)
    robots = (recap.Winner("hard", 3, 9),)
    recap.write(
        recap.Recap(time.time() + 600, 12, 140, players, bluff, praised, praised, praised, praised, robots, 21),
        table.path,
    )
    with a_screen(table.path) as screen, a_page(chromium, f"{screen.address}?language=es", (480, 800)) as page:
        page.wait_for_selector("#stage[data-scene=recap]")
        outside = page.evaluate(WORDS_OUTSIDE)
        page.set_viewport_size({"width": 1024, "height": 600})
        assert outside + page.evaluate(WORDS_OUTSIDE) == []
        assert page.locator(".fact").count() == 7
        assert broken_rules(page) == []
        show(page, table, "lobby")


def test_a_phone_has_no_code_for_phones(chromium: "Browser", table: StagedTable) -> None:
    shown = {}
    with a_screen(table.path, "--listen", f"0.0.0.0:{(port := free_port())}"):
        for has_touch in (False, True):
            context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=has_touch)
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{port}/")
            page.wait_for_selector("#stage:not([data-scene=none])")
            shown[has_touch] = page.is_visible("#phones")
            context.close()
    assert shown == {False: True, True: False}


def test_the_reveal_goes_through_its_steps(chromium: "Browser", table: StagedTable) -> None:
    with a_screen(table.path) as screen, a_page(chromium, screen.address, moves=True) as page:
        table.send(state("called", 2, standing=BID, called={"call": "dudo", "seat": 1}))
        page.wait_for_selector(".slam")
        table.send(*revealed(2))
        page.wait_for_selector(
            "#seats:has(:nth-child(2)[data-up]):not(:has(:nth-child(1)[data-up]))"
        )  # not the bidder's
        assert page.locator(".verdict").is_hidden()
        page.wait_for_selector("[data-step=count]")
        page.wait_for_selector("[data-step=verdict]")
        assert page.inner_text(".there b") == str(showdown(2)["matching"])
        page.wait_for_selector("#seats .seat:nth-child(1) [data-gone]", state="attached")
        assert page.inner_text(".cost") == "Lima loses a die"


def test_a_player_who_goes_on_ends_the_steps(chromium: "Browser", table: StagedTable) -> None:
    with a_screen(table.path) as screen, a_page(chromium, screen.address) as page:
        table.send(*revealed(8))
        page.wait_for_selector("#stage[data-scene=reveal]")
        table.send(state("reveal", 8, showdown=showdown(8), waiting_for=[1]))
        page.wait_for_selector("[data-step=pays]", timeout=1500)
        assert page.locator("#seats .seat[data-up]").count() == 8


def test_a_table_that_restarts_is_off_meanwhile_and_keeps_its_bid(chromium: "Browser", table: StagedTable) -> None:
    with a_screen(table.path) as screen, a_page(chromium, screen.address) as page:
        show(page, table, "bidding")
        table.close()
        page.wait_for_selector("#stage[data-scene=off]")
        assert page.inner_text("#middle .rest") == "Switched off"
        assert page.inner_text("#middle .why") == "This page waits for the table."
        assert page.locator(".figure b").inner_text() == "25"
        table.open()
        page.wait_for_selector("#stage[data-scene=bidding]")


def test_a_paused_match_says_so_in_the_middle_beside_its_bid_and_names_no_turn(
    chromium: "Browser", table: StagedTable
) -> None:
    with a_screen(table.path) as screen, a_page(chromium, screen.address) as page:
        show(page, table, "bidding")
        bidding = SCENES["bidding"][-1]
        assert page.locator("#middle .turn").is_visible()
        table.send(bidding | {"paused": True})
        page.wait_for_selector("#stage[data-scene=paused]")
        assert page.inner_text("#middle .rest") == "Paused"
        assert page.locator(".figure b").inner_text() == "25"
        assert page.locator("#middle .turn").count() == 0


def test_a_table_without_a_seat_says_what_to_plug_in_until_one_answers(chromium: "Browser", table: StagedTable) -> None:
    with a_screen(table.path) as screen, a_page(chromium, screen.address) as page:
        show(page, table, "bare")
        assert page.inner_text("#middle .rest") == "Plug in the seats"
        table.send(BARE | {"seats": [*BARE["seats"][:7], BARE["seats"][7] | {"missing": []}]})
        page.wait_for_selector("#stage[data-scene=attract]")


def test_a_server_that_restarts_with_another_build_is_found_and_loaded_again(
    chromium: "Browser", table: StagedTable
) -> None:
    port = free_port()
    with a_screen(table.path, port=port) as screen:
        address = screen.address
        pages = a_page(chromium, address)
        page = pages.__enter__()
        page.evaluate("window.before = true")
        show(page, table, "bidding")
    page.wait_for_selector("body[data-stale]")
    assert page.locator(".figure b").inner_text() == "25"
    with a_screen(table.path, "--language", "fr", port=port):  # its index.html is another one
        page.wait_for_selector("html[lang=fr]")
        page.wait_for_selector("#stage[data-scene=bidding]")
        assert page.evaluate("window.before") is None
        pages.__exit__(None, None, None)
