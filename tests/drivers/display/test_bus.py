"""Panels through the real driver on an emulated wire that takes its time and fails."""

import asyncio
import errno
import random
from collections.abc import Callable
from itertools import groupby
from random import Random

import pytest
from PIL import Image, ImageChops
from support import rest_slow

from drivers.display.bus import MAX_POLL_INTERVAL_S, POLL_INTERVAL_S, REINITIALISE_INTERVAL_S, Display, DisplayBus
from drivers.display.frame import SHIFT_INTERVAL_S
from drivers.messages import Brightness, Device, Found, Lost, Message
from hardware.chips import CHIPS
from hardware.emulated.chips.controllers import CONTROLLERS, Controller
from hardware.emulated.chips.i2c import ADAPTER_TIMEOUT_S, EmulatedBus
from hardware.emulated.virtual_loop import START_S, VirtualLoop

SIZE = (128, 64)
A, B = 0x3C, 0x3D
PIPS = tuple((left, 40, 16, 16) for left in range(4, 124, 25))
FIRST_DIE = (4, 40, 20, 56)
PLACES = [(column, row) for column in range(4) for row in range(4)]
Wait = Callable[[float], None]


def noise(seed: object) -> Image.Image:
    return Image.frombytes("1", SIZE, random.Random(str(seed)).randbytes(1024))


def framed(seed: object) -> Image.Image:
    """A picture that leaves the margin to the background, with a frame around the rest."""
    picture = Image.new("1", SIZE)
    picture.paste(noise(seed).crop((0, 0, 124, 60)))
    for line in ((0, 0, 124, 1), (0, 59, 124, 60), (0, 0, 1, 60), (123, 0, 124, 60)):
        picture.paste(255, line)
    return picture


def with_dice(dice: str) -> Image.Image:
    """Five dice in words that are always the same; covered and with a bid they differ from box to box."""
    picture = framed("words")
    for box in PIPS:
        picture.paste(noise(dice).crop((0, 0, *box[2:])), box[:2])
    return picture


def covers(*dice: str) -> list[Image.Image]:
    return [with_dice(name).crop(FIRST_DIE) for name in dice]


def inverse(picture: Image.Image) -> Image.Image:
    return ImageChops.invert(picture)


def chops(picture: Image.Image, place: tuple[int, int]) -> Image.Image:
    """The picture moved back from a place."""
    return ImageChops.offset(picture, -place[0], -place[1])


class Bench:
    """A wire with the driver at one end and panels at the other."""

    def __init__(self, loop: VirtualLoop, post: Callable[[Message], None], numbers: tuple[int, ...] = (1,)) -> None:
        self.buses = {number: EmulatedBus(number, elapse=loop.elapse) for number in numbers}
        self.wire = DisplayBus({number: bus.open for number, bus in self.buses.items()}, loop=loop, post=post)
        self.bus = self.buses[numbers[0]]

    def plug(self, address: int, chip: str = "ssd1306", bus: int | None = None) -> None:
        (self.buses[bus] if bus else self.bus).plug(address, CONTROLLERS[chip](seed=random.getrandbits(16)))

    def seen(self, address: int) -> bytes:
        assert self.controller(address).unknown == []
        return self.controller(address).picture().tobytes()

    def controller(self, address: int) -> Controller:
        panel = self.bus.panel(address)
        assert panel is not None
        return panel

    def where_it_stands(self, address: int) -> bytes:
        """The picture, wherever on the display it has wandered: its frame shows where."""
        seen = self.controller(address).picture()
        return next((chops(seen, place).tobytes() for place in PLACES if chops(seen, place).getpixel((0, 0))), b"")


@pytest.fixture
def bench(loop: VirtualLoop, inbox: list[Message], unraised: None):  # type: ignore[no-untyped-def]
    bench = Bench(loop, inbox)  # type: ignore[arg-type]
    yield bench
    bench.wire.close()
    loop.run_until_complete(bench.wire.wait_closed())


