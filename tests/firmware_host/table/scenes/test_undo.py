"""The staff take the last action back: what that leads to, and when it is too late."""

import pytest
from support.table.harness import TableHarness, lay_out

from drivers.messages import Button
from engine import DUDO, KILL_SPOT, PALO_FIJO, PASS, PERUDO, Bid, RoundKind
from firmware_host.fairness.chain import next_head
from firmware_host.store.journal.records import decode_scene, encode_scene, scene_name
from firmware_host.table.events import ActionTaken, Revealed, RoundBegan, Undone, UndoneBy
from firmware_host.table.scenes.bidding import CALL_WINDOW_NS, Bidding
from firmware_host.table.scenes.called import Called
from firmware_host.table.scenes.choosing import Choosing
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat.view import SceneName, TableReason
from firmware_host.table.staff.actions import StaffAction, StaffAnswer, StaffCommand, StaffRefusal
from firmware_host.wire import ChoiceAwaited

HANDS = [(2, 2, 2), (5, 5, 5), (4, 4, 4)]


def bid(harness: TableHarness, *bids: Bid) -> TableHarness:
    for each in bids:
        harness.turn.pick(each)
        harness.wait(CALL_WINDOW_NS / 1e9)
    return harness


def open_round() -> TableHarness:
    return lay_out(PERUDO, HANDS)


def restarted(harness: TableHarness) -> TableHarness:
    """Return the same table after a restart, from what the journal keeps."""
    scene = harness.table.scene
    kept = decode_scene(scene_name(scene), encode_scene(scene))
    return TableHarness(kept.game.position.rules, len(harness.table._seats), scene=kept)  # type: ignore[union-attr]


def to_shake_a_chosen_round() -> TableHarness:
    harness = lay_out(KILL_SPOT, [(2, 2, 2), (5, 5), (4, 4, 4), ()], Bid(7, 6), by=1, fallen=(3,))
    harness[2].press(Button.DUDO)
    harness.told()
    harness.wait(1)
    for seat in range(3):
        harness[seat].tap()
    assert harness.scene is SceneName.CHOOSING
    harness[1].pick(RoundKind.BLIND)
    return harness


def undo_of(harness: TableHarness) -> StaffRefusal | None:
    """Have the staff take the last action back; return why the table refuses."""
    (answer,) = [effect for effect in harness.send(StaffAction(StaffCommand.UNDO)) if isinstance(effect, StaffAnswer)]
    return answer.refusal


def test_the_bid_before_stands_again_and_its_successor_is_in_turn() -> None:
    harness = bid(open_round(), Bid(2, 2), Bid(3, 2))
    undo_of(harness)
    assert (harness.position.standing, harness.position.bidder, harness.position.turn) == (Bid(2, 2), 0, 1)
    assert harness.events_of(Undone) == [Undone(1, Bid(3, 2), UndoneBy.STAFF, Bid(2, 2), 0)]


def test_the_first_bid_of_a_round_can_be_taken_back_too_and_then_nothing_more() -> None:
    harness = bid(open_round(), Bid(2, 2))
    undo_of(harness)
    assert harness.position.standing is None
    assert undo_of(harness) is not None


def test_twice_takes_back_two_actions() -> None:
    harness = bid(open_round(), Bid(2, 2), Bid(3, 2))
    undo_of(harness)
    undo_of(harness)
    assert harness.position.standing is None
    assert [event.action for event in harness.events_of(Undone)] == [Bid(3, 2), Bid(2, 2)]


def test_it_is_a_line_of_the_chain() -> None:
    harness = bid(open_round(), Bid(2, 2))
    head = harness.game.head
    undo_of(harness)
    assert harness.game.head == next_head(head, "undo")


def test_the_player_whose_action_was_taken_back_reads_it_and_the_others_what_stands() -> None:
    harness = bid(open_round(), Bid(2, 2))
    undo_of(harness)
    assert [hand.notice for hand in harness] == [TableReason.TAKEN_BACK, None, None]


def test_the_dice_under_the_cups_stay() -> None:
    harness = bid(open_round(), Bid(2, 2))
    undo_of(harness)
    assert harness.game.match.view(1).own == (5, 5, 5)


def test_a_pass_can_be_taken_back() -> None:
    harness = bid(lay_out(PALO_FIJO, HANDS), Bid(2, 2))
    harness[1].pick(PASS)
    undo_of(harness)
    assert (harness.position.passer, harness.position.turn) == (None, 1)


def test_a_call_can_be_taken_back_until_the_cups_go_up() -> None:
    harness = bid(open_round(), Bid(2, 2))
    harness[1].tap(Button.DUDO)
    harness.wait(1)
    assert isinstance(harness.table.scene, Called)
    undo_of(harness)
    assert isinstance(harness.table.scene, Bidding)
    assert (harness.position.standing, harness.position.turn) == (Bid(2, 2), 1)
    harness.wait(5)
    assert harness.events_of(Revealed) == []
    assert harness.events_of(Undone) == [Undone(1, DUDO, UndoneBy.STAFF, Bid(2, 2), 0)]


