"""Giving up a seat: in two steps that nobody takes by accident, between matches at once, and never with dice to see."""

import pytest
from support.table.harness import TableHarness, events_in, lay_out

from drivers.messages import Button
from engine import KILL_SPOT, PALO_FIJO, PERUDO, RULESETS, Bid, Rules
from firmware_host.table.effects import Show
from firmware_host.table.events import LeaveReason, Repeat, RepeatReason, Revealed, RoundBegan
from firmware_host.table.scenes.bidding import Bidding
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.revealing_entropy import RevealingEntropy
from firmware_host.table.seat.menu import SIDE_MENU_TIMEOUT_NS, Menu, MenuCommand
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.actions import StaffAction, StaffCommand
from firmware_host.wire import Left, MatchWon

THREE = [(1, 3, 3, 5, 6), (2, 2, 4, 6), (4, 5)]
GAVE_UP = LeaveReason.GAVE_UP


def in_a_round(rules: Rules = PERUDO) -> TableHarness:
    return lay_out(rules, THREE, Bid(2, 3))


def to_the_end(harness: TableHarness, seat: int) -> None:
    """▶ until the menu has no more, and once more."""
    while harness[seat].menu.cursor < len(harness[seat].menu.items) - 1:
        harness[seat].tap(Button.RIGHT)
    harness[seat].tap(Button.RIGHT)
    assert harness[seat].menu.items == (MenuCommand.BACK, MenuCommand.GIVE_UP)


def give_up(harness: TableHarness, seat: int) -> None:
    to_the_end(harness, seat)
    confirm(harness, seat)


def confirm(harness: TableHarness, seat: int) -> None:
    """Pick *Give up* and answer its question."""
    harness[seat].tap()
    harness[seat].tap(Button.RIGHT)
    harness[seat].tap()


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_whoever_it_is_may_give_up_in_a_round(seat: int) -> None:
    harness = in_a_round()
    give_up(harness, seat)
    assert harness.events_of(Left) == [Left(seat, GAVE_UP)]
    assert harness.position.dice[seat] == 0
    assert harness.scene is SceneName.SHAKING
    assert harness.game.left == (seat,)


def test_ok_again_and_again_gives_nothing_up() -> None:
    harness = in_a_round()
    to_the_end(harness, 0)
    for _ in range(7):
        harness[0].tap()
    assert harness.events_of(Left) == []
    assert harness[0].menu.items == ()


def test_a_held_arrow_leads_nowhere_aside() -> None:
    harness = in_a_round()
    for seat in (0, 1):
        harness[seat].hold(Button.RIGHT, for_s=30)
        harness[seat].tap(Button.LEFT)
        assert MenuCommand.GIVE_UP not in harness[seat].menu.items


def test_left_leads_back() -> None:
    harness = in_a_round()
    harness[1].tap(Button.RIGHT)
    chosen = harness[1].menu
    to_the_end(harness, 1)
    harness[1].tap(Button.LEFT)
    assert harness[1].menu.items == chosen.items
    assert isinstance(harness[1].menu.chosen, Bid)


def test_who_thinks_again_for_long_stays() -> None:
    harness = in_a_round()
    to_the_end(harness, 0)
    harness[0].tap()
    assert harness[0].menu.items == (MenuCommand.STAY, MenuCommand.QUIT)
    harness.wait(SIDE_MENU_TIMEOUT_NS / 1e9)
    assert harness[0].menu.items == ()


def test_whose_turn_comes_while_they_think_is_asked_for_their_bid() -> None:
    harness = lay_out(PERUDO, THREE, Bid(2, 3), by=2)
    to_the_end(harness, 1)
    harness[0].tap()
    assert isinstance(harness[1].menu.chosen, Bid)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_in_the_shake_too(rules: Rules) -> None:
    harness = TableHarness(rules, 3).joined()
    harness[0].shake()
    give_up(harness, 0)
    give_up(harness, 1)
    assert harness.events_of(MatchWon) == [MatchWon(2, (2, 1, 0))]
    assert harness.scene is SceneName.OVER


def test_the_display_says_why_everybody_shakes_again() -> None:
    harness = in_a_round()
    give_up(harness, 2)
    assert harness[0].view.repeat == Repeat(RepeatReason.LEFT, 2)
    harness.dealt()
    assert harness[0].view.repeat is None


