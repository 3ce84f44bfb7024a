"""Panels shine less where nobody touches anything, wake at a touch, and stand still nowhere for long."""

import pytest
from support.table.harness import SECOND, TableHarness, lay_out

from drivers.messages import Brightness, Button, Device
from engine import PYRUDO, Bid
from firmware_host.daemon.seat_display import SeatDisplay
from firmware_host.table.effects import Record, Show
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName

HANDS = [(1, 2, 3), (4, 5)]
MINUTE_S = 60.0


def lit(harness: TableHarness) -> Brightness:
    """Return the brightness of all displays."""
    (brightness,) = {hand.view.brightness for hand in harness}
    return brightness


def in_the_dark() -> TableHarness:
    harness = lay_out(PYRUDO, HANDS, Bid(2, 3))
    harness.wait(30 * MINUTE_S)
    assert lit(harness) is Brightness.DARK
    return harness


def test_a_table_that_comes_up_is_bright() -> None:
    assert lit(TableHarness()) is Brightness.BRIGHT


@pytest.mark.parametrize(
    ("idle_s", "brightness"),
    [
        (119.9, Brightness.BRIGHT),
        (120, Brightness.DIM),
        (899.9, Brightness.DIM),
        (900, Brightness.DARK),
        (86_400, Brightness.DARK),
    ],
)
def test_a_lobby_dims_after_two_minutes_and_is_dark_after_fifteen(idle_s: float, brightness: Brightness) -> None:
    harness = TableHarness()
    harness.wait(idle_s)
    assert lit(harness) is brightness


@pytest.mark.parametrize(
    ("idle_s", "brightness"),
    [(119.9, Brightness.BRIGHT), (120, Brightness.DIM), (1799.9, Brightness.DIM), (1800, Brightness.DARK)],
)
def test_a_match_stays_readable_for_half_an_hour(idle_s: float, brightness: Brightness) -> None:
    harness = lay_out(PYRUDO, HANDS)
    harness.wait(idle_s)
    assert lit(harness) is brightness


@pytest.mark.parametrize("minutes", [2, 30])
@pytest.mark.parametrize("touch", ["press", "tilt", "shake"])
def test_any_touch_makes_it_bright_at_once(touch: str, minutes: float) -> None:
    harness = lay_out(PYRUDO, HANDS)
    harness.wait(minutes * MINUTE_S)
    {"press": harness[1].press, "tilt": harness[1].tilt, "shake": harness[1].shake}[touch]()
    assert lit(harness) is Brightness.BRIGHT
    harness.wait(MINUTE_S)
    assert lit(harness) is Brightness.BRIGHT


def test_a_cable_is_no_hand() -> None:
    harness = lay_out(PYRUDO, HANDS)
    harness.wait(2 * MINUTE_S)
    harness[0].lose(Device.CUP)
    harness[0].find(Device.CUP)
    assert lit(harness) is Brightness.DIM


@pytest.mark.parametrize("button", list(Button))
def test_a_press_in_the_dark_wakes_and_does_nothing_else(button: Button) -> None:
    harness = in_the_dark()
    scene, menus = harness.table.scene, [hand.menu for hand in harness]
    effects = harness.after(lambda: harness[1].tap(button))
    assert harness.table.scene == scene
    assert [hand.menu for hand in harness] == menus
    assert [hand.notice for hand in harness] == [None, None]
    assert not any(isinstance(effect, Record) for effect in effects)
    harness[1].tap(Button.DUDO)
    assert harness.scene is SceneName.CALLED


def test_ok_that_woke_the_table_does_not_peek_but_the_next_one_does() -> None:
    harness = in_the_dark()
    harness[1].press(Button.OK)
    harness.wait(2)
    assert not harness[1].is_peeking
    harness[1].release(Button.OK)
    harness[1].press(Button.OK)
    harness.wait(2)
    assert harness[1].is_peeking


def test_a_second_seats_press_before_its_display_shines_is_none() -> None:
    harness = in_the_dark()
    harness[0].press(Button.LEFT)
    harness.now_ns += 20_000_000
    harness.table.on_displayed(harness.now_ns)
    harness[1].press(Button.DUDO, at_ns=harness.now_ns - 1)
    assert harness.scene is SceneName.BIDDING
    assert harness[1].notice is None


