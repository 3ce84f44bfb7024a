"""The public state of the table as one value, for the socket, the page and the status line.

No field holds a die but the position, and a `Position` holds none before a showdown.
"""

from msgspec import Struct

from drivers.messages import Device
from engine import Call, Position
from firmware_host.table.events import Repeat
from firmware_host.table.health import Alert
from firmware_host.table.robots import RobotLevel
from firmware_host.table.seat_view import Absence, SceneName, SeatInfo, UndoRequest
from firmware_host.table.sound import MAX_VOLUME, TvSetting


class PublicState(Struct, frozen=True):
    """The table at one moment. `waiting_for` and the position use player indexes of the match, as `SeatView` does."""

    scene: SceneName
    seats: tuple[SeatInfo, ...]  # of the layout
    rules: str  # of the match, or of the next one
    players: tuple[int, ...]  # seats of the layout; in the lobby those that have joined
    match: str | None = None
    head: str | None = None  # of the match's chain, 52 letters
    deal: int | None = None  # the deal that is being shaken, once host and cups have committed to it
    position: Position | None = None  # None in the lobby
    caller: int | None = None  # the player who has just called, until the reveal
    call: Call | None = None
    waiting_for: tuple[int, ...] = ()
    standings: tuple[int, ...] = ()  # when the match is over: seats of the layout, from the winner down
    missing: tuple[tuple[int, Device], ...] = ()  # seats of the layout and their missing devices
    countdown_s: int | None = None  # to the start of the match
    broken_off: bool = False  # the last match was, and nobody has joined since
    clock_s: int | None = None  # the last seconds of the turn clock
    away: tuple[int, ...] = ()  # seats of the layout whose players are away
    absence: Absence | None = None  # those of them that the table waits for
    undo: UndoRequest | None = None  # to take the last action back; seats of the layout
    paused: bool = False  # by staff
    repeat: Repeat | None = None  # why the cups are shaken again
    alerts: tuple[Alert, ...] = ()  # of the host, the most urgent first
    robots: tuple[tuple[int, RobotLevel], ...] = ()  # seats of the layout where robots play
    volume: int = MAX_VOLUME  # of every loudspeaker at the table, in percent
    tv: TvSetting = TvSetting.AUTO
    sound_test: bool = False  # staff test the loudspeaker
