"""When a board's display and its light are on: the host's lease, and the peek gate that is the board's own."""

import binascii
from itertools import count

import pytest
from support.firmware.cup_bench import BOARD, MS, Bench

from hardware.chips import CHIPS
from hardware.emulated.chips.controllers import CONTROLLERS
from hardware.firmware.device_config import DeviceConfig
from hardware.firmware.program import Inputs
from hardware.link import messages as link
from hardware.link.framing import PART_BYTES, frame
from hardware.link.oled import DARK, MEMORY, OFF, DisplayMode

BLACK = bytes(1024)
NUMBERS = count(1)
SPARSE = b"\x81\x00" * 512  # each byte of it is a COBS block of its own, or nearly
DICE, PLAIN = b"\x66" * 1024, b"\x11" * 1024


def picture(shown: bytes, peek: bool = False, lamp: bool = False, shine: DisplayMode | None = None) -> link.Picture:
    crc = binascii.crc32(shown)
    return link.Picture(next(NUMBERS), link.NO_BASE, crc, shine or DisplayMode(), link.whole_picture(shown), peek, lamp)


def showing(shown: bytes, **what: bool) -> Bench:
    bench = Bench()
    bench.send(link.Ping(1, 500), picture(shown, **what))
    return bench


def peeking() -> Bench:
    """Return a board whose OK is held and that shows dice."""
    bench = Bench()
    bench.edge("ok", True)
    bench.ping(400)
    bench.send(link.Ping(1, 500), picture(DICE, peek=True))
    assert bench.display() == DICE
    return bench


def test_a_picture_stays_for_its_lease_and_no_longer() -> None:
    bench = showing(PLAIN)
    bench.let_pass(499)
    assert bench.display() == PLAIN
    bench.let_pass(1)
    assert bench.display() == BLACK
    assert not bench.panel.on


def test_a_long_lease_lights_a_plain_picture_for_as_long() -> None:
    bench = Bench()
    bench.send(link.Ping(1, 10_000), picture(PLAIN))
    bench.let_pass(9_999)
    assert bench.display() == PLAIN
    bench.let_pass(1)
    assert bench.display() == BLACK


def test_only_a_ping_renews_the_lease() -> None:
    bench = showing(PLAIN)
    for _ in range(6):
        bench.let_pass(100)
        bench.send(link.Ask(), link.Ack(7, 1), picture(PLAIN))
    assert bench.display() == BLACK


def test_the_next_ping_brings_the_picture_back_without_sending_it() -> None:
    bench = showing(PLAIN)
    bench.let_pass(5_000)
    before = len(bench.wrote)
    bench.send(link.Ping(2, 500))
    assert bench.display() == PLAIN
    assert len(bench.wrote) - before == 1


def test_a_picture_that_comes_after_the_lease_is_kept_and_not_shown() -> None:
    bench = Bench()
    bench.let_pass(600)
    bench.send(picture(PLAIN))
    assert bench.display() == BLACK
    bench.send(link.Ping(1, 500))
    assert bench.display() == PLAIN


def test_a_board_that_was_never_pinged_shows_for_500_ms() -> None:
    bench = Bench()
    bench.send(picture(PLAIN))
    bench.let_pass(499)
    assert bench.display() == PLAIN
    bench.let_pass(1)
    assert bench.display() == BLACK


def test_dice_are_dark_500_ms_after_the_last_ping_whatever_the_lease() -> None:
    bench = peeking()
    bench.send(link.Ping(1, 60_000))
    bench.let_pass(499)
    assert bench.display() == DICE
    bench.let_pass(1)
    assert bench.display() == BLACK


def test_dice_are_not_lit_while_nobody_asks_for_them() -> None:
    bench = Bench()
    lit: list[bytes] = []
    bench.panel.written = lambda: lit.append(bench.display())
    bench.send(link.Ping(1, 500), picture(DICE, peek=True))
    assert set(lit) == {BLACK}


