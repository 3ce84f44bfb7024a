"""Boards with an older program at a table: they are updated while nobody plays, and interrupted by whoever joins."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from drivers.messages import Message
from firmware_host.configuration import lookup
from firmware_host.devices.board_updates import BoardUpdates, OwnProgram
from firmware_host.devices.devices import Devices
from firmware_host.devices.link_report import board_lines
from firmware_host.wire import Seat
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.flash import flash_with, program
from hardware.emulated.table import EmulatedTable
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.link import messages as link
from hardware.link.framing import unframe

OLD, NEW = program(b"release1"), program(b"release2" + bytes(5000))
OWN = OwnProgram(b"release2", lambda: NEW)


class Bench:
    """The shipped table of eight boards and its drivers, with the updates' policy."""

    def __init__(self, loop: VirtualLoop, opened: ExitStack, image: bytes | None) -> None:
        layout = lookup.layout("boards-8")
        self.names = [seat.name for seat in layout.seats]
        self.table = opened.enter_context(EmulatedTable(layout, loop, seed=1, image=image))
        posted: list[Message] = []
        self.devices = Devices(layout, self.table, loop=loop, post=posted.append)
        opened.callback(lambda: loop.run_until_complete(self.devices.__aexit__(None, None, None)))
        self.told: list[tuple[Seat, ...]] = []
        self.updates = BoardUpdates(self.devices.links, loop=loop, load=lambda: OWN, tell=self.told.append)
        opened.callback(self.updates.close)

    @property
    def boards(self) -> list[EmulatedCup]:
        return [port for port in self.table.ports.values() if isinstance(port, EmulatedCup)]

    def releases(self) -> list[str]:
        return [bytes.fromhex(facts.release_name).decode() for facts in self.devices.links.facts()]

    def lines(self) -> tuple[str, ...]:
        return board_lines(OWN.release, self.devices.links.facts(), self.names)


Make = Callable[[bytes | None], Bench]


@pytest.fixture
def make(loop: VirtualLoop) -> Iterator[Make]:
    with ExitStack() as opened:
        yield lambda image: Bench(loop, opened, image)


@pytest.fixture
def wait(loop: VirtualLoop) -> Callable[[float], None]:
    return lambda duration_s: loop.run_until_complete(asyncio.sleep(duration_s))


def test_eight_boards_are_updated_by_themselves_once_nobody_plays(make: Make, wait: Callable[[float], None]) -> None:
    bench = make(OLD)
    wait(3)
    assert bench.releases() == ["release1"] * 8
    bench.updates.set_free(True)
    wait(4)
    assert bench.releases() == ["release2"] * 8


def test_somebody_who_joins_interrupts_an_update_and_it_goes_on_later(
    make: Make, wait: Callable[[float], None]
) -> None:
    bench = make(OLD)
    wait(1)
    bench.updates.set_free(True)
    wait(0.3)
    bench.updates.set_free(False)
    wait(5)
    assert bench.releases() == ["release1"] * 8
    assert [board.plugged for board in bench.boards] == [1] * 8
    bench.updates.set_free(True)
    wait(4)
    assert bench.releases() == ["release2"] * 8


def test_a_board_that_is_plugged_in_later_is_updated_then(make: Make, wait: Callable[[float], None]) -> None:
    bench = make(OLD)
    bench.boards[3].unplug()
    bench.updates.set_free(True)
    wait(5)
    assert "away" in bench.lines()[4]
    bench.boards[3].plug()
    wait(5)
    assert bench.releases() == ["release2"] * 8


def test_a_release_that_does_not_start_is_tried_once_and_again_when_staff_ask(
    make: Make, loop: VirtualLoop, wait: Callable[[float], None]
) -> None:
    bench = make(OLD)
    bench.boards[0].broken.add(b"release2")
    bench.updates.set_free(True)
    wait(60)
    assert bench.releases() == ["release1"] + ["release2"] * 7
    plugged = bench.boards[0].plugged
    wait(60)
    assert bench.boards[0].plugged == plugged
    assert "the new one did not start" in bench.lines()[1]
    bench.boards[0].broken.clear()
    assert loop.run_until_complete(bench.updates.update())
    wait(10)
    assert bench.releases() == ["release2"] * 8


