"""The program of a cup and a seat board, stepped by hand: no loop, no port, no clock."""

import binascii
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.cup.fitted import Fitted
from hardware.cup.outbox import CAPACITY, LONGEST_REPEAT_NS, Outbox
from hardware.cup.program import Cup, Inputs
from hardware.cup.switch import LOCKOUT_NS, Switch
from hardware.emulated.controllers import CHIPS
from hardware.link import messages as link
from hardware.link.framing import Parser, frame
from hardware.link.shine import BRIGHT, DARK, DIM, DIM_CONTRAST, Shine

MS = 1_000_000
BOOT = 7
BOARD = Fitted("BOARD01", buttons=link.BUTTON_NAMES, panel="ssd1309")


class Bench:
    """A cup on a bench: what is said to it and what it said, as messages."""

    def __init__(self, fitted: Fitted = BOARD) -> None:
        self.panel = CHIPS[fitted.panel or "ssd1306"](1)
        self.panel_answers = True
        self.writes = 0
        self.now_ns = 0
        self.cup = Cup(fitted, BOOT, 0, lambda stamps: b"E" * 32, self._write)
        self._parser = Parser()
        self.heard: list[link.LinkMessage] = []
        self.step()

    def _write(self, data: bytes) -> None:
        if not self.panel_answers:
            raise OSError(121, "Remote I/O error")
        self.writes += 1
        self.panel.write(data)

    def step(self, inputs: Inputs | None = None) -> list[link.LinkMessage]:
        said = []
        for sent in self.cup.step(self.now_ns, inputs or Inputs()):
            for body in self._parser.feed(sent):
                address, message = link.from_body(body)
                assert address == self.cup.fitted.address
                assert message is not None
                said.append(message)
        self.heard += said
        return said

    def say(self, *messages: link.LinkMessage, address: int = 0) -> list[link.LinkMessage]:
        return self.step(Inputs(b"".join(frame(link.to_body(address, message)) for message in messages)))

    def edge(self, line: str, closed: bool) -> list[link.LinkMessage]:
        return self.step(Inputs(edges=((line, closed, self.now_ns),)))

    def let_pass(self, duration_ms: int) -> list[link.LinkMessage]:
        until_ns, said = self.now_ns + duration_ms * MS, []
        while self.cup.due_ns is not None and self.cup.due_ns <= until_ns:
            self.now_ns = max(self.now_ns, self.cup.due_ns)
            said += self.step()
        self.now_ns = until_ns
        return said

    def events(self) -> list[tuple[int, int]]:
        numbers = {message.number: message.what for message in self.heard if isinstance(message, link.Event)}
        return sorted(numbers.items())


def events_in(said: Sequence[link.LinkMessage]) -> list[int]:
    return [message.number for message in said if isinstance(message, link.Event)]


def test_a_cup_says_hello_when_it_starts() -> None:
    assert Bench().heard[0] == link.Hello(BOOT, link.TILT | link.BUTTONS | link.DUDO | link.PANEL, 1, "BOARD01")


def test_a_cup_says_what_is_fitted_and_no_more() -> None:
    assert Bench(Fitted("CUP0001")).heard == [link.Hello(BOOT, link.TILT, 1, "CUP0001")]


def test_a_cup_that_is_asked_says_hello_again() -> None:
    bench = Bench(Fitted("CUP0001"))
    assert bench.say(link.Ask()) == [link.Hello(BOOT, link.TILT, 1, "CUP0001")]


def test_a_ping_is_answered_with_the_cups_clock() -> None:
    bench = Bench(Fitted("CUP0001"))
    bench.now_ns = 123 * MS
    assert bench.say(link.Ping(9, 500)) == [link.Pong(9, BOOT, 123 * MS)]


def test_a_cup_hears_only_what_has_its_address() -> None:
    bench = Bench(Fitted("CUP0001", address=4))
    assert (bench.say(link.Ping(1, 500)), bench.say(link.Ping(2, 500), address=4)) == ([], [link.Pong(2, BOOT, 0)])


