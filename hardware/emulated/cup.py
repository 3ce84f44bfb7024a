"""A cup or a seat board in memory: the real program on an emulated line, on the table's clock.
It is as slow as a Raspberry Pi Pico: `Pace` has each operation's cost; the loop here mirrors `hardware.firmware.main`.
"""

import asyncio
import errno
import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from hardware.config.layout import PHONE as PHONE_ID
from hardware.emulated.chips.lis3dh import EmulatedLis3dh, SensorWires
from hardware.emulated.flash import MemoryFlash
from hardware.emulated.line import EmulatedLine, EmulatedPort
from hardware.emulated.pace import PHONE, PICO, Pace
from hardware.emulated.usb_device import EmulatedUsbDevice
from hardware.firmware.cable import MAX_DECODING_US, MAX_READ_BYTES, PACKET_BYTES
from hardware.firmware.device_config import DeviceConfig
from hardware.firmware.lis3dh import ADDRESS, Accelerometer
from hardware.firmware.loader import Slots
from hardware.firmware.program import TILT_LINE, Board, Inputs, Program
from hardware.firmware.update import Updates
from hardware.link.framing import LONGEST_FRAME, FramingError, unframe
from hardware.link.gesture import GestureDetector
from hardware.link.messages import MessageError, from_body, without_outdated
from hardware.link.oled import MEMORY

Output = tuple[float, Callable[[], None]]
"""A time on the loop in seconds, and the board's action then."""


FAILING_S = 1.0
"""Seconds in which a broken program fails."""
LAST_ANSWER_S = 0.05
"""As in `hardware.firmware.main`, which runs on a Pico alone."""


