"""Whatever comes over a port, in whatever order: no exception, nothing that grows, and the link works afterwards."""

import asyncio
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.link.scripted_device import BOARD, ScriptedDevice

from drivers.link.port import MAX_BACKLOG_BYTES
from drivers.link.seat_board import SeatBoard
from drivers.messages import Device, Found, Lost, Message
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.link import messages as link
from hardware.link.framing import LONGEST_FRAME, frame
from hardware.link.oled import DisplayMode

SMALL = st.integers(0, 70)
U8, U16, U32, U64 = (st.integers(0, (1 << bits) - 1) for bits in (8, 16, 32, 64))
BOOTS = st.sampled_from([5, 6, 7, 1 << 30])
HASHES = st.sampled_from([bytes(32), b"d" * 32])
SAID = st.one_of(
    st.builds(link.Hello, BOOTS, U16, st.one_of(SMALL, U32), st.just("BOARD01")),
    st.builds(link.Hello, BOOTS, st.just(BOARD.fitted), SMALL, st.sampled_from(["BOARD01", "X"]), st.integers(2, 3)),
    st.builds(link.Event, BOOTS, st.one_of(SMALL, U32), U64, U8, st.binary(max_size=3)),
    st.builds(link.Pong, st.one_of(SMALL, U32), BOOTS, U64),
    st.builds(link.PictureAck, st.one_of(SMALL, U16), U32, st.integers(0, 255)),
    st.builds(link.Drawn, HASHES, HASHES),
    st.builds(link.Opened, HASHES, HASHES),
    st.builds(link.Ask, U8),
    st.builds(link.Ping, U32, U16),
    st.builds(link.Ack, BOOTS, U32),
    st.builds(link.Picture, U16, U32, U32, st.just(DisplayMode()), st.just([])),
)
PIECES = st.one_of(
    st.binary(max_size=40),
    st.integers(1, 4000).map(lambda count: b"\x55" * count),
    SAID.map(lambda message: frame(link.to_body(0, message))),
    SAID.map(lambda message: frame(link.to_body(0, message)) * 60),
    st.tuples(SAID, st.integers(0, 20)).map(lambda each: frame(link.to_body(0, each[0]))[: each[1]]),
    st.binary(max_size=30).map(lambda payload: frame(b"\x00" + payload)),
)
STEPS = st.lists(st.tuples(PIECES, st.sampled_from([0.0, 0.001, 0.05, 0.3, 4.0])), max_size=25)


class Bench:
    """A driver on a fresh loop with somebody else's bytes at the far end."""

    def __init__(self, answers: list[link.LinkMessage]) -> None:
        self.loop = VirtualLoop(patience_s=10.0)
        self.raised: list[object] = []
        self.loop.set_exception_handler(lambda _, context: self.raised.append(context))
        self.scripted = ScriptedDevice(self.loop, *answers)
        self.posted: list[Message] = []
        self.driver = SeatBoard(0, self.scripted.open, loop=self.loop, post=self._post, identity="BOARD01")  # type: ignore[arg-type]

    def _post(self, message: Message) -> None:
        self.posted.append(message)
        event = getattr(message, "event", None)
        if event is not None and event % 3:
            self.driver.acknowledge(event)

    def wait(self, duration_s: float) -> None:
        self.loop.run_until_complete(asyncio.sleep(duration_s))

    def close(self) -> None:
        self.driver.close()
        self.wait(0)
        self.loop.close()

    def check(self) -> None:
        """Nothing was raised, nothing has grown."""
        assert self.raised == []
        driver, line = self.driver, self.driver._line
        assert len(line._outgoing) <= MAX_BACKLOG_BYTES + 2 * LONGEST_FRAME
        assert len(line._parser._held) <= LONGEST_FRAME
        assert len(driver._events._early) <= link.EVENTS_HELD
        assert len(driver._keepalive._sent_ns) <= 64
        assert len(driver._reports) <= 4


@pytest.mark.slow
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS, st.booleans())
def test_whatever_comes_nothing_is_raised_and_nothing_grows(steps: list[tuple[bytes, float]], says_hello: bool) -> None:
    bench = Bench([BOARD] if says_hello else [])
    try:
        for piece, gap_s in steps:
            bench.driver.draw(bytes(32))
            bench.scripted.send_bytes(piece)
            bench.wait(gap_s)
            bench.check()
        bench.wait(1.0)
        bench.check()
    finally:
        bench.close()


@pytest.mark.slow
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS)
def test_a_board_that_comes_to_its_senses_is_found(steps: list[tuple[bytes, float]]) -> None:
    bench = Bench([BOARD])
    try:
        for piece, gap_s in steps:
            bench.scripted.send_bytes(piece)
            bench.wait(gap_s)
        bench.scripted.send_bytes(b"\0")
        bench.wait(75.0)
        assert bench.driver.is_up
        changes = [each for each in bench.posted if isinstance(each, Found | Lost) and each.device is Device.BOARD]
        assert isinstance(changes[-1], Found)
    finally:
        bench.close()


@pytest.mark.slow
def test_bytes_without_sense_for_an_hour_are_told_once() -> None:
    rng, bench = random.Random(1), Bench([])
    try:
        for _ in range(3600):
            bench.scripted.send_bytes(rng.randbytes(200))
            bench.wait(1)
        assert len(bench.posted) == 1
        bench.check()
    finally:
        bench.close()
