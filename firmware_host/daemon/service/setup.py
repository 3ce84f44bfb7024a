"""Root's part of the changes on the owner's page: layout, copies, closing time, time zone, announcer and Wi-Fi.

`dudo-table setup` calls `carry_out` as the unit `dudo-table-setup`. Each change writes the file that an editor would
write, through the same checks, or runs systemctl, timedatectl or nmcli. Everything here blocks. A password is in a
file for root alone, never on a command line, in a result or in the log.
"""

import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from firmware_host.configuration import layout_edit, lookup
from firmware_host.daemon.closing import archive
from firmware_host.daemon.closing.copies import BackupError, Sources, check_copy, write_copy
from firmware_host.daemon.closing.restore import restore
from firmware_host.daemon.service.jobs import MAX_LINES, JobResult
from firmware_host.errors import UserError
from firmware_host.public.owner_page import COPY, MAX_COPY_BYTES, RECEIVED, SERVICE_FILE
from firmware_host.table.staff.machine import JobOutcome
from firmware_host.table.staff.setup import (
    FindNetworks,
    JoinNetwork,
    MakeCopy,
    RestoreCopy,
    SetClosing,
    SetSeats,
    SetTimeZone,
    SetupChange,
    SetVoice,
)
from firmware_host.util import atomic_file, closing_timer, state_dir, voice_options
from firmware_host.util.closing_timer import ClosingTimes
from firmware_host.util.process import run_program
from firmware_host.util.system_error import reason_of
from firmware_host.util.voice_options import VoiceOptions
from hardware.config import layout as layouts
from hardware.config import regular_file, toml_file
from hardware.config.languages import LANGUAGES, suggest_language
from hardware.config.layout import LayoutError
from hardware.config.problems import FileError

COMMAND_TIMEOUT_S = 30.0
JOIN_TIMEOUT_S = 45
"""Seconds for a network to take the table in."""
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
NETWORK = "dudo-table"
"""Name of the Wi-Fi connection in NetworkManager, and of its file."""
PHONES_FILE = "etc/dudo-table/phones.env"
PHONES_EVERYWHERE = 'PHONES_OPTIONS="--listen 0.0.0.0:8680"\n'
MAX_NAME_BYTES = 32
"""Bytes of a network's name, IEEE 802.11, 9.4.2.2."""
MAX_UNPACKED_BYTES = 256 << 20
"""Bytes of a received copy's files: they are read and written within the time limit of the unit."""
_CHUNK = 1 << 20
_NO_ACCESS_POINT, _NO_CONNECTION = 10, 4
"""Exit codes of nmcli(1): no such network, and a network that did not take the table in."""


class Computer(msgspec.Struct, frozen=True):
    """The computer to change: its files below `root`, its programs, and whether a match is played there now."""

    is_idle: Callable[[], bool]
    root: Path = Path("/")
    page: Path = SERVICE_FILE.parent
    """The folder of the owner's page."""
    run: Callable[..., "subprocess.CompletedProcess[str]"] = run_program

    @property
    def layout(self) -> Path:
        """The owner's layout; a link there leads to the file."""
        return Path(os.path.realpath(self.root / "etc/dudo-table/table.toml"))

    @property
    def state(self) -> Path:
        """The state folder."""
        return self.root / "var/lib/dudo-table"

    def do(self, *command: str, within_s: float = COMMAND_TIMEOUT_S) -> "subprocess.CompletedProcess[str]":
        """Run a program. Raises `UserError` if it is missing or does not end in time."""
        try:
            return self.run(command, within_s, ENVIRONMENT)
        except FileNotFoundError:
            raise UserError(f"{command[0]} is not installed on this computer") from None
        except (OSError, subprocess.TimeoutExpired):
            raise UserError(f"{command[0]} does not answer; ask again, or restart the computer") from None

    def must(self, *command: str) -> None:
        """Run a program to its success. Raises `UserError` with its last line."""
        done = self.do(*command)
        if done.returncode:
            why = (done.stderr or done.stdout).strip().splitlines()[-1:] or [f"it ended with {done.returncode}"]
            raise UserError(f"{' '.join(command[:2])}: {why[0]}")


def carry_out(change: SetupChange | None, computer: Computer) -> JobResult:
    """Make a change and return the result, also of a failure."""
    try:
        match change:
            case SetSeats():
                return _set_seats(change, computer)
            case MakeCopy():
                return _make_copy(computer)
            case RestoreCopy():
                return _restore_copy(change, computer)
            case SetClosing():
                return _set_closing(change, computer)
            case SetTimeZone(zone):
                return _set_time_zone(zone, computer)
            case SetVoice():
                return _set_voice(change, computer)
            case FindNetworks():
                return _find_networks(computer)
            case JoinNetwork():
                return _join_network(change, computer)
        return _failed("this is no change; update dudo-table and restart the table")
    except (FileError, UserError) as error:
        return _failed(*str(error).splitlines())
    except OSError as error:
        return _failed(f"{error.filename or computer.root}: {reason_of(error)}")


