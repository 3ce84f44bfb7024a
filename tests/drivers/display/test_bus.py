"""Panels through the real driver on an emulated wire: what they show, when, and what it costs."""

import asyncio
import random
from itertools import groupby
from random import Random

import pytest
from PIL import Image
from support import rest_slow
from support.pictures.display_bench import (
    FIRST_DIE,
    PIPS,
    PLACES,
    SIZE,
    A,
    B,
    Bench,
    Wait,
    chops,
    covers,
    framed,
    inverse,
    noise,
    with_dice,
)

from drivers.display.bus import MAX_POLL_INTERVAL_S, POLL_INTERVAL_S, Display, DisplayBus
from drivers.display.frame import SHIFT_INTERVAL_S
from drivers.messages import Brightness, Device, Lost, Message
from hardware.chips import CHIPS
from hardware.emulated.chips.controllers import CONTROLLERS
from hardware.emulated.chips.i2c import EmulatedBus
from hardware.emulated.virtual_loop import START_S, VirtualLoop


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
