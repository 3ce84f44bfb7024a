"""All cups are up, and then: the next round, or the end of the match and the next one."""

import pytest
from support.table.harness import TableHarness, lay_out

from drivers.messages import Button, Device
from engine import KILL_SPOT, OBLIGING, PERUDO, PYRUDO, Bid, Hand, Reason
from firmware_host.store.journal import records
from firmware_host.table.effects import Announce, Record, Show
from firmware_host.table.events import ActionTaken, Revealed, RoundBegan
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.reveal import Reveal
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName, TableReason
from firmware_host.wire import CupSettled, Joined, MatchWon


def revealed() -> TableHarness:
    harness = lay_out(PYRUDO, [(2, 2, 2), (5, 5, 5), (4, 4, 4)], Bid(7, 6))
    harness[1].press(Button.DUDO)
    return harness.revealed()


def test_everybody_sees_all_dice_the_count_and_what_it_cost() -> None:
    harness = revealed()
    (event,) = harness.events_of(Revealed)
    assert event.showdown.hands == (Hand((2, 2, 2)), Hand((5, 5, 5)), Hand((4, 4, 4)))
    assert (event.showdown.matching, event.dice) == (0, (2, 3, 3))
    assert all(hand.view.position and hand.view.position.showdown == event.showdown for hand in harness)


def test_the_call_is_told_before_what_came_of_it_and_each_after_its_record() -> None:
    harness = lay_out(PYRUDO, [(2, 2), (5, 5)], Bid(7, 6))
    effects = [*harness[1].press(Button.DUDO), *harness.after(harness.revealed)]
    kinds = [type(effect.event) if isinstance(effect, Announce) else type(effect) for effect in effects]
    assert [kind for kind in kinds if kind in (Record, ActionTaken, Revealed)] == [
        Record,
        ActionTaken,
        Record,
        Revealed,
    ]


def test_it_ends_when_all_who_live_have_pressed_ok() -> None:
    harness = revealed().told()
    harness.wait(1)
    harness[0].tap()
    harness[1].tap()
    assert harness[2].view.waiting_for == (2,)
    assert harness.scene is SceneName.REVEAL
    harness[2].tap()
    assert harness.scene is SceneName.SHAKING


def test_one_seats_ok_counts_once() -> None:
    harness = revealed()
    for _ in range(5):
        harness[0].tap()
    assert harness.scene is SceneName.REVEAL
    assert harness[0].menu.items == ()


def test_a_shake_in_the_first_moments_is_refused() -> None:
    harness = revealed()
    harness.wait(2)
    harness[0].shake()  # ends at 2.5 s, but began before
    assert harness.scene is SceneName.REVEAL
    assert harness[0].notice is TableReason.LOOK_FIRST


def test_a_shake_after_two_and_a_half_seconds_goes_on_and_counts() -> None:
    harness = revealed()
    harness.wait(2.5)
    harness[0].shake()
    assert harness.scene is SceneName.SHAKING
    assert harness.events_of(CupSettled) == [CupSettled(0)]


def test_thirty_seconds_after_the_last_cue_it_goes_on_by_itself() -> None:
    harness = revealed().told()
    harness.wait(29.9)
    assert harness.scene is SceneName.REVEAL
    harness.wait(0.1)
    assert harness.scene is SceneName.SHAKING


def test_dudo_in_a_reveal_does_nothing_and_is_no_fault() -> None:
    harness = revealed()
    for _ in range(2):
        harness[2].tap(Button.DUDO)
        assert harness.scene is SceneName.REVEAL
        assert harness[2].notice is None
        harness[2].tap()


def test_a_second_ok_in_a_reveal_is_no_fault() -> None:
    harness = revealed()
    harness[2].tap()
    harness[2].tap()
    assert harness[2].notice is None


def test_who_has_just_gone_out_is_not_waited_for_and_can_not_hurry_the_others() -> None:
    harness = lay_out(PYRUDO, [(2,), (5, 5), (4, 4)], Bid(7, 6))
    harness[1].press(Button.DUDO)
    harness.revealed()
    assert harness[0].view.waiting_for == (1, 2)
    harness.wait(3)
    harness[0].tap()
    harness[0].shake()
    assert harness.scene is SceneName.REVEAL
    assert harness[0].notice is Reason.OUT


