"""Hands that lie open are leafed through with ◀ ▶: under the cups of an open round, and in every reveal."""

import pytest
from support.table.harness import Evening, laid

from drivers.messages import Button
from engine import KILL_SPOT, PALO_FIJO, PYRUDO, Bid, RoundKind, Rules
from firmware_host.table.seat_view import SceneName, hand_pages

HANDS = [(1, 2, 3), (4,), (), (5, 6)]
OPEN_KINDS = [(KILL_SPOT, RoundKind.OPEN), (PALO_FIJO, RoundKind.FIXED_FACE_NO_WILDS_OPEN)]
in_open_rounds = pytest.mark.parametrize(("rules", "kind"), OPEN_KINDS, ids=str)
LEFT, RIGHT = Button.LEFT, Button.RIGHT


def open_round(rules: Rules = KILL_SPOT, kind: RoundKind = RoundKind.OPEN) -> Evening:
    return laid(rules, HANDS, kind=kind, owner=0, fallen=(2,))


def revealed() -> Evening:
    evening = laid(PYRUDO, HANDS, Bid(2, 3), fallen=(2,))
    evening[1].tap(Button.DUDO)
    return evening.revealed()


def turned(evening: Evening, seat: int, *buttons: Button) -> list[int]:
    """The leaves that come one after the other."""
    found = []
    for button in buttons:
        evening[seat].tap(button)
        found.append(evening[seat].view.page)
    return found


@in_open_rounds
def test_after_the_summary_of_an_open_round_every_hand_has_a_leaf(rules: Rules, kind: RoundKind) -> None:
    evening = open_round(rules, kind)
    evening[0].tilt()
    assert evening[0].view.page == 0
    assert turned(evening, 0, RIGHT, RIGHT, RIGHT, LEFT, LEFT, LEFT) == [1, 2, 2, 1, 0, 0]


def test_the_leaves_of_an_open_round_are_the_hands_that_the_seat_may_see() -> None:
    position = open_round().position
    found = {seat: hand_pages(SceneName.BIDDING, position, seat) for seat in (0, 1, 2, 3, None)}
    assert found == {0: (1, 3), 1: (3, 0), 2: (), 3: (0, 1), None: ()}


def test_the_cursor_stays_while_leaves_are_turned() -> None:
    evening = open_round()
    evening[0].tilt()
    before = evening[0].menu
    evening[0].tap(RIGHT)
    assert evening[0].menu == before


def test_a_held_arrow_turns_leaf_after_leaf() -> None:
    evening = open_round()
    evening[0].tilt()
    evening[0].hold(RIGHT, for_s=0.5)
    assert evening[0].view.page == 2


def test_leaves_turn_with_ok_held_as_with_a_tilted_cup() -> None:
    evening = open_round()
    evening[0].press(Button.OK)
    evening.wait(0.5)
    assert turned(evening, 0, RIGHT, RIGHT) == [1, 2]


def test_the_next_peek_begins_with_the_summary() -> None:
    evening = open_round()
    evening[0].tilt()
    evening[0].tap(RIGHT)
    evening[0].level()
    assert evening[0].view.page == 0
    evening[0].tilt()
    assert evening[0].view.page == 0


def test_a_bid_leaves_the_leaf_where_it_is() -> None:
    evening = open_round()
    evening[1].tilt()
    evening[1].tap(RIGHT)
    evening[0].tap()
    assert evening[1].view.page == 1


def test_where_nobody_looks_the_arrows_move_the_cursor() -> None:
    evening = open_round()
    before = evening[0].menu.cursor
    evening[0].tap(RIGHT)
    assert (evening[0].menu.cursor, evening[0].view.page) == (before + 1, 0)


def test_at_the_own_dice_alone_there_is_nothing_to_leaf_through() -> None:
    evening = laid(PYRUDO, HANDS, fallen=(2,))
    evening[0].tilt()
    before = evening[0].menu.cursor
    evening[0].tap(RIGHT)
    assert (evening[0].menu.cursor, evening[0].view.page) == (before + 1, 0)


def test_an_arrow_over_a_held_ok_moves_no_cursor() -> None:
    evening = laid(PYRUDO, HANDS, fallen=(2,))
    before = evening[0].menu
    evening[0].press(Button.OK)
    evening.wait(0.5)
    evening[0].hold(RIGHT, for_s=1.0)
    evening[0].release(Button.OK)
    assert evening[0].menu == before


def test_in_a_reveal_everybody_leafs_through_all_hands_each_for_itself() -> None:
    evening = revealed()
    assert turned(evening, 2, RIGHT, RIGHT, RIGHT, RIGHT) == [1, 2, 3, 3]
    assert [hand.view.page for hand in evening] == [0, 0, 3, 0]


def test_the_leaves_of_a_reveal_are_all_hands_in_order_of_play() -> None:
    assert hand_pages(SceneName.REVEAL, revealed().position, None) == (0, 1, 3)


def test_who_has_seen_enough_may_still_leaf() -> None:
    evening = revealed()
    evening[0].tap()
    assert turned(evening, 0, RIGHT) == [1]


def test_leafing_is_not_having_seen_enough() -> None:
    evening = revealed()
    living = evening[0].view.waiting_for
    for hand in evening:
        hand.tap(RIGHT)
    assert evening[0].view.waiting_for == living


def test_the_next_round_begins_without_a_leaf() -> None:
    evening = revealed()
    evening[0].tap(RIGHT)
    evening.wait(30)
    assert evening.scene is SceneName.SHAKING
    assert evening[0].view.page == 0


def test_nothing_is_leafed_through_before_the_cups_go_up() -> None:
    evening = laid(PYRUDO, HANDS, Bid(2, 3), fallen=(2,))
    evening[1].tap(Button.DUDO)
    assert turned(evening, 0, RIGHT) == [0]
