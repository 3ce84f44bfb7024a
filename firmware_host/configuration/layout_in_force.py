"""A running table's layout, for commands beside it: with its cups' and boards' replacements.

`blank`, `check` and `show` call it. It imports neither the engine nor the fonts, because `blank` must work when these
are broken.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from firmware_host.configuration import DEFAULT_LAYOUT
from firmware_host.configuration.last_good import LastGood
from firmware_host.devices.pairing import replacements
from firmware_host.errors import UserError
from firmware_host.util import state_dir
from hardware.config import layout as layouts
from hardware.config.layout import Layout, LayoutError

STATE = Path("/var/lib/dudo-table")
"""The state folder of the service."""


def state_of(name: str, given: Path | None) -> Path:
    """Return a table's state folder: the given one, the service's for the service's layout, else the user's own."""
    is_service = name == DEFAULT_LAYOUT and "STATE_DIRECTORY" not in os.environ and os.access(STATE, os.X_OK)
    return given or (STATE if is_service else state_dir.default())


def candidates(name: str, state: Path) -> tuple[Layout, ...]:
    """Return the last layout in effect and the one in the file, with replacements; equal ones once.

    Raises `LayoutError` without either.
    """
    kept = LastGood(state, name).layout()
    found = [] if kept is None else [*_right(kept, name)]
    try:
        written = layouts.find(name)
        found += [] if written in found else [written]
    except LayoutError:
        if not found:
            raise
    by_id = remembered(state)
    return tuple(replacements.seated(layout, by_id) for layout in found)


def seated(layout: Layout, name: str, given: Path | None) -> tuple[Layout, tuple[str, ...]]:
    """Return a layout with its replacements, and a sentence for each."""
    try:
        by_id = remembered(state_of(name, given))
    except UserError:  # without a state folder there are none
        by_id = {}
    here = replacements.seated(layout, by_id)
    return here, tuple(replacements.differences(layout, here))


def remembered(state: Path) -> dict[str, str]:
    """Return the replacements by layout id; none if the file can't be read, which `run` logs."""
    with suppress(replacements.ReplacementsError):
        return replacements.read(state)
    return {}


def _right(text: str, name: str) -> Iterator[Layout]:
    with suppress(LayoutError):
        yield layouts.parse(text, name)