@pytest.fixture
def panel(bench: Bench, wait: Wait) -> Display:
    bench.plug(A)
    panel = bench.wire.add(0, 1, A, "ssd1306")
    wait(0.1)
    return panel


@pytest.mark.parametrize("rotate", [0, 180])
@pytest.mark.parametrize("chip", CHIPS)
def test_a_picture_reaches_the_display(bench: Bench, wait: Wait, chip: str, rotate: int, inbox: list[Message]) -> None:
    bench.plug(A, chip)
    panel = bench.wire.add(0, 1, A, chip, rotate=rotate)
    for seed in range(5):
        panel.show(noise(seed))
        wait(0.1)
        assert bench.seen(A) == noise(seed).rotate(rotate).tobytes()
    assert inbox == []


@pytest.mark.parametrize("chip", CHIPS)
def test_a_new_panel_is_on_and_black(bench: Bench, wait: Wait, chip: str) -> None:
    bench.plug(A, chip)
    bench.wire.add(0, 1, A, chip)
    wait(0.1)
    controller = bench.bus.panel(A)
    assert controller is not None
    assert controller.on
    assert bench.seen(A) == bytes(1024)


@pytest.mark.parametrize("chip", CHIPS)
def test_the_noise_of_power_on_is_never_seen(bench: Bench, wait: Wait, chip: str) -> None:
    bench.plug(A, chip)
    seen: set[bytes] = set()
    bench.bus.listen = lambda address, _: seen.add(bench.seen(address))
    bench.wire.add(0, 1, A, chip)
    wait(0.1)
    assert seen == {bytes(1024)}


def test_a_whole_frame_takes_24_ms(bench: Bench, panel: Display, loop: VirtualLoop, wait: Wait) -> None:
    arrived: list[float] = []
    bench.bus.listen = lambda *_: arrived.append(loop.time())
    began_s = loop.time()
    panel.show(noise(1))
    wait(0.1)
    assert arrived[-1] - began_s == pytest.approx(0.0244, abs=2e-4)


def test_a_picture_that_is_on_the_display_is_not_sent_again(bench: Bench, panel: Display, wait: Wait) -> None:
    panel.show(noise(1))
    wait(0.1)
    sent = bench.bus.bytes_sent
    panel.show(noise(1))
    wait(0.1)
    assert bench.bus.bytes_sent == sent


def test_only_the_latest_picture_is_sent(bench: Bench, panel: Display, wait: Wait) -> None:
    seen: list[bytes] = []
    bench.bus.listen = lambda *_: seen.append(bench.seen(A))
    for seed in range(10):
        panel.show(noise(seed))
        wait(0.005)
    wait(0.1)
    shown = [seed for seed in range(10) if noise(seed).tobytes() in seen]
    assert bench.seen(A) == noise(9).tobytes()
    assert shown == [0, 4, 9]


def test_a_picture_is_kept_as_it_was_given(bench: Bench, panel: Display, wait: Wait) -> None:
    image = noise(1)
    panel.show(image)
    image.paste(0, (0, 0, 128, 64))
    wait(0.1)
    assert bench.seen(A) == noise(1).tobytes()


@pytest.mark.parametrize("image", [Image.new("1", (64, 128)), Image.new("L", SIZE), Image.new("RGB", SIZE)])
def test_what_is_no_picture_for_a_panel_is_refused(panel: Display, image: Image.Image) -> None:
    with pytest.raises(ValueError, match="128"):
        panel.show(image)


def test_a_missing_panel_is_told_once_in_a_sentence(bench: Bench, wait: Wait, inbox: list[Message]) -> None:
    panel = bench.wire.add(5, 1, A, "ssd1306")
    wait(10)
    panel.show(noise(1))
    wait(10)
    why = "the display at 0x3c on I2C bus 1 does not answer (Remote I/O error)"
    assert inbox == [Lost(5, Device.PANEL, why)]


def test_a_panel_unplugged_in_mid_match_comes_back_with_the_latest_picture(
    bench: Bench, panel: Display, wait: Wait, inbox: list[Message]
) -> None:
    bench.bus.unplug(A)
    panel.show(noise(1))
    wait(1)
    panel.show(noise(2))
    wait(20)
    bench.plug(A)
    wait(6)
    assert bench.seen(A) == noise(2).tobytes()
    assert [type(message) for message in inbox] == [Lost, Found]


