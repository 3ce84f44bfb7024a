import threading
from collections.abc import Callable
from random import Random

import pytest
from gpiozero import DigitalInputDevice

from drivers.gpio.switches import MAX_QUEUED_EDGES, Buttons
from drivers.messages import Button, Device, Found, Lost, Message, Pressed, Released
from hardware.emulated.chips.pins import EmulatedFactory
from hardware.emulated.hand import EmulatedHand
from hardware.emulated.virtual_loop import START_S, VirtualLoop

PINS = {Button.LEFT: 5, Button.RIGHT: 6, Button.OK: 13, Button.DUDO: 19}
START_NS = round(START_S * 1e9)
MS = 1_000_000

Wait = Callable[[float], None]


@pytest.fixture
def hand(loop: VirtualLoop, factory: EmulatedFactory) -> EmulatedHand:
    return EmulatedHand(loop, Random(1), lambda line, closed: factory.pin(PINS[Button(line)]).ground(closed))


@pytest.fixture
def buttons(loop: VirtualLoop, factory: EmulatedFactory, inbox: list[Message], unraised: None):  # type: ignore[no-untyped-def]
    with Buttons(3, PINS, factory=factory, loop=loop, post=inbox) as buttons:  # type: ignore[arg-type]
        yield buttons


pytestmark = pytest.mark.usefixtures("buttons")


def test_a_bouncing_press_is_one_press_with_the_stamp_of_its_first_edge(
    hand: EmulatedHand, wait: Wait, inbox: list[Message]
) -> None:
    wait(0.25)
    hand.press("ok")
    wait(1)
    assert inbox == [Pressed(3, Button.OK, START_NS + 250 * MS)]


def test_a_bouncing_release_is_one_release(hand: EmulatedHand, wait: Wait, inbox: list[Message]) -> None:
    hand.press("left")
    wait(0.5)
    hand.release("left")
    wait(1)
    assert inbox == [Pressed(3, Button.LEFT, START_NS), Released(3, Button.LEFT, START_NS + 500 * MS)]


def test_two_presses_60_ms_apart_both_count(hand: EmulatedHand, wait: Wait, inbox: list[Message]) -> None:
    for _ in range(2):
        hand.press("right")
        wait(0.03)
        hand.release("right")
        wait(0.03)
    wait(1)
    assert [type(message) for message in inbox] == [Pressed, Released, Pressed, Released]
    presses = [message.at_ns for message in inbox if isinstance(message, Pressed)]
    assert presses == [START_NS, START_NS + 60 * MS]


def test_a_tap_shorter_than_the_lockout_is_still_released(hand: EmulatedHand, wait: Wait, inbox: list[Message]) -> None:
    hand.press("dudo")
    wait(0.004)
    hand.release("dudo")
    wait(1)
    pressed, released = inbox
    assert pressed == Pressed(3, Button.DUDO, START_NS)
    assert isinstance(released, Released)
    assert START_NS < released.at_ns <= START_NS + 10 * MS


def test_two_buttons_at_once_are_told_apart(hand: EmulatedHand, wait: Wait, inbox: list[Message]) -> None:
    hand.press("left")
    wait(0.001)
    hand.press("right")
    wait(1)
    assert inbox == [Pressed(3, Button.LEFT, START_NS), Pressed(3, Button.RIGHT, START_NS + MS)]


def test_every_bounce_of_a_thousand_taps_is_swallowed(hand: EmulatedHand, wait: Wait, inbox: list[Message]) -> None:
    for _ in range(1000):
        hand.press("ok")
        wait(0.04)
        hand.release("ok")
        wait(0.04)
    assert [type(message) for message in inbox] == [Pressed, Released] * 1000


def test_a_callback_may_come_from_any_thread(wait: Wait, factory: EmulatedFactory, inbox: list[Message]) -> None:
    def foreign() -> None:
        factory.pin(PINS[Button.OK]).ground(True)

    thread = threading.Thread(target=foreign)
    thread.start()
    thread.join()
    wait(0.1)
    assert inbox == [Pressed(3, Button.OK, START_NS)]


