"""Devices that do not speak the link: one line in the log, and the table plays on."""

import asyncio
import errno
import socket
from pathlib import Path

import pytest
from support.wires.moments import is_right
from support.wires.table_at_wires import AtWires
from support.wires.unassigned import ALL, MET_S, hold_and_shake, remembered, run

from hardware.emulated.cup import EmulatedCup
from hardware.emulated.line import EmulatedPort
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig
from hardware.link import messages as link
from hardware.link.framing import frame


class Liar:
    """A device that says something of its own on its port: to begin with, and again so often."""

    def __init__(self, loop: asyncio.AbstractEventLoop, says: bytes, every_s: float = 0.1) -> None:
        self.is_plugged = True
        self.plugged = 1
        self.opened = 0
        self._loop = loop
        self._says = says
        self._every_s = every_s
        self._ends: list[socket.socket] = []

    def open(self) -> EmulatedPort:
        """Open its port."""
        self.opened += 1
        host_end, end = socket.socketpair()
        end.setblocking(False)
        self._ends.append(end)
        self._talk(end)
        return EmulatedPort(host_end)

    def close(self) -> None:
        """Say no more."""
        for end in self._ends:
            end.close()

    def _talk(self, end: socket.socket) -> None:
        try:
            end.send(self._says)
        except (BlockingIOError, OSError):
            return
        if self._says:
            self._loop.call_later(self._every_s, self._talk, end)


class Busy(Liar):
    """A device that somebody else has open."""

    def open(self) -> EmulatedPort:
        self.opened += 1
        raise OSError(errno.EBUSY, "Device or resource busy")


def hello(identity: str, fitted: int = link.TILT, version: int = link.VERSION) -> bytes:
    return frame(link.to_body(0, link.Hello(7, fitted, 1, identity, version)))


FLOOD = b"".join(frame(link.to_body(0, link.Pong(7, number, 7))) for number in range(2000))
LIARS = {
    "says nothing": (b"", 0.1, "does not say hello"),
    "prints its temperature": (b"ok T:21.4 /0.0 B:21.9\n", 0.1, "does not speak the link"),
    "has another version": (hello("X", version=1), 0.1, "version 1 of the link"),
    "feels nothing": (hello("X", link.PANEL), 0.1, "has not got a cup"),
    "floods": (hello("X") + FLOOD, 0.01, "without end"),
    "half a hello": (hello("X")[:9], 0.1, "does not speak the link"),
    "noise": (bytes(range(1, 256)) * 40, 0.005, "noise"),
}


@pytest.mark.parametrize("liar", LIARS)
def test_what_is_none_of_ours_is_one_line_and_is_left_alone(
    liar: str, loop: VirtualLoop, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    says, every_s, why = LIARS[liar]

    async def test(table: AtWires) -> None:
        unassigned = Liar(loop, says, every_s)
        table.wires.lay("usb-Some_X-if00", unassigned)
        table.seats[3].unplug("board")
        await asyncio.sleep(40)
        assert unassigned.opened == 1
        for seat in (0, 1, 2):
            assert is_right(table, seat)
        unassigned.plugged += 1
        await asyncio.sleep(10)
        assert unassigned.opened == 2, "plugged in again it has another chance"
        unassigned.close()

    run(loop, "boards-8", tmp_path, test)
    lines = [message for message in caplog.messages if "usb-Some_X-if00" in message]
    assert len(lines) == 2
    for line in lines:
        assert line.startswith("usb-Some_X-if00 belongs to no seat and is ignored until it is plugged in again: ")
        assert why in line


def test_a_port_that_somebody_else_has_open_is_left_alone(
    loop: VirtualLoop, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(table: AtWires) -> None:
        unassigned = Busy(loop, b"")
        table.wires.lay("usb-Some_X-if00", unassigned)
        table.seats[3].unplug("board")
        await asyncio.sleep(40)
        assert unassigned.opened == 1

    run(loop, "boards-8", tmp_path, test)
    assert len([message for message in caplog.messages if "usb-Some_X-if00" in message]) == 1


@pytest.mark.parametrize("identity", ["OTHER", "usb", "Adapter", "if00"])
def test_a_board_whose_name_is_not_its_ports_own_could_not_be_told_from_others(
    identity: str, loop: VirtualLoop, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(table: AtWires) -> None:
        board = EmulatedCup(DeviceConfig(identity, buttons=ALL, panel="ssd1309"), loop, seed=1)
        table.wires.lay("usb-Adapter_77-if00", board)
        table.seats[3].unplug("board")
        await asyncio.sleep(MET_S)
        await hold_and_shake(board)
        assert remembered(tmp_path) == {}

    run(loop, "boards-8", tmp_path, test)
    why = f"it identifies itself as '{identity}', and its port's name does not end in that"
    assert any(why in message for message in caplog.messages)
