"""`python -m bench [SECTION ...] [--json FILE]`, from the root: measure, print progress on stderr and tables."""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from rich.console import Console

from bench.report import Progress, Section, table, to_json

SECTIONS = {
    "start": ("fresh", "measure_start"),
    "memory": ("fresh", "measure_memory"),
    "idle": ("fresh", "measure_idle"),
    "boards": ("match", "measure_boards"),
    "wired": ("match", "measure_wired"),
    "link": ("link", "measure"),
    "phones": ("phones", "measure"),
    "tv": ("tv", "measure"),
    "sound": ("sound", "measure"),
    "storms": ("storms", "measure"),
    "hands": ("hands", "measure"),
    "venue": ("venue", "measure"),
    "engine": ("engine", "measure"),
}
"""The module and the function of each section, in the order of the tables; a module is loaded when it is needed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the named sections, or all of them."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure what the table costs.")
    names = f"{', '.join(SECTIONS)} (else all)"
    parser.add_argument("sections", metavar="SECTION", nargs="*", type=_section, help=names)
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures there too")
    options = parser.parse_args(arguments)
    console = Console(width=None if sys.stdout.isatty() else 160)
    measured: list[Section] = []
    for name in options.sections or SECTIONS:
        module, function = SECTIONS[name]
        measure: Callable[[Progress], Section] = getattr(import_module(f"bench.sections.{module}"), function)
        measured.append(measure(lambda now, name=name: print(f"{name}: {now}", file=sys.stderr, flush=True)))
        console.print(table(measured[-1]))
    if options.json is not None:
        options.json.write_text(to_json(measured), encoding="utf-8")
    return 0


def _section(name: str) -> str:
    if name not in SECTIONS:
        raise argparse.ArgumentTypeError(f"{name} is not a section, write {', '.join(SECTIONS)}")
    return name


if __name__ == "__main__":
    sys.exit(main())
