"""Notifications as the service manager receives them, on sockets like its own."""

import asyncio
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.util.systemd import Notify, Watchdog
from hardware.emulated.virtual_loop import VirtualLoop


class Manager:
    """The service manager's end."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(address.replace("@", "\0", 1))
        self._socket.setblocking(False)

    def received(self) -> list[str]:
        """Return all that was said since the last time."""
        messages = []
        try:
            while True:
                messages.append(self._socket.recv(4096).decode())
        except BlockingIOError:
            return messages

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Manager]:
    """Give a manager that listens at a path, or at a name in no folder."""
    manager = Manager(f"@dudo-{os.getpid()}" if request.param == "abstract" else str(tmp_path / "notify"))
    yield manager
    manager.close()


def received_by(manager: Manager, **more: str) -> Notify:
    return Notify({"NOTIFY_SOCKET": manager.address, **more})


def test_each_thing_is_one_datagram(manager: Manager) -> None:
    with received_by(manager) as notify:
        notify.ready()
        notify.status("Lobby")
        notify.ping()
        notify.stopping()
    assert manager.received() == ["READY=1", "STATUS=Lobby", "WATCHDOG=1", "STOPPING=1"]


def test_a_reload_carries_the_moment_it_began(manager: Manager) -> None:
    before_us = time.monotonic_ns() // 1000
    with received_by(manager) as notify:
        notify.reloading()
    (messages,) = manager.received()
    first, second = messages.split("\n")
    assert first == "RELOADING=1"
    name, _, at_us = second.partition("=")
    assert name == "MONOTONIC_USEC"
    assert before_us <= int(at_us) <= time.monotonic_ns() // 1000


def test_a_status_is_said_once_and_on_one_line(manager: Manager) -> None:
    with received_by(manager) as notify:
        notify.status("North\nREADY=1")
        notify.status("North\nREADY=1")
        notify.status("East")
    assert manager.received() == ["STATUS=North READY=1", "STATUS=East"]


def test_a_status_that_was_not_heard_is_said_again(tmp_path: Path) -> None:
    address = str(tmp_path / "late")
    with Notify({"NOTIFY_SOCKET": address}) as notify:
        notify.status("Lobby")
        manager = Manager(address)
        notify.status("Lobby")
        assert manager.received() == ["STATUS=Lobby"]
        manager.close()


@pytest.mark.parametrize("named", ["", "notify", "vsock:2:1234"])
def test_without_a_socket_of_this_kind_nobody_is_told(named: str) -> None:
    with Notify({"NOTIFY_SOCKET": named, "WATCHDOG_USEC": "3000000"}) as notify:
        assert not notify.is_enabled
        assert notify.watchdog_s is None
        notify.ready()


def test_a_manager_that_never_reads_does_not_hold_the_table_up(manager: Manager) -> None:
    with received_by(manager) as notify:
        for _ in range(5000):
            notify.ping()
    assert manager.received()


def test_the_watchdogs_time_is_read_where_it_is_meant_for_this_process(manager: Manager) -> None:
    mine, others = str(os.getpid()), str(os.getpid() + 1)
    assert received_by(manager, WATCHDOG_USEC="3000000").watchdog_s == 3.0
    assert received_by(manager, WATCHDOG_USEC="3000000", WATCHDOG_PID=mine).watchdog_s == 3.0
    assert received_by(manager, WATCHDOG_USEC="3000000", WATCHDOG_PID=others).watchdog_s is None
    assert received_by(manager, WATCHDOG_USEC="soon").watchdog_s is None
    assert received_by(manager, WATCHDOG_USEC="0").watchdog_s is None


@pytest.mark.parametrize("manager", ["path"], indirect=True)
def test_a_table_that_answers_is_said_to_be_alive_twice_in_the_watchdogs_time(
    manager: Manager, loop: VirtualLoop
) -> None:
    with received_by(manager, WATCHDOG_USEC="3000000") as notify, Watchdog(notify, loop=loop, answers=lambda: True):
        assert manager.received() == ["WATCHDOG=1"]
        for _ in range(10):
            loop.run_until_complete(asyncio.sleep(3))
            assert manager.received() == ["WATCHDOG=1"] * 2


@pytest.mark.parametrize("manager", ["path"], indirect=True)
def test_a_table_that_does_not_answer_is_not_said_to_be_alive_until_it_does(
    manager: Manager, loop: VirtualLoop
) -> None:
    answers = [True]
    with received_by(manager, WATCHDOG_USEC="3000000") as notify:
        with Watchdog(notify, loop=loop, answers=lambda: answers[0]):
            answers[0] = False
            manager.received()
            loop.run_until_complete(asyncio.sleep(30))
            assert manager.received() == []
            answers[0] = True
            loop.run_until_complete(asyncio.sleep(1.5))
            assert manager.received()
        loop.run_until_complete(asyncio.sleep(5))
        assert manager.received() == []


def test_where_nobody_watches_no_timer_wakes_the_loop(loop: VirtualLoop) -> None:
    with Notify({}) as notify, Watchdog(notify, loop=loop, answers=lambda: True) as watchdog:
        assert repr(watchdog) == "<Watchdog stopped>"
