"""How often a cup is pinged, what its picture's lease is, and when it counts as lost."""

from collections.abc import Callable
from contextlib import ExitStack

import pytest
from PIL import Image
from support.link.scripted_device import BOARD, CUP, ScriptedDevice

from drivers.link.devices import PhoneBoard, SerialCup
from drivers.link.keepalive import ACTIVE, IDLE, IDLE_WIRELESS
from drivers.link.seat_board import SeatBoard
from drivers.messages import Device, Found, Lost, Message
from drivers.timing import align_up
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.link import messages as link

Wait = Callable[[float], None]

pytestmark = pytest.mark.usefixtures("unraised")


@pytest.fixture
def scripted(loop: VirtualLoop) -> ScriptedDevice:
    return ScriptedDevice(loop, CUP)


@pytest.fixture
def cup(scripted: ScriptedDevice, loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait) -> SerialCup:
    driver = opened.enter_context(SerialCup(2, scripted.open, loop=loop, post=inbox, identity="CUP0001"))  # type: ignore[arg-type]
    wait(0.3)
    return driver


@pytest.fixture
def board(
    scripted: ScriptedDevice, loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait
) -> SeatBoard:
    scripted.answers = [BOARD]
    driver = opened.enter_context(SeatBoard(2, scripted.open, loop=loop, post=inbox))  # type: ignore[arg-type]
    wait(0.3)
    return driver


def leases(scripted: ScriptedDevice) -> list[int]:
    return [ping.lease_ms for ping in scripted.received if isinstance(ping, link.Ping)]


@pytest.mark.parametrize(("now_s", "beat_s"), [(1000.0, 1000.2), (1000.1, 1000.2), (1000.1999999, 1000.4)])
def test_a_beat_that_comes_a_hair_early_comes_once(now_s: float, beat_s: float) -> None:
    assert align_up(now_s, 0.2) == pytest.approx(beat_s)


@pytest.mark.usefixtures("cup")
def test_a_cup_that_was_touched_is_pinged_five_times_a_second_with_a_short_lease(
    scripted: ScriptedDevice, wait: Wait
) -> None:
    scripted.received.clear()
    wait(2)
    assert leases(scripted) == [ACTIVE.lease_ms] * 10


@pytest.mark.usefixtures("cup")
def test_a_cup_that_nobody_touches_is_pinged_seldom_and_its_picture_stays(scripted: ScriptedDevice, wait: Wait) -> None:
    wait(24)
    scripted.received.clear()
    wait(60)
    assert leases(scripted) == [IDLE.lease_ms] * 5


def test_a_phone_that_nobody_touches_is_pinged_more_often_as_no_cable_tells_its_loss(
    scripted: ScriptedDevice, loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait
) -> None:
    scripted.answers = [BOARD]
    opened.enter_context(PhoneBoard(2, scripted.open, loop=loop, post=inbox))  # type: ignore[arg-type]
    wait(24)
    scripted.received.clear()
    wait(60)
    assert leases(scripted) == [IDLE_WIRELESS.lease_ms] * 15


@pytest.mark.usefixtures("cup")
@pytest.mark.parametrize("rested_s", [21, 300])
def test_a_touch_ends_the_rest_at_once(rested_s: float, scripted: ScriptedDevice, wait: Wait) -> None:
    wait(rested_s)
    scripted.received.clear()
    scripted.send(link.Event(5, 1, 1, link.TILTED))
    wait(0.01)
    assert leases(scripted) == [ACTIVE.lease_ms]


def test_dice_end_the_rest_before_they_are_sent(scripted: ScriptedDevice, board: SeatBoard, wait: Wait) -> None:
    wait(21)
    scripted.received.clear()
    board.show(Image.new("1", (128, 64), 1), dice=[(0, 0, 8, 8)])
    wait(0.01)
    assert [type(message) for message in scripted.received] == [link.Ping, link.Picture]
    assert leases(scripted) == [ACTIVE.lease_ms]


def test_while_dice_are_shown_the_lease_is_short(scripted: ScriptedDevice, board: SeatBoard, wait: Wait) -> None:
    board.show(Image.new("1", (128, 64), 1), dice=[(0, 0, 8, 8)])
    wait(60)
    scripted.received.clear()
    wait(2)
    assert leases(scripted) == [ACTIVE.lease_ms] * 10


