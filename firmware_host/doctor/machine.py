"""This computer's facts: files below a root, and what a few commands print. Tests lay a root of their own.

Nothing is ever written, and what can't be read is not there.
"""

import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from hardware.config import regular_file

COMMAND_WITHIN_S = 3.0
MAX_BYTES = 1 << 20
"""The bytes of a file; the longest that is looked at is /proc/locks, which has 70 bytes a lock."""

Run = Callable[[Sequence[str]], str | None]


def printed(command: Sequence[str]) -> str | None:
    """What a command prints; None where there is none, it fails, or it takes too long."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=COMMAND_WITHIN_S, check=True
        )
    except (OSError, subprocess.SubprocessError, UnicodeError):
        return None
    return done.stdout.strip()


class Machine:
    """Files below `root`, commands by `run`."""

    def __init__(self, root: Path = Path("/"), run: Run = printed) -> None:
        self.root = root
        self.run = run

    def __repr__(self) -> str:
        return f"<Machine at {self.root}>"

    def path(self, name: str) -> Path:
        """Where a file is that a computer has at `name`."""
        return self.root / name.lstrip("/")

    def text(self, name: str) -> str | None:
        """What a file says, without blanks and zero bytes around it; None where it can't be read."""
        try:
            return regular_file.read(self.path(name), MAX_BYTES).decode("utf-8", "replace").strip(" \t\r\n\0")
        except OSError:
            return None

    def number(self, name: str) -> int | None:
        """The whole number in a file; None where there is none."""
        try:
            return int(self.text(name) or "")
        except ValueError:
            return None

    def names(self, folder: str, pattern: str = "*") -> list[str]:
        """The paths of what is in a folder, as the computer has them."""
        found = sorted(self.path(folder).glob(pattern))
        return [f"/{path.relative_to(self.root)}" for path in found]

    def stat(self, name: str) -> os.stat_result | None:
        """A file's owner and mode; None where it is not there."""
        try:
            return self.path(name).stat()
        except OSError:
            return None