def test_a_press_on_a_dim_display_counts() -> None:
    harness = lay_out(PYRUDO, HANDS, Bid(2, 3))
    harness.wait(3 * MINUTE_S)
    harness[1].tap(Button.DUDO)
    assert harness.scene is SceneName.CALLED


def test_in_the_dark_nothing_is_held_any_more_and_no_dice_lie_open() -> None:
    harness = lay_out(PYRUDO, HANDS)
    harness[0].tilt()
    harness[1].press(Button.OK)
    harness.wait(29 * MINUTE_S)
    assert harness.open == {0, 1}
    harness.wait(MINUTE_S)
    assert harness.open == set()


@pytest.mark.slow
@pytest.mark.parametrize("in_a_match", [False, True])
def test_in_the_dark_the_table_sleeps_even_with_a_button_stuck(in_a_match: bool) -> None:
    harness = lay_out(PYRUDO, HANDS) if in_a_match else TableHarness()
    harness[0].press(Button.RIGHT)
    harness.wait(30 * MINUTE_S)
    assert lit(harness) is Brightness.DARK
    if in_a_match:  # which is broken off an hour after the last touch
        assert harness.table.deadline_ns == harness.now_ns + 30 * 60 * SECOND
        harness.wait(30 * MINUTE_S)
    assert harness.table.deadline_ns is None


# The empty lobby


def beats(harness: TableHarness, for_s: float) -> list[int]:
    return [
        show.view.idle_frame
        for show in harness.after(lambda: harness.wait(for_s))
        if isinstance(show, Show) and not show.seat
    ]


def test_in_an_empty_lobby_the_picture_moves_every_minute() -> None:
    harness = TableHarness()
    assert beats(harness, 59.9) == []
    assert beats(harness, 180) == [1, 2, 3]


def test_in_the_dark_it_stands_still() -> None:
    harness = TableHarness()
    harness.wait(15 * MINUTE_S)
    assert beats(harness, 3600) == []
    harness[0].lose(Device.CUP)
    assert beats(harness, 3600) == []


def test_woken_it_moves_again() -> None:
    harness = TableHarness()
    harness.wait(3600)
    harness[0].tap(Button.RIGHT)
    assert len(beats(harness, 240)) == 4


def test_with_somebody_in_it_does_not_move() -> None:
    harness = TableHarness()
    harness.wait(14)
    harness[1].pick(MenuCommand.JOIN)
    assert beats(harness, 100) == []
    assert harness[0].view.idle_frame == 0
    harness[1].pick(MenuCommand.LEAVE)
    assert len(beats(harness, 240)) >= 3


def test_a_table_that_nobody_touches_wakes_less_than_twice_a_second() -> None:
    for harness in (TableHarness(), TableHarness().joined(), lay_out(PYRUDO, HANDS)):
        ticks, until_ns = 0, harness.now_ns + 600_000_000_000
        while (due_ns := harness.table.deadline_ns) is not None and due_ns < until_ns:
            harness.table.tick(due_ns)
            ticks += 1
        assert ticks <= 600 / 5 + 1


class BrightnessLog:
    """A panel of which only the brightness matters."""

    def __init__(self) -> None:
        self.levels: list[Brightness] = []
        self.is_on = False

    def show(self, *_: object, lamp: bool = False, **__: object) -> None:
        self.is_on = lamp

    def set_brightness(self, brightness: Brightness) -> None:
        self.levels.append(brightness)


def test_a_display_tells_its_panel_how_brightly_to_shine() -> None:
    harness, lamp = lay_out(PYRUDO, HANDS), BrightnessLog()
    display = SeatDisplay(lamp)
    for minutes in (0, 2, 28):
        harness.wait(minutes * MINUTE_S)
        display.show(harness[0].view, harness[0].menu, None)
    assert lamp.levels == [Brightness.BRIGHT, Brightness.DIM, Brightness.DARK]


def test_the_light_of_a_board_is_on_while_the_table_waits_for_its_seat() -> None:
    harness = lay_out(PYRUDO, HANDS)
    lamps = []
    for seat in range(len(HANDS)):
        lamp = BrightnessLog()
        SeatDisplay(lamp).show(harness[seat].view, harness[seat].menu, None)
        lamps.append(lamp.is_on)
    assert lamps == [seat in harness[0].view.waiting_for for seat in range(len(HANDS))]
    assert lamps.count(True) == 1
