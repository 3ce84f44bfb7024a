"""The computer's model: a wired table needs a Raspberry Pi's pins, a table of boards any Linux with USB."""

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, note, right, wrong
from firmware_host.doctor.machine import Machine

LOW_NOW, THROTTLED_NOW, LOW_SINCE = 1 << 0, 1 << 2, 1 << 16
"""Bits of the firmware's answer: Raspberry Pi documentation, "vcgencmd get_throttled"."""
DAY_S = 86_400
"""Seconds."""


def check_model(context: Context) -> Iterator[Finding]:
    """Yield findings on the model and its 64 bits."""
    board = board_of(context.machine)
    if board:
        yield right(board)
    elif context.is_wired:
        yield wrong("this computer is not a Raspberry Pi, and a wired table needs the pins of one", _BOARDS)
    else:
        yield right("not a Raspberry Pi; a table of boards needs none")
    if sys.maxsize < 1 << 32:
        yield note("this system has 32 bits; the libraries of dudo-table are built for 64", "install the 64-bit system")


def board_of(machine: Machine) -> str:
    """Return the model from the kernel, or from gpiozero by its revision; empty if it is not a Pi."""
    model = machine.text("/proc/device-tree/model") or ""
    revision = re.search(r"^Revision\s*:\s*([0-9a-fA-F]+)$", machine.text("/proc/cpuinfo") or "", re.MULTILINE)
    if not revision:
        return model if "Raspberry Pi" in model else ""
    return f"{model or _model(int(revision[1], 16))} (revision {revision[1]})"


def _model(revision: int) -> str:
    from gpiozero import PiBoardInfo, PinUnknownPi

    try:
        return f"Raspberry Pi {PiBoardInfo.from_revision(revision).model}"
    except PinUnknownPi:
        return "a Raspberry Pi unknown to gpiozero"


def check_power(context: Context) -> Iterator[Finding]:
    """Yield findings from the firmware's answer, else from the kernel's alarm."""
    bits = _throttled(context)
    flags = bits or 0
    alarm = any(
        context.machine.text(f"{folder}/name") == "rpi_volt" and context.machine.number(f"{folder}/in0_lcrit_alarm")
        for folder in map(str, map(Path, context.machine.names("/sys/class/hwmon")))
    )
    if alarm or flags & LOW_NOW:
        yield wrong("the Pi gets less than 4.63 V now: it may stop at any moment", _SUPPLY)
    elif flags & LOW_SINCE:
        yield note("the Pi has had less than 4.63 V since it was started", _SUPPLY)
    elif bits is not None:
        yield right("the Pi has had enough voltage since it was started")
    if flags & THROTTLED_NOW and not flags & LOW_NOW:
        yield note("the Pi is hot and has slowed down", "ventilate its case, or add a heat sink")
    for name in context.machine.names("/sys/bus/usb/devices", "*/*/over_current_count"):
        if context.machine.number(name):
            port = Path(name).parent.name
            yield note(f"USB {port} was switched off for taking too much current", _HUB)


def _throttled(context: Context) -> int | None:
    said = context.machine.run(("vcgencmd", "get_throttled"))
    if not said:
        said = context.machine.text("/sys/devices/platform/soc/soc:firmware/get_throttled")
    try:
        return int((said or "").rpartition("=")[2], 16)
    except ValueError:
        return None


def check_clock(context: Context) -> Iterator[Finding]:
    """Yield a finding on the date, which can't be before the date of this program's files."""
    now_s, written_s = time.time(), Path(__file__).stat().st_mtime
    today = time.strftime("%Y-%m-%d %H:%M", time.localtime(now_s))
    if now_s < written_s - DAY_S:
        yield note(f"the clock says {today}, which is in the past: matches will get wrong dates", _SET)
    elif context.machine.run(("timedatectl", "show", "-p", "NTPSynchronized", "--value")) == "no":
        yield right(f"the clock says {today}, and no network sets it; only the dates of matches depend on it")
    else:
        yield right(f"the clock says {today}")


_BOARDS = "run it on a Raspberry Pi, or build a table of boards: dudo-table show boards-8"
_SUPPLY = "use a supply made for this Pi, with its own cable: 5.1 V and 3 A (Pi 5: 5 A)"
_HUB = "plug the boards into a hub with a supply of its own"
_SET = "connect the Pi to a network for a minute, or: sudo date -s 'YYYY-MM-DD HH:MM'"
