"""Cups behind one dongle: each is found, lost and left alone by itself, and the port serves them all."""

from collections.abc import Callable
from contextlib import ExitStack

import pytest
from support.link.scripted_device import ScriptedDevice

from drivers.link.devices import SerialCup
from drivers.link.port import SerialPort
from drivers.messages import Device, Found, Lost, Message, Shaken, Tilted
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.line import EmulatedLine
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig
from hardware.link import messages as link
from hardware.link.framing import frame

Wait = Callable[[float], None]

pytestmark = pytest.mark.usefixtures("unraised")


class Radio:
    """A dongle with cups at addresses 1 and 2, and a link to each."""

    def __init__(self, loop: VirtualLoop, inbox: list[Message], opened: ExitStack) -> None:
        self.dongle = EmulatedLine("DONGLE", loop)
        opened.callback(self.dongle.close)
        self.opened = 0
        self.line = SerialPort(self._open, loop=loop)  # type: ignore[arg-type]
        self.cups, self.links = [], []
        for address in (1, 2):
            cup = EmulatedCup(DeviceConfig(f"CUP-{address}", address), loop, seed=address, line=self.dongle)
            opened.callback(cup.close)
            self.cups.append(cup)
            self.links.append(SerialCup(address, self.line, loop=loop, post=inbox, address=address))
            opened.callback(self.links[-1].close)

    def _open(self) -> object:
        self.opened += 1
        return self.dongle.open()

    def flood(self, address: int, count: int = 50) -> None:
        self.dongle.send(frame(bytes([address, link.Ping.KIND])) * count)


@pytest.fixture
def radio(loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait) -> Radio:
    radio = Radio(loop, inbox, opened)
    wait(1)
    return radio


def of(seat: int, inbox: list[Message]) -> list[type[Message]]:
    return [type(message) for message in inbox if message.seat == seat]


def test_both_are_found_over_one_port(radio: Radio, inbox: list[Message]) -> None:
    assert sorted(inbox, key=lambda message: message.seat) == [Found(1, Device.CUP), Found(2, Device.CUP)]
    assert radio.opened == 1


def test_each_is_heard_as_itself(radio: Radio, inbox: list[Message], wait: Wait) -> None:
    radio.cups[0].hand.tilt()
    radio.cups[1].hand.shake()
    wait(0.9)
    assert of(1, inbox) == [Found, Tilted]
    assert of(2, inbox) == [Found, Shaken]


def test_each_is_acknowledged_by_itself(radio: Radio, inbox: list[Message], wait: Wait) -> None:
    for cup in radio.cups:
        cup.hand.tilt()
    wait(0.5)
    tilted = next(message for message in inbox if isinstance(message, Tilted) and message.seat == 2)
    assert tilted.event is not None
    radio.links[1].acknowledge(tilted.event)
    wait(0.1)
    programs = [cup._program for cup in radio.cups]
    assert [program.outbox.due_ns is None for program in programs if program] == [False, True]


def test_a_cup_without_power_is_lost_alone(radio: Radio, inbox: list[Message], wait: Wait) -> None:
    radio.cups[0].unplug()
    wait(60)
    radio.cups[1].hand.tilt()
    wait(1)
    assert inbox[2:3] == [Lost(1, Device.CUP, "the cup has not answered for 3 s")]
    assert of(2, inbox) == [Found, Tilted]
    assert radio.opened == 1


@pytest.mark.parametrize("away_s", [1, 10, 100])
def test_a_cup_that_has_power_again_is_found_within_a_second(
    away_s: float, radio: Radio, inbox: list[Message], wait: Wait
) -> None:
    radio.cups[0].unplug()
    wait(away_s)
    radio.cups[0].plug()
    wait(1)
    assert of(1, inbox) == [Found, Lost, Found]


def test_a_dongle_that_is_pulled_takes_both_and_brings_both_back_within_a_second(
    radio: Radio, inbox: list[Message], wait: Wait
) -> None:
    radio.dongle.unplug()
    wait(30)
    radio.dongle.plug()
    wait(1)
    assert of(1, inbox) == of(2, inbox) == [Found, Lost, Found]


