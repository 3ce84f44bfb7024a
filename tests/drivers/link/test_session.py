"""Cups and boards on emulated cables: the real drivers against the cup's real program."""

import os
import random
import socket
import termios
from collections.abc import Callable
from contextlib import ExitStack

import pytest
import serial
from PIL import Image, ImageDraw
from support import rest_slow

from drivers.link.devices import SerialCup
from drivers.link.seat_board import SeatBoard
from drivers.messages import Button, Device, Found, Levelled, Lost, Message, Pressed, Released, Settled, Shaken, Tilted
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.line import EmulatedPort
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig

Wait = Callable[[float], None]
ALL = ("left", "right", "ok", "dudo")

pytestmark = pytest.mark.usefixtures("unraised")


@pytest.fixture
def cup(loop: VirtualLoop, opened: ExitStack) -> EmulatedCup:
    cup = EmulatedCup(DeviceConfig("CUP0001"), loop, seed=1)
    opened.callback(cup.close)
    return cup


@pytest.fixture
def board(loop: VirtualLoop, opened: ExitStack) -> EmulatedCup:
    board = EmulatedCup(DeviceConfig("BOARD01", buttons=ALL, panel="sh1106"), loop, seed=1)
    opened.callback(board.close)
    return board


@pytest.fixture
def cup_driver(cup: EmulatedCup, loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait) -> SerialCup:
    driver = SerialCup(2, cup.open, loop=loop, post=inbox)  # type: ignore[arg-type]
    opened.enter_context(driver)
    wait(0.7)
    return driver


@pytest.fixture
def board_driver(
    board: EmulatedCup, loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait
) -> SeatBoard:
    driver = SeatBoard(3, board.open, loop=loop, post=inbox)  # type: ignore[arg-type]
    opened.enter_context(driver)
    wait(0.7)
    return driver


def picture(words: str) -> Image.Image:
    image = Image.new("1", (128, 64))
    ImageDraw.Draw(image).text((9, 20), words, fill=1)
    return image


def kinds(inbox: list[Message]) -> list[type[Message]]:
    return [type(message) for message in inbox]


# A cup that plays by the rules.


@pytest.mark.usefixtures("cup_driver")
def test_a_cup_that_says_hello_is_found(inbox: list[Message]) -> None:
    assert inbox == [Found(2, Device.CUP)]


@pytest.mark.usefixtures("cup_driver")
def test_what_a_hand_does_with_a_cup_comes_in_order(cup: EmulatedCup, inbox: list[Message], wait: Wait) -> None:
    cup.hand.shake()
    wait(2)
    cup.hand.tilt()
    wait(1)
    cup.hand.level()
    wait(1)
    assert kinds(inbox) == [Found, Shaken, Settled, Tilted, Levelled]


@pytest.mark.usefixtures("cup_driver")
def test_a_cup_with_a_program_keeps_its_entropy_to_itself(cup: EmulatedCup, inbox: list[Message], wait: Wait) -> None:
    cup.hand.shake()
    wait(3)
    assert [m.entropy for m in inbox if isinstance(m, Settled)] == [b""]


@pytest.mark.usefixtures("cup_driver")
def test_an_event_that_is_not_acknowledged_is_posted_once(cup: EmulatedCup, inbox: list[Message], wait: Wait) -> None:
    cup.hand.tilt()
    wait(30)
    assert kinds(inbox) == [Found, Tilted]


def test_an_acknowledged_event_is_forgotten_by_the_cup(
    cup: EmulatedCup, cup_driver: SerialCup, inbox: list[Message], wait: Wait
) -> None:
    cup.hand.tilt()
    wait(1)
    assert isinstance(inbox[-1], Tilted)
    assert inbox[-1].event is not None
    cup_driver.acknowledge(inbox[-1].event)
    wait(0.1)
    assert cup._program is not None
    assert cup._program.outbox.due_ns is None


def test_an_event_becomes_durable_while_the_cable_is_out_and_is_acknowledged_later(
    cup: EmulatedCup, inbox: list[Message], loop: VirtualLoop, opened: ExitStack, wait: Wait
) -> None:
    ports: list[EmulatedPort] = []

    def open_port() -> EmulatedPort:
        ports.append(cup.open())
        return ports[-1]

    driver = SerialCup(2, open_port, loop=loop, post=inbox)  # type: ignore[arg-type]
    opened.enter_context(driver)
    wait(0.1)
    cup.hand.tilt()
    wait(1)
    tilted = inbox[-1]
    assert isinstance(tilted, Tilted)
    ports[-1].pull()
    wait(0.1)
    ports[-1].close()
    driver.acknowledge(tilted.event or 0)
    wait(5)
    assert cup._program is not None
    assert (cup._program.outbox.due_ns, driver.is_up) == (None, True)


