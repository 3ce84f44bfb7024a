"""The problems that a process beside the daemon has at the moment, for its log and for `systemctl status`.

The caller, the TV's power, the bridge and the venue try again without end. Each problem goes to the log once when it
begins and once when it is solved, and the line of the status has all there are.
"""

import logging
from collections.abc import Callable

log = logging.getLogger(__name__)


class Problems:
    """The problems of a process by part. `on_status` is called with the line of its status."""

    def __init__(self, on_status: Callable[[str], None], idle: str) -> None:
        """Have no problem. `idle` is the status without one."""
        self._on_status = on_status
        self._idle = idle
        self._by_part: dict[str, str] = {}

    def __contains__(self, part: str) -> bool:
        return part in self._by_part

    def __bool__(self) -> bool:
        return bool(self._by_part)

    @property
    def parts(self) -> list[str]:
        """The parts that have a problem, in the order of the alphabet."""
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
        """Note a problem of this part, and log it if the part had none."""
        if part not in self._by_part:
            log.warning("%s", text)
        self._by_part[part] = text
        self.show()

    def solve(self, part: str, text: str) -> None:
        """End the problem of this part, and log so if it had one."""
        if self._by_part.pop(part, None) is not None:
            log.warning("%s", text)
            self.show()

    def show(self) -> None:
        """Show the status."""
        self._on_status("; ".join(self._by_part.values()) or self._idle)
