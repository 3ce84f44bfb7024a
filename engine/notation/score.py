"""The score of a match, as chess players keep one: rules, names, and everything that happened in order.

>>> from engine import DUDO, PERUDO, Bid, Score, parse_score, write_score
>>> score = Score(PERUDO, names=("Lima", "Quito"), date="2026-11-21")
>>> score = score.roll({0: (1, 3, 3, 5, 6), 1: (2, 2, 3, 4, 6)}).play(0, Bid(4, 3)).play(1, DUDO)
>>> print(write_score(score), end="")
dudo score 1
rules: perudo
date: 2026-11-21
seat 0: Lima
seat 1: Quito
first: 0
<BLANKLINE>
1. 13356/22346 0:4x3 1:dudo
*
>>> parse_score(write_score(score)) == score
True
>>> [*score.positions()][-1].dice
(5, 4)
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import Self

from engine import rounds
from engine.actions import Action, Call
from engine.errors import DudoError, HandsError
from engine.hands import Hand
from engine.legality import check
from engine.match import Match
from engine.position import PLAYER_0, Phase, Player, Position
from engine.rounds import SEATS
from engine.rules import Rules

_DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", re.ASCII)

# The entries of a score


@dataclass(frozen=True, slots=True)
class OrderRoll:
    """One die each for the order of play, by seat; None for a seat that does not roll. All players see it."""

    dice: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class DealtHands:
    """A round's dice by seat; None where the score lacks them. Its repr only counts the dice."""

    hands: tuple[Hand, ...] | None


@dataclass(frozen=True, slots=True)
class PlayedAction:
    """A seat's bid, pass, call or choice."""

    seat: Player
    action: Action


@dataclass(frozen=True, slots=True)
class Departure:
    """A seat left for good."""

    seat: Player


@dataclass(frozen=True, slots=True)
class HandOver:
    """A seat taken over by another person. Its dice stay."""

    seat: Player


class Ruling(StrEnum):
    """A decision by the table or by all players."""

    VOID = "void"  # the round is rolled again
    FORGO = "forgo"  # the special round due is not played
    UNDO = "undo"  # the last action that still counts is taken back
    REOPEN = "reopen"  # the match's end does not stand: its last round is rolled again


Entry = OrderRoll | DealtHands | PlayedAction | Departure | HandOver | Ruling


class ScoreError(ValueError):
    """A score that can't be replayed; `entry` is an index into `Score.entries`, or `len(entries)` for its result."""

    def __init__(self, entry: int, problem: str) -> None:
        super().__init__(f"entry {entry}: {problem}")
        self.entry = entry
        self.problem = problem

    def __reduce__(self) -> tuple[type["ScoreError"], tuple[int, str]]:
        return type(self), (self.entry, self.problem)


class UnknownDiceError(ScoreError):
    """A call with an unknown result, because the score lacks the dice."""


# Playing entries again


class _UnknownHandsError(Exception):
    """A call in a round whose dice are unknown."""


