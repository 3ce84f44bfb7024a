"""A seat board's display: lit pictures, dice, light and wandering, with the real program at the far end."""

from collections.abc import Callable, Iterator

import pytest
from PIL import Image, ImageChops, ImageDraw

from drivers.display.frame import SHIFT_INTERVAL_S
from drivers.link.seat_board import SeatBoard
from drivers.messages import Brightness, Message
from hardware.chips import CHIPS
from hardware.emulated.chips.controllers import Controller
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.line import EmulatedPort
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig
from hardware.link import messages as link
from hardware.link.framing import FrameParser
from hardware.link.oled import DIM_CONTRAST

Wait = Callable[[float], None]
PIPS = tuple((left, 40, 16, 16) for left in range(4, 124, 25))

pytestmark = pytest.mark.usefixtures("unraised")


class Bench:
    """A board and its driver, with a parser of the frames between them."""

    def __init__(self, chip: str, loop: VirtualLoop, post: Callable[[Message], None]) -> None:
        buttons = ("left", "right", "ok", "dudo")
        self.board = EmulatedCup(DeviceConfig("BOARD01", buttons=buttons, panel=chip), loop, seed=1)
        self.pictures: list[link.Picture] = []
        self.driver = SeatBoard(0, self._open, loop=loop, post=post)

    def _open(self) -> EmulatedPort:
        port, parser = self.board.open(), FrameParser()
        write = port.write

        def heard(data: bytes) -> int | None:
            asked = [link.from_body(body)[1] for body in parser.feed(data)]
            self.pictures += [message for message in asked if isinstance(message, link.Picture)]
            return write(data)

        port.write = heard  # type: ignore[method-assign, assignment]
        return port

    @property
    def panel(self) -> Controller:
        assert self.board.panel is not None
        assert self.board.panel.unknown == []
        return self.board.panel

    @property
    def seen(self) -> bytes:
        return self.panel.picture().tobytes()


@pytest.fixture(params=CHIPS)
def bench(
    request: pytest.FixtureRequest, loop: VirtualLoop, inbox: Callable[[Message], None], wait: Wait
) -> Iterator[Bench]:
    bench = Bench(request.param, loop, inbox)
    wait(1)
    bench.pictures.clear()
    yield bench
    bench.driver.close()
    bench.board.close()


def words(text: str, pips: str = "") -> Image.Image:
    image = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 123, 59), outline=255)
    draw.text((9, 20), text, fill=255)
    for pip, (left, top, width, height) in zip(pips, PIPS, strict=False):
        draw.text((left, top), pip, fill=255)
        draw.point((left + width - 1, top + height - 1), fill=255)
    return image


def test_a_lit_picture_goes_to_the_board_as_one_byte(bench: Bench, wait: Wait) -> None:
    lit = ImageChops.invert(words("your turn"))
    for picture in (words("your turn"), lit, words("your turn")):
        bench.driver.show(picture)
        wait(0.1)
        assert bench.seen == picture.tobytes()
    assert [message.windows for message in bench.pictures[1:]] == [[], []]


def test_a_picture_that_is_shown_again_is_not_sent_again(bench: Bench, wait: Wait) -> None:
    for _ in range(3):
        bench.driver.show(words("the same"))
        bench.driver.set_brightness(Brightness.BRIGHT)
        wait(0.1)
    assert len(bench.pictures) == 1


def test_what_is_sent_when_dice_come_and_go_is_the_same_whatever_they_are(bench: Bench, wait: Wait) -> None:
    sizes = set()
    bench.board.hand.press("ok")  # a board lights no dice that nobody asks for
    for dice in ("11111", "65432", "     "):
        bench.driver.show(words("peek", "?????"))
        wait(0.1)
        bench.pictures.clear()
        for picture, boxes in ((words("peek", dice), PIPS), (words("peek", dice), PIPS), (words("peek", "?????"), ())):
            bench.driver.show(picture, dice=boxes)
            wait(0.1)
            assert bench.seen == picture.tobytes()
        sizes.add(tuple(len(message.pack()) for message in bench.pictures))
    assert len(sizes) == 1
    assert len(sizes.pop()) == 3


def test_a_board_dims_and_goes_dark_and_comes_back_with_the_picture_of_now(bench: Bench, wait: Wait) -> None:
    bench.driver.show(words("one"))
    wait(0.1)
    bright = bench.panel.contrast
    bench.driver.set_brightness(Brightness.DIM)
    wait(0.1)
    assert (bench.seen, bench.panel.contrast) == (words("one").tobytes(), DIM_CONTRAST)
    bench.driver.set_brightness(Brightness.DARK)
    bench.driver.show(words("two"))
    wait(0.1)
    assert bench.seen == bytes(1024)
    bench.driver.set_brightness(Brightness.BRIGHT)
    wait(0.1)
    assert (bench.seen, bench.panel.contrast) == (words("two").tobytes(), bright)


def test_a_board_that_restarted_is_dark_if_it_should_be(bench: Bench, wait: Wait) -> None:
    bench.driver.show(words("secret"))
    bench.driver.set_brightness(Brightness.DARK)
    wait(0.1)
    bench.board.unplug()
    wait(1)
    bench.board.plug()
    wait(2)
    assert bench.seen == bytes(1024)


def test_a_picture_wanders_and_loses_nothing(bench: Bench, wait: Wait) -> None:
    picture = ImageChops.invert(words("wide"))
    bench.driver.show(picture)
    places = set()
    for _ in range(16):
        wait(SHIFT_INTERVAL_S / 2)
        seen = bench.panel.picture()
        places |= {
            (column, row)
            for column in range(4)
            for row in range(4)
            if ImageChops.offset(seen, -column, -row).tobytes() == picture.tobytes()
        }
        wait(SHIFT_INTERVAL_S / 2)
    assert len(places) == 16


def test_a_lit_board_that_is_closed_is_off_and_empty(bench: Bench, wait: Wait) -> None:
    bench.driver.show(ImageChops.invert(words("lit")))
    wait(0.1)
    bench.driver.close()
    wait(0.2)
    assert bench.seen == bytes(1024)
    assert not bench.panel.on
    assert not bench.panel.registers.inverted
    first = bench.panel.FIRST_COLUMN
    assert all(page[first : first + 128] == bytes(128) for page in bench.panel.pages)
