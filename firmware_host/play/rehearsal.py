"""The computer of a rehearsal: a folder with layout, state, and the files that root changes. `as_installed` runs it.

What `dudo-table run` runs is run here, on emulated boards. The root jobs have a stand-in, which prints the commands
that it leaves out, and whose doctor checks the layout and the emulated boards. Nothing on the computer itself is
changed.
"""

import asyncio
import errno
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

from drivers.link.port import Port
from engine import Rules
from firmware_host.configuration.configuration import Configuration, Reading
from firmware_host.daemon.closing.copies import BackupError, Sources, write_copy
from firmware_host.daemon.phones import OpenPhone
from firmware_host.daemon.service.jobs import MAX_LINES, JobResult, Places
from firmware_host.daemon.service.setup import Computer, carry_out
from firmware_host.daemon.session_runner import SessionRunner, Surroundings
from firmware_host.doctor import context as doctor
from firmware_host.doctor import findings
from firmware_host.doctor.checks import serial, service
from firmware_host.doctor.checks.gpio import KernelPinHolders
from firmware_host.doctor.machine import Machine
from firmware_host.doctor.runner import check_layout, run_checks
from firmware_host.doctor.running_table import find_running_table
from firmware_host.play.chairs import Chairs
from firmware_host.public import owner_page
from firmware_host.public.address import SOCKET_NAME
from firmware_host.store.journal.journal import Journal
from firmware_host.store.scores.archive import MatchArchive
from firmware_host.table.events import PublicEvent
from firmware_host.table.staff.machine import Job, JobOutcome
from firmware_host.util import atomic_file, closing_timer, state_dir, voice_options
from firmware_host.util.systemd import Notify
from firmware_host.wire import Seat
from hardware.config.layout import Layout
from hardware.emulated.table import EmulatedTable

CHECKS = {"layout": check_layout, "table": service.check, "ports": serial.check}
"""The doctor's checks of emulated parts."""
LINKS = {closing_timer.TIMER: closing_timer.ENABLED, voice_options.SERVICE: voice_options.ENABLED}
"""systemd's links for the units that the page switches."""
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
        self._open_phone: OpenPhone | None = None
        self._may_run = asyncio.Event()
        self._stops = asyncio.Event()
        self._ends = asyncio.Event()
        self.is_off = False
        """Whether the table was powered off."""
        self._root = ThreadPoolExecutor(1, "root")  # not the loop's, whose work waits for each other

    def make(self, text: str) -> None:
        """Make the folder with a layout's text, if there is none yet. Raises `OSError`."""
        for folder in (self.layout_file.parent, self.state, self.folder / "etc/NetworkManager/system-connections"):
            folder.mkdir(parents=True, exist_ok=True)
        self.state.chmod(0o700)
        zones = self.folder / "usr/share/zoneinfo"
        if not zones.exists():
            zones.parent.mkdir(parents=True, exist_ok=True)
            zones.symlink_to("/usr/share/zoneinfo")
        if not self.layout_file.exists():
            atomic_file.write_atomic(self.layout_file, text, mode=0o644)

    @asynccontextmanager
    async def root(self) -> AsyncIterator[None]:
        """Do root's work, and print each code of the owner's page, until the block ends."""
        async with in_background(self._do_jobs(), self._show_codes()):
            yield

    async def play(
        self,
        emulated: EmulatedTable,
        chairs: Chairs,
        tell: Callable[[PublicEvent], None],
        follow: Callable[[Layout, Rules], None],
    ) -> None:
        """Run the table until it is powered off or `end` is called, and again after a stop of its service.

        `follow` is called with each layout and rule set, as it comes into effect.
        """
        self._loop, self._emulated = asyncio.get_running_loop(), emulated
        self._may_run.set()
        self._ends.clear()

        @contextmanager
        def wires(layout: Layout, open_phone: OpenPhone | None) -> Iterator[EmulatedTable]:
            assert self._runner is not None
            self._open_phone = open_phone
            follow(layout, self._runner.reading.rules)
            yield emulated

        def watch(seat: Seat) -> Sequence[Callable[..., None]]:
            is_here = seat < len(chairs.seats) and chairs[seat].seat.buttons  # what a phone shows is for the phone
            return (chairs[seat].see,) if is_here else ()

        async with in_background(chairs.run()):
            while not self._ends.is_set():
                await self._may_run.wait()
                await self._run_service(Surroundings(wires, watch, (tell,)))

    def end(self) -> None:
        """End `play`."""
        self._ends.set()
        self._stops.set()

    def open_phone(self, number: int) -> Port:
        """Open the port of a guest's phone by the number of its seat. Raises `OSError`."""
        if self._open_phone is None:
            raise FileNotFoundError(errno.ENOENT, "no guest's page is open", str(number))
        return self._open_phone(number)

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
            try:
                await asyncio.wait([running, stopping], return_when=asyncio.FIRST_COMPLETED)
            finally:  # also on Ctrl-C: the journal closes after the table
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
            self.is_off = True
            self.end()
            return
        work = partial(carry_out, change, self._computer) if job is Job.SETUP else partial(self._result_of, job)
        self.places.write(job, await asyncio.wrap_future(self._root.submit(work)))

    def _result_of(self, job: Literal[Job.EXPORT, Job.UPDATE, Job.DOCTOR]) -> JobResult:
        match job:
            case Job.DOCTOR:
                return self._examine()
            case Job.UPDATE:
                self.say("Rehearsed: apt-get update, and an upgrade of dudo-table")
                return JobResult(JobOutcome.NOTHING_NEWER)
            case Job.EXPORT:
                return self._export()

    def _export(self) -> JobResult:
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
        """Leave systemd's links as the page reads them: the time zone, and whether a unit is enabled."""
        match command:
            case ["timedatectl", "set-timezone", zone]:
                link, target = self.folder / "etc/localtime", f"/usr/share/zoneinfo/{zone}"
            case ["systemctl", "enable" | "disable" as verb, *_, unit] if unit in LINKS:
                link, target = self.folder / LINKS[unit], f"/usr/lib/systemd/system/{unit}" * (verb == "enable")
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


@asynccontextmanager
async def in_background(*work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Run `work` until the block ends."""
    tasks = [asyncio.create_task(each) for each in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
