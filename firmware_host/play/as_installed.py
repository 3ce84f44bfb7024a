"""`dudo-table play --as-installed`: the installed table on emulated hardware, with its owner's page, in a folder.

The folder stands for the computer: layout, state, and the files that root changes. What `dudo-table run` runs is run
here, on emulated boards and their page; only the root jobs have a stand-in, which prints the commands that it leaves
out, and whose doctor checks the layout and the emulated boards. Nothing on the computer itself is changed.
"""

import asyncio
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from engine import Rules
from firmware_host.clients.owner.server import OwnerPageServer
from firmware_host.clients.web.access import bind
from firmware_host.clients.web.site import SITE, Site
from firmware_host.configuration import layout_edit, lookup
from firmware_host.configuration.configuration import Configuration, Reading
from firmware_host.daemon.closing.copies import BackupError, Sources, write_copy
from firmware_host.daemon.service.jobs import MAX_LINES, JobResult, Places
from firmware_host.daemon.service.setup import Computer, carry_out
from firmware_host.daemon.session_runner import OpenPhone, SessionRunner, Surroundings
from firmware_host.doctor import context as doctor
from firmware_host.doctor import findings
from firmware_host.doctor.checks import serial, service
from firmware_host.doctor.checks.gpio import KernelPinHolders
from firmware_host.doctor.machine import Machine
from firmware_host.doctor.runner import check_layout, run_checks
from firmware_host.doctor.running_table import find_running_table
from firmware_host.errors import UserError
from firmware_host.play.chairs import Chair, Chairs
from firmware_host.play.screen_process import screen_process
from firmware_host.play.workbench.browser import can_open_page, open_page
from firmware_host.play.workbench.server import WorkbenchServer
from firmware_host.public import owner_page
from firmware_host.public.address import SOCKET_NAME
from firmware_host.public.narration import Narrator
from firmware_host.store.journal.journal import Journal
from firmware_host.store.scores.archive import MatchArchive
from firmware_host.table.events import PublicEvent
from firmware_host.table.staff.machine import Job, JobOutcome
from firmware_host.table.staff.setup import SeatEntry
from firmware_host.util import atomic_file, closing_timer, state_dir
from firmware_host.util.system_error import reason_of
from firmware_host.util.systemd import Notify
from firmware_host.wire import Seat
from hardware.boards.pico_bundle import release
from hardware.config import toml_file
from hardware.config.layout import Layout, LayoutError, builtin, shipped_file
from hardware.emulated.flash import program
from hardware.emulated.table import EmulatedTable

FOLDER = "rehearsal"
"""The folder within the user's state directory."""
OWNER_PORT = 8670
CHECKS = {"layout": check_layout, "table": service.check, "ports": serial.check}
"""The doctor's checks of emulated parts."""
ROOT = Path(__file__).parents[2]
"""The clone."""
LOOK_S = 0.2
"""Seconds between two looks for a requested job, and for another code."""

Say = Callable[[str], None]


