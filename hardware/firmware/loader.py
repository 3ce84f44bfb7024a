"""Starts one of two programs in the flash. A copy of this file in the Pico's root, `main.py`, runs at every start.

A program is one file, `a.img` or `b.img`: its SHA-256, its release, an index, and its modules. An update writes the
file of the slot that does not run, then replaces the file `slot` by renaming: the only step that changes the next
start. The new program is on trial until the host has answered its Hello; after two starts without that the old one runs
again. An update never writes this file or the owner's `wiring.py`.
"""

import sys

if sys.implementation.name == "micropython":
    # First of all, as the other imports take a Pico 0.4 s: until this call, a byte 0x03 from the host would stop the
    # program and leave the board at MicroPython's prompt.
    import micropython  # type: ignore[import-not-found]

    micropython.kbd_intr(-1)

import hashlib
import io
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

LOADER = 1
"""Version of this file's contract with a program: the image, `Slots`, and the call of `main`."""
STATE = "slot"
NEW_STATE = "slot.new"
TRIES = 2
"""Starts that a new program has for its Hello."""
TRIAL_MS = 30_000
"""Milliseconds of a start in which the host must have answered."""
HASH_BYTES = 32
HEAD_BYTES = 40
"""Bytes before the index: the SHA-256 of all that follows it, and the release."""
WIRING_FOLDER = "hardware/firmware"
"""Folder of the owner's wiring.py on the Pico."""
MOUNTED = "/program"
PROGRAM = "hardware.firmware.main"
_BLOCK = 1024


class Flash:
    """The flash's file operations."""

    def open(self, name: str, mode: str) -> "BinaryIO":
        """Open a file."""
        return open(name, mode)  # type: ignore[return-value]

    def rename(self, name: str, new: str) -> None:
        """Rename a file, replacing another one at once."""
        os.rename(name, new)


class Slots:
    """The two programs and the choice between them.
    The state file has the slot of the program that is known to run. A digit behind it puts the other one on trial, and
    counts its starts; a `!` says that it failed. Without a readable state, any intact program runs.
    """

    version = LOADER

    def __init__(self, flash: Flash) -> None:
        self.flash = flash
        self.running = ""
        """The running slot, a or b, once chosen."""
        self.on_trial = False
        self.release = b""
        """The running program's release."""
        self.rejected = b""
        """The release of a program that failed to start, empty without one."""
        self.timer: Any = None
        """Restarts the board at the end of a trial."""

    def choose(self) -> str:
        """Choose the slot to start, and count its try. RuntimeError if no program is intact."""
        kept, mark = self._state()
        other = _other(kept)
        if "0" <= mark <= "9":
            try:
                if int(mark) < TRIES and self._head(other):
                    self._write(kept + str(int(mark) + 1))
                    self.on_trial = True
                    return self._run(other)
                self._write(kept + "!")
            except OSError:
                pass  # a start that can't be counted is none
            mark = "!"
        if mark == "!":
            self.rejected = self._head(other)[HASH_BYTES:]
        for slot in (kept, other):
            if self._head(slot):
                return self._run(slot)
        raise RuntimeError("no program is intact: copy main.py, a.img and slot again")

    def _run(self, slot: str) -> str:
        self.running, self.release = slot, self._head(slot)[HASH_BYTES:]
        return slot

    def _head(self, slot: str) -> bytes:
        """Return the hash and the release of a slot's program, empty if the file is missing or damaged."""
        try:
            with self.flash.open(image_name(slot), "rb") as file:
                head = file.read(HEAD_BYTES)
                found = hashlib.sha256(head[HASH_BYTES:])
                while True:
                    block = file.read(_BLOCK)
                    if not block:
                        break
                    found.update(block)
        except OSError:
            return b""
        return head if len(head) == HEAD_BYTES and found.digest() == head[:HASH_BYTES] else b""

    def open_spare(self) -> "BinaryIO":
        """Open an empty file for the next program."""
        return self.flash.open(image_name(_other(self.running)), "wb")

    def spare_digest(self) -> bytes:
        """Return the SHA-256 of the next program, empty if it is missing or damaged."""
        return self._head(_other(self.running))[:HASH_BYTES]

    def switch(self) -> None:
        """Put the spare slot's program on trial from the next start on."""
        self._write(self.running + "0")

    def keep(self) -> None:
        """End the trial: the running program is good."""
        self._write(self.running)
        self.on_trial = False
        if self.timer is not None:
            self.timer.deinit()

    def _state(self) -> "tuple[str, str]":
        try:
            with self.flash.open(STATE, "rb") as file:
                text = file.read(3).strip()
        except OSError:
            text = b""
        return ("b" if text[:1] == b"b" else "a"), ("" if len(text) < 2 else chr(text[1]))

    def _write(self, state: str) -> None:
        with self.flash.open(NEW_STATE, "wb") as file:
            file.write(state.encode())
        self.flash.rename(NEW_STATE, STATE)