@dataclass(frozen=True, slots=True)
class ReplayState:
    """A match being replayed; `unseen` while the score lacks the dice under the cups.

    `before` is the state that an undo restores, but for its history: the one before a bid, pass or choice, or before a
    call about to be taken back. It is None if the last entry is anything else, such as dice shown since. `reopened` is
    the match that a reopening restores after the final call or departure: the round is void, because all have seen its
    dice or a player's dice are gone.
    """

    match: Match
    unseen: bool = False
    before: "ReplayState | None" = None
    reopened: Match | None = None

    def after(self, entry: Entry) -> "ReplayState":
        """Play one entry. Raises `DudoError` or `HandsError` if it is illegal, `_UnknownHandsError` without dice."""
        match entry:
            case OrderRoll(dice):
                self._await(Phase.SEATING)
                return ReplayState(
                    self.match.roll({Player(seat): (die,) for seat, die in enumerate(dice) if die is not None})
                )
            case DealtHands(None):
                self._await(Phase.ROLLING)
                return ReplayState(Match(rounds.opened(self.match.position)), unseen=True)
            case DealtHands(hands):
                self._await(Phase.ROLLING)
                return ReplayState(
                    self.match.roll({Player(seat): hand for seat, hand in enumerate(hands or ()) if hand})
                )
            case PlayedAction(seat, action):
                return self._play(seat, action)
            case Departure(seat):
                return replace(self._changed(self.match.leave(seat)), reopened=self.match.void())
            case HandOver(seat):
                if seat not in self.match.position.living or self.match.position.phase is Phase.OVER:
                    raise HandsError("changes nothing here")
                return self
            case Ruling.VOID:
                return self._changed(self.match.void())
            case Ruling.FORGO:
                return self._changed(self.match.forgo())
            case Ruling.UNDO:
                return self._undone()
            case Ruling.REOPEN:
                is_over = self.match.position.phase is Phase.OVER
                return ReplayState(self.reopened if is_over and self.reopened else self.match.void())

    def after_undone_call(self, call: PlayedAction) -> "ReplayState":
        """Return the state after a call about to be taken back: the cups stay down, without a settlement.
        Raises `DudoError` if it is illegal.
        """
        check(self.match.position, call.seat, call.action)
        return ReplayState(self.match, self.unseen, before=self)

    def _play(self, seat: Player, action: Action) -> "ReplayState":
        if self.unseen and isinstance(action, Call):
            check(self.match.position, seat, action)
            raise _UnknownHandsError
        played = self.match.play(seat, action)
        if isinstance(action, Call):
            return ReplayState(played, reopened=self.match.void())
        before = replace(self, match=replace(self.match, history=()))  # a long round would keep each of its histories
        return ReplayState(played, self.unseen, before)

    def _undone(self) -> "ReplayState":
        if self.before is None:
            raise HandsError("takes nothing back here")
        if self.before.match.history:
            return self.before
        return replace(self.before, match=replace(self.before.match, history=self.match.history[:-1]))

    def _changed(self, match: Match) -> "ReplayState":
        if match is self.match:
            raise HandsError("changes nothing here")
        return ReplayState(match)

    def _await(self, phase: Phase) -> None:
        awaits = _AWAITS[self.match.position.phase]
        if self.match.position.phase is not phase:
            raise HandsError(f"is {_AWAITS[phase]}, but the match awaits {awaits}")


def replay(start: Match, entries: Iterable[Entry], winner: Player | None) -> Iterator[ReplayState]:
    """Yield the match at its start and after each entry. Raises `ScoreError` at the first unplayable one."""
    state = ReplayState(start)
    yield state
    last = -1
    for last, (entry, following) in enumerate(pairwise((*entries, None))):
        try:
            if following is Ruling.UNDO and isinstance(entry, PlayedAction) and isinstance(entry.action, Call):
                state = state.after_undone_call(entry)
            else:
                state = state.after(entry)  # type: ignore[arg-type]
        except _UnknownHandsError:
            raise UnknownDiceError(
                last, "the dice of its round are not in the score, and without them nobody knows how a call ends"
            ) from None
        except (DudoError, HandsError) as error:
            raise ScoreError(last, str(error)) from None
        yield state
    won = state.match.position.winner
    if winner is not None and winner != won:
        raise ScoreError(last + 1, "the match is not over" if won is None else f"seat {won} has won")


_AWAITS = {
    Phase.SEATING: "a roll for the order of play",
    Phase.CHOOSING: "the choice of a round",
    Phase.ROLLING: "the dice of a round",
    Phase.BIDDING: "a bid or a call",
    Phase.OVER: "nothing more",
}


# The score


