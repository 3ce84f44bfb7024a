"""Boards and cups are pulled at any moment and put back: the others play on, and the seat takes up where it was.

At emulated wires, from the plug to the memory of the panel's controller.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from at_wires import AtWires, at_wires

from docs.gallery.footing import at, dealt, said
from docs.gallery.stage import scene_of
from engine import KILL_SPOT, PERUDO, PYRUDO
from firmware_host.screens import draw, draw_peek
from firmware_host.table.events import DeviceFound, DeviceLost
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat_view import SceneName
from hardware.emulated.virtual_loop import VirtualLoop

BACK_S = 1.0
"""From the plug to the right picture."""
DICE = (3, 3, 3, 3)


async def as_it_is(table: AtWires) -> None:
    """Nobody does anything."""


async def in_mid_shake(table: AtWires) -> None:
    table.seats[0].shake(0.8)
    await asyncio.sleep(0.4)


async def having_shaken(table: AtWires) -> None:
    table.seats[0].shake()
    await asyncio.sleep(1.5)


async def holding_ok(table: AtWires) -> None:
    table.seats[0].press("ok")
    await asyncio.sleep(0.7)


async def with_the_cup_up(table: AtWires) -> None:
    table.seats[0].tilt()
    await asyncio.sleep(0.7)


async def doubted(table: AtWires) -> None:
    for button in ("dudo",) if "dudo" in table.seats[1].buttons else ("left", "ok"):
        table.seats[1].tap(button)
        await asyncio.sleep(0.3)


async def revealed(table: AtWires) -> None:
    await doubted(table)
    await asyncio.sleep(2)


class Moment(NamedTuple):
    """What stands on the table, and what is done before the cable of seat 0 is pulled."""

    scene: Scene
    before: Callable[[AtWires], Awaitable[None]] = as_it_is


SHAKE = scene_of(at(PERUDO, DICE, last=0))
ROUND = scene_of(dealt(at(PERUDO, DICE, last=0)))
BID = scene_of(said(dealt(at(PERUDO, DICE, last=0)), "4x3"))
MOMENTS = {
    "in the lobby": Moment(Lobby(joined=(0, 1))),
    "before the shake": Moment(SHAKE),
    "in mid-shake": Moment(SHAKE, in_mid_shake),
    "having shaken": Moment(SHAKE, having_shaken),
    "choosing": Moment(scene_of(at(KILL_SPOT, (1, 3, 3, 3), last=0))),
    "while another chooses": Moment(scene_of(at(KILL_SPOT, (3, 1, 3, 3), last=1))),
    "in turn": Moment(ROUND),
    "out of turn": Moment(BID),
    "holding OK": Moment(ROUND, holding_ok),
    "with the cup up": Moment(ROUND, with_the_cup_up),
    "with the cup up, out of turn": Moment(BID, with_the_cup_up),
    "after the call": Moment(BID, doubted),
    "at the reveal": Moment(BID, revealed),
    "when it is over": Moment(scene_of(at(PYRUDO, (3, 0, 0, 0), last=1))),
}
DEVICES = {"boards-8": "board", "wired-8": "cup"}
at_every_moment = pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS)
at_both_tables = pytest.mark.parametrize("layout", DEVICES)


def run(
    loop: VirtualLoop, layout: str, moment: Moment, folder: Path, test: Callable[[AtWires, str], Awaitable[None]]
) -> None:
    async def evening() -> None:
        async with at_wires(layout, moment.scene, folder) as table:
            await moment.before(table)
            await test(table, DEVICES[layout])

    loop.run_until_complete(evening())


def is_right(table: AtWires, seat: int) -> bool:
    """Whether a seat's glass shows what the table wants there, with nothing missing at that seat."""
    view, menu, look = table.seen[seat][-1]
    wanted = draw(view, menu) if look is None else draw_peek(view, menu, look)
    is_whole = all(missing.name != view.name for missing in view.missing)
    return is_whole and table.seats[seat].shows(wanted)


async def seconds_until_right(table: AtWires, seat: int) -> float:
    """How long it takes from now, up to five seconds."""
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    while not is_right(table, seat) and loop.time() < began_s + 5:
        await asyncio.sleep(0.01)
    return loop.time() - began_s


