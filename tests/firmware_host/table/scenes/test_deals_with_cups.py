"""Cups with a program of their own bind themselves before the shake and open after it, whatever happens to them."""

import random
from collections.abc import Collection
from typing import Any

import pytest
from support.table.harness import SECOND, Evening
from support.table.program_cup import ProgramCup

from drivers.messages import Button, Device, Drawn, Opened, Settled
from engine import OBLIGING, PERUDO, RULESETS, Reason, Rules
from firmware_host.fairness.chain import EMPTY_HEAD, head_text, next_head
from firmware_host.fairness.commitments import cup_commitment
from firmware_host.journal import records
from firmware_host.table.effects import Announce, Effect, Publish, Record, Seeded
from firmware_host.table.events import (
    ActionTaken,
    ChainEntryAdded,
    CupSettled,
    DealFailure,
    DealRepeated,
    OrderRolled,
    Revealed,
    RoundBegan,
)
from firmware_host.table.menu import MenuCommand
from firmware_host.table.scenes.deal import RequestCommitment, RequestEntropy
from firmware_host.table.scenes.revealing_entropy import RevealingEntropy
from firmware_host.table.seat_view import SceneName
from firmware_host.table.table import Table

BOARDS = range(3)


def begun(programs: Collection[int] = BOARDS, rules: Rules = PERUDO, seed: int = 0) -> Evening:
    """Three players are to shake."""
    return Evening(rules, 3, seed=seed, programs=programs).joined()


def proven(evening: Evening) -> list[str]:
    """The lines of deals so far, without their hashes."""
    lines = [event.line for event in evening.told(ChainEntryAdded) if event.line.startswith("deal")]
    return [" ".join(word for word in line.split() if len(word) < 16) for line in lines]


def shaken(evening: Evening, *seats: int) -> Evening:
    for seat in seats:
        evening[seat].shake()
    return evening


def drawn(evening: Evening) -> list[int]:
    """The seats that were asked to bind themselves."""
    return [effect.seat for effect in evening.effects if isinstance(effect, RequestCommitment)]


# What is told, and when


def test_at_a_table_of_boards_all_are_bound_before_anybody_shakes_and_opened_after() -> None:
    evening = begun()
    assert proven(evening) == ["deal 1 house", "deal 1 cup 0", "deal 1 cup 1", "deal 1 cup 2"]
    shaken(evening, 0, 1, 2)
    assert evening.scene is SceneName.BIDDING
    assert proven(evening)[4:] == ["deal 1 sealed"]


def test_at_a_wired_table_each_share_is_bound_as_it_comes() -> None:
    evening = begun(())
    shaken(evening, 2)
    assert proven(evening) == ["deal 1 house", "deal 1 switch 2"]
    shaken(evening, 0, 1)
    assert proven(evening)[2:] == ["deal 1 switch 0", "deal 1 switch 1", "deal 1 sealed"]
    assert drawn(evening) == []


def test_at_a_mixed_table_cups_are_bound_first() -> None:
    evening = begun([1])
    shaken(evening, 2, 1)
    evening[0].lose(Device.CUP)
    evening[0].tap()
    assert proven(evening) == ["deal 1 house", "deal 1 cup 1", "deal 1 switch 2", "deal 1 button 0", "deal 1 sealed"]
    assert evening.scene is SceneName.BIDDING


def test_a_switch_that_is_shaken_before_the_seed_is_here_is_bound_after_the_house() -> None:
    evening = Evening(PERUDO, 2, seeds_at_once=False)
    for hand in evening:
        hand.tap()
    evening[0].pick(MenuCommand.START)
    evening.wait(5)
    evening.give_seed()
    shaken(evening, 0, 1)
    assert proven(evening) == []
    evening.give_seed()
    assert proven(evening) == ["deal 1 house", "deal 1 switch 0", "deal 1 switch 1", "deal 1 sealed"]


def called(evening: Evening) -> Evening:
    """A bid, a call, and the cups are up."""
    evening.turn.tap()
    evening.turn.tap(Button.DUDO)
    return evening.revealed()


@pytest.mark.parametrize("programs", [(), (1,), BOARDS], ids=str)
def test_a_deal_is_opened_with_the_reveal_and_not_before(programs: Collection[int]) -> None:
    evening = shaken(begun(programs), 0, 1, 2)
    assert not [line for line in proven(evening) if "seed" in line or "opens" in line]
    called(evening)
    assert proven(evening)[-4:] == ["deal 1 seed", "deal 1 opens 0", "deal 1 opens 1", "deal 1 opens 2"]
    at = [type(event) for event in evening.said]
    assert at.index(Revealed) == len(at) - 5


