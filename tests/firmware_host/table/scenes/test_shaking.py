"""Cups are shaken: for the order of play and for a round."""

import pytest
from support.table.harness import Evening, laid

from drivers.messages import Button, Device, Settled, Shaken
from engine import KILL_SPOT, OBLIGING, PALO_FIJO, PERUDO, Bid, Reason
from firmware_host.table.effects import Record
from firmware_host.table.events import CupSettled, OrderRolled, RoundBegan
from firmware_host.table.menu import MenuCommand
from firmware_host.table.scenes.deal import RequestSeed
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat_view import SceneName, TableReason


def test_everybody_is_awaited() -> None:
    evening = Evening(seats=3).joined()
    assert evening[0].view.waiting_for == (0, 1, 2)
    assert evening.told(RoundBegan)[0].dice == ((0, 5), (1, 5), (2, 5))


def test_a_cup_that_is_down_is_told_and_durable() -> None:
    evening = Evening(seats=3).joined()
    effects = evening.after(evening[1].shake)
    assert any(isinstance(effect, Record) for effect in effects)
    assert evening.told(CupSettled) == [CupSettled(1)]
    assert evening[0].view.waiting_for == (0, 2)


def test_the_last_cup_down_deals() -> None:
    evening = Evening(seats=3).joined()
    for hand in evening:
        assert evening.scene is SceneName.SHAKING
        hand.shake()
    assert evening.scene is SceneName.BIDDING


def test_a_cup_that_is_shaken_again_changes_nothing() -> None:
    evening = Evening(seats=3).joined()
    evening[1].shake()
    before = evening.table.scene
    evening[1].shake()
    assert evening.table.scene == before
    assert evening.told(CupSettled) == [CupSettled(1)]
    assert evening[1].notice is None


def test_a_cup_that_begins_to_be_shaken_is_not_down() -> None:
    evening = Evening().joined()
    evening.send(Shaken(0, evening.now_ns))
    assert evening[0].awaited


def test_a_peek_while_others_still_shake_is_refused_with_its_sentence() -> None:
    evening = Evening(seats=3).joined()
    evening[1].shake()
    evening[1].tilt()
    assert evening[1].notice is TableReason.OTHERS_SHAKE
    assert not evening[1].looks


def test_ok_held_while_others_still_shake_is_refused_the_same_way() -> None:
    evening = Evening(seats=3).joined()
    evening[1].shake()
    evening[1].hold(for_s=0.5)
    assert evening[1].notice is TableReason.OTHERS_SHAKE


def test_a_press_while_others_still_shake_is_refused_the_same_way() -> None:
    evening = Evening(seats=3).joined()
    evening[1].shake()
    evening[1].tap()
    assert evening[1].notice is TableReason.OTHERS_SHAKE


def test_what_was_refused_goes_when_the_last_cup_is_down() -> None:
    evening = Evening(seats=2).joined()
    evening[1].shake()
    evening[1].tilt()
    evening[0].shake()
    assert evening.scene is SceneName.BIDDING
    assert evening[1].notice is None


def test_a_cup_that_is_lifted_to_be_shaken_is_no_peek() -> None:
    evening = Evening(seats=3).joined()
    evening[1].tilt()
    evening[1].level()
    assert evening[1].notice is None
    evening[1].tilt()
    evening[1].shake()
    evening[1].level()
    assert evening[1].notice is None


def test_a_cup_without_dice_looks_at_nothing_and_is_told_nothing() -> None:
    evening = one_out()
    evening[2].tilt()
    assert evening[2].notice is None


def test_what_a_cup_gave_decides_the_dice() -> None:
    def dealt(entropy: bytes) -> object:
        evening = Evening().joined()
        evening[0].shake(b"same")
        evening[1].shake(entropy)
        return evening.table.scene.look(0)

    assert dealt(b"a") == dealt(b"a")
    assert dealt(b"a") != dealt(b"b")


def test_the_deal_waits_for_the_houses_seed() -> None:
    evening = Evening(seats=2, seeds_at_once=False)
    evening[0].tap()
    evening[1].tap()
    evening[0].pick(MenuCommand.START)
    evening.wait(5)
    evening.give_seed()
    for hand in evening:
        hand.shake()
    assert evening.scene is SceneName.SHAKING
    evening.give_seed()
    assert evening.scene is SceneName.BIDDING


def test_a_seed_that_comes_twice_counts_once() -> None:
    evening = Evening().joined()
    before = evening.table.scene
    evening.seeds_wanted = 1
    evening.give_seed()
    assert evening.table.scene == before


def test_every_deal_has_a_seed_of_its_own() -> None:
    evening = Evening().joined().dealt()
    evening.turn.tap()
    evening.turn.press(Button.DUDO)
    evening.revealed()
    evening.wait(3)
    assert RequestSeed() in evening.after(evening[0].shake)


def test_a_seat_without_its_cup_may_roll_with_ok() -> None:
    evening = Evening(seats=3)
    evening[1].lose(Device.CUP)
    evening.joined()
    assert [hand.menu.items for hand in evening] == [(), (MenuCommand.ROLL,), ()]
    evening[1].tap()
    assert evening.told(CupSettled) == [CupSettled(1)]
    assert evening[1].menu.items == ()


def test_a_cup_that_is_lost_while_it_is_awaited_brings_the_roll_by_button() -> None:
    evening = Evening().joined()
    evening[0].lose(Device.CUP)
    assert evening[0].menu.items == (MenuCommand.ROLL,)
    evening[0].find(Device.CUP)
    assert evening[0].menu.items == ()