def test_a_cup_that_floods_is_left_alone_and_the_other_goes_on(radio: Radio, inbox: list[Message], wait: Wait) -> None:
    for number in range(400):
        radio.flood(1)
        if number == 200:
            radio.cups[1].hand.shake()
        wait(0.05)
    why = "the cup talks without end: over 300 messages a second"
    found, *told = [message for message in inbox if message.seat == 1]
    assert found == Found(1, Device.CUP)
    # Both answer an Ask at the same moment, so the new one may be taken for a restart of the other at first.
    assert [each for each in told if each != Lost(1, Device.CUP, "the cup restarted")] == [Lost(1, Device.CUP, why)]
    assert of(2, inbox)[:2] == [Found, Shaken]
    assert Lost not in of(2, inbox)
    assert radio.opened == 1


def test_a_cup_that_is_nobodys_harms_nobody(radio: Radio, inbox: list[Message], wait: Wait) -> None:
    for _ in range(100):
        radio.flood(77, count=20)
        wait(0.05)
    assert of(1, inbox) == of(2, inbox) == [Found]


def test_two_cups_at_one_address_are_told_and_the_third_goes_on(
    radio: Radio, loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait
) -> None:
    twin = EmulatedCup(DeviceConfig("CUP-X", 1), loop, seed=9, line=radio.dongle)
    opened.callback(twin.close)
    wait(120)
    radio.cups[1].hand.tilt()
    wait(1)
    why = "the cup shares address 1 of its port with another cup; give each an address of its own"
    found, *told = [message for message in inbox if message.seat == 1]
    assert found == Found(1, Device.CUP)
    # Both answer an Ask at the same moment, so the new one may be taken for a restart of the other at first.
    assert [each for each in told if each != Lost(1, Device.CUP, "the cup restarted")] == [Lost(1, Device.CUP, why)]
    assert of(2, inbox) == [Found, Tilted]


def test_the_port_is_closed_when_nobody_wants_it(
    loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait
) -> None:
    scripted = ScriptedDevice(loop)
    line = SerialPort(scripted.open, loop=loop)
    for address in (1, 2):
        opened.enter_context(SerialCup(address, line, loop=loop, post=inbox.append, address=address))
    wait(2.2)
    assert not scripted.is_open
    assert len(inbox) == 2


def test_a_line_that_is_left_by_all_gives_its_port_back(radio: Radio, wait: Wait) -> None:
    for each in radio.links:
        each.close()
    wait(0.1)
    radio.dongle.open().close()


def test_an_address_is_taken_once(radio: Radio, loop: VirtualLoop) -> None:
    with pytest.raises(ValueError, match="address 1 already"):
        SerialCup(3, radio.line, loop=loop, post=lambda _: None, address=1)


@pytest.fixture
def loop_errors(loop: VirtualLoop) -> list[dict[str, object]]:
    """Return the contexts that reach the loop's exception handler."""
    loop_errors: list[dict[str, object]] = []
    loop.set_exception_handler(lambda _, context: loop_errors.append(context))
    return loop_errors


def test_a_driver_that_fails_leaves_the_line_to_the_others(
    radio: Radio,
    inbox: list[Message],
    wait: Wait,
    monkeypatch: pytest.MonkeyPatch,
    loop_errors: list[dict[str, object]],
) -> None:
    def fails(_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(radio.links[0], "handle", fails)
    radio.cups[0].hand.tilt()
    radio.cups[1].hand.tilt()
    wait(0.9)
    assert of(1, inbox) == [Found]
    assert of(2, inbox) == [Found, Tilted]
    assert radio.opened == 1
    assert {type(context["exception"]) for context in loop_errors} == {MemoryError}
    assert "SerialCup seat 1" in str(loop_errors[0]["message"])
    loop_errors.clear()


def test_a_driver_that_fails_when_it_is_closed_gives_its_address_back(
    radio: Radio, wait: Wait, monkeypatch: pytest.MonkeyPatch, inbox: list[Message], loop: VirtualLoop
) -> None:
    def fails(_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(radio.links[0], "_go_down", fails)
    with pytest.raises(MemoryError):
        radio.links[0].close()
    monkeypatch.undo()
    with SerialCup(1, radio.line, loop=loop, post=inbox, address=1):  # type: ignore[arg-type]
        wait(1.0)
        assert of(1, inbox) == [Found, Found]
