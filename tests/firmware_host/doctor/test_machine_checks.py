"""The doctor's checks of a table's computer: groups, disk, journal, supply, versions; and its printed report."""

import json
import os
import re
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from importlib import metadata
from pathlib import Path
from pkgutil import iter_modules
from types import SimpleNamespace

import pytest
from support import ROOT
from support.host.doctor_table import DoctorTable, told

from firmware_host import cli
from firmware_host.doctor import checks, findings, runner, running_table
from firmware_host.doctor.checks import computer, disk, journal, permissions, versions
from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, Health, is_well, right
from firmware_host.doctor.machine import User
from firmware_host.doctor.runner import CHECKS, run_checks
from firmware_host.store.house import counters
from firmware_host.store.journal.journal import SCHEMA, Journal

DOCUMENT = ROOT / "docs/doctor.md"
PI = User("pi", 4242, frozenset({5001}), frozenset({5001}))


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


def test_every_module_of_checks_is_run() -> None:
    modules = {name for _, name, _ in iter_modules(checks.__path__, f"{checks.__name__}.")}
    assert modules == {check.__module__ for check in CHECKS.values()} - {runner.__name__}


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
