import asyncio
from random import Random

import gpiozero
import pytest
from gpiozero import DigitalInputDevice, PinInvalidPin

from hardware.emulated.chips.pins import EmulatedFactory
from hardware.emulated.hand import BOUNCE_S, EmulatedHand
from hardware.emulated.virtual_loop import START_S, VirtualLoop


@pytest.fixture
def factory(loop: VirtualLoop) -> EmulatedFactory:
    return EmulatedFactory(loop)


def hand_on(factory: EmulatedFactory, loop: VirtualLoop, seed: int = 0) -> EmulatedHand:
    """Return a hand whose one button is on GPIO 5."""
    return EmulatedHand(loop, Random(seed), lambda _, closed: factory.pin(5).ground(closed))


class Listener(DigitalInputDevice):
    def __init__(self, pin: int, factory: EmulatedFactory) -> None:
        self.edges: list[tuple[float, bool]] = []
        super().__init__(pin, pull_up=True, pin_factory=factory)
        self.edges.clear()

    def _fire_events(self, ticks: float, new_active: bool) -> None:
        self.edges.append((ticks, new_active))


def test_a_contact_bounces_and_comes_to_rest(factory: EmulatedFactory, loop: VirtualLoop) -> None:
    hand = hand_on(factory, loop)
    with Listener(5, factory) as device:
        hand.press("ok")
        loop.run_until_complete(asyncio.sleep(1))
        first, *bounces = device.edges
        assert first == (START_S, True)
        assert len(bounces) >= 2
        assert all(START_S < at <= START_S + BOUNCE_S for at, _ in bounces)
        assert [active for _, active in bounces] == [False, True] * (len(bounces) // 2)
        assert device.is_active


def test_opening_bounces_too(factory: EmulatedFactory, loop: VirtualLoop) -> None:
    hand = hand_on(factory, loop)
    with Listener(5, factory) as device:
        hand.press("ok")
        loop.run_until_complete(asyncio.sleep(1))
        device.edges.clear()
        hand.release("ok")
        loop.run_until_complete(asyncio.sleep(1))
        assert device.edges[0] == (START_S + 1, False)
        assert len(device.edges) > 2
        assert not device.is_active


def test_a_contact_that_opens_while_it_still_bounces_ends_open(factory: EmulatedFactory, loop: VirtualLoop) -> None:
    hand = hand_on(factory, loop)
    with Listener(5, factory) as device:
        for _ in range(20):
            hand.press("ok")
            loop.run_until_complete(asyncio.sleep(0.001))
            hand.release("ok")
            loop.run_until_complete(asyncio.sleep(0.02))
            assert not device.is_active


def test_the_same_seed_bounces_the_same(loop: VirtualLoop) -> None:
    def bounces(seed: int) -> list[tuple[float, bool]]:
        factory = EmulatedFactory(loop)
        hand = hand_on(factory, loop, seed)
        began_s = loop.time()
        with Listener(5, factory) as device:
            hand.press("ok")
            loop.run_until_complete(asyncio.sleep(1))
            return [(round(at - began_s, 9), active) for at, active in device.edges]

    assert bounces(1) == bounces(1) != bounces(2)


def test_a_contact_closed_before_the_pin_is_opened_is_seen(factory: EmulatedFactory) -> None:
    factory.pin(5).ground(True)
    with Listener(5, factory) as device:
        assert device.is_active


@pytest.mark.parametrize("number", [28, 40, -1])
def test_a_pin_that_is_not_there_raises_as_gpiozero_does(factory: EmulatedFactory, number: int) -> None:
    with pytest.raises(PinInvalidPin):
        DigitalInputDevice(number, pin_factory=factory)
    with pytest.raises(PinInvalidPin):
        factory.pin(number)


@pytest.mark.parametrize("number", range(28))
def test_all_28_pins_are_there(factory: EmulatedFactory, number: int) -> None:
    with DigitalInputDevice(number, pull_up=True, pin_factory=factory) as device:
        factory.pin(number).ground(True)
        assert device.is_active


def test_a_pin_keeps_no_history(factory: EmulatedFactory) -> None:
    pin = factory.pin(5)
    for _ in range(100):
        pin.ground(True)
        pin.ground(False)
    assert len(pin.states) <= 1


def test_gpiozeros_own_factory_is_left_alone(factory: EmulatedFactory) -> None:
    with DigitalInputDevice(5, pin_factory=factory):
        assert gpiozero.Device.pin_factory is None
