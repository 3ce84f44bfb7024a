"""Boards one after the other: MicroPython, the program, its Hello, its parts, and its line for the layout.

The person plugs a Pico in and looks at its display; every other step is the computer's. A fault is one sentence, and
the next board goes on. `commands.boards` runs it.
"""

import importlib.util
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from drivers.messages import Device
from firmware_host.devices.board_updates import BY_CLIP, takes_updates
from firmware_host.devices.host_io.ports import SystemPorts
from firmware_host.devices.host_io.serial_ports import SERIAL
from firmware_host.doctor.checks.serial import NEEDS, PROBE_TIMEOUT_S
from firmware_host.doctor.findings import Finding
from firmware_host.doctor.flash import boot_drive
from firmware_host.doctor.flash.boot_drive import AGAIN, BootDrive, FlashError
from firmware_host.doctor.flash.micropython import MicroPython
from firmware_host.doctor.probe import Answer, probe
from hardware.boards import pico_bundle
from hardware.config.layout import Layout, SerialDevice, load_builtin
from hardware.link import messages as link

Found = TypeVar("Found")

LOOK_S = 0.5
"""Seconds between two looks for a drive or a port."""
START_TIMEOUT_S = 20.0
"""Seconds until MicroPython has its port; its first start makes a file system."""
HELLO_TIMEOUT_S = 15.0
HINT_AFTER_S = 30.0
"""Seconds without a Pico until a hint."""
COPY_TIMEOUT_S = 120.0
MAKER = "MicroPython"
"""A word in the port name of each board with MicroPython."""


class Workplace(Struct, frozen=True):
    """The computer's side of flashing; a test has its own."""

    ports: SystemPorts
    put_program: Callable[[str], None]
    """Copies the program onto a port's MicroPython and restarts it. Raises FlashError."""
    try_parts: Callable[[Layout, bool], Sequence[Finding]]
    """Tests a board's parts with the person; True: also its light."""
    say: Callable[[str], None]
    find: Callable[[], BootDrive | None] = boot_drive.find
    write: Callable[[BootDrive, MicroPython], None] = boot_drive.write
    wait: Callable[[float], None] = time.sleep


