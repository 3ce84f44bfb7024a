"""The program of a cup and a seat board, stepped by hand: no loop, no port, no clock."""

import binascii
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.firmware.cup_bench import BOOT, CUP, MS, Bench, events_in

from hardware.chips import CHIPS
from hardware.emulated.chips.controllers import CONTROLLERS
from hardware.firmware.device_config import DeviceConfig
from hardware.firmware.program import Inputs
from hardware.link import messages as link
from hardware.link.framing import frame
from hardware.link.oled import BRIGHT, DARK, DIM, DIM_CONTRAST, DisplayMode


def test_a_cup_says_hello_when_it_starts() -> None:
    fitted = link.TILT | link.BUTTONS | link.DUDO | link.PANEL | link.LIGHT
    assert Bench().received[0] == link.Hello(BOOT, fitted, 1, "BOARD01")


def test_a_cup_says_what_is_fitted_and_no_more() -> None:
    assert Bench(CUP).received == [link.Hello(BOOT, link.TILT, 1, "CUP0001")]


def test_a_cup_that_is_asked_says_hello_again() -> None:
    bench = Bench(CUP)
    assert bench.send(link.Ask()) == [link.Hello(BOOT, link.TILT, 1, "CUP0001")]


def test_of_asks_that_came_during_its_start_a_cup_answers_one() -> None:
    bench = Bench(CUP)
    kinds = [type(answer) for answer in bench.send(link.Ask(), link.Ask(), link.Ping(9, 500), link.Ask())]
    assert kinds == [link.Pong, link.Hello]


def test_of_acks_that_waited_a_cup_handles_the_last() -> None:
    bench = Bench()
    bench.edge("ok", True)
    bench.let_pass(100)
    handled = bench.cup.handled
    bench.send(link.Ack(BOOT, 0), link.Ack(BOOT, 1), link.Ping(9, 500))
    assert bench.cup.handled == handled + 2
    assert not events_in(bench.let_pass(60_000))


def test_a_ping_is_answered_with_the_cups_clock() -> None:
    bench = Bench(CUP)
    bench.now_ns = 123 * MS
    assert bench.send(link.Ping(9, 500)) == [link.Pong(9, BOOT, 123 * MS)]


def test_a_cup_hears_only_what_has_its_address() -> None:
    bench = Bench(DeviceConfig("CUP0001", address=4))
    assert (bench.send(link.Ping(1, 500)), bench.send(link.Ping(2, 500), address=4)) == ([], [link.Pong(2, BOOT, 0)])


def test_a_press_and_a_release_are_events_with_the_moment_of_their_first_edges() -> None:
    bench = Bench()
    bench.now_ns = 100 * MS
    bench.edge("ok", True)
    bench.let_pass(50)
    bench.edge("ok", False)
    answers = {m.number: m for m in bench.received if isinstance(m, link.Event)}
    assert answers == {
        1: link.Event(BOOT, 1, 100 * MS, link.PRESSED, b"\x02"),
        2: link.Event(BOOT, 2, 150 * MS, link.RELEASED, b"\x02"),
    }


def test_a_bouncing_press_is_one_press() -> None:
    bench = Bench()
    for closed in (True, False, True, False, True):
        bench.edge("left", closed)
        bench.now_ns += MS
    bench.let_pass(100)
    assert bench.events() == [(1, link.PRESSED)]


def test_a_shake_is_told_and_settles_and_nothing_is_told_of_its_entropy() -> None:
    bench = Bench(CUP)
    bench.shake()
    assert bench.events() == [(1, link.SHAKEN), (2, link.SETTLED)]
    assert {m.detail for m in bench.received if isinstance(m, link.Event)} == {b""}


def test_an_event_is_repeated_until_it_is_acknowledged() -> None:
    bench = Bench()
    bench.edge("ok", True)
    assert events_in(bench.let_pass(1000))[:3] == [1, 1, 1]
    bench.send(link.Ack(BOOT, 1))
    assert events_in(bench.let_pass(10_000)) == []


def test_an_acknowledgement_covers_every_event_before_it() -> None:
    bench = Bench()
    for button in ("left", "right", "ok"):
        bench.edge(button, True)
    bench.send(link.Ack(BOOT, 2))
    assert set(events_in(bench.let_pass(1000))) == {3}


@pytest.mark.parametrize("ack", [link.Ack(BOOT + 1, 1), link.Ack(BOOT, 0), link.Ack(BOOT, 2)])
def test_an_acknowledgement_of_another_start_or_of_nothing_changes_nothing(ack: link.Ack) -> None:
    bench = Bench()
    bench.edge("ok", True)
    bench.send(ack)
    assert 1 in events_in(bench.let_pass(1000))


