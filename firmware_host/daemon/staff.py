"""Staff's options at a running table, for control socket and staff menu: actions, settings, status."""

import asyncio
import errno
import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from engine import RULESETS, Rules
from firmware_host.configuration.configuration import Reading
from firmware_host.configuration.rules import house_rules
from firmware_host.configuration.settings import FIELDS, FILE, HOUSE_RULES, Settings, SettingsError
from firmware_host.daemon.counters import CounterKeeper
from firmware_host.daemon.names import NameKeeper
from firmware_host.daemon.service.jobs import Jobs, lines_of, report_of
from firmware_host.daemon.service.status_line import status_line
from firmware_host.daemon.staff_options import form_settings
from firmware_host.devices.board_updates import BoardUpdates
from firmware_host.devices.link_report import board_forms, board_lines
from firmware_host.errors import RulesError
from firmware_host.public import owner_page
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.actions import FiguresRead, StaffCommand, StaffFigure, StaffRefusal
from firmware_host.table.staff.items import FIGURES, StaffItem
from firmware_host.table.staff.machine import Job, JobOutcome
from firmware_host.table.staff.requests import (
    Act,
    Configure,
    DoJob,
    JobForm,
    ReadBoards,
    ReadFact,
    ReadFigures,
    ReadForm,
    ReadNames,
    ReadRules,
    ReadSeats,
    ReadStatus,
    Reply,
    Request,
    Reset,
    SeatsForm,
    SetUp,
    StaffForm,
    WriteRules,
)
from firmware_host.table.staff.setup import SetupChange
from firmware_host.util.system_error import reason_of
from firmware_host.wire import PublicState, Seat, enumerate_seats
from hardware.config.layout import Layout
from hardware.config.problems import escaped, preview, suggest

_LOOK_AT_FILE = f"make {FILE} in the state folder a file that can be written, or remove it,"
"""Remedy for a setting that can't be kept, except on a full disk."""

_NOT_YET = "the table is not set up yet; ask again"

log = logging.getLogger("dudo-table")

_REFUSALS = {
    StaffRefusal.NO_MATCH: "no match is being played",
    StaffRefusal.CALL: "a call is being read; ask again when the next round is shaken",
    StaffRefusal.ALREADY_PAUSED: "the match is paused already; dudo-table staff resume goes on",
    StaffRefusal.NOT_PAUSED: "the match is not paused",
    StaffRefusal.NOTHING_TO_UNDO: "nothing can be taken back: no action stands, or dice that rest on it were shown",
    StaffRefusal.NOTHING_TO_REOPEN: "no match has ended that can go on, or the next one has begun",
    StaffRefusal.NOT_PLAYING: "{seat} does not play",
    StaffRefusal.NOT_FREE: "{seat} is not free: a person has joined there",
    StaffRefusal.NO_SEAT_FREE: "no seat is free",
    StaffRefusal.PERSON_FIRST: "a person has to join before a robot",
    StaffRefusal.IN_MATCH: "a match is being played or about to begin; ask again in the lobby",
    StaffRefusal.ROBOTS_SEAT: "a robot plays at {seat}; dudo-table staff remove takes it out",
    StaffRefusal.PAUSE_FIRST: "a match is being played; pause it first",
}
_DONE = {
    StaffCommand.PAUSE: "the match is paused",
    StaffCommand.RESUME: "the match goes on",
    StaffCommand.UNDO: "the last action is taken back",
    StaffCommand.END_MATCH: "the match is over, and nobody wins",
    StaffCommand.REOPEN: "the match goes on, and its last round is shaken again",
    StaffCommand.REMOVE: "the seat is out",
    StaffCommand.HAND_OVER: "another player goes on at the seat",
    StaffCommand.ROBOT: "a robot plays there",
}


class StaffMatch(Protocol):
    """A running table without settings as staff reach it, such as for `dudo-table play`."""

    @property
    def public_state(self) -> PublicState | None:
        """The last public state; None before the first."""

    async def act_for_staff(self, what: StaffCommand, seat: Seat | None, level: RobotLevel) -> StaffRefusal | None:
        """Carry out an action at the table; return its refusal, if any."""


