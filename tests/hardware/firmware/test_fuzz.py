"""Whatever comes to a cup, in whatever order: bytes, messages, edges, time. What must never happen doesn't."""

import binascii
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.firmware.cup_bench import BOARD, BOOT, CUP, MS, Bench

from hardware.firmware.device_config import DeviceConfig
from hardware.firmware.lease import PEEK_LEASE_MS
from hardware.firmware.oled_panel import MAX_RETRY_NS
from hardware.firmware.outbox import CAPACITY
from hardware.firmware.program import Inputs
from hardware.link import messages as link
from hardware.link.debounce import LOCKOUT_NS
from hardware.link.framing import LONGEST_FRAME, frame
from hardware.link.oled import DARK, DisplayMode

pytestmark = pytest.mark.slow


DIE = 0x66
DICE, PLAIN = bytes([DIE]) * 1024, b"\x11" * 1024  # they light other rows
PAIRS = {link.SHAKEN: link.SETTLED, link.TILTED: link.LEVELLED, link.PRESSED: link.RELEASED}
Act = Callable[["CheckedBench"], None]


class CheckedBench(Bench):
    """A bench that looks at what must hold after every step."""

    def __init__(self, fitted: DeviceConfig = BOARD) -> None:
        self.levels: dict[str, bool] = {}
        self.moved_ns = dict.fromkeys(("ok", "tilt"), 0)
        self.pinged_ns = 0
        self.answers_since_ns = -MAX_RETRY_NS
        self.deal = b""
        self.shaken_since = False
        self.events_seen: dict[int, link.Event] = {}
        super().__init__(fitted)

    def write_panel(self, data: bytes) -> None:
        super().write_panel(data)
        self._look()

    def send(self, *messages: link.LinkMessage, address: int = 0) -> list[link.LinkMessage]:
        if any(isinstance(message, link.Ping) for message in messages):
            self.pinged_ns = self.now_ns
        return super().send(*messages, address=address)

    def step(self, inputs: Inputs | None = None) -> list[link.LinkMessage]:
        for line, closed, at_ns in inputs.edges if inputs else ():
            if self.levels.get(line, False) != closed:
                self.levels[line] = closed
                self.moved_ns[line] = at_ns
        sending = super().step(inputs)
        self._look()
        for message in sending:
            self._check(message)
        assert len(self.cup.outbox._waiting) <= CAPACITY
        assert len(self.cup._parser._held) <= LONGEST_FRAME
        return sending

    def _look(self) -> None:
        if not self.panel_answers:
            self.answers_since_ns = self.now_ns
        if self.now_ns - self.answers_since_ns < MAX_RETRY_NS or not self.shows_dice():
            return
        holds = any(
            self.levels.get(line, False) or (line == "ok" and self.now_ns - self.moved_ns[line] <= 2 * LOCKOUT_NS)
            for line in ("ok", "tilt")
        )
        assert holds, "dice are lit and no hand asks for them"
        assert self.now_ns - self.pinged_ns <= PEEK_LEASE_MS * MS, "dice are lit and no host is there"

    def shows_dice(self) -> bool:
        """Return whether a dot is lit where dice have some and other pictures none."""
        if not self.panel.on:
            return False
        seen = self.panel.picture().tobytes()
        return any(any(seen[16 * row : 16 * row + 16]) for row in range(64) if DIE >> row % 8 & 1)

    def _check(self, message: link.LinkMessage) -> None:
        if isinstance(message, link.Event):
            assert self.events_seen.setdefault(message.number, message) == message
            if message.what == link.SETTLED and len(self.events_seen) == message.number:
                self.shaken_since = True
        elif isinstance(message, link.Drawn):
            if message.deal != self.deal:
                self.deal, self.shaken_since = message.deal, False
        elif isinstance(message, link.Opened):
            assert message.deal == self.deal
            assert self.shaken_since or self.cup.outbox.refused, "opened before it was shaken"

    def check_events(self) -> None:
        """Events are numbered without a gap; what begins ends, in turn."""
        assert sorted(self.events_seen) == list(range(1, len(self.events_seen) + 1))
        begun: set[tuple[int, bytes]] = set()
        for number in sorted(self.events_seen):
            event = self.events_seen[number]
            if event.what in PAIRS:
                assert (event.what, event.detail) not in begun
                begun.add((event.what, event.detail))
            else:
                (start,) = [start for start, end in PAIRS.items() if end == event.what]
                begun.remove((start, event.detail))


