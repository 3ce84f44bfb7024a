"""A seat board as slow as a Raspberry Pi Pico, and slower: its pictures arrive, and the host waits for it."""

import asyncio
import random
from collections.abc import Iterator

import pytest
from PIL import Image, ImageChops, ImageDraw

from drivers.link.seat_board import SeatBoard
from drivers.messages import Brightness, Device, Found, Lost, Message
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.line import EmulatedPort
from hardware.emulated.pace import PICO, Pace
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig
from hardware.link import messages as link
from hardware.link.framing import FrameParser, frame
from hardware.link.oled import DisplayMode

WHOLE_WITHIN_S = 0.12
STEP_WITHIN_S = 0.04
GATE_WITHIN_S = 0.005
GATE_ALWAYS_WITHIN_S = 0.01
DICE = ((4, 40, 120, 16),)
RNG = random.Random(1)
NOISE = Image.frombytes("1", (128, 64), RNG.randbytes(1024))
OTHER_NOISE = Image.frombytes("1", (128, 64), RNG.randbytes(1024))
INVERSE = ImageChops.invert(NOISE)
DARK_LIGHT = 0
DARK, LIT = Image.new("1", (128, 64)), Image.new("1", (128, 64), 1)

SLOWER = {
    f"{times} times": Pace(PICO.boot_us, *(times * cost for name, cost in PICO._asdict().items() if name != "boot_us"))
    for times in (1, 3, 10)
}

pytestmark = pytest.mark.usefixtures("unraised")


class Bench:
    """A board, its driver, and the pictures that go between them; `drops` of them get lost."""

    def __init__(self, loop: VirtualLoop, inbox: list[Message], pace: Pace) -> None:
        self.loop = loop
        fitted = DeviceConfig("BOARD01", buttons=link.BUTTON_NAMES, panel="ssd1309")
        self.board = EmulatedCup(fitted, loop, seed=1, pace=pace)
        self.pictures: list[link.Picture] = []
        self.drops = 0
        self.is_deaf = False
        self.driver = SeatBoard(0, self._open, loop=loop, post=inbox)  # type: ignore[arg-type]

    def _open(self) -> EmulatedPort:
        port, parser = self.board.open(), FrameParser()
        write = port.write

        def written(data: bytes) -> int:
            pictures = [m for body in parser.feed(data) if isinstance(m := link.from_body(body)[1], link.Picture)]
            self.pictures += pictures
            if self.is_deaf or (pictures and self.drops):
                self.drops = max(0, self.drops - 1)
                return len(data)
            return write(data)

        port.write = written  # type: ignore[method-assign, assignment]
        return port

    def wait(self, duration_s: float) -> None:
        self.loop.run_until_complete(asyncio.sleep(duration_s))

    def shown_s(self) -> float:
        """Return how long it takes until the board has confirmed what is wanted."""
        began_s = self.loop.time()
        while not self.driver.is_shown:
            self.wait(0.0005)
            assert self.loop.time() - began_s < 10
        return self.loop.time() - began_s

    def close(self) -> None:
        self.driver.close()
        self.board.close()


@pytest.fixture
def pace() -> Pace:
    return PICO


@pytest.fixture
def bench(loop: VirtualLoop, inbox: list[Message], pace: Pace) -> Iterator[Bench]:
    bench = Bench(loop, inbox, pace)
    bench.wait(1)
    yield bench
    bench.close()


def bid(count: int) -> Image.Image:
    image = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(image)
    draw.text((8, 8), f"{count} x threes", fill=255)
    draw.rectangle((8 + 12 * (count % 8), 30, 18 + 12 * (count % 8), 33), fill=255)
    return image


@pytest.mark.parametrize("picture", [DARK, LIT, NOISE], ids=["dark", "lit", "noise"])
def test_a_whole_picture_is_answered_within_the_target(picture: Image.Image, bench: Bench) -> None:
    bench.driver.show(bid(1))
    bench.shown_s()
    bench.driver._forget_picture()
    bench.driver._left = None
    bench.driver._held_crc = None
    bench.pictures.clear()
    bench.driver.show(picture)
    assert bench.shown_s() <= WHOLE_WITHIN_S
    assert [sum(len(window.columns) for window in sent.windows) for sent in bench.pictures] == [1024]
    assert bench.board.picture().tobytes() == picture.tobytes()


def test_a_step_in_a_menu_is_answered_within_the_target(bench: Bench) -> None:
    bench.driver.show(bid(0))
    bench.shown_s()
    taken_s = []
    for count in range(1, 20):
        bench.wait(0.1)
        bench.driver.show(bid(count))
        taken_s.append(bench.shown_s())
    assert max(taken_s) <= STEP_WITHIN_S


def test_dice_go_within_milliseconds_of_oks_coming_up(bench: Bench) -> None:
    bench.board.hand.press("ok")
    bench.wait(0.1)
    bench.driver.show(NOISE, dice=DICE)
    bench.shown_s()
    assert bench.board.picture().tobytes() == NOISE.tobytes()
    bench.wait(0.05)  # the rest of the step that answered
    bench.board.hand.release("ok")
    bench.wait(GATE_WITHIN_S)
    assert bench.board.picture().getbbox() is None


