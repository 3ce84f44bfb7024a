"""The archive of played matches, each in its own record file: `matches/2026-11-21-7f3a….dudo`.

The journal exports finished and broken-off matches. The files have only dice seen by everybody at the table, with their
proofs.
"""

import logging
import re
from collections.abc import Iterable
from pathlib import Path

from firmware_host.store.journal.store import MatchLog
from firmware_host.store.scores.recorder import record_text
from firmware_host.util import atomic_file
from firmware_host.util.system_error import reason_of

_NAME = re.compile(r"[0-9A-Za-z-]{1,64}")

log = logging.getLogger("dudo-table")


class MatchArchive:
    """A folder of record files. The first export creates it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._is_failing = False

    def export(self, finished: Iterable[tuple[int, MatchLog | None]]) -> list[int]:
        """Write matches, given with their row ids. Return the ids no longer needed for this. Blocks.

        A match with damaged events is given up. If the folder can't be written, the log says so once, and the matches
        wait.
        """
        done: list[int] = []
        for row_id, match in finished:
            try:
                if match is not None:
                    self._write(match)
                else:
                    log.error("a match of the journal is damaged: it will not be in %s", self.folder)
            except OSError as error:
                if not self._is_failing:
                    log.error("%s: can't be written: %s; matches wait for it", self.folder, reason_of(error))
                self._is_failing = True
                return done
            except (ValueError, LookupError, AssertionError) as error:  # events that no match can have
                log.error("match %d of the journal can't be exported: %s", row_id, error)
            done.append(row_id)
        self._is_failing = False
        return done

    def _write(self, match: MatchLog) -> None:
        if not (_NAME.fullmatch(match.name) and _NAME.fullmatch(match.day)):
            raise ValueError("no file can have its name")
        text = record_text(match)
        if not self.folder.is_dir():
            self.folder.mkdir(mode=0o755, parents=True, exist_ok=True)
            atomic_file.fsync_dir(self.folder.parent)
        file = self.folder / f"{match.day}-{match.name}.dudo"
        if not _is_written(file, text):  # a restarting table repeats its winner
            atomic_file.write_atomic(file, text, mode=0o644)


def _is_written(file: Path, text: str) -> bool:
    try:
        return file.stat().st_size == len(text.encode()) and file.read_text(encoding="utf-8") == text
    except (OSError, ValueError):
        return False
