"""A seat that has not looked under its cup in this match is known, so that its panel can say how."""

import random

from support.table.harness import TableHarness, lay_out

from drivers.messages import Button
from engine import KILL_SPOT, PALO_FIJO, PYRUDO, Bid, RoundKind
from firmware_host.table.seat.menu import MenuCommand

HANDS = [(2, 3), (4,), (5, 6, 6)]


def looked(harness: TableHarness) -> list[bool]:
    return [hand.view.has_peeked for hand in harness]


def test_nobody_has_looked_before_a_cup_is_tilted() -> None:
    harness = TableHarness(seats=3).joined().dealt()
    assert looked(harness) == [False, False, False]


def test_a_tilted_cup_is_a_look_of_that_seat() -> None:
    harness = lay_out(PYRUDO, HANDS)
    harness[1].tilt()
    assert looked(harness) == [False, True, False]


def test_a_held_ok_is_one_too() -> None:
    harness = lay_out(PYRUDO, HANDS)
    harness[1].hold(for_s=0.5)
    assert looked(harness) == [False, True, False]


def test_an_ok_that_is_tapped_is_none() -> None:
    harness = lay_out(PYRUDO, HANDS)
    harness[0].tap()
    assert looked(harness) == [False, False, False]


def test_it_stays_for_the_match() -> None:
    harness = TableHarness(PYRUDO, seats=3).joined().dealt()
    harness[1].tilt()
    harness[1].level()
    harness.turn.tap()
    harness.turn.press(Button.DUDO)
    harness.told()
    harness.wait(30)
    harness.dealt()
    assert looked(harness) == [False, True, False]


def test_a_tilt_where_there_is_nothing_to_see_is_no_look() -> None:
    harness = lay_out(KILL_SPOT, HANDS, kind=RoundKind.BLIND, owner=1)
    for hand in harness:
        hand.tilt()
    assert looked(harness) == [False, True, False]


def test_in_a_closed_round_only_a_single_die_is_seen() -> None:
    harness = lay_out(PALO_FIJO, HANDS, kind=RoundKind.FIXED_FACE_NO_WILDS_CLOSED, owner=1)
    for hand in harness:
        hand.tilt()
    assert looked(harness) == [False, True, False]


def test_hands_that_lie_open_are_a_look() -> None:
    harness = lay_out(KILL_SPOT, HANDS, kind=RoundKind.OPEN, owner=1)
    harness[0].tilt()
    assert looked(harness) == [True, False, False]


def test_who_is_out_sees_nothing() -> None:
    harness = lay_out(PYRUDO, [(2, 3), (), (5, 6)], Bid(2, 3), fallen=(1,))
    harness[1].tilt()
    assert looked(harness) == [False, False, False]


def test_a_tilt_before_all_cups_are_down_is_no_look() -> None:
    harness = TableHarness(seats=2).joined()
    harness[0].shake()
    harness[0].tilt()
    assert looked(harness) == [False, False]
    harness[0].level()
    harness[1].shake()
    assert looked(harness) == [False, False]


def test_in_the_next_match_nobody_has_looked() -> None:
    harness = TableHarness().joined().dealt()
    harness[0].tilt()
    harness[0].level()
    harness.until_over(random.Random(1))
    assert looked(harness) == [True, False]
    harness[0].pick(MenuCommand.AGAIN)
    assert looked(harness) == [False, False]
    harness[0].pick(MenuCommand.START)
    harness.wait(5)
    harness.dealt()
    assert looked(harness) == [False, False]


def test_a_table_that_comes_up_again_says_it_again() -> None:
    harness = lay_out(PYRUDO, HANDS)
    harness[0].tilt()
    again = TableHarness(PYRUDO, 3, scene=harness.table.scene)
    assert looked(again) == [False, False, False]
    again[0].tilt()
    assert looked(again) == [True, False, False]
