"""A serial cable on which frames are damaged, cut, lost and repeated on their way, either way, and cut into pieces.

It hangs between any two ports with pyserial's names and carries bytes. Where frames end it knows only to count them
and to hit so many of them; what is in them is nothing to it.
"""

import asyncio
import random
import re
import socket
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from support.link.line_faults import FAULTS

from hardware.emulated.line import EmulatedPort

CHUNK = 1 << 16
PIECES_RATE = 0.05
"""So many frames come in several pieces, with time between them."""
LATEST_S = 0.003
"""The longest pause between two pieces."""
OUTAGE_RATE = 0.02
"""So many of the faults are outages ..."""
LONGEST_OUTAGE = 12
"""... of up to so many frames in a row."""
ECHO_RATE = 0.1
"""So many of the faults are a frame that comes a second time behind some that were sent after it ..."""
LATEST_ECHO = 3
"""... so many of them at most."""

_FRAMES = re.compile(rb"[^\0]*\0+")


class FarPort(Protocol):
    """What the cable needs of the port at its far end."""

    def fileno(self) -> int: ...
    def read(self, size: int = ..., /) -> bytes: ...
    def write(self, data: bytes, /) -> int | None: ...
    def close(self) -> None: ...


class Way:
    """One direction. `frames` and `faults` count what was sent and what was hit; `fault_s` is when the last was.

    `heard` gets every frame as it was sent.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, rng: random.Random) -> None:
        self.frames = 0
        self.faults: Counter[str] = Counter()
        self.fault_s = 0.0
        self.on_frame: Callable[[bytes], None] = lambda frame: None
        self.deliver: Callable[[bytes], None] = lambda piece: None
        self._loop = loop
        self._rng = rng
        self._rate = 0.0
        self._begun = b""
        self._is_out = False
        self._outage = 0
        self._echoes: list[tuple[int, bytes]] = []
        self._late: deque[tuple[float, bytes]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def take(self, chunk: bytes) -> None:
        """Carry what was sent, whole frames only; the rest of one follows with its end."""
        self._begun += chunk
        end = self._begun.rfind(b"\0") + 1
        whole, self._begun = self._begun[:end], self._begun[end:]
        arriving = b"".join(map(self._carried, _FRAMES.findall(whole)))
        if self._rng.random() < PIECES_RATE:
            self._cut(arriving)
        else:
            self._arrive(arriving, 0.0)

    def set_rate(self, rate: float) -> None:
        """Have so large a share of the frames hit from now on; with 0 the line is sound at once."""
        self._rate = rate
        if not rate:
            self._outage = 0
            self._echoes.clear()

    def black_out(self, is_out: bool) -> None:
        """Let nothing through, or everything again."""
        self._is_out = is_out

    def clear(self) -> None:
        """Forget what is on its way: an end was closed."""
        self._begun = b""
        self._outage = 0
        self._echoes.clear()
        self._late.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _carried(self, frame: bytes) -> bytes:
        if not frame.rstrip(b"\0"):
            return frame
        self.frames += 1
        self.on_frame(frame)
        arrives = self._hit(frame) if self._is_out or self._outage or self._rng.random() < self._rate else frame
        if self._echoes and not self._is_out:
            arrives += self._echoed()
        return arrives

    def _echoed(self) -> bytes:
        due = [echo for left, echo in self._echoes if not left]
        self._echoes = [(left - 1, echo) for left, echo in self._echoes if left]
        if due:
            self.fault_s = self._loop.time()
        return b"".join(due)

    def _hit(self, frame: bytes) -> bytes:
        self.fault_s = self._loop.time()
        chance = self._rng.random()
        if self._is_out:
            name, arrives = "blackout", b""
        elif self._outage:
            self._outage -= 1
            name, arrives = "outage", b""
        elif chance < OUTAGE_RATE:
            self._outage = self._rng.randrange(LONGEST_OUTAGE)
            name, arrives = "outage", b""
        elif chance < OUTAGE_RATE + ECHO_RATE:
            self._echoes.append((self._rng.randint(1, LATEST_ECHO), frame))
            name, arrives = "echo", frame
        else:
            name = self._rng.choice(tuple(FAULTS))
            arrives = FAULTS[name](frame, self._rng)
        self.faults[name] += 1
        return arrives

    def _cut(self, data: bytes) -> None:
        for _ in range(self._rng.randint(1, 4)):
            at = self._rng.randint(0, len(data))
            self._arrive(data[:at], self._rng.uniform(0, LATEST_S))
            data = data[at:]
        self._arrive(data, self._rng.uniform(0, LATEST_S))

    def _arrive(self, piece: bytes, after_s: float) -> None:
        if not piece:
            return
        if not after_s and not self._late:
            self.deliver(piece)
            return
        at_s = max(self._loop.time(), self._late[-1][0] if self._late else 0.0) + after_s
        self._late.append((at_s, piece))
        if self._timer is None:
            self._timer = self._loop.call_at(at_s, self._due)

    def _due(self) -> None:
        self._timer = None
        while self._late and self._late[0][0] <= self._loop.time():
            self.deliver(self._late.popleft()[1])
        if self._late:
            self._timer = self._loop.call_at(self._late[0][0], self._due)


class FaultyCable:
    """`open()` opens the far end's port with `open_far` and gives the host another that leads there.

    Both ways start without a fault; `set_rate` has so large a share of the frames hit from now on.
    """

    def __init__(self, open_far: Callable[[], FarPort], loop: asyncio.AbstractEventLoop, rng: random.Random) -> None:
        self.to_host, self.to_cup = Way(loop, rng), Way(loop, rng)
        self.opened = 0
        self._open_far = open_far
        self._loop = loop
        self._far: FarPort | None = None
        self._near: socket.socket | None = None

    @property
    def ways(self) -> tuple[Way, Way]:
        """Both directions."""
        return self.to_host, self.to_cup

    @property
    def frames(self) -> int:
        """How many frames were sent, both ways together."""
        return self.to_host.frames + self.to_cup.frames

    @property
    def faults(self) -> Counter[str]:
        """How many of them were hit by what."""
        return self.to_host.faults + self.to_cup.faults

    @property
    def fault_s(self) -> float:
        """When the last of them was hit."""
        return max(way.fault_s for way in self.ways)

    def set_rate(self, rate: float) -> None:
        """Have so large a share of the frames hit from now on."""
        for way in self.ways:
            way.set_rate(rate)

    def black_out(self, is_out: bool) -> None:
        """Let nothing through either way, or everything again."""
        for way in self.ways:
            way.black_out(is_out)

    def open(self) -> EmulatedPort:
        """Open the port; raises what the far end's port raises."""
        self.close()
        far = self._open_far()
        end, near = socket.socketpair()
        near.setblocking(False)
        self.opened += 1
        self._far, self._near = far, near
        self.to_cup.deliver = self._write_far
        self.to_host.deliver = near.send
        self._loop.add_reader(near, self._sent_by_host)
        self._loop.add_reader(far.fileno(), self._sent_by_cup)
        return EmulatedPort(end)

    def close(self) -> None:
        """Take the cable away."""
        if self._far is None or self._near is None:
            return
        self._loop.remove_reader(self._far.fileno())
        self._loop.remove_reader(self._near)
        self._far.close()
        self._near.close()
        self._far = self._near = None
        for way in self.ways:
            way.clear()

    def _sent_by_host(self) -> None:
        assert self._near is not None
        chunk = self._near.recv(CHUNK)
        if chunk:
            self.to_cup.take(chunk)
        else:
            self.close()

    def _write_far(self, piece: bytes) -> None:
        if self._far is not None:
            with suppress(OSError):  # pulled: reading tells
                self._far.write(piece)

    def _sent_by_cup(self) -> None:
        assert self._far is not None
        try:
            chunk = self._far.read(CHUNK)
        except OSError:
            self.close()
        else:
            self.to_host.take(chunk)