def test_a_panel_that_goes_while_nothing_changes_is_missed_and_drawn_again(
    bench: Bench, panel: Display, wait: Wait, inbox: list[Message]
) -> None:
    panel.show(noise(1))
    wait(1)
    bench.bus.unplug(A)
    wait(POLL_INTERVAL_S + 0.1)
    assert [type(message) for message in inbox] == [Lost]
    bench.plug(A)
    wait(6)
    assert bench.seen(A) == noise(1).tobytes()


def test_two_panels_that_go_while_nothing_changes_are_both_missed(
    bench: Bench, panel: Display, wait: Wait, inbox: list[Message]
) -> None:
    bench.plug(B)
    bench.wire.add(1, 1, B, "ssd1306")
    wait(0.1)
    bench.bus.unplug(A)
    bench.bus.unplug(B)
    wait(POLL_INTERVAL_S + 0.1)
    assert [(type(message), message.seat) for message in inbox] == [(Lost, 0), (Lost, 1)]


def test_a_panel_lost_again_is_told_again(bench: Bench, panel: Display, wait: Wait, inbox: list[Message]) -> None:
    for _ in range(2):
        bench.bus.unplug(A)
        wait(5)
        bench.plug(A)
        wait(6)
    assert [type(message) for message in inbox] == [Lost, Found, Lost, Found]
    assert not panel.lost


def test_a_panel_that_lost_its_supply_unnoticed_is_drawn_again_by_the_next_check(
    bench: Bench, panel: Display, wait: Wait, inbox: list[Message]
) -> None:
    panel.show(noise(1))
    wait(3 * POLL_INTERVAL_S)
    bench.bus.unplug(A)
    bench.plug(A)
    seen: set[bytes] = set()
    bench.bus.listen = lambda address, _: seen.add(bench.seen(address))
    wait(4 * POLL_INTERVAL_S + 0.1)
    assert seen == {bytes(1024), noise(1).tobytes()}
    assert bench.seen(A) == noise(1).tobytes()
    assert inbox == []


@pytest.mark.parametrize("chip", CHIPS)
def test_it_is_drawn_again_on_a_wire_that_is_never_idle_too(bench: Bench, wait: Wait, chip: str) -> None:
    bench.plug(A)
    bench.plug(B, chip)
    busy, quiet = bench.wire.add(0, 1, A, "ssd1306"), bench.wire.add(1, 1, B, chip)
    quiet.show(noise(1))
    wait(2 * POLL_INTERVAL_S)
    bench.bus.unplug(B)
    bench.plug(B, chip)
    for step in range(8):
        busy.show(noise(step))
        wait(0.4)
    assert bench.seen(B) == noise(1).tobytes()


def test_a_panel_that_cannot_be_read_is_set_up_again_from_time_to_time(
    bench: Bench, panel: Display, wait: Wait, inbox: list[Message]
) -> None:
    bench.bus.is_mute = True
    panel.show(noise(1))
    wait(0.1)
    bench.controller(A).reset()
    wait(REINITIALISE_INTERVAL_S + MAX_POLL_INTERVAL_S)
    assert bench.seen(A) == noise(1).tobytes()
    assert inbox == []


def test_a_panel_that_cannot_be_read_is_drawn_again_with_the_next_step_of_its_picture(
    bench: Bench, panel: Display, wait: Wait
) -> None:
    bench.bus.is_mute = True
    panel.show(framed("words"))
    wait(1)
    bench.bus.unplug(A)
    bench.plug(A)
    wait(SHIFT_INTERVAL_S + MAX_POLL_INTERVAL_S)
    assert bench.where_it_stands(A) == framed("words").tobytes()


