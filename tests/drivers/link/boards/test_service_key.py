"""The service key at a seat board: it turns, its board is unplugged or has no input for it, and it sticks."""

import logging
from collections.abc import Callable, Iterator

import pytest

from drivers.link.seat_board import SeatBoard
from drivers.messages import KeyTurned, Message
from drivers.service_key import STUCK_S
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig
from hardware.link import messages as link

SEAT = 2
KEYED = DeviceConfig("BOARD01", buttons=link.BUTTON_NAMES, panel="ssd1309", key=True)
BEFORE = DeviceConfig("BOARD01", buttons=link.BUTTON_NAMES, panel="ssd1309")

Wait = Callable[[float], None]
pytestmark = pytest.mark.usefixtures("unraised")


@pytest.fixture(params=[KEYED])
def board(request: pytest.FixtureRequest, loop: VirtualLoop) -> Iterator[EmulatedCup]:
    board = EmulatedCup(request.param, loop, seed=1)
    yield board
    board.close()


@pytest.fixture
def driver(board: EmulatedCup, loop: VirtualLoop, inbox: list[Message], wait: Wait) -> Iterator[SeatBoard]:
    driver = SeatBoard(SEAT, board.open, loop=loop, post=inbox, identity="BOARD01", has_key=True)  # type: ignore[arg-type]
    wait(1)
    yield driver
    driver.close()


def turns(inbox: list[Message]) -> list[bool]:
    return [message.is_on for message in inbox if isinstance(message, KeyTurned) and message.seat == SEAT]


@pytest.mark.usefixtures("driver")
def test_a_key_at_a_board_is_turned_on_and_back(board: EmulatedCup, wait: Wait, inbox: list[Message]) -> None:
    board.hand.press("key")
    wait(1)
    board.hand.release("key")
    wait(1)
    assert turns(inbox) == [True, False]


@pytest.mark.usefixtures("driver")
def test_a_turn_is_forgotten_by_the_board_although_nothing_is_durable(
    board: EmulatedCup, wait: Wait, inbox: list[Message], driver: SeatBoard
) -> None:
    board.hand.press("key")
    wait(1)
    driver.close()
    again = SeatBoard(SEAT, board.open, loop=driver._loop, post=inbox, identity="BOARD01", has_key=True)  # type: ignore[arg-type]
    wait(1)
    again.close()
    assert turns(inbox) == [True, False]  # closed with the driver, and not opened by the same turn again


@pytest.mark.usefixtures("driver")
def test_a_board_that_is_unplugged_with_its_key_on_turns_it_off(
    board: EmulatedCup, wait: Wait, inbox: list[Message]
) -> None:
    board.hand.press("key")
    wait(1)
    board.unplug()
    wait(5)
    assert turns(inbox) == [True, False]
    board.plug()
    wait(5)
    assert turns(inbox) == [True, False]
    board.hand.release("key")
    wait(1)
    board.hand.press("key")
    wait(1)
    assert turns(inbox) == [True, False, True]


@pytest.mark.usefixtures("driver")
def test_a_key_that_stays_on_is_logged(board: EmulatedCup, wait: Wait, caplog: pytest.LogCaptureFixture) -> None:
    board.hand.press("key")
    with caplog.at_level(logging.WARNING):
        wait(STUCK_S + 1)
    assert [record.getMessage() for record in caplog.records] == [
        "the service key at BOARD01 has been on for 10 minutes: turn the key back, or look for a short"
    ]


@pytest.mark.parametrize("board", [BEFORE], indirect=True)
def test_a_board_without_an_input_for_the_key_is_logged_once_and_plays(
    board: EmulatedCup, loop: VirtualLoop, inbox: list[Message], wait: Wait, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        driver = SeatBoard(SEAT, board.open, loop=loop, post=inbox, identity="BOARD01", has_key=True)  # type: ignore[arg-type]
        wait(60)
        board.unplug()
        wait(5)
        board.plug()
        wait(5)
    assert driver.is_up
    driver.close()
    (said,) = [record.getMessage() for record in caplog.records]
    assert said.startswith("the service key does not work: the board BOARD01 has no input for it; set KEY")


def test_a_key_that_the_layout_does_not_have_is_ignored(
    board: EmulatedCup, loop: VirtualLoop, inbox: list[Message], wait: Wait
) -> None:
    driver = SeatBoard(SEAT, board.open, loop=loop, post=inbox, identity="BOARD01")  # type: ignore[arg-type]
    wait(1)
    board.hand.press("key")
    wait(1)
    driver.close()
    assert turns(inbox) == []