def test_stamps_are_on_the_hosts_clock(
    board: EmulatedCup, board_driver: SeatBoard, loop: VirtualLoop, inbox: list[Message], wait: Wait
) -> None:
    wait(100)
    at_ns = round(loop.time() * 1e9)
    board.hand.press("ok")
    wait(1)
    pressed = inbox[-1]
    assert isinstance(pressed, Pressed)
    assert board_driver.clock_error_ns is not None
    assert abs(pressed.at_ns - at_ns) <= board_driver.clock_error_ns


# Cables.


@pytest.mark.usefixtures("cup_driver")
def test_an_unplugged_cup_is_lost_once_and_found_within_a_second(
    cup: EmulatedCup, inbox: list[Message], wait: Wait
) -> None:
    cup.unplug()
    wait(60)
    cup.plug()
    wait(1)
    assert inbox[1:] == [Lost(2, Device.CUP, "the cup was unplugged"), Found(2, Device.CUP)]


def test_a_cup_that_was_never_there_is_lost_and_found_when_it_comes(
    cup: EmulatedCup, loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait
) -> None:
    cup.unplug()
    opened.enter_context(SerialCup(2, cup.open, loop=loop, post=inbox))  # type: ignore[arg-type]
    wait(10)
    cup.plug()
    wait(1)
    assert inbox == [Lost(2, Device.CUP, "the cup is not there: CUP0001 is not plugged in"), Found(2, Device.CUP)]


@pytest.mark.usefixtures("cup_driver")
def test_a_cup_that_was_unplugged_is_heard_when_it_is_back(cup: EmulatedCup, inbox: list[Message], wait: Wait) -> None:
    cup.hand.shake()
    wait(2)
    cup.unplug()
    wait(1)
    cup.plug()
    wait(1)
    cup.hand.tilt()
    wait(1)
    assert kinds(inbox) == [Found, Shaken, Settled, Lost, Found, Tilted]


def wrapped(error: OSError) -> serial.SerialException:
    """Return an error as pyserial tells it: in words of its own, raised while the system's is handled."""
    wrapper = serial.SerialException(f"write failed: {error}")
    wrapper.__context__ = error
    return wrapper


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (serial.SerialException("device reports readiness to read but returned no data"), "was unplugged"),
        (OSError(5, "Input/output error"), "was unplugged"),
        (termios.error(5, "Input/output error"), "was unplugged"),
        (wrapped(OSError(5, "Input/output error")), "was unplugged"),
        (wrapped(OSError(12, "Cannot allocate memory")), "was unplugged: Cannot allocate memory"),
        (termios.error(12, "Cannot allocate memory"), "was unplugged: Cannot allocate memory"),
    ],
    ids=repr,
)
def test_whatever_pyserial_raises_the_cup_is_lost_in_words_for_a_player(
    error: Exception, why: str, cup: EmulatedCup, loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait
) -> None:
    class FailingPort(EmulatedPort):
        def read(self, size: int = 1, /) -> bytes:
            raise error

    near, far = socket.socketpair()
    opened.callback(far.close)
    opened.enter_context(SerialCup(2, lambda: FailingPort(near), loop=loop, post=inbox))  # type: ignore[arg-type]
    far.send(b"x")
    wait(0.1)
    assert inbox == [Lost(2, Device.CUP, f"the cup {why}")]


def test_a_closed_driver_says_nothing_more(
    cup: EmulatedCup, cup_driver: SerialCup, inbox: list[Message], wait: Wait
) -> None:
    cup_driver.close()
    cup.hand.shake()
    cup.unplug()
    wait(10)
    assert inbox == [Found(2, Device.CUP)]


