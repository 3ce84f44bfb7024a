"""A package update by apt: `dudo-table update`, run as root by `dudo-table-update.service`.

apt fetches from USB drives with a repository (`update_drive`), then from the owner's repositories, and takes only
packages signed by their keys. Lists and packages are fetched first, and may be cut off; afterwards the packages are on
the disk, and dpkg is left to finish. Everything here blocks.
"""

import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from msgspec import structs

from firmware_host.daemon.closing.copies import BackupError
from firmware_host.daemon.closing.sticks import find_sticks
from firmware_host.daemon.service import UPDATE_LABEL, update_drive
from firmware_host.daemon.service.jobs import JobResult
from firmware_host.table.staff.machine import JobOutcome
from firmware_host.util.process import run_program

PACKAGES = ("dudo-table", "dudo-table-kiosk", "dudo-table-repository")
FETCH_TIMEOUT_S = 900.0
INSTALL_TIMEOUT_S = 1800.0
MAX_LINE = 300
OPTIONS = (
    "Acquire::AllowInsecureRepositories=false",
    "Acquire::AllowWeakRepositories=false",
    "Acquire::AllowDowngradeToInsecureRepositories=false",
    "APT::Get::AllowUnauthenticated=false",
    "APT::Update::Error-Mode=any",  # a silent repository is an error, not a warning
    "Acquire::http::Timeout=30",
    "Acquire::https::Timeout=30",
    "Acquire::Retries=1",
    "DPkg::Lock::Timeout=120",
    # The owner's files stay as they are.
    "Dpkg::Options::=--force-confdef",
    "Dpkg::Options::=--force-confold",
)
IN_PLACE = re.compile(r"^E: .*\bfile:/", re.MULTILINE)
"""apt's error for a folder. apt uses the lists there in place, even refused ones; of other sources it keeps the old."""
UNDETERMINED = "Undetermined Error", "Hash Sum mismatch: copy the files again, all together"
"""apt's words for a file on a drive that differs from its list, and clear ones."""
ENVIRONMENT = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "LC_ALL": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
    "NEEDRESTART_SUSPEND": "1",
}

SOURCES = Path("/etc/apt")
"""The folder with `sources.list` and `sources.list.d`, sources.list(5)."""
_TRUSTED = re.compile(r"trusted\s*[:=]\s*(?!(?:no|false|without|off|disable|0)\b)\S", re.IGNORECASE)

_WRAPPED = re.compile(r"\s+(?:Sub-process \S+ returned an error code \(\d+\), error message is: (?:Verifying .*: +)?)?")
"""Spaces, and apt's words around an error from the program that checks signatures."""
_REASON = re.compile(r"error message is: (?:Verifying .*: +)?(.*)")

Run = Callable[[Sequence[str], float], "subprocess.CompletedProcess[str]"]


class Drives:
    """The USB drives with a repository; tests have others."""

    def find(self) -> list[str]:
        """Return their devices. Blocks; raises `BackupError`."""
        return find_sticks(UPDATE_LABEL)

    def opened(self, device: str) -> AbstractContextManager[tuple[str, ...]]:
        """Mount a drive, and give its apt options. Blocks; raises `BackupError`."""
        return update_drive.opened(device)


def update(
    is_free: Callable[[], bool], run: Run | None = None, sources: Path = SOURCES, drives: Drives | None = None
) -> JobResult:
    """Install the newest versions, and return the result. `is_free` tells whether no match is played.

    A drive comes first: its table may have no network. Any repository trusted without a signature is refused, whatever
    its packages: apt would take any from it.
    """
    run, drives = run or _run, drives or Drives()
    installed = _installed(run)
    if PACKAGES[0] not in installed:
        return _failed("no package dudo-table is installed here; update it as it was installed")
    for place in unsigned_sources(sources):
        return _failed(f"{place}: trusted=yes lets in packages without a signature; sign them, or remove the source")
    found: list[JobResult] = []
    try:
        devices = drives.find()[: update_drive.MAX_DRIVES]
    except BackupError as error:
        devices, found = [], [_failed(str(error))]
    for device in devices:
        result: JobResult | None = None
        try:
            with drives.opened(device) as options:
                result = _upgrade(run, installed, is_free, options, f"{device}: ")
        except BackupError as error:  # also of a drive that is pulled out after its update
            result = result or _failed(f"{device}: {error}")
        if result.outcome in (JobOutcome.UPDATED, JobOutcome.MATCH_PLAYED):
            return result
        found.append(result)
    return _together(found, _upgrade(run, installed, is_free))


def _together(found: Sequence[JobResult], last: JobResult) -> JobResult:
    """Return the repositories' result with those of drives: a table with a drive may have no network."""
    if not found or last.outcome is JobOutcome.MATCH_PLAYED:
        return last
    refused = [each for each in found if each.outcome is JobOutcome.NO_UPDATE]
    outcome = last.outcome if last.outcome is JobOutcome.UPDATED else (refused or found)[0].outcome
    lines = [line for each in (*found, last) for line in each.lines]
    return structs.replace(last, outcome=outcome, lines=tuple(lines))


