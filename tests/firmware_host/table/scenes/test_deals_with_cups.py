"""Cups with a program of their own bind themselves before the shake and open after it, whatever happens to them."""

import random
from collections.abc import Collection
from typing import Any

import pytest
from support.table.harness import SECOND, TableHarness
from support.table.program_cup import ProgramCup

from drivers.messages import Button, Device, Drawn, Opened, Settled
from engine import OBLIGING, PERUDO, RULESETS, Reason, Rules
from firmware_host.fairness.chain import EMPTY_HEAD, head_text, next_head
from firmware_host.fairness.commitments import cup_commitment
from firmware_host.store.journal import records
from firmware_host.table.effects import Announce, Effect, Publish, Record, Seeded
from firmware_host.table.events import ActionTaken, DealFailure, OrderRolled, Revealed, RoundBegan
from firmware_host.table.scenes.deal import RequestCommitment, RequestEntropy
from firmware_host.table.scenes.revealing_entropy import RevealingEntropy
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName
from firmware_host.table.table import Table
from firmware_host.wire import ChainEntryAdded, CupSettled, DealRepeated

BOARDS = range(3)


def begun(programs: Collection[int] = BOARDS, rules: Rules = PERUDO, seed: int = 0) -> TableHarness:
    """Three players are to shake."""
    return TableHarness(rules, 3, seed=seed, programs=programs).joined()


def proven(harness: TableHarness) -> list[str]:
    """Return the lines of deals so far, without their hashes."""
    lines = [event.line for event in harness.events_of(ChainEntryAdded) if event.line.startswith("deal")]
    return [" ".join(word for word in line.split() if len(word) < 16) for line in lines]


def shaken(harness: TableHarness, *seats: int) -> TableHarness:
    for seat in seats:
        harness[seat].shake()
    return harness


def drawn(harness: TableHarness) -> list[int]:
    """Return the seats that were asked to bind themselves."""
    return [effect.seat for effect in harness.effects if isinstance(effect, RequestCommitment)]


# What is told, and when


def test_at_a_table_of_boards_all_are_bound_before_anybody_shakes_and_opened_after() -> None:
    harness = begun()
    assert proven(harness) == ["deal 1 house", "deal 1 cup 0", "deal 1 cup 1", "deal 1 cup 2"]
    shaken(harness, 0, 1, 2)
    assert harness.scene is SceneName.BIDDING
    assert proven(harness)[4:] == ["deal 1 sealed"]


def test_at_a_wired_table_each_share_is_bound_as_it_comes() -> None:
    harness = begun(())
    shaken(harness, 2)
    assert proven(harness) == ["deal 1 house", "deal 1 switch 2"]
    shaken(harness, 0, 1)
    assert proven(harness)[2:] == ["deal 1 switch 0", "deal 1 switch 1", "deal 1 sealed"]
    assert drawn(harness) == []


def test_at_a_mixed_table_cups_are_bound_first() -> None:
    harness = begun([1])
    shaken(harness, 2, 1)
    harness[0].lose(Device.CUP)
    harness[0].tap()
    assert proven(harness) == ["deal 1 house", "deal 1 cup 1", "deal 1 switch 2", "deal 1 button 0", "deal 1 sealed"]
    assert harness.scene is SceneName.BIDDING


def test_a_switch_that_is_shaken_before_the_seed_is_here_is_bound_after_the_house() -> None:
    harness = TableHarness(PERUDO, 2, seeds_at_once=False)
    for hand in harness:
        hand.tap()
    harness[0].pick(MenuCommand.START)
    harness.wait(5)
    harness.give_seed()
    shaken(harness, 0, 1)
    assert proven(harness) == []
    harness.give_seed()
    assert proven(harness) == ["deal 1 house", "deal 1 switch 0", "deal 1 switch 1", "deal 1 sealed"]


def called(harness: TableHarness) -> TableHarness:
    """Return a table after a bid and a call, with its cups up."""
    harness.turn.tap()
    harness.turn.tap(Button.DUDO)
    return harness.revealed()


