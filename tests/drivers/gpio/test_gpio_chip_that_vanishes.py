"""A GPIO chip that goes while switches hang on it, and comes back: what its seats are told, and what others notice."""

import errno
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import gpiozero
import pytest

from drivers.gpio.switches import Buttons
from drivers.gpio.tilt_cup import TiltCup
from drivers.messages import Button, Device, Found, Lost, Message, Pressed, Released, Settled, Tilted
from hardware.emulated.virtual_loop import VirtualLoop

pytest.importorskip("gpiod", reason="libgpiod's bindings are for Linux", exc_type=ImportError)
from support.host.gpiochip import EmulatedChip, no_device

from drivers.gpio.pins import GpiodFactory

PINS = {Button.LEFT: 5, Button.OK: 13}
CUP = 26
REMEDY = "restart the computer if it does not come back, sudo dmesg tells why it went"
GONE = f"gone with the GPIO chip gpiochip0 (pinctrl-bcm2711): No such device; {REMEDY}"
BUTTONS_LOST = Lost(3, Device.BUTTONS, f"the left switch on GPIO5, the ok switch on GPIO13: {GONE}")
LONGEST_S = 5.0

Wait = Callable[[float], None]

pytestmark = pytest.mark.usefixtures("unraised")


@pytest.fixture
def chip(loop: VirtualLoop) -> EmulatedChip:
    return EmulatedChip(lambda: round(loop.time() * 1e9))


@pytest.fixture
def pins(
    loop: VirtualLoop, chip: EmulatedChip, monkeypatch: pytest.MonkeyPatch, opened: ExitStack
) -> Iterator[GpiodFactory]:
    monkeypatch.setattr(GpiodFactory, "_get_revision", lambda _: 0xC03111)
    factory = GpiodFactory([*PINS.values(), CUP], loop=loop, open_chip=chip.open)  # type: ignore[arg-type]
    yield factory
    opened.close()
    factory.close()


@pytest.fixture
def buttons(loop: VirtualLoop, pins: GpiodFactory, inbox: list[Message], opened: ExitStack) -> Buttons:
    return opened.enter_context(Buttons(3, PINS, factory=pins, loop=loop, post=inbox))  # type: ignore[arg-type]


@pytest.mark.usefixtures("buttons")
def test_its_seat_is_told_once_what_is_gone_and_what_to_do(
    chip: EmulatedChip, wait: Wait, inbox: list[Message]
) -> None:
    chip.vanish()
    wait(60)
    assert inbox == [BUTTONS_LOST]


@pytest.mark.usefixtures("buttons")
def test_one_that_comes_back_is_found_and_its_switches_are_heard(
    chip: EmulatedChip, wait: Wait, inbox: list[Message], loop: VirtualLoop
) -> None:
    chip.vanish()
    wait(20)
    chip.come_back()
    wait(LONGEST_S)
    assert inbox[1:] == [Found(3, Device.BUTTONS)]
    at_ns = round(loop.time() * 1e9)
    chip.ground(PINS[Button.OK], True)
    wait(0.1)
    assert inbox[2:] == [Pressed(3, Button.OK, at_ns)]


@pytest.mark.usefixtures("buttons")
def test_its_switches_are_one_request_again(chip: EmulatedChip, wait: Wait) -> None:
    chip.vanish()
    chip.come_back()
    wait(LONGEST_S)
    (request,) = chip.requests
    assert sorted(request.offsets) == sorted([*PINS.values(), CUP])


@pytest.mark.usefixtures("buttons")
def test_one_that_goes_again_is_told_again(chip: EmulatedChip, wait: Wait, inbox: list[Message]) -> None:
    for _ in range(3):
        chip.vanish()
        wait(1)
        chip.come_back()
        wait(LONGEST_S)
    assert inbox == [BUTTONS_LOST, Found(3, Device.BUTTONS)] * 3


@pytest.mark.parametrize("held_s", [0.004, 1.0], ids=["within the lock-out", "for long"])
@pytest.mark.usefixtures("buttons")
def test_a_button_that_was_held_is_neither_released_nor_pressed_by_it(
    held_s: float, chip: EmulatedChip, wait: Wait, inbox: list[Message]
) -> None:
    chip.ground(PINS[Button.OK], True)
    wait(held_s)
    chip.vanish()
    wait(3)
    chip.come_back()
    wait(LONGEST_S)
    assert [type(message) for message in inbox] == [Pressed, Lost, Found]