def test_a_roll_for_the_order_is_opened_at_once_and_ties_roll_a_deal_of_their_own() -> None:
    evenings = (shaken(begun((0, 1), OBLIGING, seed), 0, 1, 2) for seed in range(99))
    evening = next(evening for evening in evenings if len(evening[0].view.waiting_for) == 2)
    (rolled,) = evening.told(OrderRolled)
    assert rolled.order == ()
    tied = evening[0].view.waiting_for
    assert proven(evening)[5:9] == ["deal 1 seed", "deal 1 opens 0", "deal 1 opens 1", "deal 1 opens 2"]
    assert proven(evening)[9:] == ["deal 2 house", *(f"deal 2 cup {player}" for player in tied if player < 2)]


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_the_head_is_that_of_all_lines_and_all_that_was_said(rules: Rules) -> None:
    evening = Evening(rules, 3, programs=[0, 2]).joined().until_over(random.Random(1))
    head, heads = EMPTY_HEAD, [""]
    for event in evening.said:
        if isinstance(event, ChainEntryAdded):
            head = next_head(head, event.line)
            assert event.head == head_text(head)
        elif isinstance(event, ActionTaken):
            head = next_head(head, f"{evening.game.player(event.seat)}:{event.action}")
        heads.append(head_text(head))
    assert evening.game.head == head
    published = {effect.state.head for effect in evening.effects if isinstance(effect, Publish)} - {None}
    assert published <= set(heads)
    assert evening[1].view.head == head_text(head)[:16]


def test_eleven_letters_of_the_head_are_on_the_display_while_cups_are_shaken() -> None:
    evening = begun()
    assert [hand.view.head for hand in evening] == [head_text(evening.game.head)[:11]] * 3
    shaken(evening, 0, 1, 2)
    assert evening[0].view.head == ""


def opened_after(effects: list[Effect], deal: str) -> None:
    """Hold that no cup is asked to open before its deal is sealed on disk and in public."""
    for place, effect in enumerate(effects):
        if isinstance(effect, RequestEntropy):
            before = effects[:place]
            assert isinstance([each.scene for each in before if isinstance(each, Record)][-1], RevealingEntropy)
            lines = [
                each.event.line
                for each in before
                if isinstance(each, Announce) and isinstance(each.event, ChainEntryAdded)
            ]
            assert lines[-1] == f"{deal} sealed"
            states = [each.state for each in before if isinstance(each, Publish)]
            assert states[-1].head == head_text(effect.head)


def test_no_cup_is_asked_to_open_before_the_seal_is_on_disk_and_public() -> None:
    evening = shaken(begun(), 0, 1, 2)
    assert [effect.seat for effect in evening.effects if isinstance(effect, RequestEntropy)] == [0, 1, 2]
    opened_after(evening.effects, "deal 1")


@pytest.mark.parametrize("first", [RequestEntropy, Announce], ids=["an opening", "a proof"])
def test_what_came_before_its_record_would_be_noticed(first: type, monkeypatch: pytest.MonkeyPatch) -> None:
    after = Table._effects

    def too_early(*given: Any) -> list[Effect]:
        return sorted(after(*given), key=lambda effect: not isinstance(effect, first))

    monkeypatch.setattr(Table, "_effects", too_early)
    with pytest.raises(AssertionError, match="effects out of order"):
        shaken(begun(), 0, 1, 2)


def test_binding_and_opening_take_one_record_each_however_many_cups_there_are() -> None:
    evening = begun()
    kinds = [records.scene_name(scene) for scene in evening.records]
    assert kinds[kinds.index("shaking") :] == ["shaking"] * 3  # the round, the seed, who is bound
    before = len(evening.records)
    shaken(evening, 0, 1, 2)
    kinds = [records.scene_name(scene) for scene in evening.records[before:]]
    assert kinds == ["shaking", "shaking", "opening", "bidding"]


def test_a_wired_table_writes_no_more_than_it_ever_did() -> None:
    evening = begun(())
    before = len(evening.records)
    shaken(evening, 0, 1, 2)
    assert [records.scene_name(scene) for scene in evening.records[before:]] == ["shaking", "shaking", "bidding"]


