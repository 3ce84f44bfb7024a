"""Between a call and the reveal everybody reads who called what, and nobody can do anything about it."""

import pytest
from support.table.harness import Evening, laid

from drivers.messages import Button, Device
from engine import CALZA, DUDO, KILL_SPOT, PALO_FIJO, PASS, PERUDO, PYRUDO, RULESETS, Bid, Hand, Reason, Rules
from firmware_host.journal import records
from firmware_host.table.effects import Publish, Show
from firmware_host.table.events import ActionTaken, Revealed
from firmware_host.table.scenes.called import CALL_SHOWN_NS, Called
from firmware_host.table.scenes.reveal import Reveal
from firmware_host.table.seat_view import SceneName, TableReason

HANDS = [(2, 2, 2), (5, 5, 5), (4, 4, 4)]
READ_S = CALL_SHOWN_NS / 1e9
every_rule_set = pytest.mark.parametrize("rules", RULESETS.values(), ids=str)


def called(rules: Rules = PYRUDO) -> Evening:
    evening = laid(rules, HANDS, Bid(7, 6))
    evening[1].tap(Button.DUDO)
    assert evening.scene is SceneName.CALLED
    return evening


@every_rule_set
def test_everybody_reads_who_called_what_on_which_bid(rules: Rules) -> None:
    for hand in called(rules):
        assert (hand.view.caller, hand.view.call) == (1, DUDO)
        assert hand.view.position is not None
        assert (hand.view.position.standing, hand.view.position.doubted) == (Bid(7, 6), 0)


def test_an_exact_call_is_read_the_same_way() -> None:
    evening = laid(PYRUDO, HANDS, Bid(3, 2))
    evening[1].pick(CALZA)
    assert (evening[2].view.caller, evening[2].view.call) == (1, CALZA)


def test_a_doubted_pass_is_read_as_one() -> None:
    evening = laid(PALO_FIJO, HANDS, Bid(3, 2))
    evening[1].pick(PASS)
    evening[2].tap(Button.DUDO)
    position = evening[0].view.position
    assert position is not None
    assert (evening[0].view.caller, position.passer) == (2, 1)


@every_rule_set
def test_no_view_holds_a_die_or_what_it_cost_before_the_reveal(rules: Rules) -> None:
    evening = called(rules)
    shown = [hand.view.position for hand in evening]
    published = [effect.state.position for effect in evening.effects if isinstance(effect, Publish)]
    for position in (*shown, published[-1]):
        assert position is not None
        assert position.showdown is None
        assert position.dice == (3, 3, 3)
    assert evening.told(Revealed) == []
    assert all(hand.show.look is None for hand in evening)


def test_the_scene_itself_shows_no_dice_as_text() -> None:
    assert repr(called().table.scene) == repr(laid_otherwise().table.scene)


def laid_otherwise() -> Evening:
    evening = laid(PYRUDO, [(6, 6, 6), (6, 6, 6), (1, 1, 1)], Bid(7, 6))
    evening[1].tap(Button.DUDO)
    return evening


def test_after_thirteen_tenths_of_a_second_the_cups_go_up() -> None:
    evening = laid(PYRUDO, HANDS, Bid(7, 6))
    evening[1].press(Button.DUDO)
    evening.wait(1.299)
    assert evening.scene is SceneName.CALLED
    evening.wait(0.001)
    assert evening.scene is SceneName.REVEAL
    (told,) = evening.told(Revealed)
    assert told.showdown.hands == tuple(map(Hand, HANDS))
    assert (evening[0].view.caller, evening[0].view.call) == (None, None)


@pytest.mark.parametrize("button", list(Button))
def test_no_button_does_anything(button: Button) -> None:
    evening = called()
    before = evening.table.scene
    for hand in evening:
        hand.tap(button)
        assert hand.notice is None
        assert hand.menu.items == ()
    assert evening.table.scene == before


def test_nobody_is_awaited() -> None:
    assert not any(hand.awaited for hand in called())


