"""A table in this process: counted wires, watched displays, robots. The sections `boards`, `wired` and `link` run it.

Daemon and drivers are the real ones. On a `VirtualLoop` two runs play the same match.
"""

import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Self

from PIL import Image

from bench.tools.ledger import FAR_END, TABLE
from drivers.display.frame import SHIFT_COLUMNS, shift_columns, to_page_format
from drivers.messages import Brightness, Message
from engine import RULESETS, View
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.seat_display import SeatDisplay
from firmware_host.daemon.seats import has_dudo_button, seat_infos
from firmware_host.devices.devices import Devices
from firmware_host.devices.displays import DisplayDriver
from firmware_host.play.robot import Robot
from firmware_host.store.journal.journal import Journal
from firmware_host.table.events import PublicEvent
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SeatView
from firmware_host.table.table import Table
from firmware_host.wire import PublicState
from hardware.config.layout import Layout
from hardware.emulated.chips.controllers import Controller
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.cup_process import CupProcess
from hardware.emulated.table import EmulatedTable

SEED = 1
INVERSE = bytes(range(255, -1, -1))

Traffic = Counter[str]
"""A seat's bytes: `to_board` and `to_host` on its link with all framing, `i2c` in `transfers` with address bytes."""

Look = tuple[int, SeatView, Menu, View | None]
"""The content of a display: the seat, and the values that the picture is drawn from."""


class CountedTable(EmulatedTable):
    """Emulated wires that count each seat's traffic, and the CPU time of the I2C buses' far ends."""

    def __init__(
        self, layout: Layout, loop: asyncio.AbstractEventLoop, cups: type[EmulatedCup] | type[CupProcess] = EmulatedCup
    ) -> None:
        super().__init__(layout, loop, seed=SEED, cups=cups)
        self.traffic = [Traffic() for _ in layout.seats]
        self.far_end_ns = 0
        self.panels: list[Controller] = []
        self.on_written: Callable[[int], None] = lambda seat: None
        self.on_sent: Callable[[int, bytes], None] = lambda seat, data: None
        ids = (seat.phone or (seat.board and seat.board.id) for seat in layout.seats)  # a phone is a board here
        self._boards = {serial_id: number for number, serial_id in enumerate(ids) if serial_id}
        for number, seat in enumerate(layout.seats):
            place = seat.display
            panel: Any = self.buses[place.bus].panel(place.address) if place else self.board(number).panel
            self.panels.append(panel)
            _set(panel, "write", partial(self._write, number, panel.write))

    def board(self, seat: int) -> Any:
        """Return a seat's board."""
        return next(self.ports[serial_id] for serial_id, number in self._boards.items() if number == seat)

    def open_port(self, serial_id: str) -> Any:
        """Open a port, counted if it is a board's."""
        port = super().open_port(serial_id)
        return _CountedPort(port, self, self._boards[serial_id]) if serial_id in self._boards else port

    def open_bus(self, number: int) -> Any:
        """Open a bus with timed transfers."""
        bus = super().open_bus(number)
        _set(bus, "i2c_rdwr", partial(self._transfer, bus.i2c_rdwr))
        return bus

    def _write(self, seat: int, write: Callable[[bytes], None], data: bytes) -> None:
        write(data)
        self.traffic[seat]["transfers"] += 1
        self.traffic[seat]["i2c"] += 1 + len(data)
        self.on_written(seat)

    def _transfer(self, transfer: Callable[..., None], *messages: Any) -> None:
        began_ns = time.thread_time_ns()
        transfer(*messages)
        self.far_end_ns += time.thread_time_ns() - began_ns


@dataclass
class _CountedPort:
    _port: Any
    _table: CountedTable
    _seat: int

    def __getattr__(self, name: str) -> Any:
        return getattr(self._port, name)

    def read(self, size: int = 1, /) -> bytes:
        data: bytes = self._port.read(size)
        self._table.traffic[self._seat]["to_host"] += len(data)
        return data

    def write(self, data: bytes, /) -> int | None:
        written: int | None = self._port.write(data)
        self._table.traffic[self._seat]["to_board"] += written or 0
        self._table.on_sent(self._seat, data)
        return written


def _set(it: object, name: str, method: Callable[..., None]) -> None:
    """Replace an object's method."""
    setattr(it, name, method)


