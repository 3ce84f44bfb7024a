"""A score's steps, each with the public events that a table would have sent.

`dudo-table replay` prints them in sentences or steps through them. Seats are those of the score.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine import Call, DealtHands, Departure, Entry, HandOver, OrderRoll, Phase, PlayedAction, Position, Ruling, Score
from firmware_host import wire
from firmware_host.public.narration import Narrator
from firmware_host.table import events
from firmware_host.table.events import PublicEvent

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
    players = tuple(range(score.seats))
    fallen: list[int] = []
    positions = [*score.positions()]
    start = (wire.MatchBegan("", score.rules.name, players), *_phase_events(positions[0], fallen))
    yield ReplayStep(positions[0], start, (*_lines(narrator, start),))
    said: list[PlayedAction] = []
    for entry, (before, after) in zip(score.entries, pairwise(positions), strict=True):
        fallen = [seat for seat in fallen if not after.dice[seat]]
        fallen += [seat for seat in players if before.dice[seat] and not after.dice[seat]]
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
            yield events.OrderRolled(tuple(enumerate(after.rolls)), after.order if settled else ())
        case PlayedAction(seat, action):
            said.append(entry)
            yield events.ActionTaken(seat, action)
            if isinstance(action, Call) and after.showdown is not None and after is not before:
                yield events.Revealed(after.showdown, tuple(range(after.seats)), after.dice)
        case Departure(seat):
            yield wire.Left(seat)
        case HandOver(seat):
            yield wire.SeatHandedOver(seat)
        case Ruling.UNDO:
            undone = said.pop()
            yield events.Undone(undone.seat, undone.action, None, after.standing, after.bidder)
        case Ruling.REOPEN:
            said.clear()
            yield wire.MatchReopened("", after.rules.name, tuple(range(after.seats)), after.dice)
        case DealtHands() | Ruling():
            pass


def _phase_events(position: Position, fallen: Sequence[int]) -> Iterator[PublicEvent]:
    """Yield a match's events at its next round, choice or end."""
    match position.phase:
        case Phase.ROLLING:
            assert position.first is not None
            held = tuple((seat, position.dice[seat]) for seat in position.living)
            yield events.RoundBegan(position.number, position.kind, position.first, position.owner, held)
        case Phase.CHOOSING:
            assert position.owner is not None
            yield wire.ChoiceAwaited(position.owner, position.choices)
        case Phase.OVER:
            yield wire.MatchWon(position.living[0], (position.living[0], *reversed(fallen)))
