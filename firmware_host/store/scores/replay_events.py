"""A score's steps, each with the public events that a table would have sent.

`dudo-table replay` prints them in sentences or steps through them. A score has no layout: each player's seat has the
player's number.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine import (
    Call,
    DealtHands,
    Departure,
    Entry,
    HandOver,
    OrderRoll,
    Phase,
    PlayedAction,
    Player,
    Position,
    Ruling,
    Score,
)
from firmware_host import wire
from firmware_host.public.narration import Narrator
from firmware_host.table import events
from firmware_host.table.events import PublicEvent
from firmware_host.wire import Seat, all_seats, enumerate_seats

_RULED: dict[Entry, str] = {
    Ruling.VOID: "The round is void: nobody loses a die, and it is rolled again.",
    Ruling.FORGO: "The special round is not played.",
}


class ReplayStep(NamedTuple):
    """A match position, the events since the previous step, and their lines."""

    position: Position
    events: tuple[PublicEvent, ...]
    lines: tuple[str, ...]


def steps(score: Score) -> Iterator[ReplayStep]:
    """Yield the start of a match and each step after it. Raises `ScoreError` if its dice do not suffice."""
    narrator = Narrator(seat_names(score), score.rules)
    seats = all_seats(score.seats)
    fallen: list[Seat] = []
    positions = [*score.positions()]
    start = (wire.MatchBegan("", score.rules.name, seats), *_phase_events(positions[0], fallen))
    yield ReplayStep(positions[0], start, (*_lines(narrator, start),))
    said: list[PlayedAction] = []
    for entry, (before, after) in zip(score.entries, pairwise(positions), strict=True):
        fallen = [seat for seat in fallen if not after.dice[seat]]
        fallen += [seat for seat in seats if before.dice[seat] and not after.dice[seat]]
        next_phase = () if isinstance(entry, DealtHands) else _phase_events(after, fallen)
        happened = (*_entry_events(entry, before, after, said), *next_phase)
        ruled = (_RULED[entry],) if entry in _RULED else ()
        yield ReplayStep(after, happened, (*ruled, *_lines(narrator, happened)))


def seat_names(score: Score) -> tuple[str, ...]:
    """Return seat names, numbers for unnamed seats."""
    return tuple(name or f"Seat {seat}" for seat, name in enumerate(score.names))


def _lines(narrator: Narrator, happened: Iterable[PublicEvent]) -> Iterator[str]:
    return (line for event in happened for line in narrator.lines(event))


def _entry_events(entry: Entry, before: Position, after: Position, said: list[PlayedAction]) -> Iterator[PublicEvent]:
    """Yield an entry's own events. `said` are the actions open to an undo, the last one last."""
    match entry:
        case OrderRoll():
            settled = after.phase is not Phase.SEATING
            yield events.OrderRolled(tuple(enumerate_seats(after.rolls)), _seats(after.order) if settled else ())
        case PlayedAction(player, action):
            said.append(entry)
            yield events.ActionTaken(Seat(player), action)
            if isinstance(action, Call) and after.showdown is not None and after is not before:
                yield events.Revealed(after.showdown, all_seats(after.seats), after.dice)
        case Departure(player):
            yield wire.Left(Seat(player))
        case HandOver(player):
            yield wire.SeatHandedOver(Seat(player))
        case Ruling.UNDO:
            undone = said.pop()
            yield events.Undone(Seat(undone.seat), undone.action, None, after.standing, _seat(after.bidder))
        case Ruling.REOPEN:
            said.clear()
            yield wire.MatchReopened("", after.rules.name, all_seats(after.seats), after.dice)
        case DealtHands() | Ruling():
            pass


def _phase_events(position: Position, fallen: Sequence[Seat]) -> Iterator[PublicEvent]:
    """Yield a match's events at its next round, choice or end."""
    match position.phase:
        case Phase.ROLLING:
            assert position.first is not None
            held = tuple((seat, position.dice[seat]) for seat in _seats(position.living))
            first, owner = Seat(position.first), _seat(position.owner)
            yield events.RoundBegan(position.number, position.kind, first, owner, held)
        case Phase.CHOOSING:
            assert position.owner is not None
            yield wire.ChoiceAwaited(Seat(position.owner), position.choices)
        case Phase.OVER:
            winner = Seat(position.living[0])
            yield wire.MatchWon(winner, (winner, *reversed(fallen)))


def _seats(players: Iterable[Player]) -> tuple[Seat, ...]:
    return tuple(map(Seat, players))


def _seat(player: Player | None) -> Seat | None:
    return None if player is None else Seat(player)
