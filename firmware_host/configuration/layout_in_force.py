"""The last good layout and rules, and a running table's layout with its cups' and boards' replacements.

`configuration` keeps copies in the state folder, for a time when the owner's files are wrong; `blank`, `check` and
`show` find the running table's layout. This module imports neither the engine nor the fonts, because `blank` must work
when these are broken.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from firmware_host.configuration import DEFAULT_LAYOUT
from firmware_host.devices.pairing import replacements
from firmware_host.errors import UserError
from firmware_host.util import atomic_file, state_dir
from firmware_host.util.system_error import reason_of
from hardware.config import layout as layouts
from hardware.config import regular_file
from hardware.config.layout import Layout, LayoutError
from hardware.config.toml_file import MAX_BYTES

log = logging.getLogger("dudo-table")

FOLDER = "last-good"
LAYOUT = "table.toml"
RULES = "rules.toml"
_OF = "of"  # names LAYOUT's original file: a copy of another table's layout is useless
STATE = Path("/var/lib/dudo-table")
"""The state folder of the service."""


class LastGood:
    """Copies of the layout in the file `name` and its rules, in the state folder `state`. Every method blocks.

    The owner may copy them back: `last-good/table.toml` is the layout in its original text, `last-good/rules.toml` its
    rules. Each is complete, and was valid when it was saved.
    """

    def __init__(self, state: Path, name: str) -> None:
        self.folder = state / FOLDER
        self._path = f"{str(Path(name).absolute())!r}\n"

    def layout(self) -> str | None:
        """Return the layout's text, or None."""
        return self._read(LAYOUT) if self._is_of_this_layout() else None

    def rules(self) -> str | None:
        """Return the rules' text, or None."""
        return self._read(RULES) if self._is_of_this_layout() else None

    def keep(self, layout: str | None, rules: str | None) -> None:
        """Replace the copies by these texts. Log a disk failure."""
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            if not self._is_of_this_layout():
                for name in (_OF, LAYOUT, RULES):  # a copy of another layout must not pass for one of this
                    (self.folder / name).unlink(missing_ok=True)
            for name, text in ((LAYOUT, layout), (RULES, rules), (_OF, self._path)):
                if text is not None and self._read(name) != text:  # writing the same again would wear the card
                    atomic_file.write_atomic(self.folder / name, text)
        except OSError as error:
            why = reason_of(error)
            log.warning("%s: can't keep the configuration there: %s; once it is wrong, nothing helps", self.folder, why)

    def _is_of_this_layout(self) -> bool:
        return self._read(_OF) == self._path

    def _read(self, name: str) -> str | None:
        with suppress(OSError, ValueError):
            return regular_file.read(self.folder / name, MAX_BYTES).decode()
        return None


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
    """Return the replacements by layout id, empty for an unreadable file; `run` logs that."""
    with suppress(replacements.ReplacementsError):
        return replacements.read(state)
    return {}


def _right(text: str, name: str) -> Iterator[Layout]:
    with suppress(LayoutError):
        yield layouts.parse(text, name)
