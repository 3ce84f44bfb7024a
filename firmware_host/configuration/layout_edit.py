"""Changes an owner's layout: its seats' names, colours, boards and order. `daemon.service.setup` calls it.

Only lines with a changed value are rewritten; each seat keeps its other lines and comments. The result is parsed
and compared with the wanted seats, so a file in an unusual form is refused rather than damaged.
"""

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from firmware_host.configuration import lookup
from firmware_host.table.staff.setup import SeatEntry
from hardware.config import toml_file
from hardware.config.layout import LayoutError
from hardware.config.problems import Problem, preview, suggest

_SEAT = re.compile(r"^[ \t]*\[\[[ \t]*seat[ \t]*\]\]", re.MULTILINE)
_VALUE = r"""^([ \t]*{key}[ \t]*=[ \t]*)("(?:\\.|[^"\\\n])*"|'[^'\n]*')"""
_BY_HAND = "change it with an editor, and head each seat with [[seat]]"


def hash_of(text: str) -> str:
    """Return the hash of a layout's text, which tells whether the file is still as it was read."""
    return sha256(text.encode()).hexdigest()


def with_seats(text: str, path: str, seats: Sequence[SeatEntry]) -> str:
    """Return a layout's text with these seats; `path` is its name in errors. Raises `LayoutError`."""
    lookup.parse_layout(text, path)  # a file with faults is its owner's to correct
    table = toml_file.table(text, path, LayoutError)
    starts = [found.start() for found in _SEAT.finditer(text)]
    if len(starts) != len(table["seat"]):
        raise LayoutError(path, [Problem("seat", "", "is in a form that the page does not change", _BY_HAND)])
    ends = [*starts[1:], len(text)]
    blocks = {seat["name"]: text[start:end] for seat, start, end in zip(table["seat"], starts, ends, strict=True)}
    before = {seat["name"]: seat for seat in table["seat"]}
    for number, entry in enumerate(seats, start=1):
        if entry.was and entry.was not in before:
            message = f"{preview(entry.was)} is not a seat of the layout any more"
            raise LayoutError(path, [Problem(f"seat[{number}]", "", message, suggest(entry.was, before))])
    if len({*(entry.was for entry in seats if entry.was)}) < sum(bool(entry.was) for entry in seats):
        raise LayoutError(path, [Problem("seat", "", "one seat stands there twice", "open the seats again")])
    renamed = {entry.was: entry.name for entry in seats}
    head, wanted = text[: starts[0]], dict(table)
    if (service := table.get("service")) in renamed:
        head, wanted["service"] = _with_value(head, "service", renamed[service]), renamed[service]
    wanted["seat"] = [_wanted(entry, before) for entry in seats]
    changed = _closed(head) + "".join(_closed(_block(entry, blocks)) for entry in seats)
    if toml_file.table(changed, path, LayoutError) != wanted:
        raise LayoutError(path, [Problem("seat", "", "is in a form that the page does not change", _BY_HAND)])
    lookup.parse_layout(changed, path)
    return changed


def _wanted(entry: SeatEntry, before: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    device = {"board": entry.board} if entry.board else {"phone": True} if entry.is_phone else {}
    return {**before.get(entry.was, {}), "name": entry.name, "color": entry.color, **device}


def _block(entry: SeatEntry, blocks: Mapping[str, str]) -> str:
    if not entry.was:
        device = f"board = {_quoted(entry.board)}\n" if entry.board else "phone = true\n" if entry.is_phone else ""
        return f"\n[[seat]]\nname = {_quoted(entry.name)}\ncolor = {_quoted(entry.color)}\n{device}"
    block = blocks[entry.was]
    values = {"name": entry.name, "color": entry.color} | ({"board": entry.board} if entry.board else {})
    for key, value in values.items():
        block = _with_value(block, key, value)
    return block


def _with_value(text: str, key: str, value: str) -> str:
    """Replace a key's text; its line stays as it is where that is the value already."""

    def replaced(found: re.Match[str]) -> str:
        return found[0] if found[2][1:-1] == value else f"{found[1]}{_quoted(value)}"

    return re.sub(_VALUE.format(key=key), replaced, text, count=1, flags=re.MULTILINE)


def _closed(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _quoted(text: str) -> str:
    """Return a text as TOML has it, whose escapes are those of JSON."""
    return json.dumps(text, ensure_ascii=False)
