"""A program's way into one cup or board. `DeviceProgram` has at most one."""

import asyncio
from collections.abc import Callable

from msgspec import Struct

from hardware.link import messages as link
from hardware.link.messages import CHUNK_BYTES, HASH_BYTES, RELEASE_BYTES

RETRY_S = 0.5
"""Seconds from an unanswered message to the same again; a Pico writes a chunk in 0.1 s, its flash at most in 0.4."""
MAX_TRIES = 20
"""Number of times a message is sent."""
MAX_BEGINNINGS = 5
"""Number of beginnings: after damage, and after each absence of the device."""

REJECTED = "runs its old program again: the new one did not start"
"""Ending of the sentence about a board that fell back."""


class ProgramImage(Struct, frozen=True):
    """A program as one file, which begins with its SHA-256 and its release."""

    data: bytes

    @property
    def hash(self) -> bytes:
        """The SHA-256 of all that follows it."""
        return self.data[:HASH_BYTES]

    @property
    def release(self) -> bytes:
        """The release."""
        return self.data[HASH_BYTES : HASH_BYTES + RELEASE_BYTES]


class ProgramTransfer:
    """Sends an image, one message at a time, and activates it; then it waits for the device's next Hello.
    `on_failure` is called once, with a sentence to follow "the board".
    """

    def __init__(
        self,
        image: ProgramImage,
        *,
        loop: asyncio.AbstractEventLoop,
        send: Callable[[link.LinkMessage], None],
        on_failure: Callable[[str], None],
    ) -> None:
        self.image = image
        self._loop = loop
        self._send = send
        self._on_failure = on_failure
        self._sent: link.LinkMessage = link.Install(len(image.data), image.hash)
        self._tries = self._beginnings = 0
        self._timer: asyncio.Handle | None = None

    def begin(self) -> None:
        """Begin, or go on with a device that is back."""
        self._beginnings += 1
        if self._beginnings > MAX_BEGINNINGS:
            self._fail("never holds the program that it was sent; try another cable")
        else:
            self._say(link.Install(len(self.image.data), self.image.hash))

    def pause(self) -> None:
        """Stop sending."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def handle(self, answer: link.ChunkAck) -> None:
        """Handle an answer. A late one to an earlier message changes nothing."""
        match self._sent, answer.state:
            case _, link.REFUSED:
                self._fail("takes no other program now")
            case _, link.UNWRITABLE:
                self._fail("can't write its flash; update it with the paper clip")
            case link.Activate(), link.SWITCHED:
                self.pause()
            case link.Activate(), link.DAMAGED:
                self.begin()
            case link.Install(), link.TAKING:
                self._go_on(answer.held)
            case link.Chunk(offset=offset), link.TAKING if answer.held != offset:
                self._go_on(answer.held)

    def _go_on(self, held: int) -> None:
        data = self.image.data
        at_end = held >= len(data)
        self._say(link.Activate(self.image.hash) if at_end else link.Chunk(held, data[held : held + CHUNK_BYTES]))

    def _say(self, message: link.LinkMessage) -> None:
        self._sent, self._tries = message, 0
        self._repeat()

    def _repeat(self) -> None:
        self.pause()
        self._tries += 1
        if self._tries > MAX_TRIES:
            self._fail("does not answer to its new program")
            return
        self._timer = self._loop.call_later(RETRY_S, self._repeat)
        self._send(self._sent)

    def _fail(self, why: str) -> None:
        self.pause()
        self._on_failure(why)

    def outcome(self, running: link.Running | None) -> str | None:
        """Return the result after the device's return: empty, or why it failed; None if the transfer goes on."""
        if running is None or self.image.release not in (running.release, running.rejected):
            return None
        return "" if running.release == self.image.release else REJECTED