def test_the_next_round_begins_with_who_lost() -> None:
    harness = revealed().told()
    harness.wait(30)
    assert harness.events_of(RoundBegan)[-1].first == 0
    assert dict(harness.events_of(RoundBegan)[-1].dice) == {0: 2, 1: 3, 2: 3}


def test_a_round_that_cost_nobody_a_die_is_told_and_played_again() -> None:
    harness = lay_out(OBLIGING, [(2, 2), (2, 5)], Bid(3, 2), dudo_button=False)
    harness[1].point_at(next(item for item in harness[1].menu.items if str(item) == "calza"))
    harness[1].tap()
    harness.revealed()
    assert harness.events_of(Revealed)[0].dice == (2, 2)


def test_a_table_that_comes_up_in_a_reveal_gives_everybody_time_to_look() -> None:
    harness = TableHarness(PYRUDO, 3, scene=revealed().table.scene)
    harness.wait(2)
    harness[0].shake()
    assert harness[0].notice is TableReason.LOOK_FIRST
    harness.told()
    harness.wait(30)
    assert harness.scene is SceneName.SHAKING


# The cues


def cues_ms(harness: TableHarness, of_s: float, seat: int = 0) -> list[int | None]:
    """Return the moments of the cues at a display, each once, while some time goes by."""
    before = len(harness.effects)
    harness.wait(of_s)
    shown = [effect for effect in harness.effects[before:] if isinstance(effect, Show) and effect.seat == seat]
    return [show.view.cue_ms for show in shown]


def test_the_displays_go_through_every_cue_and_frame_and_rest_when_all_is_told() -> None:
    harness = revealed()
    assert isinstance(harness.table.scene, Reveal)
    moments = harness.table.scene.moments_ms
    assert harness[0].view.cue_ms == moments[0] == 0
    assert cues_ms(harness, 12) == [*moments[1:], None]
    assert cues_ms(harness, 10) == []


def test_all_displays_change_together_and_nothing_is_recorded_or_published_for_it() -> None:
    harness = revealed()
    effects = harness.after(lambda: harness.wait(12))
    assert {type(effect) for effect in effects} == {Show}
    assert len({hand.view.cue_ms for hand in harness}) == 1
    assert len(effects) % 3 == 0


def test_an_ok_skips_the_cues_everywhere_and_counts() -> None:
    harness = revealed()
    harness.wait(1)
    harness[1].tap()
    assert [hand.view.cue_ms for hand in harness] == [None] * 3
    assert harness[0].view.waiting_for == (0, 2)
    assert cues_ms(harness, 12) == []


def test_all_who_skip_at_once_still_see_the_outcome_for_seven_tenths_of_a_second() -> None:
    harness = revealed()
    harness.wait(0.5)
    for hand in harness:
        hand.press()
    harness.wait(0.1)
    for hand in harness:
        hand.release()
    assert harness[0].view.waiting_for == ()
    assert harness[0].view.cue_ms is None
    harness.wait(0.699)
    assert harness.scene is SceneName.REVEAL
    harness.wait(0.001)
    assert harness.scene is SceneName.SHAKING


def test_presses_for_an_action_are_those_of_a_reveal_without_cues() -> None:
    harness = revealed()
    harness.wait(1)
    for hand in harness:
        hand.tap()
        harness.wait(1)
    assert harness.scene is SceneName.SHAKING


def test_hands_are_paged_through_while_the_cues_go_on() -> None:
    harness = revealed()
    harness.wait(0.3)
    harness[2].tap(Button.RIGHT)
    assert harness[2].view.page == 1
    assert cues_ms(harness, 12, seat=2)[-1] is None
    assert [hand.view.page for hand in harness] == [0, 0, 1]


def test_a_dudo_during_the_cues_skips_nothing() -> None:
    harness = revealed()
    harness.wait(1)
    harness[0].tap(Button.DUDO)
    assert harness[0].view.cue_ms is not None


def test_whoever_is_out_skips_nothing() -> None:
    harness = lay_out(PYRUDO, [(2, 2), (5, 5), ()], Bid(7, 6), fallen=(2,))
    harness[1].tap(Button.DUDO)
    harness.revealed()
    harness[2].tap()
    assert harness[2].notice is Reason.OUT
    assert harness[2].view.cue_ms is not None


