"""The program's I/O on a Raspberry Pi Pico: pins, I2C, the cable and the clock.
Only this file, `main` and `gpio_inputs` use MicroPython's `machine`. At an emulated table `hardware.emulated.pico`
replaces it, and the rest is the same.
"""

import binascii
import os

import machine  # type: ignore[import-not-found]

from hardware.firmware.cable import MAX_DECODING_US, MAX_READ_BYTES, Cable
from hardware.firmware.clock import TICKS, BoardClock, ticks_us
from hardware.firmware.device_config import DeviceConfig
from hardware.firmware.gpio_inputs import GpioInputs
from hardware.firmware.program import KEY_LINE, TILT_LINE, Board, Inputs
from hardware.firmware.update import Updates
from hardware.link.gesture import GestureDetector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from hardware.firmware.lis3dh import Accelerometer
    from hardware.firmware.loader import Slots

I2C_HZ = 400_000


class PicoBoard(Board):
    """A Pico wired according to the module `wiring`. A wrong wiring raises ValueError. `slots` are its loader's."""

    def __init__(self, wiring: "ModuleType", slots: "Slots | None" = None) -> None:
        if wiring.TILT is not None and wiring.ACCELEROMETER is not None:
            raise ValueError("wiring.py has both TILT and ACCELEROMETER; a cup has one of them")
        pins = dict(wiring.BUTTONS)
        if wiring.TILT is not None:
            pins[TILT_LINE] = wiring.TILT
        key = getattr(wiring, "KEY", None)  # a wiring.py of an earlier release has none
        if key is not None:
            pins[KEY_LINE] = key
        self._wiring = wiring
        self.fitted = DeviceConfig(
            wiring.IDENTITY or binascii.hexlify(machine.unique_id()).decode(),
            wiring.ADDRESS,
            wiring.TILT is not None or wiring.ACCELEROMETER is not None,
            tuple(wiring.BUTTONS),
            wiring.PANEL,
            wiring.LIGHT is not None,
            key is not None,
        )
        self.updates = None if slots is None else Updates(slots)
        self.clock = BoardClock()
        self._cable = Cable()
        self._contacts = GpioInputs(pins, self.clock)
        sda, scl = machine.Pin(wiring.SDA), machine.Pin(wiring.SCL)
        self._i2c = machine.I2C(wiring.I2C_BUS, sda=sda, scl=scl, freq=I2C_HZ)
        self._decoding_ticks = self._paused_ticks = ticks_us()
        self._left_unread = False
        self._light = None if wiring.LIGHT is None else machine.Pin(wiring.LIGHT, machine.Pin.OUT, value=0)

    def wait(self, at_most_ms: int) -> Inputs:
        """Wait for input and return it; after `at_most_ms` the result is empty.
        An edge ends the reading, and so does that time: dice must be hidden before the rest of a picture is read. If
        edges prevented all reading in one call, the next call reads: an endlessly bouncing contact must not block the
        host's messages.
        """
        began = ticks_us()
        while not self._contacts and not self._cable and (ticks_us() - began) & TICKS < 1000 * at_most_ms:
            machine.idle()  # sleeps until an interrupt, for a millisecond at most
        received = b""
        while len(received) < MAX_READ_BYTES and not (self._contacts and (received or not self._left_unread)):
            piece = self._cable.read()
            received += piece
            if not piece or (ticks_us() - began) & TICKS >= 1000 * at_most_ms:
                break
        self._left_unread = not received
        return Inputs(received, self._contacts.edges())

    def edges(self) -> "tuple[tuple[str, bool, int], ...]":
        """Return the edges since the last look, without waiting."""
        return self._contacts.edges() if self._contacts else ()

    def send(self, frame: bytes) -> None:
        """Send a frame to the host, or as much as can be written without waiting."""
        self._cable.write(frame)

    def random(self, count: int) -> bytes:
        """Return random bytes; a Pico takes them from its ring oscillator."""
        return os.urandom(count)

    def write_panel(self, data: bytes) -> None:
        """Make one I2C write to the panel. OSError if the panel does not answer."""
        self._i2c.writeto(self._wiring.PANEL_ADDRESS, data)

    def set_light(self, is_on: bool) -> None:
        """Switch the light."""
        if self._light is not None:
            self._light.value(int(is_on))

    def start_decoding(self) -> None:
        """Record the time at which decoding begins."""
        self._decoding_ticks = ticks_us()

    def pause_decoding(self) -> None:
        """Record the time at which a switch interrupts decoding."""
        self._paused_ticks = ticks_us()

    def resume_decoding(self) -> None:
        """Subtract the time since the pause from the decoding time."""
        self._decoding_ticks += ticks_us() - self._paused_ticks

    def even_out(self, length: int) -> None:
        """Wait until decoding has taken the longest possible time for `length` bytes."""
        decoding, longest = self._decoding_ticks, MAX_DECODING_US * length
        while (ticks_us() - decoding) & TICKS < longest:
            pass

    def motion(self, now_ns: int) -> "GestureDetector | Accelerometer | None":
        """Return the gesture detector of the cup's sensor, None without a sensor."""
        if self._wiring.ACCELEROMETER is not None:
            from hardware.firmware.lis3dh import Accelerometer  # imported only here, to save memory on other boards

            return Accelerometer(self._i2c, self._wiring.ACCELEROMETER, self._wiring.UP, now_ns)
        return GestureDetector(self._contacts.is_closed(TILT_LINE), now_ns) if self.fitted.tilt else None
