"""What the bench counts, on a table small enough to count along."""

import os
from functools import cache

import pytest
from PIL import Image

from bench.report import Section
from bench.sections.match import measured
from bench.tools import processes
from bench.tools.ledger import BENCH, DRIVERS, FAR_END, LOOP, PLAYERS, TABLE, owner
from bench.tools.processes import largest_mib, proportional_mib, waits
from bench.tools.references import LumaBeside
from bench.tools.table_process import BOARDS_RUN
from hardware.config.layout import load_builtin

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning"),  # luma's, and known
]


@cache
def small_match(layout: str) -> Section:
    return measured(load_builtin(layout).first(2), lambda what: None)


@pytest.mark.parametrize(("chip", "transfers", "sent_bytes"), [("ssd1306", 2, 1034), ("sh1106", 16, 1080)])
def test_luma_sends_the_whole_frame_for_any_picture(chip: str, transfers: int, sent_bytes: int) -> None:
    luma = LumaBeside(chip)
    luma.display(Image.new("1", (128, 64)))
    assert luma.traffic == {"transfers": transfers, "i2c": sent_bytes}


@pytest.mark.parametrize("layout", ["boards-8", "wired-8"])
def test_every_figure_of_a_match_has_a_value(layout: str) -> None:
    assert all(figure.value is not None for figure in small_match(layout).figures)


@pytest.mark.parametrize("layout", ["boards-8", "wired-8"])
def test_no_fewer_bytes_are_sent_than_changed(layout: str) -> None:
    (ratio,) = (figure for figure in small_match(layout).figures if figure.name == "ours over bytes that changed")
    assert ratio.value is not None
    assert ratio.value >= 1


@pytest.mark.parametrize(
    ("module", "who"),
    [
        ("drivers.display.bus", DRIVERS),
        ("firmware_host.daemon.daemon", TABLE),
        ("firmware_host.play.robot", PLAYERS),
        ("hardware.emulated.hand", FAR_END),
        ("hardware.firmware.program", FAR_END),
        ("hardware.emulated.virtual_loop", LOOP),
        ("asyncio.futures", LOOP),
        ("driversx", LOOP),
        ("bench.tools.table", BENCH),
    ],
)
def test_cpu_is_booked_by_module(module: str, who: str) -> None:
    assert owner(module) == who


@pytest.mark.parametrize("flags", [(), (BOARDS_RUN,)])
def test_a_fresh_table_lights_a_panel_and_ends(flags: tuple[str, ...]) -> None:
    with processes.table("boards-8", *flags) as process:
        assert float(processes.word_of(process, "lit")) > 0
    assert process.returncode == 0


def test_the_kernel_knows_this_process() -> None:
    before = waits(os.getpid())
    assert before.threads >= 1
    assert before.cpu_ns > 0
    assert 0 < proportional_mib(os.getpid()) <= largest_mib(os.getpid())
