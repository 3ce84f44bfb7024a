"""A listener on the Wi-Fi has every byte between browser and server for a whole round, and reads no die."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.pages.phone_evening import PhoneEvening, an_async_chromium
from support.pages.phone_page import ENVELOPE
from support.pages.wiretap import IN_THE_CLEAR, Tapped, Wiretap, frames_in

from firmware_host.devices.host_io.phone_cipher import HELLO_BYTES, KEY_BYTES

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

UP = 120
"""Bytes of an envelope from a phone."""
NAME = "Valentina"


async def tapped_round(folder: Path, *, encrypts: bool = True) -> tuple[Sequence[Tapped], bytes]:
    """Play a round with a board and two phones that look at their dice; return what was heard."""
    evening = PhoneEvening(folder, "board", "phone", "phone", in_the_clear=not encrypts)
    async with an_async_chromium() as browser, Wiretap(evening.port).listening() as tap, evening:
        evening.through = tap.link
        if not encrypts:
            evening.replaced = {"cipher.js": IN_THE_CLEAR}
        hands = [await evening.join(browser, 1, name=NAME), await evening.join(browser, 2)]
        await evening.play(until=lambda state: state.scene == "bidding")
        for hand in hands:
            async with hand.looking():
                await hand.page.wait_for_selector("#seat[data-dice]", state="attached")
        await evening.play(until=lambda state: state.round is not None and state.round.number >= 2)
        if encrypts:
            await hands[0].page.locator("#so-far").tap()
            await hands[0].page.locator("#sentences li", has_text=NAME).first.wait_for()
        assert "Traceback" not in evening.log
        return [each for each in tap.tapped if each.is_live], tap.everything


def leak(tapped: Sequence[Tapped], everything: bytes) -> str:
    """Return what a listener learns about dice, if anything."""
    assert tapped
    for each in tapped:
        up, down = each.binary()
        if frames_in(up) or frames_in(down):
            return "frames"
        if (len(down) - HELLO_BYTES) % ENVELOPE or (len(up) - KEY_BYTES) % UP:
            return "lengths"
    return "a name" if NAME.encode() in everything else ""


def test_two_rounds_with_other_dice_look_the_same_to_a_listener(tmp_path: Path) -> None:
    async def worlds() -> list[tuple[Sequence[Tapped], bytes]]:
        return await asyncio.gather(*(tapped_round(tmp_path / world) for world in ("one", "other")))

    for tapped, everything in asyncio.run(worlds()):
        assert len(tapped) == 2
        assert all(len(down) > 20 * ENVELOPE and len(up) > 20 * UP for up, down in (each.binary() for each in tapped))
        assert leak(tapped, everything) == ""


def test_the_listener_notices_a_table_that_does_not_encrypt(tmp_path: Path) -> None:
    assert leak(*asyncio.run(tapped_round(tmp_path, encrypts=False))) == "frames"
