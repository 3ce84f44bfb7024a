"""One whole match of robots at emulated wires, with counts of its bytes, CPU and presses.

Table, daemon and drivers are the real ones. All randomness comes from one seed, so two runs play the same match.
"""

import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.tools.disk import Recorded
from bench.tools.display_watch import DisplayWatch, Press
from bench.tools.ledger import FAR_END, TABLE, Ledger, clock_of_threads
from bench.tools.watched_wires import WatchedWires
from drivers.messages import Levelled, Message, Pressed, Released, Settled, Shaken, Tilted
from engine import RULESETS, Bid, Rules, View
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.seat_display import FrameListener, SeatDisplay
from firmware_host.daemon.seats import has_dudo_button, seat_infos
from firmware_host.devices.devices import Devices
from firmware_host.play.robot import Robot
from firmware_host.store.journal.journal import Journal
from firmware_host.table.effects import Announce, Effect, HostMessage
from firmware_host.table.events import ActionTaken, MatchWon, PublicEvent, Undone
from firmware_host.table.menu import Menu
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat_view import SeatInfo, SeatView
from firmware_host.table.staff import StaffAction, StaffCommand
from firmware_host.table.table import Table
from hardware.config.layout import Layout
from hardware.emulated.seat import EmulatedSeat
from hardware.emulated.virtual_loop import VirtualLoop

Look = tuple[int, SeatView, Menu, View | None]
"""A picture on a display: the seat, and what it was drawn from."""


@dataclass(frozen=True)
class Watched:
    """The counts of one match."""

    watches: list[DisplayWatch]
    presses: list[Press]
    pressed: int
    looks: list[Look]
    records: list[Recorded]
    cpu_ns: Counter[str]
    process_ns: int
    virtual_s: float


def watched_match(layout: Layout, *, rules: str | None = None, seed: int = 1, undos: int = 0) -> Watched:
    """Play a match with a robot at every seat to its end.

    Staff take `undos` actions back, every other one of them while all players look under their cups.
    """
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=60)) as runner:
        return runner.run(_Session(layout, rules or layout.rules, seed, undos).play())


class _Session:
    def __init__(self, layout: Layout, rules: str, seed: int, undos: int) -> None:
        self._layout = layout
        self._undos = undos
        self._acted = asyncio.Event()
        self._seed = seed
        self._won = asyncio.Event()
        self._ledger = Ledger()
        self._table = _WatchedTable(RULESETS[rules], seat_infos(layout))
        self._hiding: Press | None = None
        self._hidden: list[Press] = []
        self._pressed = 0
        self._looks: list[Look] = []

    async def play(self) -> Watched:
        loop = asyncio.get_running_loop()
        wires = WatchedWires(self._layout, loop, seed=self._seed)
        robots = [self._robot(number, wires) for number in range(len(self._layout.seats))]
        folder = tempfile.TemporaryDirectory(prefix="dudo-table-bench-")
        with folder as path, wires.table, _KeptJournal(Path(path) / "journal.sqlite") as journal:
            house = random.Random(f"{self._seed}/house")
            daemon = Daemon(
                self._table, journal, seeds=lambda: house.randbytes(32), tell=self._tell, publish=lambda state: None
            )
            self._daemon = daemon
            async with Devices(self._layout, wires, loop=loop, post=self._post) as devices:
                watches = self._watch(wires, devices)
                displays = [
                    SeatDisplay(watch, [robot.see, self._eyes(watch.seat)])
                    for watch, robot in zip(watches, robots, strict=True)
                ]
                began_s = loop.time()
                with self._ledger as ledger:
                    work = [asyncio.create_task(daemon.run(displays, devices.links))]
                    work += [asyncio.create_task(robot.run()) for robot in robots]
                    work += [asyncio.create_task(self._take_back(wires.table.seats))]
                    ended = asyncio.create_task(self._end())
                    await asyncio.wait([ended, *work], return_when=asyncio.FIRST_COMPLETED)
                    threads_ns = clock_of_threads("display-bus") + clock_of_threads("journal")
                for task in (ended, *work):
                    task.cancel()
                for outcome in await asyncio.gather(ended, *work, return_exceptions=True):
                    if isinstance(outcome, Exception):
                        raise outcome
                virtual_s = loop.time() - began_s
        cpu_ns = ledger.spent_ns
        cpu_ns[TABLE] += threads_ns - wires.far_end_ns
        cpu_ns[FAR_END] += wires.far_end_ns
        presses = [*self._table.presses, *self._hidden]
        return Watched(
            watches, presses, self._pressed, self._looks, journal.records, cpu_ns, ledger.process_ns, virtual_s
        )

    async def _end(self) -> None:
        await self._won.wait()
        await asyncio.sleep(1.0)

    def _robot(self, number: int, wires: WatchedWires) -> Robot:
        furniture = self._layout.seats[number]
        return Robot(
            wires.table.seats[number],
            random.Random(f"{self._seed}/{furniture.name}"),
            dudo_button=has_dudo_button(furniture),
            starts_with=len(self._layout.seats) if number == 0 else None,
        )

    def _watch(self, wires: WatchedWires, devices: Devices) -> list[DisplayWatch]:
        loop = asyncio.get_running_loop()
        wires.watches = [
            DisplayWatch(
                seat, panel, wires.memory_of(self._layout, seat), loop=loop, ledger=self._ledger, cause=self._cause
            )
            for seat, panel in enumerate(devices.displays)
        ]
        return wires.watches

    def _cause(self) -> Press | None:
        return self._hiding or self._table.press

    def _post(self, message: Message) -> None:
        self._pressed += isinstance(message, Pressed)
        self._hiding = _press(message, is_hiding=True)
        self._daemon.post(message)
        if self._hiding is not None and self._hiding.seats:
            self._hidden.append(self._hiding)
        self._hiding = None

    def _tell(self, event: PublicEvent) -> None:
        if isinstance(event, MatchWon):
            self._won.set()
        if isinstance(event, ActionTaken):
            self._acted.set()

    async def _take_back(self, seats: Sequence[EmulatedSeat]) -> None:
        """Take an action back every so often, as soon as its pictures are on the displays."""
        rng = random.Random(f"{self._seed}/staff")
        for number in range(self._undos):
            for _ in range(rng.randint(1, 6)):
                self._acted.clear()
                await self._acted.wait()
            if number % 2:
                for seat in seats:
                    seat.tilt()
            await asyncio.sleep(rng.choice((0.0, 0.1, 0.4)))
            await self._daemon.act_for_staff(StaffCommand.UNDO)
            await asyncio.sleep(0.3)
            for seat in seats if number % 2 else ():
                seat.level()
        await asyncio.Event().wait()

    def _eyes(self, seat: int) -> FrameListener:
        def see(view: SeatView, menu: Menu, look: View | None) -> None:
            self._looks.append((seat, view, menu, look))

        return see


