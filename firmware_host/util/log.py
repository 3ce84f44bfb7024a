"""The daemon's log format: with the program's name in a terminal, with a level in the system's journal.

The system's journal knows the program, and takes the level from a prefix such as `<3>`, sd-daemon(3). So `journalctl -p
err` finds errors.
"""

import logging
import os
import sys
from collections.abc import Mapping

TERMINAL_FORMAT = "dudo-table: %(message)s"
PRIORITIES = {logging.CRITICAL: 2, logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6, logging.DEBUG: 7}
"""The priorities of syslog(3)."""


class LevelFormatter(logging.Formatter):
    """A formatter that puts the level before every line, including a traceback's."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record's lines."""
        level = next((mark for least, mark in PRIORITIES.items() if record.levelno >= least), 7)
        return "\n".join(f"<{level}>{line}" for line in super().format(record).splitlines())


def configure_logging(environment: Mapping[str, str] = os.environ) -> None:
    """Log to stderr, in the format for its destination."""
    handler = logging.StreamHandler()
    handler.setFormatter(LevelFormatter() if _is_system_journal(environment) else logging.Formatter(TERMINAL_FORMAT))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def _is_system_journal(environment: Mapping[str, str]) -> bool:
    """Return whether stderr itself leads to the journal. A child process may write elsewhere."""
    try:
        stderr = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):  # closed, or no file
        return False
    return environment.get("JOURNAL_STREAM") == f"{stderr.st_dev}:{stderr.st_ino}"
