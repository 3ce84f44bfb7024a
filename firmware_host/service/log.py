"""What the daemon says line by line: in a terminal under its name, in the system's journal under a level.

`run` begins it. The journal knows by itself who speaks, and takes a level from sd-daemon(3)'s `<3>` before a line: then
`journalctl -p err` finds what went wrong.
"""

import logging
import os
import sys
from collections.abc import Mapping

NAMED = "dudo-table: %(message)s"
PRIORITIES = {logging.CRITICAL: 2, logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6, logging.DEBUG: 7}
"""What syslog(3) calls them."""


class LevelFormatter(logging.Formatter):
    """Every line of a record with its level, also those of a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The lines of a record."""
        level = next((mark for least, mark in PRIORITIES.items() if record.levelno >= least), 7)
        return "\n".join(f"<{level}>{line}" for line in super().format(record).splitlines())


def begin(environment: Mapping[str, str] = os.environ) -> None:
    """Have what is logged said on stderr, wherever that leads."""
    handler = logging.StreamHandler()
    handler.setFormatter(LevelFormatter() if _leads_to_journal(environment) else logging.Formatter(NAMED))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def _leads_to_journal(environment: Mapping[str, str]) -> bool:
    """Whether stderr itself does: whoever is started from a service inherits the variable and may write elsewhere."""
    try:
        stderr = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):  # it is closed, or no file
        return False
    return environment.get("JOURNAL_STREAM") == f"{stderr.st_dev}:{stderr.st_ino}"
