"""Staff's options at a running table, for control socket and staff menu: actions, settings, status."""

import asyncio
import errno
import json
import logging
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple, Protocol

from engine import RULESETS, Rules
from firmware_host.configuration.configuration import Reading
from firmware_host.configuration.settings import BRIGHTNESS, FIELDS, FILE, NO_CLOCK, Settings, SettingsError
from firmware_host.daemon.control import (
    Act,
    Configure,
    DoJob,
    ReadBoards,
    ReadFact,
    ReadFigures,
    ReadNames,
    ReadStatus,
    Reply,
    Request,
    Reset,
)
from firmware_host.daemon.counters import CounterKeeper
from firmware_host.daemon.names import NameKeeper
from firmware_host.daemon.service.jobs import Jobs, lines_of
from firmware_host.daemon.service.status_line import status_line
from firmware_host.devices.board_updates import BoardUpdates
from firmware_host.devices.link_report import board_lines
from firmware_host.table.machine import Job, JobOutcome
from firmware_host.table.robots import RobotLevel
from firmware_host.table.sound import MAX_VOLUME, VOLUME_STEP, TvSetting
from firmware_host.table.staff import (
    LAYOUT_VALUE,
    FiguresRead,
    StaffCommand,
    StaffFigure,
    StaffOptions,
    StaffRefusal,
    present_values,
)
from firmware_host.table.staff_items import FIGURES, StaffItem
from firmware_host.util.system_error import reason_of
from firmware_host.wire import PublicState, Seat, enumerate_seats
from hardware.config.languages import LANGUAGES
from hardware.config.layout import Layout
from hardware.config.problems import preview, suggest

MENU_CLOCKS_S = (NO_CLOCK, 30, 45, 60, 90, 120, 180)
"""Turn clock times in the menu, in seconds; the command line takes every one."""
MENU_VOLUMES = tuple(range(0, MAX_VOLUME + 1, VOLUME_STEP))
"""Volumes in the menu, in percent; the command line takes every one."""

_LOOK_AT_FILE = f"make {FILE} in the state folder a file that can be written, or remove it,"
"""Remedy for a setting that can't be kept, except on a full disk."""

log = logging.getLogger("dudo-table")

