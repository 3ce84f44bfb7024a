"""Staff requests to the table, and its reasons to refuse. They come from `daemon.control` and the staff menu."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from msgspec import Struct, to_builtins

from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.staff.items import StaffItem, StaffKind, StaffSection, staff_items
from firmware_host.table.staff.machine import Job, JobReport
from firmware_host.table.staff.sound import SoundAndLight
from firmware_host.wire import Seat


class StaffCommand(StrEnum):
    """A staff action on the match."""

    PAUSE = "pause"
    RESUME = "resume"
    UNDO = "undo"  # the last action
    END_MATCH = "end-match"
    REOPEN = "reopen"  # the ended match
    REMOVE = "remove"  # a seat, for good
    HAND_OVER = "hand-over"  # a seat, to another person
    ROBOT = "robot"  # takes a seat in the lobby


class StaffRefusal(StrEnum):
    """Why the table ignored a staff action."""

    NO_MATCH = "no-match"
    CALL = "call"  # a call is being read: its cost is settled, but not yet shown
    ALREADY_PAUSED = "already-paused"
    NOT_PAUSED = "not-paused"
    NOTHING_TO_UNDO = "nothing-to-undo"  # or dice resting on it were shown
    NOTHING_TO_REOPEN = "nothing-to-reopen"  # no ended match, or the next one has begun
    NOT_PLAYING = "not-playing"  # the seat
    NOT_FREE = "not-free"  # a person has the seat
    NO_SEAT_FREE = "no-seat-free"
    PERSON_FIRST = "person-first"  # before a robot
    IN_MATCH = "in-match"  # or about to begin one
    ROBOTS_SEAT = "robots-seat"  # no other person plays on for a robot
    PAUSE_FIRST = "pause-first"  # a test would take over seats from a match


class StaffAction(Struct, frozen=True):
    """A staff action. The table answers with a `StaffAnswer` under the same number."""

    what: StaffCommand
    seat: Seat | None = None  # to remove or hand over, or for a robot
    number: int = 0
    level: RobotLevel = RobotLevel.MIDDLE


class StaffAnswer(Struct, frozen=True):
    """Effect: the answer to a staff action once durable; `refusal` is None after success."""

    number: int
    refusal: StaffRefusal | None = None


class StaffFigure(Struct, frozen=True):
    """A table counter and its first day; hours are counted in seconds.

    Among starts, `crashes` counts those after a power cut or failure.
    """

    count: int
    since: str
    crashes: int = 0


class FiguresRead(Struct, frozen=True):
    """Host message with the table's counters, now and after each change."""

    figures: dict[StaffItem, StaffFigure]


class ResetFigure(Struct, frozen=True):
    """Effect: the host sets a counter to 0."""

    figure: StaffItem


class ArrowsOpenMenu(Struct, frozen=True):
    """Host message: whether held arrows open the menu from now on; if not, a menu they opened closes."""

    is_on: bool


class StaffOptions(Struct, frozen=True):
    """A table's staff menu: each setting's values and present one, facts, jobs.

    The menu calls `read_facts` each time it opens. With `takes_hold`, holding ◀ and ▶ at the service seat opens it too.
    """

    choices: dict[StaffItem, tuple[str | int, ...]] = {}
    present: dict[StaffItem, str | int] = {}
    read_facts: Callable[[], Mapping[StaffItem, str]] = dict
    jobs: tuple[Job, ...] = ()
    takes_hold: bool = False


LAYOUT_VALUE = "layout"
"""The choice that gives a setting back to the layout, or to its default where a layout has no such value."""


def present_values(settings: SoundAndLight) -> dict[StaffItem, str | int]:
    """Return the values in effect for items that act at once."""
    values = to_builtins(settings)
    return {
        item: LAYOUT_VALUE if values[item] is None else values[item]
        for item in staff_items(StaffKind.SETTING)
        if item in values
    }


NO_MENU = StaffOptions()
"""Options for a table whose staff menu has no opener."""


class ClosedBy(StrEnum):
    """The way to close the staff menu."""

    KEY = "key"  # turned back
    DUDO = "dudo"
    TIME = "time"  # without a press, where the service seat has no DUDO button


class StaffView(Struct, frozen=True):
    """Picture of the staff menu: texts and setting numbers, without a field for dice.

    `item` is None in the section list. `value` is the choice under OK, a fact, or a tested part's movement.
    """

    section: StaffSection
    item: StaffItem | None = None
    value: str | int | None = None
    button: str = ""  # part moved in a test, at the seat named in `value`
    asks: bool = False  # the item needs a choice
    is_present: bool = False  # the value is in effect
    is_sure: bool | None = None  # OK's answer to a question
    figure: StaffFigure | None = None  # for a counter item
    refusal: StaffRefusal | None = None
    report: JobReport | None = None  # the item's job
    volume: int | None = None  # for the test sound, in percent
    closed_by: ClosedBy = ClosedBy.KEY

    @property
    def is_test_picture(self) -> bool:
        """Whether a seat shows the test picture, with its own name and its lamp on."""
        return self.item is StaffItem.OUTPUTS and isinstance(self.value, str)


class ChangeSetting(Struct, frozen=True):
    """Effect: the host keeps a setting and applies it."""

    setting: str
    value: str | int
