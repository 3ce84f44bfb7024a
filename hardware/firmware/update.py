"""An update over the link: a new program is written beside the running one, and starts only when all of it is there.
`program` calls it for Install, Chunk and Activate; `loader` has the two slots.
"""

from hardware.link import messages
from hardware.link.messages import ChunkAck

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    from hardware.firmware.loader import Slots

MAX_PROGRAM_BYTES = 262_144
"""Maximum program size: two of them and the owner's file fit the smallest file system, a Pico W's 848 KB."""


class Updates:
    """The slot for the next program, and the bytes of it that have come."""

    def __init__(self, slots: "Slots") -> None:
        self.is_switched = False
        """Whether the board is to restart with the new program."""
        self._slots = slots
        self._hash = b""
        self._size = self._held = 0
        self._file: BinaryIO | None = None

    def report(self) -> messages.Running:
        """Return the message about the running program."""
        slots = self._slots
        return messages.Running(slots.release, slots.version, slots.rejected or messages.NO_RELEASE)

    def keep(self) -> None:
        """End the running program's trial: the host has answered its Hello."""
        if self._slots.on_trial:
            try:  # noqa: SIM105
                self._slots.keep()
            except OSError:
                pass  # the next ping tries again

    def handle(self, message: messages.LinkMessage, holds_dice: bool) -> ChunkAck:
        """Handle an Install, a Chunk or an Activate. While dice may be lit, none may wait for the flash."""
        state = messages.REFUSED
        if not holds_dice and not self._slots.on_trial:
            try:
                state = self._take(message)
            except OSError:
                state = messages.UNWRITABLE
                self._forget()
        return ChunkAck(self._held, state)

    def _take(self, message: messages.LinkMessage) -> int:
        if isinstance(message, messages.Install):
            return self._begin(message.size, message.hash)
        if isinstance(message, messages.Chunk):
            if self._file is not None and message.offset == self._held:
                self._append(message.data)
            return messages.TAKING
        if isinstance(message, messages.Activate):
            return self._switch(message.hash)
        return messages.REFUSED

    def _begin(self, size: int, hash: bytes) -> int:
        if size > MAX_PROGRAM_BYTES:
            return messages.REFUSED
        if (size, hash) != (self._size, self._hash):
            self._forget()
            self._file = self._slots.open_spare()
            self._size, self._hash = size, hash
        return messages.TAKING

    def _append(self, data: bytes) -> None:
        assert self._file is not None
        if self._held + len(data) > self._size:
            return
        self._file.write(data)
        self._held += len(data)
        if self._held == self._size:
            self._file.close()
            self._file = None

    def _switch(self, hash: bytes) -> int:
        if not self.is_switched:
            if hash != self._hash or self._held < self._size or self._slots.spare_digest() != hash:
                self._forget()
                return messages.DAMAGED
            self._slots.switch()
            self.is_switched = True
        return messages.SWITCHED

    def _forget(self) -> None:
        file, self._file = self._file, None
        self._hash = b""
        self._size = self._held = 0
        if file is not None:
            try:  # noqa: SIM105 - MicroPython has no contextlib
                file.close()
            except OSError:
                pass  # the flash is full
