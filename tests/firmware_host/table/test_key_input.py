"""What edges of buttons and cups mean, with time passed in: steps, OK, dudo, a peek."""

from support.table.harness import MS

from drivers.messages import Button, Levelled, Pressed, Released, Tilted
from firmware_host.table.key_input import Confirm, Key, KeyInterpreter, Peek, Step

OK, LEFT, RIGHT, DUDO = Button.OK, Button.LEFT, Button.RIGHT, Button.DUDO


class Fingers:
    """Four buttons and a cup, and what came of them; moments are in milliseconds."""

    def __init__(self) -> None:
        self.keys = KeyInterpreter()
        self.meant: list[Key] = []

    def down(self, button: Button, at_ms: int) -> None:
        self.meant += self.keys.handle(Pressed(0, button, at_ms * MS))

    def up(self, button: Button, at_ms: int) -> None:
        self.meant += self.keys.handle(Released(0, button, at_ms * MS))

    def tilt(self) -> None:
        self.meant += self.keys.handle(Tilted(0, 0))

    def level(self) -> None:
        self.meant += self.keys.handle(Levelled(0, 0))

    def wait_until(self, at_ms: int) -> None:
        while self.keys.deadline_ns is not None and self.keys.deadline_ns <= at_ms * MS:
            due_ns = self.keys.deadline_ns
            self.meant += self.keys.tick(due_ns)
            assert self.keys.deadline_ns is None or self.keys.deadline_ns > due_ns

    def let_go(self) -> None:
        self.meant += self.keys.release_all()

    @property
    def acts(self) -> list[Key]:
        return [key for key in self.meant if isinstance(key, Confirm)]


def test_ok_does_nothing_before_its_release() -> None:
    fingers = Fingers()
    fingers.down(OK, 0)
    assert fingers.meant == []


def test_ok_acts_on_its_release_and_the_release_is_its_moment() -> None:
    fingers = Fingers()
    fingers.down(OK, 0)
    fingers.up(OK, 399)
    assert fingers.meant == [Confirm(dudo=False, since_ns=0, at_ns=399 * MS)]


def test_ok_held_400_ms_peeks_and_acts_on_nothing() -> None:
    fingers = Fingers()
    fingers.down(OK, 0)
    fingers.wait_until(399)
    assert fingers.meant == []
    fingers.wait_until(400)
    assert fingers.meant == [Peek(True)]
    fingers.up(OK, 2000)
    assert fingers.meant == [Peek(True), Peek(False)]


def test_a_release_stamped_at_400_ms_acts_on_nothing_even_if_no_tick_came_between() -> None:
    fingers = Fingers()
    fingers.down(OK, 0)
    fingers.up(OK, 400)
    assert fingers.meant == []


def test_dudo_acts_on_its_press_and_never_again_while_held() -> None:
    fingers = Fingers()
    fingers.down(DUDO, 7)
    fingers.wait_until(60_000)
    fingers.up(DUDO, 60_000)
    assert fingers.meant == [Confirm(dudo=True, since_ns=7 * MS, at_ns=7 * MS)]


def test_an_arrow_steps_on_its_press_and_repeats_while_held() -> None:
    fingers = Fingers()
    fingers.down(RIGHT, 0)
    assert fingers.meant == [Step(+1)]
    fingers.wait_until(399)
    assert fingers.meant == [Step(+1)]
    fingers.wait_until(400 + 2 * 250)
    fingers.up(RIGHT, 950)
    fingers.wait_until(9000)
    assert fingers.meant == [Step(+1), *[Step(+1, held=True)] * 3]


def test_after_a_second_and_a_half_a_held_arrow_hurries() -> None:
    fingers = Fingers()
    fingers.down(LEFT, 0)
    fingers.wait_until(1650)
    before = len(fingers.meant)
    fingers.wait_until(1650 + 4 * 150)
    assert (before, len(fingers.meant)) == (1 + 6, 1 + 6 + 4)


def test_a_held_arrow_stops_the_moment_it_is_let_go_of() -> None:
    fingers = Fingers()
    fingers.down(RIGHT, 0)
    fingers.wait_until(1599)
    before = [*fingers.meant]
    fingers.up(RIGHT, 1599)
    fingers.wait_until(9000)
    assert fingers.meant == before


