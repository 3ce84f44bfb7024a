"""A cup or a seat board in memory: the real program at the far end of an emulated line, on the table's clock."""

import asyncio
import errno
import os

from hardware.cup.fitted import Fitted
from hardware.cup.lis3dh import ADDRESS, Accelerometer
from hardware.cup.program import TILT_LINE, Body, Cup, Inputs
from hardware.emulated.line import EmulatedLine
from hardware.emulated.lis3dh import EmulatedLis3dh, SensorWires
from hardware.emulated.port import EmulatedPort
from hardware.emulated.usb_cup import UsbCup
from hardware.link.motion import Motion


class EmulatedCup(UsbCup):
    """A cup whose program runs in this process, whatever the loop's time is. `open()` gives the host's end of its line.

    `line` is that of a dongle; the port is then the dongle's, and unplugging the cup is taking its battery out. While
    `panel_answers` is false, nothing answers at the panel's address.
    """

    def __init__(
        self,
        fitted: Fitted,
        loop: asyncio.AbstractEventLoop,
        *,
        seed: int,
        accelerometer: bool = False,
        line: EmulatedLine | None = None,
    ) -> None:
        super().__init__(fitted, loop, seed=seed, accelerometer=accelerometer)
        self.panel_answers = True
        self._line = line or EmulatedLine(fitted.identity, loop)
        self._line.hear(self._heard)
        self._has_own_line = line is None
        self._levels: dict[str, bool] = {}
        self._chip = EmulatedLis3dh(self._rng.getrandbits(31), self._loop_ns) if accelerometer else None
        self._program: Cup | None = None
        self._started_s = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self.plug()

    @property
    def is_plugged(self) -> bool:
        """Whether the cup has power."""
        return self._program is not None

    def open(self) -> EmulatedPort:
        """Open the port. FileNotFoundError while unplugged, SerialException while somebody has it open."""
        return self._line.open()

    def _start(self) -> None:
        if self._has_own_line:
            self._line.is_there = True
        self._started_s = self._loop.time()
        boot = self._rng.randrange(1, 1 << 31)
        self._program = Cup(self.fitted, boot, 0, _Body(self), self._motion())
        self._step(Inputs())

    def _stop(self) -> None:
        self._program = None
        if self._chip is not None:
            self._chip.unplug()
        if self._timer is not None:
            self._timer.cancel()
        if self._has_own_line:
            self._line.pull()

    def _motion(self) -> Motion | Accelerometer | None:
        if self._chip is not None:
            self._chip.plug()
            return Accelerometer(SensorWires(self._chip), ADDRESS, "+z", 0)
        return Motion(self._levels.get(TILT_LINE, False), 0) if self.fitted.tilt else None

    def _moved(self, line: str, closed: bool) -> None:
        if closed == self._levels.get(line, False):
            return
        self._levels[line] = closed
        if line != TILT_LINE or self._chip is None:
            self._step(Inputs(edges=((line, closed, self._now_ns()),)))

    def _carried(self, movement: int) -> None:
        if self._chip is not None:
            self._chip.move(movement)

    def _heard(self, received: bytes) -> None:
        self._step(Inputs(received))

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
            self._line.send(frame)
        if self._timer is not None:
            self._timer.cancel()
        due_ns = program.due_ns
        self._timer = None
        if due_ns is not None:
            self._timer = self._loop.call_at(self._started_s + due_ns / 1e9, self._due)

    def _now_ns(self) -> int:
        return round((self._loop.time() - self._started_s) * 1e9)

    def _loop_ns(self) -> int:
        return round(self._loop.time() * 1e9)

    def _write_panel(self, data: bytes) -> None:
        if self.panel is None or not self.panel_answers:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        self.panel.write(data)


class _Body(Body):
    """What the program has of an emulated board."""

    def __init__(self, cup: EmulatedCup) -> None:
        self._cup = cup

    def random(self, count: int) -> bytes:
        return self._cup._rng.randbytes(count)

    def write_panel(self, data: bytes) -> None:
        self._cup._write_panel(data)

    def set_light(self, is_on: bool) -> None:
        self._cup._light(is_on)
