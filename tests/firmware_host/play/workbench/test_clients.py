"""What a page is sent, and what it may reach: panels, hands, chairs, cables."""

import asyncio
import json

import msgspec
import pytest
from support.pages.page_clients import Browser, TableWithPages, at_a_table, plays_on

from engine import PERUDO
from firmware_host.play.workbench.protocol import DICE
from firmware_host.wire import DeviceLost, Seat

LAYOUTS = ("emulated", "wired-4", "wired-8")


async def refused(browser: Browser, do: str, **what: object) -> str:
    before = len(browser.sentences)
    await browser.do(do, **what)
    await browser.until(lambda b: len(b.sentences) > before)
    return browser.sentences[-1]


@at_a_table(seats=2)
async def test_a_page_is_told_of_the_furniture_first(table: TableWithPages) -> None:
    async with table.browser() as browser:
        board = {"buttons": ["left", "right", "ok", "dudo"], "devices": ["board"], "has_key": False, "has_robot": True}
        assert browser.messages[0] == {
            "type": "table",
            "name": "emulated",
            "seats": [{"name": "Lima", "color": "red", **board}, {"name": "Cusco", "color": "orange", **board}],
            "rules": json.loads(msgspec.json.encode(PERUDO)),
            "names": {"fixed-face-no-wilds": "fixed-face"},
        }
        assert browser.messages[0]["rules"]["calza"]["by"] == "anyone"


@at_a_table(seats=2)
async def test_the_first_public_line_is_the_whole_state(table: TableWithPages) -> None:
    await asyncio.sleep(5)
    async with table.browser() as browser:
        lines = [word["line"] for word in browser.messages if word["type"] == "state"]
        assert [seat["playing"] for seat in lines[0]["seats"]] == [False, True]
        await browser.tap("ok")
        await browser.until(lambda b: b.state["seats"][0]["playing"])
        await browser.until(lambda b: b.happened == ["Lima sits down."])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_own_panel_is_on_the_page_as_its_controller_holds_it(layout: str) -> None:
    @at_a_table(layout=layout, seats=2)
    async def look(table: TableWithPages) -> None:
        async with table.browser() as browser:
            await browser.tap("ok")
            await asyncio.sleep(1)
            assert browser.displays[0] == table.seat(0).picture().tobytes()
            assert any(browser.displays[0])

    look()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_press_is_on_the_page_within_100_ms(layout: str) -> None:
    @at_a_table(layout=layout, seats=2, rules="kill-spot")
    async def press(table: TableWithPages) -> None:
        loop = asyncio.get_running_loop()
        async with table.browser() as browser:
            await plays_on(browser, lambda b: b.state["turn"] == 0)
            await asyncio.sleep(1.0)
            for button in ("right", "right", "left", "right"):
                before, began_s = len(browser.frames), loop.time()
                await browser.do("press", seat=0, button=button)
                await browser.until(lambda b, before=before: len(b.frames) > before)  # type: ignore[misc]
                assert loop.time() - began_s < 0.1
                await asyncio.sleep(0.1)
                await browser.do("release", seat=0, button=button)
                await asyncio.sleep(0.1)

    press()


@at_a_table(seats=2)
async def test_nothing_is_sent_while_nothing_changes(table: TableWithPages) -> None:
    await asyncio.sleep(10)
    async with table.browser() as browser:
        await asyncio.sleep(1)
        before = len(browser.frames), len(browser.messages)
        await asyncio.sleep(60)
        assert (len(browser.frames), len(browser.messages)) == before


@pytest.mark.slow
@at_a_table(seats=3)
async def test_no_picture_of_a_covered_panel_is_ever_sent(table: TableWithPages) -> None:
    async with table.browser() as browser:
        assert browser.latest["covered"]["seats"] == [1, 2]
        await plays_on(browser, lambda b: b.state["scene"] == "over")
        assert set(browser.displays) == {0}