# Cups that are away


def test_a_cup_that_is_away_as_the_round_begins_has_no_say_but_its_shake_counts_once_it_is_back() -> None:
    evening = Evening(PERUDO, 3, programs=BOARDS)
    evening[1].unplug()
    evening.joined()
    assert proven(evening) == ["deal 1 house", "deal 1 cup 0", "deal 1 cup 2"]
    evening[1].find(Device.CUP)
    shaken(evening, 0, 1, 2)
    assert proven(evening)[3:] == ["deal 1 button 1", "deal 1 sealed"]
    assert evening.scene is SceneName.BIDDING
    assert called(evening).scene is SceneName.REVEAL


def test_a_cup_that_is_away_when_all_others_are_down_is_waited_for_and_may_be_rolled_by_button() -> None:
    evening = Evening(PERUDO, 3, programs=BOARDS)
    evening[1].unplug()
    shaken(evening.joined(), 0, 2)
    assert evening[0].view.waiting_for == (1,)
    assert evening[1].menu.items == (MenuCommand.ROLL,)
    evening[1].tap()
    assert evening.scene is SceneName.BIDDING
    assert evening.told(DealRepeated) == []


def test_a_cup_that_is_lost_while_it_is_asked_is_not_waited_for() -> None:
    evening = Evening(PERUDO, 3, programs=BOARDS)
    evening.cups[1].keeps_silent = True
    evening.joined()
    assert proven(evening) == []
    evening[1].unplug()
    assert proven(evening) == ["deal 1 house", "deal 1 cup 0", "deal 1 cup 2"]


def test_a_cup_that_is_back_while_others_are_still_asked_is_bound_with_them() -> None:
    evening = Evening(PERUDO, 3, programs=BOARDS)
    evening[2].unplug()
    evening.cups[1].keeps_silent = True
    evening.joined()
    evening[2].find(Device.CUP)
    evening.cups[1].keeps_silent = False
    evening.let_cups_answer()
    assert proven(evening) == ["deal 1 house", "deal 1 cup 0", "deal 1 cup 1", "deal 1 cup 2"]


@pytest.mark.parametrize("before", [(), (1,), (0, 1)], ids=["nobody down", "it down", "others down"])
def test_a_bound_cup_that_restarted_has_the_deal_repeated(before: tuple[int, ...]) -> None:
    evening = shaken(begun(), *before)
    evening[1].unplug()
    evening[1].find(Device.CUP)
    assert evening.told(DealRepeated) == [DealRepeated(1, 1, DealFailure.FORGOTTEN)]
    assert evening[0].view.waiting_for == (0, 1, 2)
    assert proven(evening)[-4:] == ["deal 2 house", "deal 2 cup 0", "deal 2 cup 1", "deal 2 cup 2"]
    assert len(evening.told(RoundBegan)) == 1
    shaken(evening, 0, 1, 2)
    assert evening.scene is SceneName.BIDDING
    assert evening.game.deals == 2


def test_a_bound_cup_that_was_away_but_kept_its_word_goes_on_and_its_player_shakes_again() -> None:
    evening = shaken(begun(), 0, 1)
    evening[1].lose(Device.CUP)
    assert evening[0].view.waiting_for == (1, 2)
    evening[1].find(Device.CUP)
    shaken(evening, 1, 2)
    assert evening.scene is SceneName.BIDDING
    assert evening.told(DealRepeated) == []
    assert proven(evening).count("deal 1 cup 1") == 1


def test_a_bound_cup_that_is_gone_for_good_is_rolled_by_button_in_a_repeated_deal() -> None:
    evening = shaken(begun(), 0, 1)
    evening[1].unplug()
    assert evening[1].menu.items == (MenuCommand.ROLL,)
    evening[1].tap()
    assert evening.told(DealRepeated) == [DealRepeated(1, 1, DealFailure.LOST)]
    assert evening[0].view.waiting_for == (0, 2)
    assert proven(evening)[-4:] == ["deal 2 house", "deal 2 cup 0", "deal 2 cup 2", "deal 2 button 1"]
    shaken(evening, 0, 2)
    assert evening.scene is SceneName.BIDDING


def sealed(*silent: int) -> Evening:
    """All are down and some cups have not said yet what they hold."""
    evening = begun()
    for seat in silent:
        evening[seat].cup.keeps_silent = True
    shaken(evening, 0, 1, 2)
    assert isinstance(evening.table.scene, RevealingEntropy)
    return evening


