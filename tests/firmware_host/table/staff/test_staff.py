"""What staff do to a match: it stands still in a pause, ends without a winner, goes on without a seat."""

import io
import random
from contextlib import suppress
from dataclasses import replace

import pytest
from support.table.harness import SECOND, TableHarness, lay_out

from drivers.messages import Button, Device
from engine import DUDO, KILL_SPOT, PERUDO, Bid, Rules
from firmware_host.fairness.verify.checker import verify
from firmware_host.store.journal.records import decode_scene, encode_scene, scene_name
from firmware_host.store.scores.recorder import MatchRecorder
from firmware_host.table.effects import Record, SetPeek
from firmware_host.table.events import ActionTaken, BreakOffReason, LeaveReason, Undone, UndoneBy
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.seat.menu import Menu, MenuCommand
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.actions import StaffAction, StaffAnswer, StaffCommand, StaffRefusal
from firmware_host.wire import Away, Back, Left, MatchBrokenOff, MatchPaused, MatchResumed, SeatHandedOver, TimeUp

THREE = [(1, 3, 3, 5, 6), (2, 2, 4, 6), (4, 5)]
HOURS = 8 * 3600


def asks(harness: TableHarness, what: StaffCommand, seat: int | None = None) -> StaffRefusal | None:
    (answer,) = [each for each in harness.send(StaffAction(what, seat, 7)) if isinstance(each, StaffAnswer)]
    assert answer.number == 7
    return answer.refusal


def bidding(turn_clock_s: float | None = None) -> TableHarness:
    return lay_out(PERUDO, THREE, Bid(2, 3), turn_clock_s=turn_clock_s)


def paused(turn_clock_s: float | None = None) -> TableHarness:
    harness = bidding(turn_clock_s)
    assert asks(harness, StaffCommand.PAUSE) is None
    return harness


def test_no_press_counts_in_a_pause_and_every_one_does_after_it() -> None:
    harness = paused()
    game = harness.game
    for hand in harness:
        for button in Button:
            hand.tap(button)
        hand.shake()
    assert harness.game == game
    assert asks(harness, StaffCommand.RESUME) is None
    harness[1].tap()
    assert len(harness.events_of(ActionTaken)) == 1
    assert [type(event) for event in harness.events if isinstance(event, MatchPaused | MatchResumed)] == [
        MatchPaused,
        MatchResumed,
    ]


def test_a_press_that_began_in_a_pause_counts_for_nothing_after_it() -> None:
    harness = paused()
    harness[1].press()
    asks(harness, StaffCommand.RESUME)
    harness[1].release()
    harness[1].release(Button.DUDO)
    assert harness.events_of(ActionTaken) == []


def test_no_time_limit_runs_in_a_pause() -> None:
    harness = bidding(turn_clock_s=30)
    harness.wait(20)
    asks(harness, StaffCommand.PAUSE)
    harness.wait(HOURS)
    assert not [event for event in harness.events if isinstance(event, TimeUp | Away | MatchBrokenOff)]
    asks(harness, StaffCommand.RESUME)
    harness.wait(9)
    assert harness.events_of(TimeUp) == []
    harness.wait(1)
    assert harness.events_of(TimeUp) == [TimeUp(1)]


def test_a_player_is_away_after_the_time_without_the_pauses() -> None:
    harness = bidding()
    for _ in range(3):
        harness.wait(99)
        asks(harness, StaffCommand.PAUSE)
        harness.wait(HOURS)
        asks(harness, StaffCommand.RESUME)
    assert harness.events_of(Away) == []
    harness.wait(3)
    assert harness.events_of(Away) == [Away(1)]


def test_a_pause_hides_what_a_player_looks_at_first_of_all() -> None:
    harness = bidding()
    harness[0].tilt()
    assert harness[0].is_peeking
    effects = harness.send(StaffAction(StaffCommand.PAUSE))
    assert isinstance(effects[0], SetPeek)
    assert not effects[0].open
    harness[1].tilt()
    harness[2].hold(for_s=1)
    assert not any(hand.is_peeking for hand in harness)
    assert {(hand.menu, hand.show.look, hand.view.paused) for hand in harness} == {(Menu(), None, True)}


