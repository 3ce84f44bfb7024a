"""A match that has ended by mistake goes on: which of its ends do not stand, with which dice, and until when."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from support.table.harness import TableHarness, lay_out

from drivers.messages import Button
from engine import PERUDO, Bid, Phase
from firmware_host.store.journal.records import decode_scene, encode_scene, scene_name
from firmware_host.table.events import RoundBegan
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.over import MatchOver
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.actions import StaffAction, StaffAnswer, StaffCommand, StaffRefusal
from firmware_host.wire import ChainEntryAdded, MatchBrokenOff, MatchReopened, MatchWon

THREE = [(1, 3, 3, 5, 6), (2, 2, 4, 6), (4, 5)]
LAST = [(5,), (3, 3)]
"""Dice of two players; dudo after `Bid(1, 4)` is right, and the bidder is out."""


def asks(harness: TableHarness, what: StaffCommand, seat: int | None = None) -> StaffRefusal | None:
    (answer,) = [each for each in harness.send(StaffAction(what, seat, 7)) if isinstance(each, StaffAnswer)]
    return answer.refusal


def won_by_call() -> TableHarness:
    harness = lay_out(PERUDO, LAST, Bid(1, 4))
    harness[1].tap(Button.DUDO)
    harness.wait(60)
    assert isinstance(harness.table.scene, MatchOver)
    return harness


def won_by_departure() -> TableHarness:
    harness = lay_out(PERUDO, LAST, Bid(1, 3))
    assert asks(harness, StaffCommand.REMOVE, 0) is None
    assert isinstance(harness.table.scene, MatchOver)
    return harness


def ended_by_staff() -> TableHarness:
    harness = lay_out(PERUDO, THREE, Bid(2, 3))
    assert asks(harness, StaffCommand.END_MATCH) is None
    assert isinstance(harness.table.scene, Lobby)
    return harness


ENDS = pytest.mark.parametrize("ended", [won_by_call, won_by_departure, ended_by_staff])


@ENDS
def test_all_who_held_dice_in_the_last_round_shake_again(ended: Callable[[], TableHarness]) -> None:
    harness = ended()
    number = len(harness.events_of(RoundBegan))
    assert asks(harness, StaffCommand.REOPEN) is None
    game = harness.game
    assert isinstance(harness.table.scene, Shaking)
    held = tuple(map(len, THREE if ended is ended_by_staff else LAST))
    assert (game.position.dice, game.fallen, game.left) == (held, (), ())
    assert game.position.rolling == tuple(range(len(held)))
    assert harness.events_of(MatchReopened) == [MatchReopened("laid", "perudo", tuple(range(len(held))), held)]
    assert len(harness.events_of(RoundBegan)) == number + 1


@ENDS
def test_a_reopened_match_has_a_new_deal_and_keeps_its_chain(ended: Callable[[], TableHarness]) -> None:
    harness = ended()
    before = harness.table.scene.ended
    assert before is not None
    asks(harness, StaffCommand.REOPEN)
    lines = [event.line for event in harness.events_of(ChainEntryAdded)]
    assert lines[-1].startswith(f"deal {before.deals + 1} ")
    assert harness.game.deals == before.deals
    assert harness.game.to_open == ()
    assert harness.game.head != before.head


@ENDS
def test_no_die_of_the_end_is_kept(ended: Callable[[], TableHarness]) -> None:
    harness = ended()
    asks(harness, StaffCommand.REOPEN)
    for hand in harness:
        assert harness.table.scene.look(hand.seat) is None
    assert b'"_hands":[[' not in encode_scene(harness.table.scene)


def test_a_match_goes_on_from_the_lobby_too_and_after_players_have_joined_the_next() -> None:
    harness = won_by_call()
    harness[1].tap()
    assert harness.scene is SceneName.LOBBY
    assert asks(harness, StaffCommand.REOPEN) is None
    assert harness.game.position.dice == (1, 2)


def test_an_end_can_be_reopened_again_and_again() -> None:
    harness = ended_by_staff()
    for _ in range(3):
        assert asks(harness, StaffCommand.REOPEN) is None
        assert asks(harness, StaffCommand.END_MATCH) is None
    assert len(harness.events_of(MatchBrokenOff)) == 4


def test_a_countdown_to_the_next_match_ends_when_the_last_one_goes_on() -> None:
    harness = ended_by_staff()
    harness[0].tap()
    assert harness.table.scene.is_starting  # type: ignore[attr-defined]
    assert asks(harness, StaffCommand.REOPEN) is None
    harness.wait(6)
    assert harness.game.id == "laid"


def test_a_match_can_not_be_reopened_once_the_next_has_begun() -> None:
    harness = ended_by_staff()
    harness[0].tap()
    harness.wait(6)
    assert harness.game.id != "laid"
    assert asks(harness, StaffCommand.REOPEN) is StaffRefusal.NOTHING_TO_REOPEN
    assert asks(harness, StaffCommand.END_MATCH) is None
    assert harness.table.scene.ended is not None
    assert harness.table.scene.ended.id != "laid"


def test_a_running_match_and_an_empty_table_can_not_be_reopened() -> None:
    for harness in (lay_out(PERUDO, THREE, Bid(2, 3)), TableHarness(PERUDO)):
        assert asks(harness, StaffCommand.REOPEN) is StaffRefusal.NOTHING_TO_REOPEN


@ENDS
def test_the_journal_keeps_what_can_be_reopened(ended: Callable[[], TableHarness]) -> None:
    scene = ended().table.scene
    again = decode_scene(scene_name(scene), encode_scene(scene))
    assert again == scene
    assert again.ended == scene.ended is not None


@ENDS
def test_a_match_goes_on_after_a_restart_at_its_end(ended: Callable[[], TableHarness]) -> None:
    scene = ended().table.scene
    again = decode_scene(scene_name(scene), encode_scene(scene))
    harness = TableHarness(PERUDO, 3, scene=again)
    assert asks(harness, StaffCommand.REOPEN) is None
    harness.until_over(harness.rng)
    assert len(harness.events_of(MatchWon)) == 1 + (ended is won_by_call or ended is won_by_departure)


def test_an_end_of_an_earlier_version_has_nothing_to_reopen() -> None:
    scene = won_by_call().table.scene
    assert scene.game is not None
    old: Scene = replace(scene, game=replace(scene.game, before_end=None))
    assert old.ended is None


def test_a_match_is_won_again_after_it_was_reopened() -> None:
    harness = won_by_departure()
    asks(harness, StaffCommand.REOPEN)
    assert asks(harness, StaffCommand.REMOVE, 1) is None
    assert [event.seat for event in harness.events_of(MatchWon)] == [1, 0]
    assert harness.game.position.phase is Phase.OVER
