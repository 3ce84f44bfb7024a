"""Daemons that die one after the other on the same journal, at boards and cups that remember; and what was heard.

    lives = Lives(loop, tmp_path, laid(PYRUDO, HANDS).table.scene)
    with lives.life() as life:
        lives.seats[0].tap("ok")
        lives.wait(0.1)             # and then it is dead
    with lives.life() as life:
        assert life.taken == []

A death is that of a process: ports are closed by the kernel, nobody says goodbye, what is on disk is on disk.
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
from firmware_host.journal.journal import Journal
from firmware_host.pairing.replacements import seated
from firmware_host.table.effects import Effect, HostMessage
from firmware_host.table.events import PublicEvent
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat_view import TableReason
from firmware_host.table.table import Table
from hardware.config.layout import Layout, SerialDevice
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.table import BOARD_BUTTONS, BOARD_CHIP, EmulatedTable
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


class _HearingTable(Table):
    """Notes what it is given."""

    def __init__(self, taken: list[Message], *arguments: Any) -> None:
        super().__init__(*arguments)
        self._taken_ones = taken

    def handle(self, message: Message | HostMessage, now_ns: int) -> list[Effect]:
        if not isinstance(message, HostMessage):
            self._taken_ones.append(message)
        return super().handle(message, now_ns)


class _WatchedLinks:
    """Notes what may be acknowledged; can lose every port at once."""

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


class _MortalWires:
    """An emulated table's wires for one daemon: a dead one opens no port any more."""

    def __init__(self, emulated: EmulatedTable) -> None:
        self._emulated = emulated
        self.has_ports = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._emulated, name)

    def open_port(self, serial_id: str) -> Any:
        if not self.has_ports:
            raise PermissionError(13, "not yet, or not any more")
        return self._emulated.open_port(serial_id)


class Life:
    """One daemon, and what it heard and told."""

    def __init__(
        self, journal: FrailJournal, table: Table, wires: _MortalWires, taken: list[Message], seats: int
    ) -> None:
        self.journal = journal
        self.table = table
        self.wires = wires
        self.heard_before = journal.last_events
        self.taken_messages = taken
        self.settled_messages: list[Message] = []
        self.told: list[PublicEvent] = []
        self.notices: list[list[object]] = [[] for _ in range(seats)]

    @property
    def taken(self) -> list[Event]:
        """What hands did, as far as the table has heard of it."""
        return [message for message in self.taken_messages if isinstance(message, Event)]

    def numbers(self, seat: int) -> list[Numbered]:
        """The events of a seat's device that the table has taken."""
        return _numbers(self.taken_messages, seat)

    def settled(self, seat: int) -> list[Numbered]:
        """Those that the cup was told to forget."""
        return _numbers(self.settled_messages, seat)

    def see(self, seat: int, view: Any, *_: object) -> None:
        """FrameListener at a seat: a notice counts once for as long as it stays."""
        notices = self.notices[seat]
        if view.notice is not None and (not notices or notices[-1] is not view.notice):
            notices.append(view.notice)

    def refusals(self, seat: int) -> int:
        """How many times a seat was told that what it had on its display was no longer so."""
        return sum(notice in (TableReason.BID_CHANGED, TableReason.MENU_CHANGED) for notice in self.notices[seat])


class Lives:
    """A table at which daemons come and go. `seats` are its hands, `ended` the lives that are over."""

    def __init__(self, loop: VirtualLoop, folder: Path, scene: Scene, layout: Layout) -> None:
        assert scene.game is not None
        self._loop = loop
        self._path = folder / "journal.sqlite"
        self._layout = layout
        self._scene = scene
        self._rules = PERUDO if scene.game is None else scene.game.position.rules
        self._emulated: EmulatedTable
        self.ended: list[Life] = []
        self.before_s = self.after_s = 0.0

    @contextmanager
    def boards(self) -> Iterator["Lives"]:
        """The furniture, which outlives every daemon."""
        with EmulatedTable(self._layout, self._loop, seed=3) as self._emulated:
            self.seats = self._emulated.seats
            yield self

    def wait(self, duration_s: float) -> None:
        """Let time pass."""
        self._loop.run_until_complete(asyncio.sleep(duration_s))

    def hop(self, hops: int) -> None:
        """Let the loop go round so many times, in which hardly any time passes."""
        for _ in range(hops):
            self._loop.run_until_complete(asyncio.sleep(0))

    def waiting(self, seat: int) -> int:
        """How many events a seat's device would tell again."""
        device = self._layout.seats[seat].board or self._layout.seats[seat].cup
        assert isinstance(device, SerialDevice)
        cup = self._emulated.ports[device.id]
        assert isinstance(cup, EmulatedCup)
        assert cup._program is not None
        return len(cup._program.outbox._waiting)

    def exchange(self, seat: int, identity: str) -> EmulatedCup:
        """Another board stands in at a seat from the next life on: one that was there before, or a new one."""
        own = self._layout.seats[seat].board
        assert own is not None
        self._layout = seated(self._layout, {own.id: identity})
        known = self._emulated.ports.get(identity)
        board = known or self._emulated.bring(
            DeviceConfig(identity, buttons=BOARD_BUTTONS, panel=BOARD_CHIP, light=True)
        )
        assert isinstance(board, EmulatedCup)
        return board

    @contextmanager
    def life(self, *, greeted_s: float = GREETED_S, forgets: bool = False) -> Iterator[Life]:
        """A daemon that is dead at the end of the block.

        One that is not greeted cannot open its ports yet; one that `forgets` does not ask its journal what was heard.
        """
        taken: list[Message] = []
        with ExitStack() as stack:
            journal = stack.enter_context(FrailJournal(self._path))
            journal.before_s, journal.after_s = self.before_s, self.after_s
            scene = journal.scene or self._scene
            table = _HearingTable(taken, self._rules, seat_infos(self._layout), scene)
            wires = _MortalWires(self._emulated)
            wires.has_ports = greeted_s > 0
            life = Life(journal, table, wires, taken, len(self._layout.seats))
            daemon = Daemon(table, journal, seeds=lambda: b"s" * 32, tell=life.told.append, publish=lambda state: None)
            durable_events = {} if forgets else journal.last_events
            devices = Devices(self._layout, wires, loop=self._loop, post=daemon.post, durable_events=durable_events)
            links = _WatchedLinks(devices.links, life.settled_messages)
            panels = zip(devices.displays, words_of(self._layout), strict=True)
            displays = [SeatDisplay(it, [partial(life.see, seat)], words) for seat, (it, words) in enumerate(panels)]
            conducting = self._loop.create_task(daemon.run(displays, links))
            try:
                self.wait(greeted_s)
                yield life
                if conducting.done():
                    conducting.result()
            finally:
                wires.has_ports = False
                links.die()
                conducting.cancel()
                self._loop.run_until_complete(_buried(conducting, devices))
                self.ended.append(life)

    def device(self, seat: int) -> str:
        """What the journal calls a seat's device."""
        device = self._layout.seats[seat].board or self._layout.seats[seat].cup
        assert isinstance(device, SerialDevice)
        return device.id.casefold()


async def _buried(conducting: asyncio.Task[None], devices: Devices) -> None:
    await asyncio.gather(conducting, return_exceptions=True)
    await devices.__aexit__(None, None, None)


def _numbers(messages: list[Message], seat: int) -> list[Numbered]:
    events = [message.event for message in messages if isinstance(message, Event) and message.seat == seat]
    return [(event >> 32, event & 0xFFFF_FFFF) for event in events if event is not None]
