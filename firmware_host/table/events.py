"""Public events: everything that the audience may know about a table, one small value each.

The table announces them. `public.encoder` sends them as JSON lines (docs/events.md), the journal keeps the ones needed
for a score, and `public.narration` says them in English. Before a showdown an event may hold no die.

Seats are layout seats rather than players' places in the match, so readers need no mapping. The five events in
`ReshapedEvent` carry extra data for scores and sentences; `public.messages` defines their public form.
"""

from dataclasses import dataclass
from enum import StrEnum

from msgspec import Struct

from drivers.messages import Device
from engine import Action, Bid, RoundKind, Showdown
from firmware_host.table.health import Alert
from firmware_host.table.robots import RobotLevel


class RepeatReason(StrEnum):
    """Cause of a repeated shake."""

    LEFT = "left"  # a player has left the match
    LOST = "lost"  # a cup was unplugged
    FAILED = "failed"  # a cup did not reveal the entropy that it had committed to
    LATE = "late"  # the turn clock ran out for a player


@dataclass(frozen=True, slots=True)
class Repeat:
    """The reason for shaking a round's cups again, and the match seat that caused it.

    It is part of the scene, so the displays still give the reason after a restart.
    """

    why: RepeatReason
    player: int


class LeaveReason(StrEnum):
    """How a seat stopped playing."""

    GAVE_UP = "gave-up"  # the player chose to leave
    AWAY = "away"  # untouched for too long
    OUTVOTED = "outvoted"  # away, and the others voted to go on
    STAFF = "staff"  # staff took the seat out


class BreakOffReason(StrEnum):
    """Why a match ended without a winner."""

    DESERTED = "deserted"  # all players had left
    STAFF = "staff"  # staff ended it


class DealFailure(StrEnum):
    """Why a cup's committed entropy can't be used for a deal."""

    LOST = "lost"  # the cup was unplugged
    FORGOTTEN = "forgotten"  # the cup restarted
    SILENT = "silent"  # the cup did not reveal in time
    WRONG = "wrong"  # the revealed entropy does not match the commitment
    LATE = "late"  # the cup was not shaken before the turn clock ran out
    REUSED = "reused"  # the cup revealed the same entropy before, for another deal or seat


def _kebab(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


class Event(Struct, frozen=True, tag_field="type", tag=_kebab):
    """A public event. Its public `type` is its class name (`MatchBegan`: `match-began`) unless it sets another.

    Field names are public: a new field appears in the public JSON at once.
    """


class Joined(Event, frozen=True):
    """A person or robot joined at a seat. For a seated robot: its new level."""

    seat: int
    robot: RobotLevel | None = None


class Left(Event, frozen=True):
    """A seat left. In a match this is final, and the round is rolled again."""

    seat: int
    why: LeaveReason = LeaveReason.GAVE_UP


class Away(Event, frozen=True):
    """The table waits for a seat whose player is away."""

    seat: int


class Back(Event, frozen=True):
    """A player is at the seat again."""

    seat: int


class MatchBegan(Event, frozen=True):
    """A match begins, with its players in seat order, rule set, and robot levels by player."""

    match: str
    rules: str
    players: tuple[int, ...]
    robots: tuple[RobotLevel | None, ...] = ()


class OrderRolled(Event, frozen=True):
    """The roll for the order of play so far: each player's rolls, and the order once ties are settled."""

    rolls: tuple[tuple[int, tuple[int, ...]], ...]  # (seat, dice) of each player
    order: tuple[int, ...]  # seats; empty while ties roll again


class RoundBegan(Event, frozen=True):
    """A round begins: its cups need shaking."""

    number: int
    kind: RoundKind
    first: int
    owner: int | None
    dice: tuple[tuple[int, int], ...]  # (seat, number of dice) for each living player, in order of play


class ChoiceAwaited(Event, frozen=True):
    """A player must choose the kind of an earned special round."""

    seat: int
    choices: tuple[RoundKind, ...]


class CupSettled(Event, frozen=True, tag="cup-down"):
    """A shaken cup stands still."""

    seat: int


class ActionTaken(Event, frozen=True, tag="said"):
    """A player bid, passed, called, or chose a round."""

    seat: int
    action: Action


class UndoneBy(StrEnum):
    """The party that took an action back."""

    STAFF = "staff"
    PLAYERS = "players"  # by agreement


class Undone(Event, frozen=True):
    """The last action is taken back as if never made. `standing` and `bidder` describe the restored bid."""

    seat: int  # its player's
    action: Action
    by: UndoneBy | None = None  # None in a replay: scores leave it out
    standing: Bid | None = None
    bidder: int | None = None


class Revealed(Event, frozen=True):
    """All cups are up."""

    showdown: Showdown  # by seats of the match
    players: tuple[int, ...]  # their layout seats
    dice: tuple[int, ...]  # each player's number of dice afterwards


class MatchWon(Event, frozen=True):
    """A match is over, with all players from the winner down to the first one out."""

    seat: int
    standings: tuple[int, ...]


class MatchBrokenOff(Event, frozen=True):
    """A match ends without a winner."""

    match: str
    why: BreakOffReason = BreakOffReason.DESERTED


class SeatHandedOver(Event, frozen=True):
    """Another person takes over a seat with its dice."""

    seat: int


class MatchReopened(Event, frozen=True):
    """Staff reopened an ended match: its end does not stand. `dice` gives each player's present number."""

    match: str
    rules: str
    players: tuple[int, ...]
    dice: tuple[int, ...]


class MatchPaused(Event, frozen=True):
    """Staff paused the match: actions are ignored, and time limits stand still."""

    match: str


class MatchResumed(Event, frozen=True):
    """The match goes on after a pause."""

    match: str


class TimeUp(Event, frozen=True):
    """A player's turn clock ran out: the table acts instead."""

    seat: int


class ChainEntryAdded(Event, frozen=True, tag="proven"):
    """A line in the match's hash chain (`fairness.chain`) not implied by another event, with the hash after it."""

    line: str
    head: str  # 52 letters


class DealRepeated(Event, frozen=True):
    """A seat's cup spoiled a deal, which stays sealed: everybody shakes again for the next deal."""

    deal: int
    seat: int
    why: DealFailure


class DeviceLost(Event, frozen=True):
    """A seat's device does not respond."""

    seat: int
    device: Device
    why: str


class DeviceFound(Event, frozen=True):
    """A seat's device responds again."""

    seat: int
    device: Device


class DeviceReplaced(Event, frozen=True):
    """From now on a seat has another cup or board."""

    seat: int
    device: Device


class AlertBegan(Event, frozen=True, tag="trouble-began"):
    """The daemon or its files have a problem, or a known problem has a new reason."""

    what: Alert
    why: str  # for the owner


class AlertEnded(Event, frozen=True, tag="trouble-ended"):
    """A problem with the daemon or its files is solved."""

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
"""Events published field by field."""

ReshapedEvent = OrderRolled | RoundBegan | ActionTaken | Undone | Revealed
"""Events with a different public form, defined in `public.messages`."""

PublicEvent = PlainEvent | ReshapedEvent
"""Every event announced to the public."""
