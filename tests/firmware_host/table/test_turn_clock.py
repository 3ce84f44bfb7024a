"""The turn clock: what is said, chosen and rolled for whom the time has run out, and when its last seconds are seen."""

import pytest
from support.table.harness import Evening, laid

from drivers.messages import Button
from engine import DUDO, KILL_SPOT, OBLIGING, PALO_FIJO, PERUDO, RULESETS, Bid, RoundKind, Rules
from firmware_host.table.events import (
    ActionTaken,
    CupSettled,
    DealFailure,
    DealRepeated,
    Repeat,
    RepeatReason,
    RoundBegan,
    TimeUp,
)
from firmware_host.table.seat_view import SceneName

THREE = [(1, 3, 3, 5, 6), (2, 2, 4, 6), (4, 5)]
CLOCK_S = 30


def bidding(rules: Rules = PERUDO) -> Evening:
    """A bid stands and the table waits for seat 1."""
    return laid(rules, THREE, Bid(2, 3), turn_clock_s=CLOCK_S)


def to_choose(rules: Rules) -> Evening:
    """Seat 1 has fallen to one die and may choose."""
    evening = laid(rules, [(2, 2, 2), (5, 5), (4, 4, 4)], Bid(7, 6), by=1, turn_clock_s=CLOCK_S)
    evening[2].press(Button.DUDO)
    evening.revealed()
    evening.wait(30)
    assert evening.scene is SceneName.CHOOSING
    return evening


def test_a_table_without_a_clock_hurries_nobody() -> None:
    evening = laid(PERUDO, THREE, Bid(2, 3))
    evening.wait(299)
    assert evening.told(TimeUp) == []
    assert {hand.view.clock_s for hand in evening} == {None}


def test_dudo_is_said_where_a_bid_stands() -> None:
    evening = bidding()
    evening.wait(CLOCK_S)
    assert evening.said[-2:] == [TimeUp(1), ActionTaken(1, DUDO)]


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_the_least_opening_is_said_where_none_does(rules: Rules) -> None:
    evening = laid(rules, THREE, turn_clock_s=CLOCK_S)
    evening.wait(CLOCK_S)
    least = Bid(1, 2) if rules.wild_aces else Bid(1, 1)  # an ace that is wild claims as much as two of a face
    assert evening.said[-2:] == [TimeUp(0), ActionTaken(0, least)]


def test_a_pass_is_doubted() -> None:
    evening = bidding(PALO_FIJO)
    evening[1].pick(next(item for item in evening[1].menu.items if str(item) == "pass"))
    evening.wait(CLOCK_S)
    assert ActionTaken(2, DUDO) in evening.said


def test_every_turn_has_the_whole_time() -> None:
    evening = bidding()
    evening.wait(CLOCK_S - 1)
    evening[1].tap()
    evening.wait(CLOCK_S - 1)
    assert evening.told(TimeUp) == []
    evening.wait(1)
    assert evening.told(TimeUp) == [TimeUp(2)]


def test_pressing_about_buys_no_time() -> None:
    evening = bidding()
    for _ in range(CLOCK_S * 5):
        evening[1].tap(Button.RIGHT)
        evening.wait(0.1)
    assert evening.told(TimeUp) == [TimeUp(1)]


def test_the_last_ten_seconds_are_on_every_display() -> None:
    evening = bidding()
    evening.wait(CLOCK_S - 11)
    assert {hand.view.clock_s for hand in evening} == {None}
    seen = []
    for _ in range(11):
        evening.wait(1)
        seen += [{hand.view.clock_s for hand in evening}]
    assert seen == [{number} for number in range(10, 0, -1)] + [{None}]


def test_a_press_of_the_last_thirty_milliseconds_counts() -> None:
    evening = bidding(KILL_SPOT)
    evening.wait(CLOCK_S - 0.01)
    evening[2].press(Button.DUDO)
    evening.wait(1)
    assert evening.told(ActionTaken) == [ActionTaken(2, DUDO)]
    assert evening.told(TimeUp) == []


def test_kill_spot_waives_for_who_does_not_choose() -> None:
    evening = to_choose(KILL_SPOT)
    evening.wait(CLOCK_S)
    assert ActionTaken(1, RoundKind.NORMAL) in evening.said
    assert evening.told(RoundBegan)[-1].kind is RoundKind.NORMAL


def test_palo_fijo_plays_closed_for_who_does_not_choose() -> None:
    evening = to_choose(PALO_FIJO)
    evening.wait(CLOCK_S)
    assert ActionTaken(1, RoundKind.FIXED_FACE_NO_WILDS_CLOSED) in evening.said
    assert evening.told(RoundBegan)[-1].owner == 1


def test_the_table_rolls_for_who_does_not_shake() -> None:
    evening = Evening(PERUDO, 3, turn_clock_s=CLOCK_S).joined()
    evening[1].shake()
    evening.wait(CLOCK_S)
    assert set(evening.told(TimeUp)) == {TimeUp(0), TimeUp(2)}
    assert evening.scene is SceneName.BIDDING


def test_where_a_bound_cup_is_not_shaken_the_deal_is_built_again() -> None:
    evening = Evening(PERUDO, 3, turn_clock_s=CLOCK_S, programs=(0, 1, 2)).joined()
    evening[1].shake()
    evening.wait(CLOCK_S)
    assert evening.told(DealRepeated)[0].why is DealFailure.LATE
    late = evening.told(DealRepeated)[0].seat
    assert evening[1].view.repeat == Repeat(RepeatReason.LATE, late)
    assert evening.told(CupSettled)[-1].seat in (0, 2)
    evening[1].shake()
    assert evening.scene is SceneName.BIDDING


def test_a_table_that_nobody_touches_plays_until_it_is_deserted() -> None:
    evening = Evening(OBLIGING, 3, turn_clock_s=10).joined()
    evening.wait(4000)
    assert evening.scene is SceneName.LOBBY
