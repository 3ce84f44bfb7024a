"""A board's panel that comes and goes, pictures that it never takes, and its last acknowledgement."""

from collections.abc import Callable
from contextlib import ExitStack

import pytest
from PIL import Image
from support.link.scripted_device import BOARD, ScriptedDevice

from drivers.link.seat_board import SeatBoard
from drivers.messages import Device, Found, Lost, Message
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.link import messages as link

Wait = Callable[[float], None]

pytestmark = pytest.mark.usefixtures("unraised", "board")


@pytest.fixture
def scripted(loop: VirtualLoop) -> ScriptedDevice:
    return ScriptedDevice(loop, BOARD)


@pytest.fixture
def board(scripted: ScriptedDevice, loop: VirtualLoop, inbox: list[Message], opened: ExitStack) -> SeatBoard:
    return opened.enter_context(SeatBoard(2, scripted.open, loop=loop, post=inbox))  # type: ignore[arg-type]


def losses(inbox: list[Message]) -> list[str]:
    return [message.why for message in inbox if isinstance(message, Lost)]


def test_a_panel_that_comes_and_goes_is_not_told_each_time(
    scripted: ScriptedDevice, inbox: list[Message], wait: Wait
) -> None:
    wait(1)
    for number in range(600):
        scripted.send(link.PictureAck(1, 0, number % 2))
        wait(0.3)
    assert 2 <= len(inbox) <= 40


def test_a_panel_that_flickers_is_a_flood(scripted: ScriptedDevice, inbox: list[Message], wait: Wait) -> None:
    wait(1)
    for number in range(300):
        scripted.send(link.PictureAck(0, 0, number % 2))
    wait(1)
    assert losses(inbox)[1:] == ["the board talks without end: over 300 messages a second"]


def test_acknowledgements_of_pictures_that_were_never_sent_change_nothing(
    scripted: ScriptedDevice, board: SeatBoard, inbox: list[Message], wait: Wait
) -> None:
    board.show(Image.new("1", (128, 64), 1))
    wait(1)
    scripted.received.clear()
    for number in (0, 77, 65535):
        scripted.send(link.PictureAck(number, 12345, 1))
    wait(1)
    assert scripted.received_of(link.Picture) == []
    assert board.is_shown
    assert inbox == [Found(2, Device.BOARD)]


def test_a_board_that_tells_another_picture_gets_the_whole(
    scripted: ScriptedDevice, board: SeatBoard, wait: Wait
) -> None:
    board.show(Image.new("1", (128, 64), 1))
    wait(1)
    last = scripted.received_of(link.Picture)[-1]
    assert isinstance(last, link.Picture)
    scripted.received.clear()
    scripted.send(link.PictureAck(last.number, 12345, 1))
    wait(0.1)
    (whole,) = scripted.received_of(link.Picture)
    assert isinstance(whole, link.Picture)
    assert (whole.base, len(whole.windows)) == (link.NO_BASE, 8)


def test_a_board_that_never_holds_its_picture_is_told_ever_more_seldom_and_keeps_nobody_busy(
    scripted: ScriptedDevice, inbox: list[Message], wait: Wait
) -> None:
    scripted.takes_pictures = False
    pictures = 0
    for _ in range(12_000):
        for picture in scripted.received_of(link.Picture):
            assert isinstance(picture, link.Picture)
            scripted.send(link.PictureAck(picture.number, 1, 1))
            pictures += 1
        scripted.received.clear()
        wait(0.05)
    assert set(losses(inbox)) == {"the board never holds the picture that it was sent"}
    assert len(losses(inbox)) < 600 / 45
    assert pictures < 21 * len(losses(inbox)) + 21


def test_a_board_that_acknowledges_no_picture_gets_it_again_within_200_ms(scripted: ScriptedDevice, wait: Wait) -> None:
    scripted.takes_pictures = False
    wait(10)
    assert 10 / 0.2 <= len(scripted.received_of(link.Picture)) <= 10 / 0.1


def test_a_board_that_takes_no_picture_has_lost_its_panel_until_it_takes_one(
    scripted: ScriptedDevice, board: SeatBoard, inbox: list[Message], wait: Wait
) -> None:
    wait(1)
    scripted.takes_pictures = False
    board.show(Image.new("1", (128, 64), 1))
    wait(60)
    why = "the board takes short messages and no pictures; try another cable"
    assert inbox == [Found(2, Device.BOARD), Lost(2, Device.PANEL, why)]
    scripted.takes_pictures = True
    wait(1)
    assert inbox[2:] == [Found(2, Device.PANEL)]


def test_a_board_that_takes_no_picture_for_a_moment_has_lost_nothing(
    scripted: ScriptedDevice, board: SeatBoard, inbox: list[Message], wait: Wait
) -> None:
    wait(1)
    for moment_s in (2.5, 1.0, 2.5):
        scripted.takes_pictures = False
        board.show(Image.new("1", (128, 64), moment_s == 1.0))
        wait(moment_s)
        scripted.takes_pictures = True
        wait(1)
    assert inbox == [Found(2, Device.BOARD)]


def test_a_panel_that_is_lost_twice_over_is_found_when_both_are_repaired(
    scripted: ScriptedDevice, board: SeatBoard, inbox: list[Message], wait: Wait
) -> None:
    wait(1)
    scripted.send(link.PictureAck(0, 0, 0))
    scripted.takes_pictures = False
    board.show(Image.new("1", (128, 64), 1))
    wait(10)
    assert [type(message) for message in inbox] == [Found, Lost]
    scripted.takes_pictures = True
    wait(5)
    assert [type(message) for message in inbox] == [Found, Lost, Found]


def test_what_was_acknowledged_last_is_told_before_the_board_closes(
    scripted: ScriptedDevice, board: SeatBoard, wait: Wait
) -> None:
    wait(1)
    scripted.send(link.Event(5, 1, 1, link.TILTED))
    wait(0.1)
    board.acknowledge(5 << 32 | 1)
    board.close()
    wait(0.1)
    assert scripted.received_of(link.Ack) == [link.Ack(5, 1)]
