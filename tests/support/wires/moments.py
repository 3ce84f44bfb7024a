"""Moments of a match at emulated ports at which tests pull cables, and whether a seat shows the right picture."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from support.wires.table_at_wires import AtWires, at_wires

from docs.gallery.matches import at, dealt, said
from docs.gallery.stage import scene_of
from engine import KILL_SPOT, PERUDO, PYRUDO
from firmware_host.screens import draw, draw_peek
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
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
    async def scenario() -> None:
        async with at_wires(layout, moment.scene, folder) as table:
            await moment.before(table)
            await test(table, DEVICES[layout])

    loop.run_until_complete(scenario())


def is_right(table: AtWires, seat: int) -> bool:
    """Return whether a seat's display shows what the table wants there, with nothing missing at that seat."""
    view, menu, look = table.seen[seat][-1]
    wanted = draw(view, menu) if look is None else draw_peek(view, menu, look)
    is_whole = all(missing.name != view.name for missing in view.missing)
    return is_whole and table.seats[seat].shows(wanted)


async def seconds_until_right(table: AtWires, seat: int) -> float:
    """Return the seconds until the seat's display is right, up to five."""
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    while not is_right(table, seat) and loop.time() < began_s + 5:
        await asyncio.sleep(0.01)
    return loop.time() - began_s