def test_nobody_can_void_a_call_by_leaving() -> None:
    harness = lay_out(KILL_SPOT, THREE, Bid(2, 3))
    to_the_end(harness, 0)
    harness[0].tap()
    harness[0].tap(Button.RIGHT)
    harness[1].press(Button.DUDO)
    harness[0].press()
    harness[0].release()
    harness.wait(2)
    assert harness.events_of(Left) == []
    assert len(harness.events_of(Revealed)) == 1


def test_the_dice_of_a_void_round_are_on_no_display_again() -> None:
    harness = in_a_round()
    harness[0].tilt()
    assert harness[0].peeked is not None
    before = len(harness.effects)
    give_up(harness, 2)
    harness[1].tilt()
    later = [effect for effect in harness.effects[before:] if isinstance(effect, Show) and effect.seat != 2]
    assert later[-1].look is None
    assert not harness.open
    assert harness.events_of(Revealed) == []


def test_nobody_can_give_up_while_the_cups_reveal() -> None:
    harness = TableHarness(KILL_SPOT, 4, programs=range(4)).joined()
    for seat in range(3):
        harness[seat].shake()
    to_the_end(harness, 0)
    harness[0].tap()
    to_the_end(harness, 1)
    for cup in harness.cups.values():
        cup.keeps_silent = True
    harness[3].shake()
    assert isinstance(harness.table.scene, RevealingEntropy)
    assert [hand.menu for hand in harness] == [Menu()] * 4
    harness[0].tap(Button.RIGHT)
    assert harness[0].menu == Menu()


def test_a_seat_that_staff_take_out_has_nothing_more_to_give_up() -> None:
    harness = TableHarness(seats=4).joined()
    harness[0].shake()
    to_the_end(harness, 0)
    harness.send(StaffAction(StaffCommand.REMOVE, 0))
    assert harness[0].menu == Menu()
    harness[1].shake()
    before = harness.table.scene
    confirm(harness, 0)
    assert harness.table.scene == before
    assert len(harness.events_of(Left)) == 1


def test_who_is_out_or_does_not_play_has_nothing_to_give_up() -> None:
    harness = lay_out(PERUDO, [(), (4,), (2,)], Bid(1, 4), by=2, fallen=(0,))
    harness[0].tap(Button.RIGHT)
    assert harness[0].menu.items == ()


@pytest.mark.parametrize("scene", [SceneName.CALLED, SceneName.REVEAL])
def test_a_call_is_seen_to_its_end(scene: SceneName) -> None:
    harness = in_a_round()
    harness[1].press(Button.DUDO)
    if scene is SceneName.REVEAL:
        harness.revealed()
    harness[0].tap(Button.RIGHT)
    assert MenuCommand.GIVE_UP not in harness[0].menu.items


def test_who_left_is_not_in_the_next_match_and_may_be() -> None:
    harness = in_a_round()
    give_up(harness, 0)
    give_up(harness, 1)
    assert harness[0].menu.items == (MenuCommand.JOIN,)
    harness[2].pick(MenuCommand.AGAIN)
    assert harness.lobby == Lobby(joined=(2,))


def test_after_a_match_a_seat_can_be_given_up_before_the_next() -> None:
    harness = lay_out(PERUDO, [(), (4,), (2,)], Bid(2, 4), by=2, fallen=(0,))
    harness[1].press(Button.DUDO)
    harness.told()
    harness.wait(30)
    harness[0].pick(MenuCommand.LEAVE)
    assert harness.scene is SceneName.OVER
    harness[2].pick(MenuCommand.AGAIN)
    assert harness.lobby == Lobby(joined=(1, 2))


def test_a_special_round_of_who_leaves_is_used_up() -> None:
    harness = lay_out(PALO_FIJO, [(2, 3), (2, 4, 4), (5, 5)])
    harness[0].pick(Bid(3, 3))
    harness[1].tap(Button.DUDO)
    harness.told()
    harness.wait(30)
    assert harness.scene is SceneName.CHOOSING
    give_up(harness, 0)
    assert harness.events_of(RoundBegan)[-1].owner is None


def test_leaving_is_told_behind_its_record() -> None:
    harness = in_a_round()
    effects = harness.after(lambda: give_up(harness, 2))
    assert Left(2, GAVE_UP) in events_in(effects)
    assert isinstance(harness.records[-1], type(harness.table.scene))
    assert not isinstance(harness.table.scene, Bidding)
