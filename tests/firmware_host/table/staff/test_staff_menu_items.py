"""The items of the staff menu: each is a few presses away, and does what it says; a test shows every part."""

from collections.abc import Iterator

import pytest
from msgspec import structs
from support.table.harness import NAMES, TableHarness
from support.table.staff_menu import (
    COUNTS,
    DUDO,
    FACTS,
    OK,
    OPTIONS,
    SERVICE,
    L,
    R,
    asks_to_remove,
    bidding,
    chosen,
    items_of_the_machine,
    picks,
    shown,
    staff_view,
    step_to,
    turn,
    with_menu,
)

from drivers.messages import Button, Device
from engine import PERUDO, RULESETS
from firmware_host.table.events import BreakOffReason, LeaveReason
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.seat.lamp import lamp_is_on
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.actions import (
    ChangeSetting,
    FiguresRead,
    ResetFigure,
    StaffAction,
    StaffCommand,
    StaffFigure,
    StaffRefusal,
    StaffView,
)
from firmware_host.table.staff.items import FIGURES, StaffItem, StaffSection
from firmware_host.table.staff.machine import Job, JobOutcome, JobReport, RequestJob
from firmware_host.wire import Left, MatchBrokenOff, SeatHandedOver


@pytest.fixture
def harness() -> TableHarness:
    """Return a table in mid-round, with its menu open."""
    return turn(bidding())


def test_pausing_takes_two_presses_and_going_on_one_more(harness: TableHarness) -> None:
    picks(harness, OK, OK)
    assert harness.table.scene.paused
    assert staff_view(harness) == StaffView(StaffSection.NOW, StaffItem.RESUME)
    picks(harness, OK)
    assert not harness.table.scene.paused


def test_ending_a_match_takes_five_presses_and_asks_first(harness: TableHarness) -> None:
    picks(harness, OK, L, OK, OK)
    assert harness.scene is SceneName.BIDDING
    picks(harness, OK, R, OK)
    assert harness.events[-1] == MatchBrokenOff("laid", BreakOffReason.STAFF)


def test_a_seat_that_is_awaited_is_taken_out_in_five_presses(harness: TableHarness) -> None:
    picks(harness, OK, L, L, OK)
    assert staff_view(harness) == asks_to_remove(1)
    picks(harness, OK)
    assert harness.events_of(Left) == [Left(1, LeaveReason.STAFF)]


def test_an_action_is_taken_back_in_three_presses(harness: TableHarness) -> None:
    picks(harness, OK, R, OK)
    view = shown(harness)
    assert (view.item, view.refusal) == (StaffItem.UNDO, StaffRefusal.NOTHING_TO_UNDO)


def test_a_press_at_a_seat_points_at_it() -> None:
    harness = turn(bidding(seats=8))
    picks(harness, OK, L, L, OK)
    game = harness.game
    harness[6].tap(DUDO)
    assert harness.game == game
    assert staff_view(harness) == asks_to_remove(6)
    picks(harness, OK)
    assert harness.events_of(Left) == [Left(6, LeaveReason.STAFF)]


def test_a_broken_seat_comes_first() -> None:
    harness = bidding(seats=8)
    harness[5].lose(Device.BOARD)
    picks(turn(harness), OK, L, L, OK)
    assert staff_view(harness) == asks_to_remove(5)


@pytest.mark.parametrize(
    ("presses", "setting"),
    [
        ((R, OK, OK, R, OK), ChangeSetting("rules", [*RULESETS][[*RULESETS].index("perudo") - len(RULESETS) + 1])),
        ((R, OK, R, OK, R, OK), ChangeSetting("language", "es")),
        ((R, R, OK, OK, R, OK), ChangeSetting("volume", 70)),
    ],
)
def test_a_setting_is_changed_within_six_presses(
    presses: tuple[Button, ...], setting: ChangeSetting, harness: TableHarness
) -> None:
    assert chosen(ChangeSetting, harness, *presses) == [setting]
    assert len(presses) <= 6


def reached(harness: TableHarness) -> Iterator[tuple[StaffItem, int]]:
    """Each item with the fewest presses that open it."""
    seen: dict[StaffItem, int] = {}
    for steps in range(-3, 4):
        for more in range(-3, 4):
            presses = [R if steps > 0 else L] * abs(steps) + [OK] + [R if more > 0 else L] * abs(more)
            turn(harness)
            picks(harness, *presses)
            item = shown(harness).item
            assert item is not None
            seen[item] = min(seen.get(item, 99), len(presses) + 1)
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
    item: StaffItem, presses: tuple[Button, ...], job: Job, harness: TableHarness
) -> None:
    step_to(harness, item)
    assert chosen(RequestJob, harness, *presses) == [RequestJob(job)]
    assert dict(reached(bidding()))[item] + len(presses[1:]) <= 6


