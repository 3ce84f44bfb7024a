"""An emulated Pico's flash. A test cuts its power at any step: each byte written is one."""

import hashlib
import io
from typing import BinaryIO, cast

from hardware.firmware.loader import STATE, Flash, image_name


class PowerCutError(BaseException):
    """The board has lost its power."""


class MemoryFlash(Flash):
    """Files by name. After `steps_left` steps the power goes.

    A file written to loses its old content at once, and keeps the bytes written before the cut. With `is_atomic`, it
    changes only when it is closed, as littlefs has it.
    """

    def __init__(self, files: dict[str, bytes], *, is_atomic: bool = False) -> None:
        self.files = {**files}
        self.is_atomic = is_atomic
        self.steps_left: int | None = None
        self.room = 1 << 20
        """Bytes until the flash is full."""

    def step(self) -> None:
        """Take a step. PowerCutError if none is left."""
        if self.steps_left == 0:
            raise PowerCutError
        if self.steps_left is not None:
            self.steps_left -= 1

    def open(self, name: str, mode: str) -> BinaryIO:
        """Open a file. OSError if it is missing."""
        if mode == "wb":
            return cast(BinaryIO, _Written(self, name))
        if name not in self.files:
            raise OSError(2, name)
        return io.BytesIO(self.files[name])

    def rename(self, name: str, new: str) -> None:
        """Rename a file in one step."""
        self.step()
        self.files[new] = self.files.pop(name)


class _Written(io.RawIOBase):
    def __init__(self, flash: MemoryFlash, name: str) -> None:
        self._flash, self._name, self._pending = flash, name, bytearray()
        flash.step()
        if not flash.is_atomic:
            flash.files[name] = b""

    def write(self, data: bytes) -> int:  # type: ignore[override]
        flash = self._flash
        room = flash.room - sum(map(len, flash.files.values()))
        fits = len(data) if flash.steps_left is None else min(len(data), flash.steps_left)
        if fits > room:
            raise OSError(28, "No space left on device")
        self._pending += data[:fits]
        if not flash.is_atomic:
            flash.files[self._name] = bytes(self._pending)
        if flash.steps_left is not None:
            flash.steps_left -= fits
            if fits < len(data):
                raise PowerCutError
        return len(data)

    def close(self) -> None:
        if not self.closed:
            super().close()
            if self._flash.steps_left != 0:
                self._flash.files[self._name] = bytes(self._pending)


def program(body: bytes) -> bytes:
    """Return an image with this content, which begins with the eight bytes of its release."""
    return hashlib.sha256(body).digest() + body


def flash_with(image: bytes, *, is_atomic: bool = False) -> MemoryFlash:
    """Return the flash of a Pico with one program and its owner's file."""
    files = {image_name("a"): image, STATE: b"a", "wiring.py": b"the owner's"}
    return MemoryFlash(files, is_atomic=is_atomic)