def test_a_cup_that_is_pulled_after_the_seal_and_before_it_opened_has_the_deal_repeated() -> None:
    evening = sealed(1, 2)
    evening[2].unplug()
    assert evening.told(DealRepeated) == [DealRepeated(1, 2, DealFailure.LOST)]
    assert evening[0].view.waiting_for == (0, 1, 2)
    for seat in (1, 2):
        evening[seat].cup.keeps_silent = False
    evening[2].find(Device.CUP)
    shaken(evening, 0, 1, 2)
    assert evening.scene is SceneName.BIDDING


def test_a_cup_that_is_pulled_after_it_opened_changes_nothing() -> None:
    evening = sealed(1)
    evening[0].unplug()
    evening[1].cup.keeps_silent = False
    evening.let_cups_answer()
    assert evening.scene is SceneName.BIDDING
    assert evening.told(DealRepeated) == []


def test_nothing_is_waited_for_while_cups_open() -> None:
    evening = sealed(1)
    assert evening.scene is SceneName.SHAKING
    assert evening[0].view.waiting_for == ()
    evening[0].tap()
    evening[0].tilt()
    assert evening[0].notice is None
    assert not evening[0].looks


def test_a_cup_that_is_lifted_while_cups_open_shows_its_dice_as_they_fall() -> None:
    evening = sealed(1)
    evening[0].tilt()
    evening[1].cup.keeps_silent = False
    evening.let_cups_answer()
    assert evening.open == {0}


@pytest.mark.parametrize("device", [Device.BUTTONS, Device.PANEL])
def test_what_is_no_cup_can_be_lost_while_cups_open(device: Device) -> None:
    evening = sealed(1)
    evening[1].lose(device)
    assert evening.told(DealRepeated) == []


def test_a_board_is_a_cup() -> None:
    evening = sealed(1)
    evening[1].lose(Device.BOARD)
    assert evening.told(DealRepeated) == [DealRepeated(1, 1, DealFailure.LOST)]


# Cups that do not keep their word


def test_a_cup_that_says_nothing_when_all_are_down_has_the_deal_repeated_after_two_seconds() -> None:
    evening = sealed(1)
    evening.wait(1.99)
    assert evening.told(DealRepeated) == []
    evening.wait(0.01)
    assert evening.told(DealRepeated) == [DealRepeated(1, 1, DealFailure.SILENT)]


def test_a_cup_that_is_silent_twice_running_has_no_say_any_more_and_its_shake_counts_as_a_press() -> None:
    evening = sealed(1)
    evening.wait(2)
    evening[1].cup.keeps_silent = False
    evening.let_cups_answer()  # to draw
    evening[1].cup.keeps_silent = True
    shaken(evening, 0, 1, 2)
    evening.wait(2)
    assert [told.why for told in evening.told(DealRepeated)] == [DealFailure.SILENT] * 2
    shaken(evening, 0, 1, 2)
    assert evening.scene is SceneName.BIDDING
    assert "deal 3 button 1" in proven(evening)
    assert "deal 3 cup 1" not in proven(evening)


def test_a_cup_that_was_not_trusted_is_asked_again_once_it_was_plugged_in_again() -> None:
    evening = sealed(1)
    evening.wait(2)
    evening[1].cup.keeps_silent = False
    evening.let_cups_answer()
    evening[1].cup.keeps_silent = True
    shaken(evening, 0, 1, 2)
    evening.wait(2)
    shaken(evening, 0, 1, 2)
    evening[1].unplug()
    evening[1].cup.keeps_silent = False
    evening[1].find(Device.CUP)
    called(evening)
    evening.wait(3)
    evening[0].shake()
    assert "deal 4 cup 1" in proven(evening)


def test_a_cup_with_a_loose_cable_does_not_keep_the_others_shaking_for_ever() -> None:
    evening = begun()
    for _ in range(5):
        evening[1].unplug()
        evening[1].find(Device.CUP)
    assert [told.deal for told in evening.told(DealRepeated)] == [1, 2]
    shaken(evening, 0, 1, 2)
    assert evening.scene is SceneName.BIDDING
    assert "deal 3 button 1" in proven(evening)