def test_dice_that_hide_a_plain_picture_are_never_seen_with_the_gate_closed() -> None:
    bench = showing(PLAIN)
    lit: list[bytes] = []
    bench.panel.written = lambda: lit.append(bench.display())
    bench.send(picture(DICE, peek=True))
    assert set(lit) <= {PLAIN, BLACK}


def test_letting_go_of_ok_switches_the_panel_off_with_one_command_before_anything_else() -> None:
    bench = peeking()
    before = len(bench.wrote)
    bench.edge("ok", False)
    assert bench.wrote[before:] == [b"\x00" + OFF]


@pytest.mark.slow
@pytest.mark.parametrize("peek", [True, False], ids=["dice", "plain"])
def test_a_picture_is_interrupted_for_ok_wherever_the_program_looks_at_its_switches(peek: bool) -> None:
    for released_at in count():
        bench = peeking()
        sent = picture(SPARSE, peek=peek)
        step = bench.cup.step(bench.now_ns, Inputs(frame(link.to_body(0, sent))))
        looks = 0
        for _ in step:
            if looks == released_at:
                before = len(bench.wrote)
                bench.cup.feel(bench.now_ns, (("ok", False, bench.now_ns),))
                assert bench.wrote[before:] in ([b"\x00" + OFF], [])
            looks += 1
            if looks > released_at:
                assert bench.display() in ((BLACK,) if peek else (BLACK, SPARSE))
        if looks <= released_at:
            break
        assert bench.display() == (BLACK if peek else SPARSE)
    assert released_at > 15  # nine parts to decode, and eight windows


def test_dice_that_ok_uncovers_in_the_middle_of_a_picture_are_lit_when_it_is_complete() -> None:
    bench = Bench()
    bench.ping(100)
    pressed = False
    for _ in bench.cup.step(bench.now_ns, Inputs(frame(link.to_body(0, picture(DICE, peek=True))))):
        assert bench.display() in (BLACK, DICE)
        if len(bench.wrote) > 20 and not pressed:
            pressed = True
            bench.cup.feel(bench.now_ns, (("ok", True, bench.now_ns),))
    assert bench.display() == DICE


def test_a_peek_that_ends_without_a_host_ends_in_the_middle_of_a_picture() -> None:
    bench = peeking()
    for looks, _ in enumerate(bench.cup.step(bench.now_ns, Inputs(frame(link.to_body(0, picture(SPARSE, peek=True)))))):
        if looks == 12:
            bench.cup.feel(bench.now_ns + 500 * MS, ())
        assert (bench.display() == BLACK) is (looks >= 12)


def test_a_panel_that_fails_to_go_dark_in_the_middle_of_a_picture_is_switched_off_first() -> None:
    bench = peeking()
    for looks, _ in enumerate(bench.cup.step(bench.now_ns, Inputs(frame(link.to_body(0, picture(SPARSE, peek=True)))))):
        if looks == 14:
            bench.panel_answers = False
            bench.cup.feel(bench.now_ns, (("ok", False, bench.now_ns),))
            bench.panel_answers = True
    before = len(bench.wrote)
    bench.step()
    assert bench.wrote[before].startswith(b"\x00" + OFF)
    assert bench.display() == BLACK


def test_the_program_looks_at_its_switches_after_each_window_and_each_part_of_a_frame() -> None:
    """One window takes a Pico 4 ms, and 128 bytes of a frame at most 3."""
    bench = peeking()
    sent = frame(link.to_body(0, picture(SPARSE, peek=True)))
    memory_writes, looks_before_writing = len(bench.wrote), 0
    for _ in bench.cup.step(bench.now_ns, Inputs(sent)):
        written = sum(data[:1] == MEMORY for data in bench.wrote[memory_writes:])
        assert written <= 1
        memory_writes = len(bench.wrote)
        looks_before_writing += not written
    assert looks_before_writing >= len(sent) // PART_BYTES


def test_a_release_that_bounces_within_its_own_press_hides_nothing() -> None:
    bench = Bench()
    for closed in (True, False, True):
        bench.edge("ok", closed)
        bench.now_ns += MS
    bench.ping(100)
    bench.send(picture(DICE, peek=True))
    assert bench.display() == DICE


