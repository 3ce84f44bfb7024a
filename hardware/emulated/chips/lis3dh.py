"""An emulated LIS3DH accelerometer: its registers and its FIFO, on any bus of an emulated cup.

A board in memory and the `machine` of a board in a process put it behind their I2C; `move` moves its cup. Written in
the subset that MicroPython and CPython share. The registers follow ST's data sheet DocID17530, with the features of use
to `hardware.firmware.lis3dh`: data rates, scales, and FIFO modes 0 to 2.
"""

import struct

from hardware.emulated.cup_physics import CupPhysics, Xorshift

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

EIO = 5
FIFO_DEPTH = 32
_AUTO_INCREMENT = 0x80
_WHO_AM_I, _CTRL_REG1, _CTRL_REG4, _CTRL_REG5 = 0x0F, 0x20, 0x23, 0x24
_OUT_X_L, _OUT_Z_H, _FIFO_CTRL, _FIFO_SRC = 0x28, 0x2D, 0x2E, 0x2F
_AT_POWER_UP = {_WHO_AM_I: 0x33, _CTRL_REG1: 0x07}
_READ_ONLY = (_WHO_AM_I, _FIFO_SRC)
_RATES_HZ = (0, 1, 10, 25, 50, 100, 200, 400, 1600, 1344)
_SCALES_MG = (2048, 4096, 8192, 24576)  # full scale as the bits have it; ±16 g has steps of 48 mg
_TEN_BITS = 0xFFC0


class EmulatedLis3dh:
    """One powered chip in a standing cup. All random values come from `seed`.

    `write` and `read` are the master's transfers to its address: the first byte written is the register. They raise
    OSError while it is unplugged. Each transfer reads `now_ns` and takes the samples due since the last one.
    """

    def __init__(self, seed: int, now_ns: "Callable[[], int]", identity: int = 0x33) -> None:
        self._now_ns = now_ns
        self._identity = identity
        self._cup = CupPhysics(seed)
        random = Xorshift(~seed)
        self._slowness = random.between(0.97, 1.03)  # the data rate is accurate to a few per cent
        self._zero_mg = [random.between(-40.0, 40.0) for _ in range(3)]  # zero-g offset of the data sheet
        self._has_power = False
        self._registers: dict[int, int] = {}
        self._register = 0
        self._fifo: list[bytes] = []
        self._overrun = False
        self._latest = bytes(6)
        self._next_ns = 0
        self.plug()

    def __repr__(self) -> str:
        return f"<EmulatedLis3dh, {'on' if self._has_power else 'off'}, {len(self._fifo)} samples>"

    def move(self, movement: int) -> None:
        """Begin one of the movements of `hardware.emulated.cup_physics`."""
        self._sample()
        self._cup.move(movement, self._now_ns() / 1e9)

    def unplug(self) -> None:
        """Cut its power."""
        self._has_power = False

    def plug(self) -> None:
        """Power it up with its registers reset; do nothing if it has power."""
        if not self._has_power:
            self._has_power = True
            self._registers = dict(_AT_POWER_UP)
            self._registers[_WHO_AM_I] = self._identity
            self._fifo.clear()
            self._overrun = False

    def write(self, payload: bytes) -> None:
        """Process a write: a register, with bit 7 for auto-increment, and values."""
        self._wake()
        self._register = payload[0]
        for value in payload[1:]:
            register = self._register & 0x7F
            if register not in _READ_ONLY:
                self._registers[register] = value
                self._changed(register, value)
            self._advance()

    def read(self, count: int) -> bytes:
        """Return bytes read from the last written register."""
        self._wake()
        data = bytearray()
        while len(data) < count:
            register = self._register & 0x7F
            data.append(self._value(register))
            self._advance()
        return bytes(data)

    def _wake(self) -> None:
        if not self._has_power:
            raise OSError(EIO)
        self._sample()

    def _changed(self, register: int, value: int) -> None:
        if register == _CTRL_REG1:
            self._next_ns = self._now_ns() + self._period_ns()
        elif register in (_CTRL_REG5, _FIFO_CTRL) and not self._mode():
            self._fifo.clear()
            self._overrun = False

    def _advance(self) -> None:
        if not self._register & _AUTO_INCREMENT:
            return
        if self._register & 0x7F == _OUT_Z_H and self._mode():
            self._register = _OUT_X_L | _AUTO_INCREMENT  # wraps, so that one read can empty the FIFO
        else:
            self._register = _AUTO_INCREMENT | (self._register + 1)

    def _value(self, register: int) -> int:
        if register == _FIFO_SRC:
            held = len(self._fifo)
            return min(held, 31) | (0x40 if self._overrun else 0) | (0 if held else 0x20)
        if not _OUT_X_L <= register <= _OUT_Z_H:
            return self._registers.get(register, 0)
        if register == _OUT_X_L and self._fifo:
            self._latest = self._fifo.pop(0)
            self._overrun = False
        return self._latest[register - _OUT_X_L]

    def _mode(self) -> int:
        """Return the FIFO's mode: 0 bypass, 1 until it is full, 2 stream."""
        return self._registers.get(_FIFO_CTRL, 0) >> 6 if self._registers.get(_CTRL_REG5, 0) & 0x40 else 0

    def _period_ns(self) -> int:
        rate_hz = _RATES_HZ[min(self._registers[_CTRL_REG1] >> 4, 9)]
        return int(1e9 / rate_hz * self._slowness) if rate_hz else 0

    def _sample(self) -> None:
        """Store the samples that fell due."""
        period_ns = self._period_ns() if self._has_power else 0
        if not period_ns:
            return
        now_ns = self._now_ns()
        behind = (now_ns - self._next_ns) // period_ns
        if behind > 2 * FIFO_DEPTH:  # older samples would have been overwritten
            self._next_ns += (behind - 2 * FIFO_DEPTH) * period_ns
        while self._next_ns <= now_ns:
            self._store(self._converted(self._cup.force_at(self._next_ns / 1e9)))
            self._next_ns += period_ns

    def _store(self, sample: bytes) -> None:
        mode = self._mode()
        if not mode:
            self._latest = sample
        elif len(self._fifo) < FIFO_DEPTH:
            self._fifo.append(sample)
            self._overrun = len(self._fifo) == FIFO_DEPTH
        elif mode == 2:
            self._fifo.pop(0)
            self._fifo.append(sample)

    def _converted(self, force: "tuple[float, float, float]") -> bytes:
        scale = _SCALES_MG[self._registers.get(_CTRL_REG4, 0) >> 4 & 3]
        numbers = []
        for mg, zero_mg in zip(force, self._zero_mg):  # noqa: B905 - MicroPython's takes no `strict`
            number = max(-32768, min(32767, round((mg + zero_mg) * 32768 / scale)))
            numbers.append((number & 0xFFFF & _TEN_BITS ^ 0x8000) - 0x8000)
        return struct.pack("<hhh", *numbers)


class SensorWires:
    """MicroPython's I2C as used for an accelerometer, with one chip, at `address`."""

    def __init__(self, chip: EmulatedLis3dh, address: int = 0x18) -> None:
        self._chip = chip
        self._address = address

    def readfrom_mem(self, address: int, register: int, count: int) -> bytes:
        """Read `count` bytes from a register. OSError without an answer."""
        self._reach(address).write(bytes([register]))
        return self._chip.read(count)

    def writeto_mem(self, address: int, register: int, data: bytes) -> None:
        """Write bytes to a register. OSError without an answer."""
        self._reach(address).write(bytes([register]) + data)

    def _reach(self, address: int) -> EmulatedLis3dh:
        if address != self._address:
            raise OSError(EIO)
        return self._chip
