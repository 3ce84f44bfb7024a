"""Everything around the program on a Raspberry Pi Pico: its pins, its I2C wires, its cable and its clock.

Only this file and `gpio_inputs` use MicroPython's `machine`. At an emulated table another `machine` stands in for it,
`hardware.emulated.pico`, and the rest is the same.
"""

import binascii
import os

import machine  # type: ignore[import-not-found]

from hardware.firmware.cable import MAX_DECODING_US, MAX_READ_BYTES, Cable
from hardware.firmware.clock import Clock
from hardware.firmware.compat import TICKS, ticks_us
from hardware.firmware.device_config import DeviceConfig
from hardware.firmware.gpio_inputs import GpioInputs
from hardware.firmware.program import TILT_LINE, Board, Inputs
from hardware.link.gesture import GestureDetector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from hardware.firmware.lis3dh import Accelerometer

I2C_HZ = 400_000


class PicoBoard(Board):
    """A Pico wired as `wiring`, which is `hardware.firmware.wiring`, says. ValueError says what is wrong with that."""

    def __init__(self, wiring: "ModuleType") -> None:
        if wiring.TILT is not None and wiring.ACCELEROMETER is not None:
            raise ValueError("wiring.py has both TILT and ACCELEROMETER; a cup has one of them")
        pins = dict(wiring.BUTTONS)
        if wiring.TILT is not None:
            pins[TILT_LINE] = wiring.TILT
        self._wiring = wiring
        self.fitted = DeviceConfig(
            wiring.IDENTITY or binascii.hexlify(machine.unique_id()).decode(),
            wiring.ADDRESS,
            wiring.TILT is not None or wiring.ACCELEROMETER is not None,
            tuple(wiring.BUTTONS),
            wiring.PANEL,
            wiring.LIGHT is not None,
        )
        self.clock = Clock()
        self._cable = Cable()
        self._contacts = GpioInputs(pins, self.clock)
        sda, scl = machine.Pin(wiring.SDA), machine.Pin(wiring.SCL)
        self._i2c = machine.I2C(wiring.I2C_BUS, sda=sda, scl=scl, freq=I2C_HZ)
        self._decoding_ticks = ticks_us()
        self._left_unread = False
        self._light = None if wiring.LIGHT is None else machine.Pin(wiring.LIGHT, machine.Pin.OUT, value=0)

    def wait(self, at_most_ms: int) -> Inputs:
        """Return what came in: at once if there is something, with nothing in it after `at_most_ms`.

        An edge ends the reading, and so does that time: dice are hidden before the rest of a picture is read. After a
        turn in which edges left no time for reading there is always some: a contact that never rests must not make the
        board deaf.
        """
        began = ticks_us()
        while not self._contacts and not self._cable and (ticks_us() - began) & TICKS < 1000 * at_most_ms:
            machine.idle()  # until an interrupt, a millisecond at the most
        received = b""
        while len(received) < MAX_READ_BYTES and not (self._contacts and (received or not self._left_unread)):
            piece = self._cable.read()
            received += piece
            if not piece or (ticks_us() - began) & TICKS >= 1000 * at_most_ms:
                break
        self._left_unread = not received
        return Inputs(received, self._contacts.edges())

    def send(self, frame: bytes) -> None:
        """Send a frame to the host, or as much of it as it takes without being waited for."""
        self._cable.write(frame)

    def random(self, count: int) -> bytes:
        """Return random bytes: on a Pico they are the ring oscillator's."""
        return os.urandom(count)

    def write_panel(self, data: bytes) -> None:
        """Make one I2C write to the panel. OSError when it does not answer."""
        self._i2c.writeto(self._wiring.PANEL_ADDRESS, data)

    def set_light(self, is_on: bool) -> None:
        """Switch the light."""
        if self._light is not None:
            self._light.value(int(is_on))

    def start_decoding(self) -> None:
        """Take note that what was received is decoded from now on."""
        self._decoding_ticks = ticks_us()

    def even_out(self, length: int) -> None:
        """Wait until decoding so many bytes has taken as long as it can."""
        while (ticks_us() - self._decoding_ticks) & TICKS < MAX_DECODING_US * length:
            pass

    def motion(self, now_ns: int) -> "GestureDetector | Accelerometer | None":
        """Begin to follow the cup with what feels it, None without one."""
        if self._wiring.ACCELEROMETER is not None:
            from hardware.firmware.lis3dh import Accelerometer  # others need the memory for something else

            return Accelerometer(self._i2c, self._wiring.ACCELEROMETER, self._wiring.UP, now_ns)
        return GestureDetector(self._contacts.is_closed(TILT_LINE), now_ns) if self.fitted.tilt else None
