"""A seat board in a storm: hands at it and pictures on it without a pause, and a cable that damages what it carries.

The driver and the board's program are the real ones. What the board said first of each event, heard at its end of the
cable, is what the driver must have posted; what was last shown is what must be on the panel.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from faulty_cable import FaultyCable
from PIL import Image, ImageChops, ImageDraw

from drivers.messages import Button, Event, Levelled, Light, Message, Pressed, Released, Settled, Shaken, Tilted
from drivers.seat_board import SeatBoard
from hardware.cup.fitted import Fitted
from hardware.emulated.clock import VirtualLoop
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.seat import MARGIN
from hardware.link import messages as link
from hardware.link.framing import unframe

BUTTONS = ("left", "right", "ok", "dudo")
PIPS = tuple((left, 40, 16, 16) for left in range(4, 124, 25))
MOST_RATE = 0.05
BACKLOG = 24
"""With so many events on their way nobody presses on: a cup holds 64."""
UP_WITHIN_S = 0.2
QUIET_WITHIN_S = 2.0
FRAMES_A_BOUT = 2500
BLACKOUT_RATE = 0.25
LONGEST_BLACKOUT_S = 8.0
KINDS = {
    link.SHAKEN: Shaken,
    link.SETTLED: Settled,
    link.TILTED: Tilted,
    link.LEVELLED: Levelled,
    link.PRESSED: Pressed,
    link.RELEASED: Released,
}


@dataclass
class Weathered:
    """What a storm was, in figures."""

    frames: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    events: int = 0
    pictures: int = 0
    opened: int = 0
    up_again_s: float = 0.0
    """The longest that the link was down after a last fault."""
    virtual_s: float = 0.0

    def __add__(self, other: "Weathered") -> "Weathered":
        return Weathered(
            self.frames + other.frames,
            self.faults + other.faults,
            self.events + other.events,
            self.pictures + other.pictures,
            self.opened + other.opened,
            max(self.up_again_s, other.up_again_s),
            self.virtual_s + other.virtual_s,
        )

    def __str__(self) -> str:
        hit = self.faults.total()
        kinds = ", ".join(f"{name} {count:,}" for name, count in sorted(self.faults.items()))
        return (
            f"{self.frames:,} frames, {hit:,} of them hit ({100 * hit / max(1, self.frames):.2f} %: {kinds}); "
            f"{self.events:,} events, {self.pictures:,} pictures, {self.opened} openings of the port; "
            f"up again within {1000 * self.up_again_s:.0f} ms; {self.virtual_s:,.0f} s of play"
        )


def weathered(seed: int, frames: int, told: Callable[[int], None] = lambda frames: None) -> Weathered:
    """Let a storm of so many frames pass over a board; AssertionError names the seed. `told` hears how far it is."""
    loop = VirtualLoop(patience_s=10.0)
    raised: list[object] = []
    loop.set_exception_handler(lambda _, context: raised.append(context))
    try:
        with _board_in(loop, seed) as storm:
            while storm.cable.frames < frames:
                loop.run_until_complete(storm.bout())
                assert not raised, f"a callback raised: {raised}"
                told(storm.cable.frames)
            return storm.weathered()
    except AssertionError as error:
        raise AssertionError(f"in the storm of seed {seed}: {error}") from error
    finally:
        loop.close()


@contextmanager
def _board_in(loop: VirtualLoop, seed: int) -> Iterator["Storm"]:
    storm = Storm(loop, seed)
    try:
        yield storm
    finally:
        storm.close()


class Storm:
    """One board, its driver, and the faulty cable between them."""

    def __init__(self, loop: VirtualLoop, seed: int) -> None:
        self._rng = random.Random(seed)
        self._loop = loop
        self._began_ns = round(loop.time() * 1e9)
        self.board = EmulatedCup(Fitted("BOARD01", buttons=BUTTONS, panel="ssd1309"), loop, seed=seed)
        self.cable = FaultyCable(self.board.open, loop, random.Random(f"{seed}/cable"))
        self.cable.to_host.heard = self._heard
        self.driver = SeatBoard(0, self.cable.open, loop=loop, post=self._posted, identity="BOARD01")  # type: ignore[arg-type]
        self._covered = [_picture(f"bid {number}") for number in range(12)]
        self._covered += [ImageChops.invert(picture) for picture in self._covered[:4]]
        self._peeks = [_picture(f"peek {number % 3}", str(11111 * (number % 6 + 1))) for number in range(12)]
        self._ever = {place for picture in (*self._covered, *self._peeks) for place in _places(picture)} | {bytes(1024)}
        self._wanted = self._covered[0]
        self._peeking = False
        self._down: set[str] = set()
        self._moves: dict[str, asyncio.TimerHandle] = {}
        self._pushed = 0
        self._said: dict[int, link.Event] = {}
        self._got: list[tuple[Event, int]] = []
        self._number = 0
        self._events = self._pictures = 0
        self._up_again_s = 0.0

    def weathered(self) -> Weathered:
        """The figures up to now."""
        return Weathered(
            self.cable.frames,
            self.cable.faults,
            self._events,
            self._pictures,
            self.cable.opened,
            self._up_again_s,
            self._loop.time() - self._began_ns / 1e9,
        )

    def close(self) -> None:
        """Take everything off the loop."""
        self._rest()
        self.driver.close()
        self.cable.close()
        self.board.close()

    async def bout(self) -> None:
        """Play through a few thousand frames with faults and on into sound ones; check all that must hold then."""
        self.cable.set_rate(MOST_RATE * self._rng.choice((0.1, 0.3, 0.6, 0.9)))
        self._begin()
        until = self.cable.frames + self._rng.randint(1, FRAMES_A_BOUT)
        while self.cable.frames < until:
            await asyncio.sleep(0.05)
            assert self.board.picture().tobytes() in self._ever, "a picture is on the panel that nobody showed"
        if self._rng.random() < BLACKOUT_RATE:
            await self._blackout()
        self.cable.set_rate(0.0)
        await self._up()
        await self._quiet()

    async def _blackout(self) -> None:
        """Nothing passes for longer than a link puts up with; the hands rest before the cup is full of events."""
        self.cable.black_out(True)
        self._rest()
        await asyncio.sleep(self._rng.uniform(0.0, LONGEST_BLACKOUT_S))
        self.cable.black_out(False)

    # What must hold.

    async def _up(self) -> None:
        fault_s = self._loop.time()
        while not self.driver.is_up:
            await asyncio.sleep(0.001)
            down_s = self._loop.time() - fault_s
            assert down_s <= UP_WITHIN_S, f"{down_s:.3f} s after the last fault: {self.driver!r}"
            self._up_again_s = max(self._up_again_s, down_s)
        self._rest()
        await asyncio.sleep(max(0.0, fault_s + UP_WITHIN_S - self._loop.time()))
        assert self.driver.is_up, repr(self.driver)
        self._check_picture()

    async def _quiet(self) -> None:
        give_up_s = self._loop.time() + QUIET_WITHIN_S
        while len(self._got) < len(self._said) and self._loop.time() < give_up_s:
            await asyncio.sleep(0.05)
        await asyncio.sleep(1.0)  # nothing more may come
        self._check_picture()
        self._check_events()

    def _check_picture(self) -> None:
        assert self.board.picture().tobytes() in _places(self._wanted), "the panel does not show the latest picture"

    def _check_events(self) -> None:
        said = list(self._said.values())
        assert [message.number for message in said] == list(range(self._number + 1, self._number + len(said) + 1))
        pushed = sum(message.what in (link.PRESSED, link.RELEASED) for message in said)
        assert pushed == self._pushed, f"{self._pushed} presses and releases, {pushed} told"
        assert len(self._got) == len(said), f"{len(said)} events, {len(self._got)} posted"
        for message, (event, error_ns) in zip(said, self._got, strict=True):
            assert _is(event, message), f"{message!r} was posted as {event!r}"
            wrong_ns = abs(event.at_ns - self._began_ns - message.at_ns)
            assert wrong_ns <= error_ns + 1, f"{event!r} is {wrong_ns} ns wrong, stated were {error_ns}"
        self._number += len(said)
        self._events += len(said)
        self._said.clear()
        self._got.clear()
        self._pushed = 0

    # What is heard.

    def _heard(self, frame: bytes) -> None:
        _, message = link.from_body(unframe(frame.rstrip(b"\0")))
        if isinstance(message, link.Event) and message.number > self._number:
            before = self._said.setdefault(message.number, message)
            assert before == message, f"{before!r} was repeated as {message!r}"

    def _posted(self, message: Message) -> None:
        if not isinstance(message, Event):
            return
        assert message.event is not None
        self._got.append((message, self.driver.clock_error_ns or 0))
        self._loop.call_later(self._rng.uniform(0, 0.03), self.driver.acknowledge, message.event)

    # What hands do, and what is shown to them.

    def _begin(self) -> None:
        for line in BUTTONS:
            self._later(line, self._rng.uniform(0, 0.2), self._push, line)
        self._later("cup", self._rng.uniform(0, 2), self._lift)
        self._later("picture", 0, self._change)

    def _rest(self) -> None:
        for timer in self._moves.values():
            timer.cancel()
        self._moves.clear()
        for button in self._down:
            self._loop.call_later(0.02, self.board.release, button)  # its lock-out is over by then
            self._pushed += 1
        self._down.clear()
        if self._peeking:
            self._show(self._rng.choice(self._covered))
        self.board.level()

    def _later(self, what: str, after_s: float, move: Callable[..., None], *arguments: object) -> None:
        self._moves[what] = self._loop.call_later(after_s, move, *arguments)

    def _push(self, button: str) -> None:
        self._later(button, self._rng.uniform(0.02, 0.08), self._push, button)
        if button in self._down:
            self._down.remove(button)
            self.board.release(button)
        elif len(self._said) - len(self._got) < BACKLOG:
            self._down.add(button)
            self.board.press(button)
        else:
            return
        self._pushed += 1

    def _lift(self) -> None:
        self._later("cup", self._rng.uniform(0.2, 3), self._lower)
        if self._rng.random() < 0.3:
            self.board.shake(self._rng.uniform(0.5, 1.0))
        else:
            self.board.tilt()

    def _lower(self) -> None:
        self._later("cup", self._rng.uniform(0.5, 3), self._lift)
        self.board.level()

    def _change(self) -> None:
        self._later("picture", self._rng.choice((0.0, 0.002, 0.01, 0.03, 0.1)), self._change)
        if self._rng.random() < 0.02:
            self.driver.light(self._rng.choice(tuple(Light)))
        self._show(self._rng.choice(self._peeks if self._rng.random() < 0.3 else self._covered))

    def _show(self, picture: Image.Image) -> None:
        had_dice, self._peeking = self._peeking, picture in self._peeks
        self._wanted = picture
        self._pictures += 1
        if self._peeking:
            self.driver.show(picture, dice=PIPS)
        else:
            self.driver.light(Light.BRIGHT)
            self.driver.show(picture, first=had_dice)


def _is(event: Event, message: link.Event) -> bool:
    if type(event) is not KINDS[message.what] or event.event is None:
        return False
    if isinstance(event, Pressed | Released) and event.button is not Button(link.BUTTON_NAMES[message.detail[0]]):
        return False
    return event.event & 0xFFFF_FFFF == message.number


def _picture(text: str, pips: str = "") -> Image.Image:
    image = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 123, 59), outline=255)
    draw.text((9, 12), text, fill=255)
    for pip, (left, top, _, _) in zip(pips, PIPS, strict=False):
        draw.text((left, top), pip, fill=255)
    return image


def _places(picture: Image.Image) -> set[bytes]:
    """A picture wherever in its margin it may have wandered."""
    places = ((column, row) for column in range(MARGIN) for row in range(MARGIN))
    return {ImageChops.offset(picture, column, row).tobytes() for column, row in places}