def test_the_other_arrow_steps_back() -> None:
    fingers = Fingers()
    fingers.down(LEFT, 0)
    fingers.up(LEFT, 50)
    assert fingers.meant == [Step(-1)]


def test_two_arrows_at_once_cancel_each_other() -> None:
    fingers = Fingers()
    fingers.down(LEFT, 0)
    fingers.down(RIGHT, 0)
    fingers.wait_until(2000)
    assert fingers.meant == [Step(-1), Step(+1)]


def test_an_arrow_that_is_still_held_when_the_other_is_up_goes_on() -> None:
    fingers = Fingers()
    fingers.down(LEFT, 0)
    fingers.down(RIGHT, 100)
    fingers.wait_until(1000)
    fingers.up(RIGHT, 1000)
    fingers.meant += fingers.keys.tick(1000 * MS)
    assert fingers.meant == [Step(-1), Step(+1), Step(-1, held=True)]


def test_a_table_that_was_busy_steps_once_and_does_not_catch_up() -> None:
    fingers = Fingers()
    fingers.down(RIGHT, 0)
    fingers.meant += fingers.keys.tick(5000 * MS)
    assert fingers.meant == [Step(+1), Step(+1, held=True)]


def test_a_second_press_without_a_release_is_none() -> None:
    fingers = Fingers()
    fingers.down(DUDO, 0)
    fingers.down(DUDO, 100)
    assert len(fingers.acts) == 1


def test_a_release_without_a_press_is_none() -> None:
    fingers = Fingers()
    for button in Button:
        fingers.up(button, 0)
    assert fingers.meant == []


def test_a_press_whose_release_was_lost_with_the_buttons_means_nothing() -> None:
    fingers = Fingers()
    fingers.down(OK, 0)
    fingers.down(RIGHT, 0)
    fingers.let_go()
    fingers.up(OK, 100)
    assert fingers.keys.deadline_ns is None
    assert fingers.meant == [Step(+1)]


def test_lost_buttons_end_a_peek() -> None:
    fingers = Fingers()
    fingers.down(OK, 0)
    fingers.wait_until(500)
    fingers.let_go()
    assert fingers.meant == [Peek(True), Peek(False)]


def test_a_lost_cup_ends_a_peek() -> None:
    fingers = Fingers()
    fingers.tilt()
    fingers.let_go()
    assert fingers.meant == [Peek(True), Peek(False)]


def test_a_cup_peeks_while_it_is_tilted() -> None:
    fingers = Fingers()
    fingers.tilt()
    fingers.tilt()
    fingers.level()
    fingers.level()
    assert fingers.meant == [Peek(True), Peek(False)]


def test_ok_and_a_tilted_cup_peek_until_both_are_down() -> None:
    fingers = Fingers()
    fingers.tilt()
    fingers.down(OK, 0)
    fingers.wait_until(400)
    fingers.level()
    assert fingers.meant == [Peek(True)]
    fingers.up(OK, 900)
    assert fingers.meant == [Peek(True), Peek(False)]


def test_ok_that_is_barely_down_does_not_keep_a_peek_open_when_the_cup_is_put_down() -> None:
    fingers = Fingers()
    fingers.tilt()
    fingers.down(OK, 0)
    fingers.wait_until(100)
    fingers.level()
    assert fingers.meant == [Peek(True), Peek(False)]


def test_ok_acts_under_a_tilted_cup_too() -> None:
    fingers = Fingers()
    fingers.tilt()
    fingers.down(OK, 0)
    fingers.up(OK, 100)
    assert fingers.acts == [Confirm(dudo=False, since_ns=0, at_ns=100 * MS)]


def test_a_new_press_of_ok_is_measured_from_itself() -> None:
    fingers = Fingers()
    fingers.down(OK, 0)
    fingers.wait_until(400)
    fingers.up(OK, 500)
    fingers.down(OK, 600)
    fingers.up(OK, 700)
    assert len(fingers.acts) == 1
