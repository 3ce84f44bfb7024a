"""A program sent to boards at a Pico's pace: it arrives, in spite of a bad cable, and a broken one gives way."""

import random
from collections.abc import Callable, Iterator

import pytest
from support.link.faulty_cable import FaultyCable

from drivers.link.seat_board import SeatBoard
from drivers.link.transfer import MAX_TRIES, REJECTED, RETRY_S, ProgramImage
from drivers.messages import Device, Found, Lost, Message
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.flash import MemoryFlash, flash_with, program
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig
from hardware.firmware.loader import LOADER
from hardware.link import messages as link

Wait = Callable[[float], None]

OLD, NEW = program(b"release1"), ProgramImage(program(b"release2" + random.Random(2).randbytes(35_000)))

pytestmark = pytest.mark.usefixtures("unraised")


class Bench:
    """Some boards with an old program, each with its driver behind a cable of its own."""

    def __init__(self, count: int, loop: VirtualLoop, post: Callable[[Message], None]) -> None:
        fitted = [DeviceConfig(f"BOARD{n}", buttons=link.BUTTON_NAMES, panel="ssd1309") for n in range(count)]
        self.boards = [EmulatedCup(each, loop, seed=1, flash=flash_with(OLD, is_atomic=True)) for each in fitted]
        self.cables = [FaultyCable(board.open, loop, random.Random(n)) for n, board in enumerate(self.boards)]
        self.drivers = [SeatBoard(n, cable.open, loop=loop, post=post) for n, cable in enumerate(self.cables)]
        self.board, self.cable, self.driver = self.boards[0], self.cables[0], self.drivers[0]

    @property
    def flash(self) -> MemoryFlash:
        assert self.board.flash is not None
        return self.board.flash

    def close(self) -> None:
        for driver, cable, board in zip(self.drivers, self.cables, self.boards, strict=True):
            driver.close()
            cable.close()
            board.close()


def releases(bench: Bench) -> set[bytes | None]:
    return {None if driver.program.running is None else driver.program.running.release for driver in bench.drivers}


@pytest.fixture
def bench(
    request: pytest.FixtureRequest, loop: VirtualLoop, inbox: Callable[[Message], None], wait: Wait
) -> Iterator[Bench]:
    bench = Bench(getattr(request, "param", 1), loop, inbox)
    wait(1)
    yield bench
    bench.close()


def test_a_board_tells_its_release_and_its_loader(bench: Bench) -> None:
    assert bench.driver.program.running == link.Running(b"release1", LOADER)


@pytest.mark.parametrize("bench", [8], indirect=True)
def test_eight_boards_take_a_program_at_once_and_start_it_within_eight_seconds(
    bench: Bench, loop: VirtualLoop, wait: Wait
) -> None:
    began_s = loop.time()
    for driver in bench.drivers:
        driver.program.install(NEW)
    while any(driver.program.is_installing for driver in bench.drivers):
        wait(0.1)
    assert loop.time() - began_s < 8
    assert releases(bench) == {NEW.release}
    assert {board.flash.files["slot"] for board in bench.boards if board.flash} == {b"b"}


def test_a_board_is_away_for_less_than_a_second_and_only_at_the_end(
    bench: Bench, loop: VirtualLoop, wait: Wait, inbox: list[Message]
) -> None:
    inbox.clear()
    came: list[tuple[float, Message]] = []
    bench.driver.program.install(NEW)
    for _ in range(1000):
        wait(0.01)
        came += [(loop.time(), message) for message in inbox]
        inbox.clear()
    (_, lost), *_, (found_s, found) = came
    assert (type(lost), found) == (Lost, Found(0, Device.BOARD))
    assert found_s - came[0][0] < 1


@pytest.mark.parametrize("rate", [0.02, 0.2])
def test_a_bad_cable_only_makes_it_slower(bench: Bench, wait: Wait, rate: float) -> None:
    bench.cable.set_rate(rate)
    bench.driver.program.install(NEW)
    wait(60)
    bench.cable.set_rate(0)
    wait(30)
    assert releases(bench) == {NEW.release}


@pytest.mark.parametrize("after_s", [0.3, 1.7, 3.1, 4.0])
def test_a_cable_pulled_in_the_middle_begins_again_when_it_is_back(bench: Bench, wait: Wait, after_s: float) -> None:
    bench.driver.program.install(NEW)
    wait(after_s)
    bench.board.unplug()
    wait(2)
    bench.board.plug()
    wait(20)
    assert releases(bench) == {NEW.release}
    assert not bench.driver.program.is_installing


def test_a_program_that_never_says_hello_gives_way_to_the_old_one(bench: Bench, wait: Wait) -> None:
    bench.board.broken.add(NEW.release)
    bench.driver.program.install(NEW)
    wait(30)
    assert bench.driver.program.running == link.Running(b"release1", LOADER, NEW.release)
    assert (bench.driver.program.is_installing, bench.driver.program.fault) == (False, REJECTED)


def test_a_stopped_transfer_goes_on_where_it_was(bench: Bench, loop: VirtualLoop, wait: Wait) -> None:
    bench.driver.program.install(NEW)
    wait(2)
    bench.driver.program.stop_installing()
    wait(5)
    assert releases(bench) == {b"release1"}
    bench.driver.program.install(NEW)
    wait(3.5)
    assert releases(bench) == {NEW.release}


def test_a_full_flash_is_told(bench: Bench, wait: Wait) -> None:
    bench.flash.room = 2000
    bench.driver.program.install(NEW)
    wait(5)
    assert bench.driver.program.fault == "can't write its flash; update it with the paper clip"
    assert bench.driver.is_up


def test_a_board_without_updates_is_given_up(loop: VirtualLoop, inbox: Callable[[Message], None], wait: Wait) -> None:
    old = EmulatedCup(DeviceConfig("BOARD1", buttons=link.BUTTON_NAMES, panel="ssd1309"), loop, seed=1)
    driver = SeatBoard(0, old.open, loop=loop, post=inbox)
    wait(1)
    assert (driver.is_up, driver.program.running) == (True, None)
    driver.program.install(NEW)
    wait(MAX_TRIES * RETRY_S + 1)
    assert (driver.program.is_installing, driver.program.fault) == (False, "does not answer to its new program")
    assert driver.is_up
    driver.close()
    old.close()
