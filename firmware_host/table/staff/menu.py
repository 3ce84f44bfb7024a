"""The staff menu on the service seat's display: sections, their items, and an item's choices.

Pure: `Table` opens it when the service key turns, hands it the service seat's keys, and carries out its answers. ◀ and
▶ go around in a ring, so every action is at most six presses away; OK goes on, DUDO goes back.
"""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from msgspec import Struct, structs

from firmware_host.table.staff.actions import (
    LAYOUT_VALUE,
    ChangeSetting,
    ClosedBy,
    ResetFigure,
    StaffCommand,
    StaffFigure,
    StaffOptions,
    StaffRefusal,
    StaffView,
)
from firmware_host.table.staff.items import FIGURES, StaffItem, StaffKind, StaffSection, staff_items
from firmware_host.table.staff.machine import Job, JobOutcome, JobReport, RequestJob
from firmware_host.wire import Seat

MENU_TIMEOUT_NS = 60_000_000_000
"""Time without a press before the menu closes: long enough to walk around the table in a test."""
HOLD_OPENS_NS = 3_000_000_000
"""Time for holding ◀ and ▶ to open the menu, where the layout allows it."""

_COMMANDS = {item: StaffCommand(item.value) for item in staff_items(StaffKind.ACTION)}
_JOBS = {item: Job(item.value) for item in staff_items(StaffKind.JOB)}
_ITEMS = {
    section: tuple(item for item in StaffItem if item.row.section is section and not item.row.instead_of)
    for section in StaffSection
}

Level = Literal[0, 1, 2]


NO_FIGURES: Mapping[StaffItem, StaffFigure] = MappingProxyType({})


class StaffFacts(Struct, frozen=True):
    """The menu's facts about the table, by layout seats."""

    is_paused: bool
    may_test: bool  # no match is played, or it is paused
    may_reopen: bool  # a match has ended, and the next one has not begun
    seats: Sequence[tuple[Seat, str]]  # removable seats with their names, the likeliest first
    robots: Collection[Seat] = ()  # seats with robots
    free: Sequence[tuple[Seat, str]] = ()  # seats free for a robot
    never_moved: Sequence[tuple[str, str]] = ()  # seats by name, and their parts
    why_no_robot: StaffRefusal | None = None  # None: at a free seat
    is_held_open: bool = False  # opened by held arrows
    has_dudo_button: bool = True  # the service seat
    figures: Mapping[StaffItem, StaffFigure] = NO_FIGURES


class Command(Struct, frozen=True):
    """A match action picked by staff."""

    what: StaffCommand
    seat: Seat | None = None


