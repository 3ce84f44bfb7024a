"""Staff menu states at the first seat, and a paused match."""

from collections.abc import Iterator

from msgspec.structs import replace

from docs.gallery.matches import said
from docs.gallery.play import turn_of, usual
from docs.gallery.stage import Exhibit, Stage
from drivers.messages import Button, KeyTurned
from engine import RULESETS
from firmware_host.table.staff.actions import (
    ClosedBy,
    FiguresRead,
    StaffAction,
    StaffCommand,
    StaffFigure,
    StaffOptions,
    StaffRefusal,
    StaffView,
    present_values,
)
from firmware_host.table.staff.items import StaffItem, StaffKind, StaffSection, staff_items
from firmware_host.table.staff.machine import Job, JobOutcome, JobReport
from firmware_host.table.staff.sound import SoundAndLight
from hardware.config.languages import LANGUAGES

FACTS = staff_items(StaffKind.FACT)
SOUND = SoundAndLight(volume=60, guests_volume_min=20, guests_volume_max=80)
OPTIONS = StaffOptions(
    choices={
        StaffItem.RULES: tuple(RULESETS),
        StaffItem.LANGUAGE: LANGUAGES,
        StaffItem.TURN_CLOCK: (0, 30, 60, 120),
        StaffItem.BRIGHTNESS: ("bright", "dim"),
        StaffItem.VOLUME: tuple(range(0, 101, 10)),
        StaffItem.GUESTS_MIN: tuple(range(0, 100, 10)),
        StaffItem.GUESTS_MAX: tuple(range(10, 101, 10)),
        StaffItem.TV: ("auto", "on", "off"),
    },
    present={
        StaffItem.RULES: "perudo",
        StaffItem.LANGUAGE: "es",
        StaffItem.TURN_CLOCK: 60,
        **present_values(SOUND),
    },
    read_facts=lambda: {**dict.fromkeys(FACTS, "1.12.3"), StaffItem.OWNER_PAGE: "192.168.178.123:8670\n4129 0731"},
    jobs=tuple(Job),
)
COUNTS = FiguresRead(
    {
        StaffItem.MATCHES: StaffFigure(412, "2026-03-01"),
        StaffItem.CALLS: StaffFigure(7312, "2026-03-01"),
        StaffItem.HOURS: StaffFigure(1204 * 3600, "2026-03-01"),
        StaffItem.STARTS: StaffFigure(48, "2026-09-14", crashes=3),
    }
)
L, R, OK = Button.LEFT, Button.RIGHT, Button.OK
_SECTIONS = {"now": (), "play": (R,), "sound": (R, R), "test": (L, L, L), "figures": (L, L), "machine": (L,)}
_OF_UPDATE = (JobOutcome.UPDATED, JobOutcome.NOTHING_NEWER, JobOutcome.MATCH_PLAYED, JobOutcome.NO_UPDATE)
_OF_DOCTOR = {JobOutcome.WELL, JobOutcome.FAULTS}  # for the owner's page alone
_TAKEN_AT_ONCE = (*FACTS, StaffItem.PAUSE, StaffItem.BACK, StaffItem.UPDATE, StaffItem.EXPORT)
_JOBS = {Job(item.value): item for item in staff_items(StaffKind.JOB) if item.row.section is not None}


