"""A seat board in a storm: hands at it and pictures on it without a pause, and a cable that damages what it carries.

The driver and the board's program are the real ones. `support.link.storm_figures.run_storm` lets one pass and says what
it was.
"""

import asyncio
import random
from collections.abc import Callable

from PIL import Image, ImageChops, ImageDraw
from support.link.deal_watch import DealWatch
from support.link.event_watch import EventWatch
from support.link.faulty_cable import FaultyCable

from drivers.link.seat_board import SeatBoard
from drivers.messages import Brightness, Drawn, Event, Message, Opened, Settled
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.pace import PICO
from hardware.emulated.seat import MARGIN
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig

BUTTONS = ("left", "right", "ok", "dudo")
PIPS = tuple((left, 40, 16, 16) for left in range(4, 124, 25))
DARK = bytes(1024)

PUSH_S = (0.05, 0.25)
"""Seconds between two moves of a finger: with four buttons 27 edges a second, twice as many as a hand makes. A Pico
takes 11 ms for an edge, its event and the Ack, and needs the rest of its time for pictures."""
FRAMES_A_BOUT = 2500
RATES = (0.005, 0.015, 0.03, 0.045)
"""The share of frames that are hit, one for each bout."""
BLACKOUT_RATE = 0.08
"""So many bouts end with a time in which nothing passes, ..."""
LONGEST_BLACKOUT_S = 5.0
"""... for so long at the most."""
BACKLOG = 24
"""With so many events on their way nobody presses on: a cup holds 64."""

UP_WITHIN_S = 0.2
"""So long after the last fault the link is up, ..."""
THROUGH_WITHIN_S = 0.5
"""... and so long after it the panel shows the latest picture and every event has come: at a Pico's pace."""
REST_S = 0.05
"""So long after it the last finger is off."""
GATE_S = 0.02
"""A board closes the gate within 10 ms; the display is looked at every 10 ms."""
ANSWER_WITHIN_S = 0.3
LEASE_S = 0.8
"""So long after the last ping a board is dark at which somebody plays; it may have pictures to take in first."""


