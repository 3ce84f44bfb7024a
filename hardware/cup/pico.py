"""The program on a Raspberry Pi Pico under MicroPython; `main.py` on the Pico is `import hardware.cup.pico`."""

import binascii
import hashlib
import os
import select
import sys
import time

import machine  # type: ignore[import-not-found]
import micropython  # type: ignore[import-not-found]

from hardware.cup import wiring
from hardware.cup.fitted import Fitted
from hardware.cup.main import Board, serve
from hardware.cup.program import TILT_LINE, Inputs

CHUNK = 256
MOST_EDGES = 128  # a contact that never stops bouncing must not eat the memory
I2C_HZ = 400_000


class PicoBoard(Board):
    """Pins that stamp their edges in the interrupt, USB serial as stdin and stdout, the panel on I2C."""

    def __init__(self) -> None:
        self.fitted = Fitted(
            binascii.hexlify(machine.unique_id()).decode(),
            wiring.ADDRESS,
            wiring.TILT is not None,
            tuple(wiring.BUTTONS),
            wiring.PANEL,
        )
        self._ticks = time.ticks_us()  # type: ignore[attr-defined]
        self._us = 0
        self._edges: list[tuple[str, bool, int]] = []
        self._poller = select.poll()
        self._poller.register(sys.stdin, select.POLLIN)
        self._pins = {name: self._pin(name, number) for name, number in wiring.BUTTONS.items()}
        if wiring.TILT is not None:
            self._pins[TILT_LINE] = self._pin(TILT_LINE, wiring.TILT)
        self._i2c = None
        if wiring.PANEL is not None:
            sda, scl = machine.Pin(wiring.PANEL_SDA), machine.Pin(wiring.PANEL_SCL)
            self._i2c = machine.I2C(wiring.PANEL_BUS, sda=sda, scl=scl, freq=I2C_HZ)

    def now_ns(self) -> int:
        """Read the clock."""
        ticks = time.ticks_us()  # type: ignore[attr-defined]
        self._us += time.ticks_diff(ticks, self._ticks)  # type: ignore[attr-defined]
        self._ticks = ticks
        return self._us * 1000

    def wait(self, at_most_ms: int) -> Inputs:
        """Return bytes and edges."""
        while at_most_ms > 0 and not self._edges and not self._poller.poll(1):
            at_most_ms -= 1
        received = bytearray()
        while len(received) < CHUNK and self._poller.poll(0):  # stdin has no read that takes what there is
            received += sys.stdin.buffer.read(1)
        edges, self._edges = self._edges, []
        now_ns = self.now_ns()
        return Inputs(
            bytes(received), tuple((name, closed, self._at_ns(ticks, now_ns)) for name, closed, ticks in edges)
        )

    def send(self, frame: bytes) -> None:
        """Send a frame; USB serial drops it when no host reads."""
        sys.stdout.buffer.write(frame)

    def random(self, count: int) -> bytes:
        """Return bytes of the RP2040's ring oscillator."""
        return os.urandom(count)

    def draw_entropy(self, stamps: bytes) -> bytes:
        """Return the SHA-256 of 32 random bytes and the stamps."""
        return hashlib.sha256(os.urandom(32) + stamps).digest()

    def write_panel(self, data: bytes) -> None:
        """Make one I2C write."""
        if self._i2c is not None:
            self._i2c.writeto(wiring.PANEL_ADDRESS, data)

    def is_tilted(self) -> bool:
        """Read the tilt switch."""
        return TILT_LINE in self._pins and not self._pins[TILT_LINE].value()

    def _pin(self, name: str, number: int) -> "machine.Pin":
        def moved(pin: "machine.Pin") -> None:
            if len(self._edges) < MOST_EDGES:
                self._edges.append((name, not pin.value(), time.ticks_us()))  # type: ignore[attr-defined]

        pin = machine.Pin(number, machine.Pin.IN, machine.Pin.PULL_UP)
        pin.irq(moved, machine.Pin.IRQ_FALLING | machine.Pin.IRQ_RISING)
        return pin

    def _at_ns(self, ticks: int, now_ns: int) -> int:
        ago_us: int = time.ticks_diff(self._ticks, ticks)  # type: ignore[attr-defined]
        return now_ns - 1000 * max(0, ago_us)


micropython.kbd_intr(-1)  # a frame may hold 0x03, which would be Ctrl-C
serve(PicoBoard())