@pytest.mark.usefixtures("buttons")
def test_an_edge_before_it_is_told_before_it(chip: EmulatedChip, wait: Wait, inbox: list[Message]) -> None:
    chip.ground(PINS[Button.OK], True)
    wait(1)
    chip.ground(PINS[Button.OK], False)
    wait(0)
    chip.vanish()
    wait(1)
    assert [type(message) for message in inbox] == [Pressed, Released, Lost]


def test_a_level_that_is_wanted_before_anybody_noticed_is_no_fault_of_the_driver(
    buttons: Buttons, chip: EmulatedChip, wait: Wait, inbox: list[Message]
) -> None:
    chip.vanish()
    assert "ok on GPIO13 open" in repr(buttons)
    wait(0.1)
    assert inbox == [BUTTONS_LOST]
    assert "ok on GPIO13 missing" in repr(buttons)


def test_a_cup_that_is_lifted_or_shaken_tells_nothing_until_it_is_found(
    loop: VirtualLoop, pins: GpiodFactory, chip: EmulatedChip, wait: Wait, inbox: list[Message], opened: ExitStack
) -> None:
    opened.enter_context(TiltCup(1, CUP, factory=pins, loop=loop, post=inbox.append))
    for closed in [True, False] * 20:
        chip.ground(CUP, closed)
        wait(0.01)
    chip.vanish()
    wait(10)
    assert inbox[-1] == Lost(1, Device.CUP, f"the tilt switch on GPIO26: {GONE}")
    assert not any(isinstance(message, Settled) for message in inbox)
    chip.come_back()
    wait(LONGEST_S)
    assert inbox[-1] == Found(1, Device.CUP)
    chip.ground(CUP, True)
    wait(2)
    assert isinstance(inbox[-1], Tilted)


def test_another_seats_lines_are_told_of_by_themselves(
    loop: VirtualLoop,
    pins: GpiodFactory,
    chip: EmulatedChip,
    wait: Wait,
    inbox: list[Message],
    opened: ExitStack,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = GpiodFactory([20], loop=loop, open_chip=lambda: chip)  # type: ignore[arg-type,return-value]
    opened.callback(other.close)
    opened.enter_context(Buttons(4, {Button.OK: 20}, factory=other, loop=loop, post=inbox.append))
    opened.enter_context(Buttons(3, PINS, factory=pins, loop=loop, post=inbox.append))
    request = next(request for request in chip.requests if 13 in request.offsets)

    def fail() -> list[object]:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(request, "read_edge_events", fail)
    chip.ground(PINS[Button.OK], True)
    wait(0.1)
    chip.ground(20, True)
    wait(LONGEST_S)
    assert [(type(message), message.seat) for message in inbox] == [(Lost, 3), (Pressed, 4), (Found, 3)]


@pytest.mark.usefixtures("buttons")
def test_another_chip_in_its_place_is_not_taken_for_it(chip: EmulatedChip, wait: Wait, inbox: list[Message]) -> None:
    chip.vanish()
    chip.label = "raspberrypi-exp-gpio"
    chip.come_back()
    wait(20)
    assert inbox == [BUTTONS_LOST]
    assert chip.requests == []


def test_an_output_fails_until_it_is_opened_again(pins: GpiodFactory, chip: EmulatedChip) -> None:
    line = gpiozero.OutputDevice(17, pin_factory=pins)
    chip.vanish()
    with pytest.raises(OSError, match="No such device"):
        line.on()
    line.close()
    with pytest.raises(FileNotFoundError):
        gpiozero.OutputDevice(17, pin_factory=pins)
    chip.come_back()
    with gpiozero.OutputDevice(17, pin_factory=pins) as line:
        line.on()
        assert chip.requests[-1].level(17)


def test_a_chip_that_goes_while_its_lines_are_asked_for_is_opened_again(
    loop: VirtualLoop, pins: GpiodFactory, chip: EmulatedChip, wait: Wait, inbox: list[Message], opened: ExitStack
) -> None:
    opened.enter_context(gpiozero.OutputDevice(17, pin_factory=pins))
    chip.vanish()
    wait(0)
    chip.come_back()
    request_lines = chip.request_lines
    with pytest.MonkeyPatch.context() as patched:

        def vanishes(*_: object, **__: object) -> object:
            chip.vanish()
            raise no_device()

        patched.setattr(chip, "request_lines", vanishes)
        opened.enter_context(Buttons(3, PINS, factory=pins, loop=loop, post=inbox.append))
    assert chip.request_lines == request_lines
    chip.come_back()
    wait(LONGEST_S)
    assert [type(message) for message in inbox] == [Lost, Found]
