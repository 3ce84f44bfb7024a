"""Drivers that die in every way, at a table that plays on: who is told what, and that nobody else's seat notices."""

import asyncio
import gc
import itertools
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.table.harness import lay_out
from support.wires.table_at_wires import AtWires, at_wires

from drivers.display.bus import DisplayBus
from drivers.gpio import switches, tilt_cup
from drivers.link import seat_board, session
from drivers.messages import Device, Pressed, Released
from engine import PYRUDO, Bid
from firmware_host.devices.supervision.supervisor import MAX_RETRY_S, STEADY_S
from firmware_host.table.events import ActionTaken
from firmware_host.wire import DeviceFound, DeviceLost
from hardware.emulated.virtual_loop import VirtualLoop

HANDS = [(1, 2, 3), (4, 5, 6), (2, 2, 6)]
ERRORS = [MemoryError(), RuntimeError("six sixes"), SystemExit(3), OSError(5, "gone")]


def play(
    loop: VirtualLoop, layout: str, folder: Path, script: Callable[[AtWires], Any], bid: Bid | None = None
) -> None:
    """Let a script happen at a table on which a round is laid out."""

    async def scenario() -> None:
        async with at_wires(layout, lay_out(PYRUDO, HANDS, bid).table.scene, folder) as table:
            await script(table)

    loop.run_until_complete(scenario())


def devices(table: AtWires, kind: type[Any]) -> list[tuple[int, Device]]:
    return [(event.seat, event.device) for event in table.events if isinstance(event, kind)]