@pytest.mark.parametrize("programs", [(), (1,), BOARDS], ids=str)
def test_a_deal_is_opened_with_the_reveal_and_not_before(programs: Collection[int]) -> None:
    harness = shaken(begun(programs), 0, 1, 2)
    assert not [line for line in proven(harness) if "seed" in line or "opens" in line]
    called(harness)
    assert proven(harness)[-4:] == ["deal 1 seed", "deal 1 opens 0", "deal 1 opens 1", "deal 1 opens 2"]
    at = [type(event) for event in harness.events]
    assert at.index(Revealed) == len(at) - 5


def test_a_roll_for_the_order_is_opened_at_once_and_ties_roll_a_deal_of_their_own() -> None:
    harnesses = (shaken(begun((0, 1), OBLIGING, seed), 0, 1, 2) for seed in range(99))
    harness = next(harness for harness in harnesses if len(harness[0].view.waiting_for) == 2)
    (rolled,) = harness.events_of(OrderRolled)
    assert rolled.order == ()
    tied = harness[0].view.waiting_for
    assert proven(harness)[5:9] == ["deal 1 seed", "deal 1 opens 0", "deal 1 opens 1", "deal 1 opens 2"]
    assert proven(harness)[9:] == ["deal 2 house", *(f"deal 2 cup {player}" for player in tied if player < 2)]


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_the_head_is_that_of_all_lines_and_all_that_was_said(rules: Rules) -> None:
    harness = TableHarness(rules, 3, programs=[0, 2]).joined().until_over(random.Random(1))
    head, heads = EMPTY_HEAD, [""]
    for event in harness.events:
        if isinstance(event, ChainEntryAdded):
            head = next_head(head, event.line)
            assert event.head == head_text(head)
        elif isinstance(event, ActionTaken):
            head = next_head(head, f"{harness.game.player(event.seat)}:{event.action}")
        heads.append(head_text(head))
    assert harness.game.head == head
    published = {effect.state.head for effect in harness.effects if isinstance(effect, Publish)} - {None}
    assert published <= set(heads)
    assert harness[1].view.head == head_text(head)[:16]


def test_twelve_letters_of_the_head_are_on_the_display_while_cups_are_shaken() -> None:
    harness = begun()
    assert [hand.view.head for hand in harness] == [head_text(harness.game.head)[:12]] * 3
    shaken(harness, 0, 1, 2)
    assert harness[0].view.head == ""


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
    harness = shaken(begun(), 0, 1, 2)
    assert [effect.seat for effect in harness.effects if isinstance(effect, RequestEntropy)] == [0, 1, 2]
    opened_after(harness.effects, "deal 1")


@pytest.mark.parametrize("first", [RequestEntropy, Announce], ids=["an opening", "a proof"])
def test_what_came_before_its_record_would_be_noticed(first: type, monkeypatch: pytest.MonkeyPatch) -> None:
    after = Table._effects

    def too_early(*given: Any) -> list[Effect]:
        return sorted(after(*given), key=lambda effect: not isinstance(effect, first))

    monkeypatch.setattr(Table, "_effects", too_early)
    with pytest.raises(AssertionError, match="effects out of order"):
        shaken(begun(), 0, 1, 2)


def test_binding_and_opening_take_one_record_each_however_many_cups_there_are() -> None:
    harness = begun()
    kinds = [records.scene_name(scene) for scene in harness.records]
    assert kinds[kinds.index("shaking") :] == ["shaking"] * 3  # the round, the seed, who is bound
    before = len(harness.records)
    shaken(harness, 0, 1, 2)
    kinds = [records.scene_name(scene) for scene in harness.records[before:]]
    assert kinds == ["shaking", "shaking", "opening", "bidding"]


def test_a_wired_table_writes_no_more_than_it_ever_did() -> None:
    harness = begun(())
    before = len(harness.records)
    shaken(harness, 0, 1, 2)
    assert [records.scene_name(scene) for scene in harness.records[before:]] == ["shaking", "shaking", "bidding"]


# Cups that are away


def test_a_cup_that_is_away_as_the_round_begins_has_no_say_but_its_shake_counts_once_it_is_back() -> None:
    harness = TableHarness(PERUDO, 3, programs=BOARDS)
    harness[1].unplug()
    harness.joined()
    assert proven(harness) == ["deal 1 house", "deal 1 cup 0", "deal 1 cup 2"]
    harness[1].find(Device.CUP)
    shaken(harness, 0, 1, 2)
    assert proven(harness)[3:] == ["deal 1 button 1", "deal 1 sealed"]
    assert harness.scene is SceneName.BIDDING
    assert called(harness).scene is SceneName.REVEAL


