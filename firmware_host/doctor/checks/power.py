"""The power supply: whether the Pi's voltage is too low now, or has been since the start."""

from collections.abc import Iterator
from pathlib import Path

from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, note, right, wrong

NAME = "power"
LOW_NOW, THROTTLED_NOW = 1 << 0, 1 << 2
LOW_SINCE, THROTTLED_SINCE = 1 << 16, 1 << 18
"""Bits of the firmware's answer: Raspberry Pi documentation, "vcgencmd get_throttled"."""


def check(context: Context) -> Iterator[Finding]:
    """Yield findings from the firmware's answer, else from the kernel's alarm."""
    bits = _throttled(context)
    alarm = any(
        context.machine.text(f"{folder}/name") == "rpi_volt" and context.machine.number(f"{folder}/in0_lcrit_alarm")
        for folder in map(str, map(Path, context.machine.names("/sys/class/hwmon")))
    )
    if alarm or (bits or 0) & LOW_NOW:
        yield wrong(NAME, "the Pi gets less than 4.63 V now: it may stop at any moment", _SUPPLY)
    elif (bits or 0) & LOW_SINCE:
        yield note(NAME, "the Pi has had less than 4.63 V since it was started", _SUPPLY)
    elif bits is not None:
        yield right(NAME, "the Pi has had enough voltage since it was started")
    if (bits or 0) & THROTTLED_NOW and not (bits or 0) & LOW_NOW:
        yield note(NAME, "the Pi is hot and has slowed down", "ventilate its case, or add a heat sink")
    for name in context.machine.names("/sys/bus/usb/devices", "*/*/over_current_count"):
        if context.machine.number(name):
            port = Path(name).parent.name
            yield note(NAME, f"USB {port} was switched off for taking too much current", _HUB)


def _throttled(context: Context) -> int | None:
    said = context.machine.run(("vcgencmd", "get_throttled"))
    if not said:
        said = context.machine.text("/sys/devices/platform/soc/soc:firmware/get_throttled")
    try:
        return int((said or "").rpartition("=")[2], 16)
    except ValueError:
        return None


_SUPPLY = "use a supply made for this Pi, with its own cable: 5.1 V and 3 A (Pi 5: 5 A)"
_HUB = "plug the boards into a hub with a supply of its own"
