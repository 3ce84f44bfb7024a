"""The public lines of docs/events.md, each declared once: the state, the events, and the requests of clients.

The table fills these types, `public` sends them, and every reader decodes them: TV, voice, bridge, venue, doctor and
play. This module imports nothing from the project, so all of them may use it. None of its types has room for a die
under a cup.

A line is a state or an event. An event's line adds `seq` and `sentences`, which its type leaves out. Seats are the
layout's, from 0. docs/events.md says which parts may change, and when `VERSION` rises. So words of a fixed list are
plain text here, a missing field has its default, and an unknown one is skipped.

Anybody may write to a broker, so readers accept bounded numbers, words and lists only. Every table stays far below.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Annotated, NewType, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

VERSION = 1
"""The version of the lines, in every state."""
MAX_LINE_BYTES = 256 * 1024
"""Bytes of a line, which no table exceeds: it disconnects a client with a longer backlog."""
MAX_NUMBER = 2**53 - 1
"""The highest number: one that a browser can count to, and a database can hold."""
MAX_SEATS = 16

Seat = NewType("Seat", int)
"""A seat at the table by its number in the layout, from 0. A match numbers its players (`engine.Player`)."""
Value = TypeVar("Value")
Number = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
Quantity = Annotated[int, Meta(ge=1, le=999)]
Die = Annotated[int, Meta(ge=1, le=6)]
Word = Annotated[str, Meta(min_length=1, max_length=64)]
"""A name, or a word of a fixed list."""
Kind = Annotated[str, Meta(max_length=64, pattern=r"^[0-9a-z-]+\Z")]
"""The type of a line."""
SeatNumber = Annotated[Seat, Meta(ge=0, le=MAX_NUMBER)]
BySeat = Annotated[tuple[Value, ...], Meta(max_length=MAX_SEATS)]
"""An entry for each seat, or for each player."""
Seats = BySeat[SeatNumber]
"""Some seats."""
Dice = Annotated[tuple[Die, ...], Meta(max_length=99)]
Words = Annotated[tuple[Word, ...], Meta(max_length=MAX_SEATS)]


def all_seats(count: int) -> tuple[Seat, ...]:
    """Return the seats of a table with so many."""
    return tuple(map(Seat, range(count)))


def enumerate_seats(values: Iterable[Value]) -> Iterator[tuple[Seat, Value]]:
    """Yield each value of a table's seats, in layout order, with its seat."""
    return ((Seat(number), value) for number, value in enumerate(values))


# The state


class Numbering(Struct, frozen=True, kw_only=True):
    """A line's place among the events, as far as the line has it."""

    version: Number = VERSION
    seq: Number | None = None  # an event's own number, a state's last event; a table of an early version omits it
    journal: Annotated[str, Meta(max_length=64)] = ""
    oldest: Number | None = None  # the oldest event still available on request
    since: Number | None = None  # in the answer to a request for missed events


class LineHead(Numbering, frozen=True, kw_only=True):
    """The type and place of any line, of a newer table's too."""

    type: Kind


class PublicSeat(Struct, frozen=True):
    """A layout seat. In a match, a `playing` seat without `dice` is out."""

    name: Word
    color: Word
    playing: bool
    dice: Annotated[int, Meta(ge=0, le=99)]
    banked: Number = 0
    missing: Annotated[tuple[Word, ...], Meta(max_length=8)] = ()
    away: bool = False
    out_in_min: Number | None = None
    place: Annotated[str, Meta(max_length=64)] = ""  # the layout's seat name, even if its player has entered another
    robot: Word | None = None


class PublicRound(Struct, frozen=True):
    """The current round, or the one just called, then without `owner` and `first`."""

    number: Number
    kind: Word
    owner: SeatNumber | None
    first: SeatNumber | None


class PublicBid(Struct, frozen=True):
    """At least `quantity` dice show `face`."""

    quantity: Quantity
    face: Die


class StandingBid(PublicBid, frozen=True):
    """The standing bid and its seat."""

    seat: SeatNumber


class StandingCall(Struct, frozen=True):
    """A call before the cups go up, and its seat."""

    call: Word
    seat: SeatNumber


class PublicShowdown(Struct, frozen=True):
    """The end of a round: the call, all dice, and the die lost or won."""

    call: Word
    caller: SeatNumber
    doubted: SeatNumber
    quantity: Quantity
    face: Die
    matching: Number | None  # None for a doubted pass
    right: bool
    hands: BySeat[Dice]
    loser: SeatNumber | None
    gainer: SeatNumber | None
    out: Seats


