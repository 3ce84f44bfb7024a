"""The content of one seat's display before it is drawn: public facts only. Dice are in the engine's `View`.

`draw(view, menu)` receives a `SeatView` and cannot leak a die; `draw_peek(view, menu, look)` also receives one seat's
`View`.
"""

from enum import StrEnum

from msgspec import Struct

from drivers.messages import Brightness, Device
from engine import Call, Position, Reason
from engine.match import visible_seats
from engine.rules import Visibility
from firmware_host.table.events import Repeat
from firmware_host.table.health import Alert
from firmware_host.table.names import NameView
from firmware_host.table.robots import RobotLevel
from firmware_host.table.staff import StaffView


class SceneName(StrEnum):
    """The part of a session that a seat is in."""

    LOBBY = "lobby"
    SHAKING = "shaking"
    CHOOSING = "choosing"
    BIDDING = "bidding"
    CALLED = "called"
    REVEAL = "reveal"
    OVER = "over"


class TableReason(StrEnum):
    """Reason why the table, not the rules, ignored a press; the rules' reasons are the engine's `Reason`."""

    BID_CHANGED = "bid-changed"
    MENU_CHANGED = "menu-changed"
    LOOK_FIRST = "look-first"
    CHOICE_FIRST = "choice-first"
    OTHERS_SHAKE = "others-shake"
    NOT_PLAYING = "not-playing"
    TAKEN_BACK = "taken-back"
    PERSON_FIRST = "person-first"  # before a robot


class SeatInfo(Struct, frozen=True):
    """The equipment of a seat as far as the table depends on it, and the name that its player has entered."""

    name: str
    color: str = "white"
    dudo_button: bool = True
    commits: bool = False  # its cup commits to the entropy that it adds to a deal
    takes_new_cup: bool = False  # another cup can be assigned to it at the table
    is_service: bool = False  # shows the alerts for the owner
    player: str = ""

    @property
    def shown(self) -> str:
        """The name under which everybody sees the seat: that of its player, else its own."""
        return self.player or self.name


class Absence(Struct, frozen=True):
    """The players who are away while the table waits for them, and the vote of the others."""

    players: tuple[int, ...]
    votes: int = 0  # to play on without them
    needed: int = 0  # 0 where the others are too few to vote
    out_in_min: int | None = None  # None until another player has touched anything
    stalling: tuple[int, ...] = ()  # of these players: who touch things, but do not play


class UndoRequest(Struct, frozen=True):
    """A request that is open: the seat that asks, the seats that agree, and those that have to."""

    seat: int
    agreed: tuple[int, ...]
    needed: tuple[int, ...]


class UndoAsked(Struct, frozen=True):
    """The same for the displays: the player who asks, how many agree, and how many have to."""

    player: int
    votes: int
    needed: int


class Missing(Struct, frozen=True):
    """A device that does not respond, at the seat of this name."""

    name: str
    device: Device


class SeatView(Struct, frozen=True):
    """The public facts for one seat. `me`, `waiting_for` and the position use player indexes of the match."""

    scene: SceneName
    name: str
    names: tuple[str, ...]  # of the players by player index; in the lobby of the seats that have joined
    me: int | None = None  # this seat's player index; None does not play
    position: Position | None = None  # None in the lobby; after a call the position in which it was made
    caller: int | None = None  # the player who has just called, until the reveal
    call: Call | None = None
    waiting_for: tuple[int, ...] = ()
    countdown_s: int | None = None  # to the start of the match
    broken_off: bool = False  # the last match was, and nobody has joined since
    clock_s: int | None = None  # the last seconds of the turn clock
    absence: Absence | None = None
    undo: UndoAsked | None = None  # the last action is to be taken back
    may_agree: bool = False  # this seat may vote to play on without them
    paused: bool = False  # by staff
    staff: StaffView | None = None  # the staff menu, which covers everything else
    naming: NameView | None = None  # the letters of a name, while the seat is asked for one
    repeat: Repeat | None = None  # why the cups are shaken again
    missing: tuple[Missing, ...] = ()
    alerts: tuple[Alert, ...] = ()  # those that this seat shows
    takes_new_cup: bool = False  # if its own is missing
    notice: Reason | TableReason | Alert | None = None  # why the last press was ignored, or a new alert
    resumed: bool = False  # after a power cut, until the next action
    has_peeked: bool = False  # in this match, at a time when there was something to see
    page: int = 0  # of the open hands: 0 is the summary
    cue_ms: int | None = None  # of a reveal: the moment of its last cue or frame (`cues`); None when all is told
    brightness: Brightness = Brightness.BRIGHT
    head: str = ""  # first letters of the match's chain: 11 before the shake, 16 after the match, without blanks
    idle_frame: int = 0  # counts up slowly in the empty lobby, so that its picture moves
    robot: RobotLevel | None = None  # that plays at this seat
    volume: int | None = None  # in percent, while the seat is about to change it

    @property
    def you(self) -> int | None:
        """The player whom the display calls *you*: a robot's is read by the others alone."""
        return None if self.robot is not None else self.me


def hand_pages(scene: SceneName, position: Position, me: int | None) -> tuple[int, ...]:
    """Return the players whose hands are on pages 1, 2, …; none where there are no pages to turn.

    In an open round these are the hands under the cups that player `me` may see, from the next in order of play; in a
    reveal they are all hands in order of play, for everybody. Page 0 is the summary. Only public facts decide it, so
    `Table` counts pages by this function and the screens draw by it.
    """
    if scene is SceneName.REVEAL and position.showdown is not None:
        hands = position.showdown.hands
        return tuple(player for player in position.order if hands[player])
    if scene is SceneName.BIDDING and me is not None and position.kind.visibility is Visibility.OTHERS:
        seen, place = visible_seats(position, me), position.order.index(me)
        return tuple(sorted(seen, key=lambda player: (position.order.index(player) - place) % len(position.order)))
    return ()
