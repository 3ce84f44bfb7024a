"""All checks in report order, each on its own thread.

A failing or hanging check becomes a finding and does not affect the others.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import Thread

from msgspec.structs import replace

from firmware_host.doctor.checks import buses, computer, disk, gpio, journal, permissions, serial, service, tv, versions
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
        yield wrong(what, fault.remedy)
    if any(file == context.layout_name for file, _ in context.faults) and context.layout is not None:
        yield note("the last good layout is checked in its place")
    elif not context.faults and context.layout is not None:
        yield right(f"{context.layout_name} is right: {summary.of_layout(context.layout)}")


CHECKS: Mapping[str, Check] = {
    "layout": check_layout,
    "table": service.check,
    "board": computer.check_model,
    "groups": permissions.check,
    "pins": gpio.check,
    "panels": buses.check,
    "ports": serial.check,
    "tv": tv.check,
    "power": computer.check_power,
    "versions": versions.check,
    "disk": disk.check,
    "journal": journal.check,
    "clock": computer.check_clock,
}


def run_checks(
    context: Context, checks: Mapping[str, Check] = CHECKS, *, timeout_s: float = TIMEOUT_S
) -> list[Finding]:
    """Run the checks at the same time and return all findings in their order, after `timeout_s` at the latest."""
    threads = [_CheckThread(name, check, context) for name, check in checks.items()]
    until_s = time.monotonic() + timeout_s
    for thread in threads:
        thread.join(max(0.0, until_s - time.monotonic()))
    return [
        # Escaped, because boards, files and other processes wrote parts of them.
        replace(found, check=thread.check_name, what=one_line(found.what), remedy=one_line(found.remedy))
        for thread in threads
        for found in thread.results(timeout_s)
    ]


class _CheckThread(Thread):
    """A check's thread."""

    def __init__(self, name: str, check: Check, context: Context) -> None:
        super().__init__(name=f"doctor {name}", daemon=True)
        self.check_name = name
        self._check = check
        self._subject = context
        self._found: list[Finding] = []
        self.start()

    def results(self, timeout_s: float) -> list[Finding]:
        """Return the findings so far, with another one if the check still runs."""
        found = [*self._found]
        if self.is_alive():
            found.append(unknown(f"the check of {self.check_name} took longer than {timeout_s:g} s", HUNG_REMEDY))
        return found

    def run(self) -> None:
        """Run the check; an exception becomes a finding."""
        try:
            for finding in self._check(self._subject):
                self._found.append(finding)
        except Exception as error:
            why = one_line(f"{type(error).__name__}: {error}")[:200]
            self._found.append(unknown(f"the check of {self.check_name} failed ({why})", FAILED_REMEDY))