def test_a_cup_that_is_tilted_through_a_pause_shows_nothing_until_it_is_tilted_again() -> None:
    harness = bidding()
    harness[0].tilt()
    asks(harness, StaffCommand.PAUSE)
    asks(harness, StaffCommand.RESUME)
    assert not harness[0].is_peeking
    harness[0].level()
    harness[0].tilt()
    assert harness[0].is_peeking


def test_dice_that_are_shaken_in_a_pause_fall() -> None:
    harness = TableHarness(PERUDO, seats=3, programs=(1,)).joined()
    assert asks(harness, StaffCommand.PAUSE) is None
    while harness.scene is SceneName.SHAKING:
        for hand in harness:
            hand.shake()
    assert harness.table.scene.paused
    assert {hand.view.paused for hand in harness} == {True}
    asks(harness, StaffCommand.RESUME)
    assert harness.turn.menu.items


def test_a_restart_in_a_pause_stays_paused() -> None:
    harness = paused()
    kept = harness.table.scene
    again = decode_scene(scene_name(kept), encode_scene(kept))
    assert again == kept
    restarted = TableHarness(PERUDO, seats=3, scene=again, turn_clock_s=30)
    restarted.wait(HOURS)
    restarted[1].tap()
    assert restarted.game == harness.game
    assert asks(restarted, StaffCommand.RESUME) is None
    restarted[1].tap()
    assert restarted.game != harness.game


def test_a_record_of_an_earlier_version_is_not_paused() -> None:
    kept = bidding().table.scene
    earlier = encode_scene(kept).replace(b'"paused":false,', b"").replace(b',"paused":false', b"")
    assert b"paused" not in earlier
    assert decode_scene("bidding", earlier) == kept


def test_a_pause_is_on_disk_before_it_is_answered() -> None:
    effects = bidding().send(StaffAction(StaffCommand.PAUSE))
    kinds = [type(effect) for effect in effects]
    assert kinds.index(Record) < kinds.index(StaffAnswer) == len(kinds) - 1


def test_a_reveal_waits_for_the_end_of_a_pause() -> None:
    harness = bidding()
    harness[1].press(Button.DUDO)
    harness.told()
    assert asks(harness, StaffCommand.PAUSE) is None
    harness.wait(HOURS)
    harness[0].tap()
    harness[1].shake()
    assert harness.scene is SceneName.REVEAL
    asks(harness, StaffCommand.RESUME)
    harness.wait(31)
    assert harness.scene is not SceneName.REVEAL


@pytest.mark.parametrize("what", [StaffCommand.PAUSE, StaffCommand.END_MATCH, StaffCommand.REMOVE])
def test_staff_wait_while_a_call_is_read(what: StaffCommand) -> None:
    harness = lay_out(KILL_SPOT, [(1, 3), (2, 2), (4, 5)], Bid(2, 3))
    harness[2].press(Button.DUDO)
    if harness.scene is SceneName.BIDDING and harness.table.scene.deadline_ns is not None:
        assert asks(harness, what, 0) is StaffRefusal.CALL
        harness.wait(0.03)
    if harness.scene is not SceneName.CALLED:
        harness[1].press(Button.DUDO)
        harness.wait(0.03)
    assert harness.scene is SceneName.CALLED
    assert asks(harness, what, 0) is StaffRefusal.CALL
    harness.revealed()
    assert asks(harness, what, 0) is StaffRefusal.CALL
    assert len([event for event in harness.events if event in (ActionTaken(1, DUDO), ActionTaken(2, DUDO))]) == 1


def test_a_match_that_staff_end_has_no_winner_and_its_players_stay() -> None:
    harness = paused()
    assert asks(harness, StaffCommand.END_MATCH) is None
    assert harness.events[-1] == MatchBrokenOff("laid", BreakOffReason.STAFF)
    assert harness.scene is SceneName.LOBBY
    assert harness.lobby == Lobby(joined=(0, 1, 2))
    assert not harness.table.scene.paused
    assert {hand.menu.items for hand in harness} == {(MenuCommand.START, MenuCommand.LEAVE, MenuCommand.LANGUAGE)}


