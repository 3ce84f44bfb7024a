"""The thread that owns a display bus, and the only class that touches the bus.
`DisplayBus` has a `BusWorker`, and the worker's thread calls a `BusIO`: a bus never has two writers. A transfer in the
kernel may never return. The worker then leaves its thread behind and starts another; `BusIO` refuses the old thread's
remaining writes. `dudo-table blank` and the doctor use `BusIO` on their own threads, without luma and Pillow.
"""

import asyncio
import errno
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, ParamSpec, Protocol, TypeVar, TypeVarTuple

from smbus2 import i2c_msg

from drivers.display.spi import Select, SpiPort
from hardware.link import oled

log = logging.getLogger(__name__)

Arguments = ParamSpec("Arguments")
Inputs = TypeVarTuple("Inputs")
Result = TypeVar("Result")

# Payloads common to all controllers. A payload is the part of an I2C write after the address.
NOP = oled.COMMANDS + b"\xe3"
"""Changes nothing; only a connected display acknowledges it."""

OFF = oled.COMMANDS + oled.OFF
"""Switches the display off."""

BLANK = oled.COMMANDS + oled.BLANK + bytes([oled.NORMAL])
"""Switches the display off even after an incomplete command, and resets inversion."""

BLOCK_BYTES = 32
"""Bytes in an SMBus block."""

IS_OFF = 0x40
"""Status bit: the display is off (SSD1306 data sheet 8.1.5 and table 9-1, SH1106 "Read Status")."""

HANG_S = 5.0
"""Seconds without a finished transfer until a bus counts as hanging: an adapter gives up after 1 s."""

MAX_LEFT_BEHIND = 3
"""Maximum number of threads hanging on one bus; at this number it stays untouched until one returns."""

SHUTDOWN_TIMEOUT_S = 5.0
"""Seconds for which an ending daemon waits until its displays are dark."""

BusName = int | Select
"""A bus name: an I2C bus number, or a chip select (a bus with one display)."""

Openers = Mapping[int, Callable[[], "I2cBus"]] | Mapping[Select, Callable[[], SpiPort]]
"""An opener for each bus on one wire."""

Darkening = Sequence[tuple[BusName, int, Sequence[bytes]]]
"""Each display's bus and address, with its switch-off payloads."""


class DisplayError(Exception):
    """An unreachable display; the text is one sentence with bus and address."""


class BusHangsError(Exception):
    """A bus hangs, and its thread was left behind."""


class I2cBus(Protocol):
    """The part of `smbus2.SMBus` used for displays."""

    def i2c_rdwr(self, *i2c_msgs: i2c_msg) -> None:
        """Carry out transfers of any length. Without this method, frames go in SMBus blocks."""

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Write at most 32 bytes after a first one."""

    def close(self) -> None:
        """Close the bus."""


class DisplayWrite(NamedTuple):
    """Payloads for one display."""

    bus: BusName
    address: int
    payloads: Sequence[bytes]

    def __repr__(self) -> str:
        # it may contain dice
        return f"<DisplayWrite {describe_address(self.bus, self.address)}>"


class StatusPoll(NamedTuple):
    """A display's status poll with its payloads; one that `stays_on` but is off does not get them."""

    bus: BusName
    address: int
    payloads: Sequence[bytes]
    stays_on: bool

    def __repr__(self) -> str:
        return f"<StatusPoll {describe_address(self.bus, self.address)}>"


