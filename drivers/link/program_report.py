"""A device's program by its own report, and the proof that a program makes none. `LinkSession` has one report.

A program from before updates over the cable sends no Running. A device may also be slow to send it, or the line may
lose it. Only the order of the answers tells these apart: a device answers in order, so a Pong after a Hello without a
Running between them is evidence of such a program, however long it took.
"""

from collections.abc import Callable

from hardware.link import messages as link

ENOUGH_EVIDENCE = 5
"""Number of Hellos without a report that prove a program without one. A radio line that loses a tenth of all frames
feigns so many less than once in a hundred thousand starts.
"""


class ProgramReport:
    """The report since the device's last start. `ask` sends an Ask."""

    def __init__(self, ask: Callable[[], None]) -> None:
        self.running: link.Running | None = None
        """The program; None before a report."""
        self._ask = ask
        self._is_wanted = False
        self._evidence = 0
        self._asked_after: int | None = None  # the ping before the last Ask, None without one
        self._is_greeted = False

    def __repr__(self) -> str:
        return f"<ProgramReport {self.running}, {self._evidence} hellos without one>"

    @property
    def is_unsupported(self) -> bool:
        """Whether the answers prove a program that makes no report."""
        return self.running is None and self._evidence >= ENOUGH_EVIDENCE

    def reset(self) -> None:
        """Forget everything: the device has started."""
        self.running, self._is_wanted, self._evidence, self._asked_after = None, False, 0, None

    def want(self) -> None:
        """Look for a report or the proof from the next Pong on, which follows the first picture."""
        self._is_wanted = True

    def on_hello(self) -> None:
        """Note a Hello, which a report follows."""
        self._is_greeted = True

    def on_pong(self, token: int, last_ping: int) -> bool:
        """Take a Pong, and ask if it leaves the question open; return whether it completes the proof.
        `last_ping` is the token of the last ping until now.
        """
        if not self._is_wanted or self.running is not None or self.is_unsupported:
            return False
        if self._asked_after is not None:
            if not 0 < token - self._asked_after & 0xFFFF_FFFF < 1 << 31:
                return False  # its ping was sent before the Ask
            self._evidence += self._is_greeted
        if self.is_unsupported:
            return True
        self._asked_after, self._is_greeted = last_ping, False
        self._ask()
        return False
