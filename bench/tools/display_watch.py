"""The observer of each display: which press changed it, and when the last byte of the change arrived.

The functions `i2c_s`, `usb_s` and `uart_s` model the time of bytes on a bus, from data sheets.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from PIL import Image

from bench.tools.ledger import Ledger
from drivers.display.frame import SHIFT_COLUMNS, Regions, shift_columns, to_page_format
from drivers.messages import Brightness, Button, Message, Pressed
from firmware_host.devices.displays import DisplayLike
from firmware_host.table.staff import StaffAction
from hardware.emulated.chips.controllers import Controller
from hardware.emulated.chips.i2c import FAST_MODE_HZ, wire_time_s
from hardware.link import messages as link

USB_PACKET_BYTES = 64
USB_PACKETS_A_FRAME = 19
"""Bulk packets of 64 bytes that fit into one 1 ms frame at full speed (USB 2.0, table 5-9)."""

UART_HZ = 115_200


def i2c_s(transfers: int, sent_bytes: int, clock_hz: int = FAST_MODE_HZ) -> float:
    """Return the seconds on I2C: nine clocks a byte, address bytes included, and one each for start and stop."""
    if not transfers:
        return 0.0
    return wire_time_s(sent_bytes, clock_hz) + (transfers - 1) * wire_time_s(0, clock_hz)


def usb_s(sent_bytes: int) -> float:
    """Return the seconds on full-speed USB: each bulk packet takes a nineteenth of a frame on an idle bus."""
    packets = -(-sent_bytes // USB_PACKET_BYTES)
    return packets * 0.001 / USB_PACKETS_A_FRAME


def uart_s(sent_bytes: int, baud: int = UART_HZ) -> float:
    """Return the seconds on a UART: ten bits a byte, with start and stop."""
    return 10 * sent_bytes / baud


INVERSE = bytes(range(255, -1, -1))


@dataclass
class Sent:
    """The traffic of one seat so far; I2C bytes with their address bytes, link bytes with all framing."""

    transfers: int = 0
    i2c_bytes: int = 0
    picture_frames: int = 0
    picture_bytes: int = 0
    link_bytes: int = 0
    heard_bytes: int = 0

    def copy(self) -> "Sent":
        """Return a copy."""
        return Sent(**vars(self))


@dataclass(frozen=True)
class Answered:
    """A picture of a seat board: bytes of the panel's memory, whether a menu was stepped through, seconds it took."""

    length: int
    is_step: bool
    taken_s: float


@dataclass(frozen=True)
class Shown:
    """The times on the loop at which one display was given a press's picture, changed first, and was complete."""

    seat: int
    drawn_s: float
    first_s: float
    last_s: float


@dataclass(eq=False)
class Press:
    """A press, the displays it changed, and when the last of them was complete.

    `at_s` is the stamp of the deciding edge, `last_byte_s` the loop's time when the last byte was in a controller's
    memory. It includes a seat board's pace; the time on the USB that boards share is in `link_s`, by its model.
    """

    message: Message | StaffAction
    at_s: float
    is_hiding: bool = False
    makes_bid: bool = False
    takes_back: str = ""
    """The kind of action that staff take back."""
    seats: set[int] = field(default_factory=set)
    waiting: set[int] = field(default_factory=set)
    last_byte_s: float = 0.0
    shown: list[Shown] = field(default_factory=list)
    i2c_s: list[float] = field(default_factory=list)
    link_s: float = 0.0

    @property
    def is_complete(self) -> bool:
        """Whether it changed a display, and no later picture overtook it."""
        return bool(self.i2c_s) and not self.waiting


class DisplayWatch:
    """A display between the daemon and the real one: passes every picture on and checks `memory` when bytes arrive."""

    def __init__(
        self,
        seat: int,
        panel: DisplayLike,
        memory: Callable[[], Controller | None],
        *,
        loop: asyncio.AbstractEventLoop,
        ledger: Ledger,
        cause: Callable[[], Press | None],
    ) -> None:
        self.seat = seat
        self.sent = Sent()
        self.pictures: list[bytes] = [bytes(1024)]
        """Every picture that differs from the one before; the first is the black one of the start."""
        self.asked = 0
        self._panel = panel
        self._memory = memory
        self._loop = loop
        self._ledger = ledger
        self._cause = cause
        self.answered: list[Answered] = []
        """The answered pictures of a seat board."""
        self._press: Press | None = None
        self._before = self.sent.copy()
        self._drawn_s = self._first_s = 0.0
        self._on_its_way: tuple[link.Picture, bool, float] | None = None

    def show(self, image: Image.Image, *, first: bool = False, dice: Regions = (), lamp: bool = False) -> None:
        """Record a picture and pass it on."""
        with self._ledger.aside():
            self.asked += 1
            dots = to_page_format(image)
            if dots != self.pictures[-1]:
                self.pictures.append(dots)
                self._expect(self._cause())
        self._panel.show(image, first=first, dice=dice, lamp=lamp)

    def set_brightness(self, brightness: Brightness) -> None:
        """Pass the brightness on."""
        self._panel.set_brightness(brightness)

    def written(self) -> None:
        """Check whether the bytes that have arrived complete the picture."""
        press = self._press
        panel = self._memory()
        if press is None or panel is None:
            return
        self._first_s = self._first_s or self._loop.time()
        if not shows(panel, self.pictures[-1]):
            return
        self._press = None
        press.waiting.discard(self.seat)
        press.last_byte_s = self._loop.time()
        press.shown.append(Shown(self.seat, self._drawn_s, self._first_s, press.last_byte_s))
        press.i2c_s.append(
            i2c_s(self.sent.transfers - self._before.transfers, self.sent.i2c_bytes - self._before.i2c_bytes)
        )
        press.link_s += usb_s(self.sent.picture_bytes - self._before.picture_bytes)

    def picture_sent(self, picture: link.Picture) -> None:
        """Record the time of a picture to a seat board, and whether it is a step in a menu."""
        press = self._press.message if self._press else None
        is_step = isinstance(press, Pressed) and press.button in (Button.LEFT, Button.RIGHT)
        self._on_its_way = picture, is_step, self._loop.time()

    def picture_answered(self, ack: link.PictureAck) -> None:
        """Record the time of its answer."""
        if self._on_its_way is not None and self._on_its_way[0].number == ack.number:
            picture, is_step, sent_s = self._on_its_way
            length = sum(len(window.columns) for window in picture.windows)
            self.answered.append(Answered(length, is_step, self._loop.time() - sent_s))
            self._on_its_way = None

    def _expect(self, press: Press | None) -> None:
        self._press, self._before = press, self.sent.copy()
        self._drawn_s, self._first_s = self._loop.time(), 0.0
        if press is not None:
            press.seats.add(self.seat)
            press.waiting.add(self.seat)


def shows(panel: Controller, dots: bytes) -> bool:
    """Whether the controller holds all of a picture, wherever it has wandered."""
    first, end = panel.FIRST_COLUMN, panel.FIRST_COLUMN + 128
    memory = b"".join(bytes(page[first:end]) for page in panel.pages)
    if panel.registers.inverted:
        memory = memory.translate(INVERSE)
    return any(memory == shift_columns(dots, columns) for columns in range(SHIFT_COLUMNS))
