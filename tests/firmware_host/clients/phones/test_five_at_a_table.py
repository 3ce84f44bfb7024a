"""Two boards and three phones at one table, in three languages: whoever goes comes back, and no press is stale."""

import asyncio
from pathlib import Path

import pytest
from support.pages.phone_evening import HeardHand, PhoneEvening, PhoneHand, an_async_chromium, sleeping, verified

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

LANGUAGES = {2: "es-ES", 3: "fr-FR", 4: "en-GB"}


def test_a_match_of_boards_and_phones_bears_every_loss(tmp_path: Path) -> None:
    async def scenario() -> None:
        kinds = "board", "board", "phone", "phone", "phone"
        async with an_async_chromium() as browser, PhoneEvening(tmp_path, *kinds, dice=1) as evening:
            phones = {seat: await evening.join(browser, seat, language) for seat, language in LANGUAGES.items()}
            evening.hands[4] = HeardHand(phones[4].page)

            async def is_missing(seat: int, *devices: str) -> None:
                await evening.until(
                    lambda: (
                        {*devices} <= {*evening.state.seats[seat].missing}
                        and bool(devices) == bool(evening.state.seats[seat].missing)
                    )
                )

            await evening.play(until=lambda state: state.turn in phones and state.standing is not None)
            turn, round_before = evening.state.turn, evening.state.round
            for phone in phones.values():  # the network is lost, and what is pressed meanwhile is pressed for nobody
                await phone.page.context.set_offline(True)
                await phone.page.evaluate("dispatchEvent(new Event('offline'))")
            for seat, phone in phones.items():
                await is_missing(seat, "phone")
                await phone.page.wait_for_selector("body[data-gone]", timeout=30_000)
                await phone.page.evaluate("document.querySelector('#dudo').click()")
                assert "1" not in await phone.dots()
                await phone.page.context.set_offline(False)
            for seat in phones:
                await is_missing(seat)
            await asyncio.sleep(2)
            assert (evening.state.scene, evening.state.turn) == ("bidding", turn)
            assert evening.state.round == round_before

            for seat, phone in phones.items():  # its browser says that it puts the page to sleep, and wakes it
                await phone.page.evaluate("document.dispatchEvent(new Event('freeze'))")
                await is_missing(seat, "phone")
                await phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
                await is_missing(seat)
            places = {seat: await phone.place("dudo") for seat, phone in phones.items()}
            async with sleeping(browser):  # nothing of any page runs, and their browser answers for them
                touches = [phone.page.touchscreen.tap(*places[seat]) for seat, phone in phones.items()]
                taps = [asyncio.create_task(touch) for touch in touches]
                for seat in phones:
                    await is_missing(seat, "phone")
            await asyncio.gather(*taps)
            for seat in phones:
                await is_missing(seat)
            await asyncio.sleep(2)
            assert (evening.state.scene, evening.state.turn) == ("bidding", turn)
            assert evening.state.round == round_before

            for seat, phone in phones.items():  # its browser is killed, and opens the page again without a code
                address, context = phone.page.url, phone.page.context
                await phone.page.close()
                await is_missing(seat, "phone")
                page = await context.new_page()
                await page.goto(address)
                await is_missing(seat)
                evening.hands[seat] = HeardHand(page) if seat == 4 else PhoneHand(page)

            board = evening.hands[1].seat  # type: ignore[union-attr]
            board.board.unplug()
            await is_missing(1, "board")
            board.board.plug()
            await is_missing(1)
            for number in (2, 3):
                await evening.play(until=lambda state, n=number: state.round is not None and state.round.number >= n)
                await evening.kill(evening.daemon)
                before = len(evening.states)
                await evening.start_daemon()
                await evening.until(lambda b=before: len(evening.states) > b)
            await evening.play(until=lambda state: state.scene == "over", within_s=400)
            for _ in range(100):
                if said := await verified(evening.state_folder):
                    break
                await asyncio.sleep(0.2)
            assert [text[:2] for text in said] == ["0:"], said
            for name in ("Lima", "Cusco", "Puno", "Tacna", "Ica"):
                assert f"{name}: committed by cup" in said[0], said[0]
            assert "Traceback" not in evening.log

    asyncio.run(scenario())
