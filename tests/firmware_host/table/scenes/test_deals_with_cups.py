"""Cups with a program of their own bind themselves before the shake and open after it, over restarts, too."""

import random
from collections.abc import Collection
from typing import Any

import pytest
from support.table.deals import BOARDS, begun, called, drawn, proven, shaken
from support.table.harness import SECOND, TableHarness
from support.table.program_cup import ProgramCup

from drivers.messages import Device, Settled
from engine import OBLIGING, PERUDO, RULESETS, Reason, Rules
from firmware_host.fairness.chain import EMPTY_HEAD, head_text, next_head
from firmware_host.store.journal import records
from firmware_host.table.effects import Announce, Effect, Publish, Record, Seeded
from firmware_host.table.events import ActionTaken, OrderRolled, Revealed
from firmware_host.table.scenes.deal import RequestEntropy
from firmware_host.table.scenes.revealing_entropy import RevealingEntropy
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName
from firmware_host.table.table import Table
from firmware_host.wire import ChainEntryAdded, DealRepeated

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
