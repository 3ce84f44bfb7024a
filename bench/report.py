"""Figures in sections, and their two forms: tables to read, JSON to compare two runs with.

Each section's module has a function that takes a `Progress` and returns a `Section`; `bench.__main__` prints it.
"""

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple, Self

from rich.box import SIMPLE_HEAD
from rich.table import Table

Progress = Callable[[str], None]
"""Prints on stderr what is being measured now."""


class Target(NamedTuple):
    """A figure's bound."""

    sign: str
    bound: float

    def __str__(self) -> str:
        return f"{self.sign} {amount(self.bound)}"


def at_most(bound: float) -> Target:
    """Return a ceiling."""
    return Target("≤", bound)


def at_least(bound: float) -> Target:
    """Return a floor."""
    return Target("≥", bound)


@dataclass(frozen=True)
class Figure:
    """One measured value in `unit` ("" for a ratio); `note` explains it in a few words.

    A `value` of None means a failed measurement; the note says why.
    """

    name: str
    value: float | None
    unit: str
    target: Target | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        """`met` or `short`; empty without a target or a value."""
        if self.target is None or self.value is None:
            return ""
        sign, bound = self.target
        return "met" if (self.value <= bound if sign == "≤" else self.value >= bound) else "short"


@dataclass(frozen=True)
class Section:
    """Related figures; `about` describes their measurement in a sentence."""

    title: str
    figures: tuple[Figure, ...]
    about: str = ""


def amount(value: float) -> str:
    """Format a value to three figures, or all before the point: 1,034 and 23.3 and 0.077."""
    size = abs(value)
    if float(value).is_integer() or size >= 100:
        return f"{value:,.0f}"
    return f"{value:.{1 if size >= 10 else 2 if size >= 1 else 3}f}"


def table(section: Section) -> Table:
    """Return a section as a table to print."""
    drawn = Table(title=section.title, caption=section.about, title_style="bold", box=SIMPLE_HEAD)
    drawn.title_justify = drawn.caption_justify = "left"
    for heading in ("what", "figure", "unit", "target", ""):
        drawn.add_column(heading, justify="right" if heading in ("figure", "target") else "left")
    drawn.add_column("note", style="dim")
    verdicts = {"": "", "met": "[green]met[/]", "short": "[bold red]short[/]"}
    for figure in section.figures:
        value = "-" if figure.value is None else amount(figure.value)
        target = "" if figure.target is None else str(figure.target)
        drawn.add_row(figure.name, value, figure.unit, target, verdicts[figure.verdict], figure.note)
    return drawn


def to_json(sections: Iterable[Section]) -> str:
    """Return all figures as one JSON document."""
    return json.dumps({"sections": [_plain(section) for section in sections]}, indent=2, ensure_ascii=False) + "\n"


def _plain(section: Section) -> dict[str, Any]:
    figures = [
        {**vars(figure), "target": figure.target and str(figure.target), "verdict": figure.verdict}
        for figure in section.figures
    ]
    return {**vars(section), "figures": figures}


class Spread(NamedTuple):
    """Median, 95th percentile (nearest rank) and maximum of some values."""

    median: float
    p95: float
    worst: float
    size: int

    @classmethod
    def of(cls, values: Iterable[float]) -> Self:
        """Return the spread, not-a-number without values."""
        ranked = sorted(values)
        if not ranked:
            return cls(math.nan, math.nan, math.nan, 0)
        return cls(median(ranked), ranked[math.ceil(0.95 * len(ranked)) - 1], ranked[-1], len(ranked))

    def figures(self, name: str, unit: str, *, worst: Target | None = None, note: str = "") -> list[Figure]:
        """Return three figures, with the target on the worst; one without a value if there are no values."""
        if not self.size:
            return [Figure(name, None, unit, worst, "did not happen in this run")]
        note = f"{self.size} of them" + (f"; {note}" if note else "")
        return [
            Figure(f"{name}: median", self.median, unit, note=note),
            Figure(f"{name}: p95", self.p95, unit),
            Figure(f"{name}: max", self.worst, unit, worst),
        ]