def test_a_cup_that_is_away_when_all_others_are_down_is_waited_for_and_may_be_rolled_by_button() -> None:
    harness = TableHarness(PERUDO, 3, programs=BOARDS)
    harness[1].unplug()
    shaken(harness.joined(), 0, 2)
    assert harness[0].view.waiting_for == (1,)
    assert harness[1].menu.items == (MenuCommand.ROLL,)
    harness[1].tap()
    assert harness.scene is SceneName.BIDDING
    assert harness.events_of(DealRepeated) == []


def test_a_cup_that_is_lost_while_it_is_asked_is_not_waited_for() -> None:
    harness = TableHarness(PERUDO, 3, programs=BOARDS)
    harness.cups[1].keeps_silent = True
    harness.joined()
    assert proven(harness) == []
    harness[1].unplug()
    assert proven(harness) == ["deal 1 house", "deal 1 cup 0", "deal 1 cup 2"]


def test_a_cup_that_is_back_while_others_are_still_asked_is_bound_with_them() -> None:
    harness = TableHarness(PERUDO, 3, programs=BOARDS)
    harness[2].unplug()
    harness.cups[1].keeps_silent = True
    harness.joined()
    harness[2].find(Device.CUP)
    harness.cups[1].keeps_silent = False
    harness.let_cups_answer()
    assert proven(harness) == ["deal 1 house", "deal 1 cup 0", "deal 1 cup 1", "deal 1 cup 2"]


@pytest.mark.parametrize("before", [(), (1,), (0, 1)], ids=["nobody down", "it down", "others down"])
def test_a_bound_cup_that_restarted_has_the_deal_repeated(before: tuple[int, ...]) -> None:
    harness = shaken(begun(), *before)
    harness[1].unplug()
    harness[1].find(Device.CUP)
    assert harness.events_of(DealRepeated) == [DealRepeated(1, 1, DealFailure.FORGOTTEN)]
    assert harness[0].view.waiting_for == (0, 1, 2)
    assert proven(harness)[-4:] == ["deal 2 house", "deal 2 cup 0", "deal 2 cup 1", "deal 2 cup 2"]
    assert len(harness.events_of(RoundBegan)) == 1
    shaken(harness, 0, 1, 2)
    assert harness.scene is SceneName.BIDDING
    assert harness.game.deals == 2


def test_a_bound_cup_that_was_away_but_kept_its_word_goes_on_and_its_player_shakes_again() -> None:
    harness = shaken(begun(), 0, 1)
    harness[1].lose(Device.CUP)
    assert harness[0].view.waiting_for == (1, 2)
    harness[1].find(Device.CUP)
    shaken(harness, 1, 2)
    assert harness.scene is SceneName.BIDDING
    assert harness.events_of(DealRepeated) == []
    assert proven(harness).count("deal 1 cup 1") == 1


def test_a_bound_cup_that_is_gone_for_good_is_rolled_by_button_in_a_repeated_deal() -> None:
    harness = shaken(begun(), 0, 1)
    harness[1].unplug()
    assert harness[1].menu.items == (MenuCommand.ROLL,)
    harness[1].tap()
    assert harness.events_of(DealRepeated) == [DealRepeated(1, 1, DealFailure.LOST)]
    assert harness[0].view.waiting_for == (0, 2)
    assert proven(harness)[-4:] == ["deal 2 house", "deal 2 cup 0", "deal 2 cup 2", "deal 2 button 1"]
    shaken(harness, 0, 2)
    assert harness.scene is SceneName.BIDDING


def sealed(*silent: int) -> TableHarness:
    """Return a table with all cups down, of which some have not opened their commitments yet."""
    harness = begun()
    for seat in silent:
        harness[seat].cup.keeps_silent = True
    shaken(harness, 0, 1, 2)
    assert isinstance(harness.table.scene, RevealingEntropy)
    return harness


def test_a_cup_that_is_pulled_after_the_seal_and_before_it_opened_has_the_deal_repeated() -> None:
    harness = sealed(1, 2)
    harness[2].unplug()
    assert harness.events_of(DealRepeated) == [DealRepeated(1, 2, DealFailure.LOST)]
    assert harness[0].view.waiting_for == (0, 1, 2)
    for seat in (1, 2):
        harness[seat].cup.keeps_silent = False
    harness[2].find(Device.CUP)
    shaken(harness, 0, 1, 2)
    assert harness.scene is SceneName.BIDDING


