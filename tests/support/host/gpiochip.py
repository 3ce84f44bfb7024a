"""A kernel GPIO chip with the interface of libgpiod's bindings: lines with pulls, contacts to ground, edges.
It stands in for `gpiod.Chip` under `drivers.gpio.pins`. As in the kernel, edges wait in a bounded buffer behind a file
descriptor, each with its timestamp and sequence number, so a late reader loses only the overflow.
"""

import errno
import os
import socket
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from gpiod import EdgeEvent, LineSettings
from gpiod.line import Bias, Direction, Edge, Value

LINES = 54
"""Number of lines of a BCM2711."""


class LineInfo(NamedTuple):
    """The public state of a line."""

    used: bool
    consumer: str


class ChipInfo(NamedTuple):
    """The names of a chip and its number of lines."""

    name: str
    label: str
    num_lines: int


class EmulatedChip:
    """One chip. `now_ns` is the kernel's clock. `hold` gives a line to another program.
    `vanish` and `come_back` act as unloading and loading the chip's driver: its users must `open` it again, and old
    requests stay dead.
    """

    def __init__(self, now_ns: Callable[[], int]) -> None:
        self.now_ns = now_ns
        self.is_open = True
        self.is_there = True
        self.label = "pinctrl-bcm2711"
        self.requests: list[EmulatedRequest] = []
        self._is_stale = False
        self._holders: dict[int, str] = {}
        self._grounded: set[int] = set()

    def hold(self, offset: int, holder: str | None) -> None:
        """Let another program hold a line, or release it with None."""
        if holder is None:
            self._holders.pop(offset, None)
        else:
            self._holders[offset] = holder

    def ground(self, offset: int, grounded: bool) -> None:
        """Close or open the contact between a line and ground."""
        request = self._requested(offset)
        before = request.level(offset) if request else None
        (self._grounded.add if grounded else self._grounded.discard)(offset)
        if request and request.level(offset) is not before:
            request.edge(offset)

    def is_grounded(self, offset: int) -> bool:
        """Return whether the contact is closed."""
        return offset in self._grounded

    def vanish(self) -> None:
        """Remove the chip with all its lines."""
        self.is_there, self._is_stale = False, True
        requests, self.requests = self.requests, []
        for request in requests:
            request.die()

    def come_back(self) -> None:
        """Add the chip again, without requests."""
        self.is_there = True

    def open(self) -> "EmulatedChip":
        """Open the chip. FileNotFoundError while it is removed."""
        if not self.is_there:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "/dev/gpiochip0")
        self.is_open, self._is_stale = True, False
        return self

    # As gpiod.Chip

    def get_info(self) -> ChipInfo:
        """Return the chip's names and number of lines."""
        self._check()
        return ChipInfo("gpiochip0", self.label, LINES)

    def get_line_info(self, line: int) -> LineInfo:
        """Return a line's public state."""
        self._check()
        request = self._requested(line)
        holder = request.consumer if request else self._holders.get(line, "")
        return LineInfo(bool(holder), holder)

    def request_lines(
        self,
        config: Mapping[int, LineSettings],
        consumer: str = "?",
        event_buffer_size: int | None = None,
    ) -> "EmulatedRequest":
        """Request lines for a program; OSError with EBUSY if one is in use."""
        self._check()
        if any(offset >= LINES for offset in config):
            raise ValueError("line offset of out range")
        if any(self.get_line_info(offset).used for offset in config):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        request = EmulatedRequest(self, config, consumer, event_buffer_size or 16 * len(config))
        self.requests.append(request)
        return request

    def close(self) -> None:
        """Close the chip; its requests stay valid, as in the kernel."""
        self.is_open = False

    def _check(self) -> None:
        if self._is_stale:
            raise no_device()

    def _requested(self, offset: int) -> "EmulatedRequest | None":
        return next((request for request in self.requests if offset in request.offsets), None)


class EmulatedRequest:
    """One program's requested lines, as a `gpiod.LineRequest`."""

    def __init__(self, chip: EmulatedChip, config: Mapping[int, LineSettings], consumer: str, room: int) -> None:
        self.consumer = consumer
        self.reconfigured = 0
        self._chip = chip
        self._settings = dict(config)
        self._events: deque[EdgeEvent] = deque(maxlen=room)  # the kernel drops the oldest
        self._number = 0
        self._numbers = dict.fromkeys(config, 0)
        self._is_dead = False
        self._near, self._far = socket.socketpair()
        self._near.setblocking(False)

    @property
    def offsets(self) -> list[int]:
        """The numbers of its lines."""
        return list(self._settings)

    def settings(self, offset: int) -> LineSettings:
        """Return the settings of a line."""
        return self._settings[offset]

    def level(self, offset: int) -> bool:
        """Return whether a line is high."""
        settings = self._settings[offset]
        if settings.direction is Direction.OUTPUT:
            return settings.output_value is Value.ACTIVE
        return settings.bias is Bias.PULL_UP and not self._chip.is_grounded(offset)

    def edge(self, offset: int) -> None:
        """Record an edge on a line, if the line is set to detect it."""
        detected = self._settings[offset].edge_detection
        rising = self.level(offset)
        if detected not in (Edge.BOTH, Edge.RISING if rising else Edge.FALLING):
            return
        self._number += 1
        self._numbers[offset] += 1
        kind = EdgeEvent.Type.RISING_EDGE if rising else EdgeEvent.Type.FALLING_EDGE
        event = EdgeEvent(kind.value, self._chip.now_ns(), offset, self._number, self._numbers[offset])
        if not self._events:
            self._far.send(b"!")
        self._events.append(event)

    def die(self) -> None:
        """Invalidate the removed chip's request; wake its reader, and let its next call raise OSError."""
        self._is_dead = True
        self._far.send(b"!")

    def _check(self) -> None:
        if self._is_dead:
            raise no_device()

    # As gpiod.LineRequest

    @property
    def fd(self) -> int:
        """A file descriptor, readable while edges wait."""
        return self._near.fileno()

    def get_value(self, line: int) -> Value:
        """Return the value of a line."""
        self._check()
        return Value.ACTIVE if self.level(line) else Value.INACTIVE

    def get_values(self, lines: Iterable[int]) -> list[Value]:
        """Return the values of lines."""
        return [self.get_value(line) for line in lines]

    def set_value(self, line: int, value: Value) -> None:
        """Drive an output; OSError with EPERM for an input."""
        self._check()
        if self._settings[line].direction is not Direction.OUTPUT:
            raise OSError(errno.EPERM, os.strerror(errno.EPERM))
        self._settings[line].output_value = value

    def reconfigure_lines(self, config: Mapping[int, LineSettings]) -> None:
        """Change all lines' settings; omitted lines get gpiod's defaults."""
        self._check()
        self.reconfigured += 1
        self._settings = {offset: config.get(offset) or LineSettings() for offset in self._settings}

    def wait_edge_events(self, timeout: float | None = None) -> bool:
        """Return at once whether edges wait, whatever the time-out."""
        self._check()
        return bool(self._events)

    def read_edge_events(self, max_events: int = 64) -> list[EdgeEvent]:
        """Remove the oldest edges from the buffer and return them."""
        self._check()
        events = [self._events.popleft() for _ in range(min(max_events, len(self._events)))]
        if events and not self._events:
            self._near.recv(1)
        return events

    def release(self) -> None:
        """Release the lines."""
        if not self._is_dead:
            self._chip.requests.remove(self)
        self._near.close()
        self._far.close()


def no_device() -> OSError:
    """Return the kernel's error for a removed chip."""
    return OSError(errno.ENODEV, os.strerror(errno.ENODEV))
