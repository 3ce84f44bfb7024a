"""Seat boards on terminals for a daemon in a process of its own: the real program, hands, a display that is read.

They live in the test's process and outlive every daemon. `support.crash.table` lays them; a folder like /dev/serial/by-
id leads the daemon to their terminals.
"""

import asyncio
import os
import select
import socket
import tty
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from firmware_host.public.address import phone_socket
from hardware.boards.pico_bundle import release
from hardware.chips import RECOMMENDED
from hardware.config.layout import PHONE
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.flash import flash_with, program
from hardware.emulated.line import EmulatedLine
from hardware.emulated.seat import EmulatedSeat
from hardware.emulated.table import BOARD_BUTTONS
from hardware.firmware.device_config import DeviceConfig
from hardware.firmware.program import Inputs
from hardware.link.messages import Event

CHUNK = 1 << 16


class TerminalLine(EmulatedLine):
    """A line whose host's end is a terminal, named in `folder` as the system names serial ports.

    The terminal's other side stays open here, so that a host may come and go.
    """

    def __init__(self, name: str, loop: asyncio.AbstractEventLoop, folder: Path) -> None:
        super().__init__(name, loop)
        self._far_end, self._terminal = os.openpty()
        tty.setraw(self._terminal)
        os.set_blocking(self._far_end, False)
        folder.mkdir(exist_ok=True)
        self._link = folder / f"usb-MicroPython_Board_in_FS_mode_{name.lower()}-if00"
        self._link.symlink_to(os.ttyname(self._terminal))
        loop.add_reader(self._far_end, self._has_bytes)

    @property
    def has_unread(self) -> bool:
        """Whether the host has sent bytes that this loop has not come to read yet."""
        return bool(select.select([self._far_end], [], [], 0)[0])

    def send(self, data: bytes) -> None:
        """Send to the host; what nobody reads is gone."""
        with suppress(BlockingIOError):
            os.write(self._far_end, data)

    def _has_bytes(self) -> None:
        with suppress(BlockingIOError):
            received = os.read(self._far_end, CHUNK)
            for callback in self._callbacks:
                callback(received)

    def close(self) -> None:
        """Take it away."""
        self._loop.remove_reader(self._far_end)
        self._link.unlink()
        os.close(self._far_end)
        os.close(self._terminal)


class EncryptedSocket:
    """The page's end of a phone's connection, in place of a socket."""

    def __init__(self, connection: socket.socket) -> None:
        from support.pages.phone_page import PhoneEnd  # needs pynacl, which a table of boards in a container lacks

        self._connection = connection
        self._phone = PhoneEnd()
        self.fileno, self.close = connection.fileno, connection.close
        connection.send(self._phone.door)

    def recv(self, size: int) -> bytes:
        """Return plain bytes. Raises `BlockingIOError` while there is no whole envelope."""
        received, was_agreed = self._connection.recv(size), self._phone.keys is not None
        if not received:
            return b""
        plain = self._phone.receive(received)
        if self._phone.keys is not None and not was_agreed:
            self._connection.send(self._phone.hello)
        if not plain:
            raise BlockingIOError
        return plain

    def send(self, data: bytes) -> None:
        """Send bytes; without the table's keys they are lost."""
        if self._phone.keys is not None:
            self._connection.send(self._phone.seal(data))


class PhoneLine(EmulatedLine):
    """A line whose host's end is a Unix socket, as `dudo-table phones` has one for a connected page.

    While it is unplugged there is no socket: the page is closed. It encrypts as the page does.
    """

    def __init__(self, name: str, loop: asyncio.AbstractEventLoop, path: Path) -> None:
        super().__init__(name, loop)
        path.parent.mkdir(exist_ok=True)
        self._path = path
        self._listening = self._listen()

    @property
    def has_unread(self) -> bool:
        """Whether the host has sent bytes that this loop has not come to read yet."""
        return self._end is not None and bool(select.select([self._end], [], [], 0)[0])

    def plug(self) -> None:
        """Connect the page. No-op if it is connected."""
        if not self.is_plugged:
            super().plug()
            self._listening = self._listen()

    def unplug(self) -> None:
        """Close the page."""
        if self.is_plugged:
            self._loop.remove_reader(self._listening.fileno())
            self._listening.close()
            self._path.unlink()
        super().unplug()

    def _listen(self) -> socket.socket:
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(self._path))
        listening.listen()
        listening.setblocking(False)
        self._loop.add_reader(listening.fileno(), self._accept)
        return listening

    def _accept(self) -> None:
        with suppress(BlockingIOError):
            end, _ = self._listening.accept()
            end.setblocking(False)
            self._attach(cast(socket.socket, EncryptedSocket(end)))


