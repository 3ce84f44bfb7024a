"""A whole match at a table with panels on SPI: the real daemon and drivers, and a panel that is pulled and put back."""

import asyncio

import pytest
from support import ROOT
from support.wires.layouts import SPI_TABLE

from engine import RULESETS
from firmware_host.configuration.summary import of_layout
from firmware_host.daemon.seat_display import FrameListener
from firmware_host.play.emulated_session import EmulatedSession, WatchSeat
from firmware_host.table.events import PublicEvent
from firmware_host.wire import DeviceLost, MatchWon
from hardware.config.layout import Layout, parse
from hardware.drawing import render
from hardware.emulated.seat import EmulatedSeat
from hardware.emulated.virtual_loop import VirtualLoop

pytestmark = pytest.mark.slow


@pytest.fixture
def layout() -> Layout:
    return parse(SPI_TABLE, "spi.toml")


def play(layout: Layout, *watchers: WatchSeat) -> list[PublicEvent]:
    events: list[PublicEvent] = []
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
        runner.run(EmulatedSession(layout, RULESETS["perudo"], 1).play(events.append, watchers))
    return events


def test_a_match_is_played_to_its_end(layout: Layout) -> None:
    events = play(layout)
    assert sum(isinstance(event, MatchWon) for event in events) == 1
    assert not any(isinstance(event, DeviceLost) for event in events)


def test_a_pulled_panel_is_dark_and_shows_what_it_should_soon_after_it_is_put_back(layout: Layout) -> None:
    seen: list[bool] = []

    def pulls(number: int, seat: EmulatedSeat) -> FrameListener:
        loop = asyncio.get_running_loop()

        def look() -> None:
            seen.append(bool(seat.picture().getbbox()))

        if number == 0:
            loop.call_later(20, seat.unplug, "panel")
            loop.call_later(22, look)
            loop.call_later(25, seat.plug, "panel")
            loop.call_later(30, look)
        return lambda view, menu, look: None

    events = play(layout, pulls)
    assert seen == [False, True]
    assert not any(isinstance(event, DeviceLost) for event in events)


@pytest.mark.parametrize("width", [60, 80, 120, 200])
@pytest.mark.parametrize("plain", [False, True])
def test_the_drawing_has_the_pins_of_spi(layout: Layout, width: int, plain: bool) -> None:
    lines = render(layout, width, plain=plain)
    output = " ".join("\n".join(line.plain for line in lines).split())
    assert max(line.cell_len for line in lines) <= width
    for words in (
        "SPI0 MOSI",
        "SPI0 SCLK",
        "SPI0 CE0",
        "SPI0 CE1",
        "North dc",
        "North reset",
        "ssd1309 /dev/spidev0.0",
    ):
        assert words in output
    assert "dc GPIO 24 pin 18" in output
    assert "sh1106 /dev/spidev0.1, turned 180" in output


def test_the_notes_say_which_overlay_lays_the_bus(layout: Layout) -> None:
    output = " ".join("\n".join(line.plain for line in render(layout, 200, plain=False)).split())
    assert "SCLK (pin 23), CE0 (pin 24), CE1 (pin 26): dtoverlay=spi0-2cs in config.txt." in output


def test_a_summary_counts_panels_on_spi_and_their_pins(layout: Layout) -> None:
    assert of_layout(layout) == "3 seats: 15 pins, 1 serial cup, displays on 1 I2C wire, 2 displays on SPI"


def test_the_documented_panel_on_spi_is_right() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    (keys,) = [line.removeprefix("#").strip() for line in page.splitlines() if "spi = 0" in line]
    first = SPI_TABLE.split("\n\n")[1]
    panel = next(line for line in first.splitlines() if line.startswith("panel"))
    assert parse(SPI_TABLE.replace(panel, f"panel = {{ {keys} }}"), "spi.toml").seats[0].display
