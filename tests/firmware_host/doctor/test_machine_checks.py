"""What the doctor says of the computer below a table: groups, disk, journal, supply, versions, a table that runs."""

import json
import os
import re
import socket
import sqlite3
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import date
from importlib import metadata
from itertools import repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from support import ROOT
from support.host.doctor_table import LAYOUT, DoctorTable, doctor_table

from drivers.link.handshake import check_hello
from drivers.messages import Device
from firmware_host import cli
from firmware_host.configuration import DEFAULT_LAYOUT
from firmware_host.configuration.configuration import Configuration
from firmware_host.doctor import findings, runner, running_table
from firmware_host.doctor.checks import computer, disk, journal, permissions, service, versions
from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, Health, is_well, right, wrong
from firmware_host.doctor.machine import User
from firmware_host.doctor.runner import CHECKS, Check, run_checks
from firmware_host.store.house import counters
from firmware_host.store.journal.journal import SCHEMA, Journal
from firmware_host.table.health import Alert
from firmware_host.wire import PublicSeat, PublicState
from hardware.link import messages as link

DOCUMENT = ROOT / "docs/doctor.md"
PI = User("pi", 4242, frozenset({5001}), frozenset({5001}))


@pytest.fixture
def here(tmp_path: Path) -> Iterator[DoctorTable]:
    with doctor_table(tmp_path) as here:
        yield here


def told(check: Check, context: Context, *states: Health) -> list[tuple[str, str]]:
    wanted = states or (Health.WRONG,)
    return [(found.what, found.remedy) for found in check(context) if found.state in wanted]


# Groups.


def as_pi(here: DoctorTable, *, login: frozenset[int] = PI.groups) -> Context:
    return replace(here.context(), user=User("pi", PI.uid, PI.groups, login))


def write_group(here: DoctorTable, name: str, gid: int, mode: int = 0o660) -> None:
    path = here.root / name.lstrip("/")
    os.chown(path, 0, gid)
    path.chmod(mode)


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")


@needs_root
def test_a_user_without_the_groups_gets_one_command_for_all_of_them(here: DoctorTable) -> None:
    here.write("/etc/group", "gpio:x:5002:\ni2c:x:5003:\n")
    write_group(here, "/dev/gpiochip0", 5002)
    for bus in (30, 31, 32):
        write_group(here, f"/dev/i2c-{bus}", 5003)
    assert told(permissions.check, as_pi(here)) == [
        (
            "the user pi may not use /dev/gpiochip0, /dev/i2c-30, /dev/i2c-31, /dev/i2c-32",
            "sudo usermod -aG gpio,i2c pi, then log out and in again",
        )
    ]


@needs_root
def test_devices_that_are_roots_alone_want_the_usual_group(here: DoctorTable) -> None:
    for name in ("/dev/gpiochip0", "/dev/i2c-30", "/dev/i2c-31", "/dev/i2c-32"):
        write_group(here, name, 0)
    ((_, remedy),) = told(permissions.check, as_pi(here))
    assert remedy == "sudo usermod -aG gpio,i2c pi, then log out and in again"


@needs_root
def test_a_group_that_this_login_has_not_yet_wants_another_login(here: DoctorTable) -> None:
    here.write("/etc/group", "hands:x:5001:pi\n")
    for name in ("/dev/gpiochip0", "/dev/i2c-30", "/dev/i2c-31", "/dev/i2c-32"):
        write_group(here, name, 5001)
    assert told(permissions.check, as_pi(here)) == []
    assert told(permissions.check, as_pi(here, login=frozenset())) == [
        ("pi is in the group hands, but not yet in this login", "log out and in again")
    ]


# The disk.