def test_staff_cannot_update_while_somebody_plays(make: Make, loop: VirtualLoop) -> None:
    assert not loop.run_until_complete(make(OLD).updates.update())


def test_boards_without_updates_are_left_alone_and_told_to_the_owner(make: Make, wait: Callable[[float], None]) -> None:
    bench = make(None)
    bench.updates.set_free(True)
    wait(5)
    own, *lines = bench.lines()
    assert own == "this release: 72656c6561736532"
    assert len(lines) == 8
    assert all("release unknown; update it once with the paper clip" in line for line in lines)
    assert bench.updates.by_clip == tuple(range(8))


def test_an_old_program_is_told_to_the_owner_once_though_its_board_comes_and_goes(
    make: Make, wait: Callable[[float], None]
) -> None:
    bench = make(NEW)
    wait(2)
    board = bench.boards[3]
    board.unplug()
    board.flash = None
    for _ in range(3):
        board.plug()
        wait(3)
        bench.boards[4].unplug()
        bench.boards[4].plug()
        wait(3)
        board.unplug()
        wait(3)
    assert bench.told == [(3,)]
    board.flash = flash_with(NEW)
    board.plug()
    wait(3)
    assert bench.told == [(3,), ()]


class BadLine:
    """The line from a board to the host. It loses the reports sent while `loses`, and delivers the rest, in order,
    after `delay_s`.
    """

    def __init__(self, board: EmulatedCup, loop: VirtualLoop, loses: Callable[[], bool], delay_s: float = 0.0) -> None:
        self.lost = 0
        self._loop = loop
        self._send, board._line.send = board._line.send, self.send  # type: ignore[method-assign]
        self._loses = loses
        self._delay_s = delay_s
        self._under_way: deque[bytes] = deque()

    def send(self, data: bytes) -> None:
        """Take a frame from the board."""
        _, message = link.from_body(unframe(data.strip(b"\0")))
        if isinstance(message, link.Running) and self._loses():
            self.lost += 1
        else:
            self._under_way.append(data)
            self._loop.call_later(self._delay_s, lambda: self._send(self._under_way.popleft()))


@pytest.mark.parametrize("delay_s", [0.0, 0.5, 1.0, 2.5])
def test_a_slow_board_whose_report_was_lost_is_asked_again_and_the_owner_is_told_nothing(
    make: Make, loop: VirtualLoop, wait: Callable[[float], None], delay_s: float
) -> None:
    bench = make(NEW)
    line = BadLine(bench.boards[0], loop, lambda: not bench.devices.links.facts()[0].is_up, delay_s)
    wait(20)
    assert line.lost
    assert bench.told == []
    assert bench.releases() == ["release2"] * 8


@pytest.mark.parametrize("delay_s", [0.0, 0.5, 1.0, 2.5])
def test_a_slow_board_with_an_old_program_is_told_to_the_owner(
    make: Make, loop: VirtualLoop, wait: Callable[[float], None], delay_s: float
) -> None:
    bench = make(NEW)
    BadLine(bench.boards[0], loop, lambda: True, delay_s)
    wait(90)
    assert bench.told == [(0,)]


def test_a_line_tells_seat_id_release_wiring_and_the_last_error(make: Make, wait: Callable[[float], None]) -> None:
    bench = make(NEW)
    wait(2)
    bench.boards[0].unplug()
    wait(2)
    bench.boards[0].plug()
    wait(2)
    board, name = bench.boards[0].fitted.identity, bench.names[0]
    parts = "with a cup, buttons, a DUDO button, a display, a light"
    assert bench.lines()[1].startswith(f"{name}: board {board}; release 72656c6561736532; {parts}")
    assert "lost last: the board was unplugged" in bench.lines()[1]
    assert bench.lines()[2].endswith("never lost")