class StaffTable(StaffMatch, Protocol):
    """The running table as staff reach it, such as `SessionRunner`."""

    counters: CounterKeeper
    jobs: Jobs
    names: NameKeeper
    board_updates: BoardUpdates | None

    @property
    def settings(self) -> Settings:
        """The settings due to be in effect."""

    @property
    def reading(self) -> Reading:
        """The configuration due to be in effect."""

    @property
    def fact_context(self) -> "FactContext":
        """The present input of the functions behind the facts."""

    async def change_settings(self, changed: Settings) -> bool:
        """Keep and apply settings; return whether they wait for a match to end. Raises `OSError`."""

    async def write_house_rules(self, rules: Rules) -> None:
        """Keep a rule set as the house rules. Raises `OSError`."""

    def look_for_boards(self) -> SeatsForm | None:
        """Look for boards without a seat for some seconds; return those found so far, and the seats. None between two
        sessions, and while a changed layout waits to take effect.
        """


class MatchRequests:
    """Staff requests about the match; a table without settings answers no others."""

    def __init__(self, match: StaffMatch) -> None:
        self._match = match

    async def answer(self, request: Request) -> Reply:
        """Carry out a request, and report the result."""
        state = self._match.public_state
        if state is None:
            return Reply(False, (_NOT_YET,))
        match request:
            case Act(what, seat, level):
                return await self._act(what, seat, level, state)
            case ReadStatus():
                return Reply(True, (status_line(state), *self._settings_lines(state)))
        return await self._answer_other(request, state)

    async def _answer_other(self, request: Request, state: PublicState) -> Reply:
        return Reply(False, ("a table of dudo-table play has its match alone: its flags are its settings",))

    async def _act(self, what: StaffCommand, name: str | None, level: RobotLevel, state: PublicState) -> Reply:
        seat: Seat | None = None
        if StaffItem[what.name].row.of_seat:
            names = [info.place for info in state.seats]
            found = [seat for seat, each in enumerate_seats(names) if each.casefold() == (name or "").casefold()]
            if not found:
                return Reply(False, (f"{preview(name or '')}: is not a seat's name; {suggest(name or '', names)}",))
            seat = found[0]
        refusal = await self._match.act_for_staff(what, seat, level)
        if refusal is None:
            return Reply(True, (_DONE[what],))
        place = "" if seat is None else escaped(state.seats[seat].place)
        return Reply(False, (_REFUSALS[refusal].format(seat=place),), refusal)

    def _settings_lines(self, _: PublicState) -> tuple[str, ...]:
        return ()


