"""A refusal goes from the display when what it says is true no more, however long it would have stayed."""

from support.table.harness import TableHarness, lay_out

from drivers.messages import Button
from engine import KILL_SPOT, PYRUDO, Bid, Reason
from firmware_host.table.scenes.revealing_entropy import RevealingEntropy
from firmware_host.table.seat.view import SceneName, TableReason

THREE = [(2, 2, 2), (5, 5, 5), (4, 4, 4)]


def test_not_your_turn_goes_when_it_becomes_the_turn() -> None:
    harness = lay_out(PYRUDO, THREE, Bid(2, 3))
    harness[2].tap(Button.DUDO)
    assert harness[2].notice is Reason.NOT_IN_TURN
    harness[1].tap()
    assert harness[2].awaited
    assert harness[2].notice is None


def test_that_there_is_no_bid_goes_with_the_first_bid() -> None:
    harness = lay_out(PYRUDO, THREE)
    harness[0].tap(Button.DUDO)
    harness[2].tap(Button.DUDO)
    assert harness[2].notice is not None
    harness[0].tap()
    assert harness[2].notice is None


def test_that_the_cups_are_to_be_shaken_goes_when_they_have_been() -> None:
    harness = TableHarness().joined()
    harness[0].shake()
    harness[1].tap()
    assert harness[1].notice is Reason.NOT_ROLLED
    harness[1].shake()
    assert harness.scene is SceneName.BIDDING
    assert harness[1].notice is None


def test_it_goes_when_the_own_cup_is_down_and_others_still_shake() -> None:
    harness = TableHarness(seats=3).joined()
    harness[1].tap()
    assert harness[1].notice is Reason.NOT_ROLLED
    harness[1].shake()
    assert harness.scene is SceneName.SHAKING
    assert harness[1].notice is None


def test_that_others_still_shake_goes_when_all_have_shaken() -> None:
    harness = TableHarness(seats=3, programs=range(3)).joined()
    harness[0].shake()
    harness[0].tap()
    assert harness[0].notice is TableReason.OTHERS_SHAKE
    harness[2].shake()
    assert harness[0].notice is TableReason.OTHERS_SHAKE
    harness[0].cup.keeps_silent = True
    harness[1].shake()
    assert isinstance(harness.table.scene, RevealingEntropy)
    assert harness[0].notice is None


def test_another_cup_that_is_down_takes_no_notice_away() -> None:
    harness = TableHarness(seats=3).joined()
    harness[1].tap()
    harness[2].shake()
    assert harness[1].notice is Reason.NOT_ROLLED


def test_a_call_takes_away_what_was_told_before_it() -> None:
    harness = lay_out(PYRUDO, THREE, Bid(2, 3))
    harness[2].tap(Button.DUDO)
    harness[1].tap(Button.DUDO)
    assert harness.scene is SceneName.CALLED
    assert harness[2].notice is None


def test_a_call_that_lost_a_race_is_told_so_for_three_seconds_through_the_reveal() -> None:
    harness = lay_out(KILL_SPOT, THREE, Bid(7, 6))
    harness[1].press(Button.DUDO)
    harness.wait(0.01)
    harness[2].press(Button.DUDO)
    harness.wait(0.02)
    assert harness[2].notice is TableReason.BID_CHANGED
    harness.wait(2.9)
    assert harness.scene is SceneName.REVEAL
    assert harness[2].notice is TableReason.BID_CHANGED
    harness.wait(0.1)
    assert harness[2].notice is None


def test_what_was_told_in_a_reveal_goes_with_it() -> None:
    harness = lay_out(PYRUDO, THREE, Bid(7, 6))
    harness[1].tap(Button.DUDO)
    harness.revealed()
    harness.wait(2)
    harness[0].shake()
    assert harness[0].notice is TableReason.LOOK_FIRST
    harness[1].shake()
    assert harness.scene is SceneName.SHAKING
    assert harness[0].notice is None
