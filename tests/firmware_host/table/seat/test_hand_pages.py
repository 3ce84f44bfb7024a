"""Hands that lie open are leafed through with ◀ ▶: under the cups of an open round, and in every reveal."""

import pytest
from support.table.harness import TableHarness, lay_out

from drivers.messages import Button
from engine import KILL_SPOT, PALO_FIJO, PYRUDO, Bid, RoundKind, Rules
from firmware_host.table.seat.view import SceneName, hand_pages

HANDS = [(1, 2, 3), (4,), (), (5, 6)]
OPEN_KINDS = [(KILL_SPOT, RoundKind.OPEN), (PALO_FIJO, RoundKind.FIXED_FACE_NO_WILDS_OPEN)]
in_open_rounds = pytest.mark.parametrize(("rules", "kind"), OPEN_KINDS, ids=str)
LEFT, RIGHT = Button.LEFT, Button.RIGHT


def open_round(rules: Rules = KILL_SPOT, kind: RoundKind = RoundKind.OPEN) -> TableHarness:
    return lay_out(rules, HANDS, kind=kind, owner=0, fallen=(2,))


def revealed() -> TableHarness:
    harness = lay_out(PYRUDO, HANDS, Bid(2, 3), fallen=(2,))
    harness[1].tap(Button.DUDO)
    return harness.revealed()


def turned(harness: TableHarness, seat: int, *buttons: Button) -> list[int]:
    """Return the leaves that come one after the other."""
    found = []
    for button in buttons:
        harness[seat].tap(button)
        found.append(harness[seat].view.page)
    return found


@in_open_rounds
def test_after_the_summary_of_an_open_round_every_hand_has_a_leaf(rules: Rules, kind: RoundKind) -> None:
    harness = open_round(rules, kind)
    harness[0].tilt()
    assert harness[0].view.page == 0
    assert turned(harness, 0, RIGHT, RIGHT, RIGHT, LEFT, LEFT, LEFT) == [1, 2, 2, 1, 0, 0]


def test_the_leaves_of_an_open_round_are_the_hands_that_the_seat_may_see() -> None:
    position = open_round().position
    found = {seat: hand_pages(SceneName.BIDDING, position, seat) for seat in (0, 1, 2, 3, None)}
    assert found == {0: (1, 3), 1: (3, 0), 2: (), 3: (0, 1), None: ()}


def test_the_cursor_stays_while_leaves_are_turned() -> None:
    harness = open_round()
    harness[0].tilt()
    before = harness[0].menu
    harness[0].tap(RIGHT)
    assert harness[0].menu == before


def test_a_held_arrow_turns_leaf_after_leaf() -> None:
    harness = open_round()
    harness[0].tilt()
    harness[0].hold(RIGHT, for_s=0.5)
    assert harness[0].view.page == 2


def test_leaves_turn_with_ok_held_as_with_a_tilted_cup() -> None:
    harness = open_round()
    harness[0].press(Button.OK)
    harness.wait(0.5)
    assert turned(harness, 0, RIGHT, RIGHT) == [1, 2]


def test_the_next_peek_begins_with_the_summary() -> None:
    harness = open_round()
    harness[0].tilt()
    harness[0].tap(RIGHT)
    harness[0].level()
    assert harness[0].view.page == 0
    harness[0].tilt()
    assert harness[0].view.page == 0


def test_a_bid_leaves_the_leaf_where_it_is() -> None:
    harness = open_round()
    harness[1].tilt()
    harness[1].tap(RIGHT)
    harness[0].tap()
    assert harness[1].view.page == 1


def test_where_nobody_looks_the_arrows_move_the_cursor() -> None:
    harness = open_round()
    before = harness[0].menu.cursor
    harness[0].tap(RIGHT)
    assert (harness[0].menu.cursor, harness[0].view.page) == (before + 1, 0)


def test_at_the_own_dice_alone_there_is_nothing_to_leaf_through() -> None:
    harness = lay_out(PYRUDO, HANDS, fallen=(2,))
    harness[0].tilt()
    before = harness[0].menu.cursor
    harness[0].tap(RIGHT)
    assert (harness[0].menu.cursor, harness[0].view.page) == (before + 1, 0)


def test_an_arrow_over_a_held_ok_moves_no_cursor() -> None:
    harness = lay_out(PYRUDO, HANDS, fallen=(2,))
    before = harness[0].menu
    harness[0].press(Button.OK)
    harness.wait(0.5)
    harness[0].hold(RIGHT, for_s=1.0)
    harness[0].release(Button.OK)
    assert harness[0].menu == before


def test_in_a_reveal_everybody_leafs_through_all_hands_each_for_itself() -> None:
    harness = revealed()
    assert turned(harness, 2, RIGHT, RIGHT, RIGHT, RIGHT) == [1, 2, 3, 3]
    assert [hand.view.page for hand in harness] == [0, 0, 3, 0]


def test_the_leaves_of_a_reveal_are_all_hands_in_order_of_play() -> None:
    assert hand_pages(SceneName.REVEAL, revealed().position, None) == (0, 1, 3)


def test_who_has_seen_enough_may_still_leaf() -> None:
    harness = revealed()
    harness[0].tap()
    assert turned(harness, 0, RIGHT) == [1]


def test_leafing_is_not_having_seen_enough() -> None:
    harness = revealed()
    living = harness[0].view.waiting_for
    for hand in harness:
        hand.tap(RIGHT)
    assert harness[0].view.waiting_for == living


def test_the_next_round_begins_without_a_leaf() -> None:
    harness = revealed()
    harness[0].tap(RIGHT)
    harness.told()
    harness.wait(30)
    assert harness.scene is SceneName.SHAKING
    assert harness[0].view.page == 0


def test_nothing_is_leafed_through_before_the_cups_go_up() -> None:
    harness = lay_out(PYRUDO, HANDS, Bid(2, 3), fallen=(2,))
    harness[1].tap(Button.DUDO)
    assert turned(harness, 0, RIGHT) == [0]
