"""All checks, each on a thread of its own and fenced: one that fails or hangs is told, and costs the others nothing."""

import time
from collections.abc import Callable, Iterable, Mapping
from threading import Thread

from msgspec.structs import replace

from firmware_host.doctor.context import Patient
from firmware_host.doctor.findings import Finding, State, unknown
from hardware.config.problems import one_line

Check = Callable[[Patient], Iterable[Finding]]

WITHIN_S = 12.0
"""Longer than eight panels that hold their wire for the second an adapter grants each."""


def examine(patient: Patient, checks: Mapping[str, Check], *, within_s: float = WITHIN_S) -> list[Finding]:
    """Everything that is found, in the order of the checks; takes at most `within_s` in all."""
    benches = [_Bench(name, check, patient) for name, check in checks.items()]
    until_s = time.monotonic() + within_s
    for bench in benches:
        bench.join(max(0.0, until_s - time.monotonic()))
    return [_printable(finding) for bench in benches for finding in bench.results(within_s)]


def _printable(finding: Finding) -> Finding:
    """Return a finding in which boards, other processes and files have written nothing that a terminal obeys."""
    return replace(finding, what=one_line(finding.what), remedy=one_line(finding.remedy))


def is_well(findings: Iterable[Finding]) -> bool:
    """Whether nothing is wrong and every check could be made."""
    return all(finding.state in (State.RIGHT, State.NOTE) for finding in findings)


class _Bench:
    """One check at work."""

    def __init__(self, name: str, check: Check, patient: Patient) -> None:
        self._name = name
        self._check = check
        self._found: list[Finding] = []
        self._thread = Thread(target=self._work, args=(patient,), name=f"doctor {name}", daemon=True)
        self._thread.start()
        self.join = self._thread.join

    def results(self, within_s: float) -> list[Finding]:
        """What was found up to now; one that is still at it is told."""
        found = [*self._found]
        if self._thread.is_alive():
            found.append(unknown(self._name, f"looking at {self._name} took longer than {within_s:g} s", AGAIN))
        return found

    def _work(self, patient: Patient) -> None:
        try:
            for finding in self._check(patient):
                self._found.append(finding)
        except Exception as error:
            why = one_line(f"{type(error).__name__}: {error}")[:200]
            self._found.append(unknown(self._name, f"the check of {self._name} failed itself ({why})", TELL))


AGAIN = "something hangs: sudo reboot, then ask again"
TELL = "a fault of the doctor's own: tell who looks after dudo-table, with what dudo-table doctor --json prints"