def test_a_cup_that_is_pulled_after_it_opened_changes_nothing() -> None:
    harness = sealed(1)
    harness[0].unplug()
    harness[1].cup.keeps_silent = False
    harness.let_cups_answer()
    assert harness.scene is SceneName.BIDDING
    assert harness.events_of(DealRepeated) == []


def test_nothing_is_waited_for_while_cups_open() -> None:
    harness = sealed(1)
    assert harness.scene is SceneName.SHAKING
    assert harness[0].view.waiting_for == ()
    harness[0].tap()
    harness[0].tilt()
    assert harness[0].notice is None
    assert not harness[0].is_peeking


def test_a_cup_that_is_lifted_while_cups_open_shows_its_dice_as_they_fall() -> None:
    harness = sealed(1)
    harness[0].tilt()
    harness[1].cup.keeps_silent = False
    harness.let_cups_answer()
    assert harness.open == {0}


@pytest.mark.parametrize("device", [Device.BUTTONS, Device.PANEL])
def test_what_is_no_cup_can_be_lost_while_cups_open(device: Device) -> None:
    harness = sealed(1)
    harness[1].lose(device)
    assert harness.events_of(DealRepeated) == []


def test_a_board_is_a_cup() -> None:
    harness = sealed(1)
    harness[1].lose(Device.BOARD)
    assert harness.events_of(DealRepeated) == [DealRepeated(1, 1, DealFailure.LOST)]


# Cups that do not keep their word


def test_a_cup_that_says_nothing_when_all_are_down_has_the_deal_repeated_after_two_seconds() -> None:
    harness = sealed(1)
    harness.wait(1.99)
    assert harness.events_of(DealRepeated) == []
    harness.wait(0.01)
    assert harness.events_of(DealRepeated) == [DealRepeated(1, 1, DealFailure.SILENT)]


def test_a_cup_that_is_silent_twice_running_has_no_say_any_more_and_its_shake_counts_as_a_press() -> None:
    harness = sealed(1)
    harness.wait(2)
    harness[1].cup.keeps_silent = False
    harness.let_cups_answer()  # to draw
    harness[1].cup.keeps_silent = True
    shaken(harness, 0, 1, 2)
    harness.wait(2)
    assert [event.why for event in harness.events_of(DealRepeated)] == [DealFailure.SILENT] * 2
    shaken(harness, 0, 1, 2)
    assert harness.scene is SceneName.BIDDING
    assert "deal 3 button 1" in proven(harness)
    assert "deal 3 cup 1" not in proven(harness)


def test_a_cup_that_was_not_trusted_is_asked_again_once_it_was_plugged_in_again() -> None:
    harness = sealed(1)
    harness.wait(2)
    harness[1].cup.keeps_silent = False
    harness.let_cups_answer()
    harness[1].cup.keeps_silent = True
    shaken(harness, 0, 1, 2)
    harness.wait(2)
    shaken(harness, 0, 1, 2)
    harness[1].unplug()
    harness[1].cup.keeps_silent = False
    harness[1].find(Device.CUP)
    called(harness)
    harness.wait(3)
    harness[0].shake()
    assert "deal 4 cup 1" in proven(harness)


def test_a_cup_with_a_loose_cable_does_not_keep_the_others_shaking_for_ever() -> None:
    harness = begun()
    for _ in range(5):
        harness[1].unplug()
        harness[1].find(Device.CUP)
    assert [event.deal for event in harness.events_of(DealRepeated)] == [1, 2]
    shaken(harness, 0, 1, 2)
    assert harness.scene is SceneName.BIDDING
    assert "deal 3 button 1" in proven(harness)


def test_a_cup_that_does_not_bind_itself_is_left_out_after_two_seconds() -> None:
    harness = TableHarness(PERUDO, 3, programs=BOARDS)
    harness.cups[1].keeps_silent = True
    harness.joined()
    harness.wait(1.9)
    assert proven(harness) == []
    harness.wait(0.1)
    assert proven(harness) == ["deal 1 house", "deal 1 cup 0", "deal 1 cup 2"]
    harness.cups[1].keeps_silent = False
    harness.let_cups_answer()  # too late
    shaken(harness, 0, 1, 2)
    assert proven(harness)[3:] == ["deal 1 button 1", "deal 1 sealed"]


