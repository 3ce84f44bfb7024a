"""The proof that a device's program makes no report."""

import pytest

from drivers.link.program_report import ENOUGH_EVIDENCE, ProgramReport
from hardware.link import messages as link

LAST = 0xFFFF_FFFE
"""A ping token two short of the wraparound."""


class Device:
    """A device's answers to a host with the report."""

    def __init__(self) -> None:
        self.asks = 0
        self.token = LAST
        self.report = ProgramReport(self._ask)

    def _ask(self) -> None:
        self.asks += 1

    def come_up(self) -> None:
        self.report.want()
        self.report.on_pong(self.token, self.token)

    def answer(self, *, hello: bool) -> bool:
        """Answer an Ask, or lose the Hello, and answer a ping after it; return whether that completes the proof."""
        self.token = self.token + 1 & 0xFFFF_FFFF
        if hello:
            self.report.on_hello()
        return self.report.on_pong(self.token, self.token)


@pytest.fixture
def device() -> Device:
    return Device()


def test_hellos_without_a_report_prove_an_old_program_once(device: Device) -> None:
    device.come_up()
    answers = [device.answer(hello=True) for _ in range(ENOUGH_EVIDENCE + 3)]
    assert answers == [False] * (ENOUGH_EVIDENCE - 1) + [True] + [False] * 3
    assert device.report.is_unsupported
    assert device.asks == ENOUGH_EVIDENCE


def test_a_lost_hello_is_no_evidence(device: Device) -> None:
    device.come_up()
    assert not any(device.answer(hello=False) for _ in range(100))
    assert not device.report.is_unsupported


def test_a_pong_from_before_the_ask_is_no_evidence(device: Device) -> None:
    device.come_up()
    device.report.on_hello()
    assert not any(device.report.on_pong(LAST - late, LAST) for late in range(100))
    assert device.asks == 1


def test_a_report_ends_the_asking(device: Device) -> None:
    device.come_up()
    device.answer(hello=True)
    device.report.running = link.Running(b"release1", 1)
    assert not any(device.answer(hello=True) for _ in range(100))
    assert not device.report.is_unsupported
    assert device.asks == 2


def test_a_start_takes_everything_back(device: Device) -> None:
    device.come_up()
    for _ in range(ENOUGH_EVIDENCE):
        device.answer(hello=True)
    device.report.reset()
    assert not device.report.is_unsupported
    assert not any(device.answer(hello=True) for _ in range(100))
    assert device.asks == ENOUGH_EVIDENCE
