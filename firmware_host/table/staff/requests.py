"""Staff requests at the control socket, and their answers: the one declaration for daemon, command and owner's page.

A client sends one request as a JSON line, and gets one `Reply`. Replies never hold a die: they come from public state
and settings.
"""

from typing import Annotated

import msgspec

from drivers.messages import Device
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.staff.actions import StaffCommand, StaffFigure, StaffRefusal
from firmware_host.table.staff.items import StaffItem
from firmware_host.table.staff.machine import Job, JobOutcome, JobReport
from firmware_host.table.staff.setup import SetupChange
from firmware_host.wire import PublicState

MAX_REQUEST_BYTES = 8192
MAX_REPLY_BYTES = 1 << 16
TIMEOUT_S = 5.0
"""Seconds for a client to send its request, and for the table to answer."""

ShortText = Annotated[str, msgspec.Meta(max_length=64)]
RuleAnswers = Annotated[
    dict[ShortText, bool | int | ShortText | Annotated[tuple[ShortText, ...], msgspec.Meta(max_length=8)]],
    msgspec.Meta(max_length=64),
]
"""The values of rule fields by dotted key, such as `pass.wild_aces`."""


class _Request(msgspec.Struct, frozen=True, tag_field="ask", forbid_unknown_fields=True):
    """A request by staff; its type is in the field `ask`."""


class ReadStatus(_Request, frozen=True, tag="status"):
    """A request for table state and settings."""


class Act(_Request, frozen=True, tag="act"):
    """A request for a match action; `seat` is a seat's name, `level` a robot's."""

    what: StaffCommand
    seat: ShortText | None = None
    level: RobotLevel = RobotLevel.MIDDLE


class Configure(_Request, frozen=True, tag="change"):
    """A request for a setting's new value, None for the layout's."""

    setting: ShortText
    value: ShortText | Annotated[int, msgspec.Meta(ge=-(1 << 31), lt=1 << 31)] | None = None


class DoJob(_Request, frozen=True, tag="job"):
    """A request for a root job; the client waits for the result."""

    job: Job


class SetUp(_Request, frozen=True, tag="set-up"):
    """A request for a change of the computer or the layout, which is a root job."""

    change: SetupChange


class ReadSeats(_Request, frozen=True, tag="seats"):
    """A request for the layout's seats and the boards without one, as one JSON line of `SeatsForm`.

    For some seconds after it the table looks for such boards.
    """


class ReadNames(_Request, frozen=True, tag="names"):
    """A request to read player names again, after the owner changed or removed some."""


class ReadFigures(_Request, frozen=True, tag="figures"):
    """A request for the table's counters, as readable lines or as one JSON line."""

    json: bool = False


class ReadBoards(_Request, frozen=True, tag="boards"):
    """A request for the cups and boards, or for an update of their programs."""

    update: bool = False


class Reset(_Request, frozen=True, tag="reset"):
    """A request to set a counter to 0."""

    figure: StaffItem


class ReadFact(_Request, frozen=True, tag="fact"):
    """A request for a fact from the staff menu."""

    fact: StaffItem


class ReadRules(_Request, frozen=True, tag="rules"):
    """A request for the questions behind a rule set, as one JSON line of `RulesForm`.

    Without a base these are the house rules, or the rules in effect. `answers` are by dotted key, as in a file.
    """

    based_on: ShortText | None = None
    answers: RuleAnswers = {}


class WriteRules(_Request, frozen=True, tag="write-rules"):
    """A request to keep a rule set as the house rules, and to play by them from the next match on."""

    name: ShortText
    based_on: ShortText
    answers: RuleAnswers


class ReadForm(_Request, frozen=True, tag="form"):
    """A request for everything on the owner's page, as one JSON line of `StaffForm`."""


Request = (
    ReadStatus
    | Act
    | Configure
    | DoJob
    | ReadNames
    | ReadFact
    | ReadFigures
    | ReadBoards
    | ReadForm
    | ReadRules
    | ReadSeats
    | SetUp
    | WriteRules
    | Reset
)


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer: success or failure, with a text, and for pages in other languages the reason.

    With `waits`, a setting has its effect from the next match on.
    """

    done: bool
    lines: tuple[str, ...]
    refusal: StaffRefusal | None = None
    outcome: JobOutcome | None = None
    waits: bool = False


class SettingForm(msgspec.Struct, frozen=True):
    """A setting: its value, and the ones to choose from. The word `LAYOUT_VALUE` is the layout's own."""

    value: str | int
    choices: tuple[str | int, ...]


UNKNOWN_RELEASE = "unknown"


class BoardForm(msgspec.Struct, frozen=True):
    """A cup or board: its seat, id, release and parts, a sum of `messages.FITTINGS`, or None before it has told them.

    `remark` is an English text on its program, empty where that is the table's release; `last_loss` is why it was lost
    last, empty if it never was.
    """

    seat: str
    device: Device
    name: str
    release: str
    fitted: int | None
    remark: str
    last_loss: str


class RuleQuestion(msgspec.Struct, frozen=True):
    """A field of a rule set by its dotted key: its value, and every value with its sentence in English.

    A value with several answers is a tuple.
    """

    section: str
    key: str
    value: bool | int | str | tuple[str, ...]
    answers: tuple[tuple[bool | int | str, str], ...]


class RulesForm(msgspec.Struct, frozen=True):
    """A rule set as questions, the shipped one that it is based on, and all shipped ones."""

    name: str
    based_on: str
    bases: tuple[str, ...]
    questions: tuple[RuleQuestion, ...]


class LaidSeat(msgspec.Struct, frozen=True):
    """A seat of the layout; `board` is the id of its board at present, empty for a wired seat and a phone."""

    name: str
    color: str
    board: str
    is_missing: bool
    is_phone: bool = False


class SeatsForm(msgspec.Struct, frozen=True):
    """The layout's seats clockwise, the ids of the boards without a seat, and the last press of OK.

    `pressed` is a seat's name or a board's id, `presses` the number of presses since the table began to look.
    `layout_hash` is of the layout's file as the table read it, empty without a usable one.
    """

    seats: tuple[LaidSeat, ...]
    found: tuple[str, ...]
    pressed: str = ""
    presses: int = 0
    layout_hash: str = ""


class JobForm(msgspec.Struct, frozen=True):
    """A job's outcome: a report, and lines in English with the details."""

    report: JobReport
    lines: tuple[str, ...] = ()


class StaffForm(msgspec.Struct, frozen=True):
    """Everything on the owner's page: public state, settings, facts, counters, the jobs with their last reports, and
    the cups and boards.
    """

    state: PublicState
    settings: dict[StaffItem, SettingForm]
    facts: dict[StaffItem, str]
    figures: dict[StaffItem, StaffFigure]
    jobs: tuple[Job, ...]
    reports: dict[Job, JobForm] = {}
    boards: tuple[BoardForm, ...] = ()
