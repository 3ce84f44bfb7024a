"""Root jobs for the table: request files from the daemon, and result files from root.

The daemon's `Jobs` write a request such as `backup-wanted` beside its public socket. A systemd path
unit starts the service with the same name as root. The service removes the request as a sign of taking it up, does the
job, and writes its result for the daemon and `dudo-table staff`. The methods of `Places` block.
"""

import asyncio
import logging
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

from firmware_host.public.address import SERVICE_SOCKET
from firmware_host.table.staff.machine import Job, JobOutcome, JobReport
from firmware_host.table.staff.setup import MAX_SETUP_BYTES, RestoreCopy, SetupChange
from firmware_host.util import atomic_file
from hardware.config import regular_file
from hardware.config.problems import escaped

REQUESTS = SERVICE_SOCKET.parent
RESULTS = Path("/run/dudo-table-jobs")
"""Root's folder for results."""
SETUP_TAKEN_UP = Path("/run/dudo-table-setup/request")
"""Where the unit of a set-up moves the request, as a sign of taking it up: the program takes a while to start."""
STICK = Path("/dev/disk/by-label/DUDO-BACKUP")
"""udev's link for a USB drive labelled `closing.LABEL`."""
TAKEN_UP_WITHIN_S = 20.0
"""Seconds for systemd to take up a request."""
POLL_INTERVAL_S = 0.5
APART_S = 15.0
"""Seconds between two requests for a job: systemd stops watching a path after five changes in a minute."""
SETUP_APART_S = 2.0
"""The same for a set-up, whose path unit allows more: looking for networks comes before joining one."""
MAX_RESULT_BYTES = 40_000
MAX_LINES = 20

log = logging.getLogger("dudo-table")

Line = Annotated[str, msgspec.Meta(max_length=400)]
Version = Annotated[str, msgspec.Meta(pattern=r"^[0-9A-Za-z.+~:-]{0,40}$")]
Count = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]

_SENTENCES = {
    JobOutcome.NO_STICK: "no stick with the label DUDO-BACKUP is plugged in; docs/closing.md says how a stick gets it",
    JobOutcome.MATCH_PLAYED: "a match is played; end it, or ask again when it is over",
    JobOutcome.TOO_SOON: "a job is at work, or has just been; ask again in a moment",
    JobOutcome.SET: "the change is made",
    JobOutcome.RESTORED: "the copy is put back",
    JobOutcome.NETWORKS: "no network is in reach",
    JobOutcome.NO_WIFI: "NetworkManager has no Wi-Fi here; plug in an adapter, or use a cable",
    JobOutcome.NOT_JOINED: "the network did not take the table in; check name and password",
    JobOutcome.NOT_HERE: "this table is not the service dudo-table.service, whose units do that",
}


class JobResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A job's result, as written by its service; `lines` is for the command line, in English."""

    outcome: JobOutcome
    matches: Count = 0
    size_bytes: Count = 0
    version: Version = ""
    lines: Annotated[tuple[Line, ...], msgspec.Meta(max_length=MAX_LINES)] = ()


class ResultMark(NamedTuple):
    """A result file's identity, for telling two results apart."""

    inode: int
    written_ns: int