def _failed(*lines: str) -> JobResult:
    return JobResult(JobOutcome.NOT_SET, lines=lines[:MAX_LINES])


# The layout


def _set_seats(change: SetSeats, computer: Computer) -> JobResult:
    file = computer.layout
    text = toml_file.read(file, LayoutError, "layout", layouts.builtin())
    lookup.parse_layout(text, str(file))  # its faults come before its age
    if layout_edit.hash_of(text) != change.layout_hash:
        computer.must("systemctl", "reload", "dudo-table.service")
        why = "has changed since its seats were listed"
        raise UserError(f"{file}: {why}; the table reads it now: name the seats again")
    _write(file, layout_edit.with_seats(text, str(file), change.seats), file.stat().st_mode & 0o777)
    computer.must("systemctl", "reload", "dudo-table.service")
    if any(seat.is_phone and not seat.was for seat in change.seats):
        _serve_phones(computer)
    return JobResult(JobOutcome.SET)


def _serve_phones(computer: Computer) -> None:
    """Start the page for guests' phones, at every address unless the owner's file names others."""
    file = computer.root / PHONES_FILE
    if not file.exists():
        _write(file, PHONES_EVERYWHERE, 0o644)
    computer.must("systemctl", "enable", "--now", "dudo-table-phones.service")


def _write(file: Path, text: str, mode: int) -> None:
    """Replace a file; its mode does not depend on the umask."""
    umask = os.umask(0)
    try:
        atomic_file.write_atomic(file, text, mode=mode)
    finally:
        os.umask(umask)


# Copies


def _make_copy(computer: Computer) -> JobResult:
    """Make a copy where the page can read it. It has neither dice nor names."""
    host, stamp = os.uname().nodename, time.strftime("%Y-%m-%d-%H%M%S")
    with TemporaryDirectory(prefix="dudo-table-copy-") as folder:
        try:
            copy = write_copy(Sources(computer.state, computer.layout.parent), Path(folder), host, stamp)
            check_copy(copy)
        except BackupError as error:
            raise UserError(str(error)) from error
        if copy.size > MAX_COPY_BYTES:
            raise UserError(f"the copy has {copy.size / 1e6:.0f} MB, too many for the page; use a USB drive")
        with _page_folder(computer) as page:
            _hand_over(copy.file, page)
    return JobResult(JobOutcome.COPIED, copy.matches, copy.size, lines=(copy.file.name,))