def test_a_seat_with_its_cup_is_told_to_shake() -> None:
    evening = Evening().joined()
    evening[0].tap()
    assert evening[0].notice is Reason.NOT_ROLLED


def test_dudo_before_the_dice_are_down_is_refused() -> None:
    evening = Evening().joined()
    evening[0].tap(Button.DUDO)
    assert evening[0].notice is Reason.NOT_ROLLED
    assert evening[1].notice is None


def one_out() -> Evening:
    """Three players, the last out, before the dice of a round are down."""
    evening = laid(PERUDO, [(2, 2, 2), (3, 3, 3), (4,)], Bid(9, 4), by=2)
    evening[0].press(Button.DUDO)
    evening.revealed()
    evening.wait(3)
    assert evening.scene is SceneName.REVEAL
    evening[0].shake()
    assert evening.scene is SceneName.SHAKING
    assert evening.position.dice == (3, 3, 0)
    return evening


def test_a_shake_by_who_is_out_is_refused_and_counts_for_nothing() -> None:
    evening = one_out()
    evening[2].shake()
    assert evening[2].notice is Reason.OUT
    assert evening.told(CupSettled) == [CupSettled(0)]


def test_a_press_by_who_is_out_is_refused() -> None:
    evening = one_out()
    evening[2].tap()
    assert evening[2].notice is Reason.OUT


def test_who_is_out_is_not_awaited() -> None:
    evening = one_out()
    evening[1].shake()
    assert evening.scene is SceneName.BIDDING


def test_a_shake_by_who_does_not_play_is_refused() -> None:
    evening = Evening(seats=3).joined(0, 1)
    evening[2].shake()
    assert evening[2].notice is TableReason.NOT_PLAYING


def test_a_table_that_comes_up_in_a_shake_keeps_the_cups_that_are_down() -> None:
    evening = Evening(seats=3).joined()
    evening[1].shake()
    again = Evening(seats=3, scene=evening.table.scene)
    assert again[0].view.waiting_for == (0, 2)
    assert again[0].view.resumed
    assert again.seeds_wanted == 0
    again[0].shake()
    again[2].shake()
    assert again.scene is SceneName.BIDDING


def test_what_the_table_does_by_itself_does_not_take_from_the_display_that_the_evening_was_picked_up() -> None:
    game = Evening(seats=3).joined().table.scene.game
    assert game is not None
    again = Evening(seats=3, scene=Shaking(game=game))  # killed before whoever makes the dice was bound
    assert again.table.scene != Shaking(game=game)
    assert again[0].view.resumed
    again[1].shake()
    assert not again[0].view.resumed


# Rolling for seats


@pytest.mark.parametrize("rules", [OBLIGING, PALO_FIJO], ids=str)
def test_seats_are_rolled_for_with_one_die_each(rules: object) -> None:
    evening = Evening(rules, 4).joined()  # type: ignore[arg-type]
    assert {evening.position.dice_to_roll(player) for player in range(4)} == {1}
    assert evening.told(RoundBegan) == []


def rolled(seed: int, seats: int = 4) -> Evening:
    """The first roll for the order of play is done."""
    evening = Evening(OBLIGING, seats, seed=seed).joined()
    for hand in evening:
        hand.shake()
    return evening


def a_tie(tied: int) -> Evening:
    """The first evening whose first roll ties this many."""
    return next(evening for seed in range(200) if len((evening := rolled(seed))[0].view.waiting_for) == tied)


def test_who_ties_rolls_again_and_nobody_else() -> None:
    evening = a_tie(2)
    (told,) = evening.told(OrderRolled)
    assert told.order == ()
    rolls = dict(told.rolls)
    tied = evening[0].view.waiting_for
    assert rolls[tied[0]] == rolls[tied[1]]
    others = [seat for seat in range(4) if seat not in tied]
    evening[others[0]].shake()
    assert evening[0].view.waiting_for == tied


def test_ties_roll_until_there_is_an_order() -> None:
    evening = a_tie(4)
    while not evening.told(OrderRolled)[-1].order:
        for hand in evening:
            if hand.awaited:
                hand.shake()
    final = evening.told(OrderRolled)[-1]
    rolls = dict(final.rolls)
    assert list(final.order) == sorted(rolls, key=lambda seat: rolls[seat], reverse=True)


def test_the_highest_roller_opens_and_the_roll_is_the_order_of_play() -> None:
    evening = rolled(0, 3)
    while evening.told(RoundBegan) == []:
        for hand in evening:
            if hand.awaited:
                hand.shake()
    order = evening.told(OrderRolled)[-1].order
    assert evening.told(RoundBegan)[0].first == order[0]
    evening.dealt()
    turns = []
    for _ in range(3):
        turns.append(evening.turn.seat)
        evening.turn.tap()
    assert tuple(turns) == order


def test_each_roll_is_a_deal_with_a_number_of_its_own() -> None:
    evening = a_tie(2)
    assert evening.game.deals == 1
    for hand in evening:
        if hand.awaited:
            hand.shake()
    assert evening.game.deals == 2


def test_a_settled_cup_after_the_deal_changes_nothing() -> None:
    evening = Evening(KILL_SPOT).joined().dealt()
    before = evening.table.scene
    evening.send(Settled(0, evening.now_ns, b"more"))
    assert evening.table.scene == before


def test_a_roll_by_button_stamped_before_the_clock_began_still_rolls() -> None:
    evening = Evening()
    evening[0].lose(Device.CUP)
    evening.joined()
    assert isinstance(evening.table.scene, Shaking)
    evening.table.scene.act(0, MenuCommand.ROLL, -1, evening.table._context)