def test_a_peek_is_over_and_none_begins() -> None:
    evening = laid(PYRUDO, HANDS, Bid(7, 6))
    evening[0].tilt()
    evening[1].tap(Button.DUDO)
    evening[2].tilt()
    assert evening.open == set()
    evening.revealed()
    assert evening.open == set()


@pytest.mark.parametrize("rules", [KILL_SPOT, PERUDO], ids=str)
def test_a_call_that_comes_too_late_is_refused_with_its_sentence(rules: Rules) -> None:
    evening = laid(rules, HANDS, Bid(7, 6))
    stamp_ns = evening.now_ns
    evening[1].tap(Button.DUDO)
    assert evening.scene is SceneName.CALLED
    evening[2].press(Button.DUDO, at_ns=stamp_ns + 1)
    assert evening[2].notice is TableReason.BID_CHANGED
    assert [said.seat for said in evening.told(ActionTaken)] == [1]


def test_a_call_that_comes_through_only_in_the_reveal_is_refused_the_same_way() -> None:
    evening = laid(KILL_SPOT, HANDS, Bid(7, 6))
    stamp_ns = evening.now_ns
    evening[1].press(Button.DUDO)
    evening.revealed()
    evening[2].press(Button.DUDO, at_ns=stamp_ns + 1)
    assert evening[2].notice is TableReason.BID_CHANGED


def test_a_raise_that_was_under_way_is_refused() -> None:
    evening = laid(KILL_SPOT, HANDS, Bid(2, 2))
    evening[1].press(Button.OK)
    evening[2].tap(Button.DUDO)
    evening[1].release(Button.OK)
    assert evening.scene is SceneName.CALLED
    assert evening[1].notice is TableReason.BID_CHANGED


def test_ok_that_is_let_go_of_in_the_reveal_has_not_seen_it() -> None:
    evening = called()
    evening.wait(READ_S - 0.2)
    evening[0].press()
    evening.wait(0.2)
    assert evening.scene is SceneName.REVEAL
    evening[0].release()
    assert isinstance(evening.table.scene, Reveal)
    assert evening.table.scene.seen == ()
    assert evening[0].notice is TableReason.MENU_CHANGED


def test_a_shake_is_too_early() -> None:
    evening = called()
    evening[0].shake()
    assert evening[0].notice is TableReason.LOOK_FIRST
    assert evening.scene is SceneName.CALLED


def test_the_time_to_look_begins_with_the_reveal() -> None:
    evening = called()
    evening.revealed()
    evening.wait(2.3)
    evening[0].shake()
    assert evening.scene is SceneName.REVEAL


def test_who_is_out_is_told_so() -> None:
    evening = laid(PYRUDO, [(2, 2), (5, 5), ()], Bid(7, 6), fallen=(2,))
    evening[1].tap(Button.DUDO)
    evening[2].tap()
    assert evening[2].notice is Reason.OUT


def test_a_table_that_comes_up_in_it_settles_nothing_again() -> None:
    scene = called().table.scene
    back = records.decode_scene(scene.name, records.encode_scene(scene))
    assert isinstance(back, Called)
    evening = Evening(PYRUDO, 3, scene=back)
    assert (evening[0].view.caller, evening[0].view.call) == (1, DUDO)
    evening.revealed()
    assert evening.scene is SceneName.REVEAL
    (told,) = evening.told(Revealed)
    assert (told.showdown.hands, told.dice) == (tuple(map(Hand, HANDS)), (2, 3, 3))


def test_lost_devices_are_told_and_stop_nothing() -> None:
    evening = called()
    effects = evening[2].lose(Device.BOARD)
    assert {effect.seat for effect in effects if isinstance(effect, Show)} == {0, 1, 2}
    evening.revealed()
    assert evening.scene is SceneName.REVEAL


def test_who_loses_the_last_die_falls_with_the_reveal() -> None:
    evening = laid(PERUDO, [(2,), (5, 5)], Bid(7, 6))
    evening[1].tap(Button.DUDO)
    assert evening.game.fallen == ()
    assert evening.game.standings == (0, 1)
    evening.revealed()
    assert evening.game.fallen == (0,)
