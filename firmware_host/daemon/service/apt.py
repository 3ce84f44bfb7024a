"""A package update by apt: `dudo-table update`, run as root by `dudo-table-update.service`.

apt fetches from the owner's repositories, and takes only packages signed by their keys. Lists and packages are fetched
first, and may be cut off; afterwards the packages are on the disk, and dpkg is left to finish. Everything here blocks.
"""

import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from firmware_host.daemon.service.jobs import JobResult
from firmware_host.table.machine import JobOutcome
from firmware_host.util.process import run_program

PACKAGES = ("dudo-table", "dudo-table-kiosk")
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
ENVIRONMENT = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "LC_ALL": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
    "NEEDRESTART_SUSPEND": "1",
}

SOURCES = Path("/etc/apt")
"""The folder with `sources.list` and `sources.list.d`, sources.list(5)."""
_TRUSTED = re.compile(r"trusted\s*[:=]\s*(?!(?:no|false|without|off|disable|0)\b)\S", re.IGNORECASE)

Run = Callable[[Sequence[str], float], "subprocess.CompletedProcess[str]"]


def update(is_free: Callable[[], bool], run: Run | None = None, sources: Path = SOURCES) -> JobResult:
    """Install the newest versions, and return the result. `is_free` tells whether no match is played.

    Any repository trusted without a signature is refused, whatever its packages: apt would take any from it.
    """
    run = run or _run
    installed = _installed(run)
    if PACKAGES[0] not in installed:
        return _failed("no package dudo-table is installed here; update it as it was installed")
    for place in unsigned_sources(sources):
        return _failed(f"{place}: trusted=yes lets in packages without a signature; sign them, or remove the source")
    upgrade = ("install", "--yes", "--only-upgrade", "--no-remove", *installed)
    lists = _apt(run, FETCH_TIMEOUT_S, "update")
    found = _apt(run, FETCH_TIMEOUT_S, "--simulate", *upgrade)
    if found.returncode:
        return _failed(_error_of(found))
    if not re.search(rf"^Inst {re.escape(PACKAGES[0])} ", found.stdout, re.MULTILINE):
        if lists.returncode:
            return _failed(_error_of(lists))
        return JobResult(JobOutcome.NOTHING_NEWER, lines=(f"nothing newer than {installed[PACKAGES[0]]}",))
    fetched = _apt(run, FETCH_TIMEOUT_S, "--download-only", *upgrade)
    if fetched.returncode:
        return _failed(_error_of(fetched))
    if not is_free():
        return JobResult(JobOutcome.MATCH_PLAYED)
    done = _apt(run, INSTALL_TIMEOUT_S, *upgrade)  # not --no-download, which fails with a repository in a folder
    before, after = installed[PACKAGES[0]], _installed(run).get(PACKAGES[0], "")
    if done.returncode or before == after:
        return _failed(_error_of(done))
    return JobResult(JobOutcome.UPDATED, version=after[:40], lines=(f"updated from {before} to {after}",))


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
    return (errors or lines[-1:] or ["apt-get gave no reason"])[0].removeprefix("E: ")[:MAX_LINE]


def _run(command: Sequence[str], within_s: float) -> "subprocess.CompletedProcess[str]":
    try:
        return run_program(command, within_s, ENVIRONMENT)
    except FileNotFoundError:
        return subprocess.CompletedProcess(command, 127, "", f"E: {command[0]} is not installed; this is no Debian")
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"E: apt-get has not ended within {within_s:g} s")
