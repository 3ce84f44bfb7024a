"""The program as a process, under CPython or the unix port of MicroPython: `hardware.emulated.cup_process` starts it.

`-m hardware.cup.piped WIRES IDENTITY SEED BUTTONS PANEL TILTED`: SEED is a text that all its randomness comes
from, "-" for the system's; BUTTONS are names with commas, PANEL a chip, "-" for none. Standard input and output
are the cable to the host, descriptor WIRES is everything else: two bytes in for an edge (line, closed), a
length and a payload out for an I2C write. All of them must be non-blocking. The process ends when the far end
of descriptor 3 is closed.
"""

import hashlib
import os
import select
import struct
import sys
import time

from hardware.cup.fitted import Fitted
from hardware.cup.main import Board, serve
from hardware.cup.program import TILT_LINE, Inputs
from hardware.link.messages import BUTTON_NAMES

LINES = (TILT_LINE,) + BUTTON_NAMES  # noqa: RUF005 - MicroPython unpacks only in calls
CHUNK = 4096


class PipedBoard(Board):
    """A cable on standard input and output, contacts and panel on a third descriptor."""

    def __init__(self, wires: int, fitted: Fitted, seed: str, tilted: bool) -> None:
        self.fitted = fitted
        self._seed = seed
        self._draws = 0
        self._tilted = tilted
        self._incoming = open(0, "rb", buffering=0)  # noqa: SIM115 - open as long as the process lives
        self._outgoing = open(1, "wb", buffering=0)  # noqa: SIM115
        self._wires_in = open(wires, "rb", buffering=0)  # noqa: SIM115
        self._wires_out = open(wires, "wb", buffering=0)  # noqa: SIM115
        self._was_cut = False
        self._edge = b""
        self._poller = select.poll()
        self._poller.register(self._incoming, select.POLLIN)
        self._poller.register(self._wires_in, select.POLLIN)
        self._clock = Clock()

    def now_ns(self) -> int:
        """Read the clock."""
        return self._clock.now_ns()

    def wait(self, at_most_ms: int) -> "Inputs | None":
        """Return bytes and edges, None when the far end is gone."""
        self._poller.poll(at_most_ms)
        moved = self._wires_in.read(CHUNK)
        if moved == b"":
            return None
        at_ns = self.now_ns()
        self._edge += moved or b""
        edges = []
        while len(self._edge) >= 2:
            edges.append((LINES[self._edge[0]], bool(self._edge[1]), at_ns))
            self._edge = self._edge[2:]
        return Inputs(self._incoming.read(CHUNK) or b"", tuple(edges))

    def send(self, frame: bytes) -> None:
        """Send a frame; when the host does not read, it is cut short and the next one begins with a zero."""
        data = b"\0" + frame if self._was_cut else frame
        self._was_cut = (self._outgoing.write(data) or 0) < len(data)

    def random(self, count: int) -> bytes:
        """Return random bytes: the system's, or the next that follow from the seed."""
        if self._seed == "-":
            return os.urandom(count)
        self._draws += 1
        return hashlib.sha256(f"{self._seed}/{self._draws}".encode()).digest()[:count]

    def draw_entropy(self, stamps: bytes) -> bytes:
        """Return the SHA-256 of 32 random bytes and, unless there is a seed, the stamps."""
        return hashlib.sha256(self.random(32) + (stamps if self._seed == "-" else b"")).digest()

    def write_panel(self, data: bytes) -> None:
        """Make one I2C write."""
        packet = struct.pack("<H", len(data)) + data
        if self._wires_out.write(packet) != len(packet):
            raise OSError("the panel's wires are full")

    def is_tilted(self) -> bool:
        """Tell how the cup lay when it was started."""
        return self._tilted


class Clock:
    """Nanoseconds since the start, under either interpreter."""

    def __init__(self) -> None:
        self._ns = 0
        self._last = self._read()

    def now_ns(self) -> int:
        """Read the clock."""
        read = self._read()
        self._ns += self._since(read)
        self._last = read
        return self._ns

    if hasattr(time, "monotonic_ns"):

        def _read(self) -> int:
            return time.monotonic_ns()

        def _since(self, read: int) -> int:
            return read - self._last

    else:  # MicroPython

        def _read(self) -> int:
            ticks: int = time.ticks_us()  # type: ignore[attr-defined]
            return ticks

        def _since(self, read: int) -> int:
            passed: int = 1000 * time.ticks_diff(read, self._last)  # type: ignore[attr-defined]
            return passed


def main(wires: str, identity: str, seed: str, buttons: str, panel: str, tilted: str) -> None:
    """Serve with what the command line says is fitted."""
    names = tuple(buttons.split(",")) if buttons != "-" else ()
    fitted = Fitted(identity, buttons=names, panel=None if panel == "-" else panel)
    serve(PipedBoard(int(wires), fitted, seed, tilted == "1"))


if __name__ == "__main__":
    main(*sys.argv[1:])
