"""The package on a real systemd without devices: one command installs it, and the service lives as its unit says."""

import re
from pathlib import Path

import pytest
from support.system import package
from support.system.container import Container

SERVICE = "dudo-table.service"
BLANK = "dudo-table-blank.service"
VOICE = "dudo-table-voice.service"
TV = "dudo-table-tv.service"
KIOSK = "dudo-table-kiosk.service"
TABLE = Path("etc/dudo-table/table.toml")
WATCHED_S = 3.0
"""WatchdogSec= of the unit."""


@pytest.fixture
def daemon(debian: Container) -> str:
    """Give the process of a daemon that is up, whatever happened to the one before."""
    debian.run("systemctl", "reset-failed")
    debian.run("systemctl", "start", SERVICE)
    return debian.shown(SERVICE, "MainPID")


def is_up(debian: Container, *, but: str) -> bool:
    """Return whether a daemon is up that is another process."""
    state = debian.run("systemctl", "show", "--value", "--property=ActiveState,MainPID", SERVICE).split()
    return "active" in state and but not in state


def test_one_command_has_the_daemon_up(debian: Container, daemon: str) -> None:
    assert debian.shown(SERVICE, "ActiveState") == "active"


def test_it_comes_up_with_the_computer(debian: Container) -> None:
    assert debian.run("systemctl", "is-enabled", SERVICE, BLANK).split() == ["enabled", "enabled"]


def test_panels_were_blanked_before_it_started(debian: Container, daemon: str) -> None:
    began = [int(debian.shown(unit, "ExecMainStartTimestampMonotonic")) for unit in (BLANK, SERVICE)]
    assert began == sorted(began)


def test_its_status_tells_how_the_evening_stands(debian: Container, daemon: str) -> None:
    status = debian.shown(SERVICE, "StatusText")
    print(status)
    assert status


def test_it_runs_as_a_user_of_its_own(debian: Container, daemon: str) -> None:
    assert debian.run("stat", "--format=%U:%G", f"/proc/{daemon}").strip() == "dudo-table:dudo-table"


def test_the_journal_is_its_users_alone(debian: Container, daemon: str) -> None:
    modes = debian.run("stat", "--format=%A %U", "/var/lib/dudo-table", "/var/lib/dudo-table/journal.sqlite")
    assert modes.splitlines() == ["drwx------ dudo-table", "-rw------- dudo-table"]


def test_who_is_in_its_group_may_listen(debian: Container, daemon: str) -> None:
    listening = ("runuser", "-u", "nobody", "-g", "dudo-table", "--", "timeout", "2", "dudo-table", "listen")
    assert '"scene":"lobby"' in debian.tried(*listening).stdout


def test_who_is_not_may_not_and_is_told_how_to(debian: Container, daemon: str) -> None:
    said = debian.tried("runuser", "-u", "nobody", "--", "timeout", "2", "dudo-table", "listen").stdout
    assert "permission denied; run sudo adduser" in said


def test_killed_it_is_up_again_within_moments(debian: Container, daemon: str) -> None:
    debian.run("kill", "-KILL", daemon)
    took_s = debian.wait_until(lambda: is_up(debian, but=daemon), 20.0)
    print(f"up again {took_s:.1f} s after kill -9")
    assert took_s < 10.0


def test_panels_are_blanked_when_it_was_killed(debian: Container, daemon: str) -> None:
    before = debian.log(SERVICE).count("displays are dark")
    debian.run("kill", "-KILL", daemon)
    debian.wait_until(lambda: is_up(debian, but=daemon), 20.0)
    assert debian.log(SERVICE).count("displays are dark") > before


def test_one_that_does_not_turn_any_more_is_bitten(debian: Container, daemon: str) -> None:
    debian.run("kill", "-STOP", daemon)
    took_s = debian.wait_until(lambda: is_up(debian, but=daemon), 30.0)
    print(f"up again {took_s:.1f} s after it froze")
    assert "Watchdog timeout" in debian.log(SERVICE)
    assert took_s < WATCHED_S + 10.0


def test_one_that_turns_is_left_alone(debian: Container, daemon: str) -> None:
    debian.run("sleep", str(2 * WATCHED_S))
    assert debian.shown(SERVICE, "MainPID") == daemon


def test_the_oftener_it_dies_the_longer_systemd_waits(debian: Container, daemon: str) -> None:
    waits = [debian.shown(SERVICE, "RestartUSecNext")]
    for _ in range(2):
        died = debian.shown(SERVICE, "MainPID")
        debian.run("kill", "-KILL", died)
        debian.wait_until(lambda died=died: is_up(debian, but=died), 20.0)
        waits.append(debian.shown(SERVICE, "RestartUSecNext"))
    print("waits", *waits)
    assert waits[0] == "100ms"
    assert len(set(waits)) == 3


def test_it_reads_its_configuration_again_without_ending(debian: Container, daemon: str) -> None:
    debian.run("systemctl", "reload", SERVICE, within_s=20.0)
    assert debian.shown(SERVICE, "MainPID") == daemon
    assert debian.shown(SERVICE, "ActiveState") == "active"


