"""A driver that takes a dead one's place lights nothing that was put down; a void round is opened to nobody.

The hand lets go while nobody is there to hear of it, or to hide it. How drivers die is in `test_drivers_that_die.py`.
"""

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.table.harness import TableHarness, lay_out
from support.wires.table_at_wires import AtWires, at_wires

from drivers.messages import Button, Device
from engine import DUDO, PYRUDO
from firmware_host.screens import draw_peek
from firmware_host.store.journal import records
from firmware_host.table.outputs import Outputs
from firmware_host.table.scenes.scene import Game
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName
from firmware_host.util.log import ErrorCounter
from firmware_host.wire import ChainEntryAdded
from hardware.emulated.virtual_loop import VirtualLoop

HANDS = [(1, 2, 3), (4, 5, 6), (2, 2, 6)]
LIES_S = 5.0
STEP_S = 0.01


def is_lit(table: AtWires, seat: int) -> bool:
    """Return whether any picture with dice that was ever drawn for a seat is on its display."""
    held = table.seats[seat].picture().tobytes()
    drawn = {draw_peek(view, menu, look).tobytes() for view, menu, look in table.seen[seat] if look is not None}
    return held in drawn


@pytest.mark.parametrize(
    ("layout", "dead"),
    [
        ("wired-4", Device.PANEL),
        ("wired-4", Device.CUP),
        ("wired-4", Device.BUTTONS),
        ("boards-8", Device.BOARD),
        ("wired-8", Device.PANEL),
        ("wired-8", Device.CUP),
    ],
)
@pytest.mark.parametrize("lets_go_after_s", [0.0, 0.2, 0.499])
def test_dice_that_were_put_down_while_a_driver_was_dead_are_not_lit_by_the_next(
    layout: str, dead: Device, lets_go_after_s: float, loop: VirtualLoop, tmp_path: Path
) -> None:
    async def script() -> None:
        async with at_wires(layout, lay_out(PYRUDO, HANDS).table.scene, tmp_path) as table:
            table.seats[1].tilt()
            await asyncio.sleep(1.0)
            assert is_lit(table, 1)
            died = table.supervised(1, dead).driver
            table.supervised(1, dead).fail(MemoryError())
            await asyncio.sleep(lets_go_after_s)
            table.seats[1].level()
            await asyncio.sleep(0.2)
            for _ in range(round(LIES_S / STEP_S)):
                assert not is_lit(table, 1)
                await asyncio.sleep(STEP_S)
            assert table.supervised(1, dead).driver not in (None, died)
            table.seats[1].tilt()
            await asyncio.sleep(1.0)
            assert is_lit(table, 1), "and whoever looks again sees them"

    loop.run_until_complete(script())


@pytest.mark.parametrize(("layout", "dead"), [("wired-4", Device.PANEL), ("boards-8", Device.BOARD)])
def test_the_next_driver_lights_no_dice_of_a_round_that_is_over(
    layout: str, dead: Device, loop: VirtualLoop, tmp_path: Path
) -> None:
    async def script() -> None:
        async with at_wires(layout, lay_out(PYRUDO, HANDS).table.scene, tmp_path) as table:
            table.seats[1].tilt()
            await asyncio.sleep(1.0)
            seen = table.seats[1].picture().tobytes()
            table.supervised(1, dead).fail(MemoryError())
            for button in (*["right"] * 12, "ok", "right", "ok"):  # seat 2 leaves: the round is void
                table.seats[2].tap(button)
                await asyncio.sleep(0.15)
            for _ in range(round(LIES_S / STEP_S)):
                if table.table.scene.name is SceneName.SHAKING:
                    assert table.seats[1].picture().tobytes() != seen
                    assert not is_lit(table, 1)
                await asyncio.sleep(STEP_S)
            assert table.table.scene.name is SceneName.SHAKING

    loop.run_until_complete(script())


# A void round


def gives_up(harness: TableHarness, seat: int) -> None:
    while MenuCommand.GIVE_UP not in harness[seat].menu.items:
        harness[seat].tap(Button.RIGHT)
    harness[seat].tap()
    harness[seat].pick(MenuCommand.QUIT)


@pytest.mark.parametrize("programs", [(), (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("seats", [2, 3])
def test_what_a_void_round_s_dice_were_made_of_is_told_to_nobody_and_kept_nowhere(
    seats: int, programs: tuple[int, ...]
) -> None:
    harness = TableHarness(PYRUDO, seats, programs=[seat for seat in programs if seat < seats]).joined().dealt()
    void: Game = harness.game
    secrets = [line.rsplit(" ", 1)[1] for line in void.to_open]
    assert len(secrets) == 1 + seats
    assert all(secrets)
    gives_up(harness, seats - 1)
    if seats > 2:
        harness.dealt()
        harness.turn.pick(harness.turn.menu.items[0])
        harness.turn.press(Button.DUDO) if harness.seat_infos[0].dudo_button else harness.turn.pick(DUDO)
        harness.revealed()
        assert any(f"deal {harness.game.deals} seed" in event.line for event in harness.events_of(ChainEntryAdded))
    chain_lines = " ".join(event.line for event in harness.events_of(ChainEntryAdded))
    assert not [secret for secret in secrets if secret in chain_lines]
    assert f"deal {void.deals} seed" not in chain_lines
    assert f"deal {void.deals} opens" not in chain_lines
    kept = records.encode_scene(harness.records[-1]).decode()
    assert not [secret for secret in secrets if secret in kept]


# A fault of the table's own


@pytest.mark.parametrize("at", [1, 2, 3])
def test_dice_that_were_put_down_are_hidden_although_the_table_failed_at_that(
    at: int, loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def script() -> None:
        async with at_wires("wired-4", lay_out(PYRUDO, HANDS).table.scene, tmp_path) as table:
            table.daemon._errors = ErrorCounter()
            table.seats[1].tilt()
            await asyncio.sleep(1.0)
            assert is_lit(table, 1)
            with monkeypatch.context() as fault:
                fault.setattr(Outputs, "_show", failing(Outputs._show, at))
                table.seats[1].level()
                await asyncio.sleep(1.0)
            for _ in range(100):
                assert not is_lit(table, 1)
                await asyncio.sleep(STEP_S)

    loop.run_until_complete(script())


def failing(whole: Callable[..., Any], at: int) -> Callable[..., Any]:
    """Return a function that fails at its first, or another call."""
    asked = itertools.count(1)

    def fails(*given: Any, **named: Any) -> Any:
        if next(asked) == at:
            raise ZeroDivisionError
        return whole(*given, **named)

    return fails