@contextmanager
def _page_folder(computer: Computer) -> Iterator[int]:
    """Open the page's folder. It belongs to the table's user, so no name within is followed."""
    descriptor = os.open(computer.page, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _hand_over(copy: Path, page: int) -> None:
    with suppress(FileNotFoundError):
        os.unlink(COPY, dir_fd=page)
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(COPY, flags, 0o600, dir_fd=page)
    with open(descriptor, "wb") as file, open(copy, "rb") as source:
        owner = os.fstat(page)
        if not os.geteuid():
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
        while data := source.read(_CHUNK):
            file.write(data)


def _restore_copy(change: RestoreCopy, computer: Computer) -> JobResult:
    """Restore while the table is stopped. The copy is taken away from the page first: it can't change any more, and a
    wrong one stops no table.
    """
    with TemporaryDirectory(prefix="dudo-table-copy-") as folder:
        copy = Path(folder, RECEIVED)
        copy.write_bytes(regular_file.read(computer.page / RECEIVED, MAX_COPY_BYTES, flags=os.O_NOFOLLOW))
        try:
            _check_received(copy)
            if not computer.is_idle():
                return JobResult(JobOutcome.MATCH_PLAYED)
            with _stopped(computer), state_dir.locked(computer.state):
                restored = restore(copy, computer.state, computer.layout.parent if change.layouts else None)
        except UserError as error:
            raise UserError(str(error).replace(f"{copy}: ", "the copy ")) from error
        finally:
            with suppress(OSError):
                (computer.page / RECEIVED).unlink()
    return JobResult(JobOutcome.RESTORED, restored.matches)


def _check_received(copy: Path) -> None:
    """Read a whole copy. Raises `UserError` for a damaged one, and one that unpacks to too much."""
    unpacked = 0
    for member, _ in archive.members(copy):
        unpacked += member.size
        if unpacked > MAX_UNPACKED_BYTES:
            raise UserError(f"{copy}: has over {MAX_UNPACKED_BYTES >> 20} MB of files; restore it from a USB drive")


@contextmanager
def _stopped(computer: Computer) -> Iterator[None]:
    """Stop the table, and start it again however the work ends."""
    computer.must("systemctl", "stop", "dudo-table.service")
    try:
        yield
    finally:
        computer.must("systemctl", "start", "dudo-table.service")


# Time


def _set_closing(change: SetClosing, computer: Computer) -> JobResult:
    """Write closing time as `systemctl edit` does, and switch its timer."""
    timer = closing_timer.TIMER
    if change.time is None:
        computer.must("systemctl", "disable", "--now", timer)
        return JobResult(JobOutcome.SET)
    file = computer.root / closing_timer.FILE
    umask = os.umask(0o022)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    finally:
        os.umask(umask)
    _write(file, closing_timer.text_of(ClosingTimes(change.time, change.late or change.time)), 0o644)
    computer.must("systemctl", "daemon-reload")
    computer.must("systemctl", "enable", timer)
    computer.must("systemctl", "restart", timer)
    return JobResult(JobOutcome.SET)


def _set_time_zone(zone: str, computer: Computer) -> JobResult:
    if not (computer.root / "usr/share/zoneinfo" / zone).is_file():
        raise UserError(f"{zone}: is not a time zone of this computer; timedatectl list-timezones has them")
    computer.must("timedatectl", "set-timezone", zone)
    return JobResult(JobOutcome.SET)


# The announcer


def _set_voice(change: SetVoice, computer: Computer) -> JobResult:
    """Write the announcer's options as an editor does, and switch its service."""
    if not change.on:
        computer.must("systemctl", "disable", "--now", voice_options.SERVICE)
        return JobResult(JobOutcome.SET)
    file = computer.root / voice_options.FILE
    try:
        text = regular_file.read(file, voice_options.MAX_BYTES).decode()
    except FileNotFoundError:
        text = ""
    if (before := voice_options.options_of(text)) is None:
        raise UserError(f"{file}: is in a form that the page does not change; change it with an editor")
    if change.language and change.language not in LANGUAGES:
        why = f"{change.language} is not a language the announcer speaks"
        raise UserError(f"{file}: {why}, {suggest_language(change.language)}")
    sounds = (before.sounds or voice_options.SOUNDS) if change.clips else ""
    if sounds and not (computer.root / sounds.lstrip("/")).is_dir():
        raise UserError(f"{sounds}: is no folder; make it, and copy the clips there")
    wanted = VoiceOptions(change.language, change.quiet, change.card, sounds, before.others)
    _write(file, voice_options.with_options(text, wanted), 0o644)
    computer.must("systemctl", "enable", voice_options.SERVICE)
    computer.must("systemctl", "restart", voice_options.SERVICE)
    return JobResult(JobOutcome.SET)


# Wi-Fi


def _find_networks(computer: Computer) -> JobResult:
    done = computer.do("nmcli", "--terse", "--fields", "SSID", "device", "wifi", "list", "--rescan", "auto")
    if done.returncode:
        return JobResult(JobOutcome.NO_WIFI)
    names = dict.fromkeys(re.sub(r"\\(.)", r"\1", line) for line in done.stdout.splitlines() if line.isprintable())
    names.pop("", None)  # hidden ones
    return JobResult(JobOutcome.NETWORKS, lines=tuple(names)[:MAX_LINES])


def _join_network(change: JoinNetwork, computer: Computer) -> JobResult:
    """Join a network by a file of NetworkManager's, which the next start uses, too. A refused one leaves the former."""
    if len(change.name.encode()) > MAX_NAME_BYTES:
        raise UserError("the name of the network is too long; a network's name has 32 bytes at most")
    file = computer.root / "etc/NetworkManager/system-connections" / f"{NETWORK}.nmconnection"
    try:
        before: str | None = regular_file.read(file, 1 << 16).decode()
    except FileNotFoundError:
        before = None
    _write(file, _connection(change), 0o600)
    joined = False
    try:
        computer.must("nmcli", "connection", "load", str(file))
        wait = ("nmcli", "--wait", str(JOIN_TIMEOUT_S), "connection", "up", "id", NETWORK)
        done = computer.do(*wait, within_s=JOIN_TIMEOUT_S + COMMAND_TIMEOUT_S)
        joined = done.returncode == 0
    finally:
        if not joined:
            if before is None:
                file.unlink(missing_ok=True)
            else:
                _write(file, before, 0o600)
            with suppress(UserError):
                computer.must("nmcli", "connection", "reload")
    if joined:
        return JobResult(JobOutcome.SET)
    known = done.returncode in (_NO_ACCESS_POINT, _NO_CONNECTION)
    return JobResult(JobOutcome.NOT_JOINED if known else JobOutcome.NO_WIFI)


def _connection(change: JoinNetwork) -> str:
    """Return a connection as in nm-settings-keyfile(5). The name is in bytes, which need no escapes."""
    name = "".join(f"{byte};" for byte in change.name.encode())
    lines = ["[connection]", f"id={NETWORK}", "type=wifi", "autoconnect-priority=10", "", "[wifi]", f"ssid={name}"]
    if change.password:
        password = re.sub(r"^ | $", r"\\s", change.password.replace("\\", "\\\\"))
        lines += ["", "[wifi-security]", "key-mgmt=wpa-psk", f"psk={password}"]
    return "\n".join([*lines, "", "[ipv4]", "method=auto", "", "[ipv6]", "method=auto", ""])
