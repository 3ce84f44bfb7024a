"""Cups are shaken: for the order of play and for a round."""

import pytest
from support.table.harness import TableHarness, lay_out

from drivers.messages import Button, Device, Settled, Shaken
from engine import KILL_SPOT, OBLIGING, PALO_FIJO, PERUDO, Bid, Reason
from firmware_host.table.effects import Record
from firmware_host.table.events import OrderRolled, RoundBegan
from firmware_host.table.scenes.deal import RequestSeed
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName, TableReason
from firmware_host.wire import CupSettled


def test_everybody_is_awaited() -> None:
    harness = TableHarness(seats=3).joined()
    assert harness[0].view.waiting_for == (0, 1, 2)
    assert harness.events_of(RoundBegan)[0].dice == ((0, 5), (1, 5), (2, 5))


def test_a_cup_that_is_down_is_told_and_durable() -> None:
    harness = TableHarness(seats=3).joined()
    effects = harness.after(harness[1].shake)
    assert any(isinstance(effect, Record) for effect in effects)
    assert harness.events_of(CupSettled) == [CupSettled(1)]
    assert harness[0].view.waiting_for == (0, 2)


def test_the_last_cup_down_deals() -> None:
    harness = TableHarness(seats=3).joined()
    for hand in harness:
        assert harness.scene is SceneName.SHAKING
        hand.shake()
    assert harness.scene is SceneName.BIDDING


def test_a_cup_that_is_shaken_again_changes_nothing() -> None:
    harness = TableHarness(seats=3).joined()
    harness[1].shake()
    before = harness.table.scene
    harness[1].shake()
    assert harness.table.scene == before
    assert harness.events_of(CupSettled) == [CupSettled(1)]
    assert harness[1].notice is None


def test_a_cup_that_begins_to_be_shaken_is_not_down() -> None:
    harness = TableHarness().joined()
    harness.send(Shaken(0, harness.now_ns))
    assert harness[0].awaited


def test_a_peek_while_others_still_shake_is_refused_with_its_sentence() -> None:
    harness = TableHarness(seats=3).joined()
    harness[1].shake()
    harness[1].tilt()
    assert harness[1].notice is TableReason.OTHERS_SHAKE
    assert not harness[1].is_peeking


def test_ok_held_while_others_still_shake_is_refused_the_same_way() -> None:
    harness = TableHarness(seats=3).joined()
    harness[1].shake()
    harness[1].hold(for_s=0.5)
    assert harness[1].notice is TableReason.OTHERS_SHAKE


def test_a_press_while_others_still_shake_is_refused_the_same_way() -> None:
    harness = TableHarness(seats=3).joined()
    harness[1].shake()
    harness[1].tap()
    assert harness[1].notice is TableReason.OTHERS_SHAKE


def test_what_was_refused_goes_when_the_last_cup_is_down() -> None:
    harness = TableHarness(seats=2).joined()
    harness[1].shake()
    harness[1].tilt()
    harness[0].shake()
    assert harness.scene is SceneName.BIDDING
    assert harness[1].notice is None


def test_a_cup_that_is_lifted_to_be_shaken_is_no_peek() -> None:
    harness = TableHarness(seats=3).joined()
    harness[1].tilt()
    harness[1].level()
    assert harness[1].notice is None
    harness[1].tilt()
    harness[1].shake()
    harness[1].level()
    assert harness[1].notice is None


def test_a_cup_without_dice_looks_at_nothing_and_is_told_nothing() -> None:
    harness = one_out()
    harness[2].tilt()
    assert harness[2].notice is None


def test_what_a_cup_gave_decides_the_dice() -> None:
    def dealt(entropy: bytes) -> object:
        harness = TableHarness().joined()
        harness[0].shake(b"same")
        harness[1].shake(entropy)
        return harness.table.scene.look(0)

    assert dealt(b"a") == dealt(b"a")
    assert dealt(b"a") != dealt(b"b")


def test_the_deal_waits_for_the_houses_seed() -> None:
    harness = TableHarness(seats=2, seeds_at_once=False)
    harness[0].tap()
    harness[1].tap()
    harness[0].pick(MenuCommand.START)
    harness.wait(5)
    harness.give_seed()
    for hand in harness:
        hand.shake()
    assert harness.scene is SceneName.SHAKING
    harness.give_seed()
    assert harness.scene is SceneName.BIDDING


def test_a_seed_that_comes_twice_counts_once() -> None:
    harness = TableHarness().joined()
    before = harness.table.scene
    harness.seeds_wanted = 1
    harness.give_seed()
    assert harness.table.scene == before


def test_every_deal_has_a_seed_of_its_own() -> None:
    harness = TableHarness().joined().dealt()
    harness.turn.tap()
    harness.turn.press(Button.DUDO)
    harness.revealed()
    harness.wait(3)
    assert RequestSeed() in harness.after(harness[0].shake)


def test_a_seat_without_its_cup_may_roll_with_ok() -> None:
    harness = TableHarness(seats=3)
    harness[1].lose(Device.CUP)
    harness.joined()
    assert [hand.menu.items for hand in harness] == [(), (MenuCommand.ROLL,), ()]
    harness[1].tap()
    assert harness.events_of(CupSettled) == [CupSettled(1)]
    assert harness[1].menu.items == ()


def test_a_cup_that_is_lost_while_it_is_awaited_brings_the_roll_by_button() -> None:
    harness = TableHarness().joined()
    harness[0].lose(Device.CUP)
    assert harness[0].menu.items == (MenuCommand.ROLL,)
    harness[0].find(Device.CUP)
    assert harness[0].menu.items == ()


