"""Dice are on the display only while the cup is tilted or OK is held, and gone 100 ms after, whatever else goes on.

At emulated wires, from the hand to the memory of the panel's controller.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from support.table.harness import lay_out
from support.wires.table_at_wires import AtWires, at_wires

from drivers.messages import Button, Device, Found, Pressed, Released
from engine import KILL_SPOT, PYRUDO, Bid, RoundKind
from firmware_host.table.scenes.scene import MatchScene
from firmware_host.table.seat.view import SceneName
from hardware.emulated.virtual_loop import VirtualLoop

LAYOUTS = ["wired-4", "wired-8", "boards-8"]
HANDS = [(1, 2, 3), (4, 5, 6), (2, 2, 6), (5, 5, 1)]
GONE_S = 0.1
HUNG_S = 20.0
at_every_table = pytest.mark.parametrize("layout", LAYOUTS)
however = pytest.mark.parametrize("how", ["cup", "ok"])
Test = Callable[[AtWires], Awaitable[None]]


def a_round(bid: Bid | None = None, kind: RoundKind = RoundKind.NORMAL) -> MatchScene:
    rules = PYRUDO if kind is RoundKind.NORMAL else KILL_SPOT
    scene = lay_out(rules, HANDS, bid, kind=kind, owner=0).table.scene
    assert isinstance(scene, MatchScene)
    return scene


def run(loop: VirtualLoop, layout: str, folder: Path, test: Test, scene: MatchScene | None = None) -> None:
    async def scenario() -> None:
        async with at_wires(layout, scene or a_round(), folder) as table:
            await test(table)

    loop.run_until_complete(scenario())


async def peeks(table: AtWires, seat: int, how: str) -> None:
    hand = table.seats[seat]
    hand.tilt() if how == "cup" else hand.press("ok")
    await asyncio.sleep(1.0)
    assert table.dice_on(seat)


def lets_go(table: AtWires, seat: int, how: str) -> None:
    hand = table.seats[seat]
    hand.level() if how == "cup" else hand.release("ok")


async def hides(table: AtWires, seat: int) -> None:
    """The dice are gone in time, and do not come back."""
    await asyncio.sleep(GONE_S)
    assert not table.dice_on(seat)
    for _ in range(20):
        await asyncio.sleep(0.1)
        assert not table.dice_on(seat)


@at_every_table
@however
def test_dice_are_gone_within_100_ms(loop: VirtualLoop, tmp_path: Path, layout: str, how: str) -> None:
    async def test(table: AtWires) -> None:
        await peeks(table, 2, how)
        lets_go(table, 2, how)
        await hides(table, 2)

    run(loop, layout, tmp_path, test)


@at_every_table
@however
def test_a_disk_that_hangs_for_seconds_keeps_no_dice_on_a_display(
    loop: VirtualLoop, tmp_path: Path, layout: str, how: str
) -> None:
    async def test(table: AtWires) -> None:
        await peeks(table, 2, how)
        table.journal.takes_s = HUNG_S
        table.seats[0].tap("ok")
        await asyncio.sleep(0.5)
        lets_go(table, 2, how)
        await hides(table, 2)

    run(loop, layout, tmp_path, test)


@at_every_table
@however
def test_a_queue_full_of_other_messages_is_overtaken(loop: VirtualLoop, tmp_path: Path, layout: str, how: str) -> None:
    async def test(table: AtWires) -> None:
        await peeks(table, 2, how)
        table.journal.takes_s = HUNG_S
        table.seats[0].tap("ok")
        await asyncio.sleep(0.5)
        for number in range(2000):
            kind = Released if number % 2 else Pressed
            table.daemon.post(kind(1, Button.RIGHT, round(loop.time() * 1e9)))
            table.daemon.post(Found(3, Device.PANEL))
        lets_go(table, 2, how)
        await hides(table, 2)

    run(loop, layout, tmp_path, test)


@at_every_table
@however
def test_all_seats_that_let_go_at_once_are_hidden_in_time(
    loop: VirtualLoop, tmp_path: Path, layout: str, how: str
) -> None:
    async def test(table: AtWires) -> None:
        for seat in range(4):
            table.seats[seat].tilt() if how == "cup" else table.seats[seat].press("ok")
        await asyncio.sleep(1.5)
        assert all(table.dice_on(seat) for seat in range(4))
        for seat in range(4):
            lets_go(table, seat, how)
        await asyncio.sleep(GONE_S)
        assert not any(table.dice_on(seat) for seat in range(4))

    run(loop, layout, tmp_path, test)


@at_every_table
@however
def test_a_call_takes_the_dice_off_and_the_reveal_brings_no_peek_back(
    loop: VirtualLoop, tmp_path: Path, layout: str, how: str
) -> None:
    async def test(table: AtWires) -> None:
        await peeks(table, 2, how)
        table.journal.takes_s = 0.5
        table.daemon.post(Pressed(1, Button.DUDO, round(loop.time() * 1e9)))
        await asyncio.sleep(GONE_S)
        assert not table.dice_on(2)
        await asyncio.sleep(1.0)
        assert table.table.scene.name is SceneName.CALLED
        assert not table.dice_on(2)
        await asyncio.sleep(2.0)
        assert table.table.scene.name is SceneName.REVEAL
        looks = [look for view, _, look in table.seen[2] if view.scene is not SceneName.BIDDING]
        assert set(looks) == {None}

    run(loop, layout, tmp_path, test, a_round(Bid(2, 3)))


@pytest.mark.parametrize(
    ("layout", "how", "device"),
    [
        ("wired-4", "ok", "buttons"),
        ("wired-8", "ok", "buttons"),
        ("wired-8", "cup", "cup"),
    ],
)
@pytest.mark.parametrize("disk_takes_s", [0.0, HUNG_S])
def test_what_is_unplugged_in_the_hand_holds_no_dice_on_the_display(
    loop: VirtualLoop, tmp_path: Path, layout: str, how: str, device: str, disk_takes_s: float
) -> None:
    async def test(table: AtWires) -> None:
        await peeks(table, 2, how)
        table.journal.takes_s = disk_takes_s
        table.seats[0].tap("ok")
        await asyncio.sleep(0.5)
        table.seats[2].unplug(device)
        await asyncio.sleep(2)  # a link is asked every so often whether it is there
        assert not table.dice_on(2)
        lets_go(table, 2, how)
        table.seats[2].plug(device)
        await asyncio.sleep(3)
        assert not table.dice_on(2)

    run(loop, layout, tmp_path, test)


@at_every_table
def test_an_open_round_is_hidden_as_fast_on_every_leaf(loop: VirtualLoop, tmp_path: Path, layout: str) -> None:
    async def test(table: AtWires) -> None:
        for leaf in range(4):
            table.seats[2].tilt()
            await asyncio.sleep(1.0)
            for _ in range(leaf):
                table.seats[2].tap("right", 0.03)
                await asyncio.sleep(0.2)
            assert table.seen[2][-1][0].page == min(leaf, 3)
            assert table.dice_on(2)
            table.seats[2].level()
            await asyncio.sleep(GONE_S)
            assert not table.dice_on(2)
            await asyncio.sleep(0.5)

    run(loop, layout, tmp_path, test, a_round(kind=RoundKind.OPEN))
