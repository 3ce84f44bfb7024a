"""Why a round's cups are shaken again: part of the scene, so that the glass can say it after a restart too.

What everybody in the room may know as it happens: the public story of an evening, one small value an event.

Seats here are the layout's, not the players' places in the match, so that a reader needs no mapping. No event before a
showdown can hold a die.
"""

from dataclasses import dataclass
from enum import StrEnum

from msgspec import Struct

from drivers.messages import Device
from engine import Action, RoundKind, Showdown
from firmware_host.table.health import Alert


class RepeatReason(StrEnum):
    """What broke the deal off."""

    LEFT = "left"  # somebody has left the match
    LOST = "lost"  # a cup was unplugged
    FAILED = "failed"  # a cup did not give what it was bound to
    LATE = "late"  # somebody let the turn clock run out


@dataclass(frozen=True, slots=True)
class Repeat:
    """Why a shake is not the round's first, and which of the match's seats it is because of."""

    why: RepeatReason
    player: int


class Joined(Struct, frozen=True):
    """A seat plays."""

    seat: int


class Leaving(StrEnum):
    """How a seat comes to play no more."""

    GAVE_UP = "gave-up"  # who sits there said so
    AWAY = "away"  # nobody was there for too long
    OUTVOTED = "outvoted"  # and the others agreed to go on


class Left(Struct, frozen=True):
    """A seat does not play any more; in a match that is for good, and its round is rolled again."""

    seat: int
    why: Leaving = Leaving.GAVE_UP


class Away(Struct, frozen=True):
    """The table waits for a seat at which nobody is."""

    seat: int


class Back(Struct, frozen=True):
    """Somebody is there again."""

    seat: int


class MatchBegan(Struct, frozen=True):
    """The players, in the order of their seats, and the rule set."""

    match: str
    rules: str
    players: tuple[int, ...]


class OrderRolled(Struct, frozen=True):
    """The roll for the order of play so far: each player's rolls, and the order if no tie is left."""

    rolls: tuple[tuple[int, tuple[int, ...]], ...]  # (seat, dice), who rolled
    order: tuple[int, ...]  # of seats; empty while ties roll again


class RoundBegan(Struct, frozen=True):
    """Cups are to be shaken; `dice` is how many each living player shakes, in order of play."""

    number: int
    kind: RoundKind
    first: int
    owner: int | None
    dice: tuple[tuple[int, int], ...]  # (seat, dice)


class ChoiceAwaited(Struct, frozen=True):
    """A player has earned a special round and is to choose its kind."""

    seat: int
    choices: tuple[RoundKind, ...]


class CupDown(Struct, frozen=True):
    """A player has shaken."""

    seat: int


class Said(Struct, frozen=True):
    """A player bid, passed, called, or chose a round."""

    seat: int
    action: Action


class Revealed(Struct, frozen=True):
    """All cups are up. `players` maps the showdown's seats to the layout's."""

    showdown: Showdown
    players: tuple[int, ...]
    dice: tuple[int, ...]  # by player, after it


class MatchWon(Struct, frozen=True):
    """The last player with dice; `standing` is everybody from the winner to who was out first."""

    seat: int
    standing: tuple[int, ...]


class MatchBrokenOff(Struct, frozen=True):
    """All of its players have gone: nobody wins."""

    match: str


class TimeUp(Struct, frozen=True):
    """The turn clock has run out for a player: what follows is not said by a hand."""

    seat: int


class Proven(Struct, frozen=True):
    """A line of the match's chain (`firmware_host.fairness.lines`) that no other event tells, and the head with it."""

    line: str
    head: str  # in 52 letters


class Spoiled(StrEnum):
    """What a cup did that was bound to its part in a deal."""

    LOST = "lost"  # it was unplugged
    FORGOTTEN = "forgotten"  # it started anew
    SILENT = "silent"
    WRONG = "wrong"  # what it gave is not what it was bound to
    LATE = "late"  # it was not shaken before the turn clock ran out
    REUSED = "reused"  # what it gave a cup has given for another deal, or another cup for this one


class DealRepeated(Struct, frozen=True):
    """A deal will never be opened, because of a seat's cup: everybody shakes again under the next number."""

    deal: int
    seat: int
    why: Spoiled


class DeviceLost(Struct, frozen=True):
    """Something at a seat does not answer."""

    seat: int
    device: Device
    why: str


class DeviceFound(Struct, frozen=True):
    """It answers again."""

    seat: int
    device: Device


class DeviceReplaced(Struct, frozen=True):
    """Another cup or board is the seat's from now on: whoever sits there should know why."""

    seat: int
    device: Device


class TroubleBegan(Struct, frozen=True):
    """The house itself is in trouble, or for another reason than before; `why` is for its owner."""

    what: Alert
    why: str


class TroubleEnded(Struct, frozen=True):
    """It is not any more."""

    what: Alert


PublicEvent = (
    Joined
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
