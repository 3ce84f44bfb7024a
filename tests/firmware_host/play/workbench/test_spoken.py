"""Displays in words, the story of an evening, and the language of both: what a page is sent for people who listen."""

import asyncio
from typing import Any

import pytest
from support.pages.page_clients import Browser, TableWithPages, at_a_table, plays_on

from docs.gallery import gallery
from firmware_host.i18n.catalogues import translation_for
from firmware_host.i18n.words import ENGLISH, Words
from firmware_host.play.workbench.workbench import STORY_EVENTS
from firmware_host.screens import draw
from firmware_host.screens.spoken import sentence
from firmware_host.screens.spoken import spoken as spoken_of
from firmware_host.wire import Seat
from hardware.link.phone_messages import WORDS_BYTES


def spoken(browser: Browser, seat: int = 0) -> dict[str, Any]:
    """Return the last words of a display."""
    return next(word for word in reversed(browser.messages) if word["type"] == "spoken" and word["seat"] == seat)


def in_turn(browser: Browser) -> bool:
    return browser.state["scene"] == "bidding" and browser.state["turn"] == 0


async def looks(browser: Browser) -> None:
    await browser.do("tilt", seat=0)
    await browser.until(lambda b: spoken(b)["hands"])


@pytest.mark.parametrize("language", ["en", "es", "fr"])
def test_every_state_has_words_that_fit_the_link(language: str) -> None:
    words = Words(translation_for(language))
    states = [state for seats in (2, 3, 8) for state in gallery(seats)]
    said = {state.name: sentence(state.view, state.menu, state.look, words) for state in states}
    assert max(len(text.encode()) for text in said.values()) <= WORDS_BYTES
    assert len({*said.values()}) > 50


