"""Daemons that die one after the other on the same journal, at boards and cups that remember their events.

    table = RestartedTable(loop, tmp_path, lay_out(PYRUDO, HANDS).table.scene)
    with table.run_daemon() as run:
        table.seats[0].tap("ok")
        table.wait(0.1)             # and then it is dead
    with table.run_daemon() as run:
        assert run.taken == []

A daemon dies as a killed process does: its ports close without a last message, and only what is on disk stays.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from drivers.messages import Event, Message
from engine import PERUDO
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.seat_display import SeatDisplay
from firmware_host.daemon.seats import seat_infos, words_of
from firmware_host.devices.devices import Devices
from firmware_host.devices.links import LinkRegistry
from firmware_host.devices.pairing.replacements import seated
from firmware_host.store.journal.journal import Journal
from firmware_host.table.effects import Effect, HostMessage
from firmware_host.table.events import PublicEvent
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.view import TableReason
from firmware_host.table.table import Table
from hardware.chips import RECOMMENDED
from hardware.config.layout import Layout, SerialDevice
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.table import BOARD_BUTTONS, EmulatedTable
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig

GREETED_S = 1.0
"""Until every link is up and every display has its picture."""

Numbered = tuple[int, int]
"""An event of a seat's device: its start and its number."""


class FrailJournal(Journal):
    """A journal that takes so long until a record is on disk, and so long again until the daemon hears of it.

    From the record on that is `slow_from`, the first of this daemon being 1.
    """

    before_s = after_s = 0.0
    slow_from = 1
    _written = 0

    async def write(self, scene: Scene, heard: Mapping[str, int], told: Sequence[PublicEvent] = ()) -> None:
        self._written += 1
        is_slow = self._written >= self.slow_from
        if is_slow and self.before_s:
            await asyncio.sleep(self.before_s)
        await super().write(scene, heard, told)
        if is_slow and self.after_s:
            await asyncio.sleep(self.after_s)


class _RecordingTable(Table):
    """A table that records the messages it is given."""

    def __init__(self, taken: list[Message], *arguments: Any) -> None:
        super().__init__(*arguments)
        self._taken_ones = taken

    def handle(self, message: Message | HostMessage, now_ns: int) -> list[Effect]:
        if not isinstance(message, HostMessage):
            self._taken_ones.append(message)
        return super().handle(message, now_ns)


class _WatchedLinks:
    """A link registry that records what may be acknowledged, and can lose every port at once."""

    def __init__(self, links: LinkRegistry, settled: list[Message]) -> None:
        self._links = links
        self._settled = settled

    def __getattr__(self, name: str) -> Any:
        return getattr(self._links, name)

    def durable(self, message: Message) -> None:
        self._settled.append(message)
        self._links.durable(message)

    def die(self) -> None:
        for line in {driver.driver._line for driver in self._links._links.values() if driver.driver}:
            line._close()


class _ClosablePorts:
    """The ports of an emulated table for one daemon; a dead daemon opens no port."""

    def __init__(self, emulated: EmulatedTable) -> None:
        self._emulated = emulated
        self.has_ports = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._emulated, name)

    def open_port(self, serial_id: str) -> Any:
        if not self.has_ports:
            raise PermissionError(13, "not yet, or not any more")
        return self._emulated.open_port(serial_id)


class DaemonRun:
    """One run of the daemon, with the messages it took and the events it announced."""

    def __init__(
        self, journal: FrailJournal, table: Table, wires: _ClosablePorts, taken: list[Message], seats: int
    ) -> None:
        self.journal = journal
        self.table = table
        self.wires = wires
        self.acked_before = journal.last_events
        self.taken_messages = taken
        self.settled_messages: list[Message] = []
        self.events: list[PublicEvent] = []
        self.notices: list[list[object]] = [[] for _ in range(seats)]

    @property
    def taken(self) -> list[Event]:
        """The devices' events that the table has taken."""
        return [message for message in self.taken_messages if isinstance(message, Event)]

    def numbers(self, seat: int) -> list[Numbered]:
        """Return the events of a seat's device that the table has taken."""
        return _numbers(self.taken_messages, seat)

    def settled(self, seat: int) -> list[Numbered]:
        """Those that were acknowledged, so that the cup forgets them."""
        return _numbers(self.settled_messages, seat)

    def see(self, seat: int, view: Any, *_: object) -> None:
        """FrameListener at a seat: a notice counts once for as long as it stays."""
        notices = self.notices[seat]
        if view.notice is not None and (not notices or notices[-1] is not view.notice):
            notices.append(view.notice)

    def refusals(self, seat: int) -> int:
        """Return how many times a seat was told that what it had on its display was no longer so."""
        return sum(notice in (TableReason.BID_CHANGED, TableReason.MENU_CHANGED) for notice in self.notices[seat])