def test_a_seat_with_its_cup_is_told_to_shake() -> None:
    harness = TableHarness().joined()
    harness[0].tap()
    assert harness[0].notice is Reason.NOT_ROLLED


def test_dudo_before_the_dice_are_down_is_refused() -> None:
    harness = TableHarness().joined()
    harness[0].tap(Button.DUDO)
    assert harness[0].notice is Reason.NOT_ROLLED
    assert harness[1].notice is None


def one_out() -> TableHarness:
    """Three players, the last out, before the dice of a round are down."""
    harness = lay_out(PERUDO, [(2, 2, 2), (3, 3, 3), (4,)], Bid(9, 4), by=2)
    harness[0].press(Button.DUDO)
    harness.revealed()
    harness.wait(3)
    assert harness.scene is SceneName.REVEAL
    harness[0].shake()
    assert harness.scene is SceneName.SHAKING
    assert harness.position.dice == (3, 3, 0)
    return harness


def test_a_shake_by_who_is_out_is_refused_and_counts_for_nothing() -> None:
    harness = one_out()
    harness[2].shake()
    assert harness[2].notice is Reason.OUT
    assert harness.events_of(CupSettled) == [CupSettled(0)]


def test_a_press_by_who_is_out_is_refused() -> None:
    harness = one_out()
    harness[2].tap()
    assert harness[2].notice is Reason.OUT


def test_who_is_out_is_not_awaited() -> None:
    harness = one_out()
    harness[1].shake()
    assert harness.scene is SceneName.BIDDING


def test_a_shake_by_who_does_not_play_is_refused() -> None:
    harness = TableHarness(seats=3).joined(0, 1)
    harness[2].shake()
    assert harness[2].notice is TableReason.NOT_PLAYING


def test_a_table_that_comes_up_in_a_shake_keeps_the_cups_that_are_down() -> None:
    harness = TableHarness(seats=3).joined()
    harness[1].shake()
    again = TableHarness(seats=3, scene=harness.table.scene)
    assert again[0].view.waiting_for == (0, 2)
    assert again[0].view.resumed
    assert again.seeds_wanted == 0
    again[0].shake()
    again[2].shake()
    assert again.scene is SceneName.BIDDING


def test_what_the_table_does_by_itself_does_not_take_from_the_display_that_the_evening_was_picked_up() -> None:
    game = TableHarness(seats=3).joined().table.scene.game
    assert game is not None
    again = TableHarness(seats=3, scene=Shaking(game=game))  # killed before whoever makes the dice was bound
    assert again.table.scene != Shaking(game=game)
    assert again[0].view.resumed
    again[1].shake()
    assert not again[0].view.resumed


# Rolling for seats


@pytest.mark.parametrize("rules", [OBLIGING, PALO_FIJO], ids=str)
def test_seats_are_rolled_for_with_one_die_each(rules: object) -> None:
    harness = TableHarness(rules, 4).joined()  # type: ignore[arg-type]
    assert {harness.position.dice_to_roll(player) for player in range(4)} == {1}
    assert harness.events_of(RoundBegan) == []


def rolled(seed: int, seats: int = 4) -> TableHarness:
    """Return a table after the first roll for the order of play."""
    harness = TableHarness(OBLIGING, seats, seed=seed).joined()
    for hand in harness:
        hand.shake()
    return harness


def a_tie(tied: int) -> TableHarness:
    """Return the first table whose first roll ties this many."""
    return next(harness for seed in range(200) if len((harness := rolled(seed))[0].view.waiting_for) == tied)


def test_who_ties_rolls_again_and_nobody_else() -> None:
    harness = a_tie(2)
    (rolled,) = harness.events_of(OrderRolled)
    assert rolled.order == ()
    rolls = [dice for _, dice in rolled.rolls]
    tied = harness[0].view.waiting_for
    assert rolls[tied[0]] == rolls[tied[1]]
    others = [seat for seat in range(4) if seat not in tied]
    harness[others[0]].shake()
    assert harness[0].view.waiting_for == tied


def test_ties_roll_until_there_is_an_order() -> None:
    harness = a_tie(4)
    while not harness.events_of(OrderRolled)[-1].order:
        for hand in harness:
            if hand.awaited:
                hand.shake()
    final = harness.events_of(OrderRolled)[-1]
    rolls = dict(final.rolls)
    assert list(final.order) == sorted(rolls, key=lambda seat: rolls[seat], reverse=True)


def test_the_highest_roller_opens_and_the_roll_is_the_order_of_play() -> None:
    harness = rolled(0, 3)
    while harness.events_of(RoundBegan) == []:
        for hand in harness:
            if hand.awaited:
                hand.shake()
    order = harness.events_of(OrderRolled)[-1].order
    assert harness.events_of(RoundBegan)[0].first == order[0]
    harness.dealt()
    turns = []
    for _ in range(3):
        turns.append(harness.turn.seat)
        harness.turn.tap()
    assert tuple(turns) == order


def test_each_roll_is_a_deal_with_a_number_of_its_own() -> None:
    harness = a_tie(2)
    assert harness.game.deals == 1
    for hand in harness:
        if hand.awaited:
            hand.shake()
    assert harness.game.deals == 2


def test_a_settled_cup_after_the_deal_changes_nothing() -> None:
    harness = TableHarness(KILL_SPOT).joined().dealt()
    before = harness.table.scene
    harness.send(Settled(0, harness.now_ns, b"more"))
    assert harness.table.scene == before


def test_a_roll_by_button_stamped_before_the_clock_began_still_rolls() -> None:
    harness = TableHarness()
    harness[0].lose(Device.CUP)
    harness.joined()
    assert isinstance(harness.table.scene, Shaking)
    harness.table.scene.act(0, MenuCommand.ROLL, -1, harness.table._context)
