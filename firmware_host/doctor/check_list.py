"""What the doctor looks at, in the order in which it tells."""

from collections.abc import Iterator, Mapping

from firmware_host.doctor.checks import (
    access,
    buses,
    clock,
    computer,
    disk,
    gpio,
    journal,
    power,
    serial,
    service,
    versions,
)
from firmware_host.doctor.context import Patient
from firmware_host.doctor.findings import Finding, note, right, wrong
from firmware_host.doctor.runner import Check


def of_layout(patient: Patient) -> Iterator[Finding]:
    """Every fault of the layout and its rules, or what hangs on the table."""
    from firmware_host.configuration import summary

    for file, fault in patient.faults:
        place = " = ".join(part for part in (fault.key, fault.value) if part)
        what = f"{file}: {f'{place}: ' if place else ''}{fault.message}"
        yield wrong("layout", what, fault.remedy)
    if any(file == patient.layout_name for file, _ in patient.faults) and patient.layout is not None:
        yield note("layout", "the layout that was last in force is looked at")
    elif not patient.faults and patient.layout is not None:
        yield right("layout", f"{patient.layout_name} is right: {summary.of_layout(patient.layout)}")


CHECKS: Mapping[str, Check] = {
    "layout": of_layout,
    service.NAME: service.check,
    computer.NAME: computer.check,
    access.NAME: access.check,
    gpio.NAME: gpio.check,
    buses.NAME: buses.check,
    serial.NAME: serial.check,
    power.NAME: power.check,
    versions.NAME: versions.check,
    disk.NAME: disk.check,
    journal.NAME: journal.check,
    clock.NAME: clock.check,
}