class StaffRequests(MatchRequests):
    """Staff requests at one table. Settings change one at a time."""

    def __init__(self, table: StaffTable) -> None:
        super().__init__(table)
        self._table = table
        self._changing = asyncio.Lock()

    async def _answer_other(self, request: Request, state: PublicState) -> Reply:
        match request:
            case Configure(setting, value):
                return await self.change(setting, value)
            case DoJob(job):
                return await self._job(job)
            case SetUp(change):
                return await self._job(Job.SETUP, change)
            case ReadSeats():
                return self._seats(state)
            case ReadNames():
                await self._table.names.read_again()
                return Reply(True, ("the table has read the names again",))
            case ReadFigures(as_json):
                figures = self._table.counters.figures
                return Reply(True, _figures_json(figures) if as_json else _figures(figures))
            case ReadFact(fact) if fact in FACTS:
                return Reply(True, tuple(read_fact(fact, self._table.fact_context).splitlines()))
            case ReadRules(based_on, answers):
                return self._rules(based_on, answers)
            case WriteRules(name, based_on, answers):
                return await self._write_rules(name, based_on, answers)
            case ReadForm():
                return Reply(True, (msgspec.json.encode(await self._form(state)).decode(),))
            case ReadBoards(update):
                return await self._boards(update)
            case Reset(figure):
                return await self.reset(figure)
        return await super()._answer_other(request, state)

    def _seats(self, state: PublicState) -> Reply:
        if state.scene not in (SceneName.LOBBY, SceneName.OVER):
            return Reply(False, ("a match is played; ask again in the lobby",), outcome=JobOutcome.MATCH_PLAYED)
        found = self._table.look_for_boards()
        if found is None:
            return Reply(False, (_NOT_YET,))
        return Reply(True, (msgspec.json.encode(found).decode(),))

    async def _job(self, job: Job, change: SetupChange | None = None) -> Reply:
        result = await self._table.jobs.begin(job, change)
        return Reply(result.outcome is JobOutcome.BEGUN, lines_of(job, result), outcome=result.outcome)

    async def change(self, setting: str, value: str | int | None) -> Reply:
        """Keep and apply a setting; None is the layout's value."""
        if setting not in FIELDS:
            return Reply(False, (f"{preview(setting)}: is not a setting; {suggest(setting, FIELDS)}",))
        if setting == StaffItem.RULES and value == HOUSE_RULES and self._table.reading.house is None:
            return Reply(False, ("rules = house: there are no house rules yet; the owner's page makes them",))
        async with self._changing:
            try:
                changed = self._table.settings.with_setting(setting, value)
                waits = await self._table.change_settings(changed)
            except SettingsError as error:
                return Reply(False, tuple(map(str, error.problems)))
            except OSError as error:
                remedy = "make room on the disk" if error.errno == errno.ENOSPC else _LOOK_AT_FILE
                return Reply(False, (f"the setting can't be kept: {reason_of(error)}; {remedy} and ask again",))
        when = "from the next match on" if waits else "from now on"
        first = "as the layout has it" if setting in Layout.__struct_fields__ else "as at first"
        shown = first if value is None else preview(value)
        log.info("staff have set %s: %s", setting, shown)
        return Reply(True, (f"{setting}: {shown}, {when}",), waits=waits)

    def _rules(self, based_on: str | None, answers: Mapping[str, object]) -> Reply:
        """Return the questions behind a rule set; the house rules, or those in effect, without a base."""
        reading = self._table.reading
        rules = reading.house or reading.rules
        base = based_on or house_rules.base_of(rules)
        if base not in RULESETS:
            return Reply(False, (f"{preview(base)}: is not a rule set; {suggest(base, RULESETS)}",))
        try:
            if based_on is not None:
                rules = house_rules.answered(house_rules.NAME, base, answers)
            return Reply(True, (msgspec.json.encode(house_rules.form(rules, base)).decode(),))
        except RulesError as error:
            return Reply(False, tuple(map(str, error.first_problems)))

    async def _write_rules(self, name: str, based_on: str, answers: Mapping[str, object]) -> Reply:
        """Keep a rule set as the house rules, and put it into effect."""
        if based_on not in RULESETS:
            return Reply(False, (f"{preview(based_on)}: is not a rule set; {suggest(based_on, RULESETS)}",))
        try:
            rules = house_rules.checked(house_rules.answered(name, based_on, answers))
            async with self._changing:
                await self._table.write_house_rules(rules)
        except RulesError as error:
            return Reply(False, tuple(map(str, error.first_problems)))
        except OSError as error:
            remedy = "make room on the disk" if error.errno == errno.ENOSPC else "look at the state folder"
            return Reply(False, (f"the house rules can't be kept: {reason_of(error)}; {remedy} and ask again",))
        log.info("staff have written the house rules %s", rules)
        changed = self._table.settings.with_setting(StaffItem.RULES, HOUSE_RULES)
        return Reply(True, (f"rules: {rules}",), waits=await self._table.change_settings(changed))

    async def _form(self, state: PublicState) -> StaffForm:
        table = self._table
        facts = facts_of(table.fact_context)
        del facts[StaffItem.OWNER_PAGE]  # the page has it already
        jobs, figures = table.jobs, table.counters.figures.figures
        await jobs.look()
        settings, results = form_settings(table.reading), jobs.results
        reports = {job: JobForm(report_of(job, each), each.lines) for job, each in results.items()}
        names = [seat.name for seat in table.fact_context.layout.seats]
        boards = () if table.board_updates is None else board_forms(*await table.board_updates.facts(), names)
        return StaffForm(state, settings, facts, figures, jobs.offered, reports, boards)

    async def _boards(self, update: bool) -> Reply:
        updates = self._table.board_updates
        if updates is None:
            return Reply(False, (_NOT_YET,))
        if update and not await updates.update():
            return Reply(False, ("somebody plays; ask again when the table is in the lobby and nobody has joined",))
        own, found = await updates.facts()
        names = [seat.name for seat in self._table.fact_context.layout.seats]
        return Reply(True, board_lines(own, found, names))

    async def reset(self, figure: StaffItem) -> Reply:
        """Set a counter to 0."""
        if figure not in FIGURES:
            return Reply(False, (f"{preview(figure)}: is not a figure; {suggest(figure, FIGURES)}",))
        before = self._table.counters.figures.figures[figure]
        try:
            await self._table.counters.reset(figure)
        except OSError as error:
            return Reply(False, (f"{figure} can't be reset: {reason_of(error)}; make room on the disk and ask again",))
        log.info("staff have reset %s from %s since %s", figure, _count(figure, before), before.since)
        return Reply(True, (f"{figure}: 0 from now on, {_count(figure, before)} before",))

    def _settings_lines(self, state: PublicState) -> tuple[str, ...]:
        settings = self._table.settings
        lines = [f"changed by staff: {name} = {value}" for name, value in settings.changed().items()]
        if state.volume != settings.sound_and_light().volume:
            lines.append(f"the volume is {state.volume}, as somebody at the table has chosen")
        return tuple(lines)


