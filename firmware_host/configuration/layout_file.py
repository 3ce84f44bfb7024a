"""Which layout a command means that does not conduct the table: the one in force, with what stands in for its devices.

`blank`, `check` and `show` call it. It needs neither the engine nor a panel's letters, so that `blank` works where
these are what is wrong.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from firmware_host.configuration import DEFAULT_LAYOUT
from firmware_host.configuration.last_good import LastGood
from firmware_host.errors import UserError
from firmware_host.pairing import replacements
from firmware_host.util import state_dir
from hardware.config import layout as layouts
from hardware.config.layout import Layout, LayoutError

STATE = Path("/var/lib/dudo-table")
"""The state folder of the service."""


def state_of(name: str, given: Path | None) -> Path:
    """The folder with a table's state: the one given, for the service's layout the service's, else the user's own."""
    is_service = name == DEFAULT_LAYOUT and "STATE_DIRECTORY" not in os.environ and os.access(STATE, os.X_OK)
    return given or (STATE if is_service else state_dir.default())


def in_force(name: str, state: Path) -> tuple[Layout, ...]:
    """The layout that was last in force and the one in the file, once where they are the same; what stands in, seated.

    Raises `LayoutError` where there is neither.
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
    """A layout with what stands in for its cups and boards, and a sentence for each of these."""
    try:
        by_id = remembered(state_of(name, given))
    except UserError:  # nowhere to keep a state, so there is none
        by_id = {}
    here = replacements.seated(layout, by_id)
    return here, tuple(replacements.differences(layout, here))


def remembered(state: Path) -> dict[str, str]:
    """What stands in for the layout's cups and boards; nothing where that can't be read, which `run` tells."""
    with suppress(replacements.ReplacementsError):
        return replacements.read(state)
    return {}


def _right(text: str, name: str) -> Iterator[Layout]:
    with suppress(LayoutError):
        yield layouts.parse(text, name)