def paused(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield a paused match, with a bid and without."""
    for what, match in (("opening", usual(len(names))), ("a bid", said(usual(len(names)), "4x3"))):
        stage = Stage(names, match).send(StaffAction(StaffCommand.PAUSE))
        yield stage.shot(f"paused/{what}, in turn", turn_of(match))
        yield stage.shot(f"paused/{what}, another", (turn_of(match) + 1) % len(names))


def menu(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield each section with its items, and each item's choice; the same at every table, so at the smallest one."""
    if len(names) > 2:
        return
    for section, presses in _SECTIONS.items():
        yield _at(names, *presses).shot(f"staff/{section}", 0)
        seen: set[StaffItem] = set()
        while (item := _item(stage := _at(names, *presses, OK, *[R] * len(seen)))) not in seen:
            seen.add(item)
            yield stage.shot(f"staff/{section}, {item}", 0)
            if item not in _TAKEN_AT_ONCE:
                yield stage.tap(0).shot(f"staff/{section}, {item}, asked", 0)
    sure = _at(names, OK, L, OK, R)
    yield sure.shot("staff/sure", 0)
    yield _at(names, L, L, OK, R, OK, R).shot("staff/figures, calls, sure", 0)
    for name, item, figure in (
        ("new", StaffItem.MATCHES, StaffFigure(0, "2026-11-23")),
        ("some hours", StaffItem.HOURS, StaffFigure(99 * 3600 + 59 * 60, "2026-11-23")),
        ("starts without a crash", StaffItem.STARTS, StaffFigure(1, "2026-11-23")),
        ("the highest", StaffItem.MATCHES, StaffFigure(10**10, "2026-11-23")),
    ):
        view = StaffView(StaffSection.FIGURES, item, figure=figure)
        yield _showing(sure.shot("", 0), f"staff/figures, {name}", view)
    ended = Stage(names, said(usual(len(names)), "4x3"), staff=OPTIONS).send(StaffAction(StaffCommand.END_MATCH))
    ended.send(KeyTurned(0, True, ended.now_ns)).tap(0).tap(0, L)
    yield ended.shot("staff/now, reopen", 0)
    yield ended.tap(0).tap(0, R).shot("staff/reopen, sure", 0)
    other = _at(names, R, OK, OK, R)
    yield other.shot("staff/another rule set", 0)
    yield _at(names, R, OK, L, OK, L).shot("staff/a shorter clock", 0)
    yield _at(names, OK, OK).shot("staff/paused", 0)
    testing = _at(names, OK, OK, Button.DUDO, L, L, L, OK, OK)
    yield testing.shot("staff/inputs, nothing yet", 0)
    yield testing.tap(1, Button.RIGHT).shot("staff/inputs, an arrow", 0)
    yield testing.tap(1, Button.DUDO).shot("staff/inputs, dudo", 0)
    yield testing.tilt(1).shot("staff/inputs, a cup", 0)
    outputs = _at(names, OK, OK, Button.DUDO, L, L, L, OK, R, OK)
    for seat in range(2):
        yield outputs.shot(f"staff/outputs, seat {seat}", seat)
    pausing = _at(names, OK).shot("", 0)
    for how in ClosedBy:
        yield _showing(pausing, f"staff/closed by {how}", StaffView(StaffSection.NOW, closed_by=how))
    for why in StaffRefusal:
        yield _showing(pausing, f"staff/refused, {why}", StaffView(StaffSection.NOW, StaffItem.PAUSE, refusal=why))
    for name, item, value in (
        ("no clock", StaffItem.TURN_CLOCK, 0),
        ("dim", StaffItem.BRIGHTNESS, "dim"),
        ("the layout's rules", StaffItem.RULES, "layout"),
        ("silence", StaffItem.VOLUME, 0),
        ("guests may not", StaffItem.GUESTS_MAX, "layout"),
        ("the TV on", StaffItem.TV, "on"),
        ("the TV off", StaffItem.TV, "off"),
    ):
        section = StaffSection.PLAY if item in (StaffItem.TURN_CLOCK, StaffItem.RULES) else StaffSection.SOUND
        view = StaffView(section, item, value=value, asks=True)
        yield _showing(pausing, f"staff/{name}", view)
    for outcome in (each for each in JobOutcome if each not in _OF_DOCTOR):
        of_one = [Job.UPDATE] if outcome in _OF_UPDATE else [Job.EXPORT]
        for job in _JOBS if outcome in (JobOutcome.BEGUN, JobOutcome.NO_ANSWER) else of_one:
            report = JobReport(job, outcome, 812, 3_100_000, "1.13.0")
            view = StaffView(StaffSection.MACHINE, _JOBS[job], report=report)
            yield _showing(pausing, f"staff/{job}, {outcome}", view)
    yield _at(names, L, OK, L, OK, R).shot("staff/power-off, sure", 0)
    view = StaffView(StaffSection.PLAY, StaffItem.ROBOT, value=names[1], asks=True)
    yield _showing(pausing, "staff/a robot", view)


def _item(stage: Stage) -> StaffItem:
    """Return the item under the cursor."""
    view = stage.shot("", 0).view.staff
    assert view is not None
    assert view.item is not None
    return view.item


def _showing(state: Exhibit, name: str, view: StaffView) -> Exhibit:
    return Exhibit(name, replace(state.view, staff=view), state.menu)


def _at(names: tuple[str, ...], *presses: Button) -> Stage:
    """Return a match after the key was turned and these buttons were pressed at the service seat."""
    stage = Stage(names, said(usual(len(names)), "4x3"), staff=OPTIONS, sound=SOUND)
    stage.send(COUNTS).send(KeyTurned(0, True, stage.now_ns))
    for button in presses:
        stage.tap(0, button)
    return stage