class EmulatedCup(EmulatedUsbDevice, Board):
    """A cup with its program in this process, on any kind of loop. `open()` gives the host's end of its line.
    `line` is a dongle's; the port is then the dongle's, and unplugging the cup takes its battery out. While
    `panel_answers` is false, the panel's address stays silent. With a `flash` it tells its program's release, and takes
    updates; every release behaves alike, except those in `broken`, which never say hello. `pace` is its speed, unless
    it is a phone.
    """

    def __init__(
        self,
        fitted: DeviceConfig,
        loop: asyncio.AbstractEventLoop,
        *,
        seed: int,
        accelerometer: bool = False,
        line: EmulatedLine | None = None,
        flash: MemoryFlash | None = None,
        pace: Pace = PICO,
    ) -> None:
        super().__init__(fitted, loop, seed=seed, accelerometer=accelerometer)
        self.panel_answers = True
        self._pace = PHONE if fitted.identity.startswith(PHONE_ID) else pace
        self.flash = flash
        self.broken: set[bytes] = set()
        self._updates: Updates | None = None
        self._line = line or EmulatedLine(fitted.identity, loop)
        self._line.listen(self._receive)
        self._has_own_line = line is None
        self._levels: dict[str, bool] = {}
        self._chip = EmulatedLis3dh(self._rng.getrandbits(31), self._loop_ns) if accelerometer else None
        self._program: Program | None = None
        self._started_s = 0.0
        self._received = bytearray()
        self._partial = b""
        self._work: Iterator[bytes] | None = None  # the rest of the step
        self._parts_us: deque[float] = deque()  # to be decoded
        self._messages_us: deque[float] = deque()  # to be handled
        self._decoded = self._handled = 0
        self._left_unread = False
        self._edges: list[tuple[str, bool, int]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._reading: bytes | None = None
        self._read_s = 0.0
        self._outputs: deque[Output] = deque()
        self._busy_s = self._decoding_s = 0.0
        self.plug()

    def open(self) -> EmulatedPort:
        """Open the port. FileNotFoundError while the cable is pulled, SerialException while the port is open."""
        return self._line.open()

    @property
    def is_busy(self) -> bool:
        """Whether it is in the middle of a turn of its program's loop: a picture may be on the panel in part."""
        at_work = self._reading is not None or self._work is not None
        return at_work or bool(self._outputs) or self._loop.time() < self._busy_s

    def _start(self) -> None:
        if self._has_own_line:
            self._line.plug()
        self._at(self._loop.time() + self._pace.boot_us / 1e6, self._boot)

    def _boot(self) -> None:
        self._started_s = self._loop.time()
        if self.flash is not None:
            slots = Slots(self.flash)
            slots.choose()
            if slots.on_trial and slots.release in self.broken:
                self._at(self._started_s + FAILING_S, self._reset)
                return
            self._updates = Updates(slots)
        boot = self._rng.randrange(1, 1 << 31)
        self._program = Program(self.fitted, boot, 0, self, self._motion(), self._updates)
        self._decoded = self._handled = 0
        self._step(Inputs())

    def _reset(self) -> None:
        """Restart the program, as MicroPython's reset does: the device leaves its port for a moment."""
        self.unplug()
        self.plug()

    def _stop(self) -> None:
        self._updates = None
        self._program = self._reading = self._work = None
        self._partial = b""
        self._received.clear()
        self._edges.clear()
        self._outputs.clear()
        if self._chip is not None:
            self._chip.unplug()
        if self._timer is not None:
            self._timer.cancel()
        if self._has_own_line:
            self._line.unplug()

    def _motion(self) -> GestureDetector | Accelerometer | None:
        if self._chip is not None:
            self._chip.plug()
            return Accelerometer(SensorWires(self._chip), ADDRESS, "+z", 0)
        return GestureDetector(self._levels.get(TILT_LINE, False), 0) if self.fitted.tilt else None

    def _carried(self, movement: int) -> None:
        if self._chip is not None:
            self._chip.move(movement)

    # Inputs of the board

    def _moved(self, line: str, closed: bool) -> None:
        if closed == self._levels.get(line, False):
            return
        self._levels[line] = closed
        if self._program is not None and (line != TILT_LINE or self._chip is None):
            self._edges.append((line, closed, self._now_ns()))
            self._stop_reading(self._loop.time() - self._read_s)
            self._wake()

    def _receive(self, received: bytes) -> None:
        if self.is_plugged:
            self._received += received
            self._wake()

    # The loop of `hardware.firmware.main`.

    def _wake(self) -> None:
        """Begin a turn if the board waits and there is something to do."""
        program = self._program
        if program is None or self.is_busy:
            return
        if self._edges and not (self._received and self._left_unread):
            self._left_unread = True
            self._step(Inputs(edges=self._taken_edges()))
        elif self._received:
            self._left_unread = False
            self._reading = bytes(self._received[: PACKET_BYTES if self._edges else MAX_READ_BYTES])
            del self._received[: len(self._reading)]
            self._read_s = self._loop.time()
            self._at(self._read_s + self._pace.reading_s(len(self._reading)), self._has_read)
            if program.due_ns is not None:
                self._stop_reading((program.due_ns - self._now_ns()) / 1e9)
        elif program.due_ns is not None:
            self._at(self._started_s + program.due_ns / 1e9, lambda: self._step(Inputs()))

    def _stop_reading(self, after_s: float) -> None:
        """End the current reading after a time, with the piece that is being read then."""
        if self._reading is None:
            return
        count = self._pace.read_within(after_s)
        if count < len(self._reading):
            self._received[:0] = self._reading[count:]
            self._reading = self._reading[:count]
            self._at(self._read_s + self._pace.reading_s(count), self._has_read)

    def _has_read(self) -> None:
        received, self._reading = self._reading or b"", None
        self._step(Inputs(received, self._taken_edges()))

    def _taken_edges(self) -> tuple[tuple[str, bool, int], ...]:
        edges = tuple(self._edges)
        self._edges.clear()
        return edges

    def _step(self, inputs: Inputs) -> None:
        """Run a step of the program now, and apply its outputs as late as a Pico would."""
        program = self._program
        assert program is not None
        due_ns, now_ns = program.due_ns, self._now_ns()
        if due_ns is not None and 0 < due_ns - now_ns < 1000:  # a timer fires a hair early
            now_ns = due_ns
        self._busy_s = self._loop.time()
        self._take_time(self._pace.turn_us + (self._pace.edge_us if inputs.edges else 0))
        self._foresee(inputs.received)
        self._work = program.step(now_ns, inputs)
        self._go_on()

    def _foresee(self, received: bytes) -> None:
        """Record the time needed to decode and handle the received bytes."""
        whole, _, partial = (self._partial + received).rpartition(b"\0")
        self._partial = partial[-LONGEST_FRAME:]
        self._parts_us.clear()
        self._messages_us.clear()
        bodies: list[bytes] = []
        for piece in filter(None, whole.split(b"\0")):
            self._parts_us += self._pace.decoding_us(piece)
            with suppress(FramingError):
                bodies.append(unframe(piece))
        for body in without_outdated(bodies):
            with suppress(MessageError):
                address, message = from_body(body)
                if address == self.fitted.address and message is not None:
                    self._messages_us.append(self._pace.handling_us(message))

    def _go_on(self) -> None:
        """Go on with the step, to the next look at the switches or to its end."""
        assert self._program is not None
        assert self._work is not None
        sent = next(self._work, None)
        self._take_decoding()
        while self._handled < self._program.handled:
            self._handled += 1
            self._take_time(self._messages_us.popleft() if self._messages_us else self._pace.message_us)
        if sent is None:
            self._work = None
            self._take_time(sum(self._parts_us))
        else:
            self._take_time(self._pace.look_us + (self._pace.frame_us if sent else 0))
        if sent:
            self._outputs.append((self._busy_s, partial(self._line.send, sent)))
        self._output()

    def _look(self) -> None:
        """Look at the switches in the middle of a step."""
        assert self._program is not None
        edges, now_ns = self._taken_edges(), self._now_ns()
        began_s = self._busy_s = self._loop.time()
        if edges:
            self._take_time(self._pace.edge_us)
        self._program.feel(now_ns, edges)
        self._decoding_s += self._busy_s - began_s
        self._go_on()

    def _take_time(self, duration_us: float) -> None:
        self._busy_s += duration_us / 1e6

    def _output(self) -> None:
        """Do what is due, then wait for the next due time or input."""
        while self._outputs and self._outputs[0][0] <= self._loop.time():
            self._outputs.popleft()[1]()
        if self._outputs:
            self._at(self._outputs[0][0], self._output)
        elif self._loop.time() < self._busy_s:
            self._at(self._busy_s, self._output)
        elif self._work is not None:
            self._look()
        elif self._updates is not None and self._updates.is_switched:
            self._at(self._loop.time() + LAST_ANSWER_S, self._reset)
        else:
            self._wake()

    def _at(self, when_s: float, then: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(when_s, then)

    def _now_ns(self) -> int:
        return round((self._loop.time() - self._started_s) * 1e9)

    def _loop_ns(self) -> int:
        return round(self._loop.time() * 1e9)

    # The program's board functions: the outputs are applied when the time that they take is over.

    def random(self, count: int) -> bytes:
        """Return random bytes, which depend on the seed."""
        return self._rng.randbytes(count)

    def write_panel(self, data: bytes) -> None:
        """Make one I2C write to the panel. OSError if the panel does not answer."""
        self._take_time(self._pace.i2c_byte_us * (1 + len(data)) + (self._pace.window_us if data[:1] == MEMORY else 0))
        if self.panel is None or not self.panel_answers:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        self._outputs.append((self._busy_s, partial(self._write_panel, data)))

    def set_light(self, is_on: bool) -> None:
        """Switch the light."""
        self._outputs.append((self._busy_s, partial(self._light, is_on)))

    def start_decoding(self) -> None:
        """Record the time at which decoding begins."""
        self._decoding_s = self._busy_s

    def even_out(self, length: int) -> None:
        """Wait until decoding has taken the longest possible time for `length` bytes."""
        self._take_decoding()
        self._busy_s = max(self._busy_s, self._decoding_s + MAX_DECODING_US * length / 1e6)

    def _take_decoding(self) -> None:
        """Take the time of the parts that were decoded since."""
        assert self._program is not None
        while self._decoded < self._program.decoded:
            self._decoded += 1
            self._take_time(self._parts_us.popleft() if self._parts_us else 0)

    def _write_panel(self, data: bytes) -> None:
        if self.panel is not None:
            self.panel.write(data)
