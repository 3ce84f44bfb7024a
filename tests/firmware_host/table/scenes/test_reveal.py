"""All cups are up, and then: the next round, or the end of the match and the next one."""

import pytest
from support.table.harness import Evening, laid

from drivers.messages import Button, Device
from engine import KILL_SPOT, OBLIGING, PERUDO, PYRUDO, Bid, Hand, Reason
from firmware_host.table.effects import Announce, Record
from firmware_host.table.events import ActionTaken, CupSettled, Joined, MatchWon, Revealed, RoundBegan
from firmware_host.table.menu import MenuCommand
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.seat_view import SceneName, TableReason


def revealed() -> Evening:
    evening = laid(PYRUDO, [(2, 2, 2), (5, 5, 5), (4, 4, 4)], Bid(7, 6))
    evening[1].press(Button.DUDO)
    return evening.revealed()


def test_everybody_sees_all_dice_the_count_and_what_it_cost() -> None:
    evening = revealed()
    (told,) = evening.told(Revealed)
    assert told.showdown.hands == (Hand((2, 2, 2)), Hand((5, 5, 5)), Hand((4, 4, 4)))
    assert (told.showdown.matching, told.dice) == (0, (2, 3, 3))
    assert all(hand.view.position and hand.view.position.showdown == told.showdown for hand in evening)


def test_the_call_is_told_before_what_came_of_it_and_each_after_its_record() -> None:
    evening = laid(PYRUDO, [(2, 2), (5, 5)], Bid(7, 6))
    effects = [*evening[1].press(Button.DUDO), *evening.after(evening.revealed)]
    kinds = [type(effect.event) if isinstance(effect, Announce) else type(effect) for effect in effects]
    assert [kind for kind in kinds if kind in (Record, ActionTaken, Revealed)] == [
        Record,
        ActionTaken,
        Record,
        Revealed,
    ]


def test_it_ends_when_all_who_live_have_pressed_ok() -> None:
    evening = revealed()
    evening[0].tap()
    evening[1].tap()
    assert evening[2].view.waiting_for == (2,)
    assert evening.scene is SceneName.REVEAL
    evening[2].tap()
    assert evening.scene is SceneName.SHAKING


def test_one_seats_ok_counts_once() -> None:
    evening = revealed()
    for _ in range(5):
        evening[0].tap()
    assert evening.scene is SceneName.REVEAL
    assert evening[0].menu.items == ()


def test_a_shake_in_the_first_moments_is_refused() -> None:
    evening = revealed()
    evening.wait(2)
    evening[0].shake()  # ends at 2.5 s, but began before
    assert evening.scene is SceneName.REVEAL
    assert evening[0].notice is TableReason.LOOK_FIRST


def test_a_shake_after_two_and_a_half_seconds_goes_on_and_counts() -> None:
    evening = revealed()
    evening.wait(2.5)
    evening[0].shake()
    assert evening.scene is SceneName.SHAKING
    assert evening.told(CupSettled) == [CupSettled(0)]


def test_after_thirty_seconds_it_goes_on_by_itself() -> None:
    evening = revealed()
    evening.wait(29.9)
    assert evening.scene is SceneName.REVEAL
    evening.wait(0.1)
    assert evening.scene is SceneName.SHAKING


def test_dudo_in_a_reveal_does_nothing_and_is_no_fault() -> None:
    evening = revealed()
    for _ in range(2):
        evening[2].tap(Button.DUDO)
        assert evening.scene is SceneName.REVEAL
        assert evening[2].notice is None
        evening[2].tap()


def test_a_second_ok_in_a_reveal_is_no_fault() -> None:
    evening = revealed()
    evening[2].tap()
    evening[2].tap()
    assert evening[2].notice is None


def test_who_has_just_gone_out_is_not_waited_for_and_can_not_hurry_the_others() -> None:
    evening = laid(PYRUDO, [(2,), (5, 5), (4, 4)], Bid(7, 6))
    evening[1].press(Button.DUDO)
    evening.revealed()
    assert evening[0].view.waiting_for == (1, 2)
    evening.wait(3)
    evening[0].tap()
    evening[0].shake()
    assert evening.scene is SceneName.REVEAL
    assert evening[0].notice is Reason.OUT


def test_the_next_round_begins_with_who_lost() -> None:
    evening = revealed()
    evening.wait(30)
    assert evening.told(RoundBegan)[-1].first == 0
    assert dict(evening.told(RoundBegan)[-1].dice) == {0: 2, 1: 3, 2: 3}


def test_a_round_that_cost_nobody_a_die_is_told_and_played_again() -> None:
    evening = laid(OBLIGING, [(2, 2), (2, 5)], Bid(3, 2), dudo_button=False)
    evening[1].point_at(next(item for item in evening[1].menu.items if str(item) == "calza"))
    evening[1].tap()
    evening.revealed()
    assert evening.told(Revealed)[0].dice == (2, 2)


def test_a_table_that_comes_up_in_a_reveal_gives_everybody_time_to_look() -> None:
    evening = Evening(PYRUDO, 3, scene=revealed().table.scene)
    evening.wait(2)
    evening[0].shake()
    assert evening[0].notice is TableReason.LOOK_FIRST
    evening.wait(28)
    assert evening.scene is SceneName.SHAKING


# The end


def over(seats: int = 2) -> Evening:
    hands = [(2,), (5, 5), *[()] * (seats - 2)]
    evening = laid(PERUDO, hands, Bid(7, 6), fallen=tuple(range(seats - 1, 1, -1)))
    evening[1].tap(Button.DUDO)
    evening.revealed()
    evening.wait(3)
    evening[1].tap()
    assert evening.scene is SceneName.OVER
    return evening


def test_the_last_reveal_is_seen_before_the_winner() -> None:
    evening = laid(PERUDO, [(2,), (5, 5)], Bid(7, 6))
    evening[1].press(Button.DUDO)
    evening.revealed()
    assert evening.scene is SceneName.REVEAL
    assert evening.told(MatchWon) == []


def test_the_standing_goes_from_the_winner_to_who_was_out_first() -> None:
    assert over(4).told(MatchWon) == [MatchWon(1, (1, 0, 2, 3))]


def test_again_leads_to_the_lobby_with_the_same_players() -> None:
    evening = over(4)
    evening[3].pick(MenuCommand.AGAIN)
    assert evening.table.scene == Lobby(joined=(0, 1, 2, 3))
    assert evening[0].menu.items == (MenuCommand.START, MenuCommand.LEAVE)


def test_who_did_not_play_joins_the_next_match_as_soon_as_this_one_is_over() -> None:
    evening = Evening(KILL_SPOT, 3).joined(0, 1).until_over(Evening().rng)
    evening[2].tap()
    assert evening.table.scene == Lobby(joined=(0, 1, 2))
    assert evening.told(Joined)[-1] == Joined(2)


def test_dudo_and_a_shake_after_the_end_do_nothing() -> None:
    evening = over()
    evening[1].tap(Button.DUDO)
    assert evening[1].notice is Reason.MATCH_OVER
    evening[1].shake()
    evening[0].shake()
    assert evening.scene is SceneName.OVER


def test_after_ten_minutes_the_table_is_free() -> None:
    evening = over()
    evening.wait(600)
    assert evening.table.scene == Lobby()


@pytest.mark.parametrize("device", list(Device))
def test_a_lost_device_ends_no_match(device: Device) -> None:
    evening = over()
    evening[0].lose(device)
    assert evening.scene is SceneName.OVER