def test_a_panel_whose_status_always_says_that_it_is_off_is_not_drawn_for_ever(
    bench: Bench, panel: Display, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench.bus, "status", lambda address: 0xFF)
    panel.show(noise(1))
    wait(1)
    sent = bench.bus.bytes_sent
    wait(10 * POLL_INTERVAL_S)
    assert bench.bus.bytes_sent - sent < 100
    assert bench.seen(A) == noise(1).tobytes()


def test_a_frame_that_breaks_off_is_drawn_whole_again(
    bench: Bench, panel: Display, wait: Wait, inbox: list[Message]
) -> None:
    bench.bus.fail(A, after_bytes=20)
    panel.show(noise(1))
    wait(2)
    assert bench.seen(A) == noise(1).tobytes()
    assert [type(message) for message in inbox] == [Lost, Found]


def test_a_lost_panel_is_tried_ever_more_slowly(bench: Bench, panel: Display, loop: VirtualLoop, wait: Wait) -> None:
    bench.bus.unplug(A)
    panel.show(noise(1))
    transfers = bench.bus.transfers
    wait(60)
    assert 10 <= bench.bus.transfers - transfers <= 20


def test_the_other_panels_of_a_wire_are_served_while_one_hangs(bench: Bench, wait: Wait) -> None:
    bench.plug(A)
    bench.plug(B)
    left, right = bench.wire.add(0, 1, A, "ssd1306"), bench.wire.add(1, 1, B, "ssd1306")
    wait(0.1)
    bench.bus.hang(A, times=1000)
    left.show(noise(1))
    for seed in range(5):
        right.show(noise(seed))
        wait(1.2)
        assert bench.seen(B) == noise(seed).tobytes()


def test_a_hanging_wire_does_not_delay_another(loop: VirtualLoop, inbox: list[Message], wait: Wait) -> None:
    stuck, free = Bench(loop, inbox), Bench(loop, inbox)  # type: ignore[arg-type]
    for bench in (stuck, free):
        bench.plug(A)
    panels = [bench.wire.add(0, 1, A, "ssd1306") for bench in (stuck, free)]
    wait(0.1)
    stuck.bus.hang(A, times=1000, hold_s=100.0)
    for panel in panels:
        panel.show(noise(1))
    wait(0.03)
    assert free.seen(A) == noise(1).tobytes()
    for bench in (stuck, free):
        bench.wire.close()
        loop.run_until_complete(bench.wire.wait_closed())


def test_two_buses_of_one_wire_never_talk_at_once(loop: VirtualLoop, inbox: list[Message], wait: Wait) -> None:
    bench = Bench(loop, inbox, (30, 31))  # type: ignore[arg-type]
    arrived: list[float] = []
    talking: list[int] = []
    for number, bus in bench.buses.items():
        bench.plug(A, bus=number)
        bus.listen = lambda *_, number=number: (arrived.append(loop.time()), talking.append(number))
    for seat, number in enumerate(bench.buses):
        bench.wire.add(seat, number, A, "ssd1306").show(noise(seat))
    wait(0.2)
    assert len(arrived) == 2 * 17
    assert arrived[17] - arrived[16] < 0.002 < 0.024 < arrived[17] - arrived[0]
    assert [number for number, _ in groupby(talking)] == [30, 31]
    bench.wire.close()
    loop.run_until_complete(bench.wire.wait_closed())


def test_a_picture_that_goes_first_overtakes_the_queue(bench: Bench, wait: Wait) -> None:
    panels = []
    for seat in range(4):
        bench.plug(A + seat)
        panels.append(bench.wire.add(seat, 1, A + seat, "ssd1306"))
    wait(0.2)
    order: list[int] = []
    bench.bus.listen = lambda address, payload: order.append(address - A) if payload[0] == 0x40 else None
    for seat, panel in enumerate(panels):
        panel.show(noise(seat))
    panels[3].show(noise("hide"), first=True)
    wait(0.2)
    assert [seat for seat, _ in groupby(order)] == [3, 0, 1, 2]


