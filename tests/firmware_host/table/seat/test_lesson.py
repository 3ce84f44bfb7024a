"""The lesson: its steps under any rules, and a table that knows nothing of it."""

import itertools
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.table.harness import SECOND, TableHarness

from drivers.messages import Button, Device
from engine import ACES, BOXED, DUDO, KILL_SPOT, PERUDO, RULESETS, Bid, Rules, legal_actions
from firmware_host.i18n.words import ENGLISH
from firmware_host.table.effects import Announce, Effect, Publish, Record
from firmware_host.table.robots import RobotLevel
from firmware_host.table.scenes.deal import RequestCommitment, RequestEntropy, RequestSeed
from firmware_host.table.seat.key_input import Confirm, Key, Peek, Step
from firmware_host.table.seat.lamp import lamp_is_on
from firmware_host.table.seat.lesson import LEARNER, LESSON_TIMEOUT_NS, Lesson, LessonEnd, LessonStep, made_up_hand
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.actions import StaffAction, StaffCommand
from firmware_host.wire import Joined

OK = Confirm(dudo=False, since_ns=0, at_ns=0)
CALL = Confirm(dudo=True, since_ns=0, at_ns=0)
LEAVE = Step(-1, held=True)
KEYS = (OK, CALL, LEAVE, Step(-1), Step(1), Step(1, held=True), Peek(True), Peek(False))


def made_up_rules() -> Iterator[Rules]:
    """Yield rule sets that differ in all that a lesson's bids depend on."""
    kinds = itertools.product(
        (1, 2, 3, 4, 5), (True, False), ("half", "half-or-more"), ("none", "dice-in-play"), ("never", "always")
    )
    for base in (PERUDO, BOXED):
        for dice, wild, to_aces, cap, opens in kinds:
            changed = {"starting_dice": dice, "wild_aces": wild, "to_aces": to_aces, "cap": cap, "open_on_aces": opens}
            yield replace(base, name="ours", **changed)


def steps_of(lesson: Lesson) -> list[Lesson]:
    """Return the lesson at each step, going on with OK."""
    seen = [lesson]
    while not isinstance(after := seen[-1].take(OK), LessonEnd):
        seen.append(after)
    assert after is LessonEnd.JOINS
    return seen


