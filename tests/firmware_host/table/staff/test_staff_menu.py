"""The staff menu on the service seat's display: how it opens and closes, what it does, and what it never shows."""

import itertools
import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from support.table.harness import NAMES, TableHarness, lay_out

from drivers.messages import Button, Device, KeyTurned
from engine import PERUDO, RULESETS, Bid, Rules
from firmware_host.table.events import BreakOffReason, LeaveReason
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.seat.lamp import lamp_is_on
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.actions import (
    ArrowsOpenMenu,
    ChangeSetting,
    ClosedBy,
    FiguresRead,
    ResetFigure,
    StaffAction,
    StaffCommand,
    StaffFigure,
    StaffOptions,
    StaffRefusal,
    StaffView,
    present_values,
)
from firmware_host.table.staff.items import FIGURES, StaffItem, StaffKind, StaffSection, staff_items
from firmware_host.table.staff.machine import Job, JobOutcome, JobReport, RequestJob
from firmware_host.table.staff.sound import SoundAndLight
from firmware_host.wire import Left, MatchBrokenOff, SeatHandedOver

FACTS = staff_items(StaffKind.FACT)
THREE = [(1, 3, 3, 5, 6), (2, 2, 4, 6), (4, 5)]
OPTIONS = StaffOptions(
    choices={
        StaffItem.RULES: tuple(RULESETS),
        StaffItem.LANGUAGE: ("en", "es", "fr"),
        StaffItem.TURN_CLOCK: (0, 30, 60),
        StaffItem.BRIGHTNESS: ("bright", "dim"),
        StaffItem.VOLUME: tuple(range(0, 101, 10)),
        StaffItem.GUESTS_MIN: tuple(range(0, 100, 10)),
        StaffItem.GUESTS_MAX: tuple(range(10, 101, 10)),
        StaffItem.TV: ("auto", "on", "off"),
    },
    present={
        StaffItem.RULES: "perudo",
        StaffItem.LANGUAGE: "en",
        StaffItem.TURN_CLOCK: 30,
        **present_values(SoundAndLight(volume=60, guests_min=20, guests_max=80, brightness="dim")),
    },
    read_facts=lambda: dict.fromkeys(FACTS, "1.2.3"),
    jobs=tuple(Job),
)
COUNTS = FiguresRead(
    {
        StaffItem.MATCHES: StaffFigure(12, "2026-03-01"),
        StaffItem.CALLS: StaffFigure(230, "2026-03-01"),
        StaffItem.HOURS: StaffFigure(7200, "2026-03-01"),
        StaffItem.STARTS: StaffFigure(5, "2026-09-14", crashes=2),
    }
)
SERVICE = 0


def bidding(options: StaffOptions = OPTIONS, seats: int = 3) -> TableHarness:
    harness = lay_out(PERUDO, [*THREE, *[(2, 3)] * (seats - 3)], Bid(2, 3))
    return with_menu(harness, options)


def with_menu(harness: TableHarness, options: StaffOptions = OPTIONS) -> TableHarness:
    harness.give_staff(options)
    harness.send(COUNTS)
    return harness


def turn(harness: TableHarness, *, on: bool = True) -> TableHarness:
    harness.send(KeyTurned(SERVICE, on, harness.now_ns))
    return harness


def staff_view(harness: TableHarness, seat: int = SERVICE) -> StaffView | None:
    return harness[seat].view.staff


def picks(harness: TableHarness, *presses: Button) -> None:
    for button in presses:
        harness[SERVICE].tap(button)


L, R, OK, DUDO = Button.LEFT, Button.RIGHT, Button.OK, Button.DUDO


def test_the_key_opens_and_closes_the_menu_at_the_service_seat_alone() -> None:
    harness = turn(bidding())
    assert staff_view(harness) == StaffView(StaffSection.NOW)
    assert [staff_view(harness, seat) for seat in (1, 2)] == [None, None]
    turn(harness, on=False)
    assert staff_view(harness) is None


def test_it_closes_after_a_minute_without_a_press() -> None:
    harness = turn(bidding())
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


def test_a_key_that_stays_on_opens_it_once() -> None:
    harness = turn(bidding())
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


def test_no_press_in_the_menu_reaches_the_match_and_the_others_play_on() -> None:
    harness = turn(bidding())
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


