"""Public events: everything that happens at a table and that everybody in the room may know, one small value each.

The table announces them. `public.encoder` sends them as lines of JSON (docs/events.md), the journal keeps those that a
score needs, and `public.narration` says them in English. No event before a showdown may hold a die.

Seats are those of the layout, not the players' places in the match, so that a reader needs no mapping. The five events
of `ReshapedEvent` hold what scores and sentences need besides; their public form is in `public.messages`.
"""

from dataclasses import dataclass
from enum import StrEnum

from msgspec import Struct

from drivers.messages import Device
from engine import Action, Bid, RoundKind, Showdown
from firmware_host.table.health import Alert
from firmware_host.table.robots import RobotLevel


class RepeatReason(StrEnum):
    """The cause of a repeated shake."""

    LEFT = "left"  # a player has left the match
    LOST = "lost"  # a cup was unplugged
    FAILED = "failed"  # a cup did not reveal the entropy that it had committed to
    LATE = "late"  # the turn clock ran out for a player


@dataclass(frozen=True, slots=True)
class Repeat:
    """The reason why a round's cups are shaken again, and the match's seat that caused it.

    It is part of the scene, so that the displays can say it after a restart too.
    """

    why: RepeatReason
    player: int


class LeaveReason(StrEnum):
    """The way in which a seat stopped playing."""

    GAVE_UP = "gave-up"  # the player chose to leave
    AWAY = "away"  # nobody was there for too long
    OUTVOTED = "outvoted"  # nobody was there, and the others agreed to go on
    STAFF = "staff"  # staff took the seat out


class BreakOffReason(StrEnum):
    """The way in which a match ended without a winner."""

    DESERTED = "deserted"  # all players had left
    STAFF = "staff"  # staff ended it


class DealFailure(StrEnum):
    """The reason why a cup's committed entropy can't be used for a deal."""

    LOST = "lost"  # the cup was unplugged
    FORGOTTEN = "forgotten"  # the cup restarted
    SILENT = "silent"  # the cup did not reveal in time
    WRONG = "wrong"  # the revealed entropy does not match the commitment
    LATE = "late"  # the cup was not shaken before the turn clock ran out
    REUSED = "reused"  # a cup has revealed the same entropy before, for another deal or another seat


def _kebab(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


class Event(Struct, frozen=True, tag_field="type", tag=_kebab):
    """A public event. Its public `type` is the name of its class (`MatchBegan`: `match-began`) unless it gives another.

    Fields have their public names: a new one appears in the public JSON at once.
    """


class Joined(Event, frozen=True):
    """A seat plays, with a person or with a robot; a robot that is there gets another level by it."""

    seat: int
    robot: RobotLevel | None = None


class Left(Event, frozen=True):
    """A seat does not play any more; in a match that is final, and the round is rolled again."""

    seat: int
    why: LeaveReason = LeaveReason.GAVE_UP


class Away(Event, frozen=True):
    """The table waits for a seat at which nobody is."""

    seat: int


class Back(Event, frozen=True):
    """A player is at the seat again."""

    seat: int


class MatchBegan(Event, frozen=True):
    """A match begins: the players, in the order of their seats, the rule set, and by player the levels of robots."""

    match: str
    rules: str
    players: tuple[int, ...]
    robots: tuple[RobotLevel | None, ...] = ()


class OrderRolled(Event, frozen=True):
    """The roll for the order of play so far: the rolls of each player, and the order if no tie is left."""

    rolls: tuple[tuple[int, tuple[int, ...]], ...]  # (seat, dice) of each player
    order: tuple[int, ...]  # of seats; empty while ties roll again


class RoundBegan(Event, frozen=True):
    """A round begins, and its cups are to be shaken."""

    number: int
    kind: RoundKind
    first: int
    owner: int | None
    dice: tuple[tuple[int, int], ...]  # (seat, number of dice) of each living player, in order of play


class ChoiceAwaited(Event, frozen=True):
    """A player has earned a special round and is to choose its kind."""

    seat: int
    choices: tuple[RoundKind, ...]


class CupSettled(Event, frozen=True, tag="cup-down"):
    """A player has shaken, and the cup stands still."""

    seat: int


class ActionTaken(Event, frozen=True, tag="said"):
    """A player bid, passed, called, or chose a round."""

    seat: int
    action: Action


class UndoneBy(StrEnum):
    """The people who took an action back."""

    STAFF = "staff"
    PLAYERS = "players"  # all of them agreed


class Undone(Event, frozen=True):
    """The last action is taken back, as if it had not been made; the bid that stands now, with its bidder's seat."""

    seat: int  # of the action
    action: Action
    by: UndoneBy | None = None  # None in a replay: a score does not say it
    standing: Bid | None = None
    bidder: int | None = None


class Revealed(Event, frozen=True):
    """All cups are up."""

    showdown: Showdown  # its seats are those of the match
    players: tuple[int, ...]  # the layout's seat of each of them
    dice: tuple[int, ...]  # the number that each player holds after it


class MatchWon(Event, frozen=True):
    """A match is over: the last player with dice, and all players from the winner to the first that was out."""

    seat: int
    standings: tuple[int, ...]


class MatchBrokenOff(Event, frozen=True):
    """A match ends without a winner."""

    match: str
    why: BreakOffReason = BreakOffReason.DESERTED


class SeatHandedOver(Event, frozen=True):
    """Another person plays on at a seat, with its dice."""

    seat: int


class MatchReopened(Event, frozen=True):
    """Staff let a match go on that had ended: its end does not stand. The dice that each of the players holds now."""

    match: str
    rules: str
    players: tuple[int, ...]
    dice: tuple[int, ...]


class MatchPaused(Event, frozen=True):
    """Staff have stopped the match for a while: no action counts, and no time limit runs."""

    match: str


class MatchResumed(Event, frozen=True):
    """The match goes on where staff had stopped it."""

    match: str


class TimeUp(Event, frozen=True):
    """The turn clock has run out for a player: the table acts in their place."""

    seat: int


class ChainEntryAdded(Event, frozen=True, tag="proven"):
    """A line of the match's hash chain (`fairness.chain`) that no other event implies, and the head after it."""

    line: str
    head: str  # 52 letters


class DealRepeated(Event, frozen=True):
    """A deal will never be opened, because of a seat's cup: everybody shakes again for the next deal."""

    deal: int
    seat: int
    why: DealFailure


class DeviceLost(Event, frozen=True):
    """A device of a seat does not respond."""

    seat: int
    device: Device
    why: str


class DeviceFound(Event, frozen=True):
    """A device of a seat responds again."""

    seat: int
    device: Device


class DeviceReplaced(Event, frozen=True):
    """A seat has another cup or board from now on."""

    seat: int
    device: Device


class AlertBegan(Event, frozen=True, tag="trouble-began"):
    """The daemon or its files have a problem, or have it for another reason than before."""

    what: Alert
    why: str  # for the owner


class AlertEnded(Event, frozen=True, tag="trouble-ended"):
    """A problem of the daemon or its files is solved."""

    what: Alert


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
"""The events that are public field by field as they are."""

ReshapedEvent = OrderRolled | RoundBegan | ActionTaken | Undone | Revealed
"""The events whose public form, in `public.messages`, differs."""

PublicEvent = PlainEvent | ReshapedEvent
"""Everything that a table announces to the room."""
