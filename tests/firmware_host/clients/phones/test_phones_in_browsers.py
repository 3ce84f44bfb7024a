"""Phones in a real browser at a real table: joining, playing, looking, going and coming back."""

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.pages.phone_evening import PhoneEvening, an_async_chromium, verified

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = pytest.mark.slow

LANGUAGES = {"en-GB": "not the table", "es-ES": "no es la mesa", "fr-FR": "pas la table"}
"""The words that refuse a table with another key, by language."""


def test_two_phones_and_a_board_play_a_match_that_verifies(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with an_async_chromium() as browser, PhoneEvening(tmp_path, "board", "phone", "phone", dice=1) as evening:
            lima, puno = await evening.join(browser, 1), await evening.join(browser, 2, "es-ES")
            assert evening.invitation is None
            assert "#" not in lima.page.url
            assert await puno.page.inner_text("#look") == "Mantén para mirar"
            await evening.play(until=lambda state: state.scene == "bidding")
            for hand in (lima, puno):
                before = await hand.dots()
                async with hand.looking():
                    await hand.page.wait_for_selector("#seat[data-dice]", state="attached")
                    assert await hand.dots() != before
                assert not await hand.has_dice()
            await evening.play(until=lambda state: state.scene == "over")
            for _ in range(100):
                if said := await verified(evening.state_folder):
                    break
                await asyncio.sleep(0.2)
            assert len(said) == 1
            assert said[0].startswith("0:"), said[0]
            for name in ("Lima", "Cusco", "Puno"):
                assert re.search(rf"{name}: committed by cup \d+ times?", said[0]), said[0]
            assert "Traceback" not in evening.log

    asyncio.run(scenario())


def test_a_phone_goes_and_comes_back_and_so_do_board_daemon_and_process(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with an_async_chromium() as browser, PhoneEvening(tmp_path, "board", "phone", "phone") as evening:
            lima, puno = await evening.join(browser, 1), await evening.join(browser, 2)

            async def is_missing(seat: int, *devices: str) -> None:
                # A picture on its way to a phone may be missed before the phone.
                may_be = {devices, ("panel", *devices)} if devices else {devices}
                await evening.until(lambda: evening.state.seats[seat].missing in may_be)

            await evening.play(until=lambda state: state.scene == "bidding")
            await lima.page.context.set_offline(True)  # the network is lost
            await lima.page.evaluate("dispatchEvent(new Event('offline'))")
            async with asyncio.timeout(30):
                while await lima.is_here():
                    await asyncio.sleep(0.1)
            await is_missing(1, "phone")
            assert "1" not in await lima.dots()
            await lima.page.context.set_offline(False)
            await is_missing(1)

            await puno.page.goto("about:blank")  # the page is closed, and opened again without a code
            await is_missing(2, "phone")
            await puno.page.go_back()
            await puno.page.wait_for_selector("#seat:not([hidden])")
            await is_missing(2)

            await evening.play(until=lambda state: state.round is not None and state.round.number >= 2)
            await evening.kill(evening.daemon)
            await evening.start_daemon()
            before = len(evening.states)
            await evening.until(lambda: len(evening.states) > before)
            await is_missing(1)
            await evening.kill(evening.phones)
            await is_missing(1, "phone")
            await evening.start_phones()
            await is_missing(1)
            await is_missing(2)
            board = evening.hands[0].seat  # type: ignore[union-attr]
            board.board.unplug()
            await evening.until(lambda: "board" in evening.state.seats[0].missing)
            board.board.plug()
            await is_missing(0)
            await evening.play(until=lambda state: state.scene == "over")
            for _ in range(100):
                if said := await verified(evening.state_folder):
                    break
                await asyncio.sleep(0.2)
            assert [text[:2] for text in said] == ["0:"], said
            assert "Traceback" not in evening.log

    asyncio.run(scenario())


def test_codes_are_refused_in_one_sentence(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with an_async_chromium() as browser, PhoneEvening(tmp_path, "phone", "phone") as evening:
            assert evening.invitation is not None
            used = evening.invitation.link
            hand = await evening.join(browser, 0)
            told: dict[Page, list[str]] = {await evening.a_phone(browser, language): [] for language in LANGUAGES}
            for late, sentences in told.items():
                await late.goto(used)
                assert not await late.is_visible("#code"), "a scanned code needs no field"
                for code in ("", "nothing0"):
                    if code:
                        await late.fill("#code", code)
                    await late.locator("#go").tap()
                    await late.wait_for_selector("#words[data-problem]")
                    sentences.append(await late.inner_text("#words"))
                    await late.fill("#code", "")
                assert len({*sentences}) == 2
            await evening.join(browser, 1)
            for late, sentences in told.items():
                await late.reload()
                await late.wait_for_selector("#words[data-problem]")
                sentences.append(await late.inner_text("#words"))
                assert not await late.is_visible("#form")
                assert all(0 < text.count(".") <= 2 for text in sentences), sentences
            assert len({tuple(sentences) for sentences in told.values()}) == len(LANGUAGES)
            await hand.page.locator("#leave").tap()
            await hand.page.locator("#sure [value=leave]").tap()
            for late in told:
                await late.wait_for_selector("#form", timeout=20_000)

    asyncio.run(scenario())


SIZES = [(188, 406), (320, 568), (390, 844), (844, 390), (568, 320), (406, 188)]


def test_every_control_is_on_the_screen_from_188_to_844_pixels(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with an_async_chromium() as browser, PhoneEvening(tmp_path, "phone", "phone", language="fr") as evening:
            hand = await evening.join(browser, 0, "fr-FR")
            for width, height in SIZES:
                await hand.page.set_viewport_size({"width": width, "height": height})
                # The page sizes its display before it paints, so what counts is where things are in a painted frame.
                boxes = await hand.page.evaluate(
                    """async () => {
                        for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
                        const shown = document.querySelectorAll("#controls button, #display, header button");
                        return [...shown].map((each) => {
                            const { left, top, right, bottom } = each.getBoundingClientRect();
                            return [each.id, left, top, right, bottom];
                        });
                    }"""
                )
                for name, left, top, right, bottom in boxes:
                    assert min(left, top) >= 0, (width, height, name)
                    assert right <= width + 1, (width, height, name)
                    assert bottom <= height + 1, (width, height, name)
                    assert name == "display" or min(right - left, bottom - top) >= 30, (width, height, name)
                wide = await hand.page.evaluate("document.documentElement.scrollWidth")
                assert wide <= width

    asyncio.run(scenario())


def test_a_table_with_another_key_than_the_scanned_one_is_refused_in_one_sentence(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with an_async_chromium() as browser, PhoneEvening(tmp_path, *["phone"] * 4) as evening:
            for seat, (language, words) in enumerate(LANGUAGES.items()):
                assert evening.invitation is not None
                right = evening.invitation.link
                phone = await evening.a_phone(browser, language)
                await phone.goto(f"{right[:-1]}{'0' if right[-1] != '0' else '1'}")
                await phone.locator("#go").tap()
                status = phone.locator("#status[data-problem]")
                await status.filter(has_text=words).wait_for()
                assert (await status.inner_text()).count(".") == 2
                await evening.until(lambda old=right: evening.invitation and evening.invitation.link != old)
                assert evening.state.seats[seat].missing == ("phone",) or seat not in evening.state.players
                assert evening.invitation is not None
                await phone.goto("about:blank")
                await phone.goto(evening.invitation.link)  # its key is the table's; the seat is this phone's already
                await phone.wait_for_function("() => document.querySelector('#heard').textContent !== ''")
                await phone.reload()
                await phone.wait_for_function("() => document.querySelector('#heard').textContent !== ''")

    asyncio.run(scenario())


def test_a_typed_code_needs_no_key_and_a_copied_cookie_opens_no_seat(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with an_async_chromium() as browser, PhoneEvening(tmp_path, "phone", "phone") as evening:
            assert evening.invitation is not None
            address, code = evening.invitation.address, evening.invitation.code
            phone = await evening.a_phone(browser)
            await phone.goto(address)
            await phone.fill("#code", code)
            await phone.locator("#go").tap()
            await phone.wait_for_function("() => document.querySelector('#heard').textContent !== ''")
            thief = await evening.a_phone(browser)
            await thief.context.add_cookies(await phone.context.cookies())  # type: ignore[arg-type]
            await thief.goto(address)
            await thief.wait_for_selector("#form")  # the page has other keys, and no seat
            heard = await thief.evaluate(
                """() => new Promise((done) => {
                    const socket = new WebSocket(`ws://${location.host}/live`);
                    const parts = [];
                    socket.binaryType = "arraybuffer";
                    socket.onmessage = ({ data }) => {
                        if (typeof data === "string") return;
                        if (!parts.length) socket.send(new Uint8Array(32).fill(9));
                        parts.push(data.byteLength);
                    };
                    socket.onclose = () => done(parts);
                    setTimeout(() => socket.close(), 3000);
                })"""
            )
            assert heard[0] == 64
            await phone.wait_for_selector("#status[data-problem]")
            await phone.locator("#status").tap()
            await phone.wait_for_function("() => document.querySelector('#heard').textContent !== ''")

    asyncio.run(scenario())
