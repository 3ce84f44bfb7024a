"""`python -m bench [SECTION ...] [--json FILE]`, from the root: measure, say how far it is on stderr, print tables."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from rich.console import Console

from bench.report import Section, table, to_json

SECTIONS = {
    "start": "bench.start",
    "memory": "bench.memory",
    "idle": "bench.idle",
    "boards": "bench.boards",
    "wired": "bench.wired",
    "link": "bench.link",
    "page": "bench.page",
    "storms": "bench.storms",
    "presses": "bench.presses",
    "shakes": "bench.shakes",
    "hands": "bench.hands",
    "engine": "bench.engine_speed",
}
"""Each section and its module, in the order of the tables; a module is loaded when its section is measured."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the sections that are named, or all."""
    options = _parser().parse_args(arguments)
    console = Console(width=None if sys.stdout.isatty() else 160)
    measured: list[Section] = []
    for name in options.sections or SECTIONS:
        section: Section = import_module(SECTIONS[name]).measure(lambda what, name=name: _progress(name, what))
        measured.append(section)
        console.print(table(section))
    if options.json is not None:
        options.json.write_text(to_json(measured), encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench", description="Measure what the table costs.")
    parser.add_argument(
        "sections", metavar="SECTION", nargs="*", type=_section, help=f"{', '.join(SECTIONS)} (else all)"
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures there too")
    return parser


def _section(name: str) -> str:
    if name not in SECTIONS:
        raise argparse.ArgumentTypeError(f"{name} is no section, write {', '.join(SECTIONS)}")
    return name


def _progress(section: str, what: str) -> None:
    print(f"{section}: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
