"""The models of wires against values worked out by hand."""

import pytest

from bench.tools.table import Traffic
from bench.tools.watched_match import i2c_s, usb_s


def frame_s(transfers: int, sent_bytes: int, clock_hz: int = 400_000) -> float:
    return i2c_s(Traffic(transfers=transfers, i2c=sent_bytes), clock_hz)


def test_a_whole_ssd1306_frame_of_luma_takes_23_ms_of_i2c() -> None:
    # 1,034 bytes at nine clocks and two transfers at two: 9,310 clocks of 2.5 µs.
    assert frame_s(2, 1034) == pytest.approx(0.023275)


def test_each_transfer_costs_a_start_and_a_stop() -> None:
    assert frame_s(16, 1080) - frame_s(1, 1080) == pytest.approx(15 * 2 / 400_000)


def test_nothing_sent_takes_no_time() -> None:
    assert frame_s(0, 0) == usb_s(0) == 0.0


def test_i2c_at_a_quarter_of_the_clock_takes_four_times_as_long() -> None:
    assert frame_s(2, 1034, 100_000) == pytest.approx(4 * frame_s(2, 1034))


def test_a_packet_that_is_begun_takes_its_whole_place_on_usb() -> None:
    assert usb_s(1) == usb_s(64) == pytest.approx(1e-3 / 19)
    assert usb_s(65) == pytest.approx(2e-3 / 19)