def test_a_press_and_a_release_are_events_with_the_moment_of_their_first_edges() -> None:
    bench = Bench()
    bench.now_ns = 100 * MS
    bench.edge("ok", True)
    bench.let_pass(50)
    bench.edge("ok", False)
    said = {m.number: m for m in bench.heard if isinstance(m, link.Event)}
    assert said == {
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


def test_a_shake_is_told_and_settles_with_its_entropy() -> None:
    bench = Bench(Fitted("CUP0001"))
    for number in range(10):
        bench.let_pass(90)
        bench.edge("tilt", number % 2 == 0)
    bench.let_pass(500)
    assert bench.events() == [(1, link.SHAKEN), (2, link.SETTLED)]
    assert [m.detail for m in bench.heard if isinstance(m, link.Event)][-1] == b"E" * 32


def test_an_event_is_repeated_until_it_is_acknowledged() -> None:
    bench = Bench()
    bench.edge("ok", True)
    assert events_in(bench.let_pass(1000))[:3] == [1, 1, 1]
    bench.say(link.Ack(BOOT, 1))
    assert events_in(bench.let_pass(10_000)) == []


def test_an_acknowledgement_covers_every_event_before_it() -> None:
    bench = Bench()
    for button in ("left", "right", "ok"):
        bench.edge(button, True)
    bench.say(link.Ack(BOOT, 2))
    assert set(events_in(bench.let_pass(1000))) == {3}


@pytest.mark.parametrize("ack", [link.Ack(BOOT + 1, 1), link.Ack(BOOT, 0), link.Ack(BOOT, 2)])
def test_an_acknowledgement_of_another_start_or_of_nothing_changes_nothing(ack: link.Ack) -> None:
    bench = Bench()
    bench.edge("ok", True)
    bench.say(ack)
    assert 1 in events_in(bench.let_pass(1000))


def test_a_host_that_comes_back_hears_what_it_missed_at_once() -> None:
    bench = Bench()
    bench.edge("ok", True)
    bench.let_pass(60_000)
    said = bench.say(link.Ask())
    assert isinstance(said[0], link.Hello)
    assert (said[0].oldest, events_in(said)) == (1, [1])


def test_a_board_with_no_host_repeats_ever_more_slowly() -> None:
    bench = Bench()
    bench.edge("ok", True)
    assert len(events_in(bench.let_pass(80_000))) < 80_000 * MS / LONGEST_REPEAT_NS + 6


def test_an_outbox_that_is_full_refuses_whole_pairs() -> None:
    outbox, told = Outbox(BOOT), []
    for _ in range(2 * CAPACITY):
        told += outbox.put(link.PRESSED, 0, b"\x00", 0) + outbox.put(link.RELEASED, 0, b"\x00", 0)
    assert [event.what for event in told] == [link.PRESSED, link.RELEASED] * (CAPACITY // 2)


def test_a_full_outbox_keeps_a_place_for_the_end_of_what_it_told() -> None:
    outbox = Outbox(BOOT)
    outbox.put(link.TILTED, 0, b"", 0)
    for _ in range(CAPACITY):
        outbox.put(link.PRESSED, 0, b"\x00", 0)
        outbox.put(link.RELEASED, 0, b"\x00", 0)
    assert outbox.put(link.LEVELLED, 0, b"", 0) != []


def test_a_picture_is_on_the_glass_when_it_is_acknowledged() -> None:
    bench = Bench()
    picture = bytes(range(256)) * 4
    crc = binascii.crc32(picture)
    said = bench.say(link.Picture(3, link.NO_BASE, crc, Shine(), link.whole_picture(picture)))
    assert said == [link.PictureAck(3, crc, 1)]
    assert pages_shown(bench) == picture


@pytest.mark.parametrize("chip", ["ssd1306", "ssd1309", "sh1106"])
def test_windows_change_their_part_of_the_glass(chip: str) -> None:
    bench = Bench(Fitted("BOARD01", panel=chip))
    old, new = bytes(1024), bytearray(1024)
    new[5 * 128 + 120 : 5 * 128 + 128] = b"\xff" * 8
    windows = [link.Window(5, 120, b"\xff" * 8)]
    bench.say(link.Picture(1, binascii.crc32(old), binascii.crc32(new), Shine(), windows))
    assert (pages_shown(bench), bench.panel.unknown) == (new, [])


def test_windows_cut_against_another_picture_are_left_and_the_host_is_told() -> None:
    bench = Bench()
    said = bench.say(link.Picture(1, 12345, 0, Shine(True), [link.Window(0, 0, b"\xff")]))
    assert said == [link.PictureAck(1, binascii.crc32(bytes(1024)), 1)]
    assert pages_shown(bench) == bytes(1024)


@pytest.mark.parametrize("chip", ["ssd1306", "ssd1309", "sh1106"])
def test_a_picture_without_windows_changes_how_the_panel_shines(chip: str) -> None:
    bench = Bench(Fitted("BOARD01", panel=chip))
    crc = binascii.crc32(bytes(1024))
    written = bench.writes
    assert bench.say(link.Picture(1, crc, crc, Shine(True, DIM, 3), [])) == [link.PictureAck(1, crc, 1)]
    assert (bench.writes - written, bench.panel.unknown) == (1, [])
    assert (pages_shown(bench), bench.panel.contrast) == (b"\xff" * 1024, DIM_CONTRAST)


def test_a_picture_stands_as_many_rows_lower_as_its_shine_says() -> None:
    bench = Bench()
    picture = b"\x01" * 128 + bytes(896)
    crc = binascii.crc32(picture)
    bench.say(link.Picture(1, link.NO_BASE, crc, Shine(row=3), link.whole_picture(picture)))
    assert pages_shown(bench) == b"\x08" * 128 + bytes(896)


def test_a_dark_panel_is_off_and_shows_the_picture_of_now_when_it_is_on_again() -> None:
    bench = Bench()
    seen: set[bytes] = set()
    pictures = [b"\x11" * 1024, b"\x22" * 1024]
    for number, (picture, light) in enumerate(zip(pictures, [DARK, BRIGHT], strict=True)):
        bench.panel.written = lambda: seen.add(pages_shown(bench))
        bench.say(link.Picture(number, 0, binascii.crc32(picture), Shine(light=light), link.whole_picture(picture)))
    assert seen == {bytes(1024), pictures[1]}


def test_a_panel_that_is_back_shines_as_it_should() -> None:
    bench = Bench()
    crc = binascii.crc32(bytes(1024))
    bench.panel_answers = False
    bench.say(link.Picture(1, crc, crc, Shine(True), []))
    bench.panel = CHIPS["ssd1309"](2)
    bench.panel_answers = True
    bench.let_pass(600)
    assert pages_shown(bench) == b"\xff" * 1024


def test_a_panel_shows_nothing_of_what_its_memory_held_before() -> None:
    assert pages_shown(Bench()) == bytes(1024)


def test_a_panel_that_does_not_answer_is_told_and_shows_the_picture_when_it_is_back() -> None:
    bench = Bench()
    bench.panel_answers = False
    picture = b"\x55" * 1024
    crc = binascii.crc32(picture)
    said = bench.say(link.Picture(1, link.NO_BASE, crc, Shine(), link.whole_picture(picture)))
    assert said == [link.PictureAck(1, crc, 0)]
    bench.panel = CHIPS["ssd1309"](2)
    bench.panel_answers = True
    assert bench.let_pass(600) == [link.PictureAck(1, crc, 1)]
    assert pages_shown(bench) == picture


@given(st.lists(st.binary(max_size=60), max_size=20))
def test_whatever_comes_in_a_cup_goes_on(chunks: list[bytes]) -> None:
    bench = Bench()
    for chunk in chunks:
        bench.step(Inputs(chunk))
    assert bench.step(Inputs(b"\0" + frame(link.to_body(0, link.Ping(1, 500))))) == [link.Pong(1, BOOT, 0)]


@given(st.binary(max_size=80), st.integers(0, 9))
def test_a_sound_frame_with_nonsense_in_it_changes_nothing(payload: bytes, kind: int) -> None:
    bench = Bench()
    bench.step(Inputs(frame(bytes([0, kind]) + payload)))
    assert bench.say(link.Ping(1, 500))[-1] == link.Pong(1, BOOT, 0)


@given(st.lists(st.tuples(st.integers(1, 40), st.booleans()), max_size=40))
def test_a_switch_tells_presses_and_releases_in_turn_and_ends_with_the_truth(edges: list[tuple[int, bool]]) -> None:
    switch, at_ns, told, level = Switch(), 0, [], False
    for gap_ms, down in edges:
        at_ns, level = at_ns + gap_ms * MS // 4, down
        told += switch.edge(at_ns, down)
    for _ in range(3):
        told += switch.tick(at_ns + 5 * LOCKOUT_NS)
    assert [down for down, _ in told] == [number % 2 == 0 for number in range(len(told))]
    assert (told[-1][0] if told else False) == level
    assert [at for _, at in told] == sorted(at for _, at in told)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"identity": ""}, "identity"),
        ({"identity": "two words"}, "identity"),
        ({"identity": "X", "address": 256}, "address"),
        ({"identity": "X", "panel": "ssd1305"}, "ssd1305"),
        ({"identity": "X", "buttons": ("up",)}, "up"),
    ],
)
def test_a_wrong_configuration_says_what_is_wrong(arguments: dict[str, object], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        Fitted(**arguments)  # type: ignore[arg-type]


def pages_shown(bench: Bench) -> bytes:
    image = bench.panel.picture()
    return bytes(
        sum((image.getpixel((column, 8 * page + bit)) > 0) << bit for bit in range(8))  # type: ignore[operator]
        for page in range(8)
        for column in range(128)
    )
