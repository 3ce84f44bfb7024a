"""What the table asks of a cup's program for a deal: repeated until it is answered, and after the cup was away."""

from collections.abc import Callable
from contextlib import ExitStack
from hashlib import sha256

import pytest
from support.link.scripted_device import CUP, ScriptedDevice

from drivers.link.devices import SerialCup
from drivers.link.request import RETRY_S
from drivers.messages import Drawn, Found, Message, Opened
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig
from hardware.link import messages as link

Wait = Callable[[float], None]
DEAL, NEXT, HEAD = (bytes([number]) * 32 for number in (1, 2, 3))

pytestmark = pytest.mark.usefixtures("unraised")


@pytest.fixture
def scripted(loop: VirtualLoop) -> ScriptedDevice:
    return ScriptedDevice(loop, CUP)


@pytest.fixture
def cup(scripted: ScriptedDevice, loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait) -> SerialCup:
    driver = opened.enter_context(SerialCup(2, scripted.open, loop=loop, post=inbox))  # type: ignore[arg-type]
    wait(0.3)
    return driver


def answers(inbox: list[Message]) -> list[Message]:
    return [message for message in inbox if isinstance(message, Drawn | Opened)]


def test_a_draw_is_repeated_until_it_is_answered(
    scripted: ScriptedDevice, cup: SerialCup, inbox: list[Message], wait: Wait
) -> None:
    cup.draw(DEAL)
    wait(10 * RETRY_S - 0.01)
    assert scripted.received_of(link.Draw) == [link.Draw(DEAL)] * 10
    scripted.send(link.Drawn(DEAL, b"c" * 32))
    wait(1)
    assert scripted.received_of(link.Draw) == [link.Draw(DEAL)] * 10
    assert answers(inbox) == [Drawn(2, DEAL, b"c" * 32)]


def test_an_answer_is_posted_once(scripted: ScriptedDevice, cup: SerialCup, inbox: list[Message], wait: Wait) -> None:
    cup.open_deal(DEAL, HEAD)
    scripted.send(*[link.Opened(DEAL, b"e" * 32)] * 3)
    wait(1)
    assert answers(inbox) == [Opened(2, DEAL, b"e" * 32)]


@pytest.mark.usefixtures("cup")
def test_what_nobody_asked_for_is_passed_over(scripted: ScriptedDevice, inbox: list[Message], wait: Wait) -> None:
    scripted.send(link.Drawn(DEAL, b"c" * 32), link.Opened(DEAL, b"e" * 32))
    wait(1)
    assert answers(inbox) == []


def test_the_answer_to_another_request_is_passed_over(
    scripted: ScriptedDevice, cup: SerialCup, inbox: list[Message], wait: Wait
) -> None:
    cup.draw(DEAL)
    scripted.send(link.Drawn(NEXT, b"c" * 32), link.Opened(DEAL, b"e" * 32))
    wait(0.05)
    assert answers(inbox) == []


def test_a_later_request_takes_the_place_of_an_earlier_one(
    scripted: ScriptedDevice, cup: SerialCup, wait: Wait
) -> None:
    cup.draw(DEAL)
    cup.open_deal(NEXT, HEAD)
    wait(1)
    assert scripted.received_of(link.Draw) == [link.Draw(DEAL)]
    assert scripted.received_of(link.Open) == [link.Open(NEXT, HEAD)] * len(scripted.received_of(link.Open))


def test_a_request_is_made_when_the_cup_is_there(
    scripted: ScriptedDevice, loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait
) -> None:
    scripted.answers = []
    driver = opened.enter_context(SerialCup(2, scripted.open, loop=loop, post=inbox))  # type: ignore[arg-type]
    driver.draw(DEAL)
    wait(1)
    assert scripted.received_of(link.Draw) == []
    scripted.answers = [CUP]
    wait(0.15)
    assert link.Draw(DEAL) in scripted.received


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_deal_that_is_no_hash_is_refused(length: int, cup: SerialCup) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        cup.draw(bytes(length))


def test_no_log_shows_what_was_opened() -> None:
    assert "eeee" not in repr(Opened(2, DEAL, b"e" * 32))


# With the real program at the far end.


@pytest.fixture
def real(loop: VirtualLoop, opened: ExitStack) -> EmulatedCup:
    cup = EmulatedCup(DeviceConfig("CUP0001"), loop, seed=1)
    opened.callback(cup.close)
    return cup


def test_a_cup_opens_what_it_had_committed_to_once_it_was_shaken(
    real: EmulatedCup, loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait
) -> None:
    driver = opened.enter_context(SerialCup(2, real.open, loop=loop, post=inbox))  # type: ignore[arg-type]
    driver.draw(DEAL)
    wait(0.5)
    driver.open_deal(DEAL, HEAD)
    wait(1)
    (drawn,) = answers(inbox)
    real.hand.shake()
    wait(3)
    opening = answers(inbox)[-1]
    assert isinstance(drawn, Drawn)
    assert isinstance(opening, Opened)
    assert drawn.commitment == sha256(b"dudo cup\0" + DEAL + opening.entropy).digest()


def test_a_cup_that_was_away_draws_again(
    real: EmulatedCup, loop: VirtualLoop, inbox: list[Message], opened: ExitStack, wait: Wait
) -> None:
    driver = opened.enter_context(SerialCup(2, real.open, loop=loop, post=inbox))  # type: ignore[arg-type]
    driver.draw(DEAL)
    wait(0.5)
    real.unplug()
    wait(5)
    real.plug()
    wait(1)
    first, second = answers(inbox)
    assert isinstance(first, Drawn)
    assert isinstance(second, Drawn)
    assert first.commitment != second.commitment
    assert sum(isinstance(message, Found) for message in inbox) == 2
