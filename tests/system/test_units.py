"""The unit files and their company, without booting anything: by the systemd of the Debian they are for."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.system import debian_root, package

from firmware_host.table.staff.machine import Job

MOST_EXPOSED = 1.5
OF_ROOT = {
    "dudo-table-backup.service": 1.7,
    "dudo-table-doctor.service": 3.0,
    "dudo-table-poweroff.service": 0.9,
    "dudo-table-setup.service": 1.5,
    "dudo-table-update.service": 4.3,
}
"""The most of each unit of root. An update is apt and dpkg, which write everywhere and run the scripts of packages, and
mounts a USB drive; the doctor sees the computer as it is.
"""
AT_THE_PORTS = ("dudo-table.service", "dudo-table-blank.service")
SCREEN = "dudo-table-screen.service"
OWNER = "dudo-table-owner.service"
PHONES = "dudo-table-phones.service"
TV = "dudo-table-tv.service"
BRIDGE, VENUE = "dudo-table-bridge.service", "dudo-table-venue.service"
KIOSK = "dudo-table-kiosk.service"
KIOSK_EXPOSED = 4.8
"""The remainder is for the browser's own sandbox: namespaces, setuid, devices, the network and all system calls."""
HARDENED = (
    *(*AT_THE_PORTS, "dudo-table-voice.service", SCREEN, OWNER, PHONES, BRIDGE, VENUE, TV),
    "dudo-table-closing.service",
)
OF_STAFF = tuple(f"{job.unit}.{kind}" for job in Job for kind in ("path", "service"))
OF_OTHER_PACKAGES = ("cage", "chromium")
"""Programs that a unit starts. That the packages which have them are depended on is a test of its own."""


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    """Give a Debian in which the packages' files lie, and their users are made."""
    with debian_root.unpacked() as root:
        for name in ("dudo-table", package.KIOSK):
            debian_root.run("dpkg-deb", "--extract", package.built(name), root)
        for program in OF_OTHER_PACKAGES:
            (root / "usr/bin" / program).symlink_to("true")
        debian_root.run("chroot", root, "systemd-sysusers")
        yield root


def text_of(unit: str, root: Path) -> str:
    return (root / "usr/lib/systemd/system" / unit).read_text()


@pytest.mark.parametrize("unit", [*HARDENED, KIOSK, "dudo-table-closing.timer", *OF_STAFF])
def test_systemd_has_nothing_to_say_about_a_unit(unit: str, root: Path) -> None:
    assert debian_root.run("chroot", root, "systemd-analyze", "verify", "--man=no", unit) == ""


@pytest.mark.parametrize(
    ("unit", "most"), [*((unit, MOST_EXPOSED) for unit in HARDENED), *OF_ROOT.items(), (KIOSK, KIOSK_EXPOSED)]
)
def test_a_unit_is_hardly_exposed(unit: str, most: float, root: Path) -> None:
    said = debian_root.run(
        "chroot", root, "systemd-analyze", "security", "--no-pager", "--offline=true", f"/usr/lib/systemd/system/{unit}"
    )
    exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", said)
    assert exposure is not None
    print(exposure[0])
    assert float(exposure[1]) <= most


def test_the_rules_for_devices_are_without_fault(root: Path) -> None:
    rules = "/usr/lib/udev/rules.d/60-dudo-table.rules"
    assert re.search(r"Success: +1\n +Fail: +0\n", debian_root.run("chroot", root, "udevadm", "verify", rules))


def test_the_tables_user_is_in_the_groups_of_its_devices(root: Path) -> None:
    groups = debian_root.run("chroot", root, "id", "--name", "--groups", "dudo-table").split()
    assert set(groups) == {"dudo-table", "gpio", "i2c", "spi", "dialout"}


def test_the_tables_user_cannot_log_in(root: Path) -> None:
    assert debian_root.run("chroot", root, "getent", "passwd", "dudo-table").strip().endswith("/nologin")


def test_the_caller_sees_sound_cards_and_not_the_state_of_the_table(root: Path) -> None:
    unit = text_of("dudo-table-voice.service", root)
    assert re.findall(r"^DeviceAllow=(.*)", unit, re.MULTILINE) == ["char-alsa rw"]
    assert "\nInaccessiblePaths=-/var/lib/dudo-table\n" in unit
    assert "\nDynamicUser=yes\n" in unit


def test_both_units_see_the_same_devices(root: Path) -> None:
    units = [text_of(unit, root) for unit in AT_THE_PORTS]
    daemons, blanks = (re.findall(r"^Device\w+=.*", text, re.MULTILINE) for text in units)
    assert daemons == blanks