class Places(NamedTuple):
    """Folders for requests and results, and the link present while a USB drive is plugged in."""

    requests: Path = REQUESTS
    results: Path = RESULTS
    stick: Path = STICK

    @classmethod
    def beside(cls, socket: Path) -> "Places":
        """Return the places of the table with a socket at this path; a rehearsal's are beside it."""
        folder = socket.parent
        return cls() if folder.resolve() == REQUESTS.resolve() else cls(folder, folder)

    def request(self, job: Job, change: SetupChange | None = None) -> None:
        """Request a job. The file is for root and the daemon: a change may have a password. Raises `OSError`."""
        if change is None:
            self._request(job).write_text(f"{job}\n")
        else:  # its unit takes it up as soon as it is there
            atomic_file.write_atomic(self._request(job), msgspec.json.encode(change).decode(), mode=0o600)

    def take_change(self, taken_up: Path | None = None) -> SetupChange | None:
        """Return the requested change and remove its request, which may have been moved to `taken_up`; None for
        anything else. Raises `OSError`.
        """
        request = taken_up or self._request(Job.SETUP)
        try:
            data = regular_file.read(request, MAX_SETUP_BYTES, flags=os.O_NOFOLLOW)
        finally:
            with suppress(OSError):
                request.unlink()
        try:
            return _CHANGES.decode(data)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None

    def withdraw(self, job: Job) -> bool:
        """Withdraw a request; return False if already taken up. Raises `OSError`."""
        try:
            self._request(job).unlink()
        except FileNotFoundError:
            return False
        return True

    def is_waiting(self, job: Job) -> bool:
        """Return whether a request is still to be taken up."""
        return os.path.lexists(self._request(job))

    def mark(self, job: Job) -> ResultMark | None:
        """Return the present result's mark, if any."""
        try:
            found = os.lstat(self._result(job))
        except OSError:
            return None
        return ResultMark(found.st_ino, found.st_mtime_ns)

    def read(self, job: Job) -> JobResult:
        """Return the present result; an unreadable one counts as `JobOutcome.DAMAGED`."""
        try:
            descriptor = os.open(self._result(job), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with open(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise OSError("it is not a file")
                data = file.read(MAX_RESULT_BYTES + 1)
            if len(data) > MAX_RESULT_BYTES:
                raise ValueError("it is too long")
            return _READER.decode(data)
        except (OSError, ValueError, RecursionError):
            return JobResult(JobOutcome.DAMAGED)

    def write(self, job: Job, result: JobResult) -> None:
        """Write a result, readable by everybody. Raises `OSError`."""
        lines = tuple(line if len(line) <= 400 else f"{line[:399]}…" for line in result.lines[:MAX_LINES])
        text = msgspec.json.encode(msgspec.structs.replace(result, lines=lines)).decode()
        umask = os.umask(0o022)  # the service's own would keep the daemon out
        try:
            atomic_file.write_atomic(self._result(job), f"{text}\n", mode=0o644)
        finally:
            os.umask(umask)

    def _request(self, job: Job) -> Path:
        return self.requests / f"{job.unit.removeprefix('dudo-table-')}-wanted"

    def _result(self, job: Job) -> Path:
        return self.results / f"{job.unit.removeprefix('dudo-table-')}.json"


_READER: msgspec.json.Decoder[JobResult] = msgspec.json.Decoder(JobResult)
_CHANGES: msgspec.json.Decoder[SetupChange] = msgspec.json.Decoder(SetupChange)


def report_of(job: Job, result: JobResult) -> JobReport:
    """Return a result as shown by the table."""
    return JobReport(job, result.outcome, result.matches, result.size_bytes, result.version)


def lines_of(job: Job, result: JobResult) -> tuple[str, ...]:
    """Return a result as command line output, a line at least."""
    if result.lines:
        return tuple(map(escaped, result.lines))
    match result.outcome:
        case JobOutcome.BEGUN:
            return ("the table powers off",) if job is Job.POWER_OFF else (f"{job.unit} is at work",)
        case JobOutcome.NO_ANSWER:
            return (f"nobody has answered; sudo systemctl enable --now {job.unit}.path, and ask again",)
        case JobOutcome.DAMAGED:
            return (f"what came of it can't be read; journalctl -u {job.unit} says more",)
    return (_SENTENCES.get(result.outcome, f"{result.outcome}; journalctl -u {job.unit} says more"),)


async def result_of(places: Places, job: Job, before: ResultMark | None) -> JobResult:
    """Wait for a request's result; `before` is the earlier result. An unanswered request is withdrawn."""
    loop = asyncio.get_running_loop()
    until_s, is_taken_up = loop.time() + TAKEN_UP_WITHIN_S, False
    while True:
        if await asyncio.to_thread(places.mark, job) not in (before, None):
            return await asyncio.to_thread(places.read, job)
        if not is_taken_up and not await asyncio.to_thread(places.is_waiting, job):
            is_taken_up, until_s = True, loop.time() + job.done_within_s
        if loop.time() >= until_s:
            break
        await asyncio.sleep(POLL_INTERVAL_S)
    if not is_taken_up and await asyncio.to_thread(places.withdraw, job):
        return JobResult(JobOutcome.NO_ANSWER)
    return JobResult(JobOutcome.BEGUN if job is Job.POWER_OFF else JobOutcome.DAMAGED)


class Jobs:
    """One table's jobs. `report` receives each report; `is_match_played` holds back an update.

    `places` is None at a table outside the service: its requests would stay unanswered.
    """

    def __init__(
        self,
        *,
        is_match_played: Callable[[], bool],
        report: Callable[[JobReport], None],
        places: Places | None = None,
    ) -> None:
        self.places = places
        self._is_match_played = is_match_played
        self._report = report
        self.results: dict[Job, JobResult] = {}
        """The last result of each job, `BEGUN` while it is at work."""
        self._following: tuple[Job, asyncio.Task[None]] | None = None
        self._beginning = asyncio.Lock()
        self._looked_at: ResultMark | None = None
        self._asked_s: dict[Job, float] = {}

    @property
    def offered(self) -> tuple[Job, ...]:
        """Jobs in the staff menu."""
        return () if self.places is None else tuple(Job)

    async def look(self) -> None:
        """Read the result of a set-up that ended while the table was away, as after a restored copy."""
        if self.places is None or (self._following is not None and not self._following[1].done()):
            return
        mark = await asyncio.to_thread(self.places.mark, Job.SETUP)
        if mark not in (None, self._looked_at):
            self._looked_at = mark
            self.results[Job.SETUP] = await asyncio.to_thread(self.places.read, Job.SETUP)

    async def begin(self, job: Job, change: SetupChange | None = None) -> JobResult:
        """Request a job, a set-up with its change; return `JobOutcome.BEGUN`, or the refusal. The table hears both, and
        the end.
        """
        async with self._beginning:
            result = await self._begin(job, change)
        self._tell(job, result)
        if result.outcome is not JobOutcome.BEGUN:
            log.warning("%s: %s", job, "; ".join(lines_of(job, result)))
        return result

    async def _begin(self, job: Job, change: SetupChange | None) -> JobResult:
        places, now_s = self.places, asyncio.get_running_loop().time()
        if places is None or (job is Job.SETUP) is (change is None):
            return JobResult(JobOutcome.NOT_HERE)
        if self._following is not None and not self._following[1].done():
            joins = self._following[0] is job and change is None
            return JobResult(JobOutcome.BEGUN if joins else JobOutcome.TOO_SOON)
        apart_s = APART_S if change is None else SETUP_APART_S
        if now_s < self._asked_s.get(job, -apart_s) + apart_s:
            return JobResult(JobOutcome.TOO_SOON)
        if (job is Job.UPDATE or isinstance(change, RestoreCopy)) and self._is_match_played():
            return JobResult(JobOutcome.MATCH_PLAYED)
        if job is Job.EXPORT and not await asyncio.to_thread(places.stick.exists):
            return JobResult(JobOutcome.NO_STICK)
        before = await asyncio.to_thread(places.mark, job)
        try:
            await asyncio.to_thread(places.request, job, change)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            return JobResult(JobOutcome.NO_ANSWER, lines=(f"{places.requests}: {why}; restart the table",))
        self._asked_s[job] = now_s
        log.info("staff have asked for %s", job)
        self._following = job, asyncio.create_task(self._follow(places, job, before))
        return JobResult(JobOutcome.BEGUN)

    async def _follow(self, places: Places, job: Job, before: ResultMark | None) -> None:
        result = await result_of(places, job, before)
        is_unanswered = result.outcome is JobOutcome.NO_ANSWER
        if job is Job.EXPORT and is_unanswered and not await asyncio.to_thread(places.stick.exists):
            result = JobResult(JobOutcome.NO_STICK)  # pulled out before systemd looked
        log.info("%s: %s", job, "; ".join(lines_of(job, result)))
        self._tell(job, result)

    def _tell(self, job: Job, result: JobResult) -> None:
        self.results[job] = result
        self._report(report_of(job, result))