class RestartedTable:
    """An emulated table at which daemons run in turn. `seats` are its hands, `ended` the runs that are over."""

    def __init__(self, loop: VirtualLoop, folder: Path, scene: Scene, layout: Layout) -> None:
        assert scene.game is not None
        self._loop = loop
        self._path = folder / "journal.sqlite"
        self._layout = layout
        self._scene = scene
        self._rules = PERUDO if scene.game is None else scene.game.position.rules
        self._emulated: EmulatedTable
        self.ended: list[DaemonRun] = []
        self.before_s = self.after_s = 0.0

    @contextmanager
    def boards(self) -> Iterator["RestartedTable"]:
        """Set up the emulated devices, which outlive every daemon."""
        with EmulatedTable(self._layout, self._loop, seed=3) as self._emulated:
            self.seats = self._emulated.seats
            yield self

    def wait(self, duration_s: float) -> None:
        """Let time pass."""
        self._loop.run_until_complete(asyncio.sleep(duration_s))

    def hop(self, hops: int) -> None:
        """Run the loop so many times, while hardly any time passes."""
        for _ in range(hops):
            self._loop.run_until_complete(asyncio.sleep(0))

    def waiting(self, seat: int) -> int:
        """Return how many events a seat's device would send again."""
        device = self._layout.seats[seat].board or self._layout.seats[seat].cup
        assert isinstance(device, SerialDevice)
        cup = self._emulated.ports[device.id]
        assert isinstance(cup, EmulatedCup)
        assert cup._program is not None
        return len(cup._program.outbox._waiting)

    def exchange(self, seat: int, identity: str) -> EmulatedCup:
        """Replace a seat's board from the next daemon on, by one that was there before or by a new one."""
        own = self._layout.seats[seat].board
        assert own is not None
        self._layout = seated(self._layout, {own.id: identity})
        known = self._emulated.ports.get(identity)
        board = known or self._emulated.bring(
            DeviceConfig(identity, buttons=BOARD_BUTTONS, panel=RECOMMENDED, light=True)
        )
        assert isinstance(board, EmulatedCup)
        return board

    @contextmanager
    def run_daemon(self, *, greeted_s: float = GREETED_S, forgets: bool = False) -> Iterator[DaemonRun]:
        """Run a daemon that dies at the end of the block.

        With `greeted_s` 0 it can't open its ports yet; with `forgets` it ignores the journal's acknowledged events.
        """
        taken: list[Message] = []
        with ExitStack() as stack:
            journal = stack.enter_context(FrailJournal(self._path))
            journal.before_s, journal.after_s = self.before_s, self.after_s
            scene = journal.scene or self._scene
            table = _RecordingTable(taken, self._rules, seat_infos(self._layout), scene)
            wires = _ClosablePorts(self._emulated)
            wires.has_ports = greeted_s > 0
            run = DaemonRun(journal, table, wires, taken, len(self._layout.seats))
            daemon = Daemon(table, journal, seeds=lambda: b"s" * 32, tell=run.events.append, publish=lambda state: None)
            durable_events = {} if forgets else journal.last_events
            devices = Devices(self._layout, wires, loop=self._loop, post=daemon.post, durable_events=durable_events)
            links = _WatchedLinks(devices.links, run.settled_messages)
            panels = zip(devices.displays, words_of(self._layout), strict=True)
            displays = [SeatDisplay(it, [partial(run.see, seat)], words) for seat, (it, words) in enumerate(panels)]
            conducting = self._loop.create_task(daemon.run(displays, links))
            try:
                self.wait(greeted_s)
                yield run
                if conducting.done():
                    conducting.result()
            finally:
                wires.has_ports = False
                links.die()
                conducting.cancel()
                self._loop.run_until_complete(_close(conducting, devices))
                self.ended.append(run)

    def device(self, seat: int) -> str:
        """Return the journal's name of a seat's device."""
        device = self._layout.seats[seat].board or self._layout.seats[seat].cup
        assert isinstance(device, SerialDevice)
        return device.id.casefold()


async def _close(conducting: asyncio.Task[None], devices: Devices) -> None:
    await asyncio.gather(conducting, return_exceptions=True)
    await devices.__aexit__(None, None, None)


def _numbers(messages: list[Message], seat: int) -> list[Numbered]:
    events = [message.event for message in messages if isinstance(message, Event) and message.seat == seat]
    return [(event >> 32, event & 0xFFFF_FFFF) for event in events if event is not None]
