"""`dudo-table play`: a session at an emulated table, on a page, in a terminal or headless."""

import asyncio
import secrets
import signal
import sys
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Literal

from engine import Rules
from firmware_host.clients.web.modules import page_modules
from firmware_host.daemon.answers import HouseFigures, LastVerdict
from firmware_host.daemon.control import ControlSocket
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.robots.opponents import Opponents
from firmware_host.daemon.seats import seat_infos
from firmware_host.daemon.staff import MatchRequests
from firmware_host.errors import PublicSocketError, UserError
from firmware_host.play.emulated_session import EmulatedSession, ServePeople, WatchSeat, serve_nobody
from firmware_host.play.kept_match import kept_match, temporary_match
from firmware_host.play.screenshots import ScreenshotRecorder
from firmware_host.public.address import SOCKET_NAME, path_beside
from firmware_host.public.narration import Narrator
from firmware_host.public.server import PublicSocket
from firmware_host.store.scores.last_record import LastRecord
from firmware_host.store.scores.recorder import recording
from firmware_host.table.events import PublicEvent
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.staff.actions import StaffCommand, StaffRefusal
from firmware_host.util.escaping import raw_stdout
from firmware_host.util.virtual_seconds import PLAY_SPEED, WATCH_SPEED
from firmware_host.wire import PublicState, Seat
from hardware.config.layout import Layout
from hardware.emulated.virtual_loop import VirtualLoop

Mode = Literal["page", "watch", "headless"]


def play(
    layout: Layout,
    *,
    rules: Rules,
    seed: int | None,
    mode: Mode,
    humans: int,
    port: int | None,
    host: str | None,
    browser: bool,
    screen: bool,
    state: Path | None,
    fresh: bool,
    events: Path | None,
    record: Path | None,
    pictures: Path | None,
    speed: float | None,
    real_time: bool,
    levels: Sequence[str] = (),
    why: bool = False,
) -> int:
    """Play a session and return the exit code.

    On the page, `humans` chairs are reserved for people, guests come in at the address `host`, and `screen` also serves
    the public page. Without a `seed` the match is kept below `state` and resumed there, unless `fresh`. `events` is the
    path of the public socket, if any. Scores are appended to `record`. `speed` None is a comfortable speed, headless as
    fast as possible. Without a `seed` people get unpredictable dice. `levels` are the robots' opponents by seat, the
    last one for all further seats; with `why`, a line shows an opponent's beliefs.
    """
    _handle_signals()
    keeps = mode == "page" and seed is None
    # A match's id reveals its seed among a million, and a seed reveals the dice: people need better ones.
    host_seeds = partial(secrets.token_bytes, 32) if keeps and (humans or host) else None
    if seed is None:
        # A printed seed is short. Trying all long ones takes too long before the seed explains how a robot shook its
        # cup, and then the robot's dice could be concluded from its bids.
        seed = secrets.randbelow(1_000_000) if host_seeds is None else secrets.randbits(64)
    say = partial(print, flush=True)
    try:
        with ExitStack() as stack:
            kept = None
            if keeps:
                kept = stack.enter_context(kept_match(layout, rules, state, say, fresh=fresh))
            elif mode == "page":
                kept = stack.enter_context(temporary_match())
            log = _Log(say)
            opponents = stack.enter_context(Opponents(levels, log, why=why)) if levels else None
            run = _Run(EmulatedSession(layout, rules, seed, real_time, host_seeds, kept, opponents), events)
            run.log = log
            if pictures is not None:
                run.watchers.append(ScreenshotRecorder(pictures).watch_seat)
            run.listeners.append(stack.enter_context(recording(record, rules, run.names, kept.match if kept else None)))
            match mode:
                case "page":
                    _play_on_page(run, humans, port, host, browser, screen, speed)
                case "watch" if sys.stdout.isatty():
                    pace = PLAY_SPEED if real_time else speed or WATCH_SPEED
                    _run_loop(_watched(run, pace), pace, real_time)
                case _:
                    run.listeners.append(run.print_event)
                    _print_seed(run, exactly=not real_time)
                    _run_loop(run.play(), speed, real_time)
    except PublicSocketError as error:
        raise UserError(str(error)) from error
    return 0


