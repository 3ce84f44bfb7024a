"""The staff menu at a party: held arrows open it for the host's own page; a phone is never the service seat."""

import asyncio

from support.pages.page_clients import Browser, TableWithPages, at_a_table, plays_on


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


@at_a_table(party=True, seats=2)
async def test_the_hosts_own_page_opens_it(table: TableWithPages) -> None:
    async with table.browser() as host:
        await plays_on(host, lambda b: b.state["scene"] == "bidding")
        await hold_arrows(host, 0)
        await host.until(lambda b: b.state["paused"])