@pytest.mark.parametrize(("rested_s", "watched_s"), [(0, 8), (20, 24)])
def test_the_links_of_a_table_ping_at_the_same_moments(
    rested_s: float, watched_s: float, loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait
) -> None:
    at_s: list[list[float]] = [[], []]
    for seat in range(2):

        class Noted(SerialCup):
            def _send(self, message: link.LinkMessage) -> None:
                super()._send(message)
                if isinstance(message, link.Ping):
                    at_s[self.seat].append(loop.time())

        opened.enter_context(Noted(seat, ScriptedDevice(loop, CUP).open, loop=loop, post=inbox))  # type: ignore[arg-type]
        wait(0.33)
    wait(rested_s)
    at_s[0].clear()
    at_s[1].clear()
    wait(watched_s)
    assert at_s[0] == at_s[1] != []


@pytest.mark.usefixtures("cup")
@pytest.mark.parametrize("rested_s", [0, 20, 300])
def test_a_ping_that_is_not_answered_is_followed_by_the_next_within_a_tenth_of_a_second(
    rested_s: float, scripted: ScriptedDevice, wait: Wait
) -> None:
    wait(rested_s)
    scripted.is_deaf_to_pings = True
    scripted.received.clear()
    wait(12.5)
    assert len(leases(scripted)) >= 5


@pytest.mark.usefixtures("cup")
@pytest.mark.parametrize("rested_s", [0, 20, 300])
def test_pongs_that_are_lost_for_two_seconds_lose_no_cup(
    rested_s: float, scripted: ScriptedDevice, inbox: list[Message], wait: Wait
) -> None:
    wait(rested_s)
    scripted.is_deaf_to_pings = True
    wait(2.5)
    scripted.is_deaf_to_pings = False
    wait(9)
    assert inbox == [Found(2, Device.CUP)]


@pytest.mark.usefixtures("cup")
def test_an_answer_that_takes_longer_than_a_beat_is_still_one(
    scripted: ScriptedDevice, cup: SerialCup, loop: VirtualLoop, inbox: list[Message], wait: Wait
) -> None:
    scripted.is_deaf_to_pings = True
    for _ in range(40):
        wait(0.25)
        at_ns = round(loop.time() * 1e9)
        scripted.send(*(link.Pong(ping.token, 5, at_ns) for ping in scripted.received if isinstance(ping, link.Ping)))
        scripted.received.clear()
    assert inbox == [Found(2, Device.CUP)]
    assert cup.clock_error_ns is not None
    assert cup.clock_error_ns < 200_000_000


@pytest.mark.usefixtures("cup")
def test_a_cup_that_falls_silent_is_told_once_and_found_when_it_is_heard_again(
    scripted: ScriptedDevice, inbox: list[Message], wait: Wait
) -> None:
    scripted.is_deaf_to_pings = True
    scripted.answers = []
    wait(12)
    scripted.is_deaf_to_pings = False
    scripted.answers = [CUP]
    wait(0.2)
    lost = Lost(2, Device.CUP, "the cup has not answered for 3 s")
    assert inbox == [Found(2, Device.CUP), lost, Found(2, Device.CUP)]
    assert scripted.opened == 1


@pytest.mark.usefixtures("cup")
def test_a_cup_that_stays_silent_is_tried_ever_less(scripted: ScriptedDevice, inbox: list[Message], wait: Wait) -> None:
    scripted.is_deaf_to_pings = True
    scripted.answers = []
    wait(600)
    scripted.received.clear()
    wait(60)
    assert len(inbox) == 2
    assert len(scripted.received) < 60 * 5


def test_a_cup_that_says_hello_but_answers_no_ping_is_not_found(
    scripted: ScriptedDevice, loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait
) -> None:
    scripted.is_deaf_to_pings = True
    opened.enter_context(SerialCup(2, scripted.open, loop=loop, post=inbox))  # type: ignore[arg-type]
    wait(60)
    assert inbox == [Lost(2, Device.CUP, "the cup has not answered for 3 s")]


@pytest.mark.usefixtures("cup")
@pytest.mark.parametrize("rested_s", [0, 20, 300])
def test_a_lifted_cup_that_falls_silent_is_lost_before_a_second_has_passed(
    rested_s: float, scripted: ScriptedDevice, inbox: list[Message], wait: Wait
) -> None:
    scripted.send(link.Event(5, 1, 1, link.TILTED))
    wait(rested_s)
    scripted.is_deaf_to_pings = True
    wait(0.9)
    assert inbox[-1] == Lost(2, Device.CUP, "the cup has not answered for 0.6 s")


@pytest.mark.usefixtures("cup")
def test_a_cup_that_is_down_again_may_be_silent_for_longer(
    scripted: ScriptedDevice, inbox: list[Message], wait: Wait
) -> None:
    scripted.send(link.Event(5, 1, 1, link.TILTED), link.Event(5, 2, 2, link.LEVELLED))
    wait(0.1)
    scripted.is_deaf_to_pings = True
    wait(2.5)
    assert not any(isinstance(message, Lost) for message in inbox)