def _upgrade(
    run: Run,
    installed: Mapping[str, str],
    is_free: Callable[[], bool],
    options: Sequence[str] = (),
    place: str = "",
) -> JobResult:
    """Install the newest versions from apt's repositories, or from the drive at a place with its options."""
    upgrade = ("install", "--yes", "--only-upgrade", "--no-remove", *installed)
    given = tuple(f"--option={option}" for option in options)
    lists = _apt(run, FETCH_TIMEOUT_S, *given, "update")
    if lists.returncode and (place or IN_PLACE.search(lists.stderr)):
        return _failed(place + _error_of(lists))
    found = _apt(run, FETCH_TIMEOUT_S, *given, "--simulate", *upgrade)
    if found.returncode:
        return _failed(place + _error_of(found))
    version = installed[PACKAGES[0]]
    if not re.search(rf"^Inst {re.escape(PACKAGES[0])} ", found.stdout, re.MULTILINE):
        if lists.returncode:
            return _failed(place + _error_of(lists))
        return JobResult(JobOutcome.NOTHING_NEWER, lines=(f"{place}nothing newer than {version}",))
    fetched = _apt(run, FETCH_TIMEOUT_S, *given, "--download-only", *upgrade)
    if fetched.returncode:  # lists that were refused explain why an older one names a file that has changed
        return _failed(place + _error_of(lists if lists.returncode else fetched))
    if not is_free():
        return JobResult(JobOutcome.MATCH_PLAYED)
    # Not --no-download, which fails with a repository in a folder.
    done = _apt(run, INSTALL_TIMEOUT_S, *given, *upgrade)
    after = _installed(run).get(PACKAGES[0], "")
    if done.returncode or version == after:
        return _failed(place + _error_of(done))
    return JobResult(JobOutcome.UPDATED, version=after[:40], lines=(f"{place}updated from {version} to {after}",))


def unsigned_sources(folder: Path) -> Iterator[str]:
    """Yield each unsigned package source's file and line. Raises `OSError`."""
    files = sorted(folder.glob("sources.list.d/*.list")) + sorted(folder.glob("sources.list.d/*.sources"))
    for file in [each for each in (folder / "sources.list", *files) if each.is_file()]:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        yield from (f"{file}:{number}" for number in (_stanzas if file.suffix == ".sources" else _options)(lines))


def _options(lines: Sequence[str]) -> Iterator[int]:
    """Yield the numbers of lines with the option: `deb [arch=arm64 trusted=yes] https://… ./`."""
    for number, line in enumerate(lines, 1):
        found = re.match(r"\s*deb(?:-src)?\s+\[([^\]]*)\]", line)
        if found and any(_TRUSTED.match(option) for option in found[1].split()):
            yield number


def _stanzas(lines: Sequence[str]) -> Iterator[int]:
    """Yield the numbers of lines with the field in enabled stanzas."""
    trusted: list[int] = []
    is_enabled = True
    for number, line in enumerate([*lines, ""], 1):
        if not line.strip():
            yield from trusted if is_enabled else ()
            trusted, is_enabled = [], True
        elif _TRUSTED.match(line):
            trusted.append(number)
        elif re.match(r"enabled\s*:\s*(?:no|false|without|off|disable|0)\b", line, re.IGNORECASE):
            is_enabled = False


def _installed(run: Run) -> Mapping[str, str]:
    """Return the installed table packages with their versions."""
    listed = run(("dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Package} ${Version}\n", *PACKAGES), 60)
    lines = [line.split() for line in listed.stdout.splitlines()]
    return {line[1]: line[2] for line in lines if len(line) == 3 and line[0] == "installed"}


def _apt(run: Run, within_s: float, *what: str) -> "subprocess.CompletedProcess[str]":
    return run(("apt-get", "--quiet=2", *(f"--option={option}" for option in OPTIONS), *what), within_s)


def _failed(why: str) -> JobResult:
    return JobResult(JobOutcome.NO_UPDATE, lines=(f"not updated: {why}",))


def _error_of(done: "subprocess.CompletedProcess[str]") -> str:
    """Return apt's first error."""
    lines = [line.strip() for line in f"{done.stderr}\n{done.stdout}".splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(("E: ", "Err:"))]
    error = (errors or lines[-1:] or ["apt-get gave no reason"])[0].removeprefix("E: ")
    error = _WRAPPED.sub(" ", error).replace(*UNDETERMINED)
    reason = _REASON.search(done.stderr)  # which apt has as a warning beside "is not signed"
    return (error if reason is None or reason[1] in error else f"{error} {reason[1]}")[:MAX_LINE]


def _run(command: Sequence[str], within_s: float) -> "subprocess.CompletedProcess[str]":
    try:
        return run_program(command, within_s, ENVIRONMENT)
    except FileNotFoundError:
        return subprocess.CompletedProcess(command, 127, "", f"E: {command[0]} is not installed; this is no Debian")
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"E: apt-get has not ended within {within_s:g} s")