def image_name(slot: str) -> str:
    """Return the name of a slot's file."""
    return slot + ".img"


def _other(slot: str) -> str:
    return "a" if slot == "b" else "b"


class Image:
    """A program as a read-only file system for MicroPython's imports.
    Each entry of the index is a byte with the length of the name, the name, and four bytes for the module's length. A
    zero byte ends the index; the modules follow in the same order.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._places: dict[str, tuple[int, int]] = {}
        self._folders = set()
        sizes = []
        with open(name, "rb") as file:
            file.read(HEAD_BYTES)
            while True:
                length = file.read(1)[0]
                if not length:
                    break
                sizes.append((file.read(length).decode(), int.from_bytes(file.read(4), "little")))
            at = file.tell()
        for path, size in sizes:
            self._places[path] = (at, size)
            at += size
            while "/" in path:
                path = path.rsplit("/", 1)[0]
                self._folders.add(path)

    def mount(self, readonly: bool, mkfs: bool) -> None:
        """Do nothing: MicroPython requires it."""

    def umount(self) -> None:
        """Do nothing: MicroPython requires it."""

    def stat(self, path: str) -> "tuple[int, ...]":
        """Return whether a path is a folder or a file. OSError for another."""
        path = path.strip("/")
        if path in self._places:
            return (0x8000, 0, 0, 0, 0, 0, self._places[path][1], 0, 0, 0)
        if path in self._folders:
            return (0x4000, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        raise OSError(2)

    def open(self, path: str, mode: str) -> io.BytesIO:
        """Open a module for reading."""
        at, size = self._places[path.strip("/")]
        with open(self._name, "rb") as file:
            file.seek(at)
            return io.BytesIO(file.read(size))


def main() -> None:
    """Start the chosen program; return to MicroPython's prompt only if SERVICE is grounded or nothing can start."""
    import machine  # type: ignore[import-not-found]
    import vfs  # type: ignore[import-not-found]

    sys.path.append(WIRING_FOLDER)
    import wiring  # type: ignore[import-not-found]

    if not machine.Pin(wiring.SERVICE, machine.Pin.IN, machine.Pin.PULL_UP).value():
        return
    slots = Slots(Flash())
    slots.choose()
    if slots.on_trial:
        slots.timer = machine.Timer(
            -1, period=TRIAL_MS, mode=machine.Timer.ONE_SHOT, callback=lambda timer: machine.reset()
        )
    try:
        vfs.mount(Image(image_name(slots.running)), MOUNTED)
        sys.path.insert(0, MOUNTED)
        program = __import__(PROGRAM, None, None, ("main",))  # by name: it is the image's, and no part of this file
        program.main(wiring, slots)
    except Exception:
        if not slots.on_trial:
            raise  # MicroPython prints it, and the host reports it
        machine.reset()


if __name__ == "__main__":
    main()