class Rehearsal:
    """An installed table in `folder`; the short-lived files of /run are in `run`. `say` prints a line."""

    def __init__(self, folder: Path, run: Path, say: Say) -> None:
        self.folder, self.say = folder, say
        self.layout_file = folder / "etc/dudo-table/table.toml"
        self.state = folder / "var/lib/dudo-table"
        self.events = run / SOCKET_NAME
        self.places = Places.beside(self.events)._replace(stick=folder / "usb-drive")
        self._computer = Computer(self._is_idle, folder, owner_page.path_of(self.events).parent, self._run)
        self._runner: SessionRunner | None = None
        self._emulated: EmulatedTable | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._may_run = asyncio.Event()
        self._stops = asyncio.Event()
        self._is_over = asyncio.Event()
        self._root = ThreadPoolExecutor(1, "root")  # not the loop's, whose work waits for each other

    def make(self, text: str, seats: int) -> None:
        """Make the folder with the first seats of a layout's text, if there is none yet. Raises `OSError`."""
        for folder in (self.layout_file.parent, self.state, self.folder / "etc/NetworkManager/system-connections"):
            folder.mkdir(parents=True, exist_ok=True)
        self.state.chmod(0o700)
        zones = self.folder / "usr/share/zoneinfo"
        if not zones.exists():
            zones.parent.mkdir(parents=True, exist_ok=True)
            zones.symlink_to("/usr/share/zoneinfo")
        if not self.layout_file.exists():
            atomic_file.write_atomic(self.layout_file, first_seats(text, str(self.layout_file), seats), mode=0o644)

    async def play(
        self,
        emulated: EmulatedTable,
        chairs: Chairs,
        tell: Callable[[PublicEvent], None],
        follow: Callable[[Layout, Rules], None],
    ) -> None:
        """Run the table until it is powered off, and again after a stop of its service.

        `follow` is called with each layout and rule set, as it comes into effect.
        """
        self._loop, self._emulated = asyncio.get_running_loop(), emulated
        self._may_run.set()

        @contextmanager
        def wires(layout: Layout, open_phone: OpenPhone | None) -> Iterator[EmulatedTable]:
            assert self._runner is not None
            follow(layout, self._runner.reading.rules)
            yield emulated

        def watch(seat: Seat) -> Sequence[Callable[..., None]]:
            return (chairs[seat].see,) if seat < len(chairs.seats) else ()

        work = [asyncio.create_task(each) for each in (self._do_jobs(), self._show_codes(), chairs.run())]
        try:
            while not self._is_over.is_set():
                await self._may_run.wait()
                await self._run_service(Surroundings(wires, watch, (tell,)))
        finally:
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)

    async def _run_service(self, surroundings: Surroundings) -> None:
        """Run the daemon until its service is stopped, as `daemon.app.run` does."""
        configuration = Configuration(str(self.layout_file), self.state)
        reading: Reading = await asyncio.to_thread(configuration.read)
        self._stops.clear()
        with (
            state_dir.locked(self.state) as state,
            Journal(state / "journal.sqlite", MatchArchive(state / "matches")) as journal,
            Notify() as notify,
        ):
            self._runner = SessionRunner(
                configuration,
                reading,
                folder=state,
                journal=journal,
                record=None,
                notify=notify,
                surroundings=surroundings,
            )
            running = asyncio.create_task(self._runner.run(self.events, self.places))
            stopping = asyncio.create_task(self._stops.wait())
            await asyncio.wait([running, stopping], return_when=asyncio.FIRST_COMPLETED)
            for task in (running, stopping):
                task.cancel()
            await asyncio.gather(running, stopping, return_exceptions=True)
            self._runner = None
            if running.done() and not running.cancelled() and (error := running.exception()) is not None:
                raise error

    # Root

    async def _do_jobs(self) -> None:
        while True:
            for job in Job:
                if self.places.is_waiting(job):
                    await self._do(job)
            await asyncio.sleep(LOOK_S)

    async def _do(self, job: Job) -> None:
        change = None
        if job is Job.SETUP:
            with suppress(OSError):
                change = self.places.take_change()
        else:
            self.places.withdraw(job)
        if job is Job.POWER_OFF:
            self.say("Rehearsed: systemctl poweroff")
            self._is_over.set()
            self._stops.set()
            return
        work = partial(carry_out, change, self._computer) if job is Job.SETUP else partial(self._result_of, job)
        self.places.write(job, await asyncio.wrap_future(self._root.submit(work)))

    def _result_of(self, job: Job) -> JobResult:
        if job is Job.DOCTOR:
            return self._examine()
        if job is Job.UPDATE:
            self.say("Rehearsed: apt-get update, and an upgrade of dudo-table")
            return JobResult(JobOutcome.NOTHING_NEWER)
        try:
            stamp = time.strftime("%Y-%m-%d-%H%M%S")
            copy = write_copy(Sources(self.state, self.layout_file.parent), self.places.stick, "rehearsal", stamp)
        except BackupError as error:
            return JobResult(error.outcome, lines=tuple(str(error).splitlines()))
        return JobResult(JobOutcome.COPIED, copy.matches, copy.size)

    def _examine(self) -> JobResult:
        """Run the doctor's checks of the parts that are emulated."""
        assert self._emulated is not None
        machine = Machine(self.folder, lambda _: None)
        context = doctor.build(
            str(self.layout_file), self.state, ports=self._emulated, pin_holders=KernelPinHolders(), machine=machine
        )
        running = find_running_table(machine, self.state, [self.events])
        found = run_checks(replace(context, running=running), CHECKS)
        rest = findings.note("rehearsed: layout, boards and cups were checked, and nothing of the computer")
        lines = tuple(findings.staff_lines([*found, rest], MAX_LINES))
        return JobResult(JobOutcome.WELL if findings.is_well(found) else JobOutcome.FAULTS, lines=lines)

    def _is_idle(self) -> bool:
        return self._runner is None or not self._runner.is_match_played()

    def _run(
        self, command: Sequence[str], timeout_s: float, environment: Mapping[str, str]
    ) -> "subprocess.CompletedProcess[str]":
        """Stand for a program of root's: stop, start and reload the table here, and print every other command."""
        assert self._loop is not None
        said, code = "", 0
        match command:
            case ["systemctl", "stop", "dudo-table.service"]:
                self._loop.call_soon_threadsafe(self._may_run.clear)
                self._loop.call_soon_threadsafe(self._stops.set)
                until_s = time.monotonic() + timeout_s
                while self._runner is not None and time.monotonic() < until_s:
                    time.sleep(LOOK_S)
            case ["systemctl", "start", "dudo-table.service"]:
                self._loop.call_soon_threadsafe(self._may_run.set)
            case ["systemctl", "reload", "dudo-table.service"]:
                if self._runner is not None:
                    self._loop.call_soon_threadsafe(self._runner.reload)
            case ["nmcli", *words] if "list" in words:
                said = "Rehearsal\nBar guests\n"
            case _:
                self.say(f"Rehearsed: {' '.join(command)}")
                self._link(command)
        return subprocess.CompletedProcess(list(command), code, said, "")

    def _link(self, command: Sequence[str]) -> None:
        """Leave systemd's links as the page reads them: the time zone, and whether a timer is enabled."""
        link, target = self.folder / closing_timer.ENABLED, f"/usr/lib/systemd/system/{closing_timer.TIMER}"
        match command:
            case ["timedatectl", "set-timezone", zone]:
                link, target = self.folder / "etc/localtime", f"/usr/share/zoneinfo/{zone}"
            case ["systemctl", "disable", *_]:
                target = ""
            case ["systemctl", "enable", *_]:
                pass
            case _:
                return
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        if target:
            link.symlink_to(target)

    async def _show_codes(self) -> None:
        """Print each code of the owner's page: on an installed table the display has it."""
        shown = ""
        while True:
            found = await asyncio.to_thread(owner_page.read, owner_page.path_of(self.events))
            if found is not None and found.code != shown:
                shown = found.code
                self.say(f"  Owner’s page   http://{found.address}/ with the code {shown}")
            await asyncio.sleep(LOOK_S)