@dataclass(frozen=True, slots=True, repr=False)
class Score:
    """A match from its first roll. `names` has one entry a seat, perhaps empty.
    It keeps actions and dice, and replaying them gives the results. The constructor checks only the heading and raises
    `ValueError`; `matches`, `positions` and `check` raise `ScoreError` at the first impossible entry.
    """

    rules: Rules
    names: tuple[str, ...]
    first: Player = PLAYER_0  # the opener; unused where the rules roll for it
    date: str = ""  # as in 2026-11-21, or none
    entries: tuple[Entry, ...] = ()
    winner: Player | None = None  # None while no winner is known

    def __post_init__(self) -> None:
        if self.seats not in SEATS:
            raise ValueError(f"expected 2 to 8 players, not {self.seats}")
        for name in self.names:
            if not name.isprintable() or name != name.strip():
                raise ValueError("expected a name that is printable and has no blanks around it")
        if self.date and not _DATE.fullmatch(self.date):
            raise ValueError("expected a date as in 2026-11-21")
        for seat in (self.first, self.winner or 0):
            if not 0 <= seat < self.seats:
                raise ValueError(f"expected a seat, 0 to {self.seats - 1}")

    @property
    def seats(self) -> int:
        """Seats the match began with."""
        return len(self.names)

    # Recording

    def roll(self, dice: Mapping[Player, Iterable[int]]) -> Self:
        """Add a round's dice."""
        return self._with(DealtHands(tuple(Hand(dice.get(Player(seat), ())) for seat in range(self.seats))))

    def roll_unseen(self) -> Self:
        """Add a roll with unknown dice."""
        return self._with(DealtHands(None))

    def roll_for_order(self, dice: Mapping[Player, int]) -> Self:
        """Add one die for the order of play from each rolling seat."""
        return self._with(OrderRoll(tuple(dice.get(Player(seat)) for seat in range(self.seats))))

    def play(self, seat: Player, action: Action) -> Self:
        """Add a seat's action."""
        return self._with(PlayedAction(seat, action))

    def void(self) -> Self:
        """Add a ruling: the round is void and rolled again."""
        return self._with(Ruling.VOID)

    def forgo(self) -> Self:
        """Add a ruling: the special round due is not played."""
        return self._with(Ruling.FORGO)

    def undo(self) -> Self:
        """Add a ruling: the last action is taken back."""
        return self._with(Ruling.UNDO)

    def reopen(self) -> Self:
        """Add a ruling: the match goes on, and its last round is rolled again."""
        return self._with(Ruling.REOPEN)

    def hand_over(self, seat: Player) -> Self:
        """Add a new person at a seat."""
        return self._with(HandOver(seat))

    def leave(self, seat: Player) -> Self:
        """Add a seat's final departure."""
        return self._with(Departure(seat))

    def won(self, seat: Player) -> Self:
        """Add the winner."""
        return replace(self, winner=seat)

    @property
    def public(self) -> Self:
        """The score with public dice only: those from rounds ended by a call."""
        shown, entries = False, []
        for entry, counts in reversed([*self._counted()]):
            entries.append(DealtHands(None) if isinstance(entry, DealtHands) and not shown else entry)
            if counts and not isinstance(entry, HandOver):
                shown = isinstance(entry, PlayedAction) and (shown or isinstance(entry.action, Call))
        return replace(self, entries=tuple(reversed(entries)))

    @property
    def without_undone(self) -> Self:
        """The score without undone actions and their undo entries.
        An end that does not stand is left out, too: its round is void.
        """
        return replace(self, entries=tuple(entry for entry, counts in self._standing()._counted() if counts))

    def _standing(self) -> Self:
        """Return the score without the calls and departures of a reopened end."""
        if Ruling.REOPEN not in self.entries:
            return self
        entries: list[Entry] = []
        before: list[Position] = []  # before each entry
        for entry, position in zip(self.entries, self.positions(), strict=False):
            if entry is Ruling.REOPEN:
                if position.phase is Phase.OVER:
                    entries.pop()
                    position = before.pop()
                if position.phase is not Phase.BIDDING:
                    continue
                entry = Ruling.VOID
            entries.append(entry)
            before.append(position)
        return replace(self, entries=tuple(entries))

    def _counted(self) -> Iterator[tuple[Entry, bool]]:
        """Yield each entry with whether it counts: an undone action and its undo do not."""
        counts = [entry is not Ruling.UNDO for entry in self.entries]
        standing: list[int] = []
        for place, entry in enumerate(self.entries):
            if isinstance(entry, PlayedAction):
                standing.append(place)
            elif entry is Ruling.REOPEN:
                standing.clear()
            elif entry is Ruling.UNDO and standing:
                counts[standing.pop()] = False
        return zip(self.entries, counts, strict=True)

    # Replaying

    def matches(self) -> Iterator[Match]:
        """Yield the match at its start and after each entry. Raises `UnknownDiceError` at a roll without dice."""
        for place, step in enumerate(self._steps(), start=-1):
            if step.unseen:
                raise UnknownDiceError(place, "these dice are not here, only the positions can be stepped through")
            yield step.match

    def positions(self) -> Iterator[Position]:
        """Yield the public position at the start and after each entry; needs the dice for rounds ended by a call."""
        return (step.match.position for step in self._steps())

    def check(self) -> None:
        """Raise `ScoreError` at the first impossible entry, as far as the dice are known."""
        try:
            for _ in self._steps():
                pass
        except UnknownDiceError:
            return

    def _steps(self) -> Iterator[ReplayState]:
        return replay(Match.start(self.rules, self.seats, self.first), self.entries, self.winner)

    def _with(self, entry: Entry) -> Self:
        return replace(self, entries=(*self.entries, entry))

    def __repr__(self) -> str:
        result = "not over" if self.winner is None else f"won by {self.winner}"
        return f"<Score of {self.rules}, {self.seats} seats, {len(self.entries)} entries, {result}>"
