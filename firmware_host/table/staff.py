"""What staff may ask of the table, and the reasons why it refuses. `daemon.control` and the staff menu ask."""

from enum import StrEnum

from msgspec import Struct

from firmware_host.table.machine import Job, JobReport
from firmware_host.table.robots import RobotLevel
from firmware_host.table.sound import SoundAndLight
from firmware_host.table.staff_items import StaffItem, StaffSection


class StaffCommand(StrEnum):
    """An action of staff on the match that is played."""

    PAUSE = "pause"
    RESUME = "resume"
    UNDO = "undo"  # the last action
    END_MATCH = "end-match"
    REOPEN = "reopen"  # the match that has ended
    REMOVE = "remove"  # a seat, for good
    HAND_OVER = "hand-over"  # a seat, to another person
    ROBOT = "robot"  # takes a seat in the lobby


class StaffRefusal(StrEnum):
    """The reason why the table ignored an action of staff."""

    NO_MATCH = "no-match"
    CALL = "call"  # a call is being read: what it costs is decided, but not yet shown
    ALREADY_PAUSED = "already-paused"
    NOT_PAUSED = "not-paused"
    NOTHING_TO_UNDO = "nothing-to-undo"  # or dice that rest on it were shown
    NOTHING_TO_REOPEN = "nothing-to-reopen"  # no match has ended, or the next one has begun
    NOT_PLAYING = "not-playing"  # the seat
    NO_ROBOT = "no-robot"  # takes a seat that a person has, nor any before a person has joined, nor in a match
    PAUSE_FIRST = "pause-first"  # a test would take over the seats of a match


class StaffAction(Struct, frozen=True):
    """An action of staff. The table answers it with a `StaffAnswer` of the same number."""

    what: StaffCommand
    seat: int | None = None  # to remove or to hand over, or for a robot
    number: int = 0
    level: RobotLevel = RobotLevel.MIDDLE


class StaffAnswer(Struct, frozen=True):
    """The effect that answers an action of staff once it is durable; `refusal` is None if it was done."""

    number: int
    refusal: StaffRefusal | None = None


class Figure(Struct, frozen=True):
    """A count of the table, and the day since which it counts; hours are counted in seconds.

    Of starts `crashes` came after a power cut or a failure.
    """

    count: int
    since: str
    crashes: int = 0


class FiguresRead(Struct, frozen=True):
    """The message of the host with the counts of the table, now and whenever one has changed."""

    figures: dict[StaffItem, Figure]


class ResetFigure(Struct, frozen=True):
    """The effect that has the host set a count to 0."""

    figure: StaffItem


class ArrowsOpenMenu(Struct, frozen=True):
    """The message of the host whether held arrows open the menu from now on; one that they opened closes if not."""

    is_on: bool


class StaffOptions(Struct, frozen=True):
    """What the staff menu of a table offers: the values of each setting, the present one, facts for its pages, jobs.

    `takes_hold` opens the menu when ◀ and ▶ of the service seat are held, too.
    """

    choices: dict[StaffItem, tuple[str | int, ...]] = {}
    present: dict[StaffItem, str | int] = {}
    facts: dict[StaffItem, str] = {}
    jobs: tuple[Job, ...] = ()
    takes_hold: bool = False


LAYOUT_VALUE = "layout"
"""The choice that gives a setting back to the layout; where a layout has no such value, to what it was at first."""


def present_values(settings: SoundAndLight) -> dict[StaffItem, str | int]:
    """Return the values in force of the items that take effect at once."""
    return {
        StaffItem.VOLUME: settings.volume,
        StaffItem.BRIGHTNESS: settings.brightness,
        StaffItem.TV: settings.tv.value,
        StaffItem.GUESTS_MIN: settings.guests_min,
        StaffItem.GUESTS_MAX: LAYOUT_VALUE if settings.guests_max is None else settings.guests_max,
    }


NO_MENU = StaffOptions()
"""The options of a table whose staff menu nobody can open."""


class StaffView(Struct, frozen=True):
    """What the staff menu shows. It has texts and numbers of the settings, and no field that a die could be in.

    `item` is None in the list of sections. `value` is the choice that OK takes, a fact, or what a part under test did.
    """

    section: StaffSection
    item: StaffItem | None = None
    value: str | int | None = None
    button: str = ""  # the part that moved in a test, at the seat named in `value`
    asks: bool = False  # a choice is to be made for the item
    is_present: bool = False  # the value is the one that is in force
    is_sure: bool | None = None  # the answer that OK gives to a question
    figure: Figure | None = None  # of an item that is a count
    refusal: StaffRefusal | None = None
    report: JobReport | None = None  # how the job of the item stands
    volume: int | None = None  # of the test sound, in percent

    @property
    def is_test_picture(self) -> bool:
        """Whether a seat shows the picture of a test, with its own name, and its light is on."""
        return self.item is StaffItem.OUTPUTS and isinstance(self.value, str)


class ChangeSetting(Struct, frozen=True):
    """The effect that has the host keep a setting and put it in force."""

    setting: str
    value: str | int
