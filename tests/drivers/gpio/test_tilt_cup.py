from collections.abc import Callable
from random import Random

import pytest

from drivers.gpio.tilt_cup import TiltCup
from drivers.messages import Device, Levelled, Lost, Message, Settled, Shaken, Tilted
from hardware.emulated.chips.pins import EmulatedFactory
from hardware.emulated.hand import EmulatedHand
from hardware.emulated.virtual_loop import START_S, VirtualLoop
from hardware.link.gesture import MAX_TILT_NS

PIN = 26
START_NS = round(START_S * 1e9)
Wait = Callable[[float], None]


def hand_at(factory: EmulatedFactory, loop: VirtualLoop, seed: int = 1) -> EmulatedHand:
    return EmulatedHand(loop, Random(seed), lambda _, closed: factory.pin(PIN).ground(closed))


@pytest.fixture
def hand(loop: VirtualLoop, factory: EmulatedFactory) -> EmulatedHand:
    return hand_at(factory, loop)


@pytest.fixture
def cup(loop: VirtualLoop, factory: EmulatedFactory, inbox: list[Message], unraised: None):  # type: ignore[no-untyped-def]
    with TiltCup(2, PIN, factory=factory, loop=loop, post=inbox) as cup:  # type: ignore[arg-type]
        yield cup


def kinds(messages: list[Message]) -> list[type]:
    return [type(message) for message in messages]


@pytest.mark.usefixtures("cup")
def test_a_shake_begins_and_settles(hand: EmulatedHand, wait: Wait, inbox: list[Message]) -> None:
    hand.shake(0.8)
    wait(3)
    assert kinds(inbox) == [Shaken, Settled]
    shaken, settled = inbox
    assert isinstance(shaken, Shaken)
    assert isinstance(settled, Settled)
    assert START_NS < shaken.at_ns < START_NS + 800_000_000 < settled.at_ns < START_NS + 1_500_000_000
    assert len(settled.entropy) == 32


@pytest.mark.usefixtures("cup")
def test_two_shakes_never_give_the_same_entropy(hand: EmulatedHand, wait: Wait, inbox: list[Message]) -> None:
    for _ in range(3):
        hand.shake(0.8)
        wait(3)
    assert len({message.entropy for message in inbox if isinstance(message, Settled)}) == 3


@pytest.mark.usefixtures("cup")
def test_a_lifted_cup_is_tilted_until_its_first_edge_back(hand: EmulatedHand, wait: Wait, inbox: list[Message]) -> None:
    hand.tilt()
    wait(1)
    assert kinds(inbox) == [Tilted]
    hand.level()
    wait(1)
    assert kinds(inbox) == [Tilted, Levelled]
    assert inbox[1] == Levelled(2, START_NS + 1_000_000_000)


@pytest.mark.usefixtures("cup")
def test_a_knock_is_nothing(hand: EmulatedHand, wait: Wait, inbox: list[Message]) -> None:
    hand.tilt()
    wait(0.05)
    hand.level()
    wait(2)
    assert inbox == []


@pytest.mark.usefixtures("cup")
def test_a_cup_whose_last_edge_was_lost_hides_all_the_same(
    hand: EmulatedHand, factory: EmulatedFactory, wait: Wait, inbox: list[Message]
) -> None:
    hand.tilt()
    wait(1)
    factory.pin(PIN)._state = True  # the switch opened, and nobody was told
    wait(0.3)
    assert kinds(inbox) == [Tilted, Levelled]


@pytest.mark.usefixtures("cup")
def test_a_switch_that_is_stuck_shows_no_dice_for_more_than_a_minute(
    hand: EmulatedHand, wait: Wait, inbox: list[Message]
) -> None:
    hand.tilt()
    wait(600)
    assert kinds(inbox) == [Tilted, Levelled]
    assert inbox[1].at_ns - inbox[0].at_ns == MAX_TILT_NS  # type: ignore[union-attr]


@pytest.mark.usefixtures("cup")
def test_a_cup_at_rest_wakes_nobody(loop: VirtualLoop, hand: EmulatedHand, wait: Wait) -> None:
    hand.shake(0.8)
    wait(3)
    assert not [timer for timer in loop._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]


@pytest.mark.usefixtures("cup")
def test_a_knock_on_the_table_is_nothing(hand: EmulatedHand, wait: Wait, inbox: list[Message]) -> None:
    for _ in range(4):
        hand.knock()
        wait(0.25)
    assert inbox == []


@pytest.mark.usefixtures("cup")
def test_a_cup_banged_down_ends_its_shake(hand: EmulatedHand, wait: Wait, inbox: list[Message]) -> None:
    hand.shake(10)
    wait(1)
    hand.slam()
    wait(1)
    assert kinds(inbox) == [Shaken, Settled]


def test_a_cup_that_is_held_up_from_the_start_is_tilted(
    loop: VirtualLoop, factory: EmulatedFactory, inbox: list[Message], wait: Wait
) -> None:
    factory.pin(PIN).ground(True)
    with TiltCup(2, PIN, factory=factory, loop=loop, post=inbox):  # type: ignore[arg-type]
        wait(1)
    assert kinds(inbox) == [Tilted]


def test_the_same_shake_gives_the_same_entropy() -> None:
    def entropies() -> list[bytes]:
        heard: list[Message] = []
        loop = VirtualLoop(patience_s=5.0)
        factory = EmulatedFactory(loop)
        with TiltCup(2, PIN, factory=factory, loop=loop, post=heard.append):
            hand_at(factory, loop, seed=9).shake(1.0)
            loop.call_later(3, loop.stop)
            loop.run_forever()
        loop.close()
        return [message.entropy for message in heard if isinstance(message, Settled)]

    assert len(entropies()) == 1
    assert entropies() == entropies()


def test_a_pin_that_is_not_there_is_told_as_a_lost_cup(
    loop: VirtualLoop, factory: EmulatedFactory, inbox: list[Message], wait: Wait
) -> None:
    with TiltCup(2, 28, factory=factory, loop=loop, post=inbox):  # type: ignore[arg-type]
        wait(20)
    (lost,) = inbox
    assert isinstance(lost, Lost)
    assert lost.device is Device.CUP
    assert "GPIO28" in lost.why


def test_a_closed_cup_says_nothing(cup: TiltCup, hand: EmulatedHand, wait: Wait, inbox: list[Message]) -> None:
    hand.tilt()
    cup.close()
    cup.close()
    wait(1)
    assert inbox == []
