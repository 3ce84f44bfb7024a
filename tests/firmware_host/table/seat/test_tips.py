"""Tips: each at its moment, once, and only for a player who has not played before."""

import random

import pytest
from support.table.harness import TableHarness

from drivers.messages import Button
from engine import KILL_SPOT, PALO_FIJO, PERUDO, PYRUDO, Bid, Rules
from firmware_host.i18n.words import ENGLISH
from firmware_host.table.seat.lesson import Lesson
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.names import NameOptions
from firmware_host.table.seat.tips import Tip
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.actions import StaffAction, StaffCommand


def tip_at(harness: TableHarness, seat: int) -> Tip | None:
    tip = harness[seat].view.tip
    return None if tip is None else tip.tip


def said(harness: TableHarness, seat: int) -> str:
    return ENGLISH.notice(harness[seat].view)


def first_match(rules: Rules = PERUDO, seats: int = 3) -> TableHarness:
    return TableHarness(rules, seats).joined().dealt()


def bids(harness: TableHarness, bid: Bid) -> None:
    harness.turn.pick(bid)


def calm(harness: TableHarness) -> None:
    """Let the present tips end."""
    harness.wait(9)


def test_wild_aces_are_told_after_the_first_look_and_no_second_time() -> None:
    harness = first_match()
    waits = next(hand.seat for hand in harness if hand.seat != harness.turn.seat)
    assert tip_at(harness, waits) is None
    harness[waits].tilt()
    assert tip_at(harness, waits) is None  # the dice are on the display
    harness[waits].level()
    assert said(harness, waits) == "A star is an ace: it counts as any face"
    calm(harness)
    assert tip_at(harness, waits) is None
    harness[waits].tilt()
    harness[waits].level()
    assert tip_at(harness, waits) is None


def test_a_choice_that_jumps_to_aces_says_why_fewer_are_enough() -> None:
    harness = first_match()
    bids(harness, Bid(6, 6))
    assert harness.turn.menu.chosen == Bid(3, 1)
    assert said(harness, harness.turn.seat) == "3 aces beat 6 sixes: half is enough"
    harness.turn.tap()
    assert harness.turn.menu.chosen == Bid(7, 2)
    assert said(harness, harness.turn.seat) == "Double the aces + 1, so 7 or more."


def test_the_first_bid_is_explained_before_it_is_made_and_while_it_stands() -> None:
    harness = first_match()
    chosen = harness.turn.menu.chosen
    assert isinstance(chosen, Bid)
    assert said(harness, harness.turn.seat) == f"{ENGLISH.quantity_of(chosen)} or more, under all cups together"
    opener = harness.turn.seat
    bids(harness, Bid(4, 3))
    others = [hand.seat for hand in harness if hand.seat not in (opener, harness.turn.seat)]
    assert {said(harness, seat) for seat in others} == {"4 trains or more, under all cups together"}
    harness.turn.tap()
    assert Tip.BID not in {tip_at(harness, seat) for seat in others}


@pytest.mark.parametrize("has_button", [True, False])
def test_the_first_bid_that_may_be_doubted_says_how(has_button: bool) -> None:
    harness = TableHarness(PYRUDO, 3, dudo_button=has_button).joined().dealt()
    first = harness.turn.seat
    bids(harness, Bid(4, 3))
    calm(harness)  # a jump to aces is under the cursor first
    calm(harness)  # then comes what the bid says
    how = "Press DUDO" if has_button else "Left to DUDO, then OK"
    assert said(harness, harness.turn.seat) == f"Don’t believe it? {how}"
    assert tip_at(harness, first) is None


def test_a_doubt_says_who_pays_to_those_who_do_not() -> None:
    harness = first_match(PYRUDO)
    bids(harness, Bid(15, 3))
    calm(harness)
    harness.turn.tap(Button.DUDO)
    harness.told()
    showdown = harness.position.showdown
    assert showdown is not None
    tips = {tip_at(harness, seat) for seat in range(3) if harness.game.player(seat) != showdown.loser}
    assert tips == {Tip.BIDDER_PAYS}
    assert tip_at(harness, harness.game.seat(showdown.loser)) is None