class Flashing:
    """One evening's boards. Ports plugged in before are left alone; of several new ones each has its turn."""

    def __init__(self, place: Workplace, micropython: MicroPython) -> None:
        self._place = place
        self._micropython = micropython
        self._known = set(self._names())
        self._written: BootDrive | None = None  # until MicroPython has its port
        self.lines: list[str] = []
        """The layout's lines of the boards that are ready."""

    def run(self, boards: int | None = None) -> None:
        """Flash boards until interrupted, or a number of them, failed ones included."""
        number = 0
        while boards is None or number < boards:
            number += 1
            self._place.say(f"Board {number}: hold BOOTSEL on a Pico while you plug it in. Ctrl-C ends.")
            found = self._next()
            try:
                self._flash(number, found)
            except FlashError as error:
                self._place.say(f"  This board is not ready: {error}.")
            while self._written is not None and self._place.find() == self._written:
                self._place.wait(LOOK_S)  # until it is unplugged
            self._written = None
            self._place.say("")

    def _next(self) -> BootDrive | str:
        """Wait for a Pico in its boot mode, or for a port: a board that has MicroPython already."""
        looks = 0
        while (found := self._look()) is None:
            looks += 1
            if looks == HINT_AFTER_S / LOOK_S:
                self._place.say("  No Pico yet. Some cables only charge: try another, and hold BOOTSEL until it is in.")
            self._place.wait(LOOK_S)
        return found

    def _look(self) -> BootDrive | str | None:
        return self._place.find() or self._new_port()

    def _flash(self, number: int, found: BootDrive | str) -> None:
        say = self._place.say
        port: str | None
        if isinstance(found, BootDrive):
            say(f"  MicroPython {self._micropython.version} goes onto it …")
            self._written = found
            self._place.write(found, self._micropython)
            port = self._within(START_TIMEOUT_S, self._new_port)
            if port is None:
                raise FlashError(f"MicroPython did not start, or its cable was pulled; {AGAIN}")
            self._written = None
        else:
            port = found
        self._known.add(port)
        answer = self._ask(port)
        if answer.running is None:  # it may still start, or its port may be another program's for a moment
            self._place.wait(LOOK_S)
            answer = self._ask(port)
        if answer.hello is None:
            if answer.why:
                raise FlashError(f"its port can't be opened: {answer.why}; stop the other program, and {AGAIN}")
            say("  The program goes onto it …")
            self._place.put_program(port)
            answer = self._within(HELLO_TIMEOUT_S, partial(self._hello, port)) or Answer()
        elif takes_updates(answer.running):
            say("  It has a program already, and the table updates that by itself.")
        else:
            raise FlashError(f"its program is from before updates over the cable; {BY_CLIP}")
        if answer.hello is None:
            raise FlashError("it says no Hello; its wiring.py may name a part wrongly: dudo-table check my-wiring.py")
        self._finish(number, answer.hello)

    def _finish(self, number: int, hello: link.Hello) -> None:
        is_board = not NEEDS[Device.BOARD] & ~hello.fitted
        line = f'{Device.BOARD if is_board else Device.CUP} = "{hello.identity}"'
        if is_board:
            for finding in self._place.try_parts(_layout(number, hello.identity), bool(hello.fitted & link.LIGHT)):
                self._place.say(f"  {finding.what}; {finding.remedy}")
        self.lines.append(line)
        self._place.say(f"  Ready. Write its id on it: {hello.identity}. For the layout: {line}")

    def _hello(self, port: str) -> Answer | None:
        answer = self._ask(port)
        return answer if answer.hello and answer.running and answer.running.release == pico_bundle.release() else None

    def _ask(self, port: str) -> Answer:
        return probe(lambda: self._place.ports.open_port(port), [0], time.monotonic() + PROBE_TIMEOUT_S)[0]

    def _names(self) -> list[str]:
        return [name for name, _ in self._place.ports.plugged_in() if MAKER in name]

    def _new_port(self) -> str | None:
        names = self._names()
        self._known &= set(names)  # what is unplugged is new when it comes again
        return next((name for name in names if name not in self._known), None)

    def _within(self, timeout_s: float, look: "Callable[[], Found | None]") -> "Found | None":
        for _ in range(int(timeout_s / LOOK_S)):
            if (found := look()) is not None:
                return found
            self._place.wait(LOOK_S)
        return None


def copier(folder: Path, serial: Path = SERIAL) -> Callable[[str], None]:
    """Return a function that copies a bundle's files with mpremote, as hardware/README.md does by hand.

    The command, not the library: its authors announce changes to the library's interface. The file that starts the
    program comes last, so after a pulled cable the same copy works again.
    """
    first = [str(file) for file in sorted(folder.iterdir()) if file.name != pico_bundle.START]

    def copy(port: str) -> None:
        files = [*first, str(folder / pico_bundle.START)]
        command = [*_mpremote(), "connect", str(serial / port), "fs", "cp", "-r", *files, ":", "+", "reset"]
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=COPY_TIMEOUT_S, check=False
            )
        except subprocess.TimeoutExpired:
            raise FlashError(f"it did not take its program in time; {AGAIN}") from None
        if done.returncode:
            why = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no reason given"]
            raise FlashError(f"it did not take its program ({why[0]}); {AGAIN}")

    return copy


def has_mpremote() -> bool:
    """Return whether mpremote is installed, beside this Python or on the PATH."""
    return bool(_mpremote())


def _mpremote() -> list[str]:
    if importlib.util.find_spec("mpremote") is not None:
        return [sys.executable, "-m", "mpremote"]
    found = shutil.which("mpremote")
    return [found] if found else []


def _layout(number: int, identity: str) -> Layout:
    """Return a table of this board alone."""
    table = load_builtin("boards-8")
    return replace(table, seats=(replace(table.seats[0], name=f"Board {number}", board=SerialDevice(identity)),))
