"""A score told again: each of its steps with the public events that a table would have announced.

`dudo-table replay` prints them as the story of the match or steps through them. Seats are those of the score.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine import Call, Deal, Entry, Gone, OrderRoll, Phase, Position, Ruling, Said, Score
from firmware_host.story import Story
from firmware_host.table import events
from firmware_host.table.events import PublicEvent

_RULED = {
    Ruling.VOID: "The round is void: nobody loses a die, and it is rolled again.",
    Ruling.FORGO: "The special round is not played.",
}


class Step(NamedTuple):
    """Where a match stands, and the lines of its story that led there from the step before."""

    position: Position
    lines: tuple[str, ...]


def steps(score: Score) -> Iterator[Step]:
    """The start of a match and what happened after it. Raises `ScoreError` where its dice do not suffice."""
    names = names_of(score)
    story = Story(names)
    fallen: list[int] = []
    positions = [*score.positions()]
    players = tuple(range(score.seats))
    start = [events.MatchBegan("", score.rules.name, players), *_awaited(positions[0], fallen)]
    yield Step(positions[0], _told(story, start))
    for entry, (before, after) in zip(score.entries, pairwise(positions), strict=True):
        fallen += [seat for seat in players if before.dice[seat] and not after.dice[seat]]
        ruled = (_RULED[entry],) if isinstance(entry, Ruling) else ()
        yield Step(after, (*ruled, *_told(story, _happened(entry, after, fallen))))


def names_of(score: Score) -> tuple[str, ...]:
    """What its seats are called, numbered where they have no names."""
    return tuple(name or f"Seat {seat}" for seat, name in enumerate(score.names))


def _told(story: Story, happened: Sequence[PublicEvent]) -> tuple[str, ...]:
    return tuple(line for event in happened for line in story.lines(event))


def _happened(entry: Entry, after: Position, fallen: Sequence[int]) -> list[PublicEvent]:
    match entry:
        case Deal():
            return []
        case OrderRoll():
            settled = after.phase is not Phase.SEATING
            rolled = events.OrderRolled(tuple(enumerate(after.rolls)), after.order if settled else ())
            return [rolled, *_awaited(after, fallen)]
        case Said(seat, action) if isinstance(action, Call):
            assert after.showdown is not None
            revealed = events.Revealed(after.showdown, tuple(range(after.seats)), after.dice)
            return [events.Said(seat, action), revealed, *_awaited(after, fallen)]
        case Said(seat, action):
            return [events.Said(seat, action), *_awaited(after, fallen)]
        case Gone(seat):
            return [events.Left(seat), *_awaited(after, fallen)]
        case Ruling():
            return [*_awaited(after, fallen)]


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
