"""A score told again: each of its steps with the public events that a table would have announced.

`dudo-table replay` prints them as the story of the match or steps through them. Seats are those of the score.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine import Call, DealtHands, Departure, Entry, OrderRoll, Phase, PlayedAction, Position, Ruling, Score
from firmware_host.public.narration import Narrator
from firmware_host.table import events
from firmware_host.table.events import PublicEvent

_RULED = {
    Ruling.VOID: "The round is void: nobody loses a die, and it is rolled again.",
    Ruling.FORGO: "The special round is not played.",
}


class Step(NamedTuple):
    """Where a match stands, what happened since the step before, and the lines that tell it."""

    position: Position
    events: tuple[PublicEvent, ...]
    lines: tuple[str, ...]


def steps(score: Score) -> Iterator[Step]:
    """The start of a match and what happened after it. Raises `ScoreError` where its dice do not suffice."""
    story = Narrator(names_of(score))
    players = tuple(range(score.seats))
    fallen: list[int] = []
    positions = [*score.positions()]
    start = (events.MatchBegan("", score.rules.name, players), *_awaited(positions[0], fallen))
    yield Step(positions[0], start, (*_lines(story, start),))
    for entry, (before, after) in zip(score.entries, pairwise(positions), strict=True):
        fallen += [seat for seat in players if before.dice[seat] and not after.dice[seat]]
        happened = (*_happened(entry, after), *(() if isinstance(entry, DealtHands) else _awaited(after, fallen)))
        ruled = (_RULED[entry],) if isinstance(entry, Ruling) else ()
        yield Step(after, happened, (*ruled, *_lines(story, happened)))


def names_of(score: Score) -> tuple[str, ...]:
    """What its seats are called, numbered where they have no names."""
    return tuple(name or f"Seat {seat}" for seat, name in enumerate(score.names))


def _lines(story: Narrator, happened: Iterable[PublicEvent]) -> Iterator[str]:
    return (line for event in happened for line in story.lines(event))


def _happened(entry: Entry, after: Position) -> Iterator[PublicEvent]:
    """What a table announces of an entry itself."""
    match entry:
        case OrderRoll():
            settled = after.phase is not Phase.SEATING
            yield events.OrderRolled(tuple(enumerate(after.rolls)), after.order if settled else ())
        case PlayedAction(seat, action):
            yield events.ActionTaken(seat, action)
            if isinstance(action, Call) and after.showdown is not None:
                yield events.Revealed(after.showdown, tuple(range(after.seats)), after.dice)
        case Departure(seat):
            yield events.Left(seat)
        case DealtHands() | Ruling():
            pass


def _awaited(position: Position, fallen: Sequence[int]) -> Iterator[PublicEvent]:
    """What a table announces when a match has come to its next round, choice or end."""
    match position.phase:
        case Phase.ROLLING:
            assert position.first is not None
            held = tuple((seat, position.dice[seat]) for seat in position.living)
            yield events.RoundBegan(position.number, position.kind, position.first, position.owner, held)
        case Phase.CHOOSING:
            assert position.owner is not None
            yield events.ChoiceAwaited(position.owner, position.choices)
        case Phase.OVER:
            yield events.MatchWon(position.living[0], (position.living[0], *reversed(fallen)))
