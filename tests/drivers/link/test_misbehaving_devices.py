"""What is on a port and isn't a cup of this table, and cups that don't play by the rules: a sentence, and no harm."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack

import pytest
from support.link.scripted_device import CUP, ScriptedDevice

from drivers.link.devices import SerialCup
from drivers.messages import Device, Found, Lost, Message, Shaken, Tilted
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.outbox import CAPACITY
from hardware.link import messages as link
from hardware.link.framing import frame

Wait = Callable[[float], None]
FOUND = Found(2, Device.CUP)

pytestmark = pytest.mark.usefixtures("unraised")


@pytest.fixture
def scripted(loop: VirtualLoop) -> ScriptedDevice:
    return ScriptedDevice(loop, CUP)


class Host:
    """A cup's driver at the scripted device, and its losses."""

    def __init__(self, scripted: ScriptedDevice, loop: VirtualLoop, inbox: list[Message], opened: ExitStack) -> None:
        self._scripted = scripted
        self._loop = loop
        self._inbox = inbox
        self._opened = opened

    def cup(self) -> SerialCup:
        driver = SerialCup(2, self._scripted.open, loop=self._loop, post=self._inbox, identity="CUP0001")  # type: ignore[arg-type]
        return self._opened.enter_context(driver)

    def found(self) -> SerialCup:
        """Return the driver of a cup that has been found."""
        driver = self.cup()
        self._loop.run_until_complete(asyncio.sleep(1))
        return driver

    def lost(self) -> list[str]:
        return [message.why for message in self._inbox if isinstance(message, Lost)]


@pytest.fixture
def host(scripted: ScriptedDevice, loop: VirtualLoop, inbox: list[Message], opened: ExitStack) -> Host:
    return Host(scripted, loop, inbox, opened)


def kinds(inbox: list[Message]) -> list[type[Message]]:
    return [type(message) for message in inbox]


# Somebody else.


