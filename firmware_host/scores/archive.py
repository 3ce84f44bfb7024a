"""The matches that were played, each in a file of its own in the public notation: `matches/2026-11-21-7f3a….dudo`.

The journal has them written when they are over or broken off. They hold what everybody at the table has seen, with what
proves it, and no other die.
"""

import logging
import re
from collections.abc import Iterable
from pathlib import Path

from firmware_host.journal.store import MatchLog
from firmware_host.scores.recorder import record_text
from firmware_host.util import atomic_file

_NAME = re.compile(r"[0-9A-Za-z-]{1,64}")

log = logging.getLogger("dudo-table")


class MatchArchive:
    """A folder of matches, made with the first of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ails = False

    def export(self, over: Iterable[tuple[int, MatchLog | None]]) -> list[int]:
        """Write matches, and return the numbers of those that the journal need keep no longer for this. Blocks.

        A match that can't be told any more, because what the journal has of it is damaged, is given up. A folder that
        can't be written is said once, and everything in it waits.
        """
        done: list[int] = []
        for number, played in over:
            try:
                if played is not None:
                    self._write(played)
                else:
                    log.error("a match of the journal is damaged: it will not be in %s", self.folder)
            except OSError as error:
                if not self._ails:
                    log.error("%s: can't be written: %s; matches wait for it", self.folder, error.strerror or error)
                self._ails = True
                return done
            except (ValueError, LookupError, AssertionError) as error:  # events of no match that was ever played
                log.error("match %d of the journal can't be told: %s", number, error)
            done.append(number)
        self._ails = False
        return done

    def _write(self, played: MatchLog) -> None:
        if not (_NAME.fullmatch(played.name) and _NAME.fullmatch(played.day)):
            raise ValueError("its name is no name of a file")
        text = record_text(played)
        if not self.folder.is_dir():
            self.folder.mkdir(mode=0o755, parents=True, exist_ok=True)
            atomic_file.fsync_dir(self.folder.parent)
        atomic_file.write_atomic(self.folder / f"{played.day}-{played.name}.dudo", text, mode=0o644)