def test_a_full_disk_is_told(here: DoctorTable, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = SimpleNamespace(f_bavail=3000, f_frsize=4096, f_flag=0, f_files=10, f_favail=5)
    monkeypatch.setattr(os, "statvfs", lambda path: sizes)
    ((what, remedy),) = told(disk.check, here.context())
    assert what == f"12 MB are free where {here.state} is: the disk is nearly full"
    assert remedy.startswith("sudo journalctl --vacuum-size")


def test_a_read_only_disk_is_told(here: DoctorTable, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = SimpleNamespace(f_bavail=10**9, f_frsize=4096, f_flag=os.ST_RDONLY, f_files=10, f_favail=5)
    monkeypatch.setattr(os, "statvfs", lambda path: sizes)
    ((what, remedy),) = told(disk.check, here.context())
    assert what == f"the file system of {here.state} is read-only: nothing is saved"
    assert re.fullmatch("sudo mount -o remount,rw /.*", remedy)


def test_a_card_that_wears_out_is_told(here: DoctorTable) -> None:
    here.write("/sys/fs/ext4/mmcblk0p2/errors_count", "3\n")
    assert told(disk.check, here.context()) == [
        ("the file system on mmcblk0p2 has had 3 errors", "the card is wearing out: copy it to a new one")
    ]


@needs_root
def test_a_state_folder_that_was_made_as_root_is_given_back(here: DoctorTable) -> None:
    os.chown(here.state, PI.uid, 5001)
    (here.state / "journal.sqlite").touch()
    assert told(disk.check, as_pi(here)) == [
        (
            f"journal.sqlite in {here.state} can't be written by pi, who runs the table",
            f"sudo chown -R pi: {here.state}",
        )
    ]


# The journal.


@pytest.fixture
def file(here: DoctorTable) -> Path:
    file = here.state / "journal.sqlite"
    Journal(file).close()
    return file


def test_a_whole_journal_is_right_and_nothing_is_left_beside_it(here: DoctorTable, file: Path) -> None:
    before = file.read_bytes()
    (found,) = journal.check(here.context())
    assert found.state is Health.RIGHT
    assert f"schema {SCHEMA}" in found.what
    assert file.read_bytes() == before
    assert [path.name for path in here.state.iterdir()] == ["journal.sqlite"]


def test_a_journal_that_is_in_use_is_looked_at_beside_its_writer(here: DoctorTable, file: Path) -> None:
    with Journal(file):
        assert told(journal.check, here.context(), Health.WRONG, Health.UNKNOWN) == []


@pytest.mark.parametrize(("name", "aside"), [("house.sqlite", "house.damaged"), ("counters.toml", "counters.damaged")])
def test_damaged_counters_are_told_and_those_that_the_daemon_has_set_aside(
    name: str, aside: str, here: DoctorTable, file: Path
) -> None:
    damaged = here.state / name
    damaged.write_text("calls = -1\n" * 100)
    ((what, remedy),) = told(journal.check, here.context())
    assert what.startswith(f"{damaged}: ")
    assert remedy.endswith(f"it sets {name} aside and makes a new one")
    damaged.rename(here.state / aside)
    what = f"counters that could not be used were set aside: {here.state / aside}"
    assert told(journal.check, here.context(), Health.WRONG, Health.NOTE) == [(what, f"rm {here.state / aside}")]


def test_counters_that_are_locked_are_told_to_be_looked_at_again(
    here: DoctorTable, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counters, "LOCKED_S", 0.0)
    counters.write(counters.nothing(date(2026, 3, 1)), here.state)
    with closing(sqlite3.connect(here.state / counters.FILE, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        ((what, remedy),) = told(journal.check, here.context(), Health.UNKNOWN)
    assert what.endswith("house.sqlite can't be read: database is locked")
    assert remedy == "run the doctor again"


def test_a_journal_of_a_newer_version_is_told(here: DoctorTable, file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA user_version=99")
    db.close()
    ((what, remedy),) = told(journal.check, here.context())
    assert what == f"{file} was written by a newer dudo-table (schema 99, this one knows {SCHEMA})"
    assert remedy == "update dudo-table to the version that wrote it"


def test_a_journal_that_others_may_read_is_told(here: DoctorTable, file: Path) -> None:
    file.chmod(0o644)
    assert told(journal.check, here.context()) == []  # nobody comes near it
    here.state.chmod(0o755)
    assert told(journal.check, here.context()) == [
        (f"other users of this computer can read {file}: it holds dice", f"chmod 600 {file}*")
    ]


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 100])
def test_what_is_no_journal_is_told_or_new(here: DoctorTable, file: Path, damage: bytes) -> None:
    file.write_bytes(damage)
    faults = told(journal.check, here.context())
    assert [what for what, _ in faults] == ([f"{file} can't be read (file is not a database)"] if damage else [])


def test_a_journal_with_damage_inside_is_told(here: DoctorTable, file: Path) -> None:
    with sqlite3.connect(file, isolation_level=None) as db:
        db.execute("CREATE TABLE filler (what BLOB)")
        db.executemany("INSERT INTO filler VALUES (?)", [(bytes(3000),)] * 50)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    damaged = bytearray(file.read_bytes())
    damaged[len(damaged) // 2 :] = os.urandom(len(damaged) - len(damaged) // 2)
    file.write_bytes(damaged)
    ((what, remedy),) = told(journal.check, here.context())
    assert what.startswith(f"{file} ")
    assert "sets journal.sqlite aside" in remedy


def test_a_journal_that_was_set_aside_is_noted(here: DoctorTable, file: Path) -> None:
    aside = file.with_name("journal.damaged-1.sqlite")
    aside.touch()
    assert told(journal.check, here.context(), Health.NOTE) == [
        (f"a journal that could not be used was set aside: {aside}", f"rm {aside}*")
    ]


# The supply, the clock, the versions.


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("0x0", Health.RIGHT),
        ("0x50000", Health.NOTE),
        ("0x50005", Health.WRONG),
        ("0x1", Health.WRONG),
    ],
)
def test_too_little_voltage_is_wrong_now_and_a_note_once_it_is_over(
    here: DoctorTable, said: str, state: Health
) -> None:
    here.outputs["vcgencmd", "get_throttled"] = f"throttled={said}"
    assert [found.state for found in computer.check_power(here.context())] == [state]


def test_the_kernels_alarm_counts_where_the_firmware_says_nothing(here: DoctorTable) -> None:
    here.outputs.clear()
    assert [*computer.check_power(here.context())] == []
    here.write("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    assert [found.state for found in computer.check_power(here.context())] == [Health.WRONG]


def test_a_hot_pi_is_noted(here: DoctorTable) -> None:
    here.outputs["vcgencmd", "get_throttled"] = "throttled=0x4"
    assert "the Pi is hot and has slowed down" in [
        what for what, _ in told(computer.check_power, here.context(), Health.NOTE)
    ]


def test_a_clock_in_the_past_is_a_note(here: DoctorTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 0.0)
    ((what, _),) = told(computer.check_clock, here.context(), Health.NOTE)
    assert what.startswith("the clock says 1970-01-01")


def test_a_library_that_is_missing_or_too_new_is_told(here: DoctorTable, monkeypatch: pytest.MonkeyPatch) -> None:
    real = metadata.version

    def version(name: str) -> str:
        if name == "smbus2":
            raise metadata.PackageNotFoundError(name)
        return "14.0.1" if name == "pillow" else real(name)

    monkeypatch.setattr(metadata, "version", version)
    monkeypatch.delitem(versions.MODULES, "smbus2")
    assert told(versions.check, here.context()) == [
        ("pillow 14.0.1 is installed, dudo-table needs <14", f"{sys.executable} -m pip install --upgrade pillow"),
        ("smbus2 is not installed", f"{sys.executable} -m pip install --upgrade smbus2"),
    ]


def test_a_system_that_tells_no_versions_has_its_modules_all_the_same(
    here: DoctorTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", version)
    assert told(versions.check, here.context()) == []


def test_what_a_package_installed_is_mended_by_apt(here: DoctorTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "DEBIAN_FOLDER", Path(versions.__file__).parent)
    monkeypatch.setattr(versions, "_version", lambda name: None if name in ("smbus2", "gpiozero") else "99")
    remedies = [remedy for what, remedy in told(versions.check, here.context()) if what.endswith("not installed")]
    assert remedies == ["sudo apt install --reinstall dudo-table", "sudo apt install --reinstall python3-smbus2"]


# A table that runs.


@contextmanager
def publishing(
    here: DoctorTable,
    *missing: list[str],
    troubles: tuple[str, ...] = (),
    losses: Iterable[tuple[int, str, str]] = (),
    later: int = 0,
) -> Iterator[None]:
    """A table's public socket beside the journal, with its events of lost devices."""
    place = here.state / "events.sock"
    seats = tuple(PublicSeat("North", "red", False, 0, missing=tuple(each)) for each in missing)
    shown = PublicState(scene="lobby", rules="perudo", seats=seats, troubles=troubles)
    state: dict[str, object] = msgspec.to_builtins(shown)
    events: list[dict[str, Any]] = [
        {"type": "device-lost", "seq": seq, "seat": seat, "device": device, "why": why}
        for seq, (seat, device, why) in enumerate(losses, 5)
    ]
    events += [{"type": "joined", "seq": seq, "seat": 0} for seq in range(5 + len(events), 5 + len(events) + later)]
    state |= {"seq": 4 + len(events), "journal": "5f0c3a91", "since": None, "oldest": 5}
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place))
        listening.listen()

        def serve() -> None:
            near, _ = listening.accept()
            with near, near.makefile("rb") as requests:
                near.sendall(json.dumps(state).encode() + b"\n")
                if line := requests.readline():
                    request = json.loads(line)
                    assert request["journal"] == state["journal"]
                    missed = [event for event in events if event["seq"] > request["since"]]
                    has_all = request["since"] >= 4  # a table without some of them sends none
                    answer = [*(missed if has_all else []), state | {"since": request["since"]}]
                    near.sendall(b"".join(json.dumps(each).encode() + b"\n" for each in answer))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield
        thread.join()


def test_a_table_that_runs_is_asked_what_it_misses_and_no_wire_is_touched(here: DoctorTable) -> None:
    here.do(lambda: here.table.seats[0].press("ok"))  # which may be somebody who plays
    before = [bus.transfers for bus in here.table.buses.values()]
    with publishing(here, [], ["panel"], ["cup"], []):
        context = here.context()
    found = [(each.what, each.state) for each in run_checks(context) if each.state is not Health.RIGHT]
    assert found == [
        ("the running table misses East's display", Health.WRONG),
        ("the running table misses South's cup", Health.WRONG),
    ]
    assert [bus.transfers for bus in here.table.buses.values()] == before


@pytest.mark.parametrize("trouble", Alert)
def test_the_alerts_of_a_running_table_are_told(here: DoctorTable, trouble: Alert) -> None:
    with publishing(here, [], [], [], [], troubles=(trouble.value,)):
        context = here.context()
    (found,) = [each for each in service.check(context) if each.state is not Health.RIGHT]
    assert found.state is (Health.NOTE if trouble in service.NOTES else Health.WRONG)
    assert bool(found.remedy) is (found.state is Health.WRONG)


def test_every_trouble_of_the_house_has_its_sentence() -> None:
    assert {*service.WRONG, *service.NOTES} == {trouble.value for trouble in Alert}


def test_a_layout_that_was_edited_wrong_leaves_the_last_one_to_be_looked_at(here: DoctorTable) -> None:
    configured = Configuration(str(here.layout), here.state)
    configured.keep(configured.read())
    here.layout.write_text("name = ")
    ((what, _), *others) = here.faults()
    assert (what.startswith(f"{here.layout}: "), others) == (True, [])
    assert "panels" in {each.check for each in here.findings()}


def test_a_mistake_in_the_rules_names_the_file_that_it_is_in(here: DoctorTable) -> None:
    rules = here.layout.with_name("house.toml")
    rules.write_text('based_on = "perudo"\nto_aces = "halff"\n')
    here.layout.write_text(f'rules = "house.toml"\n{LAYOUT}')
    found = [each.what for each in here.findings() if each.check == "layout"]
    assert len(found) == 1
    assert found[0].startswith(f'{rules}: to_aces = "halff": ')


def test_buttons_and_a_tilt_switch_that_a_running_table_misses_are_checked_when_it_is_stopped(
    here: DoctorTable,
) -> None:
    with publishing(here, ["buttons", "cup"], [], [], []):
        context = here.context()
    (one,) = {remedy for _, remedy in told(service.check, context)}
    assert one.startswith("sudo systemctl stop dudo-table")


def test_panels_that_a_running_table_misses_are_their_bus_where_it_is_switched_off(here: DoctorTable) -> None:
    for bus in (1, 30, 31, 32):
        here.remove(f"/dev/i2c-{bus}")
    with publishing(here, ["panel"], ["panel"], ["panel"], []):
        context = here.context()
    found = [each.what for each in run_checks(context) if each.state is Health.WRONG]
    assert found == ["there is no /dev/i2c-30, /dev/i2c-31, /dev/i2c-32: I2C is off"]


def test_a_cup_that_a_running_table_misses_is_looked_for_among_the_ports(here: DoctorTable) -> None:
    here.do(lambda: here.table.seats[2].unplug("cup"))
    with publishing(here, [], [], ["cup"], []):
        context = here.context()
    found = [each.what for each in run_checks(context) if each.state is Health.WRONG]
    assert found == ["South's cup CUP0001 is not plugged in"]


def test_a_board_with_the_program_of_another_release_is_to_be_updated_also_matches_later(here: DoctorTable) -> None:
    hello = link.Hello(1, 255, 0, "E6614103E7452D21", version=link.VERSION - 1)
    why = check_hello(hello, Device.BOARD, None, 0)
    assert why is not None
    with publishing(
        here, [], [], [], ["board"], losses=[(3, "board", "its cable is out"), (3, "board", why)], later=3000
    ):
        context = here.context()
    ((what, remedy),) = told(service.check, context)
    assert what == f"the running table misses West's board: {why}"
    assert remedy.startswith("update the board: ")


def test_the_reason_of_a_loss_that_is_over_is_not_told(here: DoctorTable) -> None:
    with publishing(here, ["panel"], [], [], [], losses=[(0, "panel", "new"), (3, "board", "old")]):
        context = here.context()
    assert [what for what, _ in told(service.check, context)] == ["the running table misses North's display: new"]


@pytest.mark.parametrize("why", ["two\nlines \x1b[2J", "x" * 5000])
def test_a_reason_that_breaks_lines_is_escaped_and_cut(why: str, here: DoctorTable) -> None:
    with publishing(here, ["panel"], [], [], [], losses=[(0, "panel", why)]):
        context = here.context()
    ((what, _),) = told(service.check, context)
    assert len(what) < 500


def test_a_running_table_is_known_by_its_lock_which_is_not_taken(here: DoctorTable) -> None:
    lock = here.state / "lock"
    lock.touch()
    at = lock.stat()
    place = f"{os.major(at.st_dev):02x}:{os.minor(at.st_dev):02x}:{at.st_ino}"
    here.write(
        "/proc/locks", f"1: POSIX  ADVISORY  READ 17 08:02:1 0 EOF\n2: FLOCK  ADVISORY  WRITE 812 {place} 0 EOF\n"
    )
    running = here.context().running
    assert running is not None
    assert (running.process, running.state) == (812, None)
    assert [found.state for found in service.check(here.context())] == [Health.NOTE]


@pytest.mark.parametrize(
    ("line", "runs"),
    [
        ("/usr/bin/python3\0/usr/bin/dudo-table\0run\0", True),
        ("python\0-m\0firmware_host.cli\0run\0--layout\0x\0", True),
        ("/usr/bin/python3\0/usr/bin/dudo-table\0doctor\0", False),
        ("vi\0run\0", False),
    ],
)
def test_a_running_table_is_known_by_its_command_line(here: DoctorTable, line: str, runs: bool) -> None:
    here.write("/proc/813/cmdline", line)
    assert (here.context().running is not None) is runs


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_foreign_program_that_calls_a_process_so_is_no_table(here: DoctorTable) -> None:
    here.write("/proc/813/cmdline", "/usr/bin/python3\0/usr/bin/dudo-table\0run\0")
    os.chown(here.root / "proc/813", 60_001, 60_001)
    assert here.context().running is None


NONSENSE = {
    "deep": b"[" * 200_000 + b"\n",
    "no end": b"x" * (1 << 19),
    "a number of seats": b'{"seats": 3}\n',
    "a number of devices": b'{"seats": [{"missing": 1}]}\n',
    "a table of troubles": b'{"seats": [], "troubles": {"a": 1}}\n',
}


@pytest.mark.parametrize("line", NONSENSE.values(), ids=NONSENSE)
def test_a_socket_that_tells_nonsense_tells_nothing(line: bytes, tmp_path: Path) -> None:
    with dripping(tmp_path / "s", [line]):
        assert running_table._read_state(tmp_path / "s") is None


def test_a_socket_that_drips_is_listened_to_no_longer_than_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_table, "ANSWER_TIMEOUT_S", 0.2)
    drops = repeat(b"x", 500)
    with dripping(tmp_path / "s", drops):
        assert running_table._read_state(tmp_path / "s") is None
        assert next(drops, None) is not None


@contextmanager
def dripping(place: Path, pieces: Iterable[bytes]) -> Iterator[None]:
    """A socket that tells one thing after the other, until nobody listens any more."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place))
        listening.listen()

        def serve() -> None:
            near, _ = listening.accept()
            with near, suppress(OSError):
                for piece in pieces:
                    near.sendall(piece)
                    time.sleep(0.01)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield
        thread.join(2)
        assert not thread.is_alive()


def test_what_others_call_themselves_hides_nothing_in_what_is_found(here: DoctorTable) -> None:
    def check(_: Context) -> Iterator[Finding]:
        yield wrong("\x1b[2J\x9b\u202e" + "y" * 5000, "\x7f")

    (found,) = run_checks(here.context(), {"x": check})
    assert (found.what + found.remedy).isprintable()
    assert len(found.what) <= 2000


def test_a_pin_that_the_running_table_has_is_right(here: DoctorTable) -> None:
    here.chip.hold(4, "dudo-table")
    with publishing(here, [], [], [], []):
        context = here.context()
    assert is_well(run_checks(context))


def test_a_service_that_does_not_come_up_is_told_with_where_to_read_why(here: DoctorTable) -> None:
    shown = "ActiveState=failed\nSubState=failed\nNRestarts=4\nResult=exit-code\nStatusText=\nUnitFileState=enabled\n"
    context = replace(here.context(), is_service=True)
    here.outputs = SystemdAnswers(shown)
    assert told(service.check, context) == [
        (
            "dudo-table.service does not start (exit-code, restarted 4 times)",
            "journalctl -b -u dudo-table.service -n 20 tells why",
        )
    ]


def test_a_service_that_found_nothing_to_play_with_is_started_by_hand(here: DoctorTable) -> None:
    context = replace(here.context(), is_service=True)
    here.outputs = SystemdAnswers("ActiveState=failed\nResult=exit-code\nExecMainStatus=78\nNRestarts=0\n")
    ((what, remedy),) = told(service.check, context)
    assert what == "dudo-table.service found no layout that it can use and waits"
    assert remedy.endswith("sudo systemctl start dudo-table.service")


class SystemdAnswers(dict[tuple[str, ...], str]):
    """Whatever systemctl is asked."""

    def __init__(self, shown: str) -> None:
        super().__init__()
        self._shown = shown

    def get(self, command: tuple[str, ...], default: object = None) -> str | None:  # type: ignore[override]
        return self._shown if command[0] == "systemctl" else None


def test_a_table_that_systemd_runs_is_the_one_that_is_meant(here: DoctorTable) -> None:
    from firmware_host.doctor.checks.gpio import KernelPinHolders
    from firmware_host.doctor.context import build
    from firmware_host.doctor.machine import Machine

    here.write("/usr/lib/systemd/system/dudo-table.service", "")
    here.write("/etc/passwd", "dudo-table:x:990:990::/:/usr/sbin/nologin\n")
    machine = Machine(here.root, lambda command: None)
    context = build(
        DEFAULT_LAYOUT,
        None,
        ports=here.table,
        pin_holders=KernelPinHolders(lambda: here.chip),
        machine=machine,
        environment={"HOME": "/"},
    )
    assert (context.is_service, context.user.name) == (True, "dudo-table")
    assert context.state == here.root / "var/lib/dudo-table"
    assert context.layout_name == str(here.layout)


# The fences.


def test_a_check_that_fails_itself_is_told_and_the_others_go_on(here: DoctorTable) -> None:
    def fails(context: Context) -> Iterator[Finding]:
        yield right("so far so good")
        raise RuntimeError("out of\nluck")

    found = run_checks(here.context(), {"bad": fails, "clock": computer.check_clock})
    assert [(each.check, each.state) for each in found] == [
        ("bad", Health.RIGHT),
        ("bad", Health.UNKNOWN),
        ("clock", Health.RIGHT),
    ]
    assert found[1].what == "the check of bad failed (RuntimeError: out of\\nluck)"
    assert not is_well(found)


def test_a_check_that_hangs_is_given_up_and_what_it_had_found_is_told(here: DoctorTable) -> None:
    hangs_until = threading.Event()

    def hangs(context: Context) -> Iterator[Finding]:
        yield right("so far so good")
        hangs_until.wait(10)

    found = run_checks(here.context(), {"slow": hangs, "clock": computer.check_clock}, timeout_s=0.3)
    hangs_until.set()
    assert [each.state for each in found] == [Health.RIGHT, Health.UNKNOWN, Health.RIGHT]
    assert found[1].remedy == runner.HUNG_REMEDY


def test_a_layout_that_can_not_be_used_is_told_line_by_line_and_the_rest_is_looked_at(here: DoctorTable) -> None:
    text = here.layout.read_text().replace("left = 4", "left = 2").replace('"ssd1309"', '"ssd1308"', 1)
    here.layout.write_text(text)
    found = here.findings()
    assert [each.check for each in found if each.state is Health.WRONG] == ["layout", "layout"]
    assert {"disk", "power", "versions"} <= {each.check for each in found}


# What is printed.


def test_the_json_has_what_the_document_says(here: DoctorTable) -> None:
    told = json.loads(findings.to_json("corner-table", False, here.findings()))
    fields = {*told, *told["findings"][0]}
    documented = DOCUMENT.read_text(encoding="utf-8").partition("## `--json`")[2]
    assert set(re.findall(r"^\| `(\w+)`", documented, re.MULTILINE)) == fields
    assert (told["version"], told["well"]) == (findings.VERSION, True)


def test_every_check_is_in_the_document() -> None:
    table = DOCUMENT.read_text(encoding="utf-8").partition("## Checks")[2].partition("##")[0]
    assert re.findall(r"^\| `(\w+)`", table, re.MULTILINE) == [*CHECKS]


def test_the_command_tells_what_is_wrong_and_ends_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_table, "_find_process", lambda machine: None)  # other tests' tables run here
    assert cli.main(["doctor", "--layout", "boards-8", "--state", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert "WRONG   none of the 8 cups and boards of the layout is plugged in" in out
    assert err == ""


def test_the_command_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["doctor", "--layout", "wired-4", "--state", str(tmp_path / "none"), "--json"])
    assert json.loads(capsys.readouterr().out)["layout"] == "wired-4"
    assert [*tmp_path.iterdir()] == []