def raising(error: BaseException, but: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Return a method that raises; with `but` at seat 1 alone."""

    def raises(driver: Any, *given: object, **named: object) -> Any:
        seat = getattr(driver, "seat", getattr(driver, "_seat", None))
        if but is not None and seat != 1:
            return but(driver, *given, **named)
        raise error

    return raises


async def bids(table: AtWires) -> int:
    """Return how many bids are heard when who is in turn makes one."""
    before = sum(isinstance(event, ActionTaken) for event in table.events)
    turn = table.seen[0][-1][0].waiting_for[0]
    for _ in range(3):
        table.seats[turn].tap("ok")
        await asyncio.sleep(0.5)
        if (after := sum(isinstance(event, ActionTaken) for event in table.events)) > before:
            return after - before
    return 0


# Each kind of driver, in each of its places


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize(
    ("layout", "device", "where", "method"),
    [
        ("wired-4", Device.BUTTONS, switches.Buttons, "_report"),
        ("wired-4", Device.BUTTONS, switches.Buttons, "_settle"),
        ("wired-4", Device.BUTTONS, switches.Buttons, "_handle_edge"),
        ("wired-4", Device.CUP, tilt_cup.TiltCup, "_report"),
        ("boards-8", Device.BOARD, session.LinkSession, "_handle_event"),
        ("boards-8", Device.BOARD, session.LinkSession, "_handle_while_up"),
        ("boards-8", Device.BOARD, seat_board.SeatBoard, "_on_event"),
    ],
)
def test_a_driver_that_raises_is_built_again_alone_and_told_once(
    layout: str,
    device: Device,
    where: type,
    method: str,
    error: BaseException,
    loop: VirtualLoop,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def script(table: AtWires) -> None:
        dead = table.supervised(1, device).driver
        with monkeypatch.context() as patched:
            patched.setattr(where, method, raising(error, getattr(where, method)))
            if device is Device.CUP:
                table.seats[1].tilt()
            else:
                table.seats[1].press("left")
            await asyncio.sleep(0.3)
        assert devices(table, DeviceLost) == [(1, device)]
        assert "six sixes" not in str(table.events), "what an error says is nobody's business"
        await asyncio.sleep(4.0)
        table.seats[1].release("left")
        table.seats[1].level()
        await asyncio.sleep(1.0)
        assert devices(table, DeviceLost) == [(1, device)]
        assert devices(table, DeviceFound) == [(1, device)]
        assert table.supervised(1, device).driver is not dead
        assert await bids(table) == 1
        table.seats[1].tilt()
        await asyncio.sleep(1.0)
        assert table.dice_on(1), "its cup, its buttons and its panel work"
        table.seats[1].level()
        await asyncio.sleep(0.5)
        assert not table.dice_on(1)

    play(loop, layout, tmp_path, script)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_a_display_wires_task_that_dies_takes_only_its_panels_and_brings_them_back(
    error: BaseException, loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def script(table: AtWires) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(DisplayBus, "_take", raising(error))
            assert await bids(table) == 1, "who loses the panels plays on"
        lost = devices(table, DeviceLost)
        assert {device for _, device in lost} == {Device.PANEL}
        assert len(set(lost)) == len(lost)
        await asyncio.sleep(6.0)
        assert sorted(devices(table, DeviceFound)) == sorted(lost)
        assert [table.dice_on(seat) for seat in range(3)] == [False] * 3

    play(loop, "wired-4", tmp_path, script, Bid(1, 2))


def test_a_peek_is_hidden_when_the_driver_of_its_buttons_dies_and_stays_hidden(
    loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def script(table: AtWires) -> None:
        table.seats[1].press("ok")
        await asyncio.sleep(1.0)
        assert table.dice_on(1)
        with monkeypatch.context() as patched:
            patched.setattr(switches.Buttons, "_report", raising(MemoryError()))
            table.seats[1].press("left")
            await asyncio.sleep(0.1)
        assert not table.dice_on(1)
        await asyncio.sleep(5.0)
        assert not table.dice_on(1), "a button that is down when its driver comes was not pressed"

    play(loop, "wired-4", tmp_path, script)


def test_a_press_that_was_told_before_its_board_s_driver_died_counts_once(
    loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board repeats what nobody acknowledged; the next driver knows that it was heard."""

    async def script(table: AtWires) -> None:
        turn = table.seen[0][-1][0].waiting_for[0]
        taken: list[object] = []
        takes = table.table.handle
        monkeypatch.setattr(
            table.table, "handle", lambda message, now_ns: (taken.append(message), takes(message, now_ns))[1]
        )
        table.journal.takes_s = 1.0  # the record is on its way while the driver dies
        table.seats[turn].tap("ok")
        await asyncio.sleep(0.3)
        table.supervised(turn, Device.BOARD).fail(RuntimeError())
        await asyncio.sleep(8.0)
        table.journal.takes_s = 0.0
        await asyncio.sleep(2.0)
        assert sum(isinstance(event, ActionTaken) for event in table.events) == 1
        assert [type(message) for message in taken if isinstance(message, Pressed | Released)] == [Pressed, Released]
        driver = table.supervised(turn, Device.BOARD).driver
        assert driver is not None
        assert driver._events.durable == driver._events.accepted, "the board may forget all it told"
        table.seats[turn].tilt()
        await asyncio.sleep(1.0)
        assert table.dice_on(turn)

    play(loop, "boards-8", tmp_path, script)


def test_one_that_dies_over_and_over_is_tried_ever_more_seldom_and_said_to_ail(
    loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def script(table: AtWires) -> None:
        flapping: list[list[str]] = []
        table.devices.supervisor.on_flapping = lambda names: flapping.append([*names])
        made: list[float] = []
        with monkeypatch.context() as patched:

            def dies(*_: object, **__: object) -> None:
                made.append(loop.time())
                raise MemoryError

            patched.setattr(switches.Buttons, "__init__", dies)
            table.supervised(1, Device.BUTTONS).fail(RuntimeError())
            await asyncio.sleep(600.0)
        gaps = [round(after - before, 3) for before, after in itertools.pairwise(made)]
        assert gaps[:6] == [1, 2, 4, 8, 16, 32]
        assert set(gaps[6:]) == {MAX_RETRY_S}
        assert flapping == [["the driver of East's buttons"]]
        assert devices(table, DeviceLost) == [(1, Device.BUTTONS)]
        await asyncio.sleep(MAX_RETRY_S + STEADY_S + 1.0)
        assert flapping[-1] == []
        assert devices(table, DeviceFound) == [(1, Device.BUTTONS)]

    with caplog.at_level(logging.ERROR):
        play(loop, "wired-4", tmp_path, script)
    assert sum("East's buttons" in record.message for record in caplog.records) <= 4, "the log does not fill up"


def test_drivers_that_died_leave_nothing_behind(
    loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def script(table: AtWires) -> None:
        def drivers() -> int:
            gc.collect()
            return sum(isinstance(thing, switches.Buttons | DisplayBus) for thing in gc.get_objects())

        before = drivers()
        for _ in range(5):
            for device in (Device.BUTTONS, Device.PANEL):
                table.supervised(1, device).fail(RuntimeError())
            await asyncio.sleep(STEADY_S + 10.0)
        assert drivers() == before

    play(loop, "wired-4", tmp_path, script)
