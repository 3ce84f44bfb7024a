"""The service key at an emulated pin: it turns, bounces, sticks, and is on from the start."""

import logging
from collections.abc import Callable, Iterator

import pytest

from drivers.gpio.key_switch import KeySwitch
from drivers.messages import KeyTurned, Message
from drivers.service_key import STUCK_S
from hardware.emulated.chips.pins import EmulatedFactory
from hardware.emulated.virtual_loop import VirtualLoop

SEAT, PIN = 2, 17

Wait = Callable[[float], None]
Turn = Callable[[bool], None]


@pytest.fixture
def turn(factory: EmulatedFactory) -> Turn:
    return lambda is_on: factory.pin(PIN).ground(is_on)


@pytest.fixture
def key(loop: VirtualLoop, factory: EmulatedFactory, inbox: list[Message], unraised: None) -> Iterator[KeySwitch]:
    with KeySwitch(SEAT, PIN, factory=factory, loop=loop, post=inbox) as key:  # type: ignore[arg-type]
        yield key


def turns(inbox: list[Message]) -> list[bool]:
    assert all(isinstance(message, KeyTurned) and message.seat == SEAT for message in inbox)
    return [message.is_on for message in inbox if isinstance(message, KeyTurned)]


@pytest.mark.usefixtures("key")
def test_a_key_is_turned_on_and_back(turn: Turn, wait: Wait, inbox: list[Message]) -> None:
    turn(True)
    wait(1)
    turn(False)
    wait(1)
    assert turns(inbox) == [True, False]


@pytest.mark.usefixtures("key")
def test_a_key_that_bounces_for_a_tenth_of_a_second_is_turned_once(
    turn: Turn, wait: Wait, inbox: list[Message]
) -> None:
    for _ in range(20):
        turn(True)
        wait(0.0025)
        turn(False)
        wait(0.0025)
    turn(True)
    wait(1)
    assert turns(inbox) == [True]


@pytest.mark.usefixtures("key")
def test_a_contact_that_never_rests_is_no_key(turn: Turn, wait: Wait, inbox: list[Message]) -> None:
    for _ in range(200):
        turn(True)
        wait(0.05)
        turn(False)
        wait(0.05)
    assert turns(inbox) == []


def test_a_key_that_is_on_from_the_start_opens_nothing(
    turn: Turn, wait: Wait, inbox: list[Message], loop: VirtualLoop, factory: EmulatedFactory
) -> None:
    turn(True)
    with KeySwitch(SEAT, PIN, factory=factory, loop=loop, post=inbox):  # type: ignore[arg-type]
        wait(1)
        assert turns(inbox) == []
        turn(False)
        wait(1)
        turn(True)
        wait(1)
        assert turns(inbox) == [False, True]


@pytest.mark.usefixtures("key")
def test_a_key_that_sticks_is_logged_once(turn: Turn, wait: Wait, caplog: pytest.LogCaptureFixture) -> None:
    turn(True)
    with caplog.at_level(logging.WARNING):
        wait(3 * STUCK_S)
    assert caplog.messages == [
        "the key switch on GPIO17 has been on for 10 minutes: turn the key back, or look for a short"
    ]


def test_a_closed_driver_posts_nothing(
    turn: Turn, wait: Wait, inbox: list[Message], loop: VirtualLoop, factory: EmulatedFactory
) -> None:
    with KeySwitch(SEAT, PIN, factory=factory, loop=loop, post=inbox):  # type: ignore[arg-type]
        turn(True)
    wait(1)
    assert inbox == []