def test_pausing_takes_two_presses_and_going_on_one_more() -> None:
    harness = turn(bidding())
    picks(harness, OK, OK)
    assert harness.table.scene.paused
    assert staff_view(harness) == StaffView(StaffSection.NOW, StaffItem.RESUME)
    picks(harness, OK)
    assert not harness.table.scene.paused


def test_ending_a_match_takes_five_presses_and_asks_first() -> None:
    harness = turn(bidding())
    picks(harness, OK, L, OK, OK)
    assert harness.scene is SceneName.BIDDING
    picks(harness, OK, R, OK)
    assert harness.events[-1] == MatchBrokenOff("laid", BreakOffReason.STAFF)


def test_a_seat_that_is_awaited_is_taken_out_in_five_presses() -> None:
    harness = turn(bidding())
    picks(harness, OK, L, L, OK)
    assert staff_view(harness) == StaffView(StaffSection.NOW, StaffItem.REMOVE, asks=True, value=NAMES[1])
    picks(harness, OK)
    assert harness.events_of(Left) == [Left(1, LeaveReason.STAFF)]


def test_an_action_is_taken_back_in_three_presses() -> None:
    harness = turn(bidding())
    picks(harness, OK, R, OK)
    view = staff_view(harness)
    assert view is not None
    assert (view.item, view.refusal) == (StaffItem.UNDO, StaffRefusal.NOTHING_TO_UNDO)


def test_a_press_at_a_seat_points_at_it() -> None:
    harness = turn(bidding(seats=8))
    picks(harness, OK, L, L, OK)
    game = harness.game
    harness[6].tap(DUDO)
    assert harness.game == game
    assert staff_view(harness) == StaffView(StaffSection.NOW, StaffItem.REMOVE, asks=True, value=NAMES[6])
    picks(harness, OK)
    assert harness.events_of(Left) == [Left(6, LeaveReason.STAFF)]


def test_a_broken_seat_comes_first() -> None:
    harness = bidding(seats=8)
    harness[5].lose(Device.BOARD)
    picks(turn(harness), OK, L, L, OK)
    assert staff_view(harness) == StaffView(StaffSection.NOW, StaffItem.REMOVE, asks=True, value=NAMES[5])


@pytest.mark.parametrize(
    ("presses", "setting"),
    [
        ((R, OK, OK, R, OK), ChangeSetting("rules", [*RULESETS][[*RULESETS].index("perudo") - len(RULESETS) + 1])),
        ((R, OK, R, OK, R, OK), ChangeSetting("language", "es")),
        ((R, R, OK, OK, R, OK), ChangeSetting("volume", 70)),
    ],
)
def test_a_setting_is_changed_within_six_presses(presses: tuple[Button, ...], setting: ChangeSetting) -> None:
    harness = turn(bidding())
    effects = harness.after(lambda: picks(harness, *presses))
    assert len(presses) <= 6
    assert [effect for effect in effects if isinstance(effect, ChangeSetting)] == [setting]


def reached(harness: TableHarness) -> Iterator[tuple[StaffItem, int]]:
    """Each item with the fewest presses that open it."""
    seen: dict[StaffItem, int] = {}
    for steps in range(-3, 4):
        for more in range(-3, 4):
            presses = [R if steps > 0 else L] * abs(steps) + [OK] + [R if more > 0 else L] * abs(more)
            turn(harness)
            picks(harness, *presses)
            view = staff_view(harness)
            assert view is not None
            assert view.item is not None
            seen[view.item] = min(seen.get(view.item, 99), len(presses) + 1)
            turn(harness, on=False)
    yield from seen.items()


def test_every_item_is_taken_within_six_presses() -> None:
    found = dict(reached(bidding()))
    in_the_place_of_others = {StaffItem.RESUME, StaffItem.REOPEN}
    outside = {StaffItem.NAMES_DAYS, StaffItem.DOCTOR}  # for the command line and the owner's page
    assert found.keys() == {*StaffItem} - in_the_place_of_others - outside
    assert max(found.values()) <= 6


@pytest.mark.parametrize(
    ("item", "presses", "job"),
    [
        (StaffItem.UPDATE, (OK,), Job.UPDATE),
        (StaffItem.EXPORT, (OK,), Job.EXPORT),
        (StaffItem.POWER_OFF, (OK, R, OK), Job.POWER_OFF),
    ],
)
def test_a_job_of_the_host_is_requested_within_six_presses(
    item: StaffItem, presses: tuple[Button, ...], job: Job
) -> None:
    harness = turn(bidding())
    step_to(harness, item)
    effects = harness.after(lambda: picks(harness, *presses))
    assert [effect for effect in effects if isinstance(effect, RequestJob)] == [RequestJob(job)]
    assert dict(reached(bidding()))[item] + len(presses[1:]) <= 6


