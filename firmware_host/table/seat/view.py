"""One seat's display content before drawing: public facts only. Dice are in the engine's `View`.

`draw(view, menu)` receives a `SeatView` and cannot leak a die; `draw_peek(view, menu, look)` also receives one seat's
`View`.
"""

from enum import StrEnum

from msgspec import Struct

from drivers.messages import Brightness, Device
from engine import Call, Player, Position, Reason
from engine.match import visible_seats
from engine.rules import Visibility
from firmware_host.table.events import Repeat
from firmware_host.table.health import Alert
from firmware_host.table.invitation import Invitation
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.lesson import LessonView
from firmware_host.table.seat.names import NameView
from firmware_host.table.seat.tips import TipView
from firmware_host.table.staff.actions import StaffView


class SceneName(StrEnum):
    """A seat's present part of the session."""

    LOBBY = "lobby"
    SHAKING = "shaking"
    CHOOSING = "choosing"
    BIDDING = "bidding"
    CALLED = "called"
    REVEAL = "reveal"
    OVER = "over"


class TableReason(StrEnum):
    """Why the table ignored a press; reasons from the rules are the engine's `Reason`."""

    BID_CHANGED = "bid-changed"
    MENU_CHANGED = "menu-changed"
    LOOK_FIRST = "look-first"
    CHOICE_FIRST = "choice-first"
    OTHERS_SHAKE = "others-shake"
    NOT_PLAYING = "not-playing"
    TAKEN_BACK = "taken-back"
    PERSON_FIRST = "person-first"  # before a robot


class SeatInfo(Struct, frozen=True):
    """A seat's equipment as far as it matters to the table."""

    name: str
    color: str = "white"
    dudo_button: bool = True
    commits: bool = False  # its cup commits to its entropy for a deal
    takes_new_cup: bool = False  # another cup can be paired with it at the table
    is_service: bool = False  # shows owner alerts
    is_phone: bool = False  # its device is a guest's phone, present while somebody has the seat


class Absence(Struct, frozen=True):
    """Away players who hold up the table, and the others' vote."""

    players: tuple[Player, ...]
    votes: int = 0  # to play on without them
    needed: int = 0  # 0 where the others are too few to vote
    out_in_min: int | None = None  # None before another player's first touch
    stalling: tuple[Player, ...] = ()  # subset of these players, touching things without playing


class UndoAsked(Struct, frozen=True):
    """An open request to take the last action back: the asking player, how many agree, and how many must."""

    player: Player
    votes: int
    needed: int


class Missing(Struct, frozen=True):
    """A missing device, at the seat with this name."""

    name: str
    device: Device


class SeatView(Struct, frozen=True):
    """The public facts for one seat. `me`, `waiting_for` and the position use match player indexes."""

    scene: SceneName
    name: str
    names: tuple[str, ...]  # by player index; in the lobby, names at joined seats
    me: Player | None = None  # this seat's player index; None: not playing
    position: Position | None = None  # None in the lobby; after a call, the called position
    caller: Player | None = None  # player of a call, until the reveal
    call: Call | None = None
    waiting_for: tuple[Player, ...] = ()
    countdown_s: int | None = None  # to the start of the match
    broken_off: bool = False  # the last match was, and no seat has joined since
    clock_s: int | None = None  # the last seconds of the turn clock
    absence: Absence | None = None
    undo: UndoAsked | None = None  # open request to take the last action back
    may_agree: bool = False  # this seat may vote to play on without away players
    paused: bool = False  # by staff
    staff: StaffView | None = None  # the staff menu, which covers everything else
    naming: NameView | None = None  # the letters of a name, while the seat is asked for one
    lesson: LessonView | None = None  # the lesson's step, at a free seat
    repeat: Repeat | None = None  # why the cups are shaken again
    missing: tuple[Missing, ...] = ()
    alerts: tuple[Alert, ...] = ()  # as far as this seat shows them
    takes_new_cup: bool = False  # if its own is missing
    notice: Reason | TableReason | Alert | None = None  # why the last press was ignored, or a new alert
    tip: TipView | None = None  # about a rule that matters now, to a new player
    resumed: bool = False  # after a power cut, until the next action
    has_peeked: bool = False  # in this match, with dice to see
    is_phone: bool = False  # has a button for looking and no cup to tilt
    page: int = 0  # open hands: 0 is the summary
    cue_ms: int | None = None  # in a reveal, its last cue or frame (`cues`); None at the end
    brightness: Brightness = Brightness.BRIGHT
    head: str = ""  # first letters of the chain hash: 12 before the shake, 16 after the match, without blanks
    idle_frame: int = 0  # counts up slowly in the empty lobby, so that its picture moves
    robot: RobotLevel | None = None  # robot playing at this seat
    volume: int | None = None  # in percent, while the seat is choosing it
    invitation: Invitation | None = None  # in the lobby, the way in for the next phone; never at a phone

    @property
    def you(self) -> Player | None:
        """The player called *you*; at a robot's seat None, since only others read its display."""
        return None if self.robot is not None else self.me


def hand_pages(scene: SceneName, position: Position, me: Player | None) -> tuple[Player, ...]:
    """Return the players on pages 1, 2, … of the hands, empty without pages to turn.

    In an open round these are the hands under cups visible to player `me`, from the next in order of play; in a reveal
    all hands in order of play, for everybody. Page 0 is the summary. The result depends on public facts alone, so
    `Table` counts pages by this function and the screens draw by it.
    """
    if scene is SceneName.REVEAL and position.showdown is not None:
        hands = position.showdown.hands
        return tuple(player for player in position.order if hands[player])
    if scene is SceneName.BIDDING and me is not None and position.kind.visibility is Visibility.OTHERS:
        seen, place = visible_seats(position, me), position.order.index(me)
        return tuple(sorted(seen, key=lambda player: (position.order.index(player) - place) % len(position.order)))
    return ()