class StaffMenu:
    """One table's staff menu: closed, or at one of three levels: sections, items, an item's choices."""

    def __init__(self, options: StaffOptions) -> None:
        self._options = options
        self._present = dict(options.present)
        self._facts: Mapping[StaffItem, str] = {}  # as read when the menu opened
        self._until_ns: int | None = None
        self._reports: dict[Job, JobReport] = {}
        self._close()

    def _close(self) -> None:
        self._level: Level = 0
        self._at = [0, 0, 0]  # cursors by level
        self._refusal: StaffRefusal | None = None
        self._moved: tuple[str, str] = ("", "")  # seat and part last moved in a test

    @property
    def is_open(self) -> bool:
        """Whether the service seat picks from the menu."""
        return self._until_ns is not None

    @property
    def deadline_ns(self) -> int | None:
        """The moment at which the menu closes by itself."""
        return self._until_ns

    @property
    def is_at_the_top(self) -> bool:
        """Whether the menu shows its sections."""
        return self._level == 0

    def open(self, now_ns: int) -> None:
        """Open the menu at its first section, or keep it open as it is."""
        if not self.is_open:
            self._close()
            self._facts = self._options.read_facts()
        self._until_ns = now_ns + MENU_TIMEOUT_NS

    def close(self) -> None:
        """Close the menu, and forget a finished job's result: it has been shown."""
        self._until_ns = None
        self._reports = {job: each for job, each in self._reports.items() if each.outcome is JobOutcome.BEGUN}
        self._close()

    # Keys

    def step(self, by: int, facts: StaffFacts, now_ns: int) -> None:
        """Move the cursor around the ring of this level."""
        self.open(now_ns)
        self._refusal = None
        places, at = max(1, len(self._ring(facts))), self._place(facts) + by
        is_scale = self._level == 2 and self._item(facts).row.is_scale
        self._at[self._level] = max(0, min(at, places - 1)) if is_scale else at % places

    def back(self, now_ns: int) -> None:
        """Go one level up."""
        self.open(now_ns)
        self._refusal = None
        self._level = 1 if self._level == 2 else 0

    def confirm(self, facts: StaffFacts, now_ns: int) -> Command | ChangeSetting | ResetFigure | RequestJob | None:
        """Take the item under the cursor; return the table's task, if any."""
        self.open(now_ns)
        self._refusal = None
        if self._level == 0:
            self._level, self._at[1] = 1, 0
            return None
        item = self._item(facts)
        if self._level == 1:
            return self._enter(item, facts)
        return self._choose(item, facts)

    def point_at(self, seat: Seat, facts: StaffFacts, now_ns: int) -> None:
        """Move the cursor to the seat where somebody pressed a button, while a seat is being picked."""
        ring = self._ring(facts)
        if self.asks_for_seat(facts) and seat in ring:
            self.open(now_ns)
            self._at[2] = ring.index(seat)

    def refuse(self, why: StaffRefusal | None) -> None:
        """Show the table's refusal, if any."""
        self._refusal = why

    def report(self, report: JobReport, now_ns: int) -> None:
        """Show a job's report, or keep it until the menu is opened."""
        self._reports[report.job] = report
        if self.is_open:
            self.open(now_ns)

    def on_present(self, values: Mapping[StaffItem, str | int]) -> None:
        """Take the setting values in effect now."""
        self._present |= values

    def tried_volume(self, facts: StaffFacts) -> int | None:
        """Return the volume under the staff's cursor while choosing one, in percent."""
        if not self.is_open or self._level != 2 or self._item(facts) is not StaffItem.VOLUME:
            return None
        ring = self._ring(facts)
        chosen = ring[self._place(facts)] if ring else None
        return chosen if isinstance(chosen, int) else None

    # Tests

    def test(self, facts: StaffFacts) -> StaffItem | None:
        """Return the test currently taking over the other seats."""
        item = self._item(facts) if self.is_open and self._level == 2 else None
        return item if item is not None and item.row.takes_seats else None

    def on_moved(self, seat: str, part: str, now_ns: int) -> None:
        """Show a moved part."""
        self._moved = seat, part
        self.open(now_ns)

    def asks_for_seat(self, facts: StaffFacts) -> bool:
        """Return whether a seat is being picked."""
        return self.is_open and self._level == 2 and self._item(facts).row.of_seat

    # Pictures

    def view(self, facts: StaffFacts) -> StaffView:
        """Return the service seat's picture while the menu is open."""
        section = self._section
        if self._level == 0:
            return StaffView(section, closed_by=_closed_by(facts))
        item = self._item(facts)
        if self._level == 1:
            return StaffView(
                *(section, item),
                value=self._fact(item, facts),
                figure=facts.figures.get(item),
                refusal=self._refusal,
                report=self._reports.get(_JOBS[item]) if item in _JOBS else None,
            )
        asked = StaffView(section, item, asks=True, figure=facts.figures.get(item))
        ring = self._ring(facts)
        chosen = ring[self._place(facts)] if ring else None
        match item, chosen:
            case StaffItem.INPUTS, _:
                return structs.replace(asked, value=self._moved[0], button=self._moved[1])
            case _, bool(is_sure):
                return structs.replace(asked, is_sure=is_sure)
            case StaffItem.NEVER_MOVED, (str(seat), str(part)):
                return structs.replace(asked, value=seat, button=part)
            case StaffItem.REMOVE | StaffItem.HAND_OVER | StaffItem.ROBOT, int(seat):
                return structs.replace(asked, value=dict((*facts.seats, *facts.free))[Seat(seat)])
            case _, str() | int():
                return structs.replace(asked, value=chosen, is_present=chosen == self._present.get(item))
        return asked

    @property
    def _section(self) -> StaffSection:
        sections: Sequence[StaffSection] = [*StaffSection]
        return sections[self._at[0]]

    def _items(self, facts: StaffFacts) -> Sequence[StaffItem]:
        offered = [item for item in _ITEMS[self._section] if self._is_offered(item, facts)]
        if facts.is_paused:
            offered = [StaffItem.RESUME if item is StaffItem.PAUSE else item for item in offered]
        if facts.may_reopen:
            offered = [StaffItem.REOPEN if item is StaffItem.END_MATCH else item for item in offered]
        # The back item lies across from the first: every other one is within two steps in either direction.
        across = max(2, (len(offered) + 1) // 2)
        return (*offered[:across], StaffItem.BACK, *offered[across:])

    def _is_offered(self, item: StaffItem, facts: StaffFacts) -> bool:
        if item.row.needs_key and facts.is_held_open:
            return False
        if item in _JOBS:
            return _JOBS[item] in self._options.jobs
        if item in FIGURES:
            return item in facts.figures
        if item.row.kind is StaffKind.SETTING:
            return item in self._options.choices
        return item.row.kind is not StaffKind.FACT or item in self._facts

    def _item(self, facts: StaffFacts) -> StaffItem:
        items = self._items(facts)
        return items[min(self._at[1], len(items) - 1)]

    def _ring(self, facts: StaffFacts) -> Sequence[object]:
        if self._level == 0:
            return [*StaffSection]
        if self._level == 1:
            return self._items(facts)
        match item := self._item(facts):
            case StaffItem.HAND_OVER:
                return [seat for seat, _ in facts.seats if seat not in facts.robots]
            case StaffItem.ROBOT:
                return [seat for seat, _ in facts.free]
            case _ if item.row.of_seat:
                return [seat for seat, _ in facts.seats]
            case _ if item.row.asks_first:
                return [False, True]
            case StaffItem.NEVER_MOVED:
                return facts.never_moved
            case _ if item.row.is_scale:
                return self._scale(item)
            case _:
                return self._options.choices.get(item, ())

    def _scale(self, item: StaffItem) -> Sequence[str | int]:
        """Return a volume's values with the present one, from the least; guest bounds never cross."""
        present, least = self._present.get(item), self._present.get(StaffItem.GUESTS_MIN)
        most = self._present.get(StaffItem.GUESTS_MAX)
        values = {each for each in (*self._options.choices.get(item, ()), present) if isinstance(each, int)}
        if item is StaffItem.GUESTS_MIN and isinstance(most, int):
            values = {each for each in values if each <= most}
        if item is StaffItem.GUESTS_MAX:
            return LAYOUT_VALUE, *sorted(each for each in values if not isinstance(least, int) or each >= least)
        return sorted(values)

    def _place(self, facts: StaffFacts) -> int:
        """Return this level's cursor, within the present ring."""
        return min(self._at[self._level], max(0, len(self._ring(facts)) - 1))

    def _fact(self, item: StaffItem, facts: StaffFacts) -> str | int | None:
        if item is StaffItem.NEVER_MOVED:
            return len(facts.never_moved)
        return self._present.get(item, self._facts.get(item))

    def _enter(self, item: StaffItem, facts: StaffFacts) -> Command | RequestJob | None:
        """Take an item: do it, or ask for its choice."""
        if item is StaffItem.BACK:
            self._level = 0
        elif item in _COMMANDS and not item.row.of_seat and not item.row.asks_first:
            return Command(_COMMANDS[item])
        elif item in _JOBS and not item.row.asks_first:
            return RequestJob(_JOBS[item])
        elif item.row.takes_seats and not facts.may_test:
            self._refusal = StaffRefusal.PAUSE_FIRST
        elif item is StaffItem.ROBOT and not facts.free:
            self._refusal = facts.why_no_robot or StaffRefusal.NO_SEAT_FREE
        elif item.row.of_seat and item is not StaffItem.ROBOT and not facts.seats:
            self._refusal = StaffRefusal.NO_MATCH
        elif item not in self._facts:
            self._level, self._at[2], self._moved = 2, 0, ("", "")
            ring = self._ring(facts)
            self._at[2] = ring.index(self._present[item]) if self._present.get(item) in ring else 0
        return None

    def _choose(self, item: StaffItem, facts: StaffFacts) -> Command | ChangeSetting | ResetFigure | RequestJob | None:
        """Take the choice under the cursor, and return to the items."""
        ring, place = self._ring(facts), self._place(facts)
        self._level = 1
        chosen = ring[place] if ring else None
        if item.row.of_seat:
            return Command(_COMMANDS[item], Seat(chosen)) if isinstance(chosen, int) else None
        if item in _JOBS:
            return RequestJob(_JOBS[item]) if chosen is True else None
        if item in FIGURES:
            return ResetFigure(item) if chosen is True else None
        if item in _COMMANDS:
            return Command(_COMMANDS[item]) if chosen is True else None
        if item in self._options.choices and isinstance(chosen, str | int):
            self._present[item] = chosen
            return ChangeSetting(item.value, chosen)
        return None


def _closed_by(facts: StaffFacts) -> ClosedBy:
    """Return how staff close the menu: as they opened it, or with DUDO after held arrows."""
    if not facts.is_held_open:
        return ClosedBy.KEY
    return ClosedBy.DUDO if facts.has_dudo_button else ClosedBy.TIME