def test_an_exact_call_is_named_as_it_is_called_here() -> None:
    harness = first_match(KILL_SPOT)
    bids(harness, Bid(4, 3))
    calm(harness)
    waits = next(hand for hand in harness if hand.seat != harness.turn.seat and tip_at(harness, hand.seat))
    assert said(harness, waits.seat).startswith("Exactly right? Left to ")


def test_a_press_of_ok_takes_a_tip_off_and_the_next_one_comes() -> None:
    harness = first_match()
    harness[0].tilt()
    harness[0].level()
    assert tip_at(harness, 0) is Tip.WILD
    harness[0].tap()
    assert tip_at(harness, 0) is not Tip.WILD


@pytest.mark.parametrize("rules", [PERUDO, KILL_SPOT, PALO_FIJO], ids=str)
def test_no_tip_comes_twice_in_a_match_and_none_in_the_next_one(rules: Rules) -> None:
    harness, rng = first_match(rules), random.Random(7)
    seen: dict[int, list[Tip]] = {seat: [] for seat in range(3)}
    before: dict[int, Tip | None] = dict.fromkeys(range(3))

    def note() -> None:
        for seat in range(3):
            tip = tip_at(harness, seat)
            if tip is not None and tip is not before[seat]:
                seen[seat].append(tip)
            before[seat] = tip

    while harness.scene is not SceneName.OVER:
        rng.choice([hand for hand in harness if hand.awaited]).does_something(rng)
        note()
    assert any(seen.values())
    assert all(len(tips) == len({*tips}) for tips in seen.values())
    harness[0].tap()
    harness[0].pick(MenuCommand.START)
    harness.wait(5)
    while harness.scene is not SceneName.OVER:
        rng.choice([hand for hand in harness if hand.awaited]).does_something(rng)
        assert [tip_at(harness, seat) for seat in range(3)] == [None] * 3


def after_a_match() -> TableHarness:
    """Return a table in the lobby after a match of the first two seats."""
    harness = TableHarness(PERUDO, 3).joined(0, 1).dealt()
    harness.send(StaffAction(StaffCommand.END_MATCH))
    assert harness.lobby.joined == (0, 1)
    return harness


def newcomers(harness: TableHarness) -> set[int]:
    """Return the seats with a tip once all have looked."""
    harness[0].pick(MenuCommand.START)
    harness.wait(5)
    harness.dealt()
    for hand in harness:
        hand.tilt()
        hand.level()
    return {seat for seat in range(3) if tip_at(harness, seat)}


def test_players_of_the_last_match_have_played_and_one_who_sits_down_now_has_not() -> None:
    harness = after_a_match()
    harness[2].pick(MenuCommand.JOIN)
    assert newcomers(harness) == {2}


def test_somebody_who_leaves_makes_room_for_a_newcomer() -> None:
    harness = after_a_match()
    harness[1].pick(MenuCommand.LEAVE)
    harness[1].pick(MenuCommand.JOIN)
    assert newcomers(harness) == {1}


def test_the_lesson_stands_for_a_match() -> None:
    harness = after_a_match()
    harness[2].pick(MenuCommand.LEARN)
    for _ in Lesson(PERUDO).steps:
        harness[2].tap()
    assert harness.lobby.joined == (0, 1, 2)
    assert newcomers(harness) == set()


def test_regulars_have_played() -> None:
    harness = TableHarness(PERUDO, 3, names=NameOptions(asks=True, regulars=("Ana", "Luis")))
    for seat in range(3):
        harness[seat].pick(MenuCommand.JOIN)
    harness[0].tap()  # Ana
    harness.wait(21)  # the others give no name
    assert newcomers(harness) == {1, 2}


def test_another_person_at_a_seat_is_new() -> None:
    harness = after_a_match()
    harness[0].pick(MenuCommand.START)
    harness.wait(5)
    assert harness.send(StaffAction(StaffCommand.HAND_OVER, 1))
    harness.dealt()
    for hand in harness:
        hand.tilt()
        hand.level()
    assert {seat for seat in range(3) if tip_at(harness, seat)} == {1}


def test_a_match_that_goes_on_after_a_restart_gives_no_tips() -> None:
    harness = first_match()
    again = TableHarness(PERUDO, 3, scene=harness.table.scene)
    again[0].tilt()
    again[0].level()
    assert tip_at(again, 0) is None
