"""Lookup of the command line's layouts and rule sets, by a shipped name or a file.

A layout given for a rule set, or the reverse, is reported in one line. All faults in a file are reported at once,
including those unknown to `hardware`, such as letters missing from the displays' fonts. `rules.registry` finds rule
sets alone.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from engine import RULESETS, Rules
from firmware_host.configuration.detect import file_kind, unprintable_glyphs
from firmware_host.configuration.rules import registry
from firmware_host.configuration.rules.registry import looks_like_a_file
from hardware.config import layout as layouts
from hardware.config import toml_file
from hardware.config.layout import Layout, LayoutError
from hardware.config.layout_schema import seat_key
from hardware.config.problems import FileError, Problem, suggest


def layout(name: str) -> Layout:
    """Return the shipped layout with this name, or the one in the file. Raises `LayoutError`."""
    shipped = layouts.builtin()
    if name in RULESETS and name not in shipped:
        raise LayoutError(name, [_rules("is a rule set, not a layout", name)])
    if name in shipped or not looks_like_a_file(name):
        return layouts.load_builtin(name)
    return parse_layout(toml_file.read(name, LayoutError, "layout", shipped), name)


def parse_layout(text: str, name: str) -> Layout:
    """Parse a layout from text; `name` is its name in errors. Raises `LayoutError`."""
    written = toml_file.table(text, name, LayoutError)
    if file_kind(written) == "rules":
        raise LayoutError(name, [_rules("is a custom rule set, not a layout", name)])
    return _layout(written, name)


def find(name: str) -> Layout | Rules:
    """Return the layout or rule set with this name or in this file. Raises `FileError`."""
    shipped = (*layouts.builtin(), *RULESETS)
    if name in RULESETS:
        return RULESETS[name]
    if name in shipped:
        return layouts.load_builtin(name)
    if not looks_like_a_file(name):
        message = "is neither a file nor a shipped layout or rule set"
        raise FileError(name, [Problem("", "", message, suggest(name, shipped))])
    written = toml_file.table(toml_file.read(name, FileError, "layout or rule set", shipped), name, FileError)
    match file_kind(written):
        case "layout":
            return _layout(written, name)
        case "rules":
            return registry.check(written, name)
    remedy = 'head each seat of a layout with [[seat]], or say what rules are based on: based_on = "perudo"'
    raise FileError(name, [Problem("", "", "is neither a layout nor a rule set", remedy)])


def _rules(problem: str, name: str) -> Problem:
    return Problem("", "", problem, f"dudo-table rules {name} prints what it says")


def _layout(written: Mapping[str, Any], name: str) -> Layout:
    unshown = [*_illegible_seats(written)]
    try:
        found = layouts.check(written, name)
    except LayoutError as error:
        raise LayoutError(name, [*error.problems, *unshown]) from error
    if unshown:
        raise LayoutError(name, unshown)
    return found


def _illegible_seats(written: Mapping[str, Any]) -> Iterator[Problem]:
    seats = written.get("seat")
    for number, seat in enumerate(seats if isinstance(seats, list) else (), start=1):
        if isinstance(seat, dict):
            yield from unprintable_glyphs(f"{seat_key(number, seat)}.name", seat.get("name"))