@at_a_table(seats=3)
async def test_an_uncovered_panel_is_sent_until_it_is_covered_again(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await browser.do("uncover", seat=1)
        await browser.until(lambda b: 1 in b.displays)
        assert browser.latest["covered"]["seats"] == [2]
        await browser.do("cover", seat=1)
        await browser.until(lambda b: b.latest["covered"]["seats"] == [1, 2])
        before = len(browser.frames)
        await plays_on(browser, lambda b: b.state["scene"] == "bidding")
        assert {frame[0] for frame in browser.frames[before:]} == {0}


@at_a_table(seats=3, humans=2)
async def test_nobody_looks_at_another_persons_panel(table: TableWithPages) -> None:
    async with table.browser() as lima, table.browser() as cusco:
        assert await refused(lima, "uncover", seat=1) == "Cusco’s display is for the person in that chair alone."
        await cusco.go()
        await asyncio.sleep(1)
        assert set(lima.displays) == {0}


@at_a_table(seats=3, humans=2)
async def test_nobody_looks_while_a_person_is_away_for_a_moment(table: TableWithPages) -> None:
    async with table.browser() as lima:
        async with table.browser():
            pass
        await lima.until(lambda b: b.chairs[1] == "free")
        assert await refused(lima, "uncover", seat=1) == "Cusco’s display is for the person in that chair alone."
        assert await refused(lima, "tilt", seat=1) == "Cusco’s chair is somebody else’s; sit down there first."


@at_a_table(seats=3, humans=2)
async def test_who_looked_at_a_robot_sees_nothing_of_the_person_after_it(table: TableWithPages) -> None:
    async with table.browser() as lima:
        await asyncio.sleep(30)
        await lima.do("uncover", seat=1)
        await lima.until(lambda b: 1 in b.displays)
        async with table.browser() as cusco:
            assert cusco.you == 1
        await lima.until(lambda b: b.chairs[1] == "free")
        assert 1 in lima.latest["covered"]["seats"]


@at_a_table(seats=3)
async def test_who_has_lost_a_chair_puts_no_cup_down_there_by_going(table: TableWithPages) -> None:
    async with table.browser() as second:
        async with table.browser() as first:
            await first.do("sit", seat=0)
            for hold in ({"do": "tilt"}, {"do": "press", "button": "left"}):
                await first.do(seat=0, **hold)
            await first.until(lambda b: b.hands[0]["pressed"] and b.hands[0]["cup"] == "up")
            await second.do("sit", seat=0)
            await second.until(lambda b: b.you == 0)
            for hold in ({"do": "tilt"}, {"do": "press", "button": "left"}):
                await second.do(seat=0, **hold)
            await second.until(lambda b: b.hands[0]["pressed"] and b.hands[0]["cup"] == "up")
        await asyncio.sleep(1)
        assert (table.seat(0).pressed, table.seat(0).cup) == (("left",), "up")


@at_a_table(seats=3)
async def test_a_panel_is_covered_for_the_others_when_somebody_sits_down_at_it(table: TableWithPages) -> None:
    async with table.browser() as lima, table.browser() as other:
        await lima.do("uncover", seat=1)
        await lima.until(lambda b: 1 in b.displays)
        await other.do("sit", seat=1)
        await lima.until(lambda b: b.latest["covered"]["seats"] == [1, 2])
        assert lima.chairs == ["you", "person", "robot"]


@at_a_table(seats=3)
async def test_hands_are_told_to_every_page(table: TableWithPages) -> None:
    async with table.browser() as lima, table.browser() as other:
        await lima.do("press", seat=0, button="left")
        await other.until(lambda b: b.hands[0]["pressed"] == ["left"])
        await lima.do("release", seat=0, button="left")
        await other.until(lambda b: b.hands[0]["pressed"] == [])
        await lima.do("tilt", seat=0)
        await other.until(lambda b: b.hands[0]["cup"] == "up")
        await lima.do("shake", seat=0)
        await other.until(lambda b: b.hands[0]["cup"] == "shaking")
        await other.until(lambda b: b.hands[0]["cup"] == "down")


@at_a_table(seats=3)
async def test_motions_at_a_covered_seat_are_refused_and_at_an_uncovered_robots_done(table: TableWithPages) -> None:
    async with table.browser() as browser:
        said = await refused(browser, "press", seat=1, button="ok")
        assert said == "Cusco’s seat is covered; sit down there or uncover it first."
        await browser.do("uncover", seat=1)
        await browser.do("press", seat=1, button="left")
        await browser.until(lambda b: "left" in b.hands[1]["pressed"])


@at_a_table(seats=3, humans=2)
async def test_motions_at_another_persons_seat_are_refused(table: TableWithPages) -> None:
    async with table.browser() as lima, table.browser() as cusco:
        said = "Cusco’s chair is somebody else’s; sit down there first."
        assert await refused(lima, "press", seat=1, button="dudo") == said
        assert await refused(lima, "unplug", seat=1, device="board") == said
        assert cusco.hands[1]["pressed"] == []


@at_a_table(seats=3)
async def test_a_second_browser_may_take_the_seat_and_the_first_is_told(table: TableWithPages) -> None:
    async with table.browser() as first, table.browser() as second:
        assert (first.you, second.you) == (0, None)
        await first.do("press", seat=0, button="ok")
        await first.until(lambda b: b.hands[0]["pressed"])
        await second.do("sit", seat=0)
        await first.until(lambda b: b.sentences)
        assert first.sentences == ["Lima’s chair was taken on another page."]
        await second.until(lambda b: b.you == 0)
        assert first.chairs == ["person", "robot", "robot"]
        assert first.latest["covered"]["seats"] == [0, 1, 2]
        assert table.seat(0).pressed == ()


@pytest.mark.slow
@at_a_table(seats=3)
async def test_a_reload_in_mid_round_lets_go_of_what_was_held_and_keeps_the_chair(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: b.state["scene"] == "bidding")
        await browser.do("tilt", seat=0)
        await browser.do("press", seat=0, button="left")
        await browser.until(lambda b: b.hands[0]["pressed"] and b.hands[0]["cup"] == "up")
    await asyncio.sleep(0.5)
    assert (table.seat(0).pressed, table.seat(0).cup) == ((), "down")
    async with table.browser() as browser:
        assert (browser.you, browser.chairs) == (0, ["you", "robot", "robot"])
        assert browser.state["scene"] == "bidding"
        await plays_on(browser, lambda b: b.state["scene"] == "over")


@at_a_table(seats=3)
async def test_a_page_that_goes_lets_go_of_a_robots_buttons_too(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await browser.do("uncover", seat=2)
        await browser.do("press", seat=2, button="dudo")
        await browser.until(lambda b: "dudo" in b.hands[2]["pressed"])
    await asyncio.sleep(0.5)
    assert "dudo" not in table.seat(2).pressed


@at_a_table(seats=2)
async def test_a_browser_that_does_not_answer_is_given_up_and_its_chair_kept(table: TableWithPages) -> None:
    async with table.session.ws_connect(f"{table.address}live", autoping=False) as deaf:
        await deaf.send_str('{"do": "press", "seat": 0, "button": "ok", "beat": 1}')
        await asyncio.sleep(4)
        assert table.seat(0).pressed == ("ok",)
        await asyncio.sleep(3)
        assert table.seat(0).pressed == ()
        assert table.chairs is not None
        assert table.chairs[Seat(0)].occupant == "free"


@at_a_table(seats=2)
async def test_a_browser_that_answers_pings_stays(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await asyncio.sleep(300)
        assert browser.you == 0
        assert not browser.socket.closed


@pytest.mark.parametrize(("layout", "device"), [("emulated", "board"), ("wired-8", "cup"), ("wired-4", "panel")])
def test_a_cable_that_was_pulled_stays_pulled_when_its_page_goes(layout: str, device: str) -> None:
    @at_a_table(layout=layout, seats=2)
    async def pull(table: TableWithPages) -> None:
        async with table.browser() as browser:
            await browser.do("unplug", seat=0, device=device)
            await browser.until(lambda b: b.hands[0]["unplugged"] == [device])
            await browser.until(lambda b: b.state["seats"][0]["missing"])
        async with table.browser() as browser:
            assert browser.hands[0]["unplugged"] == [device]
            assert any(isinstance(event, DeviceLost) for event in table.events)
            await browser.do("plug", seat=0, device=device)
            await browser.until(lambda b: not b.hands[0]["unplugged"] and not b.state["seats"][0]["missing"])

    pull()


@at_a_table(seats=2)
async def test_the_panel_of_a_pulled_board_is_dark_on_the_page(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await browser.until(lambda b: 0 in b.displays and any(b.displays[0]))
        await browser.do("unplug", seat=0, device="board")
        await browser.until(lambda b: not any(b.displays[0]))


@at_a_table(seats=2)
async def test_a_page_that_does_not_read_holds_nothing_up(table: TableWithPages) -> None:
    async with table.session.ws_connect(f"{table.address}live") as stuck, table.browser() as browser:
        stuck._conn.transport.pause_reading()  # type: ignore[union-attr]
        await browser.do("sit", seat=0)
        await plays_on(browser, lambda b: b.state["scene"] == "over")
        assert browser.sentences == []


@at_a_table(seats=2)
async def test_while_no_page_is_open_no_picture_is_packed(
    table: TableWithPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    from firmware_host.play.workbench.frames import FrameSource

    monkeypatch.setattr(FrameSource, "frame", lambda *_: pytest.fail("a picture was packed for nobody"))
    await table.playing


@at_a_table(seats=2)
async def test_a_cup_whose_shake_is_pressed_again_and_again_comes_to_rest(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await plays_on(browser, lambda b: b.state["scene"] == "shaking" and 0 in b.state["waiting_for"])
        for _ in range(37):
            await browser.do("shake", seat=0)
            await asyncio.sleep(20 / 37)
            if 0 not in browser.state["waiting_for"]:
                break
        assert 0 not in browser.state["waiting_for"]


@at_a_table(seats=2)
async def test_a_press_that_the_network_held_up_is_refused_and_letting_go_never_is(table: TableWithPages) -> None:
    async with table.browser() as browser:
        heard = browser.beat
        await browser.do("press", seat=0, button="right")
        await browser.until(lambda b: b.hands[0]["pressed"] == ["right"])
        await asyncio.sleep(3)
        for do in ("press", "shake", "tilt"):
            await browser.do(do, seat=0, beat=heard, **({"button": "ok"} if do == "press" else {}))
        await browser.until(lambda b: len(b.sentences) == 3)
        assert {*browser.sentences} == {"That came too late, so it was not done."}
        assert (table.seat(0).pressed, table.seat(0).cup) == (("right",), "down")
        await browser.do("release", seat=0, beat=heard, button="right")
        await browser.until(lambda b: b.hands[0]["pressed"] == [])
        await browser.tap("ok")
        await browser.until(lambda b: b.state["seats"][0]["playing"])


@pytest.mark.parametrize("beat", [0, 2, 1000, -1])
def test_a_press_that_names_no_heartbeat_that_its_page_was_sent_is_refused(beat: int) -> None:
    @at_a_table(seats=2)
    async def press(table: TableWithPages) -> None:
        async with table.browser() as browser:
            assert browser.beat == 1
            await browser.do("press", seat=0, beat=beat, button="ok")
            await browser.until(lambda b: b.sentences)
            assert table.seat(0).pressed == ()

    press()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_picture_says_whether_dice_under_the_cup_may_be_on_it(layout: str) -> None:
    @at_a_table(layout=layout, seats=2, rules="kill-spot")
    async def look(table: TableWithPages) -> None:
        async with table.browser() as browser:
            await plays_on(browser, lambda b: b.state["scene"] == "bidding")
            await asyncio.sleep(1)
            covered = browser.frames[-1]
            assert not covered[1] & DICE
            for _ in range(3):
                await browser.do("tilt", seat=0)
                await asyncio.sleep(2)
                assert browser.latest["spoken"]["hands"]
                dice = browser.frames[-1]
                assert dice[1] & DICE
                before = len(browser.frames)
                await browser.do("level", seat=0)
                await asyncio.sleep(2)
                assert not browser.frames[-1][1] & DICE
                unmarked = [frame[2:] for frame in browser.frames[before:] if not frame[1] & DICE]
                assert {*unmarked} == {unmarked[-1]} != {dice[2:]}
            await plays_on(browser, lambda b: b.state["scene"] in ("reveal", "over"))
            assert not browser.frames[-1][1] & DICE

    look()