def rehearse(
    layout: str,
    *,
    seats: int,
    port: int | None,
    host: str | None,
    browser: bool,
    screen: bool,
    folder: Path | None,
) -> int:
    """Run the installed table on emulated hardware in `folder`, the user's own if None; return the exit code."""
    _handle_signals()
    with page_modules("play", "--watch and --headless play without it"):
        from firmware_host.play.as_installed import play_as_installed
    try:
        play_as_installed(
            layout,
            seats=seats,
            port=port,
            host=host,
            browser=browser,
            screen=screen,
            folder=folder,
            say=partial(print, flush=True),
            run_loop=partial(_run_loop, speed=PLAY_SPEED, real_time=True),  # as phones keep it
        )
    except PublicSocketError as error:
        raise UserError(str(error)) from error
    return 0


@dataclass
class _Log:
    """The outlet for lines about the opponents: the terminal, or a view drawn on it."""

    write: Callable[[str], None]

    def __call__(self, line: str) -> None:
        self.write(line)


@dataclass
class _Staff:
    """The match of a session, as seen by `dudo-table staff`."""

    public_state: PublicState | None = None
    daemon: Daemon | None = None

    def attach(self, daemon: Daemon) -> None:
        """Pass staff requests on to this daemon."""
        self.daemon = daemon

    def read(self, state: PublicState) -> None:
        """Take in the public state."""
        self.public_state = state

    async def act_for_staff(self, what: StaffCommand, seat: Seat | None, level: RobotLevel) -> StaffRefusal | None:
        """Carry out an action at the table; return the reason of a refusal."""
        return StaffRefusal.NO_MATCH if self.daemon is None else await self.daemon.act_for_staff(what, seat, level)


@dataclass
class _Run:
    """A session and its outputs: `listeners` receive public events, `readers` the public state."""

    session: EmulatedSession
    events: Path | None
    listeners: list[Callable[[PublicEvent], None]] = field(default_factory=list)
    readers: list[Callable[[PublicState], None]] = field(default_factory=list)
    watchers: list[WatchSeat] = field(default_factory=list)
    log: _Log = field(default_factory=lambda: _Log(print))
    staff: _Staff = field(default_factory=_Staff)
    takes_staff: bool = False

    def __post_init__(self) -> None:
        self.names = [seat.name for seat in self.session.layout.seats]
        self.story = Narrator(self.names, self.session.rules)

    def print_event(self, event: PublicEvent) -> None:
        """Print a public event's sentences."""
        for line in self.story.lines(event):
            print(line, flush=True)

    async def play(self, people: int = 0, serve_people: ServePeople = serve_nobody) -> None:
        """Play the session, with its public socket."""
        async with AsyncExitStack() as stack:
            if self.events is not None:
                kept, rules, last = self.session.kept, self.session.rules, LastRecord()
                lines, match, figures = None, None, None
                if kept is not None:
                    lines, match, figures = kept.journal.lines, kept.match, HouseFigures(kept.folder).get
                public = await stack.enter_async_context(
                    PublicSocket(self.events, self.names, rules, lines, last.get, LastVerdict(last.get).get, figures)
                )
                self.listeners += [last.listener(rules, self.names, match), public.announce]
                self.readers.append(public.publish)
            if self.events is not None and self.takes_staff:
                self.readers.append(self.staff.read)
                control = ControlSocket(path_beside(self.events), MatchRequests(self.staff).answer)
                await stack.enter_async_context(control)
            await self.session.play(
                self._tell,
                self.watchers,
                publish=self._publish,
                people=people,
                serve_people=serve_people,
                attach_staff=self.staff.attach,
            )

    def _tell(self, event: PublicEvent) -> None:
        for listener in self.listeners:
            listener(event)

    def _publish(self, state: PublicState) -> None:
        for reader in self.readers:
            reader(state)