def test_all_dice_are_out_of_sight_within_100_ms_when_everybody_hides_at_once(bench: Bench, wait: Wait) -> None:
    panels = []
    for seat in range(8):
        bench.plug(A + seat)
        panels.append(bench.wire.add(seat, 1, A + seat, "ssd1306"))
        panels[seat].show(with_dice(f"dice {seat}"), dice=PIPS)
    wait(0.5)
    panels[0].show(noise("another picture"))
    wait(0.001)  # that frame has begun
    for panel in panels:
        panel.show(with_dice("covered"), first=True)
    for panel in panels:
        panel.show(with_dice("bid"))  # and everybody has something else to show, too
    wait(0.1)
    for seat in range(8):
        assert with_dice(f"dice {seat}").tobytes() != bench.seen(A + seat)
        assert Image.frombytes("1", SIZE, bench.seen(A + seat)).crop(FIRST_DIE) in covers("covered", "bid")
    wait(0.3)
    assert {bench.seen(A + seat) for seat in range(8)} == {with_dice("bid").tobytes()}


@pytest.mark.parametrize("rotate", [0, 180])
@pytest.mark.parametrize("chip", CHIPS)
def test_what_is_sent_when_dice_come_and_go_is_the_same_whatever_they_are(
    bench: Bench, wait: Wait, chip: str, rotate: int
) -> None:
    bench.plug(A, chip)
    panel = bench.wire.add(0, 1, A, chip, rotate=rotate)
    wait(0.1)
    lengths: list[int] = []
    sizes = set()
    for _ in range(2):
        panel.show(with_dice("covered"), dice=PIPS)
        wait(0.1)
    for dice in ("aces", "sixes", "covered"):
        bench.bus.listen = lambda _, payload: lengths.append(len(payload))
        for picture, boxes in ((with_dice(dice), PIPS), (with_dice(dice), PIPS), (with_dice("covered"), ())):
            panel.show(picture, dice=boxes)
            wait(0.1)
            assert bench.seen(A) == picture.rotate(rotate).tobytes()
        sizes.add(tuple(lengths))
        lengths.clear()
        bench.bus.listen = None
    assert len(sizes) == 1
    assert 3 * 160 < sum(*sizes) < 3 * 360


def test_dice_have_no_say_in_whether_the_display_is_inverted(bench: Bench, panel: Display, wait: Wait) -> None:
    for level in (0, 255):
        dice = Image.new("1", SIZE)
        dice.paste(level, (0, 8, 128, 64))
        panel.show(dice, dice=((0, 8, 128, 56),))
        wait(0.1)
        assert bench.seen(A) == dice.tobytes()
        assert not bench.controller(A).registers.inverted


def test_a_lit_picture_is_the_unlit_one_inverted(bench: Bench, panel: Display, wait: Wait) -> None:
    panel.show(noise(1))
    wait(0.1)
    sent = bench.bus.bytes_sent
    panel.show(inverse(noise(1)))
    wait(0.1)
    assert bench.seen(A) == inverse(noise(1)).tobytes()
    panel.show(noise(1))
    wait(0.1)
    assert bench.seen(A) == noise(1).tobytes()
    assert bench.bus.bytes_sent - sent == 2 * 3


@pytest.mark.parametrize("chip", CHIPS)
def test_a_dark_panel_is_off_and_comes_back_with_the_picture_of_now(bench: Bench, wait: Wait, chip: str) -> None:
    bench.plug(A, chip)
    panel = bench.wire.add(0, 1, A, chip)
    panel.show(noise(1))
    wait(0.1)
    bright = bench.controller(A).contrast
    panel.set_brightness(Brightness.DARK)
    wait(0.1)
    assert bench.seen(A) == bytes(1024)
    panel.show(noise(2))
    wait(2 * POLL_INTERVAL_S)
    seen: set[bytes] = set()
    bench.bus.listen = lambda address, _: seen.add(bench.seen(address))
    panel.set_brightness(Brightness.DIM)
    wait(0.1)
    assert bench.controller(A).contrast < bright
    panel.set_brightness(Brightness.BRIGHT)
    wait(0.1)
    assert bench.controller(A).contrast == bright
    assert seen == {bytes(1024), noise(2).tobytes()}