def test_a_host_that_comes_back_hears_what_it_missed_at_once() -> None:
    bench = Bench()
    bench.edge("ok", True)
    bench.let_pass(60_000)
    answers = bench.send(link.Ask())
    assert isinstance(answers[0], link.Hello)
    assert (answers[0].oldest, events_in(answers)) == (1, [1])


def test_a_picture_is_on_the_display_when_it_is_acknowledged() -> None:
    bench = Bench()
    picture = bytes(range(256)) * 4
    crc = binascii.crc32(picture)
    answers = bench.send(link.Picture(3, link.NO_BASE, crc, DisplayMode(), link.whole_picture(picture)))
    assert answers == [link.PictureAck(3, crc, 1)]
    assert bench.display() == picture


@pytest.mark.parametrize("chip", CHIPS)
def test_windows_change_their_part_of_the_display(chip: str) -> None:
    bench = Bench(DeviceConfig("BOARD01", panel=chip))
    old, new = bytes(1024), bytearray(1024)
    new[5 * 128 + 120 : 5 * 128 + 128] = b"\xff" * 8
    windows = [link.Window(5, 120, b"\xff" * 8)]
    bench.send(link.Picture(1, binascii.crc32(old), binascii.crc32(new), DisplayMode(), windows))
    assert (bench.display(), bench.panel.unknown) == (new, [])


def test_windows_cut_against_another_picture_are_left_and_the_host_is_told() -> None:
    bench = Bench()
    answers = bench.send(link.Picture(1, 12345, 0, DisplayMode(True), [link.Window(0, 0, b"\xff")]))
    assert answers == [link.PictureAck(1, binascii.crc32(bytes(1024)), 1)]
    assert bench.display() == bytes(1024)


@pytest.mark.parametrize("chip", CHIPS)
def test_a_picture_without_windows_changes_how_the_panel_shines(chip: str) -> None:
    bench = Bench(DeviceConfig("BOARD01", panel=chip))
    crc = binascii.crc32(bytes(1024))
    written = len(bench.wrote)
    assert bench.send(link.Picture(1, crc, crc, DisplayMode(True, DIM, 3), [])) == [link.PictureAck(1, crc, 1)]
    assert (len(bench.wrote) - written, bench.panel.unknown) == (1, [])
    assert (bench.display(), bench.panel.contrast) == (b"\xff" * 1024, DIM_CONTRAST)


def test_a_picture_that_comes_late_changes_nothing_and_the_host_hears_what_is_there() -> None:
    bench = Bench()
    black, lit = bytes(1024), b"\xff" * 1024
    for number, picture in ((65535, lit), (0, black)):
        bench.send(
            link.Picture(number, link.NO_BASE, binascii.crc32(picture), DisplayMode(), link.whole_picture(picture))
        )
    late = link.Picture(65535, binascii.crc32(black), binascii.crc32(lit), DisplayMode(), link.whole_picture(lit))
    assert bench.send(late) == [link.PictureAck(0, binascii.crc32(black), 1)]
    assert bench.display() == black


def test_a_host_that_asks_may_number_its_pictures_again() -> None:
    bench = Bench()
    lit = b"\xff" * 1024
    crc = binascii.crc32(lit)
    bench.send(
        link.Picture(7, link.NO_BASE, binascii.crc32(bytes(1024)), DisplayMode(), link.whole_picture(bytes(1024)))
    )
    answers = bench.send(link.Ask(), link.Picture(1, link.NO_BASE, crc, DisplayMode(), link.whole_picture(lit)))
    assert answers[-1] == link.PictureAck(1, crc, 1)


def test_a_picture_stands_as_many_rows_lower_as_its_shine_says() -> None:
    bench = Bench()
    picture = b"\x01" * 128 + bytes(896)
    crc = binascii.crc32(picture)
    bench.send(link.Picture(1, link.NO_BASE, crc, DisplayMode(row=3), link.whole_picture(picture)))
    assert bench.display() == b"\x08" * 128 + bytes(896)


def test_a_dark_panel_is_off_and_shows_the_picture_of_now_when_it_is_on_again() -> None:
    bench = Bench()
    seen: set[bytes] = set()
    pictures = [b"\x11" * 1024, b"\x22" * 1024]
    for number, (picture, light) in enumerate(zip(pictures, [DARK, BRIGHT], strict=True)):
        bench.panel.written = lambda: seen.add(bench.display())
        bench.send(
            link.Picture(number, 0, binascii.crc32(picture), DisplayMode(brightness=light), link.whole_picture(picture))
        )
    assert seen == {bytes(1024), pictures[1]}