def own_command() -> str:
    """Return the command line of this program as a shell finds it: a clone's is not among the commands."""
    called, found = sys.argv[0], shutil.which("dudo-table")
    if found is not None and Path(found).resolve() == Path(called).resolve():
        return "dudo-table"
    if Path(called).name == "dudo-table":
        return shlex.quote(called)
    return f"{shlex.quote(sys.executable)} -m firmware_host.cli"


def documents() -> Path:
    """Return the folder of the documents: the clone's, if `make site` has made them, else the package's."""
    built = ROOT / "build/site"
    return built if Site(built).is_here else SITE


def first_seats(text: str, path: str, seats: int) -> str:
    """Return a layout's text with its first seats alone, and with a way into the staff menu."""
    laid = lookup.parse_layout(text, path).seats[:seats]
    entries = [SeatEntry(seat.name, seat.color, seat.board.id if seat.board else "", seat.name) for seat in laid]
    chosen = layout_edit.with_seats(text, path, entries)
    hold = "" if "service_key" in text else "service_hold = true  # no page has a key switch\n\n"
    return chosen.replace("[[seat]]", f"{hold}[[seat]]", 1)


def play_as_installed(
    layout: str,
    *,
    seats: int,
    port: int | None,
    browser: bool,
    screen: bool,
    folder: Path | None,
    say: Say,
    run_loop: Callable[[Coroutine[None, None, None]], None],
) -> None:
    """Rehearse the table of a shipped layout's first seats, until Ctrl-C or a power-off. Raises `UserError`."""
    text = toml_file.read(shipped_file(layout), LayoutError, "layout", builtin())
    root = state_dir.default() / FOLDER if folder is None else folder
    with ExitStack() as stack:
        run = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dudo-table-")))
        rehearsal = Rehearsal(root, run, say)
        try:
            rehearsal.make(text, seats)
        except OSError as error:
            raise UserError(f"{root}: {reason_of(error)}; name another folder with --state") from error
        page, owner = stack.enter_context(bind(port)), stack.enter_context(bind(None, first=OWNER_PORT))
        address = f"http://127.0.0.1:{page.getsockname()[1]}/"
        say(f"An installed table in {root} (Ctrl-C stops it):")
        say(f"  Seats          {address}")
        say(f"  Layout         {rehearsal.layout_file}")
        say(f"  Command line   {own_command()} staff --events {rehearsal.events} status")
        if not Site(documents()).is_here:
            say("  Documents      none yet: make site builds them, for the owner’s page")
        if screen:
            stack.enter_context(screen_process(rehearsal.events, None, "en"))
        if browser and can_open_page():
            open_page(address)
        run_loop(_play(rehearsal, page, owner))