class DisplayWatch:
    """A display between the daemon and its driver. It times every new picture, complete once in the `panel`'s memory.

    `spent_ns` is the CPU time of the driver's methods.
    """

    def __init__(self, driver: DisplayDriver, panel: Controller) -> None:
        self.pictures = [bytes(1024)]
        """Every picture; the first is the black one of the start."""
        self.spent_ns = 0
        self.drawn_s = self.first_s = 0.0
        """Loop times of the last picture and of its first byte at the panel."""
        self.aside: Callable[[str], AbstractContextManager[Any]] = nullcontext
        self.on_new: Callable[[], None] = lambda: None
        self.on_complete: Callable[[], None] = lambda: None
        self._driver = driver
        self._panel = panel
        self._is_pending = False
        self._loop = asyncio.get_running_loop()

    def show(self, image: Image.Image, **words: Any) -> None:
        """Record a picture and pass it on."""
        with self.aside(TABLE):
            dots = to_page_format(image)
            if dots != self.pictures[-1]:
                self.pictures.append(dots)
                self._is_pending = True
                self.drawn_s, self.first_s = self._loop.time(), 0.0
                self.on_new()
        self._call(partial(self._driver.show, image, **words))

    def set_brightness(self, brightness: Brightness) -> None:
        """Pass the brightness on."""
        self._call(partial(self._driver.set_brightness, brightness))

    def written(self) -> None:
        """Check whether the panel has the whole picture by now."""
        if self._is_pending:
            with self.aside(FAR_END):
                self.first_s = self.first_s or self._loop.time()
                if self._is_shown():
                    self._is_pending = False
                    self.on_complete()

    def _call(self, act: Callable[[], None]) -> None:
        began_ns = time.thread_time_ns()
        act()
        self.spent_ns += time.thread_time_ns() - began_ns

    def _is_shown(self) -> bool:
        """Return whether the panel holds the last picture, wherever pixel shift has moved it."""
        panel, dots = self._panel, self.pictures[-1]
        memory = b"".join(bytes(page[panel.FIRST_COLUMN : panel.FIRST_COLUMN + 128]) for page in panel.pages)
        if panel.registers.inverted:
            memory = memory.translate(INVERSE)
        return any(memory == shift_columns(dots, columns) for columns in range(SHIFT_COLUMNS))


class BenchTable:
    """A table with its daemon, drivers and robots; subclasses take notes."""

    table: type[Table] = Table
    journal: type[Journal] = Journal

    def __init__(self, layout: Layout, wires: CountedTable) -> None:
        self.layout = layout
        self.wires = wires
        self.watches: list[DisplayWatch] = []
        self.looks: list[Look] = []
        self.seen: dict[int, Look] = {}
        """The last look by seat."""
        self.conduct: Any  # a `table`
        self.records: Any  # a `journal`
        self.daemon: Daemon
        self.robots = [
            Robot(
                wires.seats[number],
                random.Random(f"{SEED}/{seat.name}"),
                dudo_button=has_dudo_button(seat),
                starts_with=len(layout.seats) if number == 0 else None,
            )
            for number, seat in enumerate(layout.seats)
        ]

    def post(self, message: Message) -> None:
        """Take a driver's message."""
        self.daemon.post(message)

    def tell(self, event: PublicEvent) -> None:
        """Take a public event."""

    def publish(self, state: PublicState) -> None:
        """Take the public state."""

    def see(self, seat: int, view: SeatView, menu: Menu, look: View | None) -> None:
        """Take a display's content."""
        self.seen[seat] = seat, view, menu, look
        self.looks.append(self.seen[seat])

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Self]:
        """Run the daemon until the block ends; the robots wait, and the wires stay."""
        house, loop = random.Random(f"{SEED}/house"), asyncio.get_running_loop()
        self.conduct = self.table(RULESETS[self.layout.rules], seat_infos(self.layout))
        with (
            tempfile.TemporaryDirectory(prefix="dudo-table-bench-") as folder,
            self.journal(Path(folder) / "journal.sqlite") as self.records,
        ):
            self.daemon = Daemon(
                self.conduct,
                self.records,
                seeds=lambda: house.randbytes(32),
                tell=self.tell,
                publish=self.publish,
            )
            async with Devices(self.layout, self.wires, loop=loop, post=self.post) as devices:
                self.watches = [*map(DisplayWatch, devices.displays, self.wires.panels)]
                for traffic in self.wires.traffic:
                    traffic.clear()
                self.wires.on_written = lambda seat: self.watches[seat].written()
                displays = [
                    SeatDisplay(
                        devices.displays[seat] if self.layout.seats[seat].phone else watch,  # which also speaks
                        [robot.see, partial(self.see, seat)],
                    )
                    for seat, (watch, robot) in enumerate(zip(self.watches, self.robots, strict=True))
                ]
                async with asyncio.TaskGroup() as group:
                    conducting = group.create_task(self.daemon.run(displays, devices.links))
                    yield self
                    conducting.cancel()

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Let the robots play until the block ends."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(robot.run()) for robot in self.robots]
            yield
            for task in tasks:
                task.cancel()
        for seat in self.wires.seats:
            seat.let_go()
