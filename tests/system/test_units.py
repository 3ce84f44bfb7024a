"""The unit files and their company, without booting anything: by the systemd of the Debian they are for."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.system import debian_root, package

MOST_EXPOSED = 1.5
AT_THE_PORTS = ("dudo-table.service", "dudo-table-blank.service")
UNITS = (*AT_THE_PORTS, "dudo-table-voice.service")


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    """Give a Debian in which the package's files lie, and its users are made."""
    with debian_root.unpacked() as root:
        debian_root.run("dpkg-deb", "--extract", package.built(), root)
        debian_root.run("chroot", root, "systemd-sysusers")
        yield root


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_has_nothing_to_say_about_a_unit(unit: str, root: Path) -> None:
    assert debian_root.run("chroot", root, "systemd-analyze", "verify", "--man=no", unit) == ""


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_hardly_exposed(unit: str, root: Path) -> None:
    said = debian_root.run(
        "chroot", root, "systemd-analyze", "security", "--no-pager", "--offline=true", f"/usr/lib/systemd/system/{unit}"
    )
    exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", said)
    assert exposure is not None
    print(exposure[0])
    assert float(exposure[1]) <= MOST_EXPOSED


def test_the_rules_for_devices_are_without_fault(root: Path) -> None:
    rules = "/usr/lib/udev/rules.d/60-dudo-table.rules"
    assert re.search(r"Success: +1\n +Fail: +0\n", debian_root.run("chroot", root, "udevadm", "verify", rules))


def test_the_tables_user_is_in_the_groups_of_its_devices(root: Path) -> None:
    groups = debian_root.run("chroot", root, "id", "--name", "--groups", "dudo-table").split()
    assert set(groups) == {"dudo-table", "gpio", "i2c", "spi", "dialout"}


def test_the_tables_user_cannot_log_in(root: Path) -> None:
    assert debian_root.run("chroot", root, "getent", "passwd", "dudo-table").strip().endswith("/nologin")


def test_the_caller_sees_sound_cards_and_not_the_state_of_the_table(root: Path) -> None:
    unit = (root / "usr/lib/systemd/system/dudo-table-voice.service").read_text()
    assert re.findall(r"^DeviceAllow=(.*)", unit, re.MULTILINE) == ["char-alsa rw"]
    assert "\nInaccessiblePaths=-/var/lib/dudo-table\n" in unit
    assert "\nDynamicUser=yes\n" in unit


def test_both_units_see_the_same_devices(root: Path) -> None:
    units = [(root / "usr/lib/systemd/system" / unit).read_text() for unit in AT_THE_PORTS]
    daemons, blanks = (re.findall(r"^Device\w+=.*", text, re.MULTILINE) for text in units)
    assert daemons == blanks
