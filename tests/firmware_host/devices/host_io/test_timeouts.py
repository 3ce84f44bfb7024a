"""A port that hangs as it is opened or closed: the loop goes on, one thread hangs for it, and its owner is told."""

import os
import pty
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from firmware_host.devices.host_io.ports import SystemPorts
from firmware_host.devices.host_io.timeouts import TIMEOUT_S, run_with_timeout

NAME = "usb-A_Board_CUP0001-if00"


@pytest.fixture
def hang() -> Iterator[threading.Event]:
    """Give an event that lets hanging calls return."""
    hang = threading.Event()
    yield hang
    hang.set()


@pytest.fixture
def by_id(tmp_path: Path) -> Iterator[Path]:
    """Give a folder with one port in it."""
    far, near = pty.openpty()
    (tmp_path / NAME).symlink_to(os.ttyname(near))
    yield tmp_path
    os.close(far)
    os.close(near)


def threads_that_hang() -> int:
    return sum("open or close" in thread.name for thread in threading.enumerate())


def test_what_is_done_in_time_is_returned_and_what_is_raised_is_raised() -> None:
    assert run_with_timeout("x", lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        run_with_timeout("x", lambda: 1 // 0)


def test_what_hangs_is_left_behind_once_and_works_again_when_it_has_come_back(hang: threading.Event) -> None:
    late: list[bool] = []
    with pytest.raises(TimeoutError, match="it hangs"):
        run_with_timeout("y", hang.wait, 0.05, on_late_result=late.append)
    for _ in range(20):
        with pytest.raises(TimeoutError, match="has not come back"):
            run_with_timeout("y", hang.wait, 0.05)
    assert threads_that_hang() == 1
    assert run_with_timeout("another", lambda: 7) == 7
    hang.set()
    while threads_that_hang():
        time.sleep(0.01)
    assert late == [True]
    assert run_with_timeout("y", lambda: 7) == 7


def test_a_port_whose_close_hangs_does_not_hold_the_loop_and_is_told_to_who_opens_it_next(
    by_id: Path, hang: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = SystemPorts(by_id).open_port("CUP0001")
    with monkeypatch.context() as patched:
        patched.setattr(serial.Serial, "close", lambda _: hang.wait())
        began_s = time.monotonic()
        port.close()
        assert time.monotonic() - began_s < TIMEOUT_S + 0.5
    with pytest.raises(OSError, match="the kernel has not come back from it"):
        SystemPorts(by_id).open_port("CUP0001")
    hang.set()
    while threads_that_hang():
        time.sleep(0.01)
    port.close()


def test_a_port_whose_opening_hangs_is_closed_when_it_is_open_at_last(
    by_id: Path, hang: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[bool] = []
    opens = serial.Serial.open

    def slow(port: serial.Serial) -> None:
        hang.wait()
        opens(port)

    monkeypatch.setattr(serial.Serial, "open", slow)
    closes = serial.Serial.close
    monkeypatch.setattr(serial.Serial, "close", lambda port: (closed.append(port.is_open), closes(port)))
    with pytest.raises(TimeoutError):
        SystemPorts(by_id).open_port("CUP0001")
    hang.set()
    until_s = time.monotonic() + 5.0
    while True not in closed and time.monotonic() < until_s:
        time.sleep(0.01)
    assert True in closed
