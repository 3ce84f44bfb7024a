"""Panels shine less where nobody touches anything, wake at a touch, and stand still nowhere for long."""

import pytest
from support.table.harness import SECOND, Evening, laid

from drivers.messages import Brightness, Button, Device
from engine import PYRUDO, Bid
from firmware_host.daemon.seat_display import SeatDisplay
from firmware_host.table.effects import Record, Show
from firmware_host.table.menu import MenuCommand
from firmware_host.table.seat_view import SceneName

HANDS = [(1, 2, 3), (4, 5)]
MINUTE_S = 60.0


def lit(evening: Evening) -> Brightness:
    """What all displays have in common."""
    (brightness,) = {hand.view.brightness for hand in evening}
    return brightness


def in_the_dark() -> Evening:
    evening = laid(PYRUDO, HANDS, Bid(2, 3))
    evening.wait(30 * MINUTE_S)
    assert lit(evening) is Brightness.DARK
    return evening


def test_a_table_that_comes_up_is_bright() -> None:
    assert lit(Evening()) is Brightness.BRIGHT


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
    evening = Evening()
    evening.wait(idle_s)
    assert lit(evening) is brightness


@pytest.mark.parametrize(
    ("idle_s", "brightness"),
    [(119.9, Brightness.BRIGHT), (120, Brightness.DIM), (1799.9, Brightness.DIM), (1800, Brightness.DARK)],
)
def test_a_match_stays_readable_for_half_an_hour(idle_s: float, brightness: Brightness) -> None:
    evening = laid(PYRUDO, HANDS)
    evening.wait(idle_s)
    assert lit(evening) is brightness


@pytest.mark.parametrize("minutes", [2, 30])
@pytest.mark.parametrize("touch", ["press", "tilt", "shake"])
def test_any_touch_makes_it_bright_at_once(touch: str, minutes: float) -> None:
    evening = laid(PYRUDO, HANDS)
    evening.wait(minutes * MINUTE_S)
    {"press": evening[1].press, "tilt": evening[1].tilt, "shake": evening[1].shake}[touch]()
    assert lit(evening) is Brightness.BRIGHT
    evening.wait(MINUTE_S)
    assert lit(evening) is Brightness.BRIGHT


def test_a_cable_is_no_hand() -> None:
    evening = laid(PYRUDO, HANDS)
    evening.wait(2 * MINUTE_S)
    evening[0].lose(Device.CUP)
    evening[0].find(Device.CUP)
    assert lit(evening) is Brightness.DIM


@pytest.mark.parametrize("button", list(Button))
def test_a_press_in_the_dark_wakes_and_does_nothing_else(button: Button) -> None:
    evening = in_the_dark()
    scene, menus = evening.table.scene, [hand.menu for hand in evening]
    effects = evening.after(lambda: evening[1].tap(button))
    assert evening.table.scene == scene
    assert [hand.menu for hand in evening] == menus
    assert [hand.notice for hand in evening] == [None, None]
    assert not any(isinstance(effect, Record) for effect in effects)
    evening[1].tap(Button.DUDO)
    assert evening.scene is SceneName.CALLED


def test_ok_that_woke_the_table_does_not_peek_but_the_next_one_does() -> None:
    evening = in_the_dark()
    evening[1].press(Button.OK)
    evening.wait(2)
    assert not evening[1].looks
    evening[1].release(Button.OK)
    evening[1].press(Button.OK)
    evening.wait(2)
    assert evening[1].looks


def test_a_second_seats_press_before_its_display_shines_is_none() -> None:
    evening = in_the_dark()
    evening[0].press(Button.LEFT)
    evening.now_ns += 20_000_000
    evening.table.on_displayed(evening.now_ns)
    evening[1].press(Button.DUDO, at_ns=evening.now_ns - 1)
    assert evening.scene is SceneName.BIDDING
    assert evening[1].notice is None


def test_a_press_on_a_dim_display_counts() -> None:
    evening = laid(PYRUDO, HANDS, Bid(2, 3))
    evening.wait(3 * MINUTE_S)
    evening[1].tap(Button.DUDO)
    assert evening.scene is SceneName.CALLED