def test_a_button_held_from_the_start_was_not_pressed_here(
    factory: EmulatedFactory, loop: VirtualLoop, inbox: list[Message], wait: Wait
) -> None:
    factory.pin(20).ground(True)
    with Buttons(4, {Button.OK: 20}, factory=factory, loop=loop, post=inbox):  # type: ignore[arg-type]
        wait(1)
        assert inbox == []


def test_a_callback_after_the_loop_was_closed_does_not_raise(factory: EmulatedFactory) -> None:
    loop = VirtualLoop()
    buttons = Buttons(4, {Button.OK: 21}, factory=factory, loop=loop, post=lambda _: None)
    loop.close()
    factory.pin(21).ground(True)
    buttons.close()


def test_closed_buttons_say_nothing_and_give_their_pins_back(
    buttons: Buttons, hand: EmulatedHand, wait: Wait, inbox: list[Message], factory: EmulatedFactory
) -> None:
    hand.press("ok")
    buttons.close()
    buttons.close()
    wait(1)
    assert inbox == []
    DigitalInputDevice(PINS[Button.OK], pull_up=True, pin_factory=factory).close()


def test_the_repr_shows_what_is_pressed(buttons: Buttons, hand: EmulatedHand) -> None:
    hand.press("ok")
    assert "left on GPIO5 open" in repr(buttons)
    assert "ok on GPIO13 closed" in repr(buttons)


def test_a_pin_that_is_not_there_is_told_once_and_the_others_work(
    factory: EmulatedFactory, loop: VirtualLoop, inbox: list[Message], wait: Wait
) -> None:
    with Buttons(4, {Button.LEFT: 99, Button.OK: 20}, factory=factory, loop=loop, post=inbox):  # type: ignore[arg-type]
        wait(20)
        factory.pin(20).ground(True)
        wait(1)
    lost, pressed = inbox
    assert isinstance(lost, Lost)
    assert (lost.seat, lost.device) == (4, Device.BUTTONS)
    assert "the left switch on GPIO99 can't be opened" in lost.why
    assert isinstance(pressed, Pressed)


def test_a_pin_that_somebody_else_has_is_found_when_it_is_free(
    factory: EmulatedFactory, loop: VirtualLoop, inbox: list[Message], wait: Wait
) -> None:
    other = DigitalInputDevice(20, pull_up=True, pin_factory=factory)
    with Buttons(4, {Button.OK: 20}, factory=factory, loop=loop, post=inbox):  # type: ignore[arg-type]
        wait(1)
        other.close()
        wait(10)
        assert [type(message) for message in inbox] == [Lost, Found]
        factory.pin(20).ground(True)
        wait(1)
        assert isinstance(inbox[-1], Pressed)


def test_edges_that_no_loop_takes_are_so_many_and_no_more(
    loop: VirtualLoop, factory: EmulatedFactory, wait: Wait, inbox: list[Message]
) -> None:
    """A pin that flutters while the loop is busy fills no memory, and how it stands at last is known all the same."""
    pin = factory.pin(PINS[Button.LEFT])
    for _ in range(10 * MAX_QUEUED_EDGES):
        pin.ground(True)
        pin.ground(False)
    assert len(loop._ready) <= MAX_QUEUED_EDGES  # type: ignore[attr-defined]
    pin.ground(True)
    wait(1)
    assert isinstance(inbox[-1], Pressed)
    pin.ground(False)
    wait(1)
    assert isinstance(inbox[-1], Released)


def test_what_goes_wrong_with_an_edge_is_raised_on_the_loop_and_not_to_who_calls(
    loop: VirtualLoop, factory: EmulatedFactory, wait: Wait, hand: EmulatedHand, buttons: Buttons, inbox: list[Message]
) -> None:
    """One uncaught exception would end lgpio's only thread."""
    contexts: list[dict[str, object]] = []
    loop.set_exception_handler(lambda _, context: contexts.append(context))
    switch = buttons._switches["left"]
    switch._on_change(None, True)  # type: ignore[arg-type]  # ticks that are none
    wait(0.1)
    assert [type(context["exception"]) for context in contexts] == [TypeError]
    contexts.clear()
    hand.press("left")
    wait(0.1)
    assert [type(message) for message in inbox] == [Pressed]