@pytest.mark.parametrize("rules", [*RULESETS.values(), *made_up_rules()], ids=str)
@pytest.mark.parametrize("has_button", [True, False])
def test_every_step_is_a_legal_moment_of_a_match_under_these_rules(rules: Rules, has_button: bool) -> None:
    lessons = {each.step: each for each in steps_of(Lesson(rules, has_button))}
    assert (LessonStep.HALF in lessons) is rules.wild_aces
    for step in (LessonStep.RAISE, LessonStep.HALF, LessonStep.DOUBT):
        if step not in lessons:
            continue
        position, menu = lessons[step].match.position, lessons[step].menu
        assert position.turn == LEARNER
        legal = legal_actions(position, LEARNER)
        assert all(item in legal for item in menu.items)
        assert (DUDO in menu.items) is (step is LessonStep.DOUBT and not has_button)
    if LessonStep.HALF in lessons:
        (standing, aces) = lessons[LessonStep.HALF].match.position.standing, lessons[LessonStep.HALF].menu.chosen
        assert isinstance(aces, Bid)
        assert isinstance(standing, Bid)
        assert (aces.face, aces.quantity) == (ACES, -(-standing.quantity // 2))
    showdown = lessons[LessonStep.COST].match.position.showdown
    assert showdown is not None
    assert showdown.right, "the bid to doubt is no bluff"
    assert showdown.loser not in (None, LEARNER)
    assert tuple(showdown.hands[LEARNER]) == tuple(made_up_hand(rules))
    for each in lessons.values():
        assert ENGLISH.lesson(each.view(has_cup=True, may_join=True))


@given(st.lists(st.sampled_from(KEYS)), st.sampled_from([PERUDO, KILL_SPOT]), st.booleans())
def test_no_key_leads_back_or_out_but_for_a_held_arrow_and_the_last_ok(
    keys: list[Key], rules: Rules, has_button: bool
) -> None:
    lesson = Lesson(rules, has_button)
    for key in keys:
        after = lesson.take(key)
        if isinstance(after, LessonEnd):
            leaves = after is LessonEnd.LEFT
            assert key == LEAVE if leaves else (key == OK and lesson.step is LessonStep.END)
            return
        places = [lesson.steps.index(each.step) for each in (lesson, after)]
        assert 0 <= places[1] - places[0] <= 1
        assert after.menu.items == () or after.menu.chosen is not None
        lesson = after


def test_the_cup_and_the_call_go_on_where_they_are_learnt() -> None:
    looking = Lesson(PERUDO).shaken()
    assert looking.step is LessonStep.LOOK
    assert looking.shaken() == looking
    up = looking.take(Peek(True))
    assert isinstance(up, Lesson)
    assert up.is_looking
    down = up.take(Peek(False))
    assert isinstance(down, Lesson)
    assert (down.step, down.is_looking) == (LessonStep.BID, False)
    assert down.take(CALL) == down
    (doubt,) = [each for each in steps_of(down) if each.step is LessonStep.DOUBT]
    called = doubt.take(CALL)
    assert isinstance(called, Lesson)
    assert called.step is LessonStep.COST


# At a table


def learning(harness: TableHarness, seat: int = 0) -> TableHarness:
    harness[seat].pick(MenuCommand.LEARN)
    assert step_at(harness, seat) is LessonStep.SHAKE
    return harness


def step_at(harness: TableHarness, seat: int = 0) -> LessonStep | None:
    lesson = harness[seat].view.lesson
    return None if lesson is None else lesson.step


def heard(effects: list[Effect]) -> list[Effect]:
    """Return the effects outside the seat's display."""
    public = Record | Announce | Publish | RequestSeed | RequestCommitment | RequestEntropy
    return [effect for effect in effects if isinstance(effect, public)]


def test_a_whole_lesson_is_on_its_own_display_alone_and_ends_by_joining() -> None:
    harness = TableHarness(PERUDO, 2, programs=(0, 1))
    others = harness[1].show

    def learns() -> None:
        learning(harness)[0].shake()
        harness[0].tilt()
        harness[0].level()
        for _ in (LessonStep.BID, LessonStep.RAISE, LessonStep.WILD, LessonStep.HALF):
            harness[0].tap()
        harness[0].tap(Button.DUDO)
        harness[0].tap()

    assert heard(harness.after(learns)) == []
    assert step_at(harness) is LessonStep.END
    assert harness[1].show == others
    assert not lamp_is_on(harness[0].view)
    assert harness.table.is_idle
    harness[0].tap()
    assert harness.events_of(Joined) == [Joined(0)]
    assert step_at(harness) is None


def test_others_join_start_and_play_beside_a_lesson() -> None:
    harness = learning(TableHarness(PERUDO, 3), 2)
    harness.joined(0, 1).dealt()
    assert (harness.scene, step_at(harness, 2)) == (SceneName.BIDDING, LessonStep.SHAKE)
    for _ in Lesson(PERUDO).steps[1:]:
        harness[2].tap()
    lesson = harness[2].view.lesson
    assert lesson is not None
    assert not lesson.may_join
    harness[2].tap()
    assert step_at(harness, 2) is None
    assert harness.game.players == (0, 1)


def test_a_lesson_whose_player_has_gone_ends_and_a_press_in_that_moment_joins_nobody() -> None:
    harness = learning(TableHarness(PERUDO, 2))
    harness.wait(LESSON_TIMEOUT_NS / SECOND - 0.2)
    harness[0].press()
    harness.wait(0.3)
    assert step_at(harness) is None
    harness[0].release()
    assert harness.events_of(Joined) == []
    assert harness[0].menu.chosen is MenuCommand.LEARN


def test_a_held_arrow_leaves_and_does_not_move_the_cursor_of_the_lobby() -> None:
    harness = learning(TableHarness(PERUDO, 2))
    harness[0].hold(Button.LEFT, for_s=1.5)
    assert step_at(harness) is None
    assert harness[0].menu.chosen is MenuCommand.LEARN


def test_a_press_from_before_a_step_does_not_take_it() -> None:
    harness = learning(TableHarness(PERUDO, 2))
    harness[0].press()
    harness[0].shake()
    assert step_at(harness) is LessonStep.LOOK
    harness[0].release()
    assert step_at(harness) is LessonStep.LOOK


def test_a_robot_that_staff_seat_there_ends_the_lesson() -> None:
    harness = learning(TableHarness(PERUDO, 2), 1)
    harness[0].pick(MenuCommand.JOIN)
    harness.send(StaffAction(StaffCommand.ROBOT, 1, level=RobotLevel.EASY))
    assert step_at(harness, 1) is None
    assert harness[1].view.robot is RobotLevel.EASY


def test_a_seat_without_its_cup_is_told_other_ways() -> None:
    harness = TableHarness(PERUDO, 2)
    harness[0].lose(Device.CUP)
    lesson = learning(harness)[0].view.lesson
    assert lesson is not None
    assert ENGLISH.lesson(lesson) == "Your cup is missing: OK goes on"


def test_a_table_that_recovers_from_an_error_ends_its_lessons() -> None:
    harness = learning(TableHarness(PERUDO, 2))
    harness._carry_out(harness.table.recover(harness.now_ns), harness.table.scene)
    assert step_at(harness) is None
