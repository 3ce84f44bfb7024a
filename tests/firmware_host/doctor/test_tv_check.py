"""What the doctor says of the TV over a table: whether its session can have the screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.host.doctor_table import DoctorTable, doctor_table

from firmware_host.doctor.checks import tv
from firmware_host.doctor.findings import Finding, note, right, wrong

UNIT = f"/usr/lib/systemd/system/{tv.KIOSK}"


@pytest.fixture
def here(tmp_path: Path) -> Iterator[DoctorTable]:
    """Give a computer with a TV on which the kiosk runs, and without a desktop."""
    with doctor_table(tmp_path) as here:
        here.write(UNIT, "")
        here.write("/dev/dri/card1", "")
        runs(here, tv.KIOSK, UnitFileState="enabled", ActiveState="active")
        runs(here, tv.DISPLAY_MANAGER, LoadState="not-found", ActiveState="inactive")
        boots_to(here, "multi-user.target")
        yield here


def runs(here: DoctorTable, unit: str, **properties: str) -> None:
    command = ("systemctl", "show", unit, *(f"--property={name}" for name in tv._PROPERTIES))
    here.outputs[command] = "\n".join(f"{name}={value}" for name, value in properties.items())


def boots_to(here: DoctorTable, target: str) -> None:
    here.outputs["systemctl", "get-default"] = target


def found(here: DoctorTable) -> list[Finding]:
    return [*tv.check(here.context())]


def test_a_tv_that_runs_is_right(here: DoctorTable) -> None:
    assert found(here) == [right("dudo-table-kiosk.service is active")]


def test_without_the_package_nothing_is_said_of_a_tv(here: DoctorTable) -> None:
    here.remove(UNIT)
    assert found(here) == []


@pytest.mark.parametrize("state", ["active", "inactive"])
@pytest.mark.parametrize("login", ["lightdm.service", "gdm3.service"])
def test_a_login_screen_that_wants_the_screen_is_wrong(login: str, state: str, here: DoctorTable) -> None:
    runs(here, tv.DISPLAY_MANAGER, Id=login, LoadState="loaded", ActiveState=state)
    boots_to(here, "graphical.target")
    what = f"{login} shows a login screen where the TV of the table should be: both want the screen"
    assert found(here) == [wrong(what, "sudo systemctl set-default multi-user.target && sudo reboot")]


def test_a_desktop_that_does_not_start_is_no_fault(here: DoctorTable) -> None:
    runs(here, tv.DISPLAY_MANAGER, Id="lightdm.service", LoadState="loaded", ActiveState="inactive")
    assert found(here) == [right("dudo-table-kiosk.service is active")]


def test_a_desktop_beside_a_kiosk_that_nobody_enabled_is_no_fault(here: DoctorTable) -> None:
    runs(here, tv.KIOSK, UnitFileState="disabled", ActiveState="inactive")
    runs(here, tv.DISPLAY_MANAGER, Id="lightdm.service", LoadState="loaded", ActiveState="active")
    remedy = "sudo systemctl enable --now dudo-table-kiosk.service"
    assert found(here) == [note("dudo-table-kiosk.service is not enabled: no TV is used", remedy)]


def test_a_computer_without_graphics_is_wrong(here: DoctorTable) -> None:
    here.remove("/dev/dri/card1")
    (fault,) = found(here)
    assert fault.what == "the kernel has no graphics card, /dev/dri/card*"
    assert "dtoverlay=vc4-kms-v3d" in fault.remedy


def test_a_session_that_fails_again_and_again_is_wrong(here: DoctorTable) -> None:
    runs(here, tv.KIOSK, UnitFileState="enabled", ActiveState="activating", Result="exit-code", NRestarts="7")
    (fault,) = found(here)
    assert fault.what == "dudo-table-kiosk.service does not start (exit-code, restarted 7 times)"
    assert fault.remedy == "journalctl -b -u dudo-table-kiosk.service -n 20 tells why"


def test_a_session_that_was_stopped_is_noted(here: DoctorTable) -> None:
    runs(here, tv.KIOSK, UnitFileState="enabled", ActiveState="inactive")
    stopped = "dudo-table-kiosk.service is stopped"
    assert found(here) == [note(stopped, "sudo systemctl start dudo-table-kiosk.service")]