class NoisyPort(EmulatedPort):
    """A cable that flips a bit of some chunks, loses some and doubles some, both ways, until it is repaired."""

    def __init__(self, end: socket.socket, rng: random.Random) -> None:
        super().__init__(end)
        self._rng = rng
        self.repaired = False

    def read(self, size: int = 1, /) -> bytes:
        return self._spoil(super().read(size))

    def write(self, data: bytes, /) -> int:
        super().write(self._spoil(data))
        return len(data)

    def _spoil(self, data: bytes) -> bytes:
        if self.repaired or not data or self._rng.random() > 0.1:
            return data
        flipped = bytearray(data)
        flipped[self._rng.randrange(len(data))] ^= 1 << self._rng.randrange(8)
        return self._rng.choice([b"", data + data, data[: len(data) // 2], bytes(flipped)])


@pytest.mark.parametrize("seed", rest_slow(*range(5)))
def test_over_a_noisy_cable_no_event_is_lost_doubled_or_wrong(
    seed: int, board: EmulatedCup, loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait
) -> None:
    rng, ports = random.Random(seed), []

    def open_port() -> EmulatedPort:
        ports.append(NoisyPort(socket.socket(fileno=os.dup(board.open().fileno())), rng))
        return ports[-1]

    driver = SeatBoard(3, open_port, loop=loop, post=inbox)  # type: ignore[arg-type]
    opened.enter_context(driver)
    wait(2)
    pressed = []
    for count in range(200):
        button = rng.choice(ALL)
        pressed += [(Pressed, button), (Released, button)]
        board.hand.press(button)
        wait(0.05)
        board.hand.release(button)
        driver.show(picture(f"{count} dice"))
        wait(0.05)
        for message in inbox:
            if isinstance(message, Pressed | Released):
                driver.acknowledge(message.event or 0)
    ports[-1].repaired = True
    wait(1)
    received = [(type(message), message.button) for message in inbox if isinstance(message, Pressed | Released)]
    assert received == pressed
    assert board.picture().tobytes() == picture("199 dice").tobytes()


# Buttons and display.


@pytest.mark.usefixtures("board_driver")
def test_buttons_of_a_board_are_pressed_and_released(board: EmulatedCup, inbox: list[Message], wait: Wait) -> None:
    board.hand.press("dudo")
    wait(0.1)
    board.hand.release("dudo")
    wait(0.1)
    pressed, released = inbox[1:]
    assert isinstance(pressed, Pressed)
    assert isinstance(released, Released)
    assert pressed.button is released.button is Button.DUDO


def test_the_display_shows_the_latest_picture(board: EmulatedCup, board_driver: SeatBoard, wait: Wait) -> None:
    for count in range(20):
        board_driver.show(picture(f"{count} dice"))
    wait(0.1)
    assert board.picture().tobytes() == picture("19 dice").tobytes()
    assert board_driver.is_shown


def test_pictures_shown_one_after_the_other_all_arrive(board: EmulatedCup, board_driver: SeatBoard, wait: Wait) -> None:
    for count in range(20):
        board_driver.show(picture(f"{count} dice"))
        wait(0.05)
        assert board.picture().tobytes() == picture(f"{count} dice").tobytes()


@pytest.mark.parametrize("first", [True, False])
def test_hiding_does_not_wait_for_the_answer_to_the_picture_before(
    first: bool, board: EmulatedCup, board_driver: SeatBoard, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    board.hand.press("ok")
    board_driver.show(picture("hello"))
    wait(0.2)
    with monkeypatch.context() as patch:
        patch.setattr(board_driver, "_handle_other", lambda _: None)  # noise ate it
        board_driver.show(picture("dice"), dice=[(0, 16, 128, 16)])
        wait(0.09)
        assert board.picture().tobytes() == picture("dice").tobytes()
        board_driver.show(picture("covered"), first=first)
        wait(0.1)
        assert (board.picture().tobytes() == picture("covered").tobytes()) is first
    wait(1)
    assert board.picture().tobytes() == picture("covered").tobytes()
    assert board_driver.is_shown


def test_a_board_that_is_back_shows_the_picture_of_now(board: EmulatedCup, board_driver: SeatBoard, wait: Wait) -> None:
    board_driver.show(picture("before"))
    wait(0.1)
    board.unplug()
    wait(2)
    board_driver.show(picture("now"))
    board.plug()
    wait(1)
    assert board.picture().tobytes() == picture("now").tobytes()


def test_a_boards_panel_is_lost_and_found_by_itself(
    board: EmulatedCup, board_driver: SeatBoard, inbox: list[Message], wait: Wait
) -> None:
    board.panel_answers = False
    board_driver.show(picture("dark"))
    wait(3)
    board.panel_answers = True
    wait(1)
    assert [(type(m), m.device) for m in inbox[1:] if isinstance(m, Lost | Found)] == [
        (Lost, Device.PANEL),
        (Found, Device.PANEL),
    ]
    assert board.picture().tobytes() == picture("dark").tobytes()


def test_a_closed_board_is_dark(board: EmulatedCup, board_driver: SeatBoard, wait: Wait) -> None:
    board_driver.show(picture("secret"))
    wait(0.1)
    board_driver.close()
    wait(0.1)
    assert board.picture().getbbox() is None


def test_a_picture_of_another_size_is_refused(board_driver: SeatBoard) -> None:
    with pytest.raises(ValueError, match="128"):
        board_driver.show(Image.new("1", (64, 48)))
