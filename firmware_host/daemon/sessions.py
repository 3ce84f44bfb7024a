"""A table at work under one configuration after another: `run` has one, on the wires of this computer.

A sitting has one layout and one rule set. It lasts until others are to be in force, and never ends in a match: then its
drivers give the wires back, and the next sitting goes on where it stood. Journal and socket stay.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from secrets import token_bytes

from engine import Rules
from firmware_host.configuration.configuration import Configuration, Reading
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.resume import (
    NOBODY,
    called,
    layout_for,
    opened_by_cups,
    resumed,
    runs_a_match,
    seat_infos,
    words_of,
)
from firmware_host.daemon.seat_display import Glass
from firmware_host.devices.devices import Devices
from firmware_host.host_io.ports import RealWires
from firmware_host.journal.journal import Journal
from firmware_host.pairing.replacements import StandIns
from firmware_host.pairing.scanner import Strangers
from firmware_host.public.narration import Story
from firmware_host.public.server import PublicSocket
from firmware_host.scores.recorder import recording
from firmware_host.service.notify import Notify
from firmware_host.service.status_line import status_line
from firmware_host.service.watchdog import Watchdog
from firmware_host.supervision.error_log import Mishaps
from firmware_host.table.events import DeviceLost, PublicEvent, TroubleBegan
from firmware_host.table.health import ActiveAlerts, Alert
from firmware_host.table.public_state import PublicState
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.table import Table
from hardware.config.layout import Layout

log = logging.getLogger("dudo-table")


class Sittings:
    """An evening's sittings. `reading` is what `configuration` said at the start; `folder` is the state folder."""

    def __init__(
        self,
        configuration: Configuration,
        reading: Reading,
        *,
        folder: Path,
        journal: Journal,
        record: Path | None,
        notify: Notify,
    ) -> None:
        self._configuration = configuration
        self._wanted = reading
        self._layout: Layout | None = None  # in force, as are these
        self._rules: Rules | None = None
        self._folder = folder
        self._journal = journal
        self._record = record
        self._notify = notify
        self.mishaps = Mishaps()
        """What was raised where nobody expected it."""
        self._troubles = ActiveAlerts()
        self._daemon: Daemon | None = None
        self._homeless = ""  # why a match could not go on
        self._reloads = 0  # asked for, and not begun
        self._reloading: asyncio.Task[None] | None = None

    async def conduct(self, events: Path) -> None:
        """Conduct the evening until cancelled; the public lines can be read at `events`."""
        scene, before = self._journal.last(), self._configuration.last_layout()
        names = called(self._journal.match, scene)
        async with PublicSocket(events) as public:
            log.info("the public events are told at %s", events)
            with Watchdog(self._notify, loop=asyncio.get_running_loop(), answers=self._answers):
                while True:
                    layout = layout_for(scene, before, self._wanted.layout, names)
                    scene = await self._sit(layout, self._resumed(scene, before, layout, names), public)
                    before, names = layout, NOBODY  # it ended in the lobby

    def reload(self) -> None:
        """Read the configuration anew. What is new in it takes effect as soon as no match runs."""
        self._reloads += 1
        if self._reloading is None or self._reloading.done():
            self._reloading = asyncio.get_running_loop().create_task(self._reload())

    # A sitting

    async def _sit(self, layout: Layout, scene: Scene | None, public: PublicSocket) -> Scene:
        """Conduct a table until something else is to be in force; return where the evening stands then."""
        loop, rules = asyncio.get_running_loop(), self._wanted.rules
        stand_ins = StandIns(layout, self._folder)
        seated, names = stand_ins.layout, [seat.name for seat in layout.seats]
        spoken, wires = words_of(seated), RealWires(switches=seated.switches())
        table = self._laid(scene, partial(Table, rules, seat_infos(seated), turn_clock_s=seated.turn_clock_s))
        table.remember_entropies(opened_by_cups(self._journal.match, scene))
        if self._daemon is not None:
            table.continue_from(self._troubles)
        self._troubles = table.alerts
        public.seat(names)
        with (
            recording(self._record, rules, names, self._journal.match if scene and scene.game else None) as write_down,
            closing(wires),
            Strangers(stand_ins, wires, spoken=spoken, loop=loop) as strangers,
        ):
            tell = _logging(names, then=(public.tell, write_down))
            publish = _publishing(public, self._notify)
            seeds, mishaps = partial(token_bytes, 32), self.mishaps
            daemon = Daemon(table, self._journal, seeds=seeds, tell=tell, publish=publish, mishaps=mishaps)
            daemon.mended(Alert.DRIVER)  # those of the last sitting are gone
            post, heard = strangers.overhearing(daemon.post), self._journal.heard()
            async with Devices(seated, wires, loop=loop, post=post, heard=heard, mishaps=mishaps) as devices:
                strangers.assign = devices.links.assign
                devices.wards.ailing = partial(_tell_ailing, daemon)
                log.info("%s is ready: %d seats, %s", layout.name, len(layout.seats), rules)
                glasses = [Glass(panel, words=words) for panel, words in zip(devices.panels, spoken, strict=True)]
                strangers.may_look = lambda seat: glasses[seat].may_look
                self._daemon, self._layout, self._rules = daemon, layout, rules
                self._put_in_force(daemon)
                if self._homeless:
                    daemon.trouble(Alert.JOURNAL_RESET, self._homeless)
                    self._homeless = ""
                self._notify.ready()
                await daemon.run(glasses, devices.links)
        return table.scene

    def _resumed(
        self, scene: Scene | None, before: Layout | None, layout: Layout, names: Mapping[int, str]
    ) -> Scene | None:
        going_on = resumed(scene, before, layout, names)
        if going_on is None and runs_a_match(scene):
            self._homeless = f"the match in the journal has seats that {layout.path or layout.name} has not"
        return going_on

    def _laid(self, scene: Scene | None, lay: Callable[..., Table]) -> Table:
        """A table that goes on at `scene`, or anew where that can't be gone on from: no daemon after this one could."""
        try:
            lay(scene=scene).begin(0)
        except Exception as error:
            self.mishaps.tell("going on where the journal stands", error)
            self._homeless = "where the journal stands nobody can go on; the log says why"
            return lay(scene=None)
        return lay(scene=scene)

    def _answers(self) -> bool:
        return self._daemon is not None and self._daemon.answers()

    # The configuration

    async def _reload(self) -> None:
        while self._reloads:
            self._reloads = 0
            self._notify.reloading()
            now = self._layout or self._wanted.layout, self._rules or self._wanted.rules
            self._wanted = await asyncio.to_thread(self._configuration.read, *now)
            if self._daemon is not None:
                self._put_in_force(self._daemon)
            self._notify.ready()

    def _put_in_force(self, daemon: Daemon) -> None:
        """Say which files are wrong, and have the sitting end where something else is wanted than is in force."""
        wanted = self._wanted
        for what in (Alert.LAYOUT, Alert.RULES):
            if what in wanted.troubles:
                daemon.trouble(what, wanted.troubles[what])
            else:
                daemon.mended(what)
        is_new = (wanted.layout, wanted.rules) != (self._layout, self._rules)
        daemon.end_when_idle(is_new)
        if is_new:
            log.info("%s has changed: that takes effect as soon as no match runs", wanted.layout.path)
        else:
            asyncio.get_running_loop().run_in_executor(None, self._configuration.keep, wanted)


def _tell_ailing(daemon: Daemon, names: Sequence[str]) -> None:
    """Say which drivers fail over and over, or that all have recovered."""
    if names:
        daemon.trouble(Alert.DRIVER, "\n".join(f"{name} fails over and over; the log says how" for name in names))
    else:
        daemon.mended(Alert.DRIVER)


def _publishing(public: PublicSocket, notify: Notify) -> Callable[[PublicState], None]:
    def publish(state: PublicState) -> None:
        public.publish(state)
        notify.status(status_line(state))

    return publish


def _logging(names: Sequence[str], *, then: Iterable[Callable[[PublicEvent], None]]) -> Callable[[PublicEvent], None]:
    story = Story(names)

    def tell(event: PublicEvent) -> None:
        for line in story.lines(event):
            log.log(_level(event), "%s", line)
        for listener in then:
            listener(event)

    return tell


def _level(event: PublicEvent) -> int:
    match event:
        case TroubleBegan():
            return logging.ERROR
        case DeviceLost():
            return logging.WARNING
        case _:
            return logging.INFO
