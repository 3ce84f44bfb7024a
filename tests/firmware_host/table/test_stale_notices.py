"""A refusal goes from the display when what it says is true no more, however long it would have stayed."""

from support.table.harness import Evening, laid

from drivers.messages import Button
from engine import KILL_SPOT, PYRUDO, Bid, Reason
from firmware_host.table.seat_view import SceneName, TableReason

THREE = [(2, 2, 2), (5, 5, 5), (4, 4, 4)]


def test_not_your_turn_goes_when_it_becomes_the_turn() -> None:
    evening = laid(PYRUDO, THREE, Bid(2, 3))
    evening[2].tap(Button.DUDO)
    assert evening[2].notice is Reason.NOT_IN_TURN
    evening[1].tap()
    assert evening[2].awaited
    assert evening[2].notice is None


def test_that_there_is_no_bid_goes_with_the_first_bid() -> None:
    evening = laid(PYRUDO, THREE)
    evening[0].tap(Button.DUDO)
    evening[2].tap(Button.DUDO)
    assert evening[2].notice is not None
    evening[0].tap()
    assert evening[2].notice is None


def test_that_the_cups_are_to_be_shaken_goes_when_they_have_been() -> None:
    evening = Evening().joined()
    evening[0].shake()
    evening[1].tap()
    assert evening[1].notice is Reason.NOT_ROLLED
    evening[1].shake()
    assert evening.scene is SceneName.BIDDING
    assert evening[1].notice is None


def test_it_goes_when_the_own_cup_is_down_and_others_still_shake() -> None:
    evening = Evening(seats=3).joined()
    evening[1].tap()
    assert evening[1].notice is Reason.NOT_ROLLED
    evening[1].shake()
    assert evening.scene is SceneName.SHAKING
    assert evening[1].notice is None


def test_another_cup_that_is_down_takes_no_notice_away() -> None:
    evening = Evening(seats=3).joined()
    evening[1].tap()
    evening[2].shake()
    assert evening[1].notice is Reason.NOT_ROLLED


def test_a_call_takes_away_what_was_told_before_it() -> None:
    evening = laid(PYRUDO, THREE, Bid(2, 3))
    evening[2].tap(Button.DUDO)
    evening[1].tap(Button.DUDO)
    assert evening.scene is SceneName.CALLED
    assert evening[2].notice is None


def test_a_call_that_lost_a_race_is_told_so_for_three_seconds_through_the_reveal() -> None:
    evening = laid(KILL_SPOT, THREE, Bid(7, 6))
    evening[1].press(Button.DUDO)
    evening.wait(0.01)
    evening[2].press(Button.DUDO)
    evening.wait(0.02)
    assert evening[2].notice is TableReason.BID_CHANGED
    evening.wait(2.9)
    assert evening.scene is SceneName.REVEAL
    assert evening[2].notice is TableReason.BID_CHANGED
    evening.wait(0.1)
    assert evening[2].notice is None


def test_what_was_told_in_a_reveal_goes_with_it() -> None:
    evening = laid(PYRUDO, THREE, Bid(7, 6))
    evening[1].tap(Button.DUDO)
    evening.revealed()
    evening.wait(2)
    evening[0].shake()
    assert evening[0].notice is TableReason.LOOK_FIRST
    evening[1].shake()
    assert evening.scene is SceneName.SHAKING
    assert evening[0].notice is None