class UndoRequest(Struct, frozen=True):
    """A request to take the last action back: the asking seat, the agreeing seats, and all required ones."""

    seat: SeatNumber
    agreed: Seats
    needed: Seats


class PublicState(Numbering, frozen=True, kw_only=True, tag_field="type", tag="state"):
    """The complete public state at one moment."""

    scene: Word
    rules: Word
    match: Word | None = None
    head: Word | None = None
    deal: Number | None = None
    seats: Annotated[tuple[PublicSeat, ...], Meta(min_length=1, max_length=MAX_SEATS)]
    players: Seats = ()
    order: Seats = ()
    rolls: BySeat[Dice] = ()
    round: PublicRound | None = None
    waiting_for: Seats = ()
    turn: SeatNumber | None = None
    standing: StandingBid | None = None
    passer: SeatNumber | None = None
    called: StandingCall | None = None
    choices: Words = ()
    may_call: Annotated[dict[Word, Seats], Meta(max_length=MAX_SEATS)] = {}
    may_see: BySeat[Seats] = ()
    cups_down: Seats = ()
    countdown_s: Number | None = None
    broken_off: bool = False
    clock_s: Number | None = None
    undo: UndoRequest | None = None
    paused: bool = False
    showdown: PublicShowdown | None = None
    winner: SeatNumber | None = None
    standings: Seats = ()
    position: str | None = None
    troubles: Words = ()
    volume: Number = 100
    tv: Word = "auto"
    sound_test: bool = False
    phones: Seats = ()


# Events


