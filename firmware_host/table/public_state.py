"""The public table state as one value, for socket, page and status line.

Only the position could hold a die, and a `Position` holds none before a showdown.
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
    """The table at one moment. `waiting_for` and the position use match player indexes, as `SeatView` does."""

    scene: SceneName
    seats: tuple[SeatInfo, ...]  # of the layout
    rules: str  # for this match, or the next one
    players: tuple[int, ...]  # seats of the layout; in the lobby those that have joined
    match: str | None = None
    head: str | None = None  # the match chain's hash, 52 letters
    deal: int | None = None  # deal being shaken, once host and cups have committed to it
    position: Position | None = None  # None in the lobby
    caller: int | None = None  # player of a call, until the reveal
    call: Call | None = None
    waiting_for: tuple[int, ...] = ()
    standings: tuple[int, ...] = ()  # when the match is over: seats of the layout, from the winner down
    missing: tuple[tuple[int, Device], ...] = ()  # seats of the layout and their missing devices
    countdown_s: int | None = None  # to the start of the match
    broken_off: bool = False  # the last match was, and no seat has joined since
    clock_s: int | None = None  # the last seconds of the turn clock
    away: tuple[int, ...] = ()  # layout seats with away players
    absence: Absence | None = None  # away players that the table waits for
    undo: UndoRequest | None = None  # request to take the last action back, by layout seats
    paused: bool = False  # by staff
    repeat: Repeat | None = None  # why the cups are shaken again
    alerts: tuple[Alert, ...] = ()  # host alerts, the most urgent first
    robots: tuple[tuple[int, RobotLevel], ...] = ()  # layout seats with robots
    volume: int = MAX_VOLUME  # for every loudspeaker at the table, in percent
    tv: TvSetting = TvSetting.AUTO
    sound_test: bool = False  # staff are testing the loudspeaker
