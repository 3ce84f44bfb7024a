"""A GPIO chip's lines through the kernel's character device: levels, settings, and edges in order.
`drivers.gpio.pins` builds gpiozero's pins on it. The kernel stamps edges as they happen and numbers them across all
lines requested together, so their order is known however late they are read, without polling.
"""

import asyncio
import errno
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from copy import copy
from typing import Any

from gpiod import Chip, LineSettings
from gpiod.line import Bias, Direction, Edge, Value

log = logging.getLogger(__name__)

CONSUMER = "dudo-table"
"""The line holder's name in `gpioinfo`."""

BUFFER_EVENTS = 512
"""Edges kept in the kernel while the loop is busy: 28 contacts that bounce 18 times each."""

OnEdge = Callable[[bool, int], None]
OnLost = Callable[[str], None]


class GpioLines:
    """One chip's lines, by offset. `open_chip` is called when the first is needed; it raises OSError.
    `together` are requested at once, as inputs under a pull-up, because a request can't gain lines later. If another
    program holds one of them, it is left out and requested alone once free, like all other lines. Edges are read on
    `loop`; without a loop there are levels only.

    A chip may be unplugged while its lines are in use: its listeners are called, and the next use of a line opens the
    chip again. A replacement with another label is refused.
    """

    def __init__(
        self, open_chip: Callable[[], Chip], together: Iterable[int], loop: asyncio.AbstractEventLoop | None
    ) -> None:
        self._open_chip = open_chip
        self._together = tuple(together)
        self._loop = loop
        self._chip: Chip | None = None
        self._name = self._label = ""  # the first opened chip's
        self._groups: dict[int, _Group] = {}
        self._listeners: dict[int, tuple[OnEdge, OnLost]] = {}

    def __repr__(self) -> str:
        return f"<GpioLines of {self._chip!r}: {sorted(self._groups)}>"

    @property
    def can_listen(self) -> bool:
        """Whether edges can be read."""
        return self._loop is not None

    def configure(self, offset: int, **changes: Any) -> None:
        """Set these `gpiod.LineSettings` fields for a line; request the line if necessary. Raises OSError."""
        if offset not in self._groups:
            self._open()
        group = self._groups.get(offset)
        with self._detect_unplug(group):
            if group:
                group.configure(offset, changes)
            else:
                self._request_alone(offset, LineSettings(**changes))

    def settings(self, offset: int) -> LineSettings:
        """Return a line's settings; the defaults if it is not requested."""
        group = self._groups.get(offset)
        return group.settings[offset] if group else LineSettings()

    def level(self, offset: int) -> bool:
        """Return whether a requested line is high. Raises OSError."""
        group = self._group(offset)
        with self._detect_unplug(group):
            return group.level(offset)

    def drive(self, offset: int, high: bool) -> None:
        """Set an output line's level. Raises OSError."""
        group = self._group(offset)
        with self._detect_unplug(group):
            group.drive(offset, high)

    def listen(self, offset: int, on_edge: OnEdge, on_lost: OnLost = lambda why: None) -> None:
        """Call `on_edge(high, at_ns)` on the loop's thread for every edge, with its kernel stamp.
        `on_lost(why)` is called when the chip is gone: the line is no longer requested then.
        """
        self._listeners[offset] = on_edge, on_lost

    def unlisten(self, offset: int) -> None:
        """Stop reporting a line's edges."""
        self._listeners.pop(offset, None)

    def release(self, offset: int) -> None:
        """Release a line, unless it was requested with others: those can only be released together."""
        self.unlisten(offset)
        group = self._groups.get(offset)
        if group and len(group.settings) == 1:
            del self._groups[offset]
            self._end(group)

    def close(self) -> None:
        """Release all lines and the chip."""
        for group in set(self._groups.values()):
            self._end(group)
        self._groups.clear()
        self._listeners.clear()
        self._close_chip()

    def _close_chip(self) -> None:
        """Close the chip; its requests stay open."""
        if self._chip is not None:
            self._chip.close()
            self._chip = None

    def _group(self, offset: int) -> "_Group":
        if group := self._groups.get(offset):
            return group
        raise OSError(errno.ENODEV, f"line {offset} is not requested")

    def _open(self) -> None:
        if self._chip is not None:
            return
        chip = self._open_chip()
        try:
            info = chip.get_info()
            if self._label not in ("", info.label):  # the switches are wired to another chip's lines
                raise OSError(errno.ENODEV, f"{self._called} is gone, {info.name} is {info.label}")
            free = [offset for offset in self._together if not chip.get_line_info(offset).used]
        except OSError:
            chip.close()
            raise
        self._chip, self._name, self._label = chip, info.name, info.label
        if free:
            with suppress(OSError):  # another program was faster: requested alone, the error names it
                self._request({offset: _switch_settings() for offset in free})

    def _request_alone(self, offset: int, settings: LineSettings) -> None:
        try:
            self._request({offset: settings})
        except OSError as error:
            assert self._chip is not None
            holder = self._chip.get_line_info(offset).consumer if error.errno == errno.EBUSY else ""
            if holder:
                raise OSError(errno.EBUSY, f"{holder!r} has it in use") from error
            raise

    def _request(self, settings: Mapping[int, LineSettings]) -> None:
        assert self._chip is not None
        group = _Group(self._chip, settings)
        if self._loop is not None:
            self._loop.add_reader(group.fileno(), self._read, group)
        self._groups |= dict.fromkeys(settings, group)

    def _read(self, group: "_Group") -> None:
        try:
            edges = group.read()
        except OSError as error:
            self._drop_chip(group, error)
            return
        for offset, high, at_ns in edges:
            if listener := self._listeners.get(offset):
                on_edge, _ = listener
                on_edge(high, at_ns)

    @contextmanager
    def _detect_unplug(self, group: "_Group | None") -> Iterator[None]:
        """Drop the chip when the kernel reports it gone, and re-raise the error."""
        try:
            yield
        except OSError as error:
            if error.errno == errno.ENODEV:
                self._drop_chip(group, error)
            raise

    def _drop_chip(self, group: "_Group | None", error: OSError) -> None:
        self._close_chip()
        if group is None:
            return
        log.error("the GPIO chip %s is gone with its lines %s: %s", self._called, sorted(group.settings), error)
        for offset in group.settings:
            self._groups.pop(offset, None)
        self._end(group)
        for offset in group.settings:
            if listener := self._listeners.pop(offset, None):
                _, on_lost = listener
                on_lost(f"with the GPIO chip {self._called}: {error.strerror}")

    @property
    def _called(self) -> str:
        return f"{self._name} ({self._label})"

    def _end(self, group: "_Group") -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.remove_reader(group.fileno())
        group.release()


