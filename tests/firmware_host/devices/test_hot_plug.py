"""Boards and cups are pulled at any moment and put back: the others play on, and the seat takes up where it was.

At emulated wires, from the plug to the memory of the panel's controller.
"""

import asyncio
from pathlib import Path

import pytest
from support import rest_slow
from support.wires.moments import (
    BACK_S,
    MOMENTS,
    Moment,
    at_both_tables,
    at_every_moment,
    is_right,
    run,
    seconds_until_right,
)
from support.wires.table_at_wires import AtWires

from firmware_host.table.seat.view import SceneName
from firmware_host.wire import DeviceFound, DeviceLost
from hardware.emulated.virtual_loop import VirtualLoop


@at_every_moment
@at_both_tables
@pytest.mark.parametrize("gone_s", rest_slow(1.23, 0.05, 7.0))
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
        kinds = [type(event) for event in table.events if isinstance(event, DeviceLost | DeviceFound)]
        assert kinds == [DeviceLost, DeviceFound]

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
