"""What an emulated hand does with a cup, as its contact and its accelerometer are moved."""

import asyncio
from collections.abc import Callable
from random import Random

import pytest

from hardware.emulated import cup_physics
from hardware.emulated.hand import RATTLE_S, EmulatedHand
from hardware.emulated.virtual_loop import VirtualLoop

Wait = Callable[[float], None]


class Cup:
    """Keeps how the contact was moved and the movements that began."""

    def __init__(self, loop: VirtualLoop) -> None:
        self.closed = False
        self.edges: list[float] = []
        self.movements: list[int] = []
        self._loop = loop
        self.hand = EmulatedHand(loop, Random(1), self._moved, self.movements.append)

    def _moved(self, line: str, closed: bool) -> None:
        assert line == "tilt"
        self.closed = closed
        self.edges.append(self._loop.time())


@pytest.fixture
def cup(loop: VirtualLoop) -> Cup:
    return Cup(loop)


@pytest.fixture
def wait(loop: VirtualLoop) -> Wait:
    return lambda duration_s: loop.run_until_complete(asyncio.sleep(duration_s))


def test_a_shaken_cup_is_put_down_at_the_end(cup: Cup, wait: Wait) -> None:
    cup.hand.shake(0.8)
    wait(0.7)
    assert cup.movements == [cup_physics.SHAKE]
    wait(0.5)
    assert cup.movements == [cup_physics.SHAKE, cup_physics.LEVEL]
    assert not cup.closed


def test_a_cup_is_banged_down_in_the_middle_of_a_shake(cup: Cup, wait: Wait) -> None:
    cup.hand.shake(10)
    wait(0.7)
    cup.hand.slam()
    wait(10)
    assert cup.movements == [cup_physics.SHAKE, cup_physics.SLAM]
    assert not cup.closed


def test_a_look_lifts_and_lowers_it(cup: Cup, wait: Wait) -> None:
    cup.hand.tilt()
    wait(1)
    assert cup.closed
    cup.hand.level()
    wait(1)
    assert cup.movements == [cup_physics.TILT, cup_physics.LEVEL]
    assert not cup.closed


def test_a_knock_rattles_for_a_while(cup: Cup, wait: Wait) -> None:
    cup.hand.knock()
    wait(1)
    assert cup.movements == [cup_physics.KNOCK]
    assert len(cup.edges) > 5
    assert cup.edges[-1] - cup.edges[0] == pytest.approx(RATTLE_S)
    assert not cup.closed


def test_a_knock_leaves_a_lifted_cup_lifted(cup: Cup, wait: Wait) -> None:
    cup.hand.tilt()
    wait(1)
    cup.hand.knock()
    wait(1)
    assert cup.closed


def test_a_cup_lifted_while_the_table_rattles_is_lifted(cup: Cup, wait: Wait) -> None:
    cup.hand.knock()
    wait(0.03)
    cup.hand.tilt()
    wait(1)
    assert cup.closed


@pytest.mark.parametrize("movement", [cup_physics.LEVEL, cup_physics.SLAM])
def test_a_cup_on_the_table_weighs_what_it_weighs(movement: int) -> None:
    cup = cup_physics.CupPhysics(5)
    cup.move(cup_physics.SHAKE, 1.0)
    cup.move(movement, 2.0)
    x, y, z = cup.force_at(4.0)
    assert (x, y, z) == pytest.approx((0, 0, 1000), abs=10)


def test_the_same_seed_gives_the_same_forces() -> None:
    def forces(seed: int) -> list[tuple[float, float, float]]:
        cup = cup_physics.CupPhysics(seed)
        cup.move(cup_physics.SHAKE, 0.0)
        return [cup.force_at(at / 100) for at in range(100)]

    assert forces(1) == forces(1)
    assert forces(1) != forces(2)


def test_a_movement_that_is_none_is_passed_over() -> None:
    cup = cup_physics.CupPhysics(1)
    cup.move(250, 1.0)
    assert cup.force_at(2.0)[2] == pytest.approx(1000, abs=10)