def test_powering_off_asks_first_and_two_presses_of_ok_do_nothing() -> None:
    harness = turn(bidding())
    step_to(harness, StaffItem.POWER_OFF)
    effects = harness.after(lambda: picks(harness, OK, OK))
    assert not [effect for effect in effects if isinstance(effect, RequestJob)]


def test_how_a_job_stands_is_shown_at_its_item_and_forgotten_when_the_menu_closes() -> None:
    harness = turn(bidding())
    step_to(harness, StaffItem.EXPORT)
    picks(harness, OK)
    for report in (JobReport(Job.EXPORT, JobOutcome.BEGUN), JobReport(Job.EXPORT, JobOutcome.COPIED, 812, 3_100_000)):
        harness.send(report)
        assert staff_view(harness) == StaffView(StaffSection.MACHINE, StaffItem.EXPORT, report=report)
    turn(turn(harness, on=False))
    step_to(harness, StaffItem.EXPORT)
    assert staff_view(harness) == StaffView(StaffSection.MACHINE, StaffItem.EXPORT)


def test_what_comes_of_a_job_while_the_menu_is_closed_is_shown_when_it_is_opened() -> None:
    harness = turn(bidding())
    harness.send(JobReport(Job.EXPORT, JobOutcome.BEGUN))
    turn(harness, on=False)
    harness.send(JobReport(Job.EXPORT, JobOutcome.STICK_FULL))
    step_to(turn(harness), StaffItem.EXPORT)
    view = staff_view(harness)
    assert view is not None
    assert view.report == JobReport(Job.EXPORT, JobOutcome.STICK_FULL)


def step_to(harness: TableHarness, item: StaffItem) -> None:
    """Open the machine's section, and step to one of its items."""
    picks(harness, L, OK)
    while (view := staff_view(harness)) is not None and view.item is not item:
        picks(harness, R)


def items_of_the_machine(harness: TableHarness) -> list[StaffItem | None]:
    picks(harness, L, OK)
    found: list[StaffItem | None] = []
    while (view := staff_view(harness)) is not None and view.item not in found:
        found.append(view.item)
        picks(harness, R)
    return found


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
        view = staff_view(held)
        assert view is not None
        assert view.closed_by is how
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


def test_a_menu_of_the_key_stays_open_whatever_the_arrows_may_do() -> None:
    harness = turn(bidding())
    harness.send(ArrowsOpenMenu(False))
    assert staff_view(harness) is not None


def test_a_table_whose_host_does_no_jobs_offers_none() -> None:
    harness = turn(bidding(structs.replace(OPTIONS, jobs=())))
    assert {*items_of_the_machine(harness)} == {*FACTS, StaffItem.BACK}


def test_a_match_that_has_ended_is_reopened_within_six_presses() -> None:
    harness = bidding()
    harness.send(StaffAction(StaffCommand.END_MATCH))
    assert dict(reached(harness))[StaffItem.REOPEN] <= 6
    picks(turn(harness), OK, L, OK, R, OK)
    assert harness.game.id == "laid"


def test_a_seat_is_handed_over_within_six_presses() -> None:
    harness = turn(bidding())
    picks(harness, OK, R, R, OK, OK)
    assert len(harness.events_of(SeatHandedOver)) == 1


FIGURE_PRESSES = {
    StaffItem.MATCHES: (L, L, OK),
    StaffItem.CALLS: (L, L, OK, R),
    StaffItem.STARTS: (L, L, OK, L),
    StaffItem.HOURS: (L, L, OK, L, L),
}


@pytest.mark.parametrize("item", FIGURES)
def test_a_figure_is_reset_behind_a_question_whose_first_answer_is_no(item: StaffItem) -> None:
    harness = turn(bidding())
    picks(harness, *FIGURE_PRESSES[item])
    assert staff_view(harness) == StaffView(StaffSection.FIGURES, item, figure=COUNTS.figures[item])
    picks(harness, OK)
    view = staff_view(harness)
    assert view is not None
    assert (view.item, view.is_sure) == (item, False)
    assert not [effect for effect in harness.after(lambda: picks(harness, OK)) if isinstance(effect, ResetFigure)]
    effects = harness.after(lambda: picks(harness, OK, R, OK))
    assert [effect for effect in effects if isinstance(effect, ResetFigure)] == [ResetFigure(item)]