_REFUSALS = {
    StaffRefusal.NO_MATCH: "no match is being played",
    StaffRefusal.CALL: "a call is being read; ask again when the next round is shaken",
    StaffRefusal.ALREADY_PAUSED: "the match is paused already; dudo-table staff resume goes on",
    StaffRefusal.NOT_PAUSED: "the match is not paused",
    StaffRefusal.NOTHING_TO_UNDO: "nothing can be taken back: no action stands, or dice that rest on it were shown",
    StaffRefusal.NOTHING_TO_REOPEN: "no match has ended that can go on, or the next one has begun",
    StaffRefusal.NOT_PLAYING: "that seat does not play",
    StaffRefusal.NO_ROBOT: "a robot takes a free seat in the lobby, once a person has joined",
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
    def fact_context(self) -> "FactContext":
        """The present input of the functions behind the facts."""

    async def change_settings(self, changed: Settings) -> bool:
        """Keep and apply settings; return whether they wait for a match to end. Raises `OSError`."""


class MatchRequests:
    """Staff requests about the match; a table without settings answers no others."""

    def __init__(self, match: StaffMatch) -> None:
        self._match = match

    async def answer(self, request: Request) -> Reply:
        """Carry out a request, and report the result."""
        state = self._match.public_state
        if state is None:
            return Reply(False, ("the table is not set up yet; ask again",))
        match request:
            case Act(what, seat, level):
                return await self._act(what, seat, level, state)
            case ReadStatus():
                return Reply(True, (status_line(state), *self._settings_lines(state)))
        return await self._answer_other(request)

    async def _answer_other(self, request: Request) -> Reply:
        return Reply(False, ("a table of dudo-table play has its match alone: its flags are its settings",))

    async def _act(self, what: StaffCommand, name: str | None, level: RobotLevel, state: PublicState) -> Reply:
        seat: Seat | None = None
        if what in (StaffCommand.REMOVE, StaffCommand.HAND_OVER, StaffCommand.ROBOT):
            names = [info.place for info in state.seats]
            found = [seat for seat, each in enumerate_seats(names) if each.casefold() == (name or "").casefold()]
            if not found:
                return Reply(False, (f"{preview(name or '')}: is not a seat's name; {suggest(name or '', names)}",))
            seat = found[0]
        refusal = await self._match.act_for_staff(what, seat, level)
        return Reply(True, (_DONE[what],)) if refusal is None else Reply(False, (_REFUSALS[refusal],))

    def _settings_lines(self, _: PublicState) -> tuple[str, ...]:
        return ()


class StaffRequests(MatchRequests):
    """Staff requests at one table. Settings change one at a time."""

    def __init__(self, table: StaffTable) -> None:
        super().__init__(table)
        self._table = table
        self._changing = asyncio.Lock()

    async def _answer_other(self, request: Request) -> Reply:
        match request:
            case Configure(setting, value):
                return await self.change(setting, value)
            case DoJob(job):
                result = await self._table.jobs.begin(job)
                return Reply(result.outcome is JobOutcome.BEGUN, lines_of(job, result))
            case ReadNames():
                await self._table.names.read_again()
                return Reply(True, ("the table has read the names again",))
            case ReadFigures(as_json):
                figures = self._table.counters.figures
                return Reply(True, _figures_json(figures) if as_json else _figures(figures))
            case ReadFact(fact) if fact in FACTS:
                return Reply(True, (read_fact(fact, self._table.fact_context),))
            case ReadBoards(update):
                return await self._boards(update)
            case Reset(figure):
                return await self.reset(figure)
        return await super()._answer_other(request)

    async def change(self, setting: str, value: str | int | None) -> Reply:
        """Keep and apply a setting; None is the layout's value."""
        if setting not in FIELDS:
            return Reply(False, (f"{preview(setting)}: is not a setting; {suggest(setting, FIELDS)}",))
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
        return Reply(True, (f"{setting}: {shown}, {when}",))

    async def _boards(self, update: bool) -> Reply:
        updates = self._table.board_updates
        if updates is None:
            return Reply(False, ("the table is not set up yet; ask again",))
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


def menu_options(
    layout: Layout,
    rules: Rules,
    wanted: Reading,
    jobs: tuple[Job, ...] = (),
    *,
    read_facts: Callable[[], Mapping[StaffItem, str]],
) -> StaffOptions:
    """Return a table's staff menu options; empty where the layout has no way to open the menu."""
    if layout.service_key is None and not layout.service_hold:
        return StaffOptions()
    own = wanted.rules_of_layout or rules
    clock_s = layout.turn_clock_s or NO_CLOCK
    return StaffOptions(
        choices={
            StaffItem.RULES: (*RULESETS, *(() if own.name in RULESETS else (LAYOUT_VALUE,))),
            StaffItem.LANGUAGE: LANGUAGES,
            StaffItem.TURN_CLOCK: tuple(sorted({*MENU_CLOCKS_S, clock_s})),
            StaffItem.BRIGHTNESS: BRIGHTNESS,
            StaffItem.TV: tuple(map(str, TvSetting)),
            StaffItem.VOLUME: MENU_VOLUMES,
            StaffItem.GUESTS_MIN: MENU_VOLUMES[:-1],
            StaffItem.GUESTS_MAX: MENU_VOLUMES[1:],
        },
        present={
            StaffItem.RULES: rules.name if rules.name in RULESETS else LAYOUT_VALUE,
            StaffItem.LANGUAGE: layout.language,
            StaffItem.TURN_CLOCK: clock_s,
            **present_values(wanted.settings.sound_and_light()),
        },
        read_facts=read_facts,
        jobs=jobs,
        takes_hold=layout.service_hold,
    )


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
    """Input of the functions behind the facts: layout and rules in effect, the state folder, and the seats with a board
    to update by the paper clip.
    """

    layout: Layout
    rules: Rules
    folder: Path
    by_clip: tuple[Seat, ...] = ()


def _version(_: FactContext) -> str:
    try:
        return version("dudo-table")
    except PackageNotFoundError:
        return _UNKNOWN


def _boards(context: FactContext) -> str:
    return ", ".join(context.layout.seats[seat].name for seat in context.by_clip) or _NO_BOARD


_NO_BOARD = "–"
_UNKNOWN = "?"
"""Text of a fact that can't be read."""

FACTS: Mapping[StaffItem, Callable[[FactContext], str]] = {
    StaffItem.VERSION: _version,
    StaffItem.BOARDS: _boards,
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
