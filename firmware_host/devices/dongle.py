"""A dongle: for `Links`, the line that several cups share."""

import asyncio
from functools import partial
from typing import Any

from drivers.link.port import SerialPort
from drivers.messages import Post
from firmware_host.host_io.ports import Ports
from firmware_host.supervision.supervision import Ward
from firmware_host.supervision.wards import Wards


class Dongle:
    """A line that is watched over, and who watches over its `cups`: with a new line they are made anew."""

    def __init__(self, serial_id: str, wires: Ports, wards: Wards) -> None:
        self.cups: list[Ward[Any]] = []
        self._serial_id = serial_id
        self._wires = wires
        self._ward = wards.watch(f"the driver of the dongle {serial_id}", self._build)

    def line(self) -> SerialPort:
        """The line; ConnectionError while there is none."""
        line = self._ward.driver
        if line is None:
            raise ConnectionError("the dongle's driver is being made anew")
        return line

    def _build(self, loop: asyncio.AbstractEventLoop, post: Post) -> SerialPort:
        for cup in self.cups:
            cup.fail(ConnectionError("the dongle's driver has failed"))
        return SerialPort(partial(self._wires.open_port, self._serial_id), loop=loop)