class _Group:
    """Lines that were requested together."""

    def __init__(self, chip: Chip, settings: Mapping[int, LineSettings]) -> None:
        self.settings = dict(settings)
        self._request = chip.request_lines(self._config(), consumer=CONSUMER, event_buffer_size=BUFFER_EVENTS)
        self._levels = {offset: self.level(offset) for offset in self.settings}  # as far as edges were read
        self._number = 0  # the last edge's, over all lines
        self._has_gap = False

    def fileno(self) -> int:
        return int(self._request.fd)  # Debian 13's gpiod has no fileno here

    def configure(self, offset: int, changes: Mapping[str, Any]) -> None:
        before = self.settings[offset]
        wanted = copy(before)
        for name, value in changes.items():
            setattr(wanted, name, value)
        if wanted == before:
            return
        self._request.reconfigure_lines(self._config() | {offset: wanted})
        self.settings[offset] = wanted
        self._levels[offset] = self.level(offset)

    def level(self, offset: int) -> bool:
        return self._request.get_value(offset) is Value.ACTIVE

    def drive(self, offset: int, high: bool) -> None:
        self._request.set_value(offset, Value.ACTIVE if high else Value.INACTIVE)

    def release(self) -> None:
        self._request.release()

    def read(self) -> list[tuple[int, bool, int]]:
        """Return the pending edges: the line, its level since then, and the kernel's stamp."""
        edges = []
        for event in self._request.read_edge_events():
            self._has_gap |= event.global_seqno != self._number + 1
            self._number = event.global_seqno
            high = event.event_type is event.Type.RISING_EDGE
            self._levels[event.line_offset] = high
            edges.append((event.line_offset, high, event.timestamp_ns))
        if self._has_gap and not self._request.wait_edge_events(0):
            self._has_gap = False
            edges += self._missed()
        return edges

    def _config(self) -> dict[Iterable[int | str] | int | str, LineSettings | None]:
        """Return all settings, because an omitted line gets the defaults."""
        return dict(self.settings.items())

    def _missed(self) -> Iterator[tuple[int, bool, int]]:
        """Yield an edge for each line with a level other than after its last edge."""
        # A bouncing contact is faster than the kernel's thread: the kernel merges edges, which is not an error.
        log.debug("the kernel dropped edges; the levels are read")
        for offset, level in self._levels.items():
            if (high := self.level(offset)) is not level:
                self._levels[offset] = high
                yield offset, high, time.monotonic_ns()


def _switch_settings() -> LineSettings:
    return LineSettings(direction=Direction.INPUT, edge_detection=Edge.BOTH, bias=Bias.PULL_UP)