def picture(number: int, dice: bool, right: bool, lamp: bool, dark: bool) -> Act:
    def act(bench: CheckedBench) -> None:
        shown = DICE if dice else PLAIN
        crc = binascii.crc32(shown) ^ (not right)
        shine = DisplayMode(brightness=DARK) if dark else DisplayMode()
        bench.send(link.Picture(number, link.NO_BASE, crc, shine, link.whole_picture(shown), dice, lamp))

    return act


def windows(column: int, width: int, page: int) -> Act:
    """Some dice into whatever is there."""

    def act(bench: CheckedBench) -> None:
        lease = bench.cup._lease
        assert lease is not None
        cut = [link.Window(page, column, bytes([DIE]) * min(width, 128 - column))]
        bench.send(link.Picture(1, lease.panel.crc, 1, DisplayMode(), cut, True))

    return act


def shake(bench: CheckedBench) -> None:
    bench.shake()


def panel(answers: bool) -> Act:
    return lambda bench: setattr(bench, "panel_answers", answers)


def sending(message: link.LinkMessage) -> Act:
    def act(bench: CheckedBench) -> None:
        bench.send(message)

    return act


hashes = st.sampled_from([bytes(32), b"1" * 32, b"2" * 32])
pings = st.builds(link.Ping, st.integers(0, 9), st.sampled_from([0, 100, 500, 10_000, 65_535]))
deals = st.builds(link.Draw, hashes) | st.builds(link.Open, hashes, hashes)
messages = st.one_of(
    st.builds(link.Ask, st.integers(0, 255)),
    st.builds(link.Ack, st.sampled_from([BOOT, 8]), st.integers(0, 200)),
    st.builds(link.Hello, st.integers(1, 9), st.integers(0, 31), st.integers(1, 9), st.just("X")),
    st.builds(link.Event, st.integers(1, 9), st.integers(1, 9), st.integers(0, 99), st.integers(0, 255)),
    st.builds(link.Drawn, hashes, hashes),
    st.builds(link.Opened, hashes, hashes),
    st.builds(link.PictureAck, st.integers(0, 9), st.integers(0, 9), st.integers(0, 1)),
)
acts = st.one_of(
    st.builds(picture, st.integers(0, 65_535), st.booleans(), st.booleans(), st.booleans(), st.booleans()),
    st.builds(windows, st.integers(0, 127), st.integers(1, 128), st.integers(0, 7)),
    st.builds(sending, pings),
    st.builds(sending, deals),
    st.builds(sending, messages),
    st.builds(
        lambda line, closed: lambda b: b.edge(line, closed), st.sampled_from(["ok", "tilt", "left"]), st.booleans()
    ),
    st.builds(lambda ms: lambda b: b.let_pass(ms), st.sampled_from([0, 1, 5, 13, 30, 60, 210, 499, 500, 900])),
    st.builds(lambda data: lambda b: b.step(Inputs(data)), st.binary(max_size=300)),
    st.builds(
        lambda kind, data: lambda b: b.step(Inputs(frame(bytes([0, kind]) + data))),
        st.integers(0, 14),
        st.binary(max_size=70),
    ),
    st.builds(panel, st.booleans()),
    st.just(shake),
)


@given(st.lists(acts, min_size=25, max_size=60))
def test_no_order_of_things_lights_dice_unasked_or_opens_a_deal_unshaken(acts: list[Act]) -> None:
    bench = CheckedBench()
    for act in acts:
        act(bench)
    bench.panel_answers = True
    bench.step(Inputs(b"\0"))
    bench.send(link.Ack(BOOT, len(bench.events_seen)), link.Ack(BOOT, bench.cup.outbox.oldest + CAPACITY))
    bench.check_events()
    assert any(isinstance(message, link.Pong) for message in bench.send(link.Ping(9, 500)))


@given(st.lists(st.tuples(st.sampled_from(["tilt", "nothing"]), st.booleans(), st.integers(0, 300)), max_size=120))
def test_a_cup_alone_tells_whole_stories(edges: list[tuple[str, bool, int]]) -> None:
    bench = CheckedBench(CUP)
    for line, closed, after_ms in edges:
        bench.edge(line, closed)
        bench.let_pass(after_ms)
    bench.let_pass(200)
    bench.check_events()


@pytest.mark.parametrize("junk", [b"\x00", b"\x01", b"\xff", b"\x03" * 7 + b"\0"])
def test_a_flood_takes_no_memory_and_is_answered_by_nothing(junk: bytes) -> None:
    bench = CheckedBench()
    for _ in range(100):
        assert bench.step(Inputs(junk * 512)) == []