def test_a_layout_that_was_edited_wrong_leaves_the_last_good_one_in_force(debian: Container, daemon: str) -> None:
    table = debian.root / TABLE
    good = table.read_text()
    try:
        table.write_text(good.replace("[[seat]]", "[[saet]]"))
        debian.run("systemctl", "restart", SERVICE)
        assert debian.shown(SERVICE, "ActiveState") == "active"
        assert f"/{TABLE}" in debian.log(SERVICE)
    finally:
        table.write_text(good)


def test_without_any_good_layout_it_ends_and_is_left_to_its_owner(debian: Container, daemon: str) -> None:
    table = debian.root / TABLE
    good = table.read_text()
    debian.run("systemctl", "stop", SERVICE)
    debian.run("mv", "/var/lib/dudo-table/last-good", "/root/")
    try:
        table.write_text("")
        assert debian.tried("systemctl", "start", SERVICE).returncode
        debian.run("sleep", "1")
        assert debian.shown(SERVICE, "ActiveState") == "failed"
        assert debian.shown(SERVICE, "ExecMainStatus") == "78"
        assert debian.shown(SERVICE, "NRestarts") == "0"
    finally:
        table.write_text(good)
        debian.run("mv", "/root/last-good", "/var/lib/dudo-table/")


def test_it_comes_up_when_the_partition_of_its_state_does_not(debian: Container, daemon: str) -> None:
    mount = debian.root / "etc/systemd/system/var-lib-dudo\\x2dtable.mount"
    mount.write_text("[Mount]\nWhat=nothing\nWhere=/var/lib/dudo-table\nType=no-such-type\n")
    try:
        debian.run("systemctl", "daemon-reload")
        debian.run("systemctl", "restart", SERVICE)
        assert debian.shown(mount.name, "ActiveState") == "failed"
        assert debian.shown(SERVICE, "ActiveState") == "active"
    finally:
        mount.unlink()
        debian.run("systemctl", "daemon-reload")


def test_told_to_stop_it_ends_in_peace(debian: Container, daemon: str) -> None:
    debian.run("systemctl", "stop", SERVICE)
    assert debian.shown(SERVICE, "Result") == "success"
    assert debian.shown(SERVICE, "ExecMainStatus") == "0"


def test_the_unit_has_its_hand_on_no_device_but_the_tables(debian: Container, daemon: str) -> None:
    assert debian.shown(SERVICE, "DevicePolicy") == "closed"
    allowed = set(re.findall(r"char-(\w+)", debian.shown(SERVICE, "DeviceAllow")))
    assert allowed - {"rtc"} <= {"gpiochip", "i2c", "spi", "ttyACM", "ttyUSB", "ttyAMA", "ttyS"}


def test_the_caller_waits_for_its_owner_and_follows_the_table(debian: Container, daemon: str) -> None:
    assert debian.tried("systemctl", "is-enabled", VOICE).stdout.strip() == "disabled"
    assert debian.shown(VOICE, "ActiveState") == "inactive"
    debian.run("systemctl", "start", VOICE)
    try:
        assert debian.shown(VOICE, "ActiveState") == "active"
        debian.wait_until(lambda: debian.shown(VOICE, "StatusText") == "follows the table", 30)
    finally:
        debian.run("systemctl", "stop", VOICE)
    assert debian.shown(VOICE, "Result") == "success"


def test_the_tv_follows_the_table_and_its_session_waits_for_a_graphics_card(debian: Container, daemon: str) -> None:
    place = debian.root / "kiosk.deb"
    place.write_bytes(package.built(package.KIOSK).read_bytes())
    debian.run("dpkg", "--force-depends", "--install", f"/{place.name}")  # without the browser
    try:
        assert debian.run("systemctl", "is-enabled", TV, KIOSK).split() == ["enabled", "enabled"]
        assert debian.shown(TV, "ActiveState") == "active"
        debian.wait_until(lambda: debian.shown(TV, "StatusText").startswith("this computer has no HDMI-CEC"), 30)
        assert debian.shown(KIOSK, "ActiveState") == "inactive"
        debian.run("systemctl", "start", KIOSK)
        assert debian.shown(KIOSK, "ConditionResult") == "no"
    finally:
        debian.run("dpkg", "--purge", package.KIOSK)
    assert debian.shown(TV, "ActiveState") == "inactive"


def test_closing_time_ends_well_and_asks_for_a_copy(debian: Container, daemon: str) -> None:
    """A container has no stick, so the copy is asked for, and its condition does not hold."""
    debian.run("systemctl", "start", "dudo-table-closing.service")
    assert debian.shown("dudo-table-closing.service", "Result") == "success"
    assert debian.shown("dudo-table-backup.path", "ActiveState") == "active"
    assert debian.shown("dudo-table-backup.service", "ConditionTimestampMonotonic") != "0"
    assert debian.shown("dudo-table-backup.service", "ConditionResult") == "no"
