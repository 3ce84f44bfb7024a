"""A round that is laid out by hand, at emulated wires: the real daemon, its real drivers, hands at every seat.

    async with at_wires("wired-4", laid(PYRUDO, HANDS).table.scene, tmp_path) as table:
        table.seats[1].tilt()
        await asyncio.sleep(1)
        assert table.dice_on(1)

The journal can be made to hang.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from drivers.messages import Device
from engine import PERUDO, View
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.seat_display import SeatDisplay
from firmware_host.daemon.seats import seat_infos, words_of
from firmware_host.devices.devices import Devices
from firmware_host.devices.host_io.ports import Ports, SystemPorts
from firmware_host.devices.pairing.replacements import Replacements
from firmware_host.devices.pairing.scanner import UnassignedScanner
from firmware_host.devices.supervision.supervisor import SupervisedDriver
from firmware_host.screens import draw, draw_peek
from firmware_host.store.journal.journal import Journal
from firmware_host.table.events import PublicEvent
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SeatView
from firmware_host.table.table import Table
from hardware.config.layout import load_builtin
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.cup_process import CupProcess
from hardware.emulated.table import EmulatedTable

HELLO_S = 3.0
"""Until every link has said hello and every panel has its first picture."""


class HangingJournal(Journal):
    """A journal whose disk may take its time."""

    takes_s = 0.0

    async def write(self, scene: Scene, heard: Mapping[str, int], told: Sequence[PublicEvent] = ()) -> None:
        await asyncio.sleep(self.takes_s)
        await super().write(scene, heard, told)


class AtWires:
    """What a test does and sees."""

    def __init__(self, table: Table, wires: EmulatedTable, journal: HangingJournal, daemon: Daemon) -> None:
        self.table = table
        self.wires = wires
        self.seats = wires.seats
        self.journal = journal
        self.daemon = daemon
        self.devices: Devices
        self.scanner: UnassignedScanner
        self.events: list[PublicEvent] = []
        self.seen: list[list[tuple[SeatView, Menu, View | None]]] = [[] for _ in wires.seats]

    def see(self, seat: int, view: SeatView, menu: Menu, look: View | None) -> None:
        """FrameListener at a seat."""
        self.seen[seat].append((view, menu, look))

    def supervised(self, seat: int, device: Device) -> SupervisedDriver[Any]:
        """Return the supervised driver of a seat's device."""
        return next(driver for driver in self.devices.supervisor._drivers if (seat, device) in driver._devices)

    def menu(self, seat: int) -> Menu:
        """Return a seat's menu, as its display has it."""
        return self.seen[seat][-1][1]

    def dice_on(self, seat: int) -> bool:
        """Return whether the controller of a seat's display holds the picture with dice; raise if it holds neither."""
        view, menu, _ = self.seen[seat][-1]
        looks = [look for *_, look in self.seen[seat] if look is not None]
        held, without = self.seats[seat].picture().tobytes(), draw(view, menu).tobytes()
        if held == without:
            return False
        assert looks, "some other picture"
        assert held == draw_peek(view, menu, looks[-1]).tobytes(), "some other picture"
        return True


@asynccontextmanager
async def at_wires(
    layout_name: str, scene: Scene, folder: Path, *, seed: int = 0, seats: int | None = None, real: Path | None = None
) -> AsyncIterator[AtWires]:
    """Give a table of the layout's first seats, as many as play or `seats`, with `scene` on it, all links up.

    With `real`, boards are processes on terminals, whose ports are looked for in that folder; no link waits for hello.
    """
    loop = asyncio.get_running_loop()
    game = scene.game
    layout = load_builtin(layout_name).first(seats or (4 if game is None else len(game.players)))
    with (
        HangingJournal(folder / f"{layout_name}.sqlite") as journal,
        EmulatedTable(layout, loop, seed=seed, cups=CupProcess if real else EmulatedCup) as wires,
    ):
        replacements = Replacements(layout, folder)
        spoken = words_of(layout)
        table = Table(PERUDO if game is None else game.position.rules, seat_infos(layout), scene)
        told: list[PublicEvent] = []
        daemon = Daemon(table, journal, seeds=lambda: bytes(32), tell=told.append, publish=lambda state: None)
        here = AtWires(table, wires, journal, daemon)
        here.events = told
        hung_on: Ports = SystemPorts(real) if real else wires
        scanner = UnassignedScanner(replacements, hung_on, words=spoken, loop=loop)
        here.scanner = scanner
        post = scanner.tap(daemon.post)
        with scanner:
            async with Devices(replacements.layout, hung_on, loop=loop, post=post) as devices:
                here.devices = devices
                panels = zip(devices.displays, spoken, strict=True)
                displays = [
                    SeatDisplay(it, [partial(here.see, seat)], words) for seat, (it, words) in enumerate(panels)
                ]
                scanner.attach(devices.links.assign, may_look=lambda seat: displays[seat].may_look)
                conducting = loop.create_task(daemon.run(displays, devices.links))
                try:
                    await asyncio.sleep(0 if real else HELLO_S)
                    yield here
                finally:
                    conducting.cancel()
                    await asyncio.gather(conducting, return_exceptions=True)