def test_a_lifted_cup_opens_the_gate_and_its_first_edge_back_closes_it() -> None:
    bench = Bench()
    bench.edge("tilt", True)
    bench.ping(300)
    bench.send(picture(DICE, peek=True))
    assert bench.display() == DICE
    before = len(bench.wrote)
    bench.edge("tilt", False)
    assert (bench.display(), bench.wrote[before:]) == (BLACK, [b"\x00" + OFF])


@pytest.mark.parametrize("button", ["left", "right", "dudo"])
def test_no_other_button_opens_the_gate(button: str) -> None:
    bench = Bench()
    bench.edge(button, True)
    bench.ping(400)
    bench.send(picture(DICE, peek=True))
    assert bench.display() == BLACK


def test_a_plain_picture_ends_the_darkness_of_a_closed_gate() -> None:
    bench = peeking()
    bench.edge("ok", False)
    bench.send(picture(PLAIN))
    assert bench.display() == PLAIN


def test_a_gate_that_opens_again_shows_the_dice_that_are_still_there() -> None:
    bench = peeking()
    bench.edge("ok", False)
    bench.let_pass(50)
    bench.edge("ok", True)
    assert bench.display() == DICE


def test_windows_that_are_not_the_whole_picture_the_host_thinks_of_do_not_uncover_dice() -> None:
    bench = peeking()
    bench.edge("ok", False)
    bench.send(link.Picture(next(NUMBERS), link.NO_BASE, 1, DisplayMode(), link.whole_picture(PLAIN)[:1]))
    assert bench.display() == BLACK


def test_a_picture_that_rests_on_another_changes_neither_gate_nor_light() -> None:
    bench = peeking()
    bench.send(link.Picture(next(NUMBERS), 12345, 1, DisplayMode(), [], False, True))
    bench.edge("ok", False)
    assert (bench.display(), bench.lamp) == (BLACK, False)


def test_a_dark_picture_stays_dark_through_lease_and_gate() -> None:
    bench = Bench()
    bench.send(link.Ping(1, 500), picture(PLAIN, shine=DisplayMode(brightness=DARK)))
    bench.let_pass(600)
    bench.send(link.Ping(2, 500))
    assert not bench.panel.on


@pytest.mark.parametrize("chip", CHIPS)
def test_a_panel_that_comes_back_shows_no_dice_to_a_closed_gate(chip: str) -> None:
    bench = Bench(DeviceConfig("B", buttons=("ok",), panel=chip))
    bench.panel_answers = False
    bench.send(link.Ping(1, 500), picture(DICE, peek=True))
    bench.panel, bench.panel_answers = CONTROLLERS[chip](3), True
    bench.ping(600)
    assert bench.display() == BLACK
    bench.send(picture(PLAIN))
    assert bench.display() == PLAIN


def test_hiding_that_failed_is_tried_again_at_once() -> None:
    bench = peeking()
    bench.panel_answers = False
    bench.send(link.Picture(next(NUMBERS), binascii.crc32(DICE), 1, DisplayMode(), [link.Window(0, 0, b"\x01")], True))
    bench.panel_answers = True
    assert bench.panel.on
    bench.edge("ok", False)
    assert not bench.panel.on


def test_the_light_is_on_while_pictures_say_so_and_the_host_is_there() -> None:
    bench = showing(PLAIN, lamp=True)
    assert bench.lamp
    bench.let_pass(500)
    assert not bench.lamp
    bench.send(link.Ping(2, 500))
    assert bench.lamp
    bench.send(picture(PLAIN))
    assert not bench.lamp


def test_a_board_with_no_host_has_nothing_left_to_do() -> None:
    bench = Bench(BOARD)
    bench.send(link.Ping(1, 500), picture(DICE, peek=True, lamp=True))
    bench.let_pass(10_000)
    assert bench.cup.due_ns is None