def test_who_has_shaken_while_another_cup_was_still_asked_need_not_shake_again() -> None:
    harness = TableHarness(PERUDO, 3, programs=BOARDS)
    harness.cups[1].keeps_silent = True
    harness.joined()
    shaken(harness, 0, 2)
    assert harness.events_of(CupSettled) == []
    harness.wait(2)
    assert harness[0].view.waiting_for == (1,)
    assert harness.events_of(CupSettled) == [CupSettled(0), CupSettled(2)]
    shaken(harness, 1)
    assert harness.scene is SceneName.BIDDING


def test_a_cup_that_opens_something_else_has_the_deal_repeated() -> None:
    harness = sealed(1)
    harness.send(Opened(1, harness[1].cup.deal, bytes(32)))
    assert harness.events_of(DealRepeated) == [DealRepeated(1, 1, DealFailure.WRONG)]
    assert harness[0].view.waiting_for == (0, 1, 2)


def test_a_cup_that_binds_itself_to_two_things_has_the_deal_repeated_and_at_last_no_say() -> None:
    harness = begun()
    for number in (1, 2):
        harness.send(Drawn(1, harness[1].cup.deal, bytes([number]) * 32))
    assert [event.why for event in harness.events_of(DealRepeated)] == [DealFailure.FORGOTTEN] * 2
    assert proven(harness)[-3:] == ["deal 3 house", "deal 3 cup 0", "deal 3 cup 2"]
    harness.send(Drawn(1, harness[0].cup.deal, bytes(32)))
    assert len(harness.events_of(DealRepeated)) == 2


def test_a_cup_that_says_the_same_twice_says_nothing_new() -> None:
    harness = begun()
    before = harness.table.scene
    effects = harness.send(Drawn(1, harness[1].cup.deal, cup_commitment(harness[1].cup.deal, harness[1].cup.entropy)))
    assert harness.table.scene == before
    assert effects == []


@pytest.mark.parametrize("deal", [bytes(32), b""])
def test_answers_about_another_deal_are_passed_over(deal: bytes) -> None:
    harness = begun()
    assert harness.send(Drawn(1, deal, bytes(32))) == []
    assert harness.send(Opened(1, deal, bytes(32))) == []
    harness = sealed(1)
    assert harness.send(Drawn(1, deal, bytes(32))) == []
    assert harness.send(Opened(1, deal, bytes(32))) == []


def test_answers_in_any_other_part_of_the_evening_are_passed_over() -> None:
    harness = TableHarness(PERUDO, 3, programs=BOARDS)
    for step in (lambda: None, harness.joined, lambda: shaken(harness, 0, 1, 2), lambda: called(harness)):
        step()
        for answer in (Drawn(1, bytes(32), bytes(32)), Opened(1, bytes(32), bytes(32))):
            assert harness.send(answer) == []


def test_answers_of_who_does_not_play_are_passed_over() -> None:
    harness = TableHarness(PERUDO, 3, programs=BOARDS).joined(0, 1)
    assert drawn(harness) == [0, 1]
    assert harness.send(Drawn(2, harness[0].cup.deal, bytes(32))) == []


def test_an_opening_before_the_seal_is_passed_over() -> None:
    harness = begun()
    assert harness.send(Opened(1, harness[1].cup.deal, harness[1].cup.entropy)) == []


# Shakes


def test_a_shake_by_who_is_out_is_in_no_deal() -> None:
    harness = TableHarness(PERUDO, 3, programs=BOARDS).joined()
    while all(harness.position.dice):
        shaken(harness, *(hand.seat for hand in harness if hand.awaited))
        called(harness).told()
        harness.wait(30)
    out = harness.position.dice.index(0)
    harness[out].shake()
    assert harness[out].notice is Reason.OUT
    assert drawn(harness)[-2:] == [seat for seat in range(3) if seat != out]
    shaken(harness, *(hand.seat for hand in harness if hand.awaited))
    last = [line for line in proven(harness) if line.startswith(f"deal {harness.game.deals} ")]
    assert len(last) == 4
    assert not [line for line in last if line.endswith(f" {out}")]


