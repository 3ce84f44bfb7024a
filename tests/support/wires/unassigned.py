"""Cups and boards without a seat at emulated wires, and the hands that assign them."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from support.wires.table_at_wires import AtWires, at_wires

from firmware_host.devices.pairing import replacements, scanner
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig

NEW = "E6614103E7452D21"
ALL = ("left", "right", "ok", "dudo")
MET_S = scanner.GRACE_S + scanner.SCAN_INTERVAL_S + 1.0
LOBBY = Lobby(joined=(0, 1))
Test = Callable[[AtWires], Awaitable[None]]


def run(loop: VirtualLoop, layout: str, folder: Path, test: Test, scene: Scene = LOBBY) -> None:
    async def scenario() -> None:
        async with at_wires(layout, scene, folder) as table:
            await test(table)

    loop.run_until_complete(scenario())


def new_board(table: AtWires, identity: str = NEW) -> EmulatedCup:
    board = table.wires.bring(DeviceConfig(identity, buttons=ALL, panel="ssd1309"))
    assert isinstance(board, EmulatedCup)
    return board


def new_cup(table: AtWires, identity: str = NEW) -> EmulatedCup:
    cup = table.wires.bring(DeviceConfig(identity))
    assert isinstance(cup, EmulatedCup)
    return cup


async def met_board(table: AtWires, seat: int) -> EmulatedCup:
    """Unplug a seat's board; return a new one once the table knows it."""
    table.seats[seat].unplug("board")
    board = new_board(table)
    await asyncio.sleep(MET_S)
    return board


async def tap(board: EmulatedCup, button: str) -> None:
    board.hand.press(button)
    await asyncio.sleep(0.1)
    board.hand.release(button)
    await asyncio.sleep(0.1)


async def hold_and_shake(board: EmulatedCup) -> None:
    board.hand.press("ok")
    await asyncio.sleep(0.2)
    board.hand.shake()
    await asyncio.sleep(1.5)
    board.hand.release("ok")
    await asyncio.sleep(0.5)


def remembered(folder: Path) -> dict[str, str]:
    return replacements.read(folder)
