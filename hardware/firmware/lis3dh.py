"""An LIS3DH accelerometer on I2C, the sensor in a cup without a tilt switch.
`Lis3dh` reads the chip; `Accelerometer` turns its samples into gestures, with `GestureDetector`'s methods. Registers
and figures are from ST's data sheet DocID17530 and application note AN3308.
"""

import struct

from hardware.link.accelerometer_gesture import PERIOD_NS, AccelerometerGestureDetector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class I2C(Protocol):
        """The used part of MicroPython's machine.I2C; the underscores mark positional parameters."""

        def readfrom_mem(self, __address: int, __register: int, __count: int) -> bytes:
            """Read from a register on."""

        def writeto_mem(self, __address: int, __register: int, __data: bytes) -> object:
            """Write a register."""


ADDRESS = 0x18  # 0x19 with SDO at the supply
WHO_AM_I, CTRL_REG1, CTRL_REG4, CTRL_REG5 = 0x0F, 0x20, 0x23, 0x24
OUT_X_L, FIFO_CTRL, FIFO_SRC = 0x28, 0x2E, 0x2F
AUTO_INCREMENT = 0x80
IDENTITY = 0x33
FIFO_DEPTH = 32  # samples: 320 ms
OVERRUN = 0x40

# ±2 g would clip a gentle shake and ±4 g a slam; ±16 g has steps of 48 mg. At ±8 g a step of the FIFO's ten bits is
# 16 mg, or 0.9 degrees. These five writes also set up a chip that was half set up or used otherwise before.
_SET_UP = (
    (CTRL_REG5, 0x40),  # FIFO on
    (FIFO_CTRL, 0x00),  # bypass: empties it
    (CTRL_REG4, 0xA0),  # ±8 g, the two bytes of a number change together
    (FIFO_CTRL, 0x80),  # stream: the newest 32 samples
    (CTRL_REG1, 0x57),  # 100 Hz, three axes
)
_STEPS_PER_MG = 4  # a number is left-justified in 16 bits: 8192 mg are 32768

RETRY_NS = 500_000_000
_SMOOTHING_STEPS = 8  # samples over which the period is smoothed
SILENT_NS = 100_000_000  # after an empty FIFO for so long, the chip must have lost its power and its settings


class Lis3dh:
    """The chip at `address`. It is set up at the first read; after an error, again every RETRY_NS.
    `trouble` describes the current fault; it is empty without one.
    """

    def __init__(self, i2c: "I2C", address: int = ADDRESS) -> None:
        self.trouble = "not asked yet"
        self._i2c = i2c
        self._address = address
        self._newest_ns = 0
        self._period_ns = PERIOD_NS  # as this chip has it
        self._retry_ns: int | None = None

    def __repr__(self) -> str:
        return f"<Lis3dh at {self._address:#04x}: {self.trouble or 'well'}>"

    def read(self, now_ns: int) -> "list[tuple[int, int, int, int]]":
        """Return the samples since the last read, oldest first: (at_ns, x, y, z) in mg. Empty while there is trouble.
        Stamps are evenly spaced and never go back. The newest is at most one period old, so a stamp is wrong by at most
        10 ms, however long ago the last read was. A chip's data rate is exact to a few per cent only, so its own period
        is estimated from how its samples run ahead of the clock or fall behind it.
        """
        if self.trouble and self._retry_ns is not None and now_ns < self._retry_ns:
            return []
        try:
            if self.trouble:
                self._set_up(now_ns)
                return []
            return self._read_fifo(now_ns)
        except OSError:
            self._fail(f"nothing answers at {self._address:#04x}", now_ns)
        return []

    def _set_up(self, now_ns: int) -> None:
        identity = self._i2c.readfrom_mem(self._address, WHO_AM_I, 1)[0]
        if identity != IDENTITY:
            self._fail(f"what answers at {self._address:#04x} is not an LIS3DH ({identity:#04x})", now_ns)
            return
        for register, value in _SET_UP:
            self._i2c.writeto_mem(self._address, register, bytes([value]))
        self._newest_ns = now_ns
        self.trouble = ""

    def _read_fifo(self, now_ns: int) -> "list[tuple[int, int, int, int]]":
        source = self._i2c.readfrom_mem(self._address, FIFO_SRC, 1)[0]
        count = FIFO_DEPTH if source & OVERRUN else source & 0x1F
        if not count:
            if now_ns - self._newest_ns > SILENT_NS:
                self._fail("the LIS3DH has stopped", now_ns)
            return []
        data = self._i2c.readfrom_mem(self._address, OUT_X_L | AUTO_INCREMENT, 6 * count)  # 0x2D is followed by 0x28
        if source & OVERRUN:
            self._newest_ns = max(self._newest_ns, now_ns - (FIFO_DEPTH + 1) * PERIOD_NS)  # those before are lost
        before_ns = self._newest_ns
        expected_ns = before_ns + count * self._period_ns
        newest_ns = max(before_ns, now_ns - PERIOD_NS, min(now_ns, expected_ns))
        self._newest_ns = newest_ns
        period_ns = self._period_ns + (newest_ns - expected_ns) // (_SMOOTHING_STEPS * count)
        self._period_ns = max(PERIOD_NS * 9 // 10, min(PERIOD_NS * 11 // 10, period_ns))
        samples = []
        for number in range(count):
            x, y, z = struct.unpack_from("<hhh", data, 6 * number)
            at_ns = before_ns + (newest_ns - before_ns) * (number + 1) // count
            samples.append((at_ns, x // _STEPS_PER_MG, y // _STEPS_PER_MG, z // _STEPS_PER_MG))
        return samples

    def _fail(self, trouble: str, now_ns: int) -> None:
        self.trouble = trouble
        self._retry_ns = now_ns + RETRY_NS


IDLE_NS = 100_000_000  # a third of the FIFO, so that a read still finds the first jolt of a shake
ACTIVE_NS = 20_000_000


class Accelerometer:
    """A cup with an LIS3DH. Call `tick` at `due_ns`; the methods shared with `GestureDetector` work the same.
    `i2c` is MicroPython's, `up` one of `AXES`. At the start the cup is assumed to stand; if it doesn't, its first
    samples make it tilted. When the chip is lost, a tilt is levelled and a shake settles. A standing cup is read ten
    times a second, any other fifty times; the FIFO keeps the samples in between.
    """

    def __init__(self, i2c: "I2C", address: int, up: str, now_ns: int) -> None:
        self.chip = Lis3dh(i2c, address)
        self._motion = AccelerometerGestureDetector(up, now_ns)
        self._due_ns = now_ns

    @property
    def due_ns(self) -> int:
        """The time of the chip's next read."""
        return self._due_ns

    @property
    def is_lifted(self) -> bool:
        """Whether somebody looks under the cup: between TILTED and LEVELLED."""
        return self._motion.is_lifted

    @property
    def stamps(self) -> bytes:
        """The last shake's time stamps, as entropy."""
        return self._motion.stamps

    def tick(self, now_ns: int) -> "list[tuple[int, int]]":
        """Read the chip if it is due. Return the gestures since, as (what, at_ns) pairs."""
        if now_ns < self._due_ns:
            return []
        motion = self._motion
        moved: list[tuple[int, int]] = []
        for at_ns, x, y, z in self.chip.read(now_ns):
            moved += motion.acceleration(at_ns, x, y, z)
        if self.chip.trouble:
            moved += motion.on_sensor_lost(now_ns)
        is_calm = self.chip.trouble or motion.is_calm(now_ns)
        self._due_ns = now_ns + (IDLE_NS if is_calm else ACTIVE_NS)
        return moved
