"""A cup or a seat board in memory: the real program at the far end of an emulated cable, on the table's clock."""

import asyncio
import errno
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from random import Random

import serial
from PIL import Image

from hardware.cup.fitted import Fitted
from hardware.cup.program import TILT_LINE, Cup, Inputs
from hardware.emulated.controllers import CHIPS, Controller
from hardware.emulated.glass import HEIGHT, WIDTH
from hardware.emulated.hand import Hand
from hardware.emulated.port import EmulatedPort

CHUNK = 4096


class EmulatedCup:
    """One cup or, where `fitted` has buttons and a panel, one seat board. It is plugged in from the start.

    `open()` gives the host's end of its cable. Motions take time on `loop` and bounce. All chance comes from
    `seed` and the cup's identity: its bounces, the number of its starts, and its entropy.
    """

    def __init__(self, fitted: Fitted, loop: asyncio.AbstractEventLoop, *, seed: int) -> None:
        self.fitted = fitted
        self.plugged = 0
        """How often it was plugged in."""
        self.panel: Controller | None = None
        self._panel_changed: Callable[[], None] | None = None
        self.panel_answers = True
        self._loop = loop
        self._rng = Random(f"{seed}/{fitted.identity}")
        self._hand = Hand(loop, self._rng, self._moved)
        self._levels: dict[str, bool] = {}
        self._program: Cup | None = None
        self._started_s = 0.0
        self._port: EmulatedPort | None = None
        self._end: socket.socket | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.plug()

    def __repr__(self) -> str:
        return f"<EmulatedCup {self.fitted.identity}, {'plugged in' if self.is_plugged else 'unplugged'}>"

    @property
    def is_plugged(self) -> bool:
        """Whether the cup has power and its port is there."""
        return self._program is not None

    def open(self) -> EmulatedPort:
        """Open the port. FileNotFoundError while unplugged, SerialException while somebody has it open."""
        if not self.is_plugged:
            raise FileNotFoundError(errno.ENOENT, f"{self.fitted.identity} is not plugged in")
        if self._port is not None and self._port.is_open:
            raise serial.SerialException(errno.EAGAIN, "Could not exclusively lock port")
        self._hang_up()
        host_end, self._end = socket.socketpair()
        self._end.setblocking(False)
        self._loop.add_reader(self._end.fileno(), self._readable)
        self._port = EmulatedPort(host_end)
        return self._port

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

    def unplug(self) -> None:
        """Pull the cable: the port fails, and the cup loses its power and all it knew."""
        self._program = None
        self._dark()
        if self._timer is not None:
            self._timer.cancel()
        if self._port is not None:
            self._port.pull()
        self._hang_up()

    def plug(self) -> None:
        """Put the cable in: the cup starts anew. Nothing happens to one that is plugged in."""
        if self.is_plugged:
            return
        self.plugged += 1
        fitted = self.fitted
        if fitted.panel is not None:
            self.panel = CHIPS[fitted.panel](self._rng.getrandbits(32))
            self.panel.written = self._panel_changed
        self._started_s = self._loop.time()
        tilted = self._levels.get(TILT_LINE, False)
        self._program = Cup(fitted, self._rng.randrange(1, 1 << 31), 0, self._draw, self._write_panel, tilted)
        self._step(Inputs())

    def close(self) -> None:
        """Stop every motion and take the cup off the loop."""
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

    def _dark(self) -> None:
        self.panel = None
        if self._panel_changed is not None:
            self._panel_changed()

    def _moved(self, line: str, closed: bool) -> None:
        if closed == self._levels.get(line, False):
            return
        self._levels[line] = closed
        self._step(Inputs(edges=((line, closed, self._now_ns()),)))

    def _readable(self) -> None:
        if self._end is None:
            return
        try:
            received = self._end.recv(CHUNK)
        except BlockingIOError:
            return
        except ConnectionError:
            received = b""
        if received:
            self._step(Inputs(received))
        else:
            self._hang_up()

    def _due(self) -> None:
        self._step(Inputs())

    def _step(self, inputs: Inputs) -> None:
        program = self._program
        if program is None:
            return
        due_ns = program.due_ns
        now_ns = self._now_ns()
        if due_ns is not None and 0 < due_ns - now_ns < 1000:  # a timer fires a hair early
            now_ns = due_ns
        for frame in program.step(now_ns, inputs):
            self._send(frame)
        if self._timer is not None:
            self._timer.cancel()
        due_ns = program.due_ns
        self._timer = None
        if due_ns is not None:
            self._timer = self._loop.call_at(self._started_s + due_ns / 1e9, self._due)

    def _send(self, frame: bytes) -> None:
        # As on USB: what nobody reads is gone, and the link repeats what matters.
        if self._end is not None:
            with suppress(BlockingIOError, ConnectionError):
                self._end.send(frame)

    def _hang_up(self) -> None:
        if self._end is not None:
            self._loop.remove_reader(self._end.fileno())
            self._end.close()
            self._end = None

    def _now_ns(self) -> int:
        return round((self._loop.time() - self._started_s) * 1e9)

    def _draw(self, stamps: bytes) -> bytes:
        return sha256(self._rng.randbytes(32) + stamps).digest()

    def _write_panel(self, data: bytes) -> None:
        if self.panel is None or not self.panel_answers:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        self.panel.write(data)
