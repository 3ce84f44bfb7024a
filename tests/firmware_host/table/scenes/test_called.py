"""Between a call and the reveal everybody reads who called what, and nobody can do anything about it."""

import pytest
from support.table.harness import TableHarness, lay_out

from drivers.messages import Button, Device
from engine import (
    CALZA,
    DUDO,
    KILL_SPOT,
    PALO_FIJO,
    PASS,
    PERUDO,
    PYRUDO,
    RULESETS,
    Bid,
    Hand,
    Reason,
    Rules,
    parse_position,
)
from firmware_host.store.journal import records
from firmware_host.table.effects import Publish, Show
from firmware_host.table.events import ActionTaken, Revealed
from firmware_host.table.scenes.called import CALL_SHOWN_NS, Called
from firmware_host.table.scenes.reveal import Reveal
from firmware_host.table.seat.view import SceneName, TableReason

HANDS = [(2, 2, 2), (5, 5, 5), (4, 4, 4)]
READ_S = CALL_SHOWN_NS / 1e9
every_rule_set = pytest.mark.parametrize("rules", RULESETS.values(), ids=str)


def called(rules: Rules = PYRUDO) -> TableHarness:
    harness = lay_out(rules, HANDS, Bid(7, 6))
    harness[1].tap(Button.DUDO)
    assert harness.scene is SceneName.CALLED
    return harness


@every_rule_set
def test_everybody_reads_who_called_what_on_which_bid(rules: Rules) -> None:
    for hand in called(rules):
        assert (hand.view.caller, hand.view.call) == (1, DUDO)
        assert hand.view.position is not None
        assert (hand.view.position.standing, hand.view.position.doubted) == (Bid(7, 6), 0)


def test_an_exact_call_is_read_the_same_way() -> None:
    harness = lay_out(PYRUDO, HANDS, Bid(3, 2))
    harness[1].pick(CALZA)
    assert (harness[2].view.caller, harness[2].view.call) == (1, CALZA)


def test_a_doubted_pass_is_read_as_one() -> None:
    harness = lay_out(PALO_FIJO, HANDS, Bid(3, 2))
    harness[1].pick(PASS)
    harness[2].tap(Button.DUDO)
    position = harness[0].view.position
    assert position is not None
    assert (harness[0].view.caller, position.passer) == (2, 1)


@every_rule_set
def test_no_view_holds_a_die_or_what_it_cost_before_the_reveal(rules: Rules) -> None:
    harness = called(rules)
    shown = [hand.view.position for hand in harness]
    published = [effect.state.position for effect in harness.effects if isinstance(effect, Publish)]
    for position in (*shown, parse_position(published[-1] or "")):
        assert position is not None
        assert position.showdown is None
        assert position.dice == (3, 3, 3)
    assert harness.events_of(Revealed) == []
    assert all(hand.show.look is None for hand in harness)


def test_the_scene_itself_shows_no_dice_as_text() -> None:
    assert repr(called().table.scene) == repr(laid_otherwise().table.scene)


def laid_otherwise() -> TableHarness:
    harness = lay_out(PYRUDO, [(6, 6, 6), (6, 6, 6), (1, 1, 1)], Bid(7, 6))
    harness[1].tap(Button.DUDO)
    return harness


def test_after_thirteen_tenths_of_a_second_the_cups_go_up() -> None:
    harness = lay_out(PYRUDO, HANDS, Bid(7, 6))
    harness[1].press(Button.DUDO)
    harness.wait(1.299)
    assert harness.scene is SceneName.CALLED
    harness.wait(0.001)
    assert harness.scene is SceneName.REVEAL
    (event,) = harness.events_of(Revealed)
    assert event.showdown.hands == tuple(map(Hand, HANDS))
    assert (harness[0].view.caller, harness[0].view.call) == (None, None)


@pytest.mark.parametrize("button", list(Button))
def test_no_button_does_anything(button: Button) -> None:
    harness = called()
    before = harness.table.scene
    for hand in harness:
        hand.tap(button)
        assert hand.notice is None
        assert hand.menu.items == ()
    assert harness.table.scene == before


def test_nobody_is_awaited() -> None:
    assert not any(hand.awaited for hand in called())


