"""All drivers of a layout at an emulated table: the same hand gives the same messages however the seat is wired."""

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest
from PIL import Image

from drivers.display.bus import DisplayBus
from drivers.gpio.switches import Buttons
from drivers.gpio.tilt_cup import TiltCup
from drivers.link.devices import SerialCup
from drivers.link.seat_board import SeatBoard
from drivers.messages import Button, Device, Found, Levelled, Lost, Message, Pressed, Released, Settled, Shaken, Tilted
from hardware.config.layout import Layout, SerialDevice, TiltSwitch, load_builtin
from hardware.emulated.table import EmulatedTable
from hardware.emulated.virtual_loop import VirtualLoop

LAYOUTS = ("wired-4", "wired-8", "boards-8")
Wait = Callable[[float], None]


def picture(seat: int) -> Image.Image:
    return Image.frombytes("1", (128, 64), random.Random(seat).randbytes(1024))


class Drivers:
    """What `devices.Devices` does, in the few lines a test needs."""

    def __init__(
        self, layout: Layout, table: EmulatedTable, loop: VirtualLoop, post: Callable[[Message], None]
    ) -> None:
        self.open = ExitStack()
        self.panels: list[Any] = []
        wires = {}
        for numbers in layout.display_wires():
            openers = {number: partial(table.open_bus, number) for number in numbers}
            wire = self.open.enter_context(DisplayBus(openers, loop=loop, post=post))
            wires.update(dict.fromkeys(numbers, wire))
        for number, seat in enumerate(layout.seats):
            if seat.board:
                board = SeatBoard(number, partial(table.open_port, seat.board.id), loop=loop, post=post)
                self.open.enter_context(board)
                self.panels.append(board)
                continue
            assert seat.buttons and seat.display  # noqa: PT018
            pins = {Button(name): pin for name, pin in seat.buttons.items()}
            self.open.enter_context(Buttons(number, pins, factory=table.factory, loop=loop, post=post))
            if isinstance(seat.cup, TiltSwitch):
                self.open.enter_context(TiltCup(number, seat.cup.pin, factory=table.factory, loop=loop, post=post))
            elif isinstance(seat.cup, SerialDevice):
                cup = SerialCup(number, partial(table.open_port, seat.cup.id), loop=loop, post=post)
                self.open.enter_context(cup)
            panel = seat.display
            self.panels.append(wires[panel.bus].add(number, panel.bus, panel.address, panel.chip))


@pytest.fixture(params=LAYOUTS)
def layout(request: pytest.FixtureRequest) -> Layout:
    return load_builtin(request.param)


@pytest.fixture
def table(layout: Layout, loop: VirtualLoop, unraised: None) -> Iterator[EmulatedTable]:
    with EmulatedTable(layout, loop, seed=11) as table:
        yield table


@pytest.fixture
def drivers(
    layout: Layout, table: EmulatedTable, loop: VirtualLoop, inbox: list[Message], wait: Wait
) -> Iterator[Drivers]:
    drivers = Drivers(layout, table, loop, inbox)  # type: ignore[arg-type]
    with drivers.open:
        wait(3)  # links say hello
        yield drivers
    wait(1)


def said(inbox: list[Message], seat: int) -> list[Message]:
    return [message for message in inbox if message.seat == seat and not isinstance(message, Found)]


@pytest.mark.usefixtures("drivers")
def test_a_tap_is_a_press_and_a_release_80_ms_later(
    layout: Layout, table: EmulatedTable, loop: VirtualLoop, inbox: list[Message], wait: Wait
) -> None:
    began_ns = round(loop.time() * 1e9)
    for seat in table.seats:
        for button in seat.buttons:
            seat.tap(button)
    wait(2)
    for number, seat in enumerate(table.seats):
        messages = said(inbox, number)
        assert [type(message) for message in messages] == [Pressed] * len(seat.buttons) + [Released] * len(seat.buttons)
        for message in messages:
            assert isinstance(message, Pressed | Released)
            expected_ns = began_ns + (80_000_000 if isinstance(message, Released) else 0)
            # A Pico takes 8 ms to answer a ping: the host knows its clock to half of that.
            assert message.at_ns == pytest.approx(
                expected_ns, abs=4_000_000 if layout.seats[number].board else 2_000_000
            )


@pytest.mark.usefixtures("drivers")
def test_a_shake_is_told_and_a_switch_gives_its_entropy(
    layout: Layout, table: EmulatedTable, inbox: list[Message], wait: Wait
) -> None:
    for seat in table.seats:
        seat.shake()
    wait(4)
    for number in range(len(table.seats)):
        messages = said(inbox, number)
        assert [type(message) for message in messages] == [Shaken, Settled]
    entropies = {message.entropy for message in inbox if isinstance(message, Settled)}
    switches = [seat for seat in layout.seats if isinstance(seat.cup, TiltSwitch)]
    assert len(entropies - {b""}) == len(switches)


@pytest.mark.usefixtures("drivers")
def test_a_look_under_the_cup_begins_and_ends(table: EmulatedTable, inbox: list[Message], wait: Wait) -> None:
    for seat in table.seats:
        seat.tilt()
    wait(1)
    for seat in table.seats:
        seat.level()
    wait(1)
    for number in range(len(table.seats)):
        assert [type(message) for message in said(inbox, number)] == [Tilted, Levelled]


def test_every_seat_shows_its_own_picture(drivers: Drivers, table: EmulatedTable, wait: Wait) -> None:
    for number, panel in enumerate(drivers.panels):
        panel.show(picture(number))
    wait(1)
    for number, seat in enumerate(table.seats):
        assert seat.picture().tobytes() == picture(number).tobytes()


def test_pulled_cables_are_told_and_the_rest_plays_on(
    drivers: Drivers, table: EmulatedTable, layout: Layout, inbox: list[Message], wait: Wait
) -> None:
    device = Device.BOARD if layout.seats[0].board else Device.PANEL
    inbox.clear()
    table.seats[0].unplug(device)
    for number, panel in enumerate(drivers.panels):
        panel.show(picture(number))
    wait(5)
    assert [(type(message), message.seat) for message in inbox] == [(Lost, 0)]
    assert [seat.picture().tobytes() == picture(n).tobytes() for n, seat in enumerate(table.seats)] == [
        number > 0 for number in range(len(table.seats))
    ]
    table.seats[0].plug(device)
    wait(10)
    assert [type(message) for message in inbox] == [Lost, Found]
    assert table.seats[0].picture().tobytes() == picture(0).tobytes()


@pytest.mark.slow
def test_one_seed_is_one_evening(layout: Layout) -> None:
    def scenario() -> list[Message]:
        loop, heard = VirtualLoop(patience_s=5.0), []
        with EmulatedTable(layout, loop, seed=3) as table:
            drivers = Drivers(layout, table, loop, heard.append)
            rng = random.Random(1)

            async def play() -> None:
                await asyncio.sleep(1)
                for step in range(40):
                    seat = rng.choice(table.seats)
                    rng.choice([seat.shake, seat.tilt, seat.level, lambda seat=seat: seat.tap(seat.buttons[0])])()
                    rng.choice(drivers.panels).show(picture(step))
                    await asyncio.sleep(rng.random())

            with drivers.open:
                loop.run_until_complete(play())
            loop.run_until_complete(asyncio.sleep(1))
        loop.close()
        return heard

    first = scenario()
    assert len(first) > 20
    assert scenario() == first