def test_a_late_tick_leaves_cues_out() -> None:
    harness = revealed()
    since_ns = harness.now_ns
    harness.now_ns += 2_000_000_000
    harness.wait(0)
    assert isinstance(harness.table.scene, Reveal)
    assert harness[0].view.cue_ms == max(at_ms for at_ms in harness.table.scene.moments_ms if at_ms <= 2000)
    harness.told()
    assert harness[0].view.cue_ms is None
    assert harness.now_ns < since_ns + 12_000_000_000


def back(harness: TableHarness) -> TableHarness:
    """Return the table after a restart, from its last record."""
    scene = harness.records[-1]
    restored = records.decode_scene(scene.name, records.encode_scene(scene))
    return TableHarness(PYRUDO, 3, scene=restored)


def test_a_restart_in_the_middle_begins_the_cues_again() -> None:
    harness = revealed()
    harness.wait(2)
    again = back(harness)
    assert again[0].view.cue_ms == 0
    assert cues_ms(again, 12)[-1] is None


def test_a_restart_after_an_ok_shows_the_outcome_at_once() -> None:
    harness = revealed()
    harness.wait(1)
    harness[1].tap()
    again = back(harness)
    assert again[0].view.cue_ms is None
    assert again[0].view.waiting_for == (0, 2)
    again.wait(29.9)
    assert again.scene is SceneName.REVEAL
    again.wait(0.1)
    assert again.scene is SceneName.SHAKING


def test_a_restart_after_the_last_ok_goes_on() -> None:
    harness = revealed()
    for hand in harness:
        hand.press()
    for hand in harness:
        hand.release()
    again = back(harness)
    assert (again.scene, again[0].view.waiting_for) == (SceneName.REVEAL, ())
    again.wait(0.7)
    assert again.scene is SceneName.SHAKING


# The end


def over(seats: int = 2) -> TableHarness:
    hands = [(2,), (5, 5), *[()] * (seats - 2)]
    harness = lay_out(PERUDO, hands, Bid(7, 6), fallen=tuple(range(seats - 1, 1, -1)))
    harness[1].tap(Button.DUDO)
    harness.told()
    harness.wait(1)
    harness[1].tap()
    assert harness.scene is SceneName.OVER
    return harness


def test_the_last_reveal_is_seen_before_the_winner() -> None:
    harness = lay_out(PERUDO, [(2,), (5, 5)], Bid(7, 6))
    harness[1].press(Button.DUDO)
    harness.revealed()
    assert harness.scene is SceneName.REVEAL
    assert harness.events_of(MatchWon) == []


def test_the_standing_goes_from_the_winner_to_who_was_out_first() -> None:
    assert over(4).events_of(MatchWon) == [MatchWon(1, (1, 0, 2, 3))]


def test_again_leads_to_the_lobby_with_the_same_players() -> None:
    harness = over(4)
    harness[3].pick(MenuCommand.AGAIN)
    assert harness.lobby == Lobby(joined=(0, 1, 2, 3))
    assert harness[0].menu.items == (MenuCommand.START, MenuCommand.LEAVE, MenuCommand.LANGUAGE)


def test_who_did_not_play_joins_the_next_match_as_soon_as_this_one_is_over() -> None:
    harness = TableHarness(KILL_SPOT, 3).joined(0, 1).until_over(TableHarness().rng)
    harness[2].tap()
    assert harness.lobby == Lobby(joined=(0, 1, 2))
    assert harness.events_of(Joined)[-1] == Joined(2)


def test_dudo_and_a_shake_after_the_end_do_nothing() -> None:
    harness = over()
    harness[1].tap(Button.DUDO)
    assert harness[1].notice is Reason.MATCH_OVER
    harness[1].shake()
    harness[0].shake()
    assert harness.scene is SceneName.OVER


def test_after_ten_minutes_the_table_is_free() -> None:
    harness = over()
    harness.wait(600)
    assert harness.lobby == Lobby()


@pytest.mark.parametrize("device", list(Device))
def test_a_lost_device_ends_no_match(device: Device) -> None:
    harness = over()
    harness[0].lose(device)
    assert harness.scene is SceneName.OVER
