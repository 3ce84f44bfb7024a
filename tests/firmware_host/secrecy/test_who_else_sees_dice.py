"""Who else sees dice, as docs/fairness.md says: somebody else at a seat's wires has them, or has them shown."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from support.wires import table_at_wires
from support.wires.layouts import at_a_dongle
from support.wires.moments import MOMENTS

from drivers.link.devices import LIFTED_SILENCE_TIMEOUT_S
from firmware_host.screens import draw_peek
from hardware.config.layout import load_builtin
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig
from hardware.link import messages as link
from hardware.link.framing import frame

VICTIM = 0
BOARD = load_builtin("boards-8").seats[VICTIM].board
Test = Callable[[table_at_wires.AtWires], Awaitable[None]]


def in_a_round(loop: VirtualLoop, layout: str, folder: Path, test: Test) -> None:
    async def scenario() -> None:
        async with table_at_wires.at_wires(layout, MOMENTS["in turn"].scene, folder) as table:
            await test(table)

    loop.run_until_complete(scenario())


@pytest.fixture
def radio(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = at_a_dongle(*(f'{{ serial = "DONGLE", address = {number} }}' for number in (1, 2, 3, 4)))
    monkeypatch.setattr(table_at_wires, "load_builtin", lambda _: layout)


def lifted(cup: EmulatedCup) -> bytes:
    """Return a tilt in a cup's name, from somebody who heard all its messages."""
    assert cup._program is not None
    event = link.Event(cup._program.boot, cup._program.outbox.oldest, cup._now_ns(), link.TILTED)
    return frame(link.to_body(cup.fitted.address, event))


def test_a_board_with_the_id_of_one_that_was_pulled_is_its_seat(loop: VirtualLoop, tmp_path: Path) -> None:
    async def test(table: table_at_wires.AtWires) -> None:
        assert BOARD is not None
        table.seats[VICTIM].unplug("board")
        other = table.wires.bring(DeviceConfig(BOARD.id, buttons=("left", "right", "ok", "dudo"), panel="ssd1309"))
        await asyncio.sleep(1)
        other.hand.press("ok")
        await asyncio.sleep(1)
        view, menu, look = table.seen[VICTIM][-1]
        assert look is not None
        assert other.picture().tobytes() == draw_peek(view, menu, look).tobytes()
        assert table.seats[VICTIM].picture().getbbox() is None, "the owner sees nothing"

    in_a_round(loop, "boards-8", tmp_path, test)


@pytest.mark.usefixtures("radio")
def test_a_cup_behind_a_dongle_can_say_that_another_one_is_lifted(loop: VirtualLoop, tmp_path: Path) -> None:
    async def test(table: table_at_wires.AtWires) -> None:
        cup, other = table.wires._radio_cups[VICTIM], table.wires._radio_cups[1]
        other._line.send(lifted(cup))
        await asyncio.sleep(1)
        assert table.dice_on(VICTIM)
        cup.hand.tilt()
        await asyncio.sleep(1)
        cup.hand.level()
        await asyncio.sleep(1)
        assert not table.dice_on(VICTIM)

    in_a_round(loop, "radio", tmp_path, test)


def test_a_board_that_is_said_to_be_lifted_shows_nothing(loop: VirtualLoop, tmp_path: Path) -> None:
    async def test(table: table_at_wires.AtWires) -> None:
        board = table.wires.ports[BOARD.id] if BOARD else None
        assert isinstance(board, EmulatedCup)
        board._line.send(lifted(board))
        await asyncio.sleep(1)
        assert table.seen[VICTIM][-1][2] is not None, "the host takes it for true"
        assert board.picture().getbbox() is None

    in_a_round(loop, "boards-8", tmp_path, test)


@pytest.mark.usefixtures("radio")
def test_a_lifted_cup_that_falls_silent_leaves_its_dice_for_no_second(loop: VirtualLoop, tmp_path: Path) -> None:
    async def test(table: table_at_wires.AtWires) -> None:
        table.wires._radio_cups[VICTIM].hand.tilt()
        await asyncio.sleep(1)
        table.wires._radio_cups[VICTIM].unplug()
        await asyncio.sleep(LIFTED_SILENCE_TIMEOUT_S + 0.25)
        assert not table.dice_on(VICTIM)

    in_a_round(loop, "radio", tmp_path, test)
