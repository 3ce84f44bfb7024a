"""A phone in WebKitGTK at a real table: it joins, shakes, looks, bids, loses its network and returns."""

import asyncio
from pathlib import Path

import pytest
from support.host.faulty_network import a_faulty_network
from support.pages.phone_evening import PhoneEvening, verified
from support.pages.webkit import a_webkit

pytestmark = [pytest.mark.soak, pytest.mark.timeout(600)]


def test_a_phone_in_webkit_plays_a_match_and_bears_a_silent_network(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with a_webkit(tmp_path) as webkit, PhoneEvening(tmp_path, "board", "phone") as evening:
            assert evening.invitation is not None
            with a_faulty_network(evening.invitation.address) as network:
                await webkit.open(evening.invitation.link.replace(evening.invitation.address, network.address))
                await webkit.until("!document.querySelector('#form').hidden")
                await webkit.press("go")
                await webkit.until("!document.querySelector('#seat').hidden")
                await webkit.until("!document.body.hasAttribute('data-gone')")
                evening.hands[1] = webkit

                await evening.play(until=lambda state: state.scene == "bidding" and state.turn == 1)
                async with webkit.looking():
                    await webkit.until("document.querySelector('#seat').hasAttribute('data-dice')")
                await webkit.until("!document.querySelector('#seat').hasAttribute('data-dice')")

                turn = evening.state.turn
                network.hold()
                await evening.until(lambda: "phone" in evening.state.seats[1].missing)
                await webkit.until("document.body.hasAttribute('data-gone')")
                assert not await webkit.has_dice()
                await webkit.run("document.querySelector('#dudo').click()")  # is pressed for nobody
                network.deliver()
                await evening.until(lambda: not evening.state.seats[1].missing)
                await webkit.until("!document.body.hasAttribute('data-gone')")
                assert (evening.state.scene, evening.state.turn) == ("bidding", turn)

                await evening.play(until=lambda state: state.scene == "over")
                for _ in range(100):
                    if said := await verified(evening.state_folder):
                        break
                    await asyncio.sleep(0.2)
                assert [text[:2] for text in said] == ["0:"], said
                assert "Cusco: committed by cup" in said[0], said[0]

    asyncio.run(scenario())
