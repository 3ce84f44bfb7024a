"""The GPIO chip goes in the middle of a round at real drivers: what was held is let go of, and the round goes on."""

import asyncio
from functools import partial
from pathlib import Path

import pytest
from support.table.harness import lay_out
from support.wires.table_at_wires import AtWires, at_wires

from drivers.gpio import switches
from drivers.gpio.switches import Buttons
from drivers.messages import Device
from engine import PYRUDO
from firmware_host.table.events import ActionTaken
from firmware_host.wire import DeviceFound, DeviceLost
from hardware.config.layout import load_builtin
from hardware.emulated.virtual_loop import VirtualLoop

pytest.importorskip("gpiod", reason="libgpiod's bindings are for Linux", exc_type=ImportError)
from support.host.gpiochip import EmulatedChip

from drivers.gpio.pins import GpiodFactory

LAYOUT = "wired-4"
HANDS = [(1, 2, 3), (4, 5, 6), (2, 2, 6)]
PINS = [seat.buttons or {} for seat in load_builtin(LAYOUT).seats]


@pytest.fixture
def chip(loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch) -> EmulatedChip:
    """Give the chip that all buttons hang on."""
    chip = EmulatedChip(lambda: round(loop.time() * 1e9))
    monkeypatch.setattr(GpiodFactory, "_get_revision", lambda _: 0xC03111)
    all_pins = [pin for pins in PINS for pin in pins.values()]
    factory = GpiodFactory(all_pins, loop=loop, open_chip=chip.open)  # type: ignore[arg-type]
    on_chip = partial(switches.Buttons, factory=factory)
    monkeypatch.setattr(switches, "Buttons", lambda seat, pins, *, factory, **given: on_chip(seat, pins, **given))
    return chip


def lost_and_found(table: AtWires) -> list[object]:
    return [(type(event), event.seat) for event in table.events if isinstance(event, DeviceLost | DeviceFound)]


def test_a_peek_ends_and_an_ok_that_was_held_acts_on_nothing(
    loop: VirtualLoop, chip: EmulatedChip, tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with at_wires(LAYOUT, lay_out(PYRUDO, HANDS).table.scene, tmp_path) as table:
            turn = table.seen[0][-1][0].waiting_for[0]
            chip.ground(PINS[1]["ok"], True)
            await asyncio.sleep(1.0)
            assert table.dice_on(1)
            chip.ground(PINS[turn]["ok"], True)
            await asyncio.sleep(0.1)
            chip.vanish()
            await asyncio.sleep(0.1)
            assert not table.dice_on(1)
            assert lost_and_found(table) == [(DeviceLost, seat) for seat in range(3)]
            chip.ground(PINS[turn]["ok"], False)
            chip.come_back()
            await asyncio.sleep(6.0)
            assert lost_and_found(table)[3:] == [(DeviceFound, seat) for seat in range(3)]
            assert not table.dice_on(1), "what is down when its chip comes back was not pressed"
            assert not any(isinstance(event, ActionTaken) for event in table.events)
            chip.ground(PINS[turn]["ok"], True)
            await asyncio.sleep(0.1)
            chip.ground(PINS[turn]["ok"], False)
            await asyncio.sleep(0.5)
            assert sum(isinstance(event, ActionTaken) for event in table.events) == 1

    loop.run_until_complete(scenario())


def test_the_room_hears_what_went_and_what_to_do(loop: VirtualLoop, chip: EmulatedChip, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with at_wires(LAYOUT, lay_out(PYRUDO, HANDS).table.scene, tmp_path) as table:
            chip.vanish()
            await asyncio.sleep(20)
            (event,) = (event for event in table.events if isinstance(event, DeviceLost) and event.seat == 1)
            assert event.device is Device.BUTTONS
            assert all(f"on GPIO{pin}" in event.why for pin in PINS[1].values())
            assert "gone with the GPIO chip gpiochip0" in event.why
            assert "restart the computer" in event.why

    loop.run_until_complete(scenario())


@pytest.mark.parametrize("error", [MemoryError(), SystemExit(3)], ids=lambda error: type(error).__name__)
def test_an_edge_that_fails_at_one_seat_costs_no_other_seat_its_edge(
    error: BaseException, loop: VirtualLoop, chip: EmulatedChip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All edges of the chip are read in one callback of the loop."""
    handle_edge = Buttons._handle_edge

    def fails(buttons: Buttons, name: str, closed: bool, at_ns: int) -> None:
        if buttons.seat == 1:
            raise error
        handle_edge(buttons, name, closed, at_ns)

    async def scenario() -> None:
        async with at_wires(LAYOUT, lay_out(PYRUDO, HANDS).table.scene, tmp_path) as table:
            turn = table.seen[0][-1][0].waiting_for[0]
            assert turn != 1
            with monkeypatch.context() as patched:
                patched.setattr(Buttons, "_handle_edge", fails)
                chip.ground(PINS[1]["left"], True)
                chip.ground(PINS[turn]["ok"], True)
                await asyncio.sleep(0.1)
                chip.ground(PINS[turn]["ok"], False)
                await asyncio.sleep(0.3)
            assert lost_and_found(table) == [(DeviceLost, 1)]
            assert sum(isinstance(event, ActionTaken) for event in table.events) == 1
            await asyncio.sleep(5.0)
            assert lost_and_found(table) == [(DeviceLost, 1), (DeviceFound, 1)]

    loop.run_until_complete(scenario())