def test_a_dark_panel_stays_dark_when_it_was_away(bench: Bench, panel: Display, wait: Wait) -> None:
    panel.set_brightness(Brightness.DARK)
    wait(0.1)
    bench.bus.unplug(A)
    wait(POLL_INTERVAL_S + 0.1)
    bench.plug(A)
    wait(6)
    assert bench.seen(A) == bytes(1024)
    panel.set_brightness(Brightness.BRIGHT)
    panel.show(noise(1))
    wait(0.1)
    assert bench.seen(A) == noise(1).tobytes()


@pytest.mark.parametrize("rotate", rest_slow(180, 0))
@pytest.mark.parametrize("chip", CHIPS)
def test_a_picture_wanders_over_all_of_its_margin_and_loses_nothing(
    bench: Bench, wait: Wait, chip: str, rotate: int
) -> None:
    bench.plug(A, chip)
    panel = bench.wire.add(0, 1, A, chip, rotate=rotate)
    picture = inverse(framed("words"))
    panel.show(picture)
    places = set()
    for _ in range(16):
        wait(SHIFT_INTERVAL_S / 2)
        seen = bench.controller(A).picture().rotate(rotate)
        places |= {place for place in PLACES if chops(seen, place).tobytes() == picture.tobytes()}
        wait(SHIFT_INTERVAL_S / 2)
    assert places == set(PLACES)


def test_a_panel_that_answers_late_shows_the_right_picture_and_is_not_lost(
    bench: Bench, panel: Display, wait: Wait, inbox: list[Message]
) -> None:
    bench.bus.delay(A, hold_s=0.4, times=3)
    panel.show(noise(1))
    wait(0.5)
    panel.show(noise(2))
    wait(2)
    assert bench.seen(A) == noise(2).tobytes()
    assert inbox == []


def test_one_that_never_answers_costs_the_others_one_time_out_at_a_time(bench: Bench, wait: Wait) -> None:
    for address in (A, B):
        bench.plug(address)
    bench.wire.add(0, 1, A, "ssd1306")
    free = bench.wire.add(1, 1, B, "ssd1306")
    bench.bus.hang(A, times=10_000)
    wait(0.2)
    for step in range(20):
        free.show(noise(step))
        wait(ADAPTER_TIMEOUT_S + 0.1)
        assert bench.seen(B) == noise(step).tobytes()


def test_a_picture_that_was_cut_off_is_lost_found_and_dark_until_it_is_whole(
    bench: Bench, panel: Display, wait: Wait, inbox: list[Message]
) -> None:
    panel.show(noise(1))
    wait(0.1)
    for cut in (0, 1, 2, 5, 7, 30):
        bench.bus.fail(A, after_bytes=cut)
        panel.show(inverse(noise(cut + 2)))
        wait(0.1)
        seen: set[bytes] = set()
        bench.bus.listen = lambda address, _, seen=seen: seen.add(bench.controller(address).picture().tobytes())
        wait(1)
        assert seen == {bytes(1024), inverse(noise(cut + 2)).tobytes()}
    assert [type(message) for message in inbox] == [Lost, Found] * 6


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("rotate", [0, 180])
def test_only_what_changed_is_sent_and_the_display_is_right(bench: Bench, wait: Wait, chip: str, rotate: int) -> None:
    bench.plug(A, chip)
    panel = bench.wire.add(0, 1, A, chip, rotate=rotate)
    rng = Random(7)
    picture = Image.new("1", SIZE)
    wait(0.1)
    whole = bench.bus.bytes_sent
    for _ in range(60):
        x, y = rng.randrange(100), rng.randrange(50)
        picture.paste(rng.randrange(2) * 255, (x, y, x + rng.randrange(1, 28), y + rng.randrange(1, 14)))
        panel.show(picture)
        wait(0.05)
        seen = bench.bus.panel(A).picture().rotate(rotate)
        assert seen.tobytes() == picture.tobytes()
    assert (bench.bus.bytes_sent - whole) / 60 < 200  # a whole frame has 1,080


