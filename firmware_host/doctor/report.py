"""What was found, for eyes and for programs. A healthy table is one line."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from rich.text import Text

from firmware_host.doctor.findings import Finding, State
from firmware_host.doctor.runner import is_well
from firmware_host.util import terminal
from hardware.config.problems import one_line

VERSION = 1
"""Of what `--json` prints; docs/doctor.md."""

_HEADS = {State.RIGHT: "right", State.NOTE: "note", State.WRONG: "WRONG", State.UNKNOWN: "UNSURE"}
_STYLES = {State.RIGHT: "green", State.NOTE: "cyan", State.WRONG: "bold red", State.UNKNOWN: "bold yellow"}
_COLUMN = 8


class Report(msgspec.Struct, frozen=True):
    """What `--json` prints."""

    layout: str
    running: bool
    well: bool
    findings: Sequence[Finding]
    version: int = VERSION


def to_json(layout: str, running: bool, findings: Sequence[Finding]) -> str:
    """One JSON object on many lines."""
    report = Report(one_line(layout), running, is_well(findings), findings)
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode()


def show(name: str, findings: Sequence[Finding], *, everything: bool) -> None:
    """Print what is wrong and worth knowing, or everything; at the end how it is with the table."""
    told = [finding for finding in findings if everything or finding.state is not State.RIGHT]
    terminal.print_lines([*(line for finding in told for line in _lines(finding)), _sum(name, findings)])


def _lines(finding: Finding) -> Iterator[Text]:
    yield Text.assemble((f"{_HEADS[finding.state]:{_COLUMN}}", _STYLES[finding.state]), one_line(finding.what))
    if finding.remedy:
        yield Text(f"{'':{_COLUMN - 3}}-> {one_line(finding.remedy)}")


def _sum(name: str, findings: Iterable[Finding]) -> Text:
    counts = Counter(finding.state for finding in findings)
    looked_at = f" ({counts.total()} things looked at)" if counts else ""
    if not counts[State.WRONG] and not counts[State.UNKNOWN]:
        return Text(f"{name}: all is well{looked_at}", style="green")
    words = {State.WRONG: "to mend", State.UNKNOWN: "not known", State.RIGHT: "right"}
    return Text(f"{name}: {', '.join(f'{counts[state]} {how}' for state, how in words.items() if counts[state])}")
