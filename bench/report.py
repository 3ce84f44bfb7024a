"""What a bench says: figures in sections, as tables for eyes and as JSON for whoever compares two runs.

Each section's file has `measure(progress) -> Section`; `bench.__main__` calls it and prints what comes back.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

Progress = Callable[[str], None]
"""Says on stderr what is being measured now."""


@dataclass(frozen=True)
class Target:
    """What a figure should reach: at most or at least so much."""

    bound: float
    is_ceiling: bool

    def holds(self, value: float) -> bool:
        """Whether `value` reaches it."""
        return value <= self.bound if self.is_ceiling else value >= self.bound

    def __str__(self) -> str:
        return f"{'≤' if self.is_ceiling else '≥'} {amount(self.bound)}"


def at_most(bound: float) -> Target:
    """A ceiling."""
    return Target(bound, is_ceiling=True)


def at_least(bound: float) -> Target:
    """A floor."""
    return Target(bound, is_ceiling=False)


@dataclass(frozen=True)
class Figure:
    """One measured value in `unit` ("" for a ratio); `note` says what is in it, in a few words.

    A `value` of None could not be measured here; the note says why.
    """

    name: str
    value: float | None
    unit: str
    target: Target | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        """`met`, `short`, or nothing where there is no target or no value."""
        if self.target is None or self.value is None:
            return ""
        return "met" if self.target.holds(self.value) else "short"


@dataclass(frozen=True)
class Section:
    """Figures that belong together; `about` says in a sentence how they were measured."""

    title: str
    figures: tuple[Figure, ...]
    about: str = ""


def amount(value: float) -> str:
    """A value with three figures, or all of them before the point: 1,034 and 23.3 and 0.077."""
    size = abs(value)
    if float(value).is_integer() or size >= 100:
        return f"{value:,.0f}"
    places = 1 if size >= 10 else 2 if size >= 1 else 3
    return f"{value:.{places}f}"


def table(section: Section) -> Table:
    """A section as a table to print."""
    drawn = Table(
        title=section.title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, caption_justify="left"
    )
    drawn.caption = section.about
    drawn.add_column("what")
    drawn.add_column("figure", justify="right")
    drawn.add_column("unit")
    drawn.add_column("target", justify="right")
    drawn.add_column("")
    drawn.add_column("note", style="dim")
    for figure in section.figures:
        value = "-" if figure.value is None else amount(figure.value)
        target = "" if figure.target is None else str(figure.target)
        drawn.add_row(figure.name, value, figure.unit, target, _coloured(figure.verdict), figure.note)
    return drawn


def to_json(sections: Iterable[Section]) -> str:
    """All figures, one JSON document."""
    return json.dumps({"sections": [_plain(section) for section in sections]}, indent=2, ensure_ascii=False) + "\n"


def _coloured(verdict: str) -> str:
    return {"met": "[green]met[/]", "short": "[bold red]short[/]"}.get(verdict, "")


def _plain(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "about": section.about,
        "figures": [
            {
                "name": figure.name,
                "value": figure.value,
                "unit": figure.unit,
                "target": None if figure.target is None else str(figure.target),
                "verdict": figure.verdict,
                "note": figure.note,
            }
            for figure in section.figures
        ],
    }
