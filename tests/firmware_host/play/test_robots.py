"""How long people wait for robots."""

import asyncio

import msgspec
from support.pages.page_clients import TableWithPages, at_a_table, plays_on

from firmware_host import wire
from firmware_host.table.cues import reveal_cues, told_ms

ROBOTS = (1, 2, 3)


@at_a_table(seats=4)
async def test_robots_shake_within_a_second_of_the_person_who_ends_a_reveal(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: b.state["scene"] == "reveal")
        await asyncio.sleep(3)
        await browser.do("shake", seat=0)
        waiting = {*ROBOTS}
        began_s = asyncio.get_running_loop().time()
        while waiting:
            waiting -= {robot for robot in waiting if table.seat(robot).cup == "shaking"}
            await asyncio.sleep(0.01)
            late_s = asyncio.get_running_loop().time() - began_s
            assert late_s < 2.0  # a shake of 0.8 s, then a second


@at_a_table(seats=4)
async def test_robots_look_at_a_reveal_as_long_as_a_person_does(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: b.state["scene"] == "reveal")
        await asyncio.sleep(4)
        assert set(browser.state["waiting_for"]) == {0, *ROBOTS}
        await browser.tap("ok")
        await asyncio.sleep(1)
        assert browser.state["scene"] == "shaking"


@at_a_table(seats=4)
async def test_no_robot_skips_the_cues_of_a_reveal_for_a_person(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: b.state["scene"] == "reveal")
        state = msgspec.convert(browser.state, wire.PublicState, strict=False)
        assert state.showdown is not None
        told_s = told_ms(reveal_cues(state.showdown, state.showdown, state.order)) / 1000
        began_s = asyncio.get_running_loop().time()
        await browser.until(lambda b: len(b.state["waiting_for"]) < len(state.waiting_for))
        assert told_s + 2 < asyncio.get_running_loop().time() - began_s < told_s + 9
