"""A seat board: one seat's cup, buttons and display on one serial port.
`BoardDisplayHealth` follows whether the board's display shows its pictures; `SeatBoard` sends them.
"""

import asyncio
import binascii
import logging
from collections.abc import Callable
from typing import ClassVar

from msgspec.structs import replace
from PIL import Image

from drivers.display.frame import (
    ALL_DIRTY,
    SHIFT_INTERVAL_S,
    DesiredFrame,
    DeviceFrame,
    FrameUpdate,
    Regions,
    diff,
    diff_from_either,
    dirty_windows,
    offset_at,
    to_page_format,
)
from drivers.link.port import Port, SerialPort
from drivers.link.session import LinkSession
from drivers.messages import Brightness, Device, Found, Lost, Post
from drivers.service_key import ServiceKey
from drivers.timing import Backoff
from hardware.link import messages as link

STABLE_S, MAX_STABLE_S = 0.2, 5.0
"""Seconds for which a returning panel must answer before it counts as found, doubled by each failure, and their
maximum."""
MAX_OVERDUE = 27
"""Consecutive unanswered pictures until the display counts as lost. Each takes `seat_board.PROBE_AFTER_S`
and a Pico's 8 ms to answer a ping: three seconds in all.
"""

PROBE_AFTER_S = 0.1
"""Seconds from an unanswered picture to a ping. A board answers in order, however slow it is: a Pong without the
PictureAck before it means that the picture was lost.
"""
UNHEARD_TIMEOUT_S = 3.0
"""Seconds without that Pong until the board counts as deaf, even if it sends."""
MAX_MISSES = 20
"""Consecutive whole pictures that may arrive damaged."""
FLIP_COST = 20
"""Cost of a panel's loss or return, in messages of the board's rate limit."""
NO_ANSWER = "the board's display does not answer; check its four wires"
NO_PICTURES = "the board takes short messages and no pictures; try another cable"

log = logging.getLogger("dudo-table")


