"""The public lines of docs/events.md as types. `encoder` makes them; `read` is for Python clients.

A line is the state or an event. Most events are sent in the form of `table.events`. This module has the state and the
four events with their own public form. An event's line adds `seq` and `sentences`, which `read` leaves out.

Seats are the layout's, from 0; a tuple "by seat" has an entry for each. docs/events.md says which parts may change, and
when `VERSION` rises.
"""

import msgspec

from drivers.messages import Device
from engine import RULESETS, Call, RoundKind, Rules
from engine.errors import NotationError
from engine.notation.position import parse_position
from firmware_host.public import VERSION
from firmware_host.table.events import Event, PlainEvent, UndoneBy
from firmware_host.table.health import Alert
from firmware_host.table.robots import RobotLevel
from firmware_host.table.seat_view import SceneName
from firmware_host.table.sound import MAX_VOLUME, TvSetting


class Seat(msgspec.Struct, frozen=True):
    """A layout seat. In a match, a `playing` seat without `dice` is out."""

    name: str
    color: str
    playing: bool
    dice: int
    banked: int
    missing: tuple[Device, ...]
    away: bool = False
    out_in_min: int | None = None
    place: str = ""  # the layout's seat name, even if its player has entered another
    robot: RobotLevel | None = None


class Round(msgspec.Struct, frozen=True):
    """The current round, or the one just called, then without `owner` and `first`."""

    number: int
    kind: RoundKind
    owner: int | None
    first: int | None


class Bid(msgspec.Struct, frozen=True):
    """At least `quantity` dice show `face`."""

    quantity: int
    face: int


class Standing(Bid, frozen=True):
    """The standing bid and its seat."""

    seat: int


class Called(msgspec.Struct, frozen=True):
    """A call before the cups go up, and its seat."""

    call: Call
    seat: int


class Showdown(msgspec.Struct, frozen=True):
    """The end of a round: the call, all dice, and the die lost or won."""

    call: Call
    caller: int
    doubted: int
    quantity: int
    face: int
    matching: int | None  # None for a doubted pass
    right: bool
    hands: tuple[tuple[int, ...], ...]  # by seat
    loser: int | None
    gainer: int | None
    out: tuple[int, ...]


class UndoAsked(msgspec.Struct, frozen=True):
    """A request to take the last action back: the asking seat, the agreeing seats, and all required ones."""

    seat: int
    agreed: tuple[int, ...]
    needed: tuple[int, ...]


class State(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="state"):
    """The complete public state at one moment."""

    version: int = VERSION
    seq: int = 0  # of the last event before it
    journal: str = ""
    oldest: int = 1  # the oldest event still available on request
    since: int | None = None
    scene: SceneName
    rules: str
    match: str | None = None
    head: str | None = None
    deal: int | None = None
    seats: tuple[Seat, ...]
    players: tuple[int, ...]
    order: tuple[int, ...] = ()
    rolls: tuple[tuple[int, ...], ...] = ()  # by seat
    round: Round | None = None
    waiting_for: tuple[int, ...] = ()
    turn: int | None = None
    standing: Standing | None = None
    passer: int | None = None
    called: Called | None = None
    choices: tuple[RoundKind, ...] = ()
    may_call: dict[str, tuple[int, ...]] = {}
    may_see: tuple[tuple[int, ...], ...] = ()
    cups_down: tuple[int, ...] = ()
    countdown_s: int | None = None
    broken_off: bool = False
    clock_s: int | None = None
    undo: UndoAsked | None = None
    paused: bool = False
    showdown: Showdown | None = None
    winner: int | None = None
    standings: tuple[int, ...] = ()
    position: str | None = None
    troubles: tuple[Alert, ...] = ()
    volume: int = MAX_VOLUME
    tv: TvSetting = TvSetting.AUTO
    sound_test: bool = False


class RecordAnswer(msgspec.Struct, frozen=True, tag="record"):
    """The answer to a request: the last won match's record as `text`, or None."""

    match: str | None = None
    text: str | None = None


class VerdictAnswer(msgspec.Struct, frozen=True, tag="verdict"):
    """The answer to a request: the verdict of `verify` on the last match as JSON `text`, or None."""

    match: str | None = None
    text: str | None = None


class FiguresAnswer(msgspec.Struct, frozen=True, tag="figures"):
    """The answer to a request: house statistics as JSON `text`, or None."""

    text: str | None = None


class Request(msgspec.Struct, frozen=True):
    """The one line allowed from a client.

    It requests every event after number `since` in a `journal`, or else the last `record`, its `verdict`, or the
    `figures`.
    """

    since: int | None = None
    journal: str | None = None
    record: bool = False
    verdict: bool = False
    figures: bool = False


class OrderRolled(Event, frozen=True):
    """One die each for the order of play; `order` is empty while ties roll again."""

    rolls: tuple[tuple[int, ...], ...]  # by seat
    order: tuple[int, ...]


class RoundBegan(Event, frozen=True):
    """A round begins, and its cups wait to be shaken."""

    number: int
    kind: RoundKind
    owner: int | None
    first: int
    dice: tuple[int, ...]  # their number, by seat


class ActionTaken(Event, frozen=True, tag="said"):
    """A bid, pass, call or chosen round: `action` in its text form, and a `bid` in numbers."""

    seat: int
    action: str
    bid: Bid | None


class Undone(Event, frozen=True):
    """The last action is taken back, written as in `ActionTaken`. Includes the standing bid, if any."""

    seat: int
    action: str
    bid: Bid | None
    by: UndoneBy | None
    standing: Standing | None


class Revealed(Event, frozen=True):
    """All cups are up."""

    showdown: Showdown
    dice: tuple[int, ...]  # their number after it, by seat


EventLine = PlainEvent | OrderRolled | RoundBegan | ActionTaken | Undone | Revealed
AnyLine = State | EventLine


def rules_of(name: str, position: str | None) -> Rules | None:
    """Return the rules from a state's `rules` and `position`, None for an owner's own before a match."""
    if position is None:
        return RULESETS.get(name)
    try:
        return parse_position(position).rules
    except NotationError:  # from a newer table
        return None


def read(line: bytes | str) -> AnyLine:
    """Return a line as its struct. Raises `msgspec.MsgspecError` for newer types and any other content."""
    return _READER.decode(line)


_READER: msgspec.json.Decoder[AnyLine] = msgspec.json.Decoder(AnyLine)
