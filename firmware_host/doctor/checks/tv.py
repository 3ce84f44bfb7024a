"""The `dudo-table-kiosk` TV: whether its session can have the screen. Silent without that package."""

from collections.abc import Iterator

from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, note, right, wrong
from firmware_host.doctor.running_table import UNIT_FOLDERS

KIOSK = "dudo-table-kiosk.service"
DISPLAY_MANAGER = "display-manager.service"
"""Debian's link to the display manager: lightdm, gdm3, sddm, greetd."""
_PROPERTIES = ("Id", "LoadState", "ActiveState", "SubState", "Result", "NRestarts", "UnitFileState")


def check(context: Context) -> Iterator[Finding]:
    """Yield the state of the TV's unit, and any program that would take its screen."""
    machine = context.machine
    if not any(machine.path(f"{folder}/{KIOSK}").exists() for folder in UNIT_FOLDERS):
        return
    kiosk = _shown(context, KIOSK)
    if not kiosk:  # there is no systemd
        return
    is_enabled, state = kiosk.get("UnitFileState") == "enabled", kiosk.get("ActiveState", "")
    if not is_enabled and state not in ("active", "activating"):
        yield note(f"{KIOSK} is not enabled: no TV is used", f"sudo systemctl enable --now {KIOSK}")
        return
    login = _login_screen(context)
    if login:
        what = f"{login} shows a login screen where the TV of the table should be: both want the screen"
        yield wrong(what, "sudo systemctl set-default multi-user.target && sudo reboot")
    elif not machine.names("/dev/dri", "card*"):
        yield wrong("the kernel has no graphics card, /dev/dri/card*", _GRAPHICS)
    elif state == "active":
        yield right(f"{KIOSK} is active")
    elif state in ("failed", "activating", "auto-restart"):
        what = f"{KIOSK} does not start ({kiosk.get('Result', state)}, restarted {kiosk.get('NRestarts', '0')} times)"
        yield wrong(what, f"journalctl -b -u {KIOSK} -n 20 tells why")
    elif state:
        yield note(f"{KIOSK} is stopped", f"sudo systemctl start {KIOSK}")


def _login_screen(context: Context) -> str:
    """Return the unit of a running or enabled login screen; empty without one."""
    manager = _shown(context, DISPLAY_MANAGER)
    if manager.get("LoadState") != "loaded":
        return ""
    starts = context.machine.run(("systemctl", "get-default")) == "graphical.target"
    is_there = manager.get("ActiveState") in ("active", "activating", "reloading")
    return manager.get("Id", DISPLAY_MANAGER) if starts or is_there else ""


def _shown(context: Context, unit: str) -> dict[str, str]:
    output = context.machine.run(("systemctl", "show", unit, *(f"--property={name}" for name in _PROPERTIES)))
    return dict(line.split("=", 1) for line in (output or "").splitlines() if "=" in line)


_GRAPHICS = "plug the TV into the socket HDMI0 beside the power; /boot/firmware/config.txt needs dtoverlay=vc4-kms-v3d"