def test_a_cup_that_does_not_bind_itself_is_left_out_after_two_seconds() -> None:
    evening = Evening(PERUDO, 3, programs=BOARDS)
    evening.cups[1].keeps_silent = True
    evening.joined()
    evening.wait(1.9)
    assert proven(evening) == []
    evening.wait(0.1)
    assert proven(evening) == ["deal 1 house", "deal 1 cup 0", "deal 1 cup 2"]
    evening.cups[1].keeps_silent = False
    evening.let_cups_answer()  # too late
    shaken(evening, 0, 1, 2)
    assert proven(evening)[3:] == ["deal 1 button 1", "deal 1 sealed"]


def test_who_has_shaken_while_another_cup_was_still_asked_need_not_shake_again() -> None:
    evening = Evening(PERUDO, 3, programs=BOARDS)
    evening.cups[1].keeps_silent = True
    evening.joined()
    shaken(evening, 0, 2)
    assert evening.told(CupSettled) == []
    evening.wait(2)
    assert evening[0].view.waiting_for == (1,)
    assert evening.told(CupSettled) == [CupSettled(0), CupSettled(2)]
    shaken(evening, 1)
    assert evening.scene is SceneName.BIDDING


def test_a_cup_that_opens_something_else_has_the_deal_repeated() -> None:
    evening = sealed(1)
    evening.send(Opened(1, evening[1].cup.deal, bytes(32)))
    assert evening.told(DealRepeated) == [DealRepeated(1, 1, DealFailure.WRONG)]
    assert evening[0].view.waiting_for == (0, 1, 2)


def test_a_cup_that_binds_itself_to_two_things_has_the_deal_repeated_and_at_last_no_say() -> None:
    evening = begun()
    for number in (1, 2):
        evening.send(Drawn(1, evening[1].cup.deal, bytes([number]) * 32))
    assert [told.why for told in evening.told(DealRepeated)] == [DealFailure.FORGOTTEN] * 2
    assert proven(evening)[-3:] == ["deal 3 house", "deal 3 cup 0", "deal 3 cup 2"]
    evening.send(Drawn(1, evening[0].cup.deal, bytes(32)))
    assert len(evening.told(DealRepeated)) == 2


def test_a_cup_that_says_the_same_twice_says_nothing_new() -> None:
    evening = begun()
    before = evening.table.scene
    effects = evening.send(Drawn(1, evening[1].cup.deal, cup_commitment(evening[1].cup.deal, evening[1].cup.entropy)))
    assert evening.table.scene == before
    assert effects == []


@pytest.mark.parametrize("deal", [bytes(32), b""])
def test_answers_about_another_deal_are_passed_over(deal: bytes) -> None:
    evening = begun()
    assert evening.send(Drawn(1, deal, bytes(32))) == []
    assert evening.send(Opened(1, deal, bytes(32))) == []
    evening = sealed(1)
    assert evening.send(Drawn(1, deal, bytes(32))) == []
    assert evening.send(Opened(1, deal, bytes(32))) == []


def test_answers_in_any_other_part_of_the_evening_are_passed_over() -> None:
    evening = Evening(PERUDO, 3, programs=BOARDS)
    for step in (lambda: None, evening.joined, lambda: shaken(evening, 0, 1, 2), lambda: called(evening)):
        step()
        for answer in (Drawn(1, bytes(32), bytes(32)), Opened(1, bytes(32), bytes(32))):
            assert evening.send(answer) == []


def test_answers_of_who_does_not_play_are_passed_over() -> None:
    evening = Evening(PERUDO, 3, programs=BOARDS).joined(0, 1)
    assert drawn(evening) == [0, 1]
    assert evening.send(Drawn(2, evening[0].cup.deal, bytes(32))) == []


def test_an_opening_before_the_seal_is_passed_over() -> None:
    evening = begun()
    assert evening.send(Opened(1, evening[1].cup.deal, evening[1].cup.entropy)) == []


# Shakes


def test_a_shake_by_who_is_out_is_in_no_deal() -> None:
    evening = Evening(PERUDO, 3, programs=BOARDS).joined()
    while all(evening.position.dice):
        shaken(evening, *(hand.seat for hand in evening if hand.awaited))
        called(evening)
        evening.wait(31)
    out = evening.position.dice.index(0)
    evening[out].shake()
    assert evening[out].notice is Reason.OUT
    assert drawn(evening)[-2:] == [seat for seat in range(3) if seat != out]
    shaken(evening, *(hand.seat for hand in evening if hand.awaited))
    last = [line for line in proven(evening) if line.startswith(f"deal {evening.game.deals} ")]
    assert len(last) == 4
    assert not [line for line in last if line.endswith(f" {out}")]


