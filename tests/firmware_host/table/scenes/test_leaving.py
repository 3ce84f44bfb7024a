"""Giving up a seat: in two steps that nobody takes by accident, between matches at once, and never with dice to see."""

import pytest
from support.table.harness import Evening, laid, told_in

from drivers.messages import Button
from engine import KILL_SPOT, PALO_FIJO, PERUDO, RULESETS, Bid, Rules
from firmware_host.table.effects import Show
from firmware_host.table.events import LeaveReason, Left, MatchWon, Repeat, RepeatReason, Revealed, RoundBegan
from firmware_host.table.menu import SIDE_MENU_TIMEOUT_NS, MenuCommand
from firmware_host.table.scenes.bidding import Bidding
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.seat_view import SceneName

THREE = [(1, 3, 3, 5, 6), (2, 2, 4, 6), (4, 5)]
GAVE_UP = LeaveReason.GAVE_UP


def in_a_round(rules: Rules = PERUDO) -> Evening:
    return laid(rules, THREE, Bid(2, 3))


def to_the_end(evening: Evening, seat: int) -> None:
    """▶ until the menu has no more, and once more."""
    while evening[seat].menu.cursor < len(evening[seat].menu.items) - 1:
        evening[seat].tap(Button.RIGHT)
    evening[seat].tap(Button.RIGHT)
    assert evening[seat].menu.items == (MenuCommand.BACK, MenuCommand.GIVE_UP)


def give_up(evening: Evening, seat: int) -> None:
    to_the_end(evening, seat)
    evening[seat].tap()
    evening[seat].tap(Button.RIGHT)
    evening[seat].tap()


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_whoever_it_is_may_give_up_in_a_round(seat: int) -> None:
    evening = in_a_round()
    give_up(evening, seat)
    assert evening.told(Left) == [Left(seat, GAVE_UP)]
    assert evening.position.dice[seat] == 0
    assert evening.scene is SceneName.SHAKING
    assert evening.game.left == (seat,)


def test_ok_again_and_again_gives_nothing_up() -> None:
    evening = in_a_round()
    to_the_end(evening, 0)
    for _ in range(7):
        evening[0].tap()
    assert evening.told(Left) == []
    assert evening[0].menu.items == ()


def test_a_held_arrow_leads_nowhere_aside() -> None:
    evening = in_a_round()
    for seat in (0, 1):
        evening[seat].hold(Button.RIGHT, for_s=30)
        evening[seat].tap(Button.LEFT)
        assert MenuCommand.GIVE_UP not in evening[seat].menu.items


def test_left_leads_back() -> None:
    evening = in_a_round()
    evening[1].tap(Button.RIGHT)
    chosen = evening[1].menu
    to_the_end(evening, 1)
    evening[1].tap(Button.LEFT)
    assert evening[1].menu.items == chosen.items
    assert isinstance(evening[1].menu.chosen, Bid)


def test_who_thinks_again_for_long_stays() -> None:
    evening = in_a_round()
    to_the_end(evening, 0)
    evening[0].tap()
    assert evening[0].menu.items == (MenuCommand.STAY, MenuCommand.QUIT)
    evening.wait(SIDE_MENU_TIMEOUT_NS / 1e9)
    assert evening[0].menu.items == ()


def test_whose_turn_comes_while_they_think_is_asked_for_their_bid() -> None:
    evening = laid(PERUDO, THREE, Bid(2, 3), by=2)
    to_the_end(evening, 1)
    evening[0].tap()
    assert isinstance(evening[1].menu.chosen, Bid)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_in_the_shake_too(rules: Rules) -> None:
    evening = Evening(rules, 3).joined()
    evening[0].shake()
    give_up(evening, 0)
    give_up(evening, 1)
    assert evening.told(MatchWon) == [MatchWon(2, (2, 1, 0))]
    assert evening.scene is SceneName.OVER


def test_the_display_says_why_everybody_shakes_again() -> None:
    evening = in_a_round()
    give_up(evening, 2)
    assert evening[0].view.repeat == Repeat(RepeatReason.LEFT, 2)
    evening.dealt()
    assert evening[0].view.repeat is None


def test_nobody_can_void_a_call_by_leaving() -> None:
    evening = laid(KILL_SPOT, THREE, Bid(2, 3))
    to_the_end(evening, 0)
    evening[0].tap()
    evening[0].tap(Button.RIGHT)
    evening[1].press(Button.DUDO)
    evening[0].press()
    evening[0].release()
    evening.wait(2)
    assert evening.told(Left) == []
    assert len(evening.told(Revealed)) == 1


def test_the_dice_of_a_void_round_are_on_no_display_again() -> None:
    evening = in_a_round()
    evening[0].tilt()
    assert evening[0].sees is not None
    before = len(evening.effects)
    give_up(evening, 2)
    evening[1].tilt()
    later = [effect for effect in evening.effects[before:] if isinstance(effect, Show) and effect.seat != 2]
    assert later[-1].look is None
    assert not evening.open
    assert evening.told(Revealed) == []


def test_who_is_out_or_does_not_play_has_nothing_to_give_up() -> None:
    evening = laid(PERUDO, [(), (4,), (2,)], Bid(1, 4), by=2, fallen=(0,))
    evening[0].tap(Button.RIGHT)
    assert evening[0].menu.items == ()


@pytest.mark.parametrize("scene", [SceneName.CALLED, SceneName.REVEAL])
def test_a_call_is_seen_to_its_end(scene: SceneName) -> None:
    evening = in_a_round()
    evening[1].press(Button.DUDO)
    if scene is SceneName.REVEAL:
        evening.revealed()
    evening[0].tap(Button.RIGHT)
    assert MenuCommand.GIVE_UP not in evening[0].menu.items


def test_who_left_is_not_in_the_next_match_and_may_be() -> None:
    evening = in_a_round()
    give_up(evening, 0)
    give_up(evening, 1)
    assert evening[0].menu.items == (MenuCommand.JOIN,)
    evening[2].pick(MenuCommand.AGAIN)
    assert evening.table.scene == Lobby(joined=(2,))


def test_after_a_match_a_seat_can_be_given_up_before_the_next() -> None:
    evening = laid(PERUDO, [(), (4,), (2,)], Bid(2, 4), by=2, fallen=(0,))
    evening[1].press(Button.DUDO)
    evening.revealed()
    evening.wait(30)
    evening[0].pick(MenuCommand.LEAVE)
    assert evening.scene is SceneName.OVER
    evening[2].pick(MenuCommand.AGAIN)
    assert evening.table.scene == Lobby(joined=(1, 2))


def test_a_special_round_of_who_leaves_is_used_up() -> None:
    evening = laid(PALO_FIJO, [(2, 3), (2, 4, 4), (5, 5)])
    evening[0].pick(Bid(3, 3))
    evening[1].tap(Button.DUDO)
    evening.revealed()
    evening.wait(30)
    assert evening.scene is SceneName.CHOOSING
    give_up(evening, 0)
    assert evening.told(RoundBegan)[-1].owner is None


def test_leaving_is_told_behind_its_record() -> None:
    evening = in_a_round()
    effects = evening.after(lambda: give_up(evening, 2))
    assert Left(2, GAVE_UP) in told_in(effects)
    assert isinstance(evening.records[-1], type(evening.table.scene))
    assert not isinstance(evening.table.scene, Bidding)
