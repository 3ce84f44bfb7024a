"""The staff menu at a party: held arrows open it for the host's own page, and for no guest at any seat."""

import asyncio

import pytest
from support.host.page_clients import Browser, TableWithPages, at_a_table, plays_on

SEATS = 3


async def hold_arrows(page: Browser, seat: int) -> None:
    """Hold both arrows long enough for the staff menu, then pick what would pause the match there."""
    for button in ("left", "right"):
        await page.do("press", seat=seat, button=button)
    await asyncio.sleep(4)
    for button in ("left", "right"):
        await page.do("release", seat=seat, button=button)
    for _ in range(2):
        await page.tap("ok", seat)
        await asyncio.sleep(1)


async def is_paused(page: Browser) -> bool:
    await asyncio.sleep(2)
    return bool(page.state["paused"])


@pytest.mark.parametrize("seat", range(SEATS))
def test_a_guest_who_holds_the_arrows_opens_no_staff_menu(seat: int) -> None:
    @at_a_table(party=True, seats=SEATS)
    async def play(table: TableWithPages) -> None:
        async with table.browser() as host:
            await host.do("stand")
            await host.until(lambda b: b.you is None)
            async with table.phone(seat) as phone, phone.page() as page:
                await plays_on(page, lambda b: b.you == seat and b.state["scene"] == "bidding", seat)
                await hold_arrows(page, seat)
                assert not await is_paused(page)

    play()


@at_a_table(party=True, seats=2)
async def test_the_hosts_own_page_opens_it(table: TableWithPages) -> None:
    async with table.browser() as host:
        await plays_on(host, lambda b: b.state["scene"] == "bidding")
        await hold_arrows(host, 0)
        await host.until(lambda b: b.state["paused"])


@at_a_table(party=True, seats=3)
async def test_a_forged_press_at_the_first_seat_is_refused(table: TableWithPages) -> None:
    async with table.browser(), table.phone(1) as phone, phone.page() as page:
        for button in ("left", "right"):
            await page.do("press", seat=0, button=button)
        for do in ("sit", "uncover", "tilt", "shake"):
            await page.do(do, seat=0)
        await page.until(lambda b: len(b.sentences) == 6)
        assert {*page.sentences} == {"Your seat is Cusco’s: you can use no other."}
        assert table.seat(0).pressed == ()