@pytest.mark.slow
@pytest.mark.parametrize("dice", [(), DICE], ids=["plain", "dice"])
def test_dice_go_within_ten_milliseconds_at_any_moment_of_an_incoming_picture(
    dice: tuple[tuple[int, int, int, int], ...], bench: Bench
) -> None:
    for number in range(200):
        bench.driver.show(NOISE, dice=DICE)
        bench.board.hand.press("ok")
        while not (bench.driver.is_shown and bench.board.picture().getbbox()):
            bench.wait(0.001)
        bench.wait(0.1 + RNG.random() / 10)
        follows = (bid(number), INVERSE, OTHER_NOISE)[number % 3]
        bench.driver.show(follows, dice=dice)
        bench.wait(RNG.uniform(0, 0.15))
        bench.board.hand.release("ok")
        bench.wait(GATE_ALWAYS_WITHIN_S)
        seen = bench.board.picture()
        assert seen.getbbox() is None or (not dice and seen.tobytes() == follows.tobytes())
        bench.wait(0.2)


@pytest.mark.parametrize("pace", SLOWER.values(), ids=SLOWER)
def test_the_host_waits_for_a_board_however_slow_it_is(bench: Bench, inbox: list[Message]) -> None:
    bench.wait(5)  # the slowest says hello late
    for picture in (NOISE, DARK, bid(3), NOISE):
        bench.driver.show(picture)
        bench.shown_s()
    bench.wait(5)
    assert len(bench.pictures) == 1 + 4
    assert inbox == [Found(0, Device.BOARD)]


def test_a_picture_that_was_lost_is_sent_again_as_soon_as_a_later_ping_is_answered(bench: Bench) -> None:
    bench.driver.show(bid(1))
    bench.shown_s()
    bench.drops = 1
    bench.driver.show(bid(2))
    assert 0.1 < bench.shown_s() <= 0.1 + 0.02 + WHOLE_WITHIN_S
    assert bench.board.picture().tobytes() == bid(2).tobytes()


def test_the_first_picture_of_a_board_that_has_just_started_is_windows(bench: Bench) -> None:
    bench.driver.show(bid(1))
    bench.shown_s()
    _, first = bench.pictures
    assert 0 < sum(len(window.columns) for window in first.windows) < 400
    assert first.base != link.NO_BASE


def test_after_a_cable_failed_a_board_that_kept_its_picture_gets_windows(bench: Bench) -> None:
    bench.driver.show(bid(1))
    bench.shown_s()
    bench.board._line.unplug()
    bench.wait(0.2)
    bench.board._line.is_plugged = True
    bench.driver.show(bid(2))
    bench.pictures.clear()
    bench.wait(2)
    assert bench.driver.is_shown
    assert sum(len(window.columns) for window in bench.pictures[0].windows) < 400


def test_a_board_is_dark_until_it_is_shown_something(bench: Bench) -> None:
    bench.wait(5)
    assert [(sent.shine.brightness, sent.windows) for sent in bench.pictures] == [(DARK_LIGHT, [])]
    bench.driver.set_brightness(Brightness.BRIGHT)
    bench.wait(1)
    assert len(bench.pictures) == 1
    bench.driver.show(DARK)
    bench.shown_s()
    assert bench.board.panel is not None
    assert bench.board.panel.on


def test_dice_of_an_earlier_host_are_gone_before_a_new_one_shows_anything(
    bench: Bench, loop: VirtualLoop, inbox: list[Message]
) -> None:
    bench.board.hand.press("ok")
    bench.wait(0.1)
    bench.driver.show(NOISE, dice=DICE)
    bench.shown_s()
    assert bench.board.picture().tobytes() == NOISE.tobytes()
    bench.driver._line._close()  # it was killed
    with SeatBoard(0, bench.board.open, loop=loop, post=inbox) as driver:  # type: ignore[arg-type]
        bench.wait(0.3)
        assert bench.board.picture().getbbox() is None
        driver.show(DARK)
        bench.wait(0.3)
        assert driver.is_shown
        assert bench.board.picture().tobytes() == DARK.tobytes()


def test_a_board_that_talks_and_does_not_hear_is_told(bench: Bench, inbox: list[Message]) -> None:
    bench.driver.show(bid(1))
    bench.shown_s()
    bench.is_deaf = True
    bench.board.hand.press("ok")  # its events are repeated, as nobody acknowledges them
    bench.driver.show(bid(2))
    bench.wait(5)
    assert [message for message in inbox if isinstance(message, Lost)] == [
        Lost(0, Device.PANEL, "the board takes short messages and no pictures; try another cable")
    ]
    bench.is_deaf = False
    bench.wait(10)
    assert bench.driver.is_shown
    assert bench.board.picture().tobytes() == bid(2).tobytes()


@pytest.mark.parametrize("every_ms", [0.5, 1, 2, 2.6, 3, 5])
def test_a_contact_that_never_rests_does_not_make_the_board_deaf(every_ms: float, bench: Bench) -> None:
    def chatter(is_closed: bool) -> None:
        bench.board._moved("left", is_closed)
        bench.loop.call_later(every_ms / 1000, chatter, not is_closed)

    bench.driver.show(bid(1))
    bench.shown_s()
    chatter(True)
    bench.driver.show(bid(2))
    bench.wait(2)
    assert bench.driver.is_up
    assert bench.board.picture().tobytes() == bid(2).tobytes()


def test_a_board_answers_to_a_ping_after_the_picture_before_it(bench: Bench) -> None:
    bench.driver.close()
    bench.wait(0.6)
    port, parser = bench.board.open(), FrameParser()
    black = link.Picture(9, 0, 0, DisplayMode(), link.whole_picture(bytes(1024)))
    port.write(b"\0" + b"".join(frame(link.to_body(0, each)) for each in (black, link.Ping(7, 500))))
    bench.wait(0.5)
    answers = [type(link.from_body(body)[1]) for body in parser.feed(port.read(1 << 16))]
    assert answers.index(link.PictureAck) < answers.index(link.Pong)