def test_in_the_dark_nothing_is_held_any_more_and_no_dice_lie_open() -> None:
    evening = laid(PYRUDO, HANDS)
    evening[0].tilt()
    evening[1].press(Button.OK)
    evening.wait(29 * MINUTE_S)
    assert evening.open == {0, 1}
    evening.wait(MINUTE_S)
    assert evening.open == set()


@pytest.mark.slow
@pytest.mark.parametrize("in_a_match", [False, True])
def test_in_the_dark_the_table_sleeps_even_with_a_button_stuck(in_a_match: bool) -> None:
    evening = laid(PYRUDO, HANDS) if in_a_match else Evening()
    evening[0].press(Button.RIGHT)
    evening.wait(30 * MINUTE_S)
    assert lit(evening) is Brightness.DARK
    if in_a_match:  # which is broken off an hour after the last touch
        assert evening.table.deadline_ns == evening.now_ns + 30 * 60 * SECOND
        evening.wait(30 * MINUTE_S)
    assert evening.table.deadline_ns is None


# The empty lobby


def beats(evening: Evening, for_s: float) -> list[int]:
    return [
        show.view.idle_frame
        for show in evening.after(lambda: evening.wait(for_s))
        if isinstance(show, Show) and not show.seat
    ]


def test_in_an_empty_lobby_the_picture_moves_every_ten_seconds() -> None:
    evening = Evening()
    assert beats(evening, 9.9) == []
    assert beats(evening, 30) == [1, 2, 3]


def test_in_the_dark_it_stands_still() -> None:
    evening = Evening()
    evening.wait(15 * MINUTE_S)
    assert beats(evening, 3600) == []
    evening[0].lose(Device.CUP)
    assert beats(evening, 3600) == []


def test_woken_it_moves_again() -> None:
    evening = Evening()
    evening.wait(3600)
    evening[0].tap(Button.RIGHT)
    assert len(beats(evening, 40)) == 4


def test_with_somebody_in_it_does_not_move() -> None:
    evening = Evening()
    evening.wait(14)
    evening[1].pick(MenuCommand.JOIN)
    assert beats(evening, 60) == []
    assert evening[0].view.idle_frame == 0
    evening[1].pick(MenuCommand.LEAVE)
    assert len(beats(evening, 40)) >= 3


def test_a_table_that_nobody_touches_wakes_less_than_twice_a_second() -> None:
    for evening in (Evening(), Evening().joined(), laid(PYRUDO, HANDS)):
        ticks, until_ns = 0, evening.now_ns + 600_000_000_000
        while (due_ns := evening.table.deadline_ns) is not None and due_ns < until_ns:
            evening.table.tick(due_ns)
            ticks += 1
        assert ticks <= 600 / 5 + 1


class Lamp:
    """A panel of which only the brightness matters."""

    def __init__(self) -> None:
        self.levels: list[Brightness] = []
        self.is_on = False

    def show(self, *_: object, lamp: bool = False, **__: object) -> None:
        self.is_on = lamp

    def set_brightness(self, brightness: Brightness) -> None:
        self.levels.append(brightness)


def test_a_display_tells_its_panel_how_brightly_to_shine() -> None:
    evening, lamp = laid(PYRUDO, HANDS), Lamp()
    display = SeatDisplay(lamp)
    for minutes in (0, 2, 28):
        evening.wait(minutes * MINUTE_S)
        display.show(evening[0].view, evening[0].menu, None)
    assert lamp.levels == [Brightness.BRIGHT, Brightness.DIM, Brightness.DARK]


def test_the_light_of_a_board_is_on_while_the_table_waits_for_its_seat() -> None:
    evening = laid(PYRUDO, HANDS)
    lamps = []
    for seat in range(len(HANDS)):
        lamp = Lamp()
        SeatDisplay(lamp).show(evening[seat].view, evening[seat].menu, None)
        lamps.append(lamp.is_on)
    assert lamps == [seat in evening[0].view.waiting_for for seat in range(len(HANDS))]
    assert lamps.count(True) == 1