class BusIO:
    """Opens one wire's buses on demand and writes to their displays. Every call may block."""

    def __init__(self, buses: Openers) -> None:
        self._openers = dict[BusName, Callable[[], I2cBus | SpiPort]](buses.items())
        self._opened: dict[BusName, I2cBus | SpiPort] = {}
        self.transfers = 0
        """Finished transfers so far: while the number stands still, the bus hangs."""
        self.is_abandoned = False
        """Whether another thread has the bus now, so this one must stop sending."""

    def draw(self, writes: Sequence[DisplayWrite], is_overtaken: Callable[[], bool]) -> tuple[int, DisplayError | None]:
        """Send writes until one fails or, after the first, a later picture overtakes; return the number sent."""
        for sent, write in enumerate(writes):
            if sent and is_overtaken():
                return sent, None
            try:
                self.send(*write)
            except DisplayError as error:
                return sent, error
        return len(writes), None

    def send(self, name: BusName, address: int, payloads: Sequence[bytes]) -> None:
        """Write payloads to the display at an address. Raises DisplayError; the next call opens the bus again."""
        bus = self._open(name, address)
        try:
            for payload in payloads:
                self._check_owned()
                if isinstance(bus, SpiPort):
                    bus.write(payload)
                elif hasattr(bus, "i2c_rdwr"):
                    bus.i2c_rdwr(i2c_msg.write(address, payload))
                else:
                    for start in range(1, len(payload), BLOCK_BYTES):
                        bus.write_i2c_block_data(address, payload[0], list(payload[start : start + BLOCK_BYTES]))
                self.transfers += 1
        except Exception as error:
            raise self._failed(name, address, error) from error

    def poll(self, polls: Sequence[StatusPoll]) -> tuple[list[int | None], DisplayError | None]:
        """Poll displays; return their status bytes up to the first failure, None for an unreadable one.
        It stops there, because a display blocking the bus costs an adapter's time-out and a picture may wait for it.
        """
        statuses: list[int | None] = []
        for name, address, payloads, stays_on in polls:
            try:
                status = self._status(name, address)
                if not (stays_on and status is not None and status & IS_OFF):
                    self.send(name, address, [NOP] if status is None and not payloads else payloads)
            except DisplayError as error:
                return statuses, error
            statuses.append(status)
        return statuses, None

    def shutdown(self, displays: Darkening) -> None:
        """Switch the displays off, then empty their memory; close the buses."""
        reached = [display for display in displays if self._reaches(*display[:2], [OFF])]
        for display in reached:
            self._reaches(*display)
        for name in list(self._opened):
            self._close(name)

    def _reaches(self, name: BusName, address: int, payloads: Sequence[bytes]) -> bool:
        with suppress(DisplayError):
            self.send(name, address, payloads)
            return True
        return False

    def _status(self, name: BusName, address: int) -> int | None:
        """Read a status byte; None if it is unreadable or missing: `send` then finds out."""
        bus = self._open(name, address)
        if isinstance(bus, SpiPort) or not hasattr(bus, "i2c_rdwr"):
            return None
        answer = i2c_msg.read(address, 1)
        try:
            self._check_owned()
            bus.i2c_rdwr(answer)
        except Exception as error:
            self.transfers += 1
            if not isinstance(error, OSError) or error.errno in (errno.ETIMEDOUT, errno.ECANCELED):
                raise self._failed(name, address, error) from error
            return None
        self.transfers += 1
        return int.from_bytes(bytes(answer), "little")

    def _check_owned(self) -> None:
        if self.is_abandoned:
            raise OSError(errno.ECANCELED, "another thread has the bus")

    def _open(self, name: BusName, address: int) -> I2cBus | SpiPort:
        try:
            self._check_owned()
            if name not in self._opened:
                self._opened[name] = self._openers[name]()
        except Exception as error:
            panel = "its display" if isinstance(name, Select) else f"the display at {address:#04x}"
            raise DisplayError(f"{describe_bus(name)} with {panel} can't be opened ({_reason(error)})") from error
        return self._opened[name]

    def _failed(self, name: BusName, address: int, error: Exception) -> DisplayError:
        self._close(name)
        # Players read the reason, and a program error may quote the data to write, with dice.
        reason = _reason(error) if isinstance(error, OSError) else type(error).__name__
        return DisplayError(f"the display {describe_address(name, address)} does not answer ({reason})")

    def _close(self, name: BusName) -> None:
        with suppress(Exception):  # the bus is gone
            self._opened.pop(name).close()