def test_powering_off_asks_first_and_two_presses_of_ok_do_nothing(harness: TableHarness) -> None:
    step_to(harness, StaffItem.POWER_OFF)
    assert chosen(RequestJob, harness, OK, OK) == []


def test_how_a_job_stands_is_shown_at_its_item_and_forgotten_when_the_menu_closes(harness: TableHarness) -> None:
    step_to(harness, StaffItem.EXPORT)
    picks(harness, OK)
    for report in (JobReport(Job.EXPORT, JobOutcome.BEGUN), JobReport(Job.EXPORT, JobOutcome.COPIED, 812, 3_100_000)):
        harness.send(report)
        assert staff_view(harness) == StaffView(StaffSection.MACHINE, StaffItem.EXPORT, report=report)
    turn(turn(harness, on=False))
    step_to(harness, StaffItem.EXPORT)
    assert staff_view(harness) == StaffView(StaffSection.MACHINE, StaffItem.EXPORT)


def test_what_comes_of_a_job_while_the_menu_is_closed_is_shown_when_it_is_opened(harness: TableHarness) -> None:
    harness.send(JobReport(Job.EXPORT, JobOutcome.BEGUN))
    turn(harness, on=False)
    harness.send(JobReport(Job.EXPORT, JobOutcome.STICK_FULL))
    step_to(turn(harness), StaffItem.EXPORT)
    assert shown(harness).report == JobReport(Job.EXPORT, JobOutcome.STICK_FULL)


def test_a_table_whose_host_does_no_jobs_offers_none() -> None:
    harness = turn(bidding(structs.replace(OPTIONS, jobs=())))
    assert {*items_of_the_machine(harness)} == {*FACTS, StaffItem.BACK}


def test_a_match_that_has_ended_is_reopened_within_six_presses() -> None:
    harness = bidding()
    harness.send(StaffAction(StaffCommand.END_MATCH))
    assert dict(reached(harness))[StaffItem.REOPEN] <= 6
    picks(turn(harness), OK, L, OK, R, OK)
    assert harness.game.id == "laid"


def test_a_seat_is_handed_over_within_six_presses(harness: TableHarness) -> None:
    picks(harness, OK, R, R, OK, OK)
    assert len(harness.events_of(SeatHandedOver)) == 1


FIGURE_PRESSES = {
    StaffItem.MATCHES: (L, L, OK),
    StaffItem.CALLS: (L, L, OK, R),
    StaffItem.STARTS: (L, L, OK, L),
    StaffItem.HOURS: (L, L, OK, L, L),
}


@pytest.mark.parametrize("item", FIGURES)
def test_a_figure_is_reset_behind_a_question_whose_first_answer_is_no(item: StaffItem, harness: TableHarness) -> None:
    picks(harness, *FIGURE_PRESSES[item])
    assert staff_view(harness) == StaffView(StaffSection.FIGURES, item, figure=COUNTS.figures[item])
    picks(harness, OK)
    view = shown(harness)
    assert (view.item, view.is_sure) == (item, False)
    assert chosen(ResetFigure, harness, OK) == []
    assert chosen(ResetFigure, harness, OK, R, OK) == [ResetFigure(item)]


def test_a_figure_that_changes_is_on_the_display_at_once(harness: TableHarness) -> None:
    picks(harness, *FIGURE_PRESSES[StaffItem.CALLS])
    more = StaffFigure(231, "2026-03-01")
    harness.send(FiguresRead({**COUNTS.figures, StaffItem.CALLS: more}))
    assert staff_view(harness) == StaffView(StaffSection.FIGURES, StaffItem.CALLS, figure=more)


def test_hours_go_on_since_the_host_sent_them_in_whole_minutes() -> None:
    harness = bidding()
    harness.wait(3 * 3600 + 125)
    picks(turn(harness), *FIGURE_PRESSES[StaffItem.HOURS])
    assert shown(harness).figure == StaffFigure(5 * 3600 + 120, "2026-03-01")


def test_a_host_that_counts_nothing_has_no_figures_in_its_menu(harness: TableHarness) -> None:
    harness.send(FiguresRead({}))
    picks(harness, L, L, OK)
    assert staff_view(harness) == StaffView(StaffSection.FIGURES, StaffItem.BACK)


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


def test_a_test_is_refused_in_a_match_that_is_not_paused(harness: TableHarness) -> None:
    picks(harness, L, L, L, OK, OK)
    assert shown(harness).refusal is StaffRefusal.PAUSE_FIRST
