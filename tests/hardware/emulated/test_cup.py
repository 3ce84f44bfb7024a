"""Cups and boards in memory: the real program at the far end of an emulated line, on virtual time."""

import asyncio
import binascii
from collections.abc import Callable, Iterator

import pytest
import serial

from hardware.config.layout import SerialDevice, TiltSwitch, load_builtin
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.line import EmulatedLine, EmulatedPort
from hardware.emulated.table import EmulatedTable
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig
from hardware.link import messages as link
from hardware.link.framing import FrameParser, frame
from hardware.link.oled import DisplayMode

BOARD = DeviceConfig("BOARD01", buttons=link.BUTTON_NAMES, panel="sh1106", light=True)
BOOTED_S = 0.5
Wait = Callable[[float], None]


@pytest.fixture
def wait(loop: VirtualLoop) -> Wait:
    return lambda duration_s: loop.run_until_complete(asyncio.sleep(duration_s))


class Host:
    """The host's end of a line: what every address behind it said."""

    def __init__(self, port: EmulatedPort) -> None:
        self.port = port
        self._parser = FrameParser()
        self.received: list[tuple[int, link.LinkMessage]] = []

    def send(self, message: link.LinkMessage, address: int = 0) -> None:
        self.port.write(frame(link.to_body(address, message)))

    def receive(self) -> list[tuple[int, link.LinkMessage]]:
        for body in self._parser.feed(self.port.read(1 << 16)):
            address, message = link.from_body(body)
            assert message is not None
            self.received.append((address, message))
        return self.received

    def events(self) -> list[int]:
        kinds = {(address, m.number): m.what for address, m in self.receive() if isinstance(m, link.Event)}
        return [kinds[key] for key in sorted(kinds)]


@pytest.fixture(params=[False, True], ids=["switch", "LIS3DH"])
def board(request: pytest.FixtureRequest, loop: VirtualLoop, wait: Wait) -> Iterator[EmulatedCup]:
    board = EmulatedCup(BOARD, loop, seed=1, accelerometer=request.param)
    wait(BOOTED_S)
    yield board
    board.close()


def test_a_cup_is_shaken_settles_and_is_looked_under(board: EmulatedCup, wait: Wait) -> None:
    host = Host(board.open())
    wait(1)
    board.hand.shake(1.5)
    wait(4)
    board.hand.tilt()
    wait(2)
    board.hand.level()
    wait(2)
    assert host.events() == [link.SHAKEN, link.SETTLED, link.TILTED, link.LEVELLED]


def test_a_knock_is_nothing_and_a_slam_ends_a_shake(board: EmulatedCup, wait: Wait) -> None:
    host = Host(board.open())
    board.hand.knock()
    wait(2)
    board.hand.shake(1.5)
    wait(1.6)
    board.hand.slam()
    wait(2)
    assert host.events() == [link.SHAKEN, link.SETTLED]


def test_a_lifted_cup_lights_dice_and_they_go_when_it_comes_down(board: EmulatedCup, wait: Wait) -> None:
    host = Host(board.open())
    dice = b"\x66" * 1024
    board.hand.tilt()
    wait(1)
    host.send(link.Ping(1, 500))
    host.send(link.Picture(1, 0, binascii.crc32(dice), DisplayMode(), link.whole_picture(dice), True, True))
    wait(0.2)
    assert (board.picture().getbbox() is not None, board.lamp) == (True, True)
    board.hand.level()
    wait(0.3)
    assert (board.picture().getbbox(), board.lamp) == (None, True)


def test_a_pulled_board_is_dark_and_forgets_and_its_light_goes_out(board: EmulatedCup, wait: Wait) -> None:
    host = Host(board.open())
    lit = b"\xff" * 1024
    host.send(link.Picture(1, 0, binascii.crc32(lit), DisplayMode(), link.whole_picture(lit), False, True))
    wait(0.2)
    changes: list[tuple[bool, bool]] = []
    board.watch(lambda: changes.append((board.picture().getbbox() is None, board.lamp)))
    board.unplug()
    board.plug()
    assert (True, False) in changes
    wait(BOOTED_S)
    host = Host(board.open())
    host.send(link.Ask())
    wait(0.1)
    boots = [m.boot for _, m in host.receive() if isinstance(m, link.Hello)]
    assert len(boots) == 1
    assert board.plugged == 2


def test_a_finger_that_was_on_a_button_through_a_pull_presses_nothing(board: EmulatedCup, wait: Wait) -> None:
    board.hand.press("ok")
    wait(0.6)
    board.unplug()
    board.plug()
    host = Host(board.open())
    wait(0.1)
    board.hand.release("ok")
    wait(0.1)
    assert host.events() == []


# Several cups on one line


@pytest.fixture
def radio(loop: VirtualLoop, wait: Wait) -> Iterator[tuple[EmulatedLine, list[EmulatedCup]]]:
    dongle = EmulatedLine("DONGLE", loop)
    cups = [EmulatedCup(DeviceConfig(f"C{n}", n), loop, seed=1, line=dongle) for n in (1, 2, 255)]
    wait(BOOTED_S)
    yield dongle, cups
    for cup in cups:
        cup.close()
    dongle.close()


Radio = tuple[EmulatedLine, list[EmulatedCup]]


def test_cups_behind_a_dongle_answer_to_their_own_addresses(radio: Radio, wait: Wait) -> None:
    host = Host(radio[0].open())
    for address in (1, 2, 3, 255):
        host.send(link.Ask(), address)
    wait(0.6)
    assert [(address, m.identity) for address, m in host.receive() if isinstance(m, link.Hello)] == [
        (1, "C1"),
        (2, "C2"),
        (255, "C255"),
    ]


def test_a_cup_without_its_battery_is_silent_and_the_others_go_on(radio: Radio, wait: Wait) -> None:
    dongle, cups = radio
    host = Host(dongle.open())
    cups[0].unplug()
    for address in (1, 2):
        host.send(link.Ping(address, 500), address)
    wait(0.6)
    assert [(address, m.token) for address, m in host.receive() if isinstance(m, link.Pong)] == [(2, 2)]
    assert dongle.is_plugged


def test_a_pulled_dongle_has_no_port_and_its_cups_forget_nothing(radio: Radio, wait: Wait) -> None:
    dongle, cups = radio
    host = Host(dongle.open())
    cups[1].hand.shake()
    wait(3)
    dongle.unplug()
    with pytest.raises(serial.SerialException):
        host.receive()
    with pytest.raises(FileNotFoundError):
        dongle.open()
    dongle.plug()
    host = Host(dongle.open())
    host.send(link.Ask(), 2)
    wait(0.1)
    assert host.events() == [link.SHAKEN, link.SETTLED]


def test_a_table_lays_cups_that_share_a_dongle(loop: VirtualLoop, wait: Wait) -> None:
    import msgspec

    layout = load_builtin("wired-4")
    assert isinstance(layout.seats[0].cup, TiltSwitch)
    seats = tuple(
        msgspec.structs.replace(seat, cup=SerialDevice("DONGLE", n)) for n, seat in enumerate(layout.seats, start=1)
    )
    with EmulatedTable(msgspec.structs.replace(layout, seats=seats), loop, seed=1) as table:
        host = Host(table.open_port("DONGLE"))  # type: ignore[arg-type]
        wait(BOOTED_S)
        table.seats[2].shake()
        wait(3)
        assert {address for address, m in host.receive() if isinstance(m, link.Event)} == {3}
