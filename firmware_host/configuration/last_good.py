"""Copies of the last good layout and rules in the state folder, for a time when the owner's files are wrong.

The owner may copy them back: `last-good/table.toml` is the layout in its original text, `last-good/rules.toml` its
rules. Each is complete, and was valid when it was saved. `configuration` saves and reads them, `blank` reads the
layout. The texts are not parsed here.
"""

import logging
from contextlib import suppress
from pathlib import Path

from firmware_host.util import atomic_file
from firmware_host.util.system_error import reason_of
from hardware.config import regular_file
from hardware.config.toml_file import MAX_BYTES

log = logging.getLogger("dudo-table")

FOLDER = "last-good"
LAYOUT = "table.toml"
RULES = "rules.toml"
_OF = "of"  # names LAYOUT's original file: a copy of another table's layout is useless


class LastGood:
    """Copies for the layout in the file `name`, in the state folder `state`. Every method blocks."""

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
