"""The layout and the rules that were last in force, as copies in the state folder, for when their files are wrong.

They are the owner's to copy back: `last-good/table.toml` is the layout as it was written, `last-good/rules.toml` its
rules. Each is always whole, and was right when it was kept. `configuration` keeps and reads them, `blank` reads the
layout: nothing here knows what the texts mean.
"""

import logging
from contextlib import suppress
from pathlib import Path

from firmware_host.util import atomic_file
from hardware.config import regular_file
from hardware.config.toml_file import MAX_BYTES

log = logging.getLogger("dudo-table")

FOLDER = "last-good"
LAYOUT = "table.toml"
RULES = "rules.toml"
_OF = "of"  # the file that LAYOUT is a copy of: another table's is no help here


class LastGood:
    """What was last good of the layout in the file of this name, in a state folder. Blocks."""

    def __init__(self, state: Path, name: str) -> None:
        self.folder = state / FOLDER
        self._path = f"{str(Path(name).absolute())!r}\n"

    def layout(self) -> str | None:
        """The layout's text, None if there is none."""
        return self._read(LAYOUT) if self._is_of_this() else None

    def rules(self) -> str | None:
        """The rules' text, None if there is none."""
        return self._read(RULES) if self._is_of_this() else None

    def keep(self, layout: str | None, rules: str | None) -> None:
        """From now on these are it, as far as they are given. A disk that fails is told in the log."""
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            if not self._is_of_this():
                for name in (_OF, LAYOUT, RULES):  # so that no copy is ever taken for this one's
                    (self.folder / name).unlink(missing_ok=True)
            for name, text in ((LAYOUT, layout), (RULES, rules), (_OF, self._path)):
                if text is not None and self._read(name) != text:  # what is there already wears no disk
                    atomic_file.write_atomic(self.folder / name, text)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            log.warning("%s: can't keep the configuration there: %s; once it is wrong, nothing helps", self.folder, why)

    def _is_of_this(self) -> bool:
        return self._read(_OF) == self._path

    def _read(self, name: str) -> str | None:
        with suppress(OSError, ValueError):
            return regular_file.read(self.folder / name, MAX_BYTES).decode()
        return None