def test_a_panel_that_is_back_shines_as_it_should() -> None:
    bench = Bench()
    crc = binascii.crc32(bytes(1024))
    bench.panel_answers = False
    bench.send(link.Picture(1, crc, crc, DisplayMode(True), []))
    bench.panel = CONTROLLERS["ssd1309"](2)
    bench.panel_answers = True
    bench.ping(600)
    assert bench.display() == b"\xff" * 1024


def test_a_panel_shows_nothing_of_what_its_memory_held_before() -> None:
    assert Bench().display() == bytes(1024)


def test_a_panel_that_does_not_answer_is_told_and_shows_the_picture_when_it_is_back() -> None:
    bench = Bench()
    bench.panel_answers = False
    picture = b"\x55" * 1024
    crc = binascii.crc32(picture)
    answers = bench.send(link.Picture(1, link.NO_BASE, crc, DisplayMode(), link.whole_picture(picture)))
    assert answers == [link.PictureAck(1, crc, 0)]
    bench.panel = CONTROLLERS["ssd1309"](2)
    bench.panel_answers = True
    assert link.PictureAck(1, crc, 1) in bench.ping(600)
    assert bench.display() == picture


@given(st.lists(st.binary(max_size=60), max_size=20))
def test_whatever_comes_in_a_cup_goes_on(chunks: list[bytes]) -> None:
    bench = Bench()
    for chunk in chunks:
        bench.step(Inputs(chunk))
    assert bench.step(Inputs(b"\0" + frame(link.to_body(0, link.Ping(1, 500))))) == [link.Pong(1, BOOT, 0)]


@given(st.binary(max_size=80), st.integers(0, 14))
def test_a_sound_frame_with_nonsense_in_it_changes_nothing(payload: bytes, kind: int) -> None:
    bench = Bench()
    bench.step(Inputs(frame(bytes([0, kind]) + payload)))
    assert bench.send(link.Ping(1, 500))[-1] == link.Pong(1, BOOT, 0)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"identity": ""}, "identity"),
        ({"identity": "two words"}, "identity"),
        ({"identity": "X", "address": 256}, "address"),
        ({"identity": "X", "panel": "ssd1305"}, "ssd1305"),
        ({"identity": "X", "buttons": ("up",)}, "up"),
        ({"identity": "X", "light": True}, "no display"),
    ],
)
def test_a_wrong_configuration_says_what_is_wrong(arguments: dict[str, object], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        DeviceConfig(**arguments)  # type: ignore[arg-type]


KEYED = DeviceConfig("BOARD01", buttons=link.BUTTON_NAMES, panel="ssd1309", light=True, key=True)


def keys(said: Sequence[link.LinkMessage]) -> list[int]:
    return [message.what for message in said if isinstance(message, link.Event)]


def test_a_key_that_bounces_is_turned_once_when_it_has_been_steady() -> None:
    bench = Bench(KEYED)
    for _ in range(30):
        bench.edge("key", True)
        bench.let_pass(2)
        assert bench.edge("key", False) == []
        bench.let_pass(3)
    bench.edge("key", True)
    assert bench.let_pass(149) == []
    assert keys(bench.let_pass(2)) == [link.KEY_ON]


def test_a_key_that_is_turned_back_is_told_with_its_moment() -> None:
    bench = Bench(KEYED)
    bench.edge("key", True)
    (on,) = [message for message in bench.let_pass(151) if isinstance(message, link.Event)]
    bench.send(link.Ack(BOOT, on.number))
    bench.edge("key", False)
    (off,) = [message for message in bench.let_pass(160) if isinstance(message, link.Event)]
    assert (off.what, off.at_ns) == (link.KEY_OFF, 301 * MS)


def test_a_contact_of_the_key_that_never_rests_tells_nothing_and_takes_no_place() -> None:
    bench = Bench(KEYED)
    for number in range(1000):
        assert bench.edge("key", number % 2 == 0) == []
        bench.let_pass(40)
    bench.edge("key", False)
    assert bench.let_pass(1000) == []


def test_a_key_that_was_on_at_the_start_tells_nothing_when_it_is_turned_back() -> None:
    bench = Bench(KEYED)
    bench.edge("key", False)
    assert bench.let_pass(1000) == []


def test_a_board_without_a_key_ignores_its_line() -> None:
    bench = Bench()
    bench.edge("key", True)
    assert bench.let_pass(1000) == []
    assert not bench.cup.fitted.flags & link.KEY