@at_a_table(seats=2)
async def test_the_chosen_item_is_said(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await browser.until(lambda b: spoken(b)["text"] == "OK: join in")
        await asyncio.sleep(3)  # until the board has started
        await browser.tap("ok")
        await browser.until(lambda b: spoken(b)["text"] == "Start")


@at_a_table(seats=2)
async def test_the_effect_of_ok_follows_the_cursor(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await browser.until(lambda b: spoken(b)["choice"] == "join")
        await asyncio.sleep(3)  # until the board has started
        await browser.tap("right")
        await browser.until(lambda b: spoken(b)["choice"] == "learn")
        await browser.tap("ok")
        await browser.until(lambda b: spoken(b)["choice"] == "lesson")
        assert spoken(browser)["text"] == "Shake your cup and put it down"
        await browser.do("press", seat=0, button="left")
        await browser.until(lambda b: spoken(b)["choice"] == "learn")
        await browser.do("release", seat=0, button="left")
        await browser.tap("left")
        await browser.until(lambda b: spoken(b)["choice"] == "join")
        await browser.tap("ok")
        await browser.until(lambda b: spoken(b)["choice"] == "start")
        await browser.tap("right")
        await browser.until(lambda b: spoken(b)["choice"] == "leave")


STATES = {
    "staff": ("staff/now", "staff/now, pause", "staff/inputs, nothing yet"),
    "paused": ("paused/a bid, in turn",),
    "name-entry": ("naming/first letter", "naming/a regular"),
    "robot-out": ("lobby/robot-easy",),
    "robot-other": ("lobby/another level",),
    "learn": ("lesson/offered",),
    "lesson": ("lesson/looking", "lesson/perudo, raise"),
    "middle": ("lobby/a robot may sit down",),
    "bid": ("turn/least raise",),
    "dudo": ("turn/dudo on one",),
    "wait": ("lobby/first and alone",),
}


def test_each_state_of_a_display_names_the_effect_of_ok() -> None:
    states = (*gallery(2), *gallery(3))
    shown = {state.name: spoken_of(state.view, state.menu, None, ENGLISH) for state in states}
    wrong = {
        name: shown[name].choice for choice, names in STATES.items() for name in names if shown[name].choice != choice
    }
    assert wrong == {}
    assert shown["staff/now, pause"].text == "Staff: Pause"


@at_a_table(seats=2)
async def test_the_selected_bid_is_said_and_follows_the_arrows(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, in_turn)
        await browser.until(lambda b: spoken(b)["text"][:1].isdigit())
        before = spoken(browser)["text"]
        await browser.tap("right")
        await browser.until(lambda b: spoken(b)["text"] != before)
        assert spoken(browser)["text"][:1].isdigit()


@at_a_table(seats=2)
async def test_what_a_call_claims_is_said(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: in_turn(b) and b.state["standing"])
        await asyncio.sleep(1)
        await browser.tap("left")
        await browser.until(lambda b: spoken(b)["text"].startswith("CALZA: Exactly "))


@at_a_table(seats=2)
async def test_the_own_dice_are_said_while_the_cup_is_up_and_no_longer(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: b.state["scene"] == "bidding")
        await asyncio.sleep(1)
        assert spoken(browser)["hands"] == []
        await looks(browser)
        (hand,) = spoken(browser)["hands"]
        assert hand["player"] is None
        assert len(hand["dice"]) == 5
        await browser.do("level", seat=0)
        await browser.until(lambda b: spoken(b)["hands"] == [])


@at_a_table(seats=2, humans=2)
async def test_nobody_hears_another_persons_display(table: TableWithPages) -> None:
    async with table.browser() as lima, table.browser() as cusco:
        for browser, seat in ((lima, 0), (cusco, 1)):
            await browser.tap("ok", seat)
        await asyncio.sleep(2)
        assert {word["seat"] for word in lima.messages if word["type"] == "spoken"} == {0}
        assert {word["seat"] for word in cusco.messages if word["type"] == "spoken"} == {1}


@at_a_table(seats=2)
async def test_an_uncovered_display_is_said_until_it_is_covered(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await browser.do("uncover", seat=1)
        await browser.until(lambda b: any(word["type"] == "spoken" and word["seat"] == 1 for word in b.messages))
        await browser.do("cover", seat=1)
        await browser.until(lambda b: b.latest["covered"]["seats"] == [1])
        before = len(browser.messages)
        await plays_on(browser, lambda b: b.state["scene"] == "bidding")
        assert {word["seat"] for word in browser.messages[before:] if word["type"] == "spoken"} == {0}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("es", "OK: jugar"),
        ("fr", "OK\u00a0: jouer"),
        ("en", "OK: join in"),
        ("tlh", "OK: join in"),
        ("../es", "OK: join in"),
    ],
)
def test_a_display_is_said_in_the_language_of_the_page_and_in_english_else(language: str, text: str) -> None:
    @at_a_table(seats=2)
    async def speak(table: TableWithPages) -> None:
        async with table.browser() as browser:
            await browser.do("speak", language=language)
            await browser.until(lambda b: spoken(b)["text"] == text)

    speak()


@at_a_table(seats=2)
async def test_a_new_page_is_sent_the_story_so_far(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: b.state["scene"] == "bidding")
        async with table.browser() as other:
            assert other.latest["story"]["sentences"][-len(browser.happened) :] == browser.happened


@at_a_table(seats=2)
async def test_the_story_of_a_page_is_that_of_this_evening_alone(table: TableWithPages) -> None:
    async with table.browser() as browser:
        assert browser.latest["story"]["sentences"] in ([], ["Cusco sits down."])


@pytest.mark.parametrize(("language", "sentence"), [("es", "Lima se sienta."), ("fr", "Lima s’assied.")])
def test_the_story_is_told_in_the_language_of_the_page(language: str, sentence: str) -> None:
    @at_a_table(seats=2)
    async def speak(table: TableWithPages) -> None:
        async with table.browser() as browser, table.browser() as other:
            await asyncio.sleep(3)  # until the board has started
            await browser.tap("ok")
            await other.until(lambda b: "Lima sits down." in b.happened)
            await other.do("speak", language=language)
            await other.until(lambda b: sentence in b.latest["story"]["sentences"])
            await browser.tap("right")
            await browser.tap("ok")
            await other.until(lambda b: b.happened[-1] in ("Lima se levanta.", "Lima se lève."))

    speak()


@pytest.mark.slow
@at_a_table(seats=4, dice=3)
async def test_a_long_story_is_cut_at_its_beginning(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: b.state["scene"] == "over")
        async with table.browser() as other:
            sentences = other.latest["story"]["sentences"]
            assert STORY_EVENTS <= len(sentences) < 2 * STORY_EVENTS
            assert sentences[-1].endswith(" wins the match.")


@at_a_table(seats=3, humans=2)
async def test_a_refusal_comes_with_its_code_and_the_seat(table: TableWithPages) -> None:
    async with table.browser() as lima, table.browser():
        await lima.do("uncover", seat=1)
        await lima.until(lambda b: b.sentences)
        assert (lima.latest["told"]["why"], lima.latest["told"]["seat"]) == ("panel-of-another", 1)
        await lima.do("press", seat=2, button="ok")
        await lima.until(lambda b: len(b.sentences) == 2)
        assert (lima.latest["told"]["why"], lima.latest["told"]["seat"]) == ("covered", 2)


def shows_in(table: TableWithPages, seat: int, language: str) -> bool:
    """Return whether a display shows its state in a language."""
    assert table.chairs is not None
    shown = table.chairs[Seat(seat)].shown
    assert shown is not None
    return table.seat(seat).shows(draw(shown[0], shown[1], Words(translation_for(language))))


@at_a_table(seats=2, humans=2)
async def test_a_display_speaks_its_persons_language_until_they_stand_up(table: TableWithPages) -> None:
    async with table.browser() as lima, table.browser() as cusco:
        await asyncio.sleep(4)  # until the boards have started
        await lima.do("speak", language="es")
        await lima.until(lambda b: spoken(b)["text"] == "OK: jugar")
        await asyncio.sleep(0.5)
        assert shows_in(table, 0, "es")
        assert shows_in(table, 1, "en")
        await cusco.do("speak", language="fr")
        await cusco.until(lambda b: "jouer" in spoken(b, 1)["text"])
        await asyncio.sleep(0.5)
        assert shows_in(table, 1, "fr")
        await lima.do("stand")
        await asyncio.sleep(0.5)
        assert not shows_in(table, 0, "es")
        assert shows_in(table, 1, "fr")


@at_a_table(seats=2, humans=2)
async def test_a_display_has_its_persons_name_until_another_takes_the_seat(table: TableWithPages) -> None:
    def name(browser: Browser) -> str:
        return str(browser.state["seats"][0]["name"])

    async with table.browser() as ana, table.browser() as other:
        await ana.do("introduce", name="Ana")
        await other.until(lambda b: name(b) == "Ana")
        await ana.do("stand")
        await other.until(lambda b: name(b) == "Lima")
        await ana.do("sit", seat=0)
        await other.until(lambda b: name(b) == "Ana")
        await other.do("sit", seat=0)
        await other.until(lambda b: name(b) == "Lima")
