"""A cup or a seat board as a process of its own on a pseudo-terminal: for tables on the machine's own clock."""

import asyncio
import errno
import os
import shutil
import socket
import struct
import subprocess
import sys
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import serial
from PIL import Image

import hardware
from hardware.cup.fitted import Fitted
from hardware.cup.piped import LINES
from hardware.cup.program import TILT_LINE
from hardware.emulated.controllers import CHIPS, Controller
from hardware.emulated.glass import HEIGHT, WIDTH
from hardware.emulated.hand import Hand

ROOT = Path(hardware.__file__).parent.parent
CHUNK = 1 << 16
END_WITHIN_S = 2.0


def micropython() -> str | None:
    """Return the path of MicroPython's unix port if it is installed beside this Python or on the PATH."""
    return shutil.which("micropython", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")


class CupProcess:
    """The same motions and cable as `EmulatedCup`, but real time, a real process and a real serial port.

    `interpreter` runs it: a Python, or `micropython()`, which is the default where it is installed. `seed`
    decides its entropy and its bounces. `loop` runs on real time and moves the contacts.
    """

    def __init__(
        self, fitted: Fitted, loop: asyncio.AbstractEventLoop, *, seed: int, interpreter: str | None = None
    ) -> None:
        self.fitted = fitted
        self.plugged = 0
        """How often it was plugged in."""
        self.panel: Controller | None = None
        self._panel_changed: Callable[[], None] | None = None
        self._loop = loop
        self._rng = Random(f"{seed}/{fitted.identity}")
        self._hand = Hand(loop, self._rng, self._moved)
        self._interpreter = interpreter or micropython() or sys.executable
        self._process: subprocess.Popen[bytes] | None = None
        self._wires: socket.socket | None = None
        self._terminal = -1
        self._writes = b""
        self.path = ""
        """The serial port's path while plugged in."""
        self.plug()

    def __repr__(self) -> str:
        return f"<CupProcess {self.fitted.identity}, {self.path or 'unplugged'}>"

    @property
    def is_plugged(self) -> bool:
        """Whether the process runs."""
        return self._process is not None

    def open(self) -> serial.Serial:
        """Open the port with pyserial. FileNotFoundError while unplugged."""
        if not self.is_plugged:
            raise FileNotFoundError(errno.ENOENT, f"{self.fitted.identity} is not plugged in")
        return serial.Serial(self.path, exclusive=True, timeout=0, write_timeout=0)

    def press(self, button: str) -> None:
        """Put a finger down on a button."""
        self._hand.press(button)

    def release(self, button: str) -> None:
        """Take it off."""
        self._hand.release(button)

    def shake(self, for_s: float = 0.8) -> None:
        """Shake the cup for so long and put it down."""
        self._hand.shake(for_s)

    def tilt(self) -> None:
        """Lift the cup to look under it."""
        self._hand.tilt()

    def level(self) -> None:
        """Put it down again."""
        self._hand.level()

    def plug(self) -> None:
        """Start the process on a new pseudo-terminal. Nothing happens to one that is plugged in."""
        if self.is_plugged:
            return
        self.plugged += 1
        far_end, self._terminal = os.openpty()
        tty.setraw(self._terminal)  # until the host opens it: else it echoes
        os.set_blocking(far_end, False)
        self.path = os.ttyname(self._terminal)
        self._wires, cup_wires = socket.socketpair()
        self._wires.setblocking(False)
        cup_wires.setblocking(False)
        if self.fitted.panel is not None:
            self.panel = CHIPS[self.fitted.panel](self._rng.getrandbits(32))
            self.panel.written = self._panel_changed
        try:
            self._process = self._start(far_end, cup_wires.fileno())
        finally:
            os.close(far_end)
            cup_wires.close()
        self._writes = b""
        self._loop.add_reader(self._wires.fileno(), self._panel_written)

    def unplug(self) -> None:
        """Kill the process and take its port away."""
        process, self._process = self._process, None
        if process is None or self._wires is None:
            return
        self._dark()
        self.path = ""
        self._loop.remove_reader(self._wires.fileno())
        process.kill()  # before its wires are cut: it would complain
        process.wait(END_WITHIN_S)
        self._wires.close()
        os.close(self._terminal)

    def close(self) -> None:
        """Stop every motion and the process."""
        self._hand.let_go()
        self.unplug()

    def picture(self) -> Image.Image:
        """Return what an eye sees on the board's panel, 128x64, mode "1"; black without power."""
        return Image.new("1", (WIDTH, HEIGHT)) if self.panel is None else self.panel.picture()

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` whenever the picture may be another."""
        self._panel_changed = changed
        if self.panel is not None:
            self.panel.written = changed

    def _start(self, terminal: int, wires: int) -> subprocess.Popen[bytes]:
        fitted = self.fitted
        words = [
            str(wires),
            fitted.identity,
            str(self._rng.getrandbits(64)),
            ",".join(fitted.buttons) or "-",
            fitted.panel or "-",
            str(int(self._hand.closed(TILT_LINE))),
        ]
        return subprocess.Popen(
            [self._interpreter, "-m", "hardware.cup.piped", *words],
            stdin=terminal,
            stdout=terminal,
            pass_fds=[wires],
            start_new_session=True,  # Ctrl-C at the terminal is for the table, not for its cups
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "MICROPYPATH": f"{ROOT}:.frozen"},
        )

    def _dark(self) -> None:
        self.panel = None
        if self._panel_changed is not None:
            self._panel_changed()

    def _moved(self, line: str, closed: bool) -> None:
        if self.is_plugged and self._wires is not None:
            with suppress(BlockingIOError, ConnectionError):
                self._wires.send(bytes([LINES.index(line), closed]))

    def _panel_written(self) -> None:
        if self._wires is None:
            return
        with suppress(BlockingIOError, ConnectionError):
            received = self._wires.recv(CHUNK)
            if not received:
                self._loop.remove_reader(self._wires.fileno())
            self._writes += received
        while len(self._writes) >= 2:
            end = 2 + struct.unpack("<H", self._writes[:2])[0]
            if len(self._writes) < end:
                return
            if self.panel is not None:
                self.panel.write(self._writes[2:end])
            self._writes = self._writes[end:]