def test_a_peek_is_over_and_none_begins() -> None:
    harness = lay_out(PYRUDO, HANDS, Bid(7, 6))
    harness[0].tilt()
    harness[1].tap(Button.DUDO)
    harness[2].tilt()
    assert harness.open == set()
    harness.revealed()
    assert harness.open == set()


@pytest.mark.parametrize("rules", [KILL_SPOT, PERUDO], ids=str)
def test_a_call_that_comes_too_late_is_refused_with_its_sentence(rules: Rules) -> None:
    harness = lay_out(rules, HANDS, Bid(7, 6))
    stamp_ns = harness.now_ns
    harness[1].tap(Button.DUDO)
    assert harness.scene is SceneName.CALLED
    harness[2].press(Button.DUDO, at_ns=stamp_ns + 1)
    assert harness[2].notice is TableReason.BID_CHANGED
    assert [said.seat for said in harness.events_of(ActionTaken)] == [1]


def test_a_call_that_comes_through_only_in_the_reveal_is_refused_the_same_way() -> None:
    harness = lay_out(KILL_SPOT, HANDS, Bid(7, 6))
    stamp_ns = harness.now_ns
    harness[1].press(Button.DUDO)
    harness.revealed()
    harness[2].press(Button.DUDO, at_ns=stamp_ns + 1)
    assert harness[2].notice is TableReason.BID_CHANGED


def test_a_raise_that_was_under_way_is_refused() -> None:
    harness = lay_out(KILL_SPOT, HANDS, Bid(2, 2))
    harness[1].press(Button.OK)
    harness[2].tap(Button.DUDO)
    harness[1].release(Button.OK)
    assert harness.scene is SceneName.CALLED
    assert harness[1].notice is TableReason.BID_CHANGED


def test_ok_that_is_let_go_of_in_the_reveal_has_not_seen_it() -> None:
    harness = called()
    harness.wait(READ_S - 0.2)
    harness[0].press()
    harness.wait(0.2)
    assert harness.scene is SceneName.REVEAL
    harness[0].release()
    assert isinstance(harness.table.scene, Reveal)
    assert harness.table.scene.seen == ()
    assert harness[0].notice is TableReason.MENU_CHANGED


def test_a_shake_is_too_early() -> None:
    harness = called()
    harness[0].shake()
    assert harness[0].notice is TableReason.LOOK_FIRST
    assert harness.scene is SceneName.CALLED


def test_the_time_to_look_begins_with_the_reveal() -> None:
    harness = called()
    harness.revealed()
    harness.wait(2.3)
    harness[0].shake()
    assert harness.scene is SceneName.REVEAL


def test_who_is_out_is_told_so() -> None:
    harness = lay_out(PYRUDO, [(2, 2), (5, 5), ()], Bid(7, 6), fallen=(2,))
    harness[1].tap(Button.DUDO)
    harness[2].tap()
    assert harness[2].notice is Reason.OUT


def test_a_table_that_comes_up_in_it_settles_nothing_again() -> None:
    scene = called().table.scene
    back = records.decode_scene(scene.name, records.encode_scene(scene))
    assert isinstance(back, Called)
    harness = TableHarness(PYRUDO, 3, scene=back)
    assert (harness[0].view.caller, harness[0].view.call) == (1, DUDO)
    harness.revealed()
    assert harness.scene is SceneName.REVEAL
    (event,) = harness.events_of(Revealed)
    assert (event.showdown.hands, event.dice) == (tuple(map(Hand, HANDS)), (2, 3, 3))


def test_lost_devices_are_told_and_stop_nothing() -> None:
    harness = called()
    effects = harness[2].lose(Device.BOARD)
    assert {effect.seat for effect in effects if isinstance(effect, Show)} == {0, 1, 2}
    harness.revealed()
    assert harness.scene is SceneName.REVEAL


def test_who_loses_the_last_die_falls_with_the_reveal() -> None:
    harness = lay_out(PERUDO, [(2,), (5, 5)], Bid(7, 6))
    harness[1].tap(Button.DUDO)
    assert harness.game.fallen == ()
    assert harness.game.standings == (0, 1)
    harness.revealed()
    assert harness.game.fallen == (0,)
