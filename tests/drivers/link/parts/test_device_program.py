"""The proof that a device's program makes no report, from the order of its answers."""

import pytest

from drivers.link.device_program import ENOUGH_EVIDENCE, DeviceProgram
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.link import messages as link

LAST = 0xFFFF_FFFE
"""A ping token two short of the wraparound."""


class Device:
    """A device's answers to a host, which counts its questions and the news of the program."""

    def __init__(self, loop: VirtualLoop) -> None:
        self.asks = self.changes = 0
        self.token = LAST
        self.program = DeviceProgram(loop=loop, send=self._take)
        self.program.on_change = self._change

    def _take(self, message: link.LinkMessage) -> None:
        self.asks += message == link.Ask()

    def _change(self) -> None:
        self.changes += 1

    def come_up(self) -> None:
        self.program.ask()
        self.program.on_pong(self.token, self.token)

    def answer(self, *, hello: bool) -> bool:
        """Answer an Ask, or lose the Hello, and answer a ping after it; return whether that completes the proof."""
        self.token, before = self.token + 1 & 0xFFFF_FFFF, self.changes
        if hello:
            self.program.on_hello()
        self.program.on_pong(self.token, self.token)
        return self.changes > before


@pytest.fixture
def device(loop: VirtualLoop) -> Device:
    return Device(loop)


def test_hellos_without_a_report_prove_an_old_program_once(device: Device) -> None:
    device.come_up()
    answers = [device.answer(hello=True) for _ in range(ENOUGH_EVIDENCE + 3)]
    assert answers == [False] * (ENOUGH_EVIDENCE - 1) + [True] + [False] * 3
    assert device.program.has_no_release
    assert device.asks == ENOUGH_EVIDENCE


def test_a_lost_hello_is_no_evidence(device: Device) -> None:
    device.come_up()
    assert not any(device.answer(hello=False) for _ in range(100))
    assert not device.program.has_no_release


def test_a_pong_from_before_the_ask_is_no_evidence(device: Device) -> None:
    device.come_up()
    device.program.on_hello()
    for late in range(100):
        device.program.on_pong(LAST - late, LAST)
    assert device.changes == 0
    assert device.asks == 1


def test_a_report_ends_the_asking(device: Device) -> None:
    device.come_up()
    device.answer(hello=True)
    device.program.handle(link.Running(b"release1", 1))
    assert not any(device.answer(hello=True) for _ in range(100))
    assert not device.program.has_no_release
    assert device.asks == 2


def test_a_start_takes_everything_back(device: Device) -> None:
    device.come_up()
    for _ in range(ENOUGH_EVIDENCE):
        device.answer(hello=True)
    device.program.on_start()
    assert not device.program.has_no_release
    assert not any(device.answer(hello=True) for _ in range(100))
    assert device.asks == ENOUGH_EVIDENCE