def _handle_signals() -> None:
    """End on SIGTERM and SIGHUP as on Ctrl-C, so that no process or file is left behind."""
    for stop in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(stop) is signal.SIG_DFL:  # ignored if it was started with nohup
            signal.signal(stop, _interrupt)


def _interrupt(*_: object) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a background job of a shell
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)


def _run_loop(session: Coroutine[None, None, None], speed: float | None, real_time: bool) -> None:
    loop = asyncio.new_event_loop if real_time else partial(VirtualLoop, speed=speed)
    with asyncio.Runner(loop_factory=loop) as runner:
        try:
            runner.run(session)
        except asyncio.CancelledError:  # the runner forgets an interrupt that comes as it installs its handler
            raise KeyboardInterrupt from None


def _print_seed(run: _Run, *, exactly: bool) -> None:
    session = run.session
    if session.host_seeds is not None or (session.kept and session.kept.scene):
        return
    seed = session.seed
    print(f"seed {seed}: --seed {seed} {'plays it again' if exactly else 'begins it again'}", flush=True)


def _play_on_page(
    run: _Run, humans: int, port: int | None, host: str | None, browser: bool, screen: bool, speed: float | None
) -> None:
    with page_modules("play", "--watch and --headless play without it"):
        from firmware_host.clients.web.access import bind
        from firmware_host.play.page_processes import screen_process
        from firmware_host.play.workbench.browser import can_open_page, open_page
        from firmware_host.play.workbench.party import check_without_guests, open_party, with_phones
        from firmware_host.play.workbench.server import WorkbenchServer
    layout, real_time = run.session.layout, run.session.real_time
    if humans > len(layout.seats):
        raise UserError(f"--humans {humans}: the table has only {len(layout.seats)} seats")
    opens = browser and can_open_page()
    with ExitStack() as stack:
        listening = stack.enter_context(bind(port))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="dudo-table-"))
        kept, phones = run.session.kept, None
        run.events, run.takes_staff = run.events or Path(folder) / SOCKET_NAME, True
        if host is None:
            check_without_guests(kept, layout)
        else:
            language = None if layout.language == "en" else layout.language
            phones = stack.enter_context(open_party(host, listening, run.events, kept, language))
            layout = with_phones(layout, humans)
        gives_tips = phones is not None or kept is None or not kept.was_played
        run.session = replace(run.session, layout=layout, gives_tips=gives_tips)
        run.listeners.append(run.print_event)
        rules, say = run.session.rules, partial(print, flush=True)
        server = WorkbenchServer(
            layout,
            listening,
            run.events,
            rules,
            say,
            speed,
            phones=phones,
            waits=not opens,
            listen=run.listeners.append,
        )
        _print_seed(run, exactly=not (humans or real_time))
        waits = "" if opens else "; the robots wait until somebody opens it"
        print(f"The table is at {server.address} (Ctrl-C stops it){waits}.", flush=True)
        if phones is not None:
            print(f"Guests open {phones.address} with the code that this page shows.", flush=True)
        if screen:
            stack.enter_context(screen_process(run.events, host, layout.language))
        if opens:
            open_page(server.address)
        # A phone's clock is the machine's, which a virtual one falls behind whenever there is much to do.
        _run_loop(run.play(humans, server.serve), speed or PLAY_SPEED, real_time or phones is not None)


async def _watched(run: _Run, speed: float) -> None:
    from rich.console import Console

    from firmware_host.play.terminal_view import TerminalView

    console = Console(file=raw_stdout())
    view = TerminalView(console, seat_infos(run.session.layout), run.story.lines)
    run.listeners.append(view.publish)
    run.watchers.append(view.watch_seat)
    run.log.write = view.add_line
    _print_seed(run, exactly=not run.session.real_time)
    try:
        with view:
            drawing = asyncio.create_task(view.run(speed))
            try:
                await run.play()
            finally:
                drawing.cancel()
    finally:
        console.print("\n".join(view.last_lines()), markup=False, highlight=False)
