"""A panel on SPI through the real driver: its lines, what it shows, and how it heals when nobody knew it was away."""

import random
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from PIL import Image
from support.wires.layouts import SPI_TABLE

from drivers.display.bus import MAX_POLL_INTERVAL_S, POLL_INTERVAL_S, Display, DisplayBus
from drivers.display.spi import Select, SpiPort
from drivers.messages import Device, Found, Lost, Message
from firmware_host.devices.host_io.ports import open_spi_display
from hardware.config.layout import Layout, SpiDisplay, parse
from hardware.emulated.chips.controllers import CONTROLLERS
from hardware.emulated.table import EmulatedTable
from hardware.emulated.virtual_loop import VirtualLoop

SIZE = (128, 64)
Wait = Callable[[float], None]


def noise(seed: int) -> Image.Image:
    return Image.frombytes("1", SIZE, random.Random(seed).randbytes(1024))


class Bench:
    """Both panels of the table above, behind one SPI bus."""

    def __init__(self, layout: Layout, loop: VirtualLoop, post: Callable[[Message], None]) -> None:
        self.table = EmulatedTable(layout, loop, seed=3)
        self.places = layout.spi_displays()[0]
        openers = {Select(panel.spi, panel.select): partial(self.open, panel) for panel in self.places}
        self.opened = 0
        self.fails: OSError | None = None
        self.wire = DisplayBus(openers, loop=loop, post=post)
        self.panels = [
            self.wire.add(seat, Select(0, panel.select), 0, panel.chip, rotate=panel.rotate)
            for seat, panel in enumerate(self.places)
        ]

    def open(self, panel: SpiDisplay) -> SpiPort:
        if self.fails is not None:
            raise self.fails
        self.opened += 1
        return open_spi_display(self.table, panel)

    def seen(self, seat: int) -> bytes:
        controller = self.table.spi_buses[0].panel(seat)
        assert controller is None or controller.unknown == []
        return self.table.seats[seat].picture().tobytes()


@pytest.fixture
def bench(loop: VirtualLoop, inbox: list[Message], wait: Wait, unraised: None) -> Iterator[Bench]:
    bench = Bench(parse(SPI_TABLE, "spi.toml").first(2), loop, inbox)  # type: ignore[arg-type]
    wait(0.1)
    yield bench
    bench.wire.close()
    loop.run_until_complete(bench.wire.wait_closed())
    bench.table.close()


@pytest.fixture
def panel(bench: Bench) -> Display:
    return bench.panels[0]


def test_pictures_reach_both_panels_of_a_bus(bench: Bench, wait: Wait, inbox: list[Message]) -> None:
    for turn in range(3):
        for seat, panel in enumerate(bench.panels):
            panel.show(noise(2 * turn + seat))
        wait(0.1)
        assert [bench.seen(seat) for seat in (0, 1)] == [noise(2 * turn + seat).tobytes() for seat in (0, 1)]
    assert inbox == []


def test_a_whole_picture_takes_little_more_than_a_millisecond(bench: Bench, panel: Display, wait: Wait) -> None:
    busy_s = bench.table.spi_buses[0].busy_s
    panel.show(noise(1))
    wait(0.01)
    assert bench.table.spi_buses[0].busy_s - busy_s == pytest.approx(1.1e-3, abs=2e-4)
    assert bench.seen(0) == noise(1).tobytes()


def test_a_panel_is_reset_once_when_its_wire_is_opened(bench: Bench, panel: Display, wait: Wait) -> None:
    falls: list[bool] = []
    bench.table.factory.pin(25).moved = falls.append
    panel.show(noise(1))
    wait(POLL_INTERVAL_S + 0.1)
    assert (bench.opened, falls) == (2, [])


def test_a_pulled_panel_is_dark_and_nobody_is_told(
    bench: Bench, panel: Display, wait: Wait, inbox: list[Message]
) -> None:
    panel.show(noise(1))
    wait(0.1)
    bench.table.seats[0].unplug("panel")
    wait(10)
    assert bench.seen(0) == bytes(1024)
    assert inbox == []


