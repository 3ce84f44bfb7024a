"""The lines of docs/events.md as types: one struct for each `type`. `writing` makes them, clients may read with `read`.

Seats are the layout's, from 0; a list "by seat" has an entry for each of them. What may change here, and when `VERSION`
rises, is in docs/events.md.
"""

import msgspec

from drivers.messages import Device
from engine import Call, RoundKind
from firmware_host.table.events import Leaving, Spoiled
from firmware_host.table.health import Alert
from firmware_host.table.seat_view import SceneName

VERSION = 1


def _kebab(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


class Line(msgspec.Struct, frozen=True, tag_field="type", tag=_kebab):
    """One line; its `type` is its struct's name: that of `CupDown` is cup-down."""


class Seat(msgspec.Struct, frozen=True):
    """A seat of the layout. `playing` without `dice`, once a match is on, is out."""

    name: str
    color: str
    playing: bool
    dice: int
    banked: int
    missing: tuple[Device, ...]
    away: bool = False
    out_in_min: int | None = None


class Round(msgspec.Struct, frozen=True):
    """The round on the table, or the one just called; `owner` and `first` only while it is being played."""

    number: int
    kind: RoundKind
    owner: int | None
    first: int | None


class Bid(msgspec.Struct, frozen=True):
    """At least `quantity` dice show `face`."""

    quantity: int
    face: int


class Standing(Bid, frozen=True):
    """The bid that stands, and whose it is."""

    seat: int


class Called(msgspec.Struct, frozen=True):
    """A call that has been made, before the cups go up, and whose it is."""

    call: Call
    seat: int


class Showdown(msgspec.Struct, frozen=True):
    """A round that was called: the claim, all dice, and what it cost."""

    call: Call
    caller: int
    doubted: int
    quantity: int
    face: int
    matching: int | None  # None where a pass was doubted
    right: bool
    hands: tuple[tuple[int, ...], ...]  # by seat
    loser: int | None
    gainer: int | None
    out: tuple[int, ...]


class State(Line, frozen=True, kw_only=True):
    """Everything public at one moment."""

    version: int = VERSION
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
    showdown: Showdown | None = None
    winner: int | None = None
    standings: tuple[int, ...] = ()
    position: str | None = None
    troubles: tuple[Alert, ...] = ()


class Event(Line, frozen=True, kw_only=True):
    """Something that happened; `sentences` tell it in English."""

    sentences: tuple[str, ...]


class Joined(Event, frozen=True):
    """A seat plays."""

    seat: int


class Left(Event, frozen=True):
    """A seat does not play any more; in a match that is for good."""

    seat: int
    why: Leaving


class Away(Event, frozen=True):
    """The table waits for a seat at which nobody is."""

    seat: int


class Back(Event, frozen=True):
    """Somebody is there again."""

    seat: int


class MatchBegan(Event, frozen=True):
    """These seats play a match."""

    match: str
    rules: str
    players: tuple[int, ...]


class OrderRolled(Event, frozen=True):
    """One die each for the order of play; `order` is empty while ties roll again."""

    rolls: tuple[tuple[int, ...], ...]  # by seat
    order: tuple[int, ...]


class RoundBegan(Event, frozen=True):
    """Cups are to be shaken."""

    number: int
    kind: RoundKind
    owner: int | None
    first: int
    dice: tuple[int, ...]  # by seat


class ChoiceAwaited(Event, frozen=True):
    """A player is to choose the kind of a special round."""

    seat: int
    choices: tuple[RoundKind, ...]


class CupDown(Event, frozen=True):
    """A player has shaken."""

    seat: int


class Said(Event, frozen=True):
    """A player bid, passed, called or chose a round; `action` is its one text form, `bid` its numbers."""

    seat: int
    action: str
    bid: Bid | None


class Revealed(Event, frozen=True):
    """All cups are up."""

    showdown: Showdown
    dice: tuple[int, ...]  # by seat, after it


class MatchWon(Event, frozen=True):
    """The match is over; `standings` from the winner down."""

    seat: int
    standings: tuple[int, ...]


class MatchBrokenOff(Event, frozen=True):
    """All players have gone, and nobody wins."""

    match: str


class TimeUp(Event, frozen=True):
    """The turn clock has run out: what follows is done in this seat's place."""

    seat: int


class Proven(Event, frozen=True):
    """A line of the match's chain, and the head of the chain with it."""

    line: str
    head: str


class DealRepeated(Event, frozen=True):
    """Everybody shakes again, because of a seat's cup."""

    deal: int
    seat: int
    why: Spoiled


class DeviceLost(Event, frozen=True):
    """Something at a seat does not answer."""

    seat: int
    device: Device
    why: str


class DeviceFound(Event, frozen=True):
    """It answers again."""

    seat: int
    device: Device


class DeviceReplaced(Event, frozen=True):
    """Another one is the seat's from now on."""

    seat: int
    device: Device


class TroubleBegan(Event, frozen=True):
    """The house itself is in trouble."""

    what: Alert
    why: str


class TroubleEnded(Event, frozen=True):
    """It is not any more."""

    what: Alert


AnyLine = (
    State
    | Joined
    | Left
    | Away
    | Back
    | MatchBegan
    | OrderRolled
    | RoundBegan
    | ChoiceAwaited
    | CupDown
    | Said
    | Revealed
    | MatchWon
    | MatchBrokenOff
    | TimeUp
    | Proven
    | DealRepeated
    | DeviceLost
    | DeviceFound
    | DeviceReplaced
    | TroubleBegan
    | TroubleEnded
)


def read(line: bytes | str) -> AnyLine:
    """One line as its struct; raises `msgspec.MsgspecError` for one that is none, or of a type this version lacks."""
    return _READER.decode(line)


_READER: msgspec.json.Decoder[AnyLine] = msgspec.json.Decoder(AnyLine)