def test_a_bus_that_is_not_there_is_told_and_found_when_it_comes(
    loop: VirtualLoop, inbox: list[Message], wait: Wait, unraised: None
) -> None:
    far, there = EmulatedBus(7, elapse=loop.elapse), False
    far.plug(A, CONTROLLERS["ssd1306"]())

    def open_bus():  # type: ignore[no-untyped-def]
        if not there:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", "/dev/i2c-7")
        return far.open()

    wire = DisplayBus({7: open_bus}, loop=loop, post=inbox)  # type: ignore[arg-type]
    wire.add(2, 7, A, "ssd1306").show(noise(1))
    wait(3)
    why = "I2C bus 7 with the display at 0x3c can't be opened (No such file or directory)"
    assert inbox == [Lost(2, Device.PANEL, why)]
    there = True
    wait(6)
    assert inbox[1:] == [Found(2, Device.PANEL)]
    wire.close()
    loop.run_until_complete(wire.wait_closed())


def test_closing_makes_every_panel_dark_and_empties_its_memory(bench: Bench, loop: VirtualLoop, wait: Wait) -> None:
    for seat, chip in enumerate(CHIPS):
        bench.plug(A + seat, chip)
        bench.wire.add(seat, 1, A + seat, chip).show(noise(seat))
    wait(0.5)
    bench.wire.close()
    loop.run_until_complete(bench.wire.wait_closed())
    for seat in range(len(CHIPS)):
        controller = bench.bus.panel(A + seat)
        assert controller is not None
        assert not controller.on
        assert all(page[controller.FIRST_COLUMN :][:128] == bytes(128) for page in controller.pages)


def test_closing_in_the_middle_of_a_frame_still_makes_the_panel_dark(
    bench: Bench, panel: Display, loop: VirtualLoop, wait: Wait
) -> None:
    panel.show(noise(1))
    wait(0.01)
    bench.wire.close()
    panel.show(noise(2))
    loop.run_until_complete(bench.wire.wait_closed())
    wait(1)
    assert bench.seen(A) == bytes(1024)


def test_closing_skips_a_panel_that_is_not_there(bench: Bench, loop: VirtualLoop, wait: Wait) -> None:
    bench.plug(B)
    bench.wire.add(0, 1, A, "ssd1306")
    bench.wire.add(1, 1, B, "ssd1306").show(noise(1))
    wait(0.5)
    bench.wire.close()
    bench.wire.close()
    loop.run_until_complete(bench.wire.wait_closed())
    assert bench.seen(B) == bytes(1024)


def test_an_idle_wire_says_next_to_nothing(bench: Bench, panel: Display, wait: Wait) -> None:
    panel.show(noise(1))
    wait(1)
    sent = bench.bus.bytes_sent
    wait(200)
    assert bench.bus.bytes_sent - sent <= 2 * 11 + 40 * 8


def test_panels_that_are_dark_are_hardly_asked(bench: Bench, panel: Display, wait: Wait) -> None:
    panel.show(noise(1))
    panel.set_brightness(Brightness.DARK)
    wait(MAX_POLL_INTERVAL_S)
    sent = bench.bus.bytes_sent
    wait(8 * MAX_POLL_INTERVAL_S)
    assert 0 < bench.bus.bytes_sent - sent <= 2 * 8


@pytest.mark.parametrize("brightness", Brightness)
def test_one_that_goes_while_the_wire_is_idle_is_missed_all_the_same(
    brightness: Brightness, bench: Bench, panel: Display, wait: Wait, inbox: list[Message]
) -> None:
    panel.set_brightness(brightness)
    wait(2 * MAX_POLL_INTERVAL_S)
    bench.bus.unplug(A)
    wait(MAX_POLL_INTERVAL_S + 0.1)
    assert [type(message) for message in inbox] == [Lost]


def test_a_single_picture_after_a_rest_brings_no_polls_and_two_do(bench: Bench, panel: Display, wait: Wait) -> None:
    wait(MAX_POLL_INTERVAL_S * 3.1)
    polls = []
    for picture in range(2):
        panel.show(noise(picture))
        wait(0.1)
        transfers = bench.bus.transfers
        wait(POLL_INTERVAL_S)
        polls.append(bench.bus.transfers - transfers)
    assert polls == [0, 1]


