"""Public events as the table announces them, and the reasons that they give.

`public` sends them as lines (docs/events.md) and in English sentences, and the journal keeps the ones needed for a
score. Most are declared in `wire` in their public form. The five here carry engine values and extra data for scores and
sentences; `public.encoder` makes their public form. Before a showdown an event may hold no die.

Seats are layout seats rather than players' places in the match, so readers need no mapping.
"""

from dataclasses import dataclass
from enum import StrEnum

from msgspec import Struct

from engine import Action, Bid, Player, RoundKind, Showdown
from firmware_host.wire import PlainEvent, Seat


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
    player: Player


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


class UndoneBy(StrEnum):
    """The party that took an action back."""

    STAFF = "staff"
    PLAYERS = "players"  # by agreement


class OrderRolled(Struct, frozen=True):
    """The roll for the order of play so far: each player's rolls, and the order once ties are settled."""

    rolls: tuple[tuple[Seat, tuple[int, ...]], ...]  # (seat, dice) of each player
    order: tuple[Seat, ...]  # seats; empty while ties roll again


class RoundBegan(Struct, frozen=True):
    """A round begins: its cups need shaking."""

    number: int
    kind: RoundKind
    first: Seat
    owner: Seat | None
    dice: tuple[tuple[Seat, int], ...]  # (seat, number of dice) for each living player, in order of play


class ActionTaken(Struct, frozen=True):
    """A player bid, passed, called, or chose a round."""

    seat: Seat
    action: Action


class Undone(Struct, frozen=True):
    """The last action is taken back as if never made. `standing` and `bidder` describe the restored bid."""

    seat: Seat  # its player's
    action: Action
    by: UndoneBy | None = None  # None in a replay: scores leave it out
    standing: Bid | None = None
    bidder: Seat | None = None


class Revealed(Struct, frozen=True):
    """All cups are up."""

    showdown: Showdown  # by seats of the match
    players: tuple[Seat, ...]  # their layout seats
    dice: tuple[int, ...]  # each player's number of dice afterwards


PublicEvent = PlainEvent | OrderRolled | RoundBegan | ActionTaken | Undone | Revealed
"""Every event announced to the public."""
