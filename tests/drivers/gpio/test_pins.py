"""gpiozero's pins through libgpiod's bindings, on a chip whose kernel is emulated."""

import asyncio
import errno
from collections.abc import Callable, Iterator
from random import Random

import gpiozero
import pytest

from drivers.gpio.switches import Buttons, Switch
from drivers.gpio.tilt_cup import TiltCup
from drivers.messages import Button, Device, Found, Lost, Message, Pressed, Released, Settled
from hardware.emulated.hand import EmulatedHand
from hardware.emulated.virtual_loop import START_S, VirtualLoop

gpiod = pytest.importorskip("gpiod", reason="libgpiod's bindings are for Linux", exc_type=ImportError)
from support.host.gpiochip import EmulatedChip  # noqa: E402

from drivers.gpio.lines import BUFFER_EVENTS, CONSUMER  # noqa: E402
from drivers.gpio.pins import GpiodFactory, header_chip  # noqa: E402

PINS = {Button.LEFT: 5, Button.RIGHT: 6, Button.OK: 13, Button.DUDO: 19}
CUP = 26
START_NS = round(START_S * 1e9)
MS = 1_000_000

Wait = Callable[[float], None]


@pytest.fixture
def chip(loop: VirtualLoop) -> EmulatedChip:
    return EmulatedChip(lambda: round(loop.time() * 1e9))


@pytest.fixture
def pins(loop: VirtualLoop, chip: EmulatedChip, monkeypatch: pytest.MonkeyPatch) -> Iterator[GpiodFactory]:
    monkeypatch.setattr(GpiodFactory, "_get_revision", lambda _: 0xC03111)
    factory = GpiodFactory([*PINS.values(), CUP], loop=loop, open_chip=chip.open)  # type: ignore[arg-type]
    yield factory
    factory.close()


@pytest.fixture
def buttons(loop: VirtualLoop, pins: GpiodFactory, inbox: list[Message], unraised: None) -> Iterator[Buttons]:
    with Buttons(3, PINS, factory=pins, loop=loop, post=inbox) as buttons:  # type: ignore[arg-type]
        yield buttons


@pytest.fixture
def hand(loop: VirtualLoop, chip: EmulatedChip) -> EmulatedHand:
    return EmulatedHand(loop, Random(1), lambda line, closed: chip.ground(PINS[Button(line)], closed))


@pytest.mark.usefixtures("buttons")
def test_a_bouncing_press_has_the_stamp_of_its_first_edge(hand: EmulatedHand, wait: Wait, inbox: list[Message]) -> None:
    wait(0.25)
    hand.press("ok")
    wait(0.75)
    hand.release("ok")
    wait(1)
    at_ns = [START_NS + 250 * MS, START_NS + 1000 * MS]
    assert inbox == [Pressed(3, Button.OK, at_ns[0]), Released(3, Button.OK, at_ns[1])]


@pytest.mark.usefixtures("buttons")
def test_all_switches_of_the_layout_are_one_request_and_need_not_be_set_again(chip: EmulatedChip) -> None:
    (request,) = chip.requests
    assert sorted(request.offsets) == sorted([*PINS.values(), CUP])
    assert request.reconfigured == 0
    assert {chip.get_line_info(offset).consumer for offset in request.offsets} == {CONSUMER}


def test_a_cup_on_a_pin_is_felt(
    loop: VirtualLoop, pins: GpiodFactory, chip: EmulatedChip, wait: Wait, inbox: list[Message]
) -> None:
    with TiltCup(1, CUP, factory=pins, loop=loop, post=inbox.append):
        for _ in range(40):
            chip.ground(CUP, True)
            wait(0.01)
            chip.ground(CUP, False)
            wait(0.01)
        chip.ground(CUP, True)
        wait(2)
    assert any(isinstance(message, Settled) for message in inbox)


@pytest.mark.usefixtures("buttons")
def test_edges_that_waited_while_the_loop_was_busy_keep_their_stamps_and_their_order(
    loop: VirtualLoop, chip: EmulatedChip, wait: Wait, inbox: list[Message]
) -> None:
    pressed = [Button.DUDO, Button.LEFT, Button.OK]
    for nth, button in enumerate(pressed):
        chip.now_ns = lambda nth=nth: START_NS + nth
        chip.ground(PINS[button], True)
    wait(0.01)
    assert inbox == [Pressed(3, button, START_NS + nth) for nth, button in enumerate(pressed)]


@pytest.mark.usefixtures("buttons")
def test_after_more_edges_than_the_kernel_keeps_every_switch_is_known_as_it_stands(
    chip: EmulatedChip, wait: Wait, inbox: list[Message]
) -> None:
    chip.ground(PINS[Button.OK], True)  # the edge that will be dropped
    for _ in range(BUFFER_EVENTS):
        chip.ground(PINS[Button.LEFT], True)
        chip.ground(PINS[Button.LEFT], False)
    wait(1)
    pressed = {message.button for message in inbox if isinstance(message, Pressed)}
    released = {message.button for message in inbox if isinstance(message, Released)}
    assert Button.OK in pressed
    assert Button.OK not in released


