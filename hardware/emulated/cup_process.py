"""A cup or a seat board as a process of its own on a pseudo-terminal: for tables on the machine's own clock."""

import asyncio
import errno
import json
import os
import shutil
import socket
import subprocess
import sys
import tty
from contextlib import suppress
from pathlib import Path

import serial

import hardware
from hardware.emulated import cup_physics
from hardware.emulated.pico import wires
from hardware.emulated.usb_device import EmulatedUsbDevice
from hardware.firmware import wiring
from hardware.firmware.device_config import DeviceConfig
from hardware.firmware.lis3dh import ADDRESS
from hardware.firmware.program import KEY_LINE, TILT_LINE

ROOT = Path(hardware.__file__).parent.parent
BOOT = ROOT / "hardware" / "emulated" / "pico" / "boot.py"
CHUNK = 1 << 16
END_WITHIN_S = 2.0
PINS = {TILT_LINE: 22, KEY_LINE: 16, **wiring.BUTTONS}


def micropython() -> str | None:
    """Return the path of MicroPython's unix port if it is installed beside this Python or on the PATH."""
    return shutil.which("micropython", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")


class CupProcess(EmulatedUsbDevice):
    """The same hand and cable as `EmulatedCup`, but real time, a real process and a real serial port.

    `interpreter` runs it: a Python, or `micropython()`, which is the default where it is installed. `loop` runs on real
    time and moves the contacts. The entropy is the machine's own, whatever the seed.
    """

    def __init__(
        self,
        fitted: DeviceConfig,
        loop: asyncio.AbstractEventLoop,
        *,
        seed: int,
        accelerometer: bool = False,
        interpreter: str | None = None,
    ) -> None:
        super().__init__(fitted, loop, seed=seed, accelerometer=accelerometer)
        self.hand.do_buttons_bounce = False
        self._interpreter = interpreter or micropython() or sys.executable
        self._process: subprocess.Popen[bytes] | None = None
        self._wires: socket.socket | None = None
        self._terminal = -1
        self._packets = wires.Packets()
        self._movement = cup_physics.LEVEL
        self._panel_answers = True
        self.path = ""
        """The serial port's path while plugged in."""
        self.plug()

    @property
    def panel_answers(self) -> bool:
        """Whether anything answers at the panel's address."""
        return self._panel_answers

    @panel_answers.setter
    def panel_answers(self, answers: bool) -> None:
        self._panel_answers = answers
        self._say(wires.ANSWERS, bytes([wiring.PANEL_ADDRESS, answers]))

    def open(self) -> serial.Serial:
        """Open the port with pyserial. FileNotFoundError while unplugged."""
        if not self.is_plugged:
            raise FileNotFoundError(errno.ENOENT, f"{self.fitted.identity} is not plugged in")
        return serial.Serial(self.path, exclusive=True, timeout=0, write_timeout=0)

    def _start(self) -> None:
        far_end, self._terminal = os.openpty()
        tty.setraw(self._terminal)  # until the host opens it: else it echoes
        os.set_blocking(far_end, False)
        self.path = os.ttyname(self._terminal)
        self._wires, cup_wires = socket.socketpair()
        self._wires.setblocking(False)
        cup_wires.setblocking(False)
        self._packets = wires.Packets()
        self._say_how_it_is()
        try:
            self._process = self._run(far_end, cup_wires.fileno())
        finally:
            os.close(far_end)
            cup_wires.close()
        self._loop.add_reader(self._wires.fileno(), self._written)

    def _stop(self) -> None:
        process, self._process = self._process, None
        self.path = ""
        assert process is not None
        assert self._wires is not None
        self._loop.remove_reader(self._wires.fileno())
        process.kill()
        process.wait(END_WITHIN_S)
        self._wires.close()
        os.close(self._terminal)

    def _run(self, terminal: int, descriptor: int) -> subprocess.Popen[bytes]:
        sensor = (ADDRESS, self._rng.getrandbits(31)) if self._has_accelerometer else None
        return subprocess.Popen(
            [self._interpreter, str(BOOT), str(descriptor), json.dumps(self._wiring()), json.dumps(sensor)],
            stdin=terminal,
            stdout=terminal,
            pass_fds=[descriptor],
            start_new_session=True,  # Ctrl-C at the terminal is for the table, not for its cups
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "MICROPYPATH": f"{ROOT}:.frozen"},
        )

    def _wiring(self) -> dict[str, object]:
        fitted, feels = self.fitted, self.fitted.tilt
        return {
            "IDENTITY": fitted.identity,
            "ADDRESS": fitted.address,
            "TILT": PINS[TILT_LINE] if feels and not self._has_accelerometer else None,
            "ACCELEROMETER": ADDRESS if feels and self._has_accelerometer else None,
            "BUTTONS": {name: PINS[name] for name in fitted.buttons},
            "PANEL": fitted.panel,
            "LIGHT": wiring.LIGHT if fitted.light else None,
            "KEY": PINS[KEY_LINE] if fitted.key else None,
        }

    def _say_how_it_is(self) -> None:
        for line, pin in PINS.items():
            if self.hand.closed(line):
                self._say(wires.LEVEL, bytes([pin, 0]))
        self._say(wires.MOVE, bytes([self._movement]))
        self._say(wires.ANSWERS, bytes([wiring.PANEL_ADDRESS, self._panel_answers]))

    def _moved(self, line: str, closed: bool) -> None:
        if self.is_plugged:
            self._say(wires.LEVEL, bytes([PINS[line], not closed]))

    def _carried(self, movement: int) -> None:
        if movement != cup_physics.KNOCK:
            self._movement = movement
        if self.is_plugged:
            self._say(wires.MOVE, bytes([movement]))

    def _say(self, kind: int, data: bytes) -> None:
        if self._wires is not None:
            with suppress(BlockingIOError, ConnectionError, OSError):
                self._wires.send(wires.packet(kind, data))

    def _written(self) -> None:
        if self._wires is None:
            return
        with suppress(BlockingIOError, ConnectionError):
            received = self._wires.recv(CHUNK)
            if not received:
                self._loop.remove_reader(self._wires.fileno())
            for kind, data in self._packets.feed(received):
                self._handle(kind, data)

    def _handle(self, kind: int, data: bytes) -> None:
        if kind == wires.WRITE and self.panel is not None and data[0] == wiring.PANEL_ADDRESS:
            self.panel.write(data[1:])
        elif kind == wires.LEVEL and data[0] == wiring.LIGHT:
            self._light(bool(data[1]))