@dataclass(frozen=True)
class SeenPicture:
    """What a display showed from a moment on."""

    at_s: float
    dots: bytes  # 128×64, mode "1"


class KilledBoard(EmulatedCup):
    """A board that remembers what its hand did, what was acknowledged, and every picture its display has shown."""

    def __init__(
        self,
        fitted: DeviceConfig,
        loop: asyncio.AbstractEventLoop,
        *,
        seed: int,
        terminal: TerminalLine | PhoneLine,
        has_flash: bool = True,
    ) -> None:
        self.events: dict[int, Event] = {}
        self.acknowledged = 0
        self.shown: list[SeenPicture] = []
        self.pictured_s = 0.0
        """When the first picture of the latest host came."""
        self._held: object = None
        self._awaits_picture = False
        self.terminal = terminal
        flash = flash_with(program(release())) if has_flash else None
        super().__init__(fitted, loop, seed=seed, line=terminal, flash=flash)
        self.hand.do_buttons_bounce = False

    @property
    def is_lit(self) -> bool:
        """Whether its display shines."""
        return self.panel is not None and self.panel.on

    @property
    def held_dots(self) -> bytes:
        """The picture in its display's memory. The next host's ping lights it."""
        return b"" if self.panel is None else self.panel.picture().tobytes()

    @property
    def shown_s(self) -> float:
        """Since when it shows what it shows."""
        return self.shown[-1].at_s if self.shown else 0.0

    @property
    def is_done(self) -> bool:
        """Whether it has taken in everything that was sent to it, and shows it."""
        return not (self.terminal.has_unread or self._received or self.is_busy)

    def close(self) -> None:
        """Switch it off and take its terminal away."""
        super().close()
        self.terminal.close()

    def _step(self, inputs: Inputs) -> None:
        super()._step(inputs)
        if self._program is None:
            return
        outbox = self._program.outbox
        for event in outbox._waiting:
            self.events.setdefault(event.number, event)
        self.acknowledged = outbox.oldest - 1

    def _wake(self) -> None:
        # Between two turns of its loop the display shows a whole picture.
        if self._program is not None and not self.is_busy:
            awaited, self._awaits_picture = self._awaits_picture, self._program._is_first_picture
            if awaited and not self._awaits_picture:
                self.pictured_s = self._loop.time()
            self._note_display()
        super()._wake()

    def _note_display(self) -> None:
        if self.panel is None or not self.panel.on:
            self._held = None
            return
        registers = self.panel.registers
        held = b"".join(self.panel.pages), registers.inverted, registers.start_line, registers.offset
        if held == self._held:
            return
        self._held = held
        dots = self.panel.picture().tobytes()
        if not self.shown or self.shown[-1].dots != dots:
            self.shown.append(SeenPicture(self._loop.time(), dots))


class KilledSeat(EmulatedSeat):
    """A seat with such a board."""

    def __init__(self, name: str, board: KilledBoard, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(
            name,
            loop,
            buttons=BOARD_BUTTONS,
            fingers=board.hand,
            cup_hand=board.hand,
            display=board,
            cables={"board": board},
        )
        self.board = board

    def close(self) -> None:
        """Take the hand off and the board away."""
        self.let_go()
        self.board.close()


def seat_at(number: int, name: str, loop: asyncio.AbstractEventLoop, folder: Path) -> KilledSeat:
    """Return a seat whose board KILLED<number> is at a terminal in `folder`."""
    fitted = DeviceConfig(f"KILLED{number}", buttons=BOARD_BUTTONS, panel=RECOMMENDED, light=True)
    terminal = TerminalLine(fitted.identity, loop, folder)
    return KilledSeat(name, KilledBoard(fitted, loop, seed=number, terminal=terminal), loop)


def phone_at(number: int, name: str, loop: asyncio.AbstractEventLoop, folder: Path) -> KilledSeat:
    """Return a seat with a phone, spoken by a board's program: its port is a socket in the phones' `folder`."""
    fitted = DeviceConfig(f"{PHONE}{number + 1}", buttons=BOARD_BUTTONS, panel=RECOMMENDED, light=True)
    line = PhoneLine(fitted.identity, loop, phone_socket(folder, number + 1))
    return KilledSeat(name, KilledBoard(fitted, loop, seed=number, terminal=line, has_flash=False), loop)