class BusWorker:
    """Calls a `BusIO` on one thread at a time, and waits for it only for a limited time.
    `on_recovered` is called when an abandoned thread has ended: its last transfer may have followed the next thread's.
    """

    def __init__(self, buses: Openers, *, loop: asyncio.AbstractEventLoop, on_recovered: Callable[[], None]) -> None:
        self._buses = buses
        self._loop = loop
        self._on_recovered = on_recovered
        self._io, self._thread = BusIO(buses), BusThread("display-bus")
        self._left_behind: set[asyncio.Future[Any]] = set()
        self._has_recovered = asyncio.Event()
        self._shutdown: asyncio.Future[None] | None = None

    def __repr__(self) -> str:
        return f"<BusWorker of {self}, {len(self._left_behind)} left behind>"

    def __str__(self) -> str:
        return ", ".join(map(describe_bus, self._buses))

    async def run(self, act: Callable[[BusIO, *Inputs], Result], *arguments: *Inputs) -> Result:
        """Call a `BusIO` method on the thread. Raises BusHangsError if no transfer ends for HANG_S."""
        io = self._io
        work = self._loop.run_in_executor(self._thread, act, io, *arguments)
        while not work.done():
            transfers = io.transfers
            try:
                await asyncio.wait([work], timeout=HANG_S)
            except asyncio.CancelledError:
                work.cancel()
                raise
            if not work.done() and transfers == io.transfers:
                self._leave_behind(work)
                raise BusHangsError(f"{self}: nothing gets through; something holds the wire, pull its cables in turn")
        return work.result()

    async def wait_available(self) -> None:
        """Wait until few enough threads hang for another to try."""
        while len(self._left_behind) >= MAX_LEFT_BEHIND:
            self._has_recovered.clear()
            await self._has_recovered.wait()

    def shutdown(self, displays: Darkening) -> None:
        """Make displays dark and end the thread; return at once."""
        if self._loop.is_closed():
            self._thread.submit(self._io.shutdown, displays)
            self._thread.shutdown(wait=False)
            return
        self._shutdown = self._loop.run_in_executor(self._thread, self._io.shutdown, displays)
        self._shutdown.add_done_callback(lambda _: self._thread.shutdown(wait=False))

    async def wait_shutdown(self) -> None:
        """Wait until `shutdown` has made the displays dark, for SHUTDOWN_TIMEOUT_S at most."""
        if self._shutdown:
            await asyncio.wait([self._shutdown], timeout=SHUTDOWN_TIMEOUT_S)

    @property
    def is_shut_down(self) -> bool:
        """Whether the bus is no longer used by any thread."""
        return self._shutdown is not None and self._shutdown.done() and not self._left_behind

    def abandon(self) -> None:
        """Stop all sending, even by `shutdown`: another worker has the bus."""
        self._io.is_abandoned = True

    def _leave_behind(self, work: asyncio.Future[Any]) -> None:
        """Start another thread; it opens the buses again."""
        self.abandon()
        self._thread.shutdown(wait=False)
        self._left_behind.add(work)
        work.add_done_callback(self._recover)
        log.error("%s: the bus hangs; %d of its threads are left behind", self, len(self._left_behind))
        self._io, self._thread = BusIO(self._buses), BusThread("display-bus")

    def _recover(self, work: asyncio.Future[Any]) -> None:
        self._left_behind.discard(work)
        if not work.cancelled():
            work.exception()  # otherwise asyncio logs that it was never retrieved
        self._has_recovered.set()
        self._on_recovered()


class BusThread(Executor):
    """An executor with one daemon thread; the interpreter would wait for a standard pool's threads.
    Raises RuntimeError if the system is out of threads.
    """

    def __init__(self, name: str) -> None:
        self._calls: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._is_shut_down = False
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        return f"<BusThread {self._thread.name}{'' if self._thread.is_alive() else ', ended'}>"

    def submit(
        self, fn: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        """Queue a call. RuntimeError after `shutdown`."""
        if self._is_shut_down:
            raise RuntimeError("cannot schedule new futures after shutdown")
        outcome: Future[Result] = Future()
        self._calls.put((outcome, partial(fn, *args, **kwargs)))
        return outcome

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls; the thread ends after the queued ones. Waits for that only with `wait`."""
        self._is_shut_down = True
        self._calls.put(None)
        if wait:
            self._thread.join()

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            outcome, act = call
            if outcome.set_running_or_notify_cancel():
                try:
                    outcome.set_result(act())
                except BaseException as error:  # an ended thread would leave the bus without one
                    outcome.set_exception(error)
            del call, outcome, act  # they hold pictures with dice


def describe_address(name: BusName, address: int) -> str:
    """Describe a display's place: `at 0x3c on I2C bus 1` or `on SPI 0.1`."""
    where = describe_bus(name)
    return f"on {where}" if isinstance(name, Select) else f"at {address:#04x} on {where}"


def describe_bus(name: BusName) -> str:
    """Describe a bus: `I2C bus 1` or `SPI 0.1`."""
    return str(name) if isinstance(name, Select) else f"I2C bus {name}"


def _reason(error: Exception) -> str:
    known = isinstance(error, OSError) and error.errno
    return os.strerror(known) if known else str(error) or type(error).__name__