@pytest.mark.parametrize(
    ("hello", "why"),
    [
        (
            link.Hello(0, 0, 0, "", version=9),
            "the cup speaks version 9 of the link and this host version 32; put the program of this release on it",
        ),
        (link.Hello(5, link.TILT, 1, "CUP0002"), "the cup on this port is 'CUP0002', the layout says 'CUP0001'"),
        (link.Hello(5, link.BUTTONS, 1, "CUP0001"), "the cup CUP0001 has not got a cup"),
    ],
)
def test_a_wrong_hello_is_told_in_one_sentence_once(
    hello: link.Hello, why: str, scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    scripted.answers = [hello]
    host.cup()
    wait(60)
    assert inbox == [Lost(2, Device.CUP, why)]
    assert scripted.opened < 18


def test_a_device_that_never_says_hello_is_told(
    scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    scripted.answers = []
    host.cup()
    wait(60)
    assert inbox == [Lost(2, Device.CUP, "the cup does not say hello; is it a cup of this table?")]
    assert scripted.opened < 18


def test_a_device_that_echoes_is_told(scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait) -> None:
    scripted.answers = []
    scripted.echoes = True
    host.cup()
    wait(60)
    why = "what is on the cup's port echoes what it is sent; is it a cup of this table?"
    assert inbox == [Lost(2, Device.CUP, why)]


def test_a_device_that_sends_something_else_is_told(
    scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    scripted.answers = []
    host.cup()
    for _ in range(100):
        scripted.send_bytes(b"$GPGGA,123519,4807.038,N\r\n\0")
        wait(0.5)
    why = "what is on the cup's port does not speak the link; is it a cup of this table?"
    assert inbox == [Lost(2, Device.CUP, why)]


def test_a_cup_with_another_address_is_told(
    scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    scripted.address = 3
    host.cup()
    wait(60)
    why = "what is on the cup's port has the link's address 3, the layout says 0"
    assert inbox == [Lost(2, Device.CUP, why)]


def test_a_cup_that_names_itself_otherwise_each_time_is_not_told_for_ever(
    scripted: ScriptedDevice, host: Host, wait: Wait
) -> None:
    host.cup()
    for number in range(200):
        scripted.answers = [link.Hello(5, link.TILT, 1, f"CUP-{number}")]
        wait(1)
    assert 1 <= len(host.lost()) <= 4


def test_two_cups_with_one_address_are_told_once_and_neither_is_heard(
    scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    scripted.answers = [CUP, link.Hello(6, link.TILT, 1, "CUP0001")]
    host.cup()
    for number in range(300):
        scripted.boot = 5 + number % 2
        scripted.send(link.Event(5 + number % 2, 1, 1, link.TILTED))
        wait(0.5)
    assert inbox == [Lost(2, Device.CUP, "the cup shares its port with another cup; give each an address of its own")]
    assert scripted.opened < 12


def test_when_one_of_the_two_is_gone_the_other_is_found(
    scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    scripted.answers = [CUP, link.Hello(6, link.TILT, 1, "CUP0001")]
    host.cup()
    wait(2)
    scripted.answers = [CUP]
    wait(10)
    assert kinds(inbox) == [Lost, Found]


def test_a_hello_cut_in_half_is_asked_for_again(
    scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    scripted.answers = []
    host.cup()
    wait(0.01)
    whole = frame(link.to_body(0, CUP))
    scripted.send_bytes(whole[: len(whole) // 2])
    wait(0.05)
    scripted.answers = [CUP]
    wait(0.3)
    assert inbox == [FOUND]


# Starts.


def test_a_cup_that_restarts_is_lost_and_found_and_numbers_from_one(
    scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    host.found()
    scripted.send(link.Event(5, 1, 1, link.TILTED))
    wait(0.1)
    scripted.boot = 6
    scripted.answers = [link.Hello(6, link.TILT, 1, "CUP0001")]
    scripted.send(*scripted.answers)
    wait(0.1)
    scripted.send(link.Event(6, 1, 1, link.SHAKEN))
    wait(0.1)
    assert kinds(inbox) == [Found, Tilted, Lost, Found, Shaken]
    assert host.lost() == ["the cup restarted"]


@pytest.mark.parametrize("rested_s", [0, 30])
def test_a_cup_whose_first_hello_was_lost_is_asked_who_it_is(
    rested_s: float, scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    host.cup()
    wait(1 + rested_s)
    scripted.boot = 6
    scripted.answers = [link.Hello(6, link.TILT, 1, "CUP0001")]
    for _ in range(4):
        scripted.send(link.Event(6, 1, 1, link.SHAKEN))
        wait(0.05)
    assert kinds(inbox) == [Found, Lost, Found, Shaken]


def test_a_cup_that_starts_again_and_again_is_told_ever_more_seldom(
    scripted: ScriptedDevice, host: Host, wait: Wait
) -> None:
    host.cup()
    for boot in range(5, 305):
        scripted.boot = boot
        scripted.answers = [link.Hello(boot, link.TILT, 1, "CUP0001")]
        scripted.send(*scripted.answers)
        wait(2)
    assert "the cup restarts again and again; is its power supply sufficient?" in host.lost()
    assert len(host.lost()) < 80


def test_a_hello_of_an_earlier_start_that_comes_late_changes_nothing(
    scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    host.found()
    for _ in range(5):
        scripted.send(link.Hello(4, link.TILT, 1, "CUP0001"))
        wait(30)
    assert inbox == [FOUND]


# Sequence numbers.


def test_events_doubled_and_out_of_order_come_once_and_in_order(
    scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    host.found()
    tilted, levelled = link.Event(5, 1, 1, link.TILTED), link.Event(5, 2, 2, link.SHAKEN)
    scripted.send(levelled, tilted, tilted, levelled, tilted, levelled)
    wait(0.1)
    assert kinds(inbox) == [Found, Tilted, Shaken]


def test_a_repeat_of_what_was_acknowledged_is_acknowledged_again(
    scripted: ScriptedDevice, host: Host, wait: Wait
) -> None:
    driver = host.found()
    scripted.send(link.Event(5, 1, 1, link.TILTED))
    wait(0.1)
    driver.acknowledge(5 << 32 | 1)
    scripted.send(link.Event(5, 1, 1, link.TILTED))
    wait(0.1)
    assert scripted.received_of(link.Ack) == [link.Ack(5, 1)] * 2


def test_what_was_acknowledged_last_is_told_before_the_driver_closes(
    scripted: ScriptedDevice, host: Host, wait: Wait
) -> None:
    driver = host.found()
    scripted.send(link.Event(5, 1, 1, link.TILTED))
    wait(0.1)
    driver.acknowledge(5 << 32 | 1)
    driver.close()
    wait(0.1)
    assert scripted.received_of(link.Ack) == [link.Ack(5, 1)]


def test_an_event_of_a_later_program_is_acknowledged_and_passed_over(
    scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    host.found()
    later = (link.Event(5, 1, 1, 77), link.Event(5, 2, 1, link.PRESSED, b"\x09"))
    scripted.send(*later, link.Event(5, 3, 1, link.TILTED))
    wait(0.1)
    assert kinds(inbox) == [Found, Tilted]
    assert link.Ack(5, 2) in scripted.received


def test_the_host_and_the_program_agree_on_how_many_events_may_wait() -> None:
    assert link.EVENTS_HELD == CAPACITY


@pytest.mark.parametrize("number", [1 + link.EVENTS_HELD, 1 << 31, (1 << 32) - 1])
def test_numbers_that_leap_are_told_once_and_the_cup_is_left_alone(
    number: int, scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    host.found()
    scripted.send(link.Event(5, number, 1, link.TILTED))
    wait(0.1)
    assert inbox == [
        FOUND,
        Lost(2, Device.CUP, f"the cup does not number its events in turn: {number} after 0"),
    ]
    assert not scripted.is_open


def test_the_last_number_a_cup_may_hold_does_not_leap(
    scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    host.found()
    scripted.send(link.Event(5, link.EVENTS_HELD, 1, link.TILTED))
    wait(1)
    assert inbox == [FOUND]


def test_an_event_that_never_comes_is_told_and_the_cup_goes_on_behind_it(
    scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    host.found()
    for _ in range(250):
        scripted.send(link.Event(5, 2, 1, link.TILTED))
        wait(0.02)
    scripted.answers = [link.Hello(5, link.TILT, 2, "CUP0001")]
    wait(10)
    scripted.send(link.Event(5, 2, 1, link.TILTED))
    wait(0.1)
    assert kinds(inbox) == [Found, Lost, Found, Tilted]
    assert host.lost() == ["the cup does not number its events in turn: 2 after 0"]


def test_numbers_that_go_back_harm_nothing(
    scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    driver = host.found()
    for number in (1, 2, 3):
        scripted.send(link.Event(5, number, 1, 77))
    for number in (1, 0, 2, 3, 1):
        scripted.send(link.Event(5, number, 1, link.TILTED))
    wait(1)
    assert inbox == [FOUND]
    assert driver.is_up


# Clocks.


@pytest.mark.parametrize(
    ("at_ns", "happened_s"), [(0, -60.0), ((1 << 64) - 1, 0.0), (1_000_000_000_000 + 500_000_000, -0.5)]
)
def test_a_stamp_is_neither_in_the_future_nor_longer_than_a_minute_ago(
    at_ns: int,
    happened_s: float,
    scripted: ScriptedDevice,
    host: Host,
    loop: VirtualLoop,
    inbox: list[Message],
    wait: Wait,
) -> None:
    host.found()
    scripted.send(link.Event(5, 1, at_ns, link.TILTED))
    wait(0)
    wait(0)
    tilted = inbox[-1]
    assert isinstance(tilted, Tilted)
    assert tilted.at_ns == round((loop.time() + happened_s) * 1e9)


def test_a_clock_that_jumps_again_and_again_is_told_once(scripted: ScriptedDevice, host: Host, wait: Wait) -> None:
    host.cup()
    for _ in range(20):
        wait(0.2)
        scripted.clock_ns += 1_000_000_000
    assert host.lost() == ["the cup has a clock that jumps: nobody knows when something happened"]


def test_a_clock_that_jumps_once_is_believed_from_then_on(
    scripted: ScriptedDevice, host: Host, loop: VirtualLoop, inbox: list[Message], wait: Wait
) -> None:
    host.found()
    scripted.clock_ns = -40_000_000_000
    wait(1)
    happened_ns = round(loop.time() * 1e9)
    scripted.send(link.Event(5, 1, happened_ns + scripted.clock_ns, link.TILTED))
    wait(0.1)
    assert inbox == [FOUND, Tilted(2, happened_ns, event=5 << 32 | 1)]


# Floods.

NOISE = b"\x01\x02" * 500
FLOODS: dict[str, bytes] = {
    "events again and again": frame(link.to_body(0, link.Event(5, 1, 1, link.TILTED))) * 50,
    "events": b"".join(frame(link.to_body(0, link.Event(5, number, 1, 77))) for number in range(1, 60)),
    "hellos": frame(link.to_body(0, CUP)) * 50,
    "pongs": frame(link.to_body(0, link.Pong(1 << 31, 5, 1))) * 50,
    "nonsense": frame(b"\x00\x05") * 50,
    "later kinds": frame(b"\x00\x7f") * 50,
    "what a host says": frame(link.to_body(0, link.Ask())) * 50,
    "opened deals": frame(link.to_body(0, link.Opened(bytes(32), bytes(32)))) * 50,
    "foreign starts": frame(link.to_body(0, link.Event(9, 1, 1, link.TILTED))) * 50,
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_a_cup_that_floods_is_told_once_and_left_alone(
    flood: bytes, scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    host.found()
    for _ in range(3000):
        scripted.send_bytes(flood)
        wait(0.05)
    assert host.lost() == ["the cup talks without end: over 300 messages a second"]
    assert kinds(inbox)[:1] == [Found]
    assert scripted.opened < 8


def test_a_port_full_of_noise_is_told_once_and_left_alone(scripted: ScriptedDevice, host: Host, wait: Wait) -> None:
    host.found()
    for _ in range(3000):
        scripted.send_bytes(NOISE * 5)
        wait(0.05)
    assert host.lost() == ["the cup can't be heard: its port sends noise without end"]
    assert scripted.opened < 8


def test_noise_in_which_a_cup_can_still_be_heard_loses_nothing(
    scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    host.found()
    for _ in range(100):
        scripted.send_bytes(NOISE + b"\0")
        wait(0.1)
    scripted.send(link.Event(5, 1, 1, link.TILTED))
    wait(0.1)
    assert kinds(inbox) == [Found, Tilted]


def test_who_flooded_is_found_when_it_is_calm_again(
    scripted: ScriptedDevice, host: Host, inbox: list[Message], wait: Wait
) -> None:
    host.found()
    for _ in range(20):
        scripted.send_bytes(FLOODS["hellos"])
        wait(0.05)
    wait(10)
    scripted.send(link.Event(5, 1, 1, link.TILTED))
    wait(0.1)
    assert kinds(inbox) == [Found, Lost, Found, Tilted]