class _WatchedTable(Table):
    """A table that records the press behind its last effects; a press held until a tick is still that press."""

    def __init__(self, rules: Rules, seats: tuple[SeatInfo, ...]) -> None:
        super().__init__(rules, seats)
        self._seat_count = len(seats)
        self.press: Press | None = None
        self.presses: list[Press] = []

    def handle(self, message: Message | HostMessage, now_ns: int) -> list[Effect]:
        if isinstance(message, StaffAction):
            self._note(Press(message, now_ns / 1e9))
        elif not (self._races and self.press):
            self._note(None if isinstance(message, HostMessage) else _press(message))
        return self._heard(super().handle(message, now_ns))

    def tick(self, now_ns: int) -> list[Effect]:
        if not self._races:
            self.press = None
        return self._heard(super().tick(now_ns))

    @property
    def _races(self) -> bool:
        return any(map(self.scene.has_pending_action, range(self._seat_count)))

    def _heard(self, effects: list[Effect]) -> list[Effect]:
        announced = [effect.event for effect in effects if isinstance(effect, Announce)]
        actions = [event.action for event in announced if isinstance(event, ActionTaken)]
        if self.press is not None and any(isinstance(action, Bid) for action in actions):
            self.press.makes_bid = True
        for event in announced:
            if self.press is not None and isinstance(event, Undone):
                self.press.takes_back = "bid" if isinstance(event.action, Bid) else type(event.action).__name__.lower()
        return effects

    def _note(self, press: Press | None) -> None:
        self.press = press
        if press is not None:
            self.presses.append(press)


class _KeptJournal(Journal):
    """A journal that keeps its records, to be written again and timed."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.records: list[Recorded] = []

    async def write(self, scene: Scene, heard: Mapping[str, int], told: Sequence[PublicEvent] = ()) -> None:
        self.records.append(Recorded(scene, told))
        await super().write(scene, heard, told)


def _press(message: Message, *, is_hiding: bool = False) -> Press | None:
    if isinstance(message, Pressed | Released | Tilted | Levelled | Shaken | Settled):
        return Press(message, message.at_ns / 1e9, is_hiding)
    return None
