"""The staff menu on the service seat's display: how it opens and closes, and what it keeps from match and players."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from support.table.harness import TableHarness, lay_out
from support.table.staff_menu import (
    DUDO,
    FACTS,
    OK,
    OPTIONS,
    SERVICE,
    THREE,
    L,
    R,
    asks_to_remove,
    bidding,
    items_of_the_machine,
    picks,
    shown,
    staff_view,
    step_to,
    turn,
    with_menu,
)

from drivers.messages import Button
from engine import PERUDO, RULESETS, Bid, Rules
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.actions import (
    ArrowsOpenMenu,
    ClosedBy,
    StaffAction,
    StaffCommand,
    StaffOptions,
    StaffView,
)
from firmware_host.table.staff.items import StaffItem, StaffSection


@pytest.fixture
def harness() -> TableHarness:
    """Return a table in mid-round, with its menu open."""
    return turn(bidding())


def test_the_key_opens_and_closes_the_menu_at_the_service_seat_alone(harness: TableHarness) -> None:
    assert staff_view(harness) == StaffView(StaffSection.NOW)
    assert [staff_view(harness, seat) for seat in (1, 2)] == [None, None]
    turn(harness, on=False)
    assert staff_view(harness) is None


def test_it_closes_after_a_minute_without_a_press(harness: TableHarness) -> None:
    harness.wait(59)
    picks(harness, R)
    harness.wait(59)
    assert staff_view(harness) == StaffView(StaffSection.PLAY)
    harness.wait(1.1)
    assert staff_view(harness) is None


def test_a_fact_is_read_each_time_it_opens_and_kept_until_it_closes() -> None:
    readings = itertools.count(1)
    options = structs.replace(OPTIONS, read_facts=lambda: {StaffItem.VERSION: str(next(readings))})
    harness = bidding(options)
    for expected in ("1", "2"):
        step_to(turn(harness), StaffItem.VERSION)
        assert staff_view(harness) == StaffView(StaffSection.MACHINE, StaffItem.VERSION, value=expected)
        turn(harness, on=False)


def test_a_key_that_stays_on_opens_it_once(harness: TableHarness) -> None:
    harness.wait(3000)
    assert staff_view(harness) is None


def test_a_key_that_flutters_does_nothing_to_the_match() -> None:
    harness = bidding()
    game = harness.game
    for on in itertools.islice(itertools.cycle([True, False]), 500):
        turn(harness, on=on)
    assert harness.game == game
    assert staff_view(harness) is None


def test_it_waits_until_a_call_is_told() -> None:
    harness = bidding()
    harness[1].press(DUDO)
    harness.wait(0.03)
    assert harness.scene is SceneName.CALLED
    turn(harness)
    assert staff_view(harness) is None
    harness.told()
    assert staff_view(harness) is not None


def test_held_arrows_open_it_only_where_the_layout_says_so() -> None:
    for takes_hold in (False, True):
        harness = bidding(StaffOptions(takes_hold=takes_hold))
        harness[SERVICE].press(L)
        harness.wait(1)
        harness[SERVICE].press(R)
        harness.wait(2.9)
        assert staff_view(harness) is None
        harness.wait(0.2)
        assert (staff_view(harness) is not None) is takes_hold


def test_no_press_in_the_menu_reaches_the_match_and_the_others_play_on(harness: TableHarness) -> None:
    game = harness.game
    picks(harness, R, R, R, R, R, R, DUDO)
    assert harness.game == game
    turn(harness)
    harness[1].tap()
    assert harness.position.bidder == 1


def test_a_press_that_began_in_the_menu_means_nothing_to_the_match() -> None:
    harness = turn(lay_out(PERUDO, THREE, Bid(2, 3), by=2))
    harness[SERVICE].press(OK)
    turn(harness, on=False)
    game = harness.game
    harness[SERVICE].release(OK)
    assert harness.game == game


def test_who_looks_under_the_cup_sees_no_dice_once_the_menu_is_open() -> None:
    harness = bidding()
    harness[SERVICE].tilt()
    assert harness[SERVICE].is_peeking
    turn(harness)
    assert not harness[SERVICE].is_peeking
    assert harness[SERVICE].show.look is None
    harness[SERVICE].level()
    harness[SERVICE].tilt()
    assert not harness[SERVICE].is_peeking


def hold_arrows(harness: TableHarness) -> None:
    harness[SERVICE].press(L)
    harness.wait(1)
    harness[SERVICE].press(R)
    harness.wait(3.1)
    for arrow in (L, R):
        harness[SERVICE].release(arrow)


def test_guests_who_find_the_held_arrows_can_neither_power_off_nor_update_nor_open_the_owners_page() -> None:
    held = bidding(structs.replace(OPTIONS, takes_hold=True))
    hold_arrows(held)
    assert {*items_of_the_machine(held)} == {*FACTS, StaffItem.EXPORT, StaffItem.BACK} - {StaffItem.OWNER_PAGE}
    turn(held, on=False)
    jobs = {StaffItem.UPDATE, StaffItem.EXPORT, StaffItem.POWER_OFF}
    assert jobs < {*items_of_the_machine(turn(held))}


def test_the_menu_closes_as_it_was_opened() -> None:
    held = bidding(structs.replace(OPTIONS, takes_hold=True))
    for opens, how in ((turn, ClosedBy.KEY), (hold_arrows, ClosedBy.DUDO)):
        opens(held)
        assert shown(held).closed_by is how
        picks(held, DUDO)
        assert staff_view(held) is None


def test_a_menu_of_held_arrows_closes_when_they_may_open_none_any_more() -> None:
    held = bidding(structs.replace(OPTIONS, takes_hold=True))
    hold_arrows(held)
    assert staff_view(held) is not None
    held.send(ArrowsOpenMenu(False))
    assert staff_view(held) is None
    hold_arrows(held)
    assert staff_view(held) is None
    held.send(ArrowsOpenMenu(True))
    hold_arrows(held)
    assert staff_view(held) is not None


def test_a_menu_of_held_arrows_that_waits_for_a_call_is_given_up_when_they_may_open_none_any_more() -> None:
    held = bidding(structs.replace(OPTIONS, takes_hold=True))
    for arrow in (L, R):
        held[SERVICE].press(arrow)
    held.wait(2.9)
    held[1].press(DUDO)
    held.wait(0.2)
    assert held.scene is SceneName.CALLED
    held.send(ArrowsOpenMenu(False))
    held.told()
    assert staff_view(held) is None


def test_a_menu_of_the_key_stays_open_whatever_the_arrows_may_do(harness: TableHarness) -> None:
    harness.send(ArrowsOpenMenu(False))
    assert staff_view(harness) is not None


def test_settings_wait_until_the_menu_is_closed() -> None:
    harness = turn(with_menu(TableHarness(PERUDO, seats=2)))
    assert not harness.table.is_idle
    turn(harness, on=False)
    assert harness.table.is_idle


def test_nothing_is_done_to_a_lobby_without_players() -> None:
    harness = turn(with_menu(TableHarness(PERUDO, seats=2)))
    for item in range(3):
        picks(harness, OK, *[R] * item, OK, OK, OK, DUDO, DUDO)
        turn(harness)
    assert harness.table.scene == Lobby()


@pytest.mark.parametrize("seed", range(20))
def test_no_sequence_of_presses_makes_it_raise(seed: int) -> None:
    rng = random.Random(seed)
    harness = turn(bidding())
    for _ in range(150):
        hand = rng.choice([*harness, harness[SERVICE], harness[SERVICE]])
        match rng.randrange(11):
            case 0:
                hand.tilt()
            case 1:
                hand.level()
            case 2:
                hand.shake()
            case _:
                hand.tap(rng.choice([*Button]))
        if rng.random() < 0.05:
            turn(harness, on=rng.random() < 0.7)


# A cup that is down hides its dice, whatever staff are doing


@pytest.mark.parametrize("ends", ["level", "release"])
def test_a_seat_that_stops_looking_while_staff_pick_one_shows_no_dice(ends: str, harness: TableHarness) -> None:
    if ends == "level":
        harness[1].tilt()
    else:
        harness[1].press()
        harness.wait(1)
    assert 1 in harness.open
    picks(harness, OK, L, L, OK)
    assert staff_view(harness) == asks_to_remove(1)
    if ends == "level":
        harness[1].level()
    else:
        harness[1].release()
    assert 1 not in harness.open
    turn(harness, on=False)
    harness.wait(1)
    assert 1 not in harness.open


def test_a_cup_that_was_lifted_early_and_put_down_while_staff_pick_a_seat_stays_dark() -> None:
    harness = with_menu(TableHarness(PERUDO, 3)).joined()
    harness[1].shake()
    harness[1].tilt()
    picks(turn(harness), OK, L, L, OK)
    harness[1].level()
    turn(harness, on=False)
    harness[0].shake()
    harness[2].shake()
    assert harness.scene is SceneName.BIDDING
    assert harness.open == set()


ACTS = ["tilt", "level", "press", "release", "tap", "shake", "key on", "key off", "pause", "resume", "undo", "wait"]
MENU_ACTS = [f"menu {button.value}" for button in Button]


@given(
    rules=st.sampled_from(list(RULESETS.values())),
    acts=st.lists(st.tuples(st.sampled_from(ACTS + MENU_ACTS), st.integers(0, 2)), min_size=20, max_size=80),
    seed=st.integers(0, 99),
)
def test_no_dice_are_shown_at_a_seat_whose_cup_is_down_and_whose_ok_is_up(
    rules: Rules, acts: list[tuple[str, int]], seed: int
) -> None:
    harness = with_menu(TableHarness(rules, 3, seed=seed)).joined()
    lifted, held = set[int](), set[int]()
    for what, seat in acts:
        hand = harness[seat]
        match what.split():
            case ["tilt"]:
                hand.tilt()
                lifted.add(seat)
            case ["level"]:
                hand.level()
                lifted.discard(seat)
            case ["press"] if seat not in held:
                hand.press()
                harness.wait(0.5)
                held.add(seat)
            case ["release"] if seat in held:
                hand.release()
                held.discard(seat)
            case ["tap"] if seat not in held | lifted:
                hand.tap()
            case ["shake"] if seat not in held | lifted and harness.scene is SceneName.SHAKING:
                hand.shake()
            case ["key", turned]:
                turn(harness, on=turned == "on")
            case ["pause" | "resume" | "undo"]:
                harness.send(StaffAction(StaffCommand(what)))
            case ["wait"]:
                harness.wait(3)
            case ["menu", button] if staff_view(harness) and SERVICE not in held:
                harness[SERVICE].tap(Button(button))
        assert harness.open <= lifted | held
