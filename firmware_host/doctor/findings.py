"""The checks' findings, and their report for people and for programs. A healthy table is one line."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

import msgspec
from rich.text import Text

from firmware_host.util import terminal
from hardware.config.problems import one_line

VERSION = 1
"""Version of the `--json` format, docs/doctor.md."""


class Health(StrEnum):
    """The state of a checked thing."""

    RIGHT = "right"
    NOTE = "note"
    """Worth knowing; play is unaffected."""
    WRONG = "wrong"
    UNKNOWN = "unknown"
    """The check failed, or was not possible."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One checked fact. `check` names the check, `remedy` is the command or cable to fix a fault."""

    check: str = ""
    state: Health
    what: str
    remedy: str = ""


def right(what: str) -> Finding:
    """Return a finding without a fault."""
    return Finding(state=Health.RIGHT, what=what)


def note(what: str, remedy: str = "") -> Finding:
    """Return a finding worth knowing."""
    return Finding(state=Health.NOTE, what=what, remedy=remedy)


def wrong(what: str, remedy: str) -> Finding:
    """Return a finding for a fault."""
    return Finding(state=Health.WRONG, what=what, remedy=remedy)


def unknown(what: str, remedy: str) -> Finding:
    """Return a finding of an impossible check."""
    return Finding(state=Health.UNKNOWN, what=what, remedy=remedy)


def is_well(findings: Iterable[Finding]) -> bool:
    """Return whether every check was possible and found no fault."""
    return all(finding.state in (Health.RIGHT, Health.NOTE) for finding in findings)


def staff_lines(findings: Iterable[Finding], most: int) -> list[str]:
    """Return the findings for the owner's page: the faults first, each in a line with its remedy."""
    order = (Health.WRONG, Health.UNKNOWN, Health.NOTE)
    ordered = sorted((each for each in findings if each.state in order), key=lambda each: order.index(each.state))
    lines = [f"{each.what} → {each.remedy}" if each.remedy else each.what for each in ordered]
    if len(lines) > most:
        lines[most - 1 :] = [f"{len(lines) - most + 1} more; sudo dudo-table doctor prints them"]
    return lines


class Report(msgspec.Struct, frozen=True):
    """The `--json` object."""

    layout: str
    running: bool
    well: bool
    findings: Sequence[Finding]
    version: int = VERSION


def to_json(layout: str, running: bool, findings: Sequence[Finding]) -> str:
    """Return the report as one JSON object on many lines."""
    report = Report(one_line(layout), running, is_well(findings), findings)
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode()


def print_report(name: str, findings: Sequence[Finding], *, everything: bool) -> None:
    """Print the findings other than `right`, or all of them, and a summary in the last line."""
    printed = [finding for finding in findings if everything or finding.state is not Health.RIGHT]
    terminal.print_lines([*(line for finding in printed for line in _lines(finding)), _summary(name, findings)])


_LABELS = {
    Health.RIGHT: "right",
    Health.NOTE: "note",
    Health.WRONG: "WRONG",
    Health.UNKNOWN: "UNSURE",
}
_STYLES = {
    Health.RIGHT: "green",
    Health.NOTE: "cyan",
    Health.WRONG: "bold red",
    Health.UNKNOWN: "bold yellow",
}
_COLUMN = 8


def _lines(finding: Finding) -> Iterator[Text]:
    yield Text.assemble((f"{_LABELS[finding.state]:{_COLUMN}}", _STYLES[finding.state]), one_line(finding.what))
    if finding.remedy:
        yield Text(f"{'':{_COLUMN - 3}}-> {one_line(finding.remedy)}")


def _summary(name: str, findings: Iterable[Finding]) -> Text:
    counts = Counter(finding.state for finding in findings)
    checked = f" ({counts.total()} things checked)" if counts else ""
    if not counts[Health.WRONG] and not counts[Health.UNKNOWN]:
        return Text(f"{name}: all is well{checked}", style="green")
    words = {Health.WRONG: "to fix", Health.UNKNOWN: "unknown", Health.RIGHT: "right"}
    return Text(f"{name}: {', '.join(f'{counts[state]} {word}' for state, word in words.items() if counts[state])}")