def test_the_shake_that_ends_a_reveal_counts() -> None:
    evening = called(shaken(begun(), 0, 1, 2))
    evening.wait(3)
    evening[2].shake()
    assert evening.scene is SceneName.SHAKING
    assert evening[0].view.waiting_for == (0, 1)
    shaken(evening, 0, 1)
    assert evening.scene is SceneName.BIDDING
    assert evening.told(DealRepeated) == []


def test_a_shake_that_was_over_before_the_cup_was_asked_does_not_count() -> None:
    evening = called(shaken(begun(), 0, 1, 2))
    settled_ns = evening.now_ns + SECOND
    evening.wait(31)
    evening.send(Settled(1, settled_ns, b""))  # the link had to repeat it
    assert evening[0].view.waiting_for == (0, 1, 2)


def test_a_seed_that_comes_twice_asks_nobody_twice() -> None:
    evening = begun()
    assert evening.send(Seeded(bytes(32))) == []


def test_what_a_cup_holds_decides_the_dice_and_a_switch_beside_it_does_not() -> None:
    def dealt(cup: int, switch: bytes) -> object:
        evening = Evening(PERUDO, 2, cups={1: ProgramCup(1, random.Random(cup))}).joined()
        evening[0].shake(switch)
        evening[1].shake()
        return evening.table.scene.look(0)

    assert dealt(1, b"a") == dealt(1, b"b")
    assert dealt(1, b"a") != dealt(2, b"a")


# Restarts


def on_the_way(step: str) -> Evening:
    """An evening of two boards and a switch, as far as this step of its first deal."""
    evening = Evening(PERUDO, 3, programs=(0, 1))
    for cup in evening.cups.values():
        cup.keeps_silent = step == "asked"
    evening.joined()
    downs = ("bound", "one down", "two down", "sealed", "dealt").index(step) if step != "asked" else 0
    if step == "sealed":
        evening.cups[1].keeps_silent = True
    for seat in (2, 0, 1)[:downs]:
        evening[seat].shake(b"the same")
    return evening


def come_up(before: Evening) -> Evening:
    """The same table after its program restarted, with the same cups."""
    scene = before.records[-1]
    return Evening(
        PERUDO, 3, cups=before.cups, scene=records.decode_scene(records.scene_name(scene), records.encode_scene(scene))
    )


STEPS = ["asked", "bound", "one down", "two down", "sealed"]


@pytest.mark.parametrize("step", STEPS)
def test_a_table_that_comes_up_at_any_step_comes_to_the_same_dice(step: str) -> None:
    undisturbed, before = on_the_way("dealt"), on_the_way(step)
    again = come_up(before)
    for cup in again.cups.values():
        cup.keeps_silent = False
    again.let_cups_answer()
    assert again.told(DealRepeated) == []
    for seat in (2, 0, 1):
        if again[seat].awaited:
            again[seat].shake(b"the same")
    assert again.scene is SceneName.BIDDING
    assert [again.table.scene.look(seat) for seat in range(3)] == [
        undisturbed.table.scene.look(seat) for seat in range(3)
    ]
    assert again.game.head == undisturbed.game.head
    heads = [event.head for evening in (before, again) for event in evening.told(ChainEntryAdded)]
    assert heads == [
        event.head for event in undisturbed.told(ChainEntryAdded)
    ]  # nothing is told twice, nothing otherwise


@pytest.mark.parametrize("step", STEPS)
def test_when_power_fails_everywhere_the_deal_is_repeated_unless_nobody_is_bound(step: str) -> None:
    before = on_the_way(step)
    for cup in before.cups.values():
        cup.start()
        cup.keeps_silent = False
    again = come_up(before)
    again.wait(2)
    assert [told.deal for told in again.told(DealRepeated)] == ([] if step == "asked" else [1])
    shaken(again, *(hand.seat for hand in again if hand.awaited))
    assert again.scene is SceneName.BIDDING


def test_a_table_that_comes_up_before_its_seed_asks_for_one() -> None:
    before = Evening(PERUDO, 3, programs=(0, 1), seeds_at_once=False)
    for hand in before:
        hand.tap()
    before[0].pick(MenuCommand.START)
    before.wait(5)
    before.give_seed()
    again = come_up(before)
    assert proven(again) == ["deal 1 house", "deal 1 cup 0", "deal 1 cup 1"]
