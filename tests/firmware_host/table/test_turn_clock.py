"""The turn clock: what is said, chosen and rolled for whom the time has run out, and when its last seconds are seen."""

import pytest
from support.table.harness import TableHarness, lay_out

from drivers.messages import Button
from engine import DUDO, KILL_SPOT, OBLIGING, PALO_FIJO, PERUDO, RULESETS, Bid, RoundKind, Rules
from firmware_host.table.events import ActionTaken, DealFailure, Repeat, RepeatReason, RoundBegan
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import CupSettled, DealRepeated, TimeUp

THREE = [(1, 3, 3, 5, 6), (2, 2, 4, 6), (4, 5)]
CLOCK_S = 30


def bidding(rules: Rules = PERUDO) -> TableHarness:
    """Return a table with a bid, waiting for seat 1."""
    return lay_out(rules, THREE, Bid(2, 3), turn_clock_s=CLOCK_S)


def to_choose(rules: Rules) -> TableHarness:
    """Seat 1 has fallen to one die and may choose."""
    harness = lay_out(rules, [(2, 2, 2), (5, 5), (4, 4, 4)], Bid(7, 6), by=1, turn_clock_s=CLOCK_S)
    harness[2].press(Button.DUDO)
    harness.told()
    harness.wait(30)
    assert harness.scene is SceneName.CHOOSING
    return harness


def test_a_table_without_a_clock_hurries_nobody() -> None:
    harness = lay_out(PERUDO, THREE, Bid(2, 3))
    harness.wait(299)
    assert harness.events_of(TimeUp) == []
    assert {hand.view.clock_s for hand in harness} == {None}


def test_dudo_is_said_where_a_bid_stands() -> None:
    harness = bidding()
    harness.wait(CLOCK_S)
    assert harness.events[-2:] == [TimeUp(1), ActionTaken(1, DUDO)]


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_the_least_opening_is_said_where_none_does(rules: Rules) -> None:
    harness = lay_out(rules, THREE, turn_clock_s=CLOCK_S)
    harness.wait(CLOCK_S)
    least = Bid(1, 2) if rules.wild_aces else Bid(1, 1)  # an ace that is wild claims as much as two of a face
    assert harness.events[-2:] == [TimeUp(0), ActionTaken(0, least)]


def test_a_pass_is_doubted() -> None:
    harness = bidding(PALO_FIJO)
    harness[1].pick(next(item for item in harness[1].menu.items if str(item) == "pass"))
    harness.wait(CLOCK_S)
    assert ActionTaken(2, DUDO) in harness.events


def test_every_turn_has_the_whole_time() -> None:
    harness = bidding()
    harness.wait(CLOCK_S - 1)
    harness[1].tap()
    harness.wait(CLOCK_S - 1)
    assert harness.events_of(TimeUp) == []
    harness.wait(1)
    assert harness.events_of(TimeUp) == [TimeUp(2)]


def test_pressing_about_buys_no_time() -> None:
    harness = bidding()
    for _ in range(CLOCK_S * 5):
        harness[1].tap(Button.RIGHT)
        harness.wait(0.1)
    assert harness.events_of(TimeUp) == [TimeUp(1)]


def test_the_last_ten_seconds_are_on_every_display() -> None:
    harness = bidding()
    harness.wait(CLOCK_S - 11)
    assert {hand.view.clock_s for hand in harness} == {None}
    seen = []
    for _ in range(11):
        harness.wait(1)
        seen += [{hand.view.clock_s for hand in harness}]
    assert seen == [{number} for number in range(10, 0, -1)] + [{None}]


def test_a_press_of_the_last_thirty_milliseconds_counts() -> None:
    harness = bidding(KILL_SPOT)
    harness.wait(CLOCK_S - 0.01)
    harness[2].press(Button.DUDO)
    harness.wait(1)
    assert harness.events_of(ActionTaken) == [ActionTaken(2, DUDO)]
    assert harness.events_of(TimeUp) == []


def test_kill_spot_waives_for_who_does_not_choose() -> None:
    harness = to_choose(KILL_SPOT)
    harness.wait(CLOCK_S)
    assert ActionTaken(1, RoundKind.NORMAL) in harness.events
    assert harness.events_of(RoundBegan)[-1].kind is RoundKind.NORMAL


def test_palo_fijo_plays_closed_for_who_does_not_choose() -> None:
    harness = to_choose(PALO_FIJO)
    harness.wait(CLOCK_S)
    assert ActionTaken(1, RoundKind.FIXED_FACE_NO_WILDS_CLOSED) in harness.events
    assert harness.events_of(RoundBegan)[-1].owner == 1


def test_the_table_rolls_for_who_does_not_shake() -> None:
    harness = TableHarness(PERUDO, 3, turn_clock_s=CLOCK_S).joined()
    harness[1].shake()
    harness.wait(CLOCK_S)
    assert set(harness.events_of(TimeUp)) == {TimeUp(0), TimeUp(2)}
    assert harness.scene is SceneName.BIDDING


def test_where_a_bound_cup_is_not_shaken_the_deal_is_built_again() -> None:
    harness = TableHarness(PERUDO, 3, turn_clock_s=CLOCK_S, programs=(0, 1, 2)).joined()
    harness[1].shake()
    harness.wait(CLOCK_S)
    assert harness.events_of(DealRepeated)[0].why is DealFailure.LATE
    late = harness.events_of(DealRepeated)[0].seat
    assert harness[1].view.repeat == Repeat(RepeatReason.LATE, late)
    assert harness.events_of(CupSettled)[-1].seat in (0, 2)
    harness[1].shake()
    assert harness.scene is SceneName.BIDDING


def test_cups_that_are_late_one_after_the_other_do_not_repeat_a_deal_without_end() -> None:
    harness = TableHarness(PERUDO, 2, turn_clock_s=CLOCK_S, programs=(0, 1)).joined()
    harness[1].shake()
    harness.wait(CLOCK_S)  # the table rolls for seat 0, and seat 1 has to shake again
    harness.wait(CLOCK_S)
    assert [repeated.seat for repeated in harness.events_of(DealRepeated)] == [0, 1]
    assert harness.scene is SceneName.BIDDING


def test_a_table_that_nobody_touches_plays_until_it_is_deserted() -> None:
    harness = TableHarness(OBLIGING, 3, turn_clock_s=10).joined()
    harness.wait(4000)
    assert harness.scene is SceneName.LOBBY
