"""The effects returned by `Table`, in the daemon's order of work, and the host's messages.

A `Record` precedes its dependent effects: the daemon holds them back until the record is on disk.
"""

from msgspec import Struct

from engine import View
from firmware_host.table.events import PublicEvent
from firmware_host.table.health import AlertCleared, AlertRaised
from firmware_host.table.invitation import Invited
from firmware_host.table.robots import AskRobot, HandsRead, RobotAction
from firmware_host.table.scenes.deal import Request
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.names import KeepNames, NamesRead
from firmware_host.table.seat.view import SeatView
from firmware_host.table.staff.actions import (
    ArrowsOpenMenu,
    ChangeSetting,
    FiguresRead,
    ResetFigure,
    StaffAction,
    StaffAnswer,
)
from firmware_host.table.staff.machine import JobReport, RequestJob
from firmware_host.table.staff.sound import SoundAndLight
from firmware_host.wire import PublicState, Seat


class SetPeek(Struct, frozen=True):
    """Allow a seat's display to show dice, or hide them."""

    seat: Seat
    open: bool


class Record(Struct, frozen=True):
    """Make this scene durable. A restart resumes from it alone."""

    scene: Scene


class Announce(Struct, frozen=True):
    """Publish an event to the page, the narration and the socket."""

    event: PublicEvent


class Publish(Struct, frozen=True):
    """Publish the public state, if changed, after its events."""

    state: PublicState


class Show(Struct, frozen=True):
    """Draw a seat's display; `look` is the seat's view while peeking, None without peeking."""

    seat: Seat
    view: SeatView
    menu: Menu
    look: View | None


class ChangeLanguage(Struct, frozen=True):
    """Show a seat's display in the next language, or in its own again."""

    seat: Seat
    is_own: bool = False


class Seeded(Struct, frozen=True):
    """The daemon's answer to `RequestSeed`, 32 bytes, since the table draws no random number itself."""

    seed: bytes

    def __repr__(self) -> str:
        return "Seeded(…)"  # a seed decides half of the dice


HostMessage = (
    Seeded
    | AlertRaised
    | AlertCleared
    | StaffAction
    | RobotAction
    | HandsRead
    | NamesRead
    | JobReport
    | FiguresRead
    | ArrowsOpenMenu
    | SoundAndLight
    | Invited
)
"""Messages from the daemon itself rather than from a driver."""

HostEffect = AskRobot | ChangeSetting | RequestJob | ResetFigure | KeepNames
"""Effects outside the game, carried out by the daemon's host."""

Effect = SetPeek | Record | Announce | Publish | Request | Show | ChangeLanguage | StaffAnswer | HostEffect