def test_a_figure_that_changes_is_on_the_display_at_once() -> None:
    harness = turn(bidding())
    picks(harness, *FIGURE_PRESSES[StaffItem.CALLS])
    more = StaffFigure(231, "2026-03-01")
    harness.send(FiguresRead({**COUNTS.figures, StaffItem.CALLS: more}))
    assert staff_view(harness) == StaffView(StaffSection.FIGURES, StaffItem.CALLS, figure=more)


def test_hours_go_on_since_the_host_sent_them_in_whole_minutes() -> None:
    harness = bidding()
    harness.wait(3 * 3600 + 125)
    picks(turn(harness), *FIGURE_PRESSES[StaffItem.HOURS])
    view = staff_view(harness)
    assert view is not None
    assert view.figure == StaffFigure(5 * 3600 + 120, "2026-03-01")


def test_a_host_that_counts_nothing_has_no_figures_in_its_menu() -> None:
    harness = turn(bidding())
    harness.send(FiguresRead({}))
    picks(harness, L, L, OK)
    assert staff_view(harness) == StaffView(StaffSection.FIGURES, StaffItem.BACK)


def test_settings_wait_until_the_menu_is_closed() -> None:
    harness = turn(with_menu(TableHarness(PERUDO, seats=2)))
    assert not harness.table.is_idle
    turn(harness, on=False)
    assert harness.table.is_idle


def test_in_a_test_every_part_shows_what_it_does_and_nothing_else_happens() -> None:
    harness = turn(with_menu(TableHarness(PERUDO, seats=3)))
    picks(harness, L, L, L, OK, OK)
    for seat, button in ((1, L), (2, OK), (1, DUDO)):
        harness[seat].tap(button)
        assert staff_view(harness) == StaffView(
            StaffSection.TEST, StaffItem.INPUTS, asks=True, value=NAMES[seat], button=button
        )
    harness[2].shake()
    assert staff_view(harness) == StaffView(
        StaffSection.TEST, StaffItem.INPUTS, asks=True, value=NAMES[2], button="cup"
    )
    assert isinstance(harness.table.scene, Lobby)
    assert harness.table.scene.is_empty


def test_parts_that_never_moved_are_listed() -> None:
    harness = with_menu(TableHarness(PERUDO, seats=2))
    for hand in harness:
        for button in Button:
            hand.tap(button)
    harness[0].shake()
    picks(turn(harness), L, L, L, OK, L)
    assert staff_view(harness) == StaffView(StaffSection.TEST, StaffItem.NEVER_MOVED, value=1)
    picks(harness, OK)
    assert staff_view(harness) == StaffView(
        StaffSection.TEST, StaffItem.NEVER_MOVED, asks=True, value=NAMES[1], button="cup"
    )


def test_displays_and_lights_are_tested_at_every_seat() -> None:
    harness = turn(with_menu(TableHarness(PERUDO, seats=3)))
    picks(harness, L, L, L, OK, R, OK)
    assert [staff_view(harness, seat) for seat in range(3)] == [
        StaffView(StaffSection.TEST, StaffItem.OUTPUTS, value=name, volume=100 if seat == SERVICE else None)
        for seat, name in enumerate(NAMES[:3])
    ]
    assert all(lamp_is_on(hand.view) for hand in harness)
    picks(harness, OK)
    assert not any(lamp_is_on(hand.view) for hand in harness)


def test_a_test_is_refused_in_a_match_that_is_not_paused() -> None:
    harness = turn(bidding())
    picks(harness, L, L, L, OK, OK)
    view = staff_view(harness)
    assert view is not None
    assert view.refusal is StaffRefusal.PAUSE_FIRST


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
def test_a_seat_that_stops_looking_while_staff_pick_one_shows_no_dice(ends: str) -> None:
    harness = turn(bidding())
    if ends == "level":
        harness[1].tilt()
    else:
        harness[1].press()
        harness.wait(1)
    assert 1 in harness.open
    picks(harness, OK, L, L, OK)
    assert staff_view(harness) == StaffView(StaffSection.NOW, StaffItem.REMOVE, asks=True, value=NAMES[1])
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