@pytest.mark.parametrize(("unit", "devices"), [(SCREEN, []), (BRIDGE, []), (VENUE, []), (TV, ["char-cec rw"])])
def test_a_unit_that_only_follows_the_table_sees_neither_the_tables_devices_nor_its_state(
    unit: str, devices: list[str], root: Path
) -> None:
    text = text_of(unit, root)
    assert re.findall(r"^DeviceAllow=(.*)", text, re.MULTILINE) == devices
    assert "\nDevicePolicy=closed\n" in text
    assert "\nInaccessiblePaths=-/var/lib/dudo-table" in text
    assert "\nDynamicUser=yes\n" in text


def test_the_owners_page_has_the_tables_user_and_sees_neither_devices_nor_state_nor_the_daemons_memory(
    root: Path,
) -> None:
    lines = text_of(OWNER, root).splitlines()
    assert {"User=dudo-table", "DevicePolicy=closed", "PrivateDevices=yes", "PrivatePIDs=yes"} <= {*lines}
    assert "InaccessiblePaths=-/var/lib/dudo-table" in lines
    assert not any(line.startswith("DeviceAllow=") for line in lines)


@pytest.mark.parametrize("unit", [BRIDGE, VENUE])
def test_each_secret_is_a_credential_and_may_be_missing(unit: str, root: Path) -> None:
    text = text_of(unit, root)
    secrets = re.findall(r"^LoadCredential=([a-z-]+):/etc/dudo-table/", text, re.MULTILINE)
    assert {"mqtt-user", "mqtt-password"} <= {*secrets}
    assert re.findall(r"^SetCredential=([a-z-]+):\\n$", text, re.MULTILINE) == secrets


def test_a_venue_reaches_nothing_of_a_table_on_its_computer(root: Path) -> None:
    text = text_of(VENUE, root)
    assert "SupplementaryGroups" not in text
    assert "\nInaccessiblePaths=-/var/lib/dudo-table -/run/dudo-table\n" in text


def test_the_power_of_the_tv_has_no_network_and_adapters_are_of_its_group(root: Path) -> None:
    text = text_of(TV, root)
    assert "\nPrivateNetwork=yes\n" in text
    assert "\nSupplementaryGroups=dudo-table video\n" in text
    rules = (root / "usr/lib/udev/rules.d").glob("*.rules")
    assert any(re.search(r'^SUBSYSTEM=="cec",.* GROUP="video"', each.read_text(), re.MULTILINE) for each in rules)


def test_the_tvs_user_is_in_no_group_of_the_table_and_cannot_log_in(root: Path) -> None:
    assert debian_root.run("chroot", root, "id", "--name", "--groups", "dudo-kiosk").split() == ["dudo-kiosk"]
    assert debian_root.run("chroot", root, "getent", "passwd", "dudo-kiosk").strip().endswith("/nologin")


def test_the_tv_is_a_session_on_the_first_terminal_and_needs_no_keyboard(root: Path) -> None:
    lines = text_of(KIOSK, root).splitlines()
    assert {"User=dudo-kiosk", "PAMName=login", "TTYPath=/dev/tty1", "Conflicts=getty@tty1.service"} <= {*lines}
    assert {"ConditionPathExistsGlob=/dev/dri/card*", "Restart=always"} <= {*lines}
    assert any(line.startswith("Environment=WLR_LIBINPUT_NO_DEVICES=1") for line in lines)


def test_nothing_of_the_unit_breaks_the_browsers_sandbox_or_leaves_it_out(root: Path) -> None:
    text = text_of(KIOSK, root)
    assert "--no-sandbox" not in text
    breaking = "NoNewPrivileges|MemoryDenyWriteExecute|RestrictNamespaces|PrivateUsers|PrivateDevices|SystemCallFilter"
    assert not re.search(rf"^({breaking})=", text, re.MULTILINE)


def test_the_browser_alone_sees_its_policies_and_nothing_of_the_table(root: Path) -> None:
    lines = text_of(KIOSK, root).splitlines()
    assert "BindReadOnlyPaths=%t/dudo-table-kiosk/policies:/etc/chromium/policies" in lines
    assert "InaccessiblePaths=-/var/lib/dudo-table -/run/dudo-table" in lines
    assert {"LimitCORE=0", "MemoryMax=800M"} <= {*lines}


def test_the_browsers_profile_is_in_memory_and_new_at_each_start(root: Path) -> None:
    text = text_of(KIOSK, root)
    assert "\nRuntimeDirectory=dudo-table-kiosk dudo-table-kiosk/policies\n" in text
    assert " --user-data-dir=%t/dudo-table-kiosk/" in text
    assert "RuntimeDirectoryPreserve" not in text
