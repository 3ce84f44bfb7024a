"""Cups that are away in a deal, or do not keep their word: who waits, when the deal is repeated, who has no say."""

import pytest
from support.table.deals import BOARDS, begun, called, drawn, proven, shaken
from support.table.harness import TableHarness

from drivers.messages import Device, Drawn, Opened
from engine import PERUDO
from firmware_host.fairness.commitments import cup_commitment
from firmware_host.table.events import DealFailure, RoundBegan
from firmware_host.table.scenes.revealing_entropy import RevealingEntropy
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import CupSettled, DealRepeated

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