def test_a_wire_is_asked_as_before_as_soon_as_somebody_plays_at_one_of_its_panels(
    bench: Bench, panel: Display, wait: Wait, inbox: list[Message]
) -> None:
    bench.plug(B)
    bench.wire.add(1, 1, B, "ssd1306").set_brightness(Brightness.DARK)
    panel.set_brightness(Brightness.DARK)
    wait(100)
    panel.set_brightness(Brightness.BRIGHT)
    wait(0.1)
    panel.show(noise(1))
    wait(0.1)
    bench.bus.unplug(B)
    wait(POLL_INTERVAL_S)
    assert inbox == [Lost(1, Device.PANEL, "the display at 0x3d on I2C bus 1 does not answer (Remote I/O error)")]


def test_a_panel_on_a_bus_of_another_wire_is_refused(bench: Bench) -> None:
    with pytest.raises(ValueError, match="I2C bus 9 is not on this wire; it has 1"):
        bench.wire.add(0, 9, A, "ssd1306")


def test_the_repr_tells_where_and_how_but_not_what(bench: Bench, panel: Display) -> None:
    assert repr(panel) == "<Display of seat 0 at 0x3c on I2C bus 1, there>"
    assert repr(bench.wire).startswith("<DisplayBus of I2C bus 1, open")


def test_many_pictures_for_many_panels_through_many_faults_end_right(
    bench: Bench, loop: VirtualLoop, wait: Wait
) -> None:
    rng = random.Random(5)
    chips = ["ssd1306", "ssd1309", "sh1106", "ssd1306"]
    panels = []
    for seat, chip in enumerate(chips):
        bench.plug(A + seat, chip)
        panels.append(bench.wire.add(seat, 1, A + seat, chip))
    latest = [Image.new("1", SIZE)] * 4
    for step in range(300):
        seat = rng.randrange(4)
        match rng.randrange(10):
            case 0:
                bench.bus.unplug(A + seat)
            case 1:
                bench.plug(A + seat, chips[seat])
            case 2:
                bench.bus.fail(A + seat, after_bytes=rng.randrange(100))
            case 3:
                bench.bus.hang(A + seat, times=2)
            case _:
                latest[seat] = noise(step)
                panels[seat].show(latest[seat])
        loop.run_until_complete(asyncio.sleep(rng.random() * 0.3))
    for seat in range(4):
        bench.bus.repair(A + seat)
        bench.bus.unplug(A + seat)
    wait(POLL_INTERVAL_S + 8)
    for seat, chip in enumerate(chips):
        bench.plug(A + seat, chip)
    wait(8)
    assert [bench.seen(A + seat) for seat in range(4)] == [image.tobytes() for image in latest]
    assert loop.time() > START_S


def test_the_wire_serves_an_ordinary_loop_with_real_threads() -> None:
    bus, heard = EmulatedBus(1), []
    for address in (A, B):
        bus.plug(address, CONTROLLERS["ssd1306"]())

    async def scenario() -> list[bytes]:
        wire = DisplayBus({1: bus.open}, loop=asyncio.get_running_loop(), post=heard.append)
        panels = [wire.add(0, 1, A, "ssd1306"), wire.add(1, 1, B, "ssd1306")]
        for step in range(50):
            for panel in panels:
                panel.show(noise((step, panel.seat)))
            await asyncio.sleep(0)
        while not all(panel.is_up_to_date for panel in panels):
            await asyncio.sleep(0.001)
        seen = [controller.picture().tobytes() for controller in map(bus.panel, (A, B)) if controller]
        wire.close()
        await wire.wait_closed()
        return seen

    assert asyncio.run(scenario()) == [noise((49, seat)).tobytes() for seat in (0, 1)]
    assert heard == []
    assert all(not panel.on for panel in map(bus.panel, (A, B)) if panel)
