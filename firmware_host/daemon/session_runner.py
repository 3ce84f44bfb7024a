"""The sessions behind `dudo-table run`: a table on this computer's wires, under one configuration after another.

A session runs one layout with one rule set. When the configuration changes it ends as soon as no match is running; its
drivers close, and the next session resumes from its scene. Journal and socket stay open.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from random import SystemRandom
from secrets import token_bytes
from typing import NamedTuple

from drivers.messages import Brightness, Device
from engine import Rules
from firmware_host.configuration.configuration import Configuration, Reading
from firmware_host.configuration.settings import Settings
from firmware_host.daemon import phones
from firmware_host.daemon.answers import HouseFigures, LastVerdict
from firmware_host.daemon.control import ControlSocket
from firmware_host.daemon.counters import CounterKeeper
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.names import NameKeeper
from firmware_host.daemon.phones import OpenPhone
from firmware_host.daemon.resume import (
    NO_NAMES,
    choose_layout,
    compatible_scene,
    is_match_running,
    opened_by_cups,
    player_names,
)
from firmware_host.daemon.robots.players import RobotPlayers, robot_players
from firmware_host.daemon.seat_display import FrameListener, SeatDisplay
from firmware_host.daemon.seats import seat_infos, seats_form, words_of
from firmware_host.daemon.service.jobs import Jobs, Places
from firmware_host.daemon.service.status_line import status_line
from firmware_host.daemon.staff import FactContext, StaffRequests, facts_of
from firmware_host.daemon.staff_options import menu_options
from firmware_host.devices.board_updates import BY_CLIP, BoardUpdates
from firmware_host.devices.devices import Devices
from firmware_host.devices.host_io.ports import Ports, SystemPorts
from firmware_host.devices.pairing.replacements import Replacements
from firmware_host.devices.pairing.scanner import UnassignedScanner
from firmware_host.public import owner_page
from firmware_host.public.address import SERVICE_SOCKET, path_beside
from firmware_host.public.narration import Narrator
from firmware_host.public.server import PublicSocket
from firmware_host.store.journal.journal import Journal
from firmware_host.store.scores.last_record import LastRecord
from firmware_host.store.scores.recorder import recording
from firmware_host.table.effects import HostEffect, HostMessage
from firmware_host.table.events import PublicEvent
from firmware_host.table.health import ActiveAlerts, Alert, AlertCleared, AlertRaised
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.robots import AskRobot
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.names import KeepNames
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.actions import LAYOUT_VALUE, ChangeSetting, ResetFigure, StaffCommand, StaffRefusal
from firmware_host.table.staff.items import StaffItem
from firmware_host.table.staff.machine import RequestJob
from firmware_host.table.staff.requests import Reply, SeatsForm
from firmware_host.table.table import Table
from firmware_host.util.log import ErrorCounter
from firmware_host.util.systemd import Notify, Watchdog
from firmware_host.wire import AlertBegan, DeviceLost, PublicState, Seat, enumerate_seats
from hardware.config.layout import Layout

log = logging.getLogger("dudo-table")


@contextmanager
def _system_ports(layout: Layout, open_phone: OpenPhone | None) -> Iterator[Ports]:
    with closing(SystemPorts(switches=layout.switches(), open_phone=open_phone)) as ports:
        yield ports


class Surroundings(NamedTuple):
    """The environment of the sessions: a layout's ports with the guests' phones, further viewers of a seat's display,
    and further listeners for public events.
    """

    open_ports: Callable[[Layout, OpenPhone | None], AbstractContextManager[Ports]] = _system_ports
    watch: Callable[[Seat], Sequence[FrameListener]] = lambda seat: ()
    listeners: tuple[Callable[[PublicEvent], None], ...] = ()


ON_THIS_COMPUTER = Surroundings()


class SessionRunner:
    """Runs sessions until cancelled. `reading` is the starting configuration; `folder` is the state folder."""

    def __init__(
        self,
        configuration: Configuration,
        reading: Reading,
        *,
        folder: Path,
        journal: Journal,
        record: Path | None,
        notify: Notify,
        surroundings: Surroundings = ON_THIS_COMPUTER,
    ) -> None:
        self._configuration = configuration
        self._surroundings = surroundings
        self._wanted = reading
        self._layout: Layout | None = None  # in effect, as are these
        self._rules: Rules | None = None
        self._folder = folder
        self._journal = journal
        self._record = record
        self._notify = notify
        self.errors = ErrorCounter()
        """Unexpected exceptions."""
        self._alerts = ActiveAlerts()
        self._volume_of_guests: int | None = None  # as the last session ended
        self._daemon: Daemon | None = None
        self._displays: Sequence[SeatDisplay] = ()
        self.public_state: PublicState | None = None
        """The last public state; None before the first."""
        self._staff = StaffRequests(self)
        self._picked: set[asyncio.Task[object]] = set()  # menu choices being carried out
        self._last_record = LastRecord()
        self.board_updates: BoardUpdates | None = None
        """The updates of cups and boards, None before the first session."""
        self._scanner: UnassignedScanner | None = None
        self._figures = HouseFigures(folder)
        self._owner_page: Path | None = None
        self.jobs = Jobs(is_match_played=self.is_match_played, report=self._post)
        self.names = NameKeeper(folder)
        self.counters = CounterKeeper(folder, journal)
        self._events: Path | None = None
        self._reset_reason = ""  # why the match in the journal could not resume
        self._reloads = 0  # requested and not begun
        self._reloading: asyncio.Task[None] | None = None

    async def run(self, events: Path, places: Places | None = None) -> None:
        """Run sessions until cancelled, with the public socket at `events`; root jobs are asked for at `places`."""
        self.jobs.places = Places() if events == SERVICE_SOCKET else places
        self._owner_page = owner_page.path_of(events)
        self._events = events
        scene, before = self._journal.scene, self._configuration.last_layout()
        names = player_names(self._journal.match, scene)
        staff = ControlSocket(path_beside(events), self._staff.answer)
        async with (
            PublicSocket(
                events,
                lines=self._journal.lines,
                record=self._last_record.get,
                verdict=LastVerdict(self._last_record.get).get,
                figures=self._figures.get,
            ) as public,
            self.counters,
            staff,
            self.names,
        ):
            log.info("the public events can be read at %s", events)
            with Watchdog(self._notify, loop=asyncio.get_running_loop(), answers=self._is_responsive):
                while True:
                    layout = choose_layout(scene, before, self._wanted.layout, names)
                    resumed = self._compatible_scene(scene, before, layout, names)
                    scene = await self._run_session(layout, resumed, public)
                    before, names = layout, NO_NAMES  # no match is running at the end of a session

    def reload(self) -> None:
        """Read the configuration again. A change takes effect as soon as no match is running."""
        self._reloads += 1
        if self._reloading is None or self._reloading.done():
            self._reloading = asyncio.get_running_loop().create_task(self._reload())

    # A session

    async def _run_session(self, layout: Layout, scene: Scene | None, public: PublicSocket) -> Scene:
        """Run a table until the configuration has changed and no match is running; return its last scene."""
        loop, rules = asyncio.get_running_loop(), self._wanted.rules
        replacements = Replacements(layout, self._folder)
        seated, names = replacements.layout, [seat.name for seat in layout.seats]
        words, (open_ports, watch, listeners) = words_of(seated), self._surroundings
        options = menu_options(seated, rules, self._wanted, self.jobs.offered, read_facts=self._read_facts)
        make_table = partial(Table, rules, seat_infos(seated), turn_clock_s=seated.turn_clock_s, staff=options)
        known = await self.names.begin(names, seated.names_days, public=seated.names_public)
        make_table = partial(make_table, names=known, sound=self._wanted.settings.sound_and_light())
        table = self._restore_or_reset(scene, make_table)
        table.remember_entropies(opened_by_cups(self._journal.match, scene))
        if self._daemon is not None:
            table.continue_from(self._alerts, self._volume_of_guests)
        self._alerts = table.alerts
        public.set_table(names, rules)
        match = self._journal.match if scene and (scene.game or scene.ended) else None
        keep = self._last_record.listener(rules, names, match)
        with (
            recording(self._record, rules, names, match) as record,
            open_ports(seated, phones.opener(seated, self._events, self._folder)) as ports,
            UnassignedScanner(replacements, ports, words=words, loop=loop) as scanner,
            ExitStack() as stack,
        ):
            daemon = Daemon(
                table,
                self._journal,
                seeds=partial(token_bytes, 32),
                tell=_logging(names, rules, then=(keep, public.announce, record, self.counters.take, *listeners)),
                publish=self._publishing(public),
                errors=self.errors,
            )
            self.names.follow(daemon.post)
            self.counters.follow(daemon.post)
            for what in (Alert.DRIVER, Alert.BOARDS):
                daemon.post(AlertCleared(what))  # the drivers of the last session are closed
            post, durable_events = scanner.tap(daemon.post), self._journal.last_events
            robots = robot_players(names, log.warning, SystemRandom(), daemon.post, self.errors)
            async with Devices(
                seated, ports, loop=loop, post=post, durable_events=durable_events, errors=self.errors
            ) as devices:
                carry_out = partial(self._carry_out, stack.enter_context(robots))
                panels = zip(devices.displays, words, strict=True)
                displays = [
                    SeatDisplay(panel, watch(seat), words=each) for seat, (panel, each) in enumerate_seats(panels)
                ]
                scanner.attach(assign=devices.links.assign, may_look=lambda seat: displays[seat].may_look)
                devices.supervisor.on_flapping = partial(_alert_to_flapping, daemon)
                tell = partial(_alert_to_clip, daemon, names)
                self.board_updates = BoardUpdates(devices.links, loop=loop, tell=tell)
                stack.callback(self.board_updates.close)
                self._scanner = scanner
                stack.callback(self._end_looking)
                stack.enter_context(phones.invitations(seated, self._events, daemon.post))
                log.info("%s is ready: %d seats, %s", layout.name, len(layout.seats), rules)
                self._daemon, self._displays, self._layout, self._rules = daemon, displays, layout, rules
                self._apply_configuration(daemon)
                self._alert_to_reset(daemon)
                self._notify.ready()
                await daemon.run(displays, devices.links, carry_out)
        self._volume_of_guests = table.volume_of_guests
        return table.scene

    def _compatible_scene(
        self, scene: Scene | None, before: Layout | None, layout: Layout, names: Mapping[Seat, str]
    ) -> Scene | None:
        resumed = compatible_scene(scene, before, layout, names)
        if resumed is None and is_match_running(scene):
            self._reset_reason = f"the match in the journal has seats that {layout.path or layout.name} has not"
        return resumed

    def _restore_or_reset(self, scene: Scene | None, make_table: Callable[..., Table]) -> Table:
        """Make the table at `scene`, or an empty one if `scene` makes it raise: every later daemon would fail too."""
        try:
            make_table(scene=scene).begin(0)  # a rehearsal: `begin` changes a table, and `Daemon.run` calls it
        except Exception as error:
            self.errors.log("resuming from the journal", error)
            self._reset_reason = "the table can't resume from the journal; the log says why"
            return make_table(scene=None)
        return make_table(scene=scene)

    def _alert_to_reset(self, daemon: Daemon) -> None:
        if self._reset_reason:
            daemon.post(AlertRaised(Alert.JOURNAL_RESET, self._reset_reason))
            self._reset_reason = ""

    def _is_responsive(self) -> bool:
        return self._daemon is not None and self._daemon.is_responsive()

    def _carry_out(self, robots: RobotPlayers, effect: HostEffect) -> None:
        """Carry out a table's effect outside the game."""
        match effect:
            case AskRobot(seat, turn):
                robots.ask(seat, turn)
            case KeepNames():
                self.names.keep(effect)
            case RequestJob(job):
                self._do(self.jobs.begin(job))
            case ChangeSetting(name, value):
                self._do_for_menu(self._staff.change(name, None if value == LAYOUT_VALUE else value))
            case ResetFigure(figure):
                self._do_for_menu(self._staff.reset(figure))

    def _post(self, message: HostMessage) -> None:
        if self._daemon is not None:
            self._daemon.post(message)

    def _publishing(self, public: PublicSocket) -> Callable[[PublicState], None]:
        def publish(state: PublicState) -> None:
            self.public_state = state
            public.publish(state)
            if self.board_updates is not None:
                self.board_updates.set_free(is_free(state))
            self._notify.status(status_line(state))

        return publish

    # Staff

    @property
    def settings(self) -> Settings:
        """The staff settings due to be in effect."""
        return self._wanted.settings

    @property
    def reading(self) -> Reading:
        """The configuration due to be in effect."""
        return self._wanted

    @property
    def fact_context(self) -> FactContext:
        """The present input of the functions behind the facts."""
        layout, rules = self._layout or self._wanted.layout, self._rules or self._wanted.rules
        by_clip = self.board_updates.by_clip if self.board_updates else ()
        return FactContext(layout, rules, self._folder, by_clip, self._owner_page)

    def _read_facts(self) -> Mapping[StaffItem, str]:
        """Return the facts for the menu, as they are when it opens."""
        return facts_of(self.fact_context)

    async def act_for_staff(self, what: StaffCommand, seat: Seat | None, level: RobotLevel) -> StaffRefusal | None:
        """Carry out a staff action at the table; return its refusal, if any."""
        if self._daemon is None:
            return StaffRefusal.NO_MATCH
        return await self._daemon.act_for_staff(what, seat, level)

    async def change_settings(self, changed: Settings) -> bool:
        """Keep and apply settings; return whether they wait for a match to end. Raises `OSError`."""
        await asyncio.to_thread(self._configuration.write_settings, changed)
        self.reload()
        if self._reloading is not None:
            await asyncio.shield(self._reloading)
        return self._is_new(self._wanted) and self.public_state is not None and self.public_state.match is not None

    async def write_house_rules(self, rules: Rules) -> None:
        """Keep a rule set as the house rules. Raises `OSError`."""
        await asyncio.to_thread(self._configuration.write_house_rules, rules)

    def look_for_boards(self) -> SeatsForm | None:
        """Look for boards without a seat for some seconds; return those found so far, and the seats. None between two
        sessions, and while a changed layout waits to take effect.
        """
        from firmware_host.configuration import layout_edit

        if self._scanner is None or self.public_state is None or self._is_new(self._wanted):
            return None
        missing = {seat.place for seat in self.public_state.seats if Device.BOARD in seat.missing}
        text = self._wanted.text
        return seats_form(self._scanner, missing, "" if text is None else layout_edit.hash_of(text))

    def _end_looking(self) -> None:
        self._scanner = None

    def _do_for_menu(self, work: Coroutine[None, None, Reply]) -> None:
        """Carry out a staff menu choice; an error is logged, as the menu has closed its question."""

        async def do() -> None:
            reply = await work
            if not reply.done:
                log.error("%s", "; ".join(reply.lines))
                self._post(self.settings.sound_and_light())

        self._do(do())

    def _do(self, what: Coroutine[object, object, object]) -> None:
        task = asyncio.get_running_loop().create_task(what)
        self._picked.add(task)
        task.add_done_callback(self._picked.discard)

    def is_match_played(self) -> bool:
        """Return whether a match is being played, so that the table must not be restarted."""
        return self.public_state is not None and self.public_state.scene not in (SceneName.LOBBY, SceneName.OVER)

    # The configuration

    async def _reload(self) -> None:
        while self._reloads:
            self._reloads = 0
            self._notify.reloading()
            now = self._layout or self._wanted.layout, self._rules or self._wanted.rules
            self._wanted = await asyncio.to_thread(self._configuration.read, *now)
            if self._daemon is not None:
                self._apply_configuration(self._daemon)
            self._notify.ready()

    def _apply_configuration(self, daemon: Daemon) -> None:
        """Raise an alert for each faulty file; after a change in layout or rules, let the session end when idle."""
        wanted = self._wanted
        for what in (alert for alert in Alert if alert.row.of_file):
            daemon.post(AlertRaised(what, wanted.alerts[what]) if what in wanted.alerts else AlertCleared(what))
        for display in self._displays:
            display.set_dimmed(wanted.settings.brightness == Brightness.DIM)
        daemon.post(wanted.settings.sound_and_light())
        is_new = self._is_new(wanted)
        daemon.end_when_idle(is_new)
        if is_new:
            log.info("%s has changed: the change takes effect as soon as no match is running", wanted.layout.path)
        else:
            asyncio.get_running_loop().run_in_executor(None, self._configuration.keep, wanted)

    def _is_new(self, wanted: Reading) -> bool:
        return (wanted.layout, wanted.rules) != (self._layout, self._rules)


