"""The story on a guest's phone: what it tells, in which language, on which screens, and by keys alone."""

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.pages.phone_evening import PhoneEvening, an_async_chromium

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = pytest.mark.slow

SIZES = [(188, 406), (320, 568), (390, 844), (844, 390), (568, 320), (406, 188)]
TOLD = {"en-GB": "Lima bids", "es-ES": "Lima apuesta", "fr-FR": "Lima annonce"}
BIDDER = {"en-GB": "Bid by Lima", "es-ES": "Apuesta de Lima", "fr-FR": "Annoncé par Lima"}
AT_END = """() => {
    const { scrollTop, clientHeight, scrollHeight } = document.querySelector("#scroller");
    return scrollTop + clientHeight >= scrollHeight - 1;
}"""
BOXES = """async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    return [...document.querySelectorAll("#story :is(h2, #scroller, button)")].map((each) => {
        const { left, top, right, bottom } = each.getBoundingClientRect();
        return [each.id || each.tagName, left, top, right, bottom];
    });
}"""


async def fits(page: "Page", width: int, height: int) -> None:
    await page.set_viewport_size({"width": width, "height": height})
    boxes = await page.evaluate(BOXES)
    assert [name for name, *_ in boxes] == ["story-title", "scroller", "BUTTON"]
    for name, left, top, right, bottom in boxes:
        assert min(left, top) >= 0, (width, height, name)
        assert right <= width + 1, (width, height, name)
        assert bottom <= height + 1, (width, height, name)
    assert boxes[1][4] - boxes[1][2] >= 40, (width, height)  # room for a sentence
    for wide in ("html", "#scroller"):
        assert await page.locator(wide).evaluate("element => element.scrollWidth") <= width


def test_the_story_fits_is_in_the_phones_language_and_is_read_by_keys_alone(tmp_path: Path) -> None:
    async def scenario() -> None:
        kinds = ("board", *["phone"] * len(TOLD))
        async with an_async_chromium() as browser, PhoneEvening(tmp_path, *kinds, dice=3) as evening:
            pages = {
                language: (await evening.join(browser, seat, language, "Valentina" if seat == 1 else "")).page
                for seat, language in enumerate(TOLD, 1)
            }
            await evening.play(until=lambda state: state.round is not None and state.round.number >= 2)
            await evening.play(until=lambda state: state.standing is not None and state.standing.seat == 0)
            for language, page in pages.items():
                await page.locator("#bidder", has_text=BIDDER[language]).wait_for()
                await page.focus("#so-far")
                await page.keyboard.press("Enter")
                await page.locator("#sentences li", has_text=TOLD[language]).last.wait_for()
                assert await page.locator("#sentences li", has_text="Valentina").count() > 1
                assert await page.evaluate(AT_END)
                for width, height in SIZES:
                    await fits(page, width, height)
                await page.keyboard.press("Home")  # the focus is on the sentences
                await page.wait_for_function("() => document.querySelector('#scroller').scrollTop === 0")
                await page.keyboard.press("Escape")
                assert await page.evaluate("document.activeElement.id") == "so-far"
            assert "Traceback" not in evening.log

    asyncio.run(scenario())


def test_the_story_goes_on_while_it_is_open_says_whose_turn_it_is_and_hides_the_dice(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with an_async_chromium() as browser, PhoneEvening(tmp_path, "board", "phone") as evening:
            hand = await evening.join(browser, 1)
            page = hand.page
            await evening.play(until=lambda state: state.scene == "bidding" and state.turn == 0)
            await page.locator("#look").evaluate("button => button.click()")  # a look of four seconds
            await page.wait_for_selector("#seat[data-dice]", state="attached")
            await page.locator("#so-far").tap()
            assert not await hand.has_dice()
            before = await page.locator("#sentences li").count()
            await evening.hands[0].tap("ok")
            await page.locator("#sentences li").filter(has_text=re.compile("^Lima bids")).last.wait_for()
            assert await page.locator("#sentences li").count() > before
            await page.locator("#story-status", has_text="Your turn").wait_for()
            await page.locator("#story button").tap()
            assert not await page.locator("#story").is_visible()

    asyncio.run(scenario())