def test_the_bid_before_a_call_that_was_taken_back_can_be_taken_back_as_well() -> None:
    harness = bid(open_round(), Bid(2, 2))
    harness[1].tap(Button.DUDO)
    undo_of(harness)
    undo_of(harness)
    assert harness.position.standing is None


def test_nothing_is_taken_back_once_dice_were_shown() -> None:
    harness = bid(open_round(), Bid(2, 2))
    harness[1].tap(Button.DUDO)
    harness.wait(2)
    assert harness.scene is SceneName.REVEAL
    assert undo_of(harness) is not None
    harness.told()
    harness.wait(1)
    for hand in harness:
        hand.tap()
    assert harness.scene is SceneName.SHAKING
    assert undo_of(harness) is not None


def test_a_call_that_was_pressed_before_the_undo_counts_and_the_undo_does_not() -> None:
    harness = bid(lay_out(KILL_SPOT, HANDS), Bid(2, 2))
    harness[1].press(Button.DUDO)  # held for 30 ms, as somebody may have been faster
    assert undo_of(harness) is StaffRefusal.CALL
    harness.wait(0.03)
    assert isinstance(harness.table.scene, Called)
    assert harness.events_of(Undone) == []


def test_a_call_on_a_bid_that_was_taken_back_meanwhile_hits_nothing() -> None:
    harness = bid(open_round(), Bid(2, 2), Bid(3, 2))
    before_ns = harness.now_ns
    harness.wait(0.05)
    undo_of(harness)
    harness[2].press(Button.DUDO, at_ns=before_ns)
    assert harness.scene is SceneName.BIDDING
    assert harness[2].notice is TableReason.BID_CHANGED


def test_the_choice_of_a_round_can_be_taken_back_before_its_deal_is_sealed() -> None:
    harness = to_shake_a_chosen_round()
    assert isinstance(harness.table.scene, Shaking)
    harness[0].shake()
    undo_of(harness)
    assert isinstance(harness.table.scene, Choosing)
    assert harness.events_of(ChoiceAwaited)[-1] == harness.events_of(ChoiceAwaited)[0]
    assert harness.events_of(Undone) == [Undone(1, RoundKind.BLIND, UndoneBy.STAFF)]
    assert undo_of(harness) is not None


def test_the_deal_of_a_round_that_was_not_to_be_is_counted_and_never_opened() -> None:
    harness = to_shake_a_chosen_round()
    deals = harness.game.deals
    undo_of(harness)
    harness[1].pick(RoundKind.NORMAL)
    for hand in harness:
        hand.shake()
    assert harness.game.deals == deals + 2
    assert harness.events_of(RoundBegan)[-1].kind is RoundKind.NORMAL


def test_the_choice_stands_as_soon_as_the_dice_have_fallen() -> None:
    harness = to_shake_a_chosen_round()
    for hand in harness:
        hand.shake()
    assert harness.scene is SceneName.BIDDING
    assert undo_of(harness) is not None


@pytest.mark.parametrize("bids", [(Bid(2, 2),), (Bid(2, 2), Bid(3, 2))])
def test_a_table_that_was_restarted_takes_back_what_was_said_before(bids: tuple[Bid, ...]) -> None:
    harness = restarted(bid(open_round(), *bids))
    undo_of(harness)
    assert harness.position == bid(open_round(), *bids[:-1]).position


def test_a_call_and_a_choice_can_be_taken_back_after_a_restart_too() -> None:
    called = bid(open_round(), Bid(2, 2))
    called[1].tap(Button.DUDO)
    for harness in (restarted(called), restarted(to_shake_a_chosen_round())):
        assert undo_of(harness) is None
        assert harness.scene in (SceneName.BIDDING, SceneName.CHOOSING)


def test_a_round_that_an_older_version_began_has_nothing_to_take_back() -> None:
    harness = bid(lay_out(PERUDO, HANDS, Bid(2, 2)), Bid(3, 2))  # its journal kept no history
    assert undo_of(harness) is not None


def test_in_the_lobby_and_after_a_match_there_is_nothing_to_take_back() -> None:
    assert undo_of(TableHarness(PERUDO, 3)) is not None


def test_what_is_said_after_an_undo_is_an_action_like_any_other() -> None:
    harness = bid(open_round(), Bid(2, 2), Bid(3, 2))
    undo_of(harness)
    bid(harness, Bid(4, 2))
    assert [event.action for event in harness.events_of(ActionTaken)] == [Bid(2, 2), Bid(3, 2), Bid(4, 2)]
    assert harness.position.standing == Bid(4, 2)
