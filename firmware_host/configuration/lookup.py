"""Lookup of layouts and rule sets, by a shipped name or a file, for the command line and a layout's `rules` field.

All faults in a file are reported at once, including letters missing from the displays' fonts, unknown to `hardware`. A
layout given for a rule set, or the reverse, is reported in one line.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeVar

from engine import RULESETS, Rules
from firmware_host.configuration.rules import custom
from firmware_host.errors import RulesError
from hardware.config import layout as layouts
from hardware.config import toml_file
from hardware.config.layout import Layout, LayoutError
from hardware.config.layout_schema import LAYOUT, seat_key
from hardware.config.problems import FileError, Problem, closest_match, preview, suggest

MAX_KEYS = 64
"""Misspelled keys that are used to guess a file's kind; each takes a tenth of a millisecond."""
_LAYOUT_KEYS = frozenset((*LAYOUT.required, *LAYOUT.optional)) - {"name"}
_RULES_KEYS = frozenset(custom.KEYS) - {"name"}

Found = TypeVar("Found")


def layout(name: str) -> Layout:
    """Return the shipped layout with this name, or the one in the file. Raises `LayoutError`."""
    shipped = layouts.builtin()
    if name in RULESETS and name not in shipped:
        raise LayoutError(name, [_a_rule_set("is a rule set, not a layout", name)])
    if name in shipped or not looks_like_a_file(name):
        return layouts.load_builtin(name)
    return parse_layout(toml_file.read(name, LayoutError, "layout", shipped), name)


def parse_layout(text: str, name: str) -> Layout:
    """Parse a layout from text; `name` is its name in errors. Raises `LayoutError`."""
    written = toml_file.table(text, name, LayoutError)
    if file_kind(written) == "rules":
        raise LayoutError(name, [_a_rule_set("is a custom rule set, not a layout", name)])
    return _layout(written, name)


def rules(name: str) -> Rules:
    """Return the rule set `name`, or the one in the file of that name.

    Raises `RulesError` with every fault in the file, or with the known names.
    """
    if name in RULESETS:
        return RULESETS[name]
    if not looks_like_a_file(name):
        raise RulesError(name, [_a_layout(name) if name in layouts.builtin() else _unknown(name)])
    return _parse_rules(toml_file.read(name, RulesError, "rule set", RULESETS), name)


def rules_of(layout: Layout) -> Rules:
    """Return a layout's rule set. A rules file must be in the layout's folder.

    Root may read a layout that another user wrote, so errors must not quote a file from another folder.

    Raises `LayoutError` for a name without a file, `RulesError` for a wrong file.
    """
    name, folder = layout.rules, Path(layout.path).parent
    if name in RULESETS:
        return RULESETS[name]
    try:
        if not looks_like_a_file(name, folder):
            raise RulesError(name, [_unknown(name)])
        text = toml_file.read(str(folder / name), RulesError, "rule set", RULESETS, below=folder)
    except RulesError as error:
        faults = (Problem("rules", preview(name), fault.message, fault.remedy) for fault in error.problems)
        raise LayoutError(layout.path or layout.name, faults) from error
    return _parse_rules(text, str(folder / name))


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
            return _rules(written, name)
    remedy = 'head each seat of a layout with [[seat]], or say what rules are based on: based_on = "perudo"'
    raise FileError(name, [Problem("", "", "is neither a layout nor a rule set", remedy)])


def looks_like_a_file(name: str, folder: Path = Path()) -> bool:
    """Return whether an unshipped name means a file, which may be missing."""
    if "/" in name or name.endswith(".toml"):
        return True
    try:
        return bool(name) and (folder / name).exists()
    except (OSError, ValueError):  # longer than a name may be, or with a null byte in it
        return False


def file_kind(written: Mapping[str, Any]) -> Literal["layout", "rules"] | None:
    """Return a file's intended kind: by a decisive key, or by most of its keys, or by similar ones."""
    if "seat" in written or "based_on" in written:
        return "layout" if "seat" in written else "rules"
    for keys in (written, [closest_match(key, _LAYOUT_KEYS | _RULES_KEYS) for key in islice(written, MAX_KEYS)]):
        laid, ruled = (sum(key in known for key in keys) for known in (_LAYOUT_KEYS, _RULES_KEYS))
        if laid != ruled:
            return "layout" if laid > ruled else "rules"
    return None


def _layout(written: Mapping[str, Any], name: str) -> Layout:
    seats = written.get("seat")
    tables = enumerate(seats, 1) if isinstance(seats, list) else ()
    names = {f"{seat_key(number, seat)}.name": seat.get("name") for number, seat in tables if isinstance(seat, dict)}
    return _checked(layouts.check, written, name, names, LayoutError)


def _parse_rules(text: str, name: str) -> Rules:
    written = toml_file.table(text, name, RulesError)
    if file_kind(written) == "layout":
        raise RulesError(name, [_a_layout(name)])
    return _rules(written, name)


def _rules(written: Mapping[str, Any], name: str) -> Rules:
    return _checked(custom.read, written, name, {"name": written.get("name")}, RulesError)


def _checked(
    check: Callable[[Mapping[str, Any], str], Found],
    written: Mapping[str, Any],
    name: str,
    shown: Mapping[str, object],
    error: type[FileError],
) -> Found:
    """Return the checked file. Raises `error` with every fault, also in `shown`, its texts on displays by key."""
    unshown = [fault for key, text in shown.items() for fault in _missing_letters(key, text)]
    try:
        found = check(written, name)
    except FileError as wrong:
        raise error(name, [*wrong.problems, *unshown]) from wrong
    if unshown:
        raise error(name, unshown)
    return found


def _missing_letters(key: str, name: object) -> Iterator[Problem]:
    from firmware_host.screens.graphics.text import missing_glyphs

    if isinstance(name, str) and name.isprintable() and (letters := missing_glyphs(name)):
        remedy = "write it in Latin letters"
        yield Problem(key, preview(name), f"the displays have no letter {' '.join(letters)}", remedy)


def _a_rule_set(problem: str, name: str) -> Problem:
    return Problem("", "", problem, f"dudo-table rules {name} prints what it says")


def _a_layout(name: str) -> Problem:
    return Problem("", "", "is a layout, not a rule set", f"dudo-table show {name} draws it")


def _unknown(name: str) -> Problem:
    return Problem("", "", "no such rule set", f"{suggest(name, RULESETS)}; or name a rules file, ending in .toml")