def test_a_panel_that_is_put_back_shows_its_picture_within_a_check(bench: Bench, panel: Display, wait: Wait) -> None:
    panel.show(noise(1))
    wait(1)
    bench.table.seats[0].unplug("panel")
    panel.show(noise(2))
    wait(10)
    bench.table.seats[0].plug("panel")
    wait(MAX_POLL_INTERVAL_S + 0.1)
    assert bench.seen(0) == noise(2).tobytes()


def test_the_noise_of_a_panel_that_is_put_back_is_never_seen(bench: Bench, panel: Display, wait: Wait) -> None:
    panel.show(noise(1))
    wait(1)
    bench.table.seats[0].unplug("panel")
    bench.table.seats[0].plug("panel")
    seen: list[bytes] = []
    bench.table.spi_buses[0].listen = lambda *_: seen.append(bench.seen(0))
    wait(POLL_INTERVAL_S + 0.1)
    assert set(seen) == {bytes(1024), noise(1).tobytes()}


def test_while_others_play_a_panel_that_is_put_back_does_not_wait_for_a_quiet_moment(bench: Bench, wait: Wait) -> None:
    bench.panels[0].show(noise(1))
    wait(1)
    bench.table.seats[0].unplug("panel")
    bench.table.seats[0].plug("panel")
    for turn in range(20):
        bench.panels[1].show(noise(turn))
        wait(0.5)
    assert bench.seen(0) == noise(1).tobytes()


def test_a_panel_is_not_blinked_by_being_drawn_again(bench: Bench, panel: Display, wait: Wait) -> None:
    panel.show(noise(1))
    wait(0.1)
    seen: set[bytes] = set()
    bench.table.spi_buses[0].listen = lambda *_: seen.add(bench.seen(0))
    wait(5 * POLL_INTERVAL_S)
    assert seen == {noise(1).tobytes()}


def test_a_bus_that_is_not_there_is_told_once_and_tried_again(
    loop: VirtualLoop, inbox: list[Message], wait: Wait
) -> None:
    bench = Bench(parse(SPI_TABLE, "spi.toml").first(2), loop, inbox)  # type: ignore[arg-type]
    bench.fails = FileNotFoundError(2, "No such file or directory")
    wait(10)
    why = "SPI 0.0 with its display can't be opened (No such file or directory)"
    assert inbox[0] == Lost(0, Device.PANEL, why)
    bench.fails = None
    wait(6)
    assert [(type(message), message.seat) for message in inbox[:2]] == [(Lost, 0), (Lost, 1)]
    assert {(type(message), message.seat) for message in inbox[2:]} == {(Found, 0), (Found, 1)}
    assert len(inbox) == 4
    bench.wire.close()
    loop.run_until_complete(bench.wire.wait_closed())


def test_lines_that_could_not_all_be_had_are_given_back(loop: VirtualLoop) -> None:
    layout = parse(SPI_TABLE, "spi.toml").first(2)
    with EmulatedTable(layout, loop, seed=3) as table:
        place = layout.spi_displays()[0][0]
        taken = open_spi_display(table, place)
        with pytest.raises(Exception, match="GPIO24"):
            open_spi_display(table, place)
        taken.close()
        open_spi_display(table, place).close()


def test_a_closed_wire_leaves_dark_panels(bench: Bench, loop: VirtualLoop, wait: Wait) -> None:
    for panel in bench.panels:
        panel.show(noise(1))
    wait(0.1)
    bench.wire.close()
    loop.run_until_complete(bench.wire.wait_closed())
    assert [bench.seen(seat) for seat in (0, 1)] == [bytes(1024)] * 2


@pytest.mark.parametrize("chip", CONTROLLERS)
def test_every_chip_shows_the_same_on_spi(chip: str, loop: VirtualLoop, inbox: list[Message], wait: Wait) -> None:
    bench = Bench(parse(SPI_TABLE.replace("ssd1309", chip), "spi.toml").first(2), loop, inbox)  # type: ignore[arg-type]
    bench.panels[0].show(noise(1))
    wait(0.1)
    assert bench.seen(0) == noise(1).tobytes()
    bench.wire.close()
    loop.run_until_complete(bench.wire.wait_closed())


def test_the_repr_tells_where(bench: Bench, panel: Display) -> None:
    assert repr(panel) == "<Display of seat 0 on SPI 0.0, there>"
    assert repr(bench.wire).startswith("<DisplayBus of SPI 0.0, SPI 0.1, open")
