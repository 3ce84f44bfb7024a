"""A table of boards in real time, with robots that play and a stopwatch for single presses."""

import asyncio
import random
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from PIL import Image

from bench.tools.counted_links import CountedLinks
from bench.tools.display_watch import shows
from drivers.display.frame import to_page_format
from drivers.messages import Brightness
from engine import RULESETS, Rules, View
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.seat_display import SeatDisplay
from firmware_host.daemon.seats import has_dudo_button, seat_infos
from firmware_host.devices.devices import Devices
from firmware_host.devices.displays import DisplayLike
from firmware_host.play.robot import Robot
from firmware_host.public.server import PublicSocket
from firmware_host.store.journal.journal import Journal
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SceneName, SeatView
from firmware_host.table.table import Table
from hardware.config.layout import Layout
from hardware.emulated.cup_process import CupProcess

STEPS = 4
"""Items that a menu must have: with fewer a press may leave the picture as it is."""
TAP_S = 0.05


class Stopwatch:
    """A display between the daemon and one board that measures when the board shows the picture of a press.

    `changed_s` is the loop's time at which the first other picture after `start` was whole in the panel's memory.
    `on_written` is called after every write to the board's panel, and `is_shown` says whether it has the last picture.
    `spent_ns` is the CPU of the driver's `show` and `light`, which the table calls, but the link has to pay.
    """

    def __init__(self, driver: DisplayLike, board: CupProcess) -> None:
        self.changed_s: float | None = None
        self.spent_ns = 0
        self.on_written: Callable[[], None] = lambda: None
        self._driver = driver
        self._board = board
        self._dots = bytes(1024)
        self._is_new = False
        board.watch(self._written)

    def start(self) -> None:
        """Start to wait for another picture."""
        self.changed_s, self._is_new = None, False

    def show(self, image: Image.Image, **words: Any) -> None:
        """Record a picture and pass it on."""
        dots = to_page_format(image)
        self._is_new = self._is_new or dots != self._dots
        self._dots = dots
        began_ns = time.thread_time_ns()
        self._driver.show(image, **words)
        self.spent_ns += time.thread_time_ns() - began_ns

    def set_brightness(self, brightness: Brightness) -> None:
        """Pass the brightness on."""
        began_ns = time.thread_time_ns()
        self._driver.set_brightness(brightness)
        self.spent_ns += time.thread_time_ns() - began_ns

    @property
    def is_shown(self) -> bool:
        """Whether the panel has the last picture."""
        return self._board.panel is not None and shows(self._board.panel, self._dots)

    def _written(self) -> None:
        if self._is_new and self.changed_s is None and self.is_shown:
            self.changed_s = asyncio.get_running_loop().time()
        self.on_written()


class LiveTable:
    """A table in operation; `live_table` makes it."""

    def __init__(self, layout: Layout, links: CountedLinks, devices: Devices) -> None:
        self.links = links
        self.watches = [Stopwatch(*pair) for pair in zip(devices.displays, links.boards, strict=True)]
        self._seats = links.table.seats
        self.sights: dict[int, tuple[SeatView, Menu]] = {}
        """The views that the displays show, by seat."""
        self.robots = [
            Robot(
                seat,
                random.Random(number),
                dudo_button=has_dudo_button(layout.seats[number]),
                starts_with=len(self._seats) if number == 0 else None,
            )
            for number, seat in enumerate(self._seats)
        ]
        self.displays = [
            SeatDisplay(watch, [robot.see, self._eyes(number)])
            for number, (watch, robot) in enumerate(zip(self.watches, self.robots, strict=True))
        ]

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Let the robots play until the block ends."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(robot.run()) for robot in self.robots]
            yield
            for task in tasks:
                task.cancel()
        for seat in self._seats:
            seat.let_go()

    async def bidding(self) -> int:
        """Wait until a seat is in turn with something to step through; return which."""
        while True:
            for number, (view, menu) in self.sights.items():
                is_mine = view.me is not None and view.me in view.waiting_for
                if view.scene is SceneName.BIDDING and is_mine and len(menu.items) >= STEPS:
                    return number
            await asyncio.sleep(0.05)

    async def pressed_s(self, number: int, button: str, *, within_s: float = 1.0) -> float | None:
        """Tap a button; the seconds until the panel shows another picture, None when none came within `within_s`.

        OK acts when it is released, so the time begins there.
        """
        loop, watch = asyncio.get_running_loop(), self.watches[number]
        watch.start()
        began_s = loop.time() + (TAP_S if button == "ok" else 0)
        self._seats[number].tap(button, for_s=TAP_S)
        while watch.changed_s is None and loop.time() - began_s < within_s:
            await asyncio.sleep(0.06)  # and so the button is up again before the next
        return None if watch.changed_s is None else watch.changed_s - began_s

    def _eyes(self, number: int) -> Any:
        def see(view: SeatView, menu: Menu, look: View | None) -> None:
            self.sights[number] = view, menu

        return see


@asynccontextmanager
async def live_table(
    layout: Layout, links: CountedLinks, public: PublicSocket | None = None, rules: Rules | None = None
) -> AsyncIterator[LiveTable]:
    """Run a table of boards on the machine's own clock until the block ends; the boards keep running.

    It plays by `rules`, by those of the layout if that is None.
    """
    house = random.Random(1)
    with (
        tempfile.TemporaryDirectory(prefix="dudo-table-bench-") as folder,
        Journal(Path(folder) / "journal.sqlite") as journal,
    ):
        daemon = Daemon(
            Table(rules or RULESETS[layout.rules], seat_infos(layout)),
            journal,
            seeds=lambda: house.randbytes(32),
            tell=public.announce if public else lambda event: None,
            publish=public.publish if public else lambda state: None,
        )
        async with Devices(layout, links, loop=asyncio.get_running_loop(), post=daemon.post) as devices:
            live = LiveTable(layout, links, devices)
            async with asyncio.TaskGroup() as group:
                conduct = group.create_task(daemon.run(live.displays, devices.links))
                yield live
                conduct.cancel()