class Storm:
    """One board, its driver, and the faulty cable between them. AssertionError as soon as something is wrong."""

    def __init__(self, loop: VirtualLoop, seed: int) -> None:
        self.pictures = 0
        self.up_again_s = self.through_s = 0.0
        self._rng = random.Random(seed)
        self._loop = loop
        self.deals = DealWatch(self._rng)
        self.events = EventWatch(round(loop.time() * 1e9) + 1000 * PICO.boot_us)
        self.board = EmulatedCup(DeviceConfig("BOARD01", buttons=BUTTONS, panel="ssd1309"), loop, seed=seed)
        self.cable = FaultyCable(self.board.open, loop, random.Random(f"{seed}/cable"))
        self.cable.to_host.on_frame = self.events.on_frame
        self.driver = SeatBoard(0, self.cable.open, loop=loop, post=self._posted, identity="BOARD01")  # type: ignore[arg-type]
        self._covered = [_picture(f"bid {number}") for number in range(12)]
        self._covered += [ImageChops.invert(picture) for picture in self._covered[:4]]
        self._peeks = [_picture(f"peek {number % 3}", str(11111 * (number % 6 + 1))) for number in range(12)]
        self._dice = {place for picture in self._peeks for place in _places(picture)}
        self._ever = {place for picture in self._covered for place in _places(picture)} | self._dice | {DARK}
        self._wanted = self._covered[0]
        self._has_dice = False
        self._is_lifted = False
        self._peeked_s = 0.0
        self._down: set[str] = set()
        self._moves: dict[str, asyncio.TimerHandle] = {}

    def close(self) -> None:
        """Take everything off the loop."""
        self._rest()
        self.driver.close()
        self.cable.close()
        self.board.close()

    async def run(self) -> None:
        """Play through a few thousand frames with faults and on into sound ones; check all that must hold then."""
        await asyncio.sleep(2 * PICO.boot_us / 1e6)  # before the first, a board feels nothing while it starts
        self.cable.set_rate(self._rng.choice(RATES))
        self._begin()
        until = self.cable.frames + self._rng.randint(1, FRAMES_A_BOUT)
        while self.cable.frames < until:
            await asyncio.sleep(0.01)
            self._check_display()
        if self._rng.random() < BLACKOUT_RATE:
            await self._blackout()
        self.cable.set_rate(0.0)
        await self._check_up()
        await self._check_events()
        await self._check_deal()

    async def _blackout(self) -> None:
        """Nothing passes for longer than a link puts up with; the hands rest before the cup is full of events."""
        self.cable.black_out(True)
        self._rest()
        lasts_s = self._rng.uniform(0.0, LONGEST_BLACKOUT_S)
        await asyncio.sleep(min(lasts_s, LEASE_S))
        if lasts_s > LEASE_S:
            assert self._seen == DARK, "a board that hears nobody is lit"
            await asyncio.sleep(lasts_s - LEASE_S)
        self.cable.black_out(False)

    # What must hold.

    @property
    def _seen(self) -> bytes:
        return self.board.picture().tobytes()

    def _check_display(self) -> None:
        seen = self._seen
        assert seen in self._ever or self.board.is_busy, "a picture is on the panel that nobody showed"
        if self._is_lifted or "ok" in self._down:
            self._peeked_s = self._loop.time()
        is_late = self._loop.time() - self._peeked_s > GATE_S
        assert seen not in self._dice or not is_late, "dice are lit and nobody peeks"

    async def _check_up(self) -> None:
        sound_s = self._loop.time()
        while not self.driver.is_up:
            await asyncio.sleep(0.001)
            down_s = self._loop.time() - sound_s
            assert down_s <= UP_WITHIN_S, f"{down_s:.3f} s after the last fault: {self.driver!r}"
            self.up_again_s = max(self.up_again_s, down_s)
        self._rest()
        await asyncio.sleep(sound_s + REST_S - self._loop.time())
        while self.events.on_their_way or self._seen not in _places(self._wanted):
            await asyncio.sleep(0.001)
            through_s = self._loop.time() - sound_s
            assert through_s <= THROUGH_WITHIN_S, f"{self.events.on_their_way} events, {self._seen}"
            self.through_s = max(self.through_s, through_s)

    async def _check_events(self) -> None:
        await asyncio.sleep(1.0)  # nothing more may come
        self._check_picture()
        self.events.check()

    async def _check_deal(self) -> None:
        """A deal is drawn, the cup is shaken, and it opens what it had committed to."""
        self.deals.draw(self.driver)
        await asyncio.sleep(ANSWER_WITHIN_S)
        assert self.deals.is_drawn, "a cup that was asked to draw did not answer"
        self.board.hand.shake(0.8)
        await asyncio.sleep(2.0)
        assert any(isinstance(event, Settled) for event in self.events.got), "the cup was shaken and did not settle"
        self.deals.open(self.driver)
        await asyncio.sleep(ANSWER_WITHIN_S)
        assert self.deals.is_opened, "a cup that was asked to open did not answer"
        self.events.check()

    def _check_picture(self) -> None:
        assert self._seen in _places(self._wanted), "the panel does not show the latest picture"

    # What hands do, and what is shown to them.

    def _posted(self, message: Message) -> None:
        if isinstance(message, Drawn | Opened):
            self.deals.posted(message)
        elif isinstance(message, Event):
            assert message.event is not None
            self.events.posted(message, self.driver.clock_error_ns or 0)
            self._loop.call_later(self._rng.uniform(0, 0.03), self.driver.acknowledge, message.event)

    def _begin(self) -> None:
        for button in BUTTONS:
            self._later(button, self._rng.uniform(0, 0.2), self._push, button)
        self._later("cup", self._rng.uniform(0, 2), self._lift)
        self._later("picture", 0, self._change)
        self._later("deal", self._rng.uniform(0, 3), self._deal)

    def _rest(self) -> None:
        for timer in self._moves.values():
            timer.cancel()
        self._moves.clear()
        for button in self._down:
            self._loop.call_later(0.02, self.board.hand.release, button)  # its lock-out is over by then
            self.events.pushed += 1
        self._down.clear()
        if self._has_dice:
            self._show(self._rng.choice(self._covered))
        self._lower()

    def _later(self, what: str, after_s: float, move: Callable[..., None], *arguments: object) -> None:
        self._moves[what] = self._loop.call_later(after_s, move, *arguments)

    def _push(self, button: str) -> None:
        self._later(button, self._rng.uniform(*PUSH_S), self._push, button)
        if button in self._down:
            self._down.remove(button)
            self.board.hand.release(button)
        elif self.events.unposted_pushes < BACKLOG:
            self._down.add(button)
            self.board.hand.press(button)
        else:
            return
        self.events.pushed += 1

    def _lift(self) -> None:
        self._later("cup", self._rng.uniform(0.2, 3), self._put_down)
        self._is_lifted = self._rng.random() < 0.7
        if self._is_lifted:
            self.board.hand.tilt()
        else:
            self.board.hand.shake(self._rng.uniform(0.5, 1.0))

    def _put_down(self) -> None:
        self._later("cup", self._rng.uniform(0.5, 3), self._lift)
        self._lower()

    def _lower(self) -> None:
        self._is_lifted = False
        self.board.hand.level()

    def _deal(self) -> None:
        """Another deal, or the latest is to be opened; one that was not shaken is not."""
        self._later("deal", self._rng.uniform(0.3, 3), self._deal)
        if self.deals.is_drawn and self._rng.random() < 0.5:
            self.deals.open(self.driver)
        else:
            self.deals.draw(self.driver)

    def _change(self) -> None:
        self._later("picture", self._rng.choice((0.0, 0.002, 0.02, 0.1, 0.3)), self._change)
        if self._rng.random() < 0.02:
            self.driver.set_brightness(self._rng.choice(tuple(Brightness)))
        self._show(self._rng.choice(self._peeks if self._rng.random() < 0.3 else self._covered))

    def _show(self, picture: Image.Image) -> None:
        had_dice, self._has_dice = self._has_dice, any(picture is peek for peek in self._peeks)
        self._wanted = picture
        self.pictures += 1
        if self._has_dice:
            self.driver.show(picture, dice=PIPS)
        else:
            self.driver.set_brightness(Brightness.BRIGHT)
            self.driver.show(picture, first=had_dice)


def _picture(text: str, pips: str = "") -> Image.Image:
    image = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 123, 59), outline=255)
    draw.text((9, 12), text, fill=255)
    for pip, (left, top, _, _) in zip(pips, PIPS, strict=False):
        draw.text((left, top), pip, fill=255)
    return image


def _places(picture: Image.Image) -> set[bytes]:
    """Return a picture in every place of its margin."""
    places = ((column, row) for column in range(MARGIN) for row in range(MARGIN))
    return {ImageChops.offset(picture, column, row).tobytes() for column, row in places}