def test_the_shake_that_ends_a_reveal_counts() -> None:
    harness = called(shaken(begun(), 0, 1, 2))
    harness.wait(3)
    harness[2].shake()
    assert harness.scene is SceneName.SHAKING
    assert harness[0].view.waiting_for == (0, 1)
    shaken(harness, 0, 1)
    assert harness.scene is SceneName.BIDDING
    assert harness.events_of(DealRepeated) == []


def test_a_shake_that_was_over_before_the_cup_was_asked_does_not_count() -> None:
    harness = called(shaken(begun(), 0, 1, 2)).told()
    settled_ns = harness.now_ns + SECOND
    harness.wait(31)
    harness.send(Settled(1, settled_ns, b""))  # the link had to repeat it
    assert harness[0].view.waiting_for == (0, 1, 2)


def test_a_seed_that_comes_twice_asks_nobody_twice() -> None:
    harness = begun()
    assert harness.send(Seeded(bytes(32))) == []


def test_what_a_cup_holds_decides_the_dice_and_a_switch_beside_it_does_not() -> None:
    def dealt(cup: int, switch: bytes) -> object:
        harness = TableHarness(PERUDO, 2, cups={1: ProgramCup(1, random.Random(cup))}).joined()
        harness[0].shake(switch)
        harness[1].shake()
        return harness.table.scene.look(0)

    assert dealt(1, b"a") == dealt(1, b"b")
    assert dealt(1, b"a") != dealt(2, b"a")


# Restarts


def on_the_way(step: str) -> TableHarness:
    """Return a table of two boards and a switch, as far as this step of its first deal."""
    harness = TableHarness(PERUDO, 3, programs=(0, 1))
    for cup in harness.cups.values():
        cup.keeps_silent = step == "asked"
    harness.joined()
    downs = ("bound", "one down", "two down", "sealed", "dealt").index(step) if step != "asked" else 0
    if step == "sealed":
        harness.cups[1].keeps_silent = True
    for seat in (2, 0, 1)[:downs]:
        harness[seat].shake(b"the same")
    return harness


def restarted(before: TableHarness) -> TableHarness:
    """Return the same table after its program restarted, with the same cups."""
    scene = before.records[-1]
    return TableHarness(
        PERUDO, 3, cups=before.cups, scene=records.decode_scene(records.scene_name(scene), records.encode_scene(scene))
    )


STEPS = ["asked", "bound", "one down", "two down", "sealed"]


@pytest.mark.parametrize("step", STEPS)
def test_a_table_that_comes_up_at_any_step_comes_to_the_same_dice(step: str) -> None:
    undisturbed, before = on_the_way("dealt"), on_the_way(step)
    again = restarted(before)
    for cup in again.cups.values():
        cup.keeps_silent = False
    again.let_cups_answer()
    assert again.events_of(DealRepeated) == []
    for seat in (2, 0, 1):
        if again[seat].awaited:
            again[seat].shake(b"the same")
    assert again.scene is SceneName.BIDDING
    assert [again.table.scene.look(seat) for seat in range(3)] == [
        undisturbed.table.scene.look(seat) for seat in range(3)
    ]
    assert again.game.head == undisturbed.game.head
    heads = [event.head for harness in (before, again) for event in harness.events_of(ChainEntryAdded)]
    assert heads == [
        event.head for event in undisturbed.events_of(ChainEntryAdded)
    ]  # nothing is told twice, nothing otherwise


@pytest.mark.parametrize("step", STEPS)
def test_when_power_fails_everywhere_the_deal_is_repeated_unless_nobody_is_bound(step: str) -> None:
    before = on_the_way(step)
    for cup in before.cups.values():
        cup.start()
        cup.keeps_silent = False
    again = restarted(before)
    again.wait(2)
    assert [event.deal for event in again.events_of(DealRepeated)] == ([] if step == "asked" else [1])
    shaken(again, *(hand.seat for hand in again if hand.awaited))
    assert again.scene is SceneName.BIDDING


def test_a_table_that_comes_up_before_its_seed_asks_for_one() -> None:
    before = TableHarness(PERUDO, 3, programs=(0, 1), seeds_at_once=False)
    for hand in before:
        hand.tap()
    before[0].pick(MenuCommand.START)
    before.wait(5)
    before.give_seed()
    again = restarted(before)
    assert proven(again) == ["deal 1 house", "deal 1 cup 0", "deal 1 cup 1"]
