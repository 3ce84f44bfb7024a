"""What edges of buttons and cups mean, with time passed in: steps, OK, dudo, a peek."""

from support.table.harness import MS

from drivers.messages import Button, Levelled, Pressed, Released, Tilted
from firmware_host.table.seat.key_input import Confirm, Key, KeyInterpreter, Peek, Step

OK, LEFT, RIGHT, DUDO = Button.OK, Button.LEFT, Button.RIGHT, Button.DUDO


class KeyPresses:
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
    keys = KeyPresses()
    keys.down(OK, 0)
    assert keys.meant == []


def test_ok_acts_on_its_release_and_the_release_is_its_moment() -> None:
    keys = KeyPresses()
    keys.down(OK, 0)
    keys.up(OK, 399)
    assert keys.meant == [Confirm(dudo=False, since_ns=0, at_ns=399 * MS)]


def test_ok_held_400_ms_peeks_and_acts_on_nothing() -> None:
    keys = KeyPresses()
    keys.down(OK, 0)
    keys.wait_until(399)
    assert keys.meant == []
    keys.wait_until(400)
    assert keys.meant == [Peek(True)]
    keys.up(OK, 2000)
    assert keys.meant == [Peek(True), Peek(False)]


def test_a_release_stamped_at_400_ms_acts_on_nothing_even_if_no_tick_came_between() -> None:
    keys = KeyPresses()
    keys.down(OK, 0)
    keys.up(OK, 400)
    assert keys.meant == []


def test_dudo_acts_on_its_press_and_never_again_while_held() -> None:
    keys = KeyPresses()
    keys.down(DUDO, 7)
    keys.wait_until(60_000)
    keys.up(DUDO, 60_000)
    assert keys.meant == [Confirm(dudo=True, since_ns=7 * MS, at_ns=7 * MS)]


def test_an_arrow_steps_on_its_press_and_repeats_while_held() -> None:
    keys = KeyPresses()
    keys.down(RIGHT, 0)
    assert keys.meant == [Step(+1)]
    keys.wait_until(399)
    assert keys.meant == [Step(+1)]
    keys.wait_until(400 + 2 * 250)
    keys.up(RIGHT, 950)
    keys.wait_until(9000)
    assert keys.meant == [Step(+1), *[Step(+1, held=True)] * 3]


def test_after_a_second_and_a_half_a_held_arrow_hurries() -> None:
    keys = KeyPresses()
    keys.down(LEFT, 0)
    keys.wait_until(1650)
    before = len(keys.meant)
    keys.wait_until(1650 + 4 * 150)
    assert (before, len(keys.meant)) == (1 + 6, 1 + 6 + 4)


def test_a_held_arrow_stops_the_moment_it_is_let_go_of() -> None:
    keys = KeyPresses()
    keys.down(RIGHT, 0)
    keys.wait_until(1599)
    before = [*keys.meant]
    keys.up(RIGHT, 1599)
    keys.wait_until(9000)
    assert keys.meant == before


def test_the_other_arrow_steps_back() -> None:
    keys = KeyPresses()
    keys.down(LEFT, 0)
    keys.up(LEFT, 50)
    assert keys.meant == [Step(-1)]


def test_two_arrows_at_once_cancel_each_other() -> None:
    keys = KeyPresses()
    keys.down(LEFT, 0)
    keys.down(RIGHT, 0)
    keys.wait_until(2000)
    assert keys.meant == [Step(-1), Step(+1)]


def test_an_arrow_that_is_still_held_when_the_other_is_up_goes_on() -> None:
    keys = KeyPresses()
    keys.down(LEFT, 0)
    keys.down(RIGHT, 100)
    keys.wait_until(1000)
    keys.up(RIGHT, 1000)
    keys.meant += keys.keys.tick(1000 * MS)
    assert keys.meant == [Step(-1), Step(+1), Step(-1, held=True)]


def test_a_table_that_was_busy_steps_once_and_does_not_catch_up() -> None:
    keys = KeyPresses()
    keys.down(RIGHT, 0)
    keys.meant += keys.keys.tick(5000 * MS)
    assert keys.meant == [Step(+1), Step(+1, held=True)]


def test_a_second_press_without_a_release_is_none() -> None:
    keys = KeyPresses()
    keys.down(DUDO, 0)
    keys.down(DUDO, 100)
    assert len(keys.acts) == 1


def test_a_release_without_a_press_is_none() -> None:
    keys = KeyPresses()
    for button in Button:
        keys.up(button, 0)
    assert keys.meant == []


def test_a_press_whose_release_was_lost_with_the_buttons_means_nothing() -> None:
    keys = KeyPresses()
    keys.down(OK, 0)
    keys.down(RIGHT, 0)
    keys.let_go()
    keys.up(OK, 100)
    assert keys.keys.deadline_ns is None
    assert keys.meant == [Step(+1)]


def test_lost_buttons_end_a_peek() -> None:
    keys = KeyPresses()
    keys.down(OK, 0)
    keys.wait_until(500)
    keys.let_go()
    assert keys.meant == [Peek(True), Peek(False)]


def test_a_lost_cup_ends_a_peek() -> None:
    keys = KeyPresses()
    keys.tilt()
    keys.let_go()
    assert keys.meant == [Peek(True), Peek(False)]


def test_a_cup_peeks_while_it_is_tilted() -> None:
    keys = KeyPresses()
    keys.tilt()
    keys.tilt()
    keys.level()
    keys.level()
    assert keys.meant == [Peek(True), Peek(False)]


def test_ok_and_a_tilted_cup_peek_until_both_are_down() -> None:
    keys = KeyPresses()
    keys.tilt()
    keys.down(OK, 0)
    keys.wait_until(400)
    keys.level()
    assert keys.meant == [Peek(True)]
    keys.up(OK, 900)
    assert keys.meant == [Peek(True), Peek(False)]


def test_ok_that_is_barely_down_does_not_keep_a_peek_open_when_the_cup_is_put_down() -> None:
    keys = KeyPresses()
    keys.tilt()
    keys.down(OK, 0)
    keys.wait_until(100)
    keys.level()
    assert keys.meant == [Peek(True), Peek(False)]


def test_ok_acts_under_a_tilted_cup_too() -> None:
    keys = KeyPresses()
    keys.tilt()
    keys.down(OK, 0)
    keys.up(OK, 100)
    assert keys.acts == [Confirm(dudo=False, since_ns=0, at_ns=100 * MS)]


def test_a_new_press_of_ok_is_measured_from_itself() -> None:
    keys = KeyPresses()
    keys.down(OK, 0)
    keys.wait_until(400)
    keys.up(OK, 500)
    keys.down(OK, 600)
    keys.up(OK, 700)
    assert len(keys.acts) == 1


def test_a_held_arrow_steps_only_when_it_is_due() -> None:
    keys = KeyInterpreter()
    assert [*keys.handle(Pressed(0, RIGHT, 0))] == [Step(+1)]
    due_ns = keys.deadline_ns
    assert due_ns is not None
    assert [*keys.tick(due_ns - 1)] == []
    assert keys.deadline_ns == due_ns
    assert [*keys.tick(due_ns)] == [Step(+1, held=True)]