def test_a_seat_that_staff_take_out_leaves_a_void_round_which_stays_paused() -> None:
    harness = paused()
    assert asks(harness, StaffCommand.REMOVE, 1) is None
    assert harness.events_of(Left) == [Left(1, LeaveReason.STAFF)]
    assert harness.position.dice == (5, 0, 2)
    assert harness.table.scene.paused
    assert asks(harness, StaffCommand.REMOVE, 1) is StaffRefusal.NOT_PLAYING


def test_the_last_but_one_seat_that_is_taken_out_ends_match_and_pause() -> None:
    harness = paused()
    asks(harness, StaffCommand.REMOVE, 1)
    asks(harness, StaffCommand.REMOVE, 2)
    assert harness.scene is SceneName.OVER
    assert not harness.table.scene.paused


def test_a_seat_of_the_lobby_can_be_taken_out() -> None:
    harness = TableHarness(PERUDO, seats=3)
    harness[1].pick(MenuCommand.JOIN)
    assert asks(harness, StaffCommand.REMOVE, 1) is None
    assert asks(harness, StaffCommand.REMOVE, 1) is StaffRefusal.NOT_PLAYING
    assert harness.table.scene == Lobby()


@pytest.mark.parametrize("seat", [None, -1, 3, 99])
def test_a_seat_that_is_none_can_not_be_taken_out(seat: int | None) -> None:
    assert asks(bidding(), StaffCommand.REMOVE, seat) is StaffRefusal.NOT_PLAYING


def test_staff_take_the_last_action_back_at_once_and_also_in_a_pause() -> None:
    harness = lay_out(PERUDO, [(1, 3, 3), (2, 2, 4), (4, 5)])
    harness[0].tap()
    assert asks(harness, StaffCommand.PAUSE) is None
    assert asks(harness, StaffCommand.UNDO) is None
    assert [event.by for event in harness.events_of(Undone)] == [UndoneBy.STAFF]
    assert harness.position.standing is None
    assert asks(harness, StaffCommand.UNDO) is StaffRefusal.NOTHING_TO_UNDO
    assert asks(harness, StaffCommand.RESUME) is None
    assert harness.position.turn == 0


def test_without_a_match_there_is_nothing_to_pause_or_end() -> None:
    harness = TableHarness(PERUDO, seats=2)
    for what in (StaffCommand.PAUSE, StaffCommand.RESUME, StaffCommand.END_MATCH):
        assert asks(harness, what) is StaffRefusal.NO_MATCH


def test_the_same_twice_is_refused() -> None:
    harness = bidding()
    assert asks(harness, StaffCommand.RESUME) is StaffRefusal.NOT_PAUSED
    asks(harness, StaffCommand.PAUSE)
    assert asks(harness, StaffCommand.PAUSE) is StaffRefusal.ALREADY_PAUSED


def test_devices_come_and_go_in_a_pause() -> None:
    harness = paused()
    harness[1].lose(Device.BUTTONS)
    harness[1].find(Device.BUTTONS)
    assert harness.table.scene.paused
    assert replace(harness.table.scene, paused=False) == bidding().table.scene
    assert harness.table.deadline_ns is None or harness.table.deadline_ns > harness.now_ns + SECOND


def test_a_seat_that_is_handed_over_keeps_its_dice_and_hides_them_until_its_cup_is_lifted_again() -> None:
    harness = bidding()
    harness[1].tilt()
    assert harness[1].peeked is not None
    assert asks(harness, StaffCommand.HAND_OVER, 1) is None
    assert harness[1].peeked is None
    assert harness.events[-1] == SeatHandedOver(1)
    harness[1].level()
    harness[1].tilt()
    assert harness[1].peeked is not None
    assert (harness.game.fallen, harness.game.left) == ((), ())


@pytest.mark.parametrize("what", [StaffCommand.HAND_OVER, StaffCommand.PAUSE])
def test_a_tilt_that_is_reported_twice_does_not_show_dice_that_were_hidden(what: StaffCommand) -> None:
    harness = bidding()
    harness[1].tilt()
    assert asks(harness, what, 1) is None
    asks(harness, StaffCommand.RESUME)
    harness[1].tilt()
    assert harness[1].peeked is None
    harness[1].level()
    harness[1].tilt()
    assert harness[1].peeked is not None


def test_a_hand_over_changes_nothing_but_the_chain() -> None:
    harness = bidding()
    before = harness.game
    assert asks(harness, StaffCommand.HAND_OVER, 2) is None
    assert harness.game.head == before.chain("2:handover").head
    assert replace(harness.game, head=before.head) == before