def test_a_line_that_another_program_holds_is_lost_alone_and_found_when_it_is_free(
    loop: VirtualLoop, pins: GpiodFactory, chip: EmulatedChip, wait: Wait, inbox: list[Message], hand: EmulatedHand
) -> None:
    chip.hold(PINS[Button.OK], "spi0 CS0")
    with Buttons(3, PINS, factory=pins, loop=loop, post=inbox.append):
        why = "the ok switch on GPIO13 can't be opened ([Errno 16] 'spi0 CS0' has it in use)"
        assert inbox == [Lost(3, Device.BUTTONS, why)]
        hand.press("dudo")
        wait(0.1)
        assert inbox[1:] == [Pressed(3, Button.DUDO, START_NS)]
        chip.hold(PINS[Button.OK], None)
        wait(6)
        assert inbox[2:] == [Found(3, Device.BUTTONS)]
        hand.press("ok")
        wait(0.1)
        assert inbox[3:] == [Pressed(3, Button.OK, START_NS + 6_100 * MS)]


def test_a_chip_that_is_not_there_yet_is_tried_again(
    loop: VirtualLoop, chip: EmulatedChip, wait: Wait, inbox: list[Message], monkeypatch: pytest.MonkeyPatch
) -> None:
    there = False

    def open_chip() -> EmulatedChip:
        if not there:
            raise PermissionError(errno.EACCES, "Permission denied", "/dev/gpiochip0")
        return chip

    monkeypatch.setattr(GpiodFactory, "_get_revision", lambda _: 0xC03111)
    pins = GpiodFactory(PINS.values(), loop=loop, open_chip=open_chip)  # type: ignore[arg-type]
    with Buttons(3, PINS, factory=pins, loop=loop, post=inbox.append):
        assert isinstance(inbox[0], Lost)
        assert "Permission denied: '/dev/gpiochip0'" in inbox[0].why
        there = True
        wait(6)
        assert inbox[1:] == [Found(3, Device.BUTTONS)]
    pins.close()


def test_a_seat_whose_buttons_are_built_again_hears_them_again(
    loop: VirtualLoop, pins: GpiodFactory, hand: EmulatedHand, wait: Wait, inbox: list[Message]
) -> None:
    for _ in range(3):
        with Buttons(3, PINS, factory=pins, loop=loop, post=inbox.append):
            hand.press("ok")
            wait(0.1)
            hand.release("ok")
            wait(0.1)
    assert [type(message) for message in inbox] == [Pressed, Released] * 3


def test_nothing_is_held_once_the_factory_is_closed(loop: VirtualLoop, pins: GpiodFactory, chip: EmulatedChip) -> None:
    switch = Switch(5, lambda high, at_ns: None, factory=pins, loop=loop)
    light = gpiozero.LED(17, pin_factory=pins)
    assert len(chip.requests) == 2
    switch.close()
    light.close()
    pins.close()
    assert chip.requests == []
    assert not chip.is_open


def test_a_line_that_was_requested_alone_is_free_when_its_device_is_closed(
    pins: GpiodFactory, chip: EmulatedChip
) -> None:
    gpiozero.LED(17, pin_factory=pins).close()
    assert not chip.get_line_info(17).used


def test_an_output_has_its_level_from_its_first_moment(pins: GpiodFactory, chip: EmulatedChip) -> None:
    with gpiozero.OutputDevice(17, initial_value=True, pin_factory=pins) as reset:
        (request,) = (request for request in chip.requests if 17 in request.offsets)
        assert request.level(17)
        reset.off()
        assert not request.level(17)


def test_a_pin_has_what_gpiozero_asks_of_one(pins: GpiodFactory) -> None:
    pin = pins.pin(17)
    pin.function, pin.pull = "input", "down"
    assert (pin.function, pin.pull, pin.edges, pin.bounce) == ("input", "down", "both", None)
    pin.bounce, pin.edges = 0.005, "falling"
    assert (pin.bounce, pin.edges) == (0.005, "falling")
    with pytest.raises(gpiozero.PinSetInput):
        pin.state = 1
    with pytest.raises(gpiozero.PinInvalidPull):
        pin.pull = "sideways"
    with pytest.raises(gpiozero.PinInvalidFunction):
        pin.function = "pwm"
    pin.function = "output"
    with pytest.raises(gpiozero.PinFixedPull):
        pin.pull = "up"
    with pytest.raises(gpiozero.PinFixedPull):
        pins.pin(2).pull = "down"


def test_without_a_loop_a_pin_says_that_it_cannot_tell_of_edges(
    chip: EmulatedChip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GpiodFactory, "_get_revision", lambda _: 0xC03111)
    pins = GpiodFactory(open_chip=lambda: chip)  # type: ignore[arg-type,return-value]
    with pytest.raises(gpiozero.PinEdgeDetectUnsupported):
        gpiozero.DigitalInputDevice(5, pull_up=True, pin_factory=pins)
    pins.close()


def test_a_computer_without_the_chip_names_the_file_that_is_missing(tmp_path: object) -> None:
    with pytest.raises(FileNotFoundError):
        header_chip(tmp_path)  # type: ignore[arg-type]


def test_a_thousand_edges_cost_no_wakeup_when_nobody_touches_the_table(loop: VirtualLoop, pins: GpiodFactory) -> None:
    """No timer and no poll: a loop that has only these pins has nothing to wake up for."""
    switch = Switch(5, lambda high, at_ns: None, factory=pins, loop=loop)
    assert not [handle for handle in vars(loop)["_scheduled"] if not handle.cancelled()]
    switch.close()
    assert asyncio.all_tasks(loop) == set()