def _figures(read: FiguresRead) -> tuple[str, ...]:
    lines = []
    for item in FIGURES:
        figure = read.figures[item]
        crashes = f", {figure.crashes} of them after a power cut or a failure" if figure.crashes else ""
        lines.append(f"{item:<8}{_count(item, figure):>8} since {figure.since}{crashes}")
    return tuple(lines)


def _figures_json(read: FiguresRead) -> tuple[str, ...]:
    shown = {item: {"count": figure.count, "since": figure.since} for item, figure in read.figures.items()}
    hours, starts = read.figures[StaffItem.HOURS], read.figures[StaffItem.STARTS]
    shown[StaffItem.HOURS]["count"] = hours.count // 3600
    shown[StaffItem.STARTS]["crashes"] = starts.crashes
    return (json.dumps(shown),)


def _count(item: StaffItem, figure: StaffFigure) -> str:
    return f"{figure.count // 3600 if item is StaffItem.HOURS else figure.count:,}"


# Facts


class FactContext(NamedTuple):
    """Input of the functions behind the facts: layout and rules in effect, the state folder, the seats with a board to
    update by the paper clip, and the file of the owner's page.
    """

    layout: Layout
    rules: Rules
    folder: Path
    by_clip: tuple[Seat, ...] = ()
    owner_page: Path | None = None


def _version(_: FactContext) -> str:
    from importlib.metadata import PackageNotFoundError, version  # the first display need not wait for it

    try:
        return version("dudo-table")
    except PackageNotFoundError:
        return _UNKNOWN


def _boards(context: FactContext) -> str:
    return ", ".join(context.layout.seats[seat].name for seat in context.by_clip) or _NOTHING


def _owner_page(context: FactContext) -> str:
    found = None if context.owner_page is None else owner_page.read(context.owner_page)
    return _NOTHING if found is None else f"{found.address}\n{found.code}"


_NOTHING = "–"
_UNKNOWN = "?"
"""Text of a fact that can't be read."""

FACTS: Mapping[StaffItem, Callable[[FactContext], str]] = {
    StaffItem.VERSION: _version,
    StaffItem.BOARDS: _boards,
    StaffItem.OWNER_PAGE: _owner_page,
}
"""Functions behind the facts. They run in the daemon's loop, when the menu opens and for a command: they must not
block."""


def read_fact(item: StaffItem, context: FactContext) -> str:
    """Return a fact's present text; a file that can't be read stops neither menu nor command."""
    try:
        return FACTS[item](context)
    except OSError as error:
        log.warning("the fact %s can't be read: %s", item, reason_of(error))
        return _UNKNOWN


def facts_of(context: FactContext) -> dict[StaffItem, str]:
    """Return the present facts for the menu."""
    return {item: read_fact(item, context) for item in FACTS}
