"""The models of wires against values worked out by hand."""

import pytest

from bench.tools.display_watch import i2c_s, uart_s, usb_s


def test_a_whole_ssd1306_frame_of_luma_takes_23_ms_of_i2c() -> None:
    # 1,034 bytes at nine clocks and two transfers at two: 9,310 clocks of 2.5 µs.
    assert i2c_s(2, 1034) == pytest.approx(0.023275)


def test_each_transfer_costs_a_start_and_a_stop() -> None:
    assert i2c_s(16, 1080) - i2c_s(1, 1080) == pytest.approx(15 * 2 / 400_000)


def test_nothing_sent_takes_no_time() -> None:
    assert i2c_s(0, 0) == usb_s(0) == uart_s(0) == 0.0


def test_i2c_at_a_quarter_of_the_clock_takes_four_times_as_long() -> None:
    assert i2c_s(2, 1034, 100_000) == pytest.approx(4 * i2c_s(2, 1034))


def test_a_packet_that_is_begun_takes_its_whole_place_on_usb() -> None:
    assert usb_s(1) == usb_s(64) == pytest.approx(1e-3 / 19)
    assert usb_s(65) == pytest.approx(2e-3 / 19)


def test_a_uart_sends_ten_bits_a_byte() -> None:
    assert uart_s(11_520) == pytest.approx(1.0)