@at_every_moment
@at_both_tables
@pytest.mark.parametrize("gone_s", [0.05, 1.23, 7.0])
def test_the_seat_shows_the_right_picture_within_a_second_of_the_plug(
    layout: str, moment: Moment, gone_s: float, loop: VirtualLoop, tmp_path: Path
) -> None:
    async def test(table: AtWires, device: str) -> None:
        table.seats[0].unplug(device)
        await asyncio.sleep(gone_s)
        table.seats[0].plug(device)
        assert await seconds_until_right(table, 0) <= BACK_S
        await asyncio.sleep(1.5)
        assert is_right(table, 0), "and it stays"
        told = [type(event) for event in table.told if isinstance(event, DeviceLost | DeviceFound)]
        assert told == [DeviceLost, DeviceFound]

    run(loop, layout, moment, tmp_path, test)


@at_every_moment
@at_both_tables
def test_every_other_seat_marks_it_while_it_is_gone(
    layout: str, moment: Moment, loop: VirtualLoop, tmp_path: Path
) -> None:
    async def test(table: AtWires, device: str) -> None:
        table.seats[0].unplug(device)
        await asyncio.sleep(0.5)
        for seat in (1, 2, 3):
            view = table.seen[seat][-1][0]
            assert [(lost.name, lost.device.value) for lost in view.missing] == [(table.seats[0].name, device)]
            assert is_right(table, seat)

    run(loop, layout, moment, tmp_path, test)


@pytest.mark.parametrize("how", ["cup", "ok"])
@at_both_tables
def test_its_dice_are_still_its_dice(layout: str, how: str, loop: VirtualLoop, tmp_path: Path) -> None:
    async def test(table: AtWires, device: str) -> None:
        hand = table.seats[0]

        async def looked() -> object:
            hand.tilt() if how == "cup" else hand.press("ok")
            await asyncio.sleep(1)
            assert table.dice_on(0)
            hand.level() if how == "cup" else hand.release("ok")
            await asyncio.sleep(0.5)
            assert not table.dice_on(0)
            return [look.own for *_, look in table.seen[0] if look is not None][-1]

        before = await looked()
        hand.unplug(device)
        await asyncio.sleep(2)
        hand.plug(device)
        await asyncio.sleep(1)
        assert await looked() == before

    run(loop, layout, MOMENTS["in turn"], tmp_path, test)


@at_both_tables
def test_the_others_play_on_and_the_seat_comes_back_to_what_they_said(
    layout: str, loop: VirtualLoop, tmp_path: Path
) -> None:
    async def test(table: AtWires, device: str) -> None:
        table.seats[0].unplug(device)
        await asyncio.sleep(1)
        for seat in (1, 2):
            table.seats[seat].tap("ok")
            await asyncio.sleep(0.5)
        game = table.table.scene.game
        assert game is not None
        assert game.position.turn == 3
        table.seats[0].plug(device)
        assert await seconds_until_right(table, 0) <= BACK_S
        view = table.seen[0][-1][0]
        assert view.position is not None
        assert view.position.standing == game.position.standing

    run(loop, layout, MOMENTS["out of turn"], tmp_path, test)


def test_with_a_lost_cup_one_looks_by_ok_and_rolls_from_the_menu(loop: VirtualLoop, tmp_path: Path) -> None:
    async def test(table: AtWires, device: str) -> None:
        table.seats[0].unplug(device)
        await asyncio.sleep(1)
        table.seats[0].tap("ok")
        await asyncio.sleep(1)
        for seat in table.seats[1:]:
            seat.shake()
        await asyncio.sleep(3)
        assert table.table.scene.name is SceneName.BIDDING
        table.seats[0].press("ok")
        await asyncio.sleep(1)
        assert table.dice_on(0)

    run(loop, "wired-8", MOMENTS["before the shake"], tmp_path, test)


def test_for_the_board_of_who_is_in_turn_the_table_waits_as_long_as_it_takes(loop: VirtualLoop, tmp_path: Path) -> None:
    async def test(table: AtWires, device: str) -> None:
        table.seats[0].unplug(device)
        await asyncio.sleep(600)
        assert table.table.scene == MOMENTS["in turn"].scene
        table.seats[0].plug(device)
        await asyncio.sleep(1)
        table.seats[0].tap("ok")
        await asyncio.sleep(0.5)
        game = table.table.scene.game
        assert game is not None
        assert game.position.turn == 1

    run(loop, "boards-8", MOMENTS["in turn"], tmp_path, test)