def is_free(state: PublicState) -> bool:
    """Return whether nobody plays or has joined, so that a board may restart."""
    return state.scene == SceneName.LOBBY and not any(seat.playing for seat in state.seats)


def _alert_to_flapping(daemon: Daemon, names: Sequence[str]) -> None:
    """Raise or clear the alert for repeatedly failing drivers."""
    why = "\n".join(f"{name} fails over and over; the log says how" for name in names)
    daemon.post(AlertRaised(Alert.DRIVER, why) if names else AlertCleared(Alert.DRIVER))


def _alert_to_clip(daemon: Daemon, names: Sequence[str], seats: Sequence[Seat]) -> None:
    """Raise or clear the alert for programs that no update reaches over the cable."""
    why = "\n".join(f"{names[seat]}'s program takes no updates over its cable; {BY_CLIP}" for seat in seats)
    daemon.post(AlertRaised(Alert.BOARDS, why) if seats else AlertCleared(Alert.BOARDS))


def _logging(
    names: Sequence[str], rules: Rules, *, then: Iterable[Callable[[PublicEvent], None]]
) -> Callable[[PublicEvent], None]:
    story = Narrator(names, rules)

    def tell(event: PublicEvent) -> None:
        for line in story.lines(event):
            log.log(_level(event), "%s", line)
        for listener in then:
            listener(event)

    return tell


def _level(event: PublicEvent) -> int:
    match event:
        case AlertBegan():
            return logging.ERROR
        case DeviceLost():
            return logging.WARNING
        case _:
            return logging.INFO
