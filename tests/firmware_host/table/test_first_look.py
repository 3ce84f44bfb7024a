"""A seat that has not looked under its cup in this match is known, so that its panel can say how."""

import random

from support.table.harness import Evening, laid

from drivers.messages import Button
from engine import KILL_SPOT, PALO_FIJO, PYRUDO, Bid, RoundKind
from firmware_host.table.menu import MenuCommand

HANDS = [(2, 3), (4,), (5, 6, 6)]


def looked(evening: Evening) -> list[bool]:
    return [hand.view.has_peeked for hand in evening]


def test_nobody_has_looked_before_a_cup_is_tilted() -> None:
    evening = Evening(seats=3).joined().dealt()
    assert looked(evening) == [False, False, False]


def test_a_tilted_cup_is_a_look_of_that_seat() -> None:
    evening = laid(PYRUDO, HANDS)
    evening[1].tilt()
    assert looked(evening) == [False, True, False]


def test_a_held_ok_is_one_too() -> None:
    evening = laid(PYRUDO, HANDS)
    evening[1].hold(for_s=0.5)
    assert looked(evening) == [False, True, False]


def test_an_ok_that_is_tapped_is_none() -> None:
    evening = laid(PYRUDO, HANDS)
    evening[0].tap()
    assert looked(evening) == [False, False, False]


def test_it_stays_for_the_match() -> None:
    evening = Evening(PYRUDO, seats=3).joined().dealt()
    evening[1].tilt()
    evening[1].level()
    evening.turn.tap()
    evening.turn.press(Button.DUDO)
    evening.revealed()
    evening.wait(30)
    evening.dealt()
    assert looked(evening) == [False, True, False]


def test_a_tilt_where_there_is_nothing_to_see_is_no_look() -> None:
    evening = laid(KILL_SPOT, HANDS, kind=RoundKind.BLIND, owner=1)
    for hand in evening:
        hand.tilt()
    assert looked(evening) == [False, True, False]


def test_in_a_closed_round_only_a_single_die_is_seen() -> None:
    evening = laid(PALO_FIJO, HANDS, kind=RoundKind.FIXED_FACE_NO_WILDS_CLOSED, owner=1)
    for hand in evening:
        hand.tilt()
    assert looked(evening) == [False, True, False]


def test_hands_that_lie_open_are_a_look() -> None:
    evening = laid(KILL_SPOT, HANDS, kind=RoundKind.OPEN, owner=1)
    evening[0].tilt()
    assert looked(evening) == [True, False, False]


def test_who_is_out_sees_nothing() -> None:
    evening = laid(PYRUDO, [(2, 3), (), (5, 6)], Bid(2, 3), fallen=(1,))
    evening[1].tilt()
    assert looked(evening) == [False, False, False]


def test_a_tilt_before_all_cups_are_down_is_no_look() -> None:
    evening = Evening(seats=2).joined()
    evening[0].shake()
    evening[0].tilt()
    assert looked(evening) == [False, False]
    evening[0].level()
    evening[1].shake()
    assert looked(evening) == [False, False]


def test_in_the_next_match_nobody_has_looked() -> None:
    evening = Evening().joined().dealt()
    evening[0].tilt()
    evening[0].level()
    evening.until_over(random.Random(1))
    assert looked(evening) == [True, False]
    evening[0].pick(MenuCommand.AGAIN)
    assert looked(evening) == [False, False]
    evening[0].pick(MenuCommand.START)
    evening.wait(5)
    evening.dealt()
    assert looked(evening) == [False, False]


def test_a_table_that_comes_up_again_says_it_again() -> None:
    evening = laid(PYRUDO, HANDS)
    evening[0].tilt()
    again = Evening(PYRUDO, 3, scene=evening.table.scene)
    assert looked(again) == [False, False, False]
    again[0].tilt()
    assert looked(again) == [True, False, False]
