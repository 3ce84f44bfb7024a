"""The supply: whether the Pi sees too little voltage now, or has seen it since it was started."""

from collections.abc import Iterator
from pathlib import Path

from firmware_host.doctor.context import Patient
from firmware_host.doctor.findings import Finding, note, right, wrong

NAME = "power"
LOW_NOW, THROTTLED_NOW = 1 << 0, 1 << 2
LOW_SINCE, THROTTLED_SINCE = 1 << 16, 1 << 18
"""Bits of what the firmware says: Raspberry Pi documentation, "vcgencmd get_throttled"."""


def check(patient: Patient) -> Iterator[Finding]:
    """The firmware's word, else the kernel's alarm."""
    bits = _throttled(patient)
    alarm = any(
        patient.machine.text(f"{folder}/name") == "rpi_volt" and patient.machine.number(f"{folder}/in0_lcrit_alarm")
        for folder in map(str, map(Path, patient.machine.names("/sys/class/hwmon")))
    )
    if alarm or (bits or 0) & LOW_NOW:
        yield wrong(NAME, "the Pi gets less than 4.63 V now: it may stop at any moment", _SUPPLY)
    elif (bits or 0) & LOW_SINCE:
        yield note(NAME, "the Pi has had less than 4.63 V since it was started", _SUPPLY)
    elif bits is not None:
        yield right(NAME, "the Pi has had enough voltage since it was started")
    if (bits or 0) & THROTTLED_NOW and not (bits or 0) & LOW_NOW:
        yield note(NAME, "the Pi is hot and has slowed down", "give its case air, or a heat sink")
    for name in patient.machine.names("/sys/bus/usb/devices", "*/*/over_current_count"):
        if patient.machine.number(name):
            port = Path(name).parent.name
            yield note(NAME, f"USB {port} was switched off for taking too much current", _HUB)


def _throttled(patient: Patient) -> int | None:
    said = patient.machine.run(("vcgencmd", "get_throttled"))
    if not said:
        said = patient.machine.text("/sys/devices/platform/soc/soc:firmware/get_throttled")
    try:
        return int((said or "").rpartition("=")[2], 16)
    except ValueError:
        return None


_SUPPLY = "use a supply made for this Pi, with its own cable: 5.1 V and 3 A (Pi 5: 5 A)"
_HUB = "hang the boards on a hub with a supply of its own"
