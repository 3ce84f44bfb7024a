"""Panels that are missing, go, come back, answer late or lose their supply: told once, and drawn again."""

import errno

import pytest
from support.pictures.display_bench import A, B, Bench, Wait, framed, inverse, noise

from drivers.display.bus import MAX_POLL_INTERVAL_S, POLL_INTERVAL_S, REINITIALISE_INTERVAL_S, Display, DisplayBus
from drivers.display.frame import SHIFT_INTERVAL_S
from drivers.messages import Brightness, Device, Found, Lost, Message
from hardware.chips import CHIPS
from hardware.emulated.chips.controllers import CONTROLLERS
from hardware.emulated.chips.i2c import ADAPTER_TIMEOUT_S, EmulatedBus
from hardware.emulated.virtual_loop import VirtualLoop


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


@pytest.mark.parametrize("brightness", Brightness)
def test_one_that_goes_while_the_wire_is_idle_is_missed_all_the_same(
    brightness: Brightness, bench: Bench, panel: Display, wait: Wait, inbox: list[Message]
) -> None:
    panel.set_brightness(brightness)
    wait(2 * MAX_POLL_INTERVAL_S)
    bench.bus.unplug(A)
    wait(MAX_POLL_INTERVAL_S + 0.1)
    assert [type(message) for message in inbox] == [Lost]