def test_a_player_who_is_away_and_hands_over_is_not_put_out() -> None:
    harness = bidding()
    seat = harness.table.scene.waiting_for()[0]
    harness.wait(301)
    harness[(seat + 1) % 3].press(Button.LEFT)
    assert asks(harness, StaffCommand.HAND_OVER, seat) is None
    assert harness.events_of(Back) == [Back(seat)]
    harness.wait(299)
    assert harness.events_of(Left) == []


def test_a_call_that_is_read_and_a_seat_that_does_not_play_can_not_be_handed_over() -> None:
    assert asks(TableHarness(PERUDO, 3).joined(0, 1), StaffCommand.HAND_OVER, 2) is StaffRefusal.NOT_PLAYING
    assert asks(TableHarness(PERUDO, 3), StaffCommand.HAND_OVER, 0) is StaffRefusal.NO_MATCH
    harness = bidding()
    harness[1].tap(Button.DUDO)
    assert asks(harness, StaffCommand.HAND_OVER, 0) is StaffRefusal.CALL


@pytest.mark.slow
def test_a_match_of_many_hand_overs_comes_to_its_end() -> None:
    harness = TableHarness(KILL_SPOT, 4, programs=(0, 2)).joined()
    rng, done = random.Random(7), 0
    while harness.scene is not SceneName.OVER and done < 3000:
        waiting = [hand for hand in harness if hand.awaited]
        if waiting:
            with suppress(ValueError):
                rng.choice(waiting).does_something(rng)
        if rng.random() < 0.2:
            asks(harness, StaffCommand.HAND_OVER, rng.randrange(4))
        harness.wait(0.5)
        done += 1
    assert harness.scene is SceneName.OVER
    file = io.StringIO()
    recorder = MatchRecorder(KILL_SPOT, [seat.name for seat in harness.seat_infos], lambda: "2026-11-21", file)
    for event in harness.events:
        recorder.record(event)
    recorder.close()
    (verdict,) = verify(file.getvalue())
    assert (verdict.wrong, verdict.closed) == (None, True)
    assert verdict.handed_over == len(harness.events_of(SeatHandedOver)) > 3


# What comes at the same moment as an undo or a hand-over


@pytest.mark.parametrize("rules", [PERUDO, KILL_SPOT], ids=str)
@pytest.mark.parametrize("what", [StaffCommand.UNDO, StaffCommand.HAND_OVER])
@pytest.mark.parametrize("staff_first", [True, False])
@pytest.mark.parametrize("pressed_ms_ago", [0, 1, 29, 31])
@pytest.mark.parametrize("apart_ms", [0, 1, 29, 30, 31])
def test_a_call_and_an_undo_or_a_hand_over_of_the_same_moment_happen_one_after_the_other_or_one_is_refused(
    rules: Rules, what: StaffCommand, staff_first: bool, pressed_ms_ago: int, apart_ms: int
) -> None:
    harness = lay_out(rules, [(2, 2, 2), (5, 5, 5), (4, 4, 4)])
    harness[0].tap()
    harness.wait(0.1)  # all have read the bid before anybody presses
    before, bid = len(harness.events), harness.position.standing
    assert bid is not None
    refusal: StaffRefusal | None = None
    for is_staff in (staff_first, not staff_first):
        if is_staff:
            refusal = asks(harness, what, 1)
        else:
            harness[1].press(Button.DUDO, at_ns=harness.now_ns - pressed_ms_ago * SECOND // 1000)
        harness.wait(apart_ms / 1000)
    harness.wait(0.1)
    came = [event for event in harness.events[before:] if isinstance(event, ActionTaken | Undone | SeatHandedOver)]
    called, called_back = ActionTaken(1, DUDO), Undone(1, DUDO, UndoneBy.STAFF, bid, 0)
    if refusal is not None:
        assert (refusal, came) == (StaffRefusal.CALL, [called])
    elif what is StaffCommand.HAND_OVER:
        assert came == [SeatHandedOver(1), called]
    else:  # first the bid is taken back, and there is nothing to call, or the call itself
        assert came == ([Undone(0, bid, UndoneBy.STAFF)] if staff_first else [called, called_back])