class BoardDisplayHealth:
    """One board's panel state: present until the board reports otherwise.
    Calls `lost` with the reason, which is `deaf` for pictures without an answer, and `found` when it is back.
    """

    def __init__(
        self, *, loop: asyncio.AbstractEventLoop, lost: Callable[[str], None], found: Callable[[], None], deaf: str
    ) -> None:
        self.is_lit = True
        """Whether the panel answered, according to the board's last report."""
        self._loop = loop
        self._lost = lost
        self._found = found
        self._deaf = deaf
        self._is_reported_present = True
        self._overdue = 0
        self._stable = Backoff(STABLE_S, MAX_STABLE_S)
        self._timer: asyncio.Handle | None = None

    def __repr__(self) -> str:
        return f"<BoardDisplayHealth {'there' if self._is_reported_present else 'lost'}>"

    def report(self, is_lit: bool) -> None:
        """Handle the board's report whether its panel answers."""
        if is_lit is not self.is_lit:
            self.is_lit = is_lit
            if is_lit:
                self._find_when_stable()
            else:
                self._lose(NO_ANSWER)

    def on_overdue(self) -> None:
        """Count a picture without an answer."""
        self._overdue += 1
        if self._overdue == MAX_OVERDUE:
            self._lose(self._deaf)

    def on_unheard(self) -> None:
        """Report the panel as lost: without an answer to picture and ping, the board receives no messages."""
        self._overdue = MAX_OVERDUE
        self._lose(self._deaf)

    def on_answer(self) -> None:
        """Record the board's answer to a picture."""
        was_unheard, self._overdue = self._overdue >= MAX_OVERDUE, 0
        if was_unheard and self.is_lit:
            self._find_when_stable()

    def on_board_gone(self) -> None:
        """Forget the panel's state until the board is back."""
        self._cancel_find()
        self.is_lit = self._is_reported_present
        self._overdue = 0

    def _lose(self, why: str) -> None:
        """Report it as lost at once."""
        self._cancel_find()
        if self._is_reported_present:
            self._is_reported_present = False
            self._lost(why)

    def _find_when_stable(self) -> None:
        """Report it as found when it has answered for long enough."""
        self._cancel_find()
        if not self._is_reported_present:
            self._timer = self._loop.call_later(self._stable.next_s(), self._find)

    def _find(self) -> None:
        self._is_reported_present = True
        self._found()

    def _cancel_find(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class SeatBoard(LinkSession):
    """A session with a seat board: it posts cup and button events, and shows pictures. `has_key` is whether the layout
    puts the service key at this board. Lost and Found are for Device.BOARD; if only the panel does not answer, or
    pictures do not arrive, they are for Device.PANEL. One picture is on its way at a time, sent as its differing
    windows from the last confirmed one; the latest follows when it has arrived. Only a picture hiding dice follows at
    once, with the windows unlike either of the board's two possible frames.
    """

    DEVICE = Device.BOARD
    NEEDS = link.TILT | link.BUTTONS | link.PANEL
    DEAF: ClassVar[str] = NO_PICTURES

    def __init__(
        self,
        seat: int,
        port: Callable[[], Port] | SerialPort,
        *,
        loop: asyncio.AbstractEventLoop,
        post: Post,
        identity: str | None = None,
        address: int = 0,
        after: int = 0,
        has_key: bool = False,
    ) -> None:
        super().__init__(seat, port, loop=loop, post=post, identity=identity, address=address, after=after)
        self._key = ServiceKey(seat, f"the service key at {identity}", loop=loop, post=post) if has_key else None
        self._is_key_missed = False  # and this is logged
        self._desired = DesiredFrame(brightness=Brightness.DARK)
        self._brightness = Brightness.BRIGHT
        self._is_shown_to = False
        self._confirmed: DeviceFrame | None = None
        self._on_its_way: DeviceFrame | None = None
        self._is_whole = False
        self._left: DeviceFrame | None = None
        self._held_crc: int | None = None
        self._probe: int | None = None
        self._number = 0
        self._misses = 0
        self._overdue: asyncio.Handle | None = None
        self._health = BoardDisplayHealth(
            loop=loop,
            lost=lambda why: post(Lost(seat, Device.PANEL, why)),
            found=lambda: post(Found(seat, Device.PANEL)),
            deaf=self.DEAF,
        )
        self._began_s = loop.time()
        self._step: asyncio.TimerHandle = loop.call_later(SHIFT_INTERVAL_S, self._shift_pixels)

    def show(self, image: Image.Image, *, first: bool = False, dice: Regions = (), lamp: bool = False) -> None:
        """Replace the picture; 128x64, mode "1". Returns at once; an absent board gets the latest when it is back.
        `first`, for hiding, does not wait for the arrival of a picture with dice. `dice` are regions (left, top, width,
        height) for dice: the board shows them only while its own OK or cup is held, and not for long without this host.
        `lamp` is the board's light.
        """
        self._is_shown_to = True
        desired = replace(
            self._desired,
            dots=to_page_format(image),
            secret_regions=tuple(dice),
            lamp=lamp,
            brightness=self._brightness,
        )
        self._set_desired(desired, first=first)

    def set_brightness(self, brightness: Brightness) -> None:
        """Set the brightness. A dark panel is switched off and keeps its picture.
        A board is dark until its first picture, because it may still hold an earlier daemon's dice.
        """
        self._brightness = brightness
        if self._is_shown_to and brightness is not self._desired.brightness:
            self._set_desired(replace(self._desired, brightness=brightness))

    @property
    def is_shown(self) -> bool:
        """Whether the board has confirmed the latest picture."""
        return self._on_its_way is None and self._confirmed is not None and self._confirmed.shows(self._desired)

    def _on_up(self) -> None:
        self._send_picture(self._held())

    def _held(self) -> DeviceFrame | None:
        """Return the board's frame by its CRC, None if that is unknown.
        A newly started board holds a black picture; after a cable fault, it holds the last arrived picture.
        """
        for shown in (self._left, DeviceFrame(DesiredFrame())):
            if shown is not None and binascii.crc32(shown.memory) == self._held_crc:
                return shown
        return None

    def _send_last(self) -> None:
        self._desired = DesiredFrame(brightness=Brightness.DARK)
        self._forget_picture()
        self._send_picture(None)
        super()._send_last()

    def close(self) -> None:
        """Make the board dark and release the port for good."""
        self._step.cancel()
        self._health.on_board_gone()
        super().close()
        if self._key:
            self._key.close()

    def _set_desired(self, desired: DesiredFrame, *, first: bool = False) -> None:
        if desired.is_same(self._desired):
            return
        self._desired = desired
        self._keepalive.is_kept_active = bool(desired.secret_regions)
        if desired.secret_regions:
            self._keepalive.on_activity()  # before the picture: its lease is short
        confirmed, on_its_way = self._confirmed, self._on_its_way
        if on_its_way is None:
            self._send_latest()
        elif first and on_its_way.desired.secret_regions:
            self._forget_picture()
            if confirmed is None:
                self._send_picture(None)
            else:
                self._send_update(diff_from_either(desired, confirmed, on_its_way), link.NO_BASE)

    def _shift_pixels(self) -> None:
        self._step = self._loop.call_later(SHIFT_INTERVAL_S, self._shift_pixels)
        self._set_desired(replace(self._desired, offset=offset_at(self._loop.time() - self._began_s)))

    def _on_down(self) -> None:
        self._left, self._held_crc = self._on_its_way or self._confirmed, None
        self._forget_picture()
        self._health.on_board_gone()
        if self._key:
            self._key.turn(False)

    def _on_key(self, is_on: bool) -> None:
        if self._key:
            self._key.turn(is_on)

    def _check_hello(self, hello: link.Hello) -> str | None:
        """Check a hello. A board without the layout's key still works as a seat."""
        fault = super()._check_hello(hello)
        is_missed = self._key is not None and fault is None and not hello.fitted & link.KEY
        if is_missed and not self._is_key_missed:
            log.warning(
                "the service key does not work: the board %s has no input for it; set KEY in its wiring.py, with the "
                "program of this release",
                hello.identity,
            )
        self._is_key_missed = is_missed
        return fault

    def _is_answer(self, message: link.LinkMessage | None) -> bool:
        if isinstance(message, link.PictureAck):
            return self._on_its_way is not None and message.number == self._number
        return super()._is_answer(message)

    def _handle_other(self, message: link.LinkMessage) -> None:
        if not isinstance(message, link.PictureAck):
            return
        self._held_crc = message.crc
        if not self.is_up:
            return
        is_lit = bool(message.lit)
        if is_lit is self._health.is_lit or self._is_within_rate(FLIP_COST):
            self._health.report(is_lit)
        if message.number != self._number or not self.is_up:
            return
        arrived = self._on_its_way or self._confirmed
        if arrived is None:
            return
        self._health.on_answer()
        if message.crc == binascii.crc32(arrived.memory):
            self._misses = 0
            self._forget_picture()
            self._confirmed = arrived
            self._send_latest()
        elif self._on_its_way is not None and self._is_whole:
            self._on_mismatch()
        else:
            self._forget_picture()
            self._send_picture(None)

    def _on_mismatch(self) -> None:
        """Count a damaged whole picture. It is sent again when overdue, up to a limit."""
        self._misses += 1
        if self._misses > MAX_MISSES:
            self._misses = 0
            self._quarantine("never holds the picture that it was sent")

    def _send_latest(self) -> None:
        """Send the desired frame, unless the board has confirmed it."""
        if not self.is_shown:
            self._send_picture(self._confirmed or self._held())

    def _send_picture(self, held: DeviceFrame | None) -> None:
        """Send the differences from the board's frame, or everything if that is unknown."""
        base = link.NO_BASE if held is None else binascii.crc32(held.memory)
        self._send_update(diff(self._desired, held), base)

    def _send_update(self, update: FrameUpdate, base: int) -> None:
        if not self.is_up:
            return
        self._number = self._number + 1 & 0xFFFF
        self._on_its_way, self._is_whole = update.after, update.dirty == ALL_DIRTY
        self._overdue = self._loop.call_later(PROBE_AFTER_S, self._send_probe)
        self._send(picture_of(update, self._number, base))

    def _send_probe(self) -> None:
        token = self._keepalive.ping()
        if self._on_its_way is not None:  # otherwise the board has just gone silent
            self._probe = token
            self._overdue = self._loop.call_later(UNHEARD_TIMEOUT_S, self._is_unheard)

    def _is_unheard(self) -> None:
        self._health.on_unheard()
        self._forget_picture()
        self._send_picture(None)

    def _on_pong(self, token: int) -> None:
        if self._probe is not None and token - self._probe & 0xFFFF_FFFF < 1 << 31:
            self._health.on_overdue()
            self._forget_picture()
            self._send_picture(None)

    def _forget_picture(self) -> None:
        """Forget the board's frame."""
        self._confirmed = self._on_its_way = self._probe = None
        if self._overdue is not None:
            self._overdue.cancel()
            self._overdue = None


def picture_of(update: FrameUpdate, number: int, base: int) -> link.Picture:
    """Return the message with an update for a board; `base` is its current memory's CRC-32."""
    changed = dirty_windows(update.memory, update.dirty)
    desired, crc = update.after.desired, binascii.crc32(update.memory)
    return link.Picture(
        number, base, crc, update.after.mode, changed, peek=bool(desired.secret_regions), lamp=desired.lamp
    )
