"""The program on a device: its own report, or the proof that it makes none, and the transfer of the next program.

A program from before updates over the cable sends no Running. A device may also be slow to send it, or the line may
lose it. Only the order of the answers tells these apart: a device answers in order, so a Pong after a Hello without a
Running between them is evidence of such a program, however long it took.
"""

import asyncio
from collections.abc import Callable

from drivers.link.transfer import ProgramImage, ProgramTransfer
from hardware.link import messages as link

ENOUGH_EVIDENCE = 5
"""Number of Hellos without a report that prove a program without one. A radio line that loses a tenth of all frames
feigns so many less than once in a hundred thousand starts.
"""


class DeviceProgram:
    """The program on a session's device. `LinkSession` passes on the device's answers; `send` sends it a message."""

    def __init__(self, *, loop: asyncio.AbstractEventLoop, send: Callable[[link.LinkMessage], None]) -> None:
        self.running: link.Running | None = None
        """The program since the device's last start; None before a report, and for a program without releases."""
        self.fault = ""
        """Why the last transfer failed, empty after success."""
        self.on_change: Callable[[], None] = lambda: None
        """Called when the device is up, when its program is known, and when a transfer ends."""
        self._loop = loop
        self._send = send
        self._is_up = False
        self._transfer: ProgramTransfer | None = None
        self._is_wanted = False
        self._evidence = 0
        self._asked_after: int | None = None  # the ping before the last Ask, None without one
        self._is_greeted = False

    def __repr__(self) -> str:
        return f"<DeviceProgram {self.running}, {self._evidence} hellos without one>"

    @property
    def has_no_release(self) -> bool:
        """Whether the answers prove a program without releases: not that a report is merely late or lost."""
        return self.running is None and self._evidence >= ENOUGH_EVIDENCE

    @property
    def is_installing(self) -> bool:
        """Whether a program is on its way to the device."""
        return self._transfer is not None

    def ask(self) -> None:
        """Find out, by an Ask with each of the next pings, whether the device tells its program."""
        self._is_wanted = True

    def install(self, image: ProgramImage) -> None:
        """Send the device a program, and have it started. The device restarts at the end."""
        self.stop_installing()
        self._transfer = ProgramTransfer(image, loop=self._loop, send=self._send, on_failure=self._end_transfer)
        if self._is_up:
            self._transfer.begin()

    def stop_installing(self) -> None:
        """Stop sending a program; the device keeps the bytes that it holds."""
        if self._transfer is not None:
            self._transfer.pause()
            self._transfer = None

    # Calls of the session

    def on_start(self) -> None:
        """Forget the reports of earlier starts."""
        self.running, self._is_wanted, self._evidence, self._asked_after = None, False, 0, None

    def on_up(self) -> None:
        """Go on with a transfer after the device was away: perhaps it runs the new program."""
        self._is_up = True
        if self._transfer is not None:
            outcome = self._transfer.outcome(self.running)
            if outcome is None:
                self._transfer.begin()
            else:
                self._end_transfer(outcome)
        self.on_change()

    def on_down(self) -> None:
        """Pause a transfer."""
        self._is_up = False
        if self._transfer is not None:
            self._transfer.pause()

    def on_hello(self) -> None:
        """Note a Hello, which a report follows."""
        self._is_greeted = True

    def on_pong(self, token: int, last_ping: int) -> None:
        """Take a Pong while the device is up, and ask if it leaves the question open.
        `last_ping` is the token of the last ping until now.
        """
        if not self._is_wanted or self.running is not None or self.has_no_release:
            return
        if self._asked_after is not None:
            if not 0 < token - self._asked_after & 0xFFFF_FFFF < 1 << 31:
                return  # its ping was sent before the Ask
            self._evidence += self._is_greeted
        if self.has_no_release:
            self.on_change()
        else:
            self._asked_after, self._is_greeted = last_ping, False
            self._send(link.Ask())

    def handle(self, message: link.Running | link.ChunkAck) -> None:
        """Handle a report, or an answer to a transfer."""
        if isinstance(message, link.Running):
            self.running = message
            if self._is_up:
                self.on_change()
        elif self._transfer is not None:
            self._transfer.handle(message)

    def _end_transfer(self, fault: str) -> None:
        self.stop_installing()
        self.fault = fault
        self.on_change()
