"""All checks in report order, each on its own thread.

A failing or hanging check becomes a finding and does not affect the others.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import Thread

from msgspec.structs import replace

from firmware_host.doctor.checks import (
    buses,
    clock,
    computer,
    disk,
    gpio,
    journal,
    permissions,
    power,
    serial,
    service,
    tv,
    versions,
)
from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, note, right, unknown, wrong
from hardware.config.problems import one_line

Check = Callable[[Context], Iterable[Finding]]

TIMEOUT_S = 12.0
"""Seconds for all checks; eight hung displays take one second each, as the kernel's adapter waits that long."""
HUNG_REMEDY = "something hangs: sudo reboot, then run the doctor again"
FAILED_REMEDY = "this is a fault of the doctor: report it with the output of dudo-table doctor --json"


def check_layout(context: Context) -> Iterator[Finding]:
    """Yield every fault in the layout and its rules, or a layout summary."""
    from firmware_host.configuration import summary

    for file, fault in context.faults:
        place = " = ".join(part for part in (fault.key, fault.value) if part)
        what = f"{file}: {f'{place}: ' if place else ''}{fault.message}"
        yield wrong("layout", what, fault.remedy)
    if any(file == context.layout_name for file, _ in context.faults) and context.layout is not None:
        yield note("layout", "the last good layout is checked in its place")
    elif not context.faults and context.layout is not None:
        yield right("layout", f"{context.layout_name} is right: {summary.of_layout(context.layout)}")


CHECKS: Mapping[str, Check] = {
    "layout": check_layout,
    service.NAME: service.check,
    computer.NAME: computer.check,
    permissions.NAME: permissions.check,
    gpio.NAME: gpio.check,
    buses.NAME: buses.check,
    serial.NAME: serial.check,
    tv.NAME: tv.check,
    power.NAME: power.check,
    versions.NAME: versions.check,
    disk.NAME: disk.check,
    journal.NAME: journal.check,
    clock.NAME: clock.check,
}


def run_checks(
    context: Context, checks: Mapping[str, Check] = CHECKS, *, timeout_s: float = TIMEOUT_S
) -> list[Finding]:
    """Run the checks at the same time and return all findings in their order, after `timeout_s` at the latest."""
    threads = [_CheckThread(name, check, context) for name, check in checks.items()]
    until_s = time.monotonic() + timeout_s
    for thread in threads:
        thread.join(max(0.0, until_s - time.monotonic()))
    return [_printable(finding) for thread in threads for finding in thread.results(timeout_s)]


def _printable(finding: Finding) -> Finding:
    """Return a finding with control characters escaped: boards, files and other processes wrote parts of it."""
    return replace(finding, what=one_line(finding.what), remedy=one_line(finding.remedy))


class _CheckThread(Thread):
    """A thread that runs one check."""

    def __init__(self, name: str, check: Check, context: Context) -> None:
        super().__init__(name=f"doctor {name}", daemon=True)
        self._check_name = name
        self._check = check
        self._subject = context
        self._found: list[Finding] = []
        self.start()

    def results(self, timeout_s: float) -> list[Finding]:
        """Return the findings so far, with another one if the check still runs."""
        found = [*self._found]
        if self.is_alive():
            name = self._check_name
            found.append(unknown(name, f"the check of {name} took longer than {timeout_s:g} s", HUNG_REMEDY))
        return found

    def run(self) -> None:
        """Run the check; an exception becomes a finding."""
        try:
            for finding in self._check(self._subject):
                self._found.append(finding)
        except Exception as error:
            why = one_line(f"{type(error).__name__}: {error}")[:200]
            name = self._check_name
            self._found.append(unknown(name, f"the check of {name} failed ({why})", FAILED_REMEDY))
