"""The current problems of a process beside the daemon, for its log and for `systemctl status`.

The announcer, the TV's power, the bridge and the venue retry for ever. Each problem is logged once when it begins and
once when it is solved; the status line has all open ones.
"""

import logging
from collections.abc import Callable

log = logging.getLogger(__name__)


class Problems:
    """A process's problems by part. `on_status` is called with its status line."""

    def __init__(self, on_status: Callable[[str], None], idle: str) -> None:
        """Start without problems; `idle` is the status then."""
        self._on_status = on_status
        self._idle = idle
        self._by_part: dict[str, str] = {}

    def __contains__(self, part: str) -> bool:
        return part in self._by_part

    def __bool__(self) -> bool:
        return bool(self._by_part)

    @property
    def parts(self) -> list[str]:
        """The parts with a problem, in alphabetical order."""
        return sorted(self._by_part)

    @property
    def idle(self) -> str:
        """The status without a problem."""
        return self._idle

    @idle.setter
    def idle(self, line: str) -> None:
        self._idle = line
        self.show()

    def add(self, part: str, text: str) -> None:
        """Note a part's problem, and log it if the part had none."""
        if part not in self._by_part:
            log.warning("%s", text)
        self._by_part[part] = text
        self.show()

    def solve(self, part: str, text: str) -> None:
        """End a part's problem, and log the end if it had one."""
        if self._by_part.pop(part, None) is not None:
            log.warning("%s", text)
            self.show()

    def show(self) -> None:
        """Show the status."""
        self._on_status("; ".join(self._by_part.values()) or self._idle)
