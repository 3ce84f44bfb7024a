"""Evenings with a page: who plays, when it goes on and when it ends."""

import asyncio

import pytest
from support.pages.page_clients import Browser, TableWithPages, at_a_table, plays_on

from firmware_host.table.events import ActionTaken
from firmware_host.wire import MatchBegan, MatchWon

pytestmark = pytest.mark.slow


def won(table: TableWithPages) -> int:
    return sum(isinstance(event, MatchWon) for event in table.events)


@at_a_table(seats=3, dice=2)
async def test_a_person_plays_a_whole_match_over_the_page(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: b.state["scene"] == "over")
        assert won(table) == 1
        assert any(isinstance(event, ActionTaken) and event.seat == 0 for event in table.events)
        assert browser.sentences == []


@at_a_table(seats=2, rules="kill-spot", layout="wired-8", dice=2)
async def test_a_person_plays_a_whole_match_at_wired_seats(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: b.state["scene"] == "over")
        assert won(table) == 1


@at_a_table(seats=2, dice=2)
async def test_the_evening_goes_on_after_the_match_while_a_person_is_there(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: won(table) == 1)
        await asyncio.sleep(60)
        assert not table.playing.done()
        await plays_on(browser, lambda b: won(table) == 2)
        await browser.go()
    await table.playing


@at_a_table(seats=2, dice=2)
async def test_the_evening_ends_when_everybody_has_gone_after_the_match(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: won(table) == 1)
    assert not table.playing.done()
    await table.playing


@at_a_table(seats=2, dice=2)
async def test_a_match_waits_for_its_person(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: b.state["scene"] == "bidding")
    await asyncio.sleep(2000)
    assert won(table) == 0
    async with table.browser() as browser:
        assert browser.you == 0
        await plays_on(browser, lambda b: won(table) == 1)


@at_a_table(seats=2, dice=2)
async def test_a_robot_takes_a_chair_that_nobody_comes_to_and_the_match_ends_by_itself(table: TableWithPages) -> None:
    await asyncio.sleep(19)
    assert not any(isinstance(event, MatchBegan) for event in table.events)
    await table.playing
    assert won(table) == 1
    assert table.log == ["Nobody came to Lima’s chair, so a robot plays there until somebody opens the page."]


@at_a_table(seats=2, dice=3)
async def test_who_opens_the_page_late_takes_over_from_the_robot(table: TableWithPages) -> None:
    await asyncio.sleep(60)
    async with table.browser() as browser:
        assert browser.chairs == ["you", "robot"]
        assert browser.state["scene"] != "lobby"
        await plays_on(browser, lambda b: won(table) == 1)


@at_a_table(seats=2, humans=0, dice=2)
async def test_robots_alone_play_before_a_page_that_only_looks_on(table: TableWithPages) -> None:
    async with table.browser() as browser:
        assert browser.you is None
        assert browser.chairs == ["robot", "robot"]
        await table.playing
        assert await browser.closed() == (1001, "The session is over.")


@at_a_table(seats=3, dice=2)
async def test_a_robot_goes_on_for_who_stands_up_in_mid_round(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: b.state["scene"] == "bidding")
        await browser.do("tilt", seat=0)
        await browser.do("stand")
        await browser.until(lambda b: b.you is None)
        assert table.seat(0).cup == "down"
        await table.playing
    assert won(table) == 1


@at_a_table(seats=4)
async def test_who_sits_down_in_mid_match_finds_the_cup_down_and_no_finger_on_a_button(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: b.state["scene"] == "bidding")
        await browser.until(lambda b: b.hands[2]["cup"] == "up")
        await browser.do("sit", seat=2)
        await browser.until(lambda b: b.you == 2)
        assert (table.seat(2).cup, table.seat(2).pressed) == ("down", ())
        assert browser.chairs == ["robot", "robot", "you", "robot"]
        await asyncio.sleep(5)
        assert (table.seat(2).cup, table.seat(2).pressed) == ("down", ())


@at_a_table(seats=3, dice=2)
async def test_a_person_who_is_out_still_gets_to_see_every_reveal(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: b.state["scene"] == "reveal" and not b.state["seats"][0]["dice"])
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        await browser.until(lambda b: b.state["scene"] != "reveal")
        assert loop.time() - began_s > 5


@at_a_table(seats=2, humans=2, dice=2)
async def test_two_people_at_two_browsers_play_each_other(table: TableWithPages) -> None:
    async with table.browser() as lima, table.browser() as cusco:
        assert (lima.you, cusco.you) == (0, 1)

        def over(browser: Browser) -> bool:
            return browser.state["scene"] == "over"

        await asyncio.gather(plays_on(lima, over, 0), plays_on(cusco, over, 1))
        assert won(table) == 1


def a_robot_is_to_answer_a_bid(browser: Browser) -> bool:
    state = browser.state
    return bool(state["scene"] == "bidding" and state["standing"] and state["turn"] != 0)


@at_a_table(seats=4, rules="kill-spot", seed=3)
async def test_robots_leave_a_call_out_of_turn_to_people_for_a_while(table: TableWithPages) -> None:
    loop = asyncio.get_running_loop()
    async with table.browser() as browser:
        for _ in range(6):
            await plays_on(browser, a_robot_is_to_answer_a_bid)
            claim, turn, began_s = browser.state["standing"], browser.state["turn"], loop.time()
            await browser.until(lambda b, claim=claim: b.state["standing"] != claim)  # type: ignore[misc]
            said = [event for event in table.events if isinstance(event, ActionTaken)][-1]
            assert said.seat == turn or loop.time() - began_s > 5
            await plays_on(browser, lambda b: b.state["scene"] != "bidding" or b.state["turn"] != 0)


@at_a_table(seats=2)
async def test_the_arrows_of_the_first_seat_held_for_three_seconds_open_the_menu_of_staff(
    table: TableWithPages,
) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: b.state["scene"] == "bidding")
        for button in ("left", "right"):
            await browser.do("press", seat=0, button=button)
        await asyncio.sleep(4)
        for button in ("left", "right"):
            await browser.do("release", seat=0, button=button)
        for _ in range(2):  # Now, Pause
            await browser.tap("ok")
            await asyncio.sleep(1)
        await browser.until(lambda b: b.state["paused"])
