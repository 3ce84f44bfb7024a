"""Lookup of a rule set by its name or file, for `--rules` and for a layout's `rules` field."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine import RULESETS, Rules
from firmware_host.configuration.detect import file_kind, unprintable_glyphs
from firmware_host.configuration.rules import custom
from firmware_host.errors import RulesError
from hardware.config import toml_file
from hardware.config.layout import Layout, LayoutError, builtin
from hardware.config.problems import Problem, preview, suggest


def find(name: str) -> Rules:
    """Return the rule set `name`, or the one in the file of that name.

    Raises `RulesError` with every fault in the file, or with the known names.
    """
    if name in RULESETS:
        return RULESETS[name]
    if not looks_like_a_file(name):
        raise RulesError(name, [_a_layout(name) if name in builtin() else _unknown(name)])
    return _parse(_read(name), name)


def of_layout(layout: Layout) -> Rules:
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
        text = _read(str(folder / name), folder)
    except RulesError as error:
        faults = (Problem("rules", preview(name), fault.message, fault.remedy) for fault in error.problems)
        raise LayoutError(layout.path or layout.name, faults) from error
    return _parse(text, str(folder / name))


def check(written: Mapping[str, Any], path: str) -> Rules:
    """Return a parsed file's rule set; `path` is its name in errors. Raises `RulesError` with every fault."""
    if file_kind(written) == "layout":
        raise RulesError(path, [_a_layout(path)])
    unshown = [*unprintable_glyphs("name", written.get("name"))]
    try:
        found = custom.read(written, path)
    except RulesError as error:
        raise RulesError(path, [*error.problems, *unshown]) from error
    if unshown:
        raise RulesError(path, unshown)
    return found


def looks_like_a_file(name: str, folder: Path = Path()) -> bool:
    """Return whether an unshipped name means a file, which may be missing."""
    if "/" in name or name.endswith(".toml"):
        return True
    try:
        return bool(name) and (folder / name).exists()
    except (OSError, ValueError):  # longer than a name may be, or with a null byte in it
        return False


def _read(path: str, below: Path | None = None) -> str:
    return toml_file.read(path, RulesError, "rule set", RULESETS, below=below)


def _parse(text: str, path: str) -> Rules:
    return check(toml_file.table(text, path, RulesError), path)


def _a_layout(name: str) -> Problem:
    return Problem("", "", "is a layout, not a rule set", f"dudo-table show {name} draws it")


def _unknown(name: str) -> Problem:
    return Problem("", "", "no such rule set", f"{suggest(name, RULESETS)}; or name a rules file, ending in .toml")