def _kebab(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


class EventBase(Struct, frozen=True, tag_field="type", tag=_kebab):
    """A public event. Its `type` is its class name (`MatchBegan`: `match-began`) unless it sets another."""


class Joined(EventBase, frozen=True):
    """A person or robot joined at a seat. For a seated robot: its new level."""

    seat: SeatNumber
    robot: Word | None = None


class Left(EventBase, frozen=True):
    """A seat left. In a match this is final, and the round is rolled again."""

    seat: SeatNumber
    why: Word = "gave-up"


class Away(EventBase, frozen=True):
    """The table waits for a seat whose player is away."""

    seat: SeatNumber


class Back(EventBase, frozen=True):
    """A player is at the seat again."""

    seat: SeatNumber


class MatchBegan(EventBase, frozen=True):
    """A match begins, with its players in seat order, rule set, and robot levels by player."""

    match: Word
    rules: Word
    players: Seats
    robots: BySeat[Word | None] = ()


class OrderLine(EventBase, frozen=True, tag="order-rolled"):
    """One die each for the order of play; `order` is empty while ties roll again."""

    rolls: BySeat[Dice]
    order: Seats


class RoundLine(EventBase, frozen=True, tag="round-began"):
    """A round begins, and its cups wait to be shaken."""

    number: Number
    kind: Word
    owner: SeatNumber | None
    first: SeatNumber
    dice: BySeat[Number]  # their number


class ChoiceAwaited(EventBase, frozen=True):
    """A player must choose the kind of an earned special round."""

    seat: SeatNumber
    choices: Words


class CupSettled(EventBase, frozen=True, tag="cup-down"):
    """A shaken cup stands still."""

    seat: SeatNumber


class ActionLine(EventBase, frozen=True, tag="said"):
    """A bid, pass, call or chosen round: `action` in its text form, and a `bid` in numbers."""

    seat: SeatNumber
    action: Word
    bid: PublicBid | None


class UndoLine(EventBase, frozen=True, tag="undone"):
    """The last action is taken back, written as in `ActionLine`. Includes the standing bid, if any."""

    seat: SeatNumber
    action: Word
    bid: PublicBid | None
    by: Word | None
    standing: StandingBid | None


class RevealLine(EventBase, frozen=True, tag="revealed"):
    """All cups are up."""

    showdown: PublicShowdown
    dice: BySeat[Number]  # their number after it


class MatchWon(EventBase, frozen=True):
    """A match is over, with all players from the winner down to the first one out."""

    seat: SeatNumber
    standings: Seats


class MatchBrokenOff(EventBase, frozen=True):
    """A match ends without a winner."""

    match: Word
    why: Word = "deserted"


class MatchReopened(EventBase, frozen=True):
    """Staff reopened an ended match: its end does not stand. `dice` gives each player's present number."""

    match: Word
    rules: Word
    players: Seats
    dice: BySeat[Number]


class SeatHandedOver(EventBase, frozen=True):
    """Another person takes over a seat with its dice."""

    seat: SeatNumber


class MatchPaused(EventBase, frozen=True):
    """Staff paused the match: actions are ignored, and time limits stand still."""

    match: Word


class MatchResumed(EventBase, frozen=True):
    """The match goes on after a pause."""

    match: Word


class TimeUp(EventBase, frozen=True):
    """A player's turn clock ran out: the table acts instead."""

    seat: SeatNumber


class ChainEntryAdded(EventBase, frozen=True, tag="proven"):
    """A line in the match's hash chain (`fairness.chain`) not implied by another event, with the hash after it."""

    line: str
    head: Word  # 52 letters


class DealRepeated(EventBase, frozen=True):
    """A seat's cup spoiled a deal, which stays sealed: everybody shakes again for the next deal."""

    deal: Number
    seat: SeatNumber
    why: Word


class DeviceLost(EventBase, frozen=True):
    """A seat's device does not respond."""

    seat: SeatNumber
    device: Word
    why: str


class DeviceFound(EventBase, frozen=True):
    """A seat's device responds again."""

    seat: SeatNumber
    device: Word


class DeviceReplaced(EventBase, frozen=True):
    """From now on a seat has another cup or board."""

    seat: SeatNumber
    device: Word


class AlertBegan(EventBase, frozen=True, tag="trouble-began"):
    """The daemon or its files have a problem, or a known problem has a new reason."""

    what: Word
    why: str  # for the owner


class AlertEnded(EventBase, frozen=True, tag="trouble-ended"):
    """A problem with the daemon or its files is solved."""

    what: Word


PlainEvent = (
    Joined
    | Left
    | Away
    | Back
    | MatchBegan
    | ChoiceAwaited
    | CupSettled
    | MatchWon
    | MatchBrokenOff
    | MatchReopened
    | SeatHandedOver
    | MatchPaused
    | MatchResumed
    | TimeUp
    | ChainEntryAdded
    | DealRepeated
    | DeviceLost
    | DeviceFound
    | DeviceReplaced
    | AlertBegan
    | AlertEnded
)
"""Events that the table announces in their public form."""

EventLine = PlainEvent | OrderLine | RoundLine | ActionLine | UndoLine | RevealLine
AnyLine = PublicState | EventLine


# Requests


class Request(Struct, frozen=True):
    """The one line allowed from a client.

    It requests every event after number `since` in a `journal`, or else the last `record`, its `verdict`, or the
    `figures`.
    """

    since: int | None = None
    journal: str | None = None
    record: bool = False
    verdict: bool = False
    figures: bool = False


class RecordAnswer(Struct, frozen=True, tag="record"):
    """The last won match's record as `text`, or None."""

    match: str | None = None
    text: str | None = None


class VerdictAnswer(Struct, frozen=True, tag="verdict"):
    """The verdict of `verify` on the last match as JSON `text`, or None."""

    match: str | None = None
    text: str | None = None


class FiguresAnswer(Struct, frozen=True, tag="figures"):
    """Match statistics as JSON `text`, or None."""

    text: str | None = None


# Reading


class LineError(ValueError):
    """A line that no table sends."""


_READER: msgspec.json.Decoder[AnyLine] = msgspec.json.Decoder(AnyLine)
_HEAD = msgspec.json.Decoder(LineHead)
_TYPES = frozenset(kind.__struct_config__.tag for kind in get_args(AnyLine))


def read(line: bytes | str) -> AnyLine | None:
    """Return a line as its struct, None for a type of a newer table. Raises `LineError`."""
    try:
        return _READER.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:  # ValueError: no UTF-8
        if read_head(line).type in _TYPES:
            raise LineError(str(error)) from None
    return None


def read_known(line: bytes | str) -> AnyLine | None:
    """Return a line as its struct, None for any that this version can't read."""
    with suppress(LineError):
        return read(line)
    return None


def read_head(line: bytes | str) -> LineHead:
    """Return the type and place of any line. Raises `LineError`."""
    try:
        return _HEAD.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise LineError(str(error)) from None