async def _play(rehearsal: Rehearsal, page: socket.socket, owner: socket.socket) -> None:
    reading = await asyncio.to_thread(Configuration(str(rehearsal.layout_file), rehearsal.state).read)
    layout, rules, boards = reading.layout, reading.rules, boards_of(reading.layout)
    if phones := [seat.name for seat in layout.seats if seat.phone]:
        why = 'a rehearsal has boards alone; take the seat out, and try phones with make play ARGS="--host 0.0.0.0"'
        raise UserError(f"{rehearsal.layout_file}: seat {phones[0]}: phone = true: {why}")
    story = Narrator([])
    listeners: list[Callable[[PublicEvent], None]] = []

    def tell(event: PublicEvent) -> None:
        for line in story.lines(event):
            rehearsal.say(line)
        for listener in listeners:
            listener(event)

    image = await asyncio.to_thread(lambda: program(release()))
    with EmulatedTable(layout, asyncio.get_running_loop(), seed=secrets.randbits(64), image=image) as emulated:
        chairs = Chairs(Chair(seat, None, for_people=not at) for at, seat in enumerate(emulated.seats))
        workbench = WorkbenchServer(layout, page, rehearsal.events, rules, lambda _: None, listen=listeners.append)
        owners = OwnerPageServer(owner, None, rehearsal.events, rehearsal.folder, documents())
        async with owners.serve(), workbench.serve(chairs) as bench:

            def follow(layout: Layout, rules: Rules) -> None:
                nonlocal story
                story = Narrator([seat.name for seat in layout.seats], rules)
                if boards_of(layout) == boards:
                    bench.follow(layout, rules)
                else:
                    rehearsal.say("Other seats than at the start: end the rehearsal with Ctrl-C, and begin it again")

            await rehearsal.play(emulated, chairs, tell, follow)


def boards_of(layout: Layout) -> list[str]:
    """Return the board of each seat by its id."""
    return ["" if seat.board is None else seat.board.id for seat in layout.seats]
