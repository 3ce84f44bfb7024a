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
from typing import Self

from engine.actions import Action, Call
from engine.hands import Hand
from engine.match import Match
from engine.notation.entries import Deal, Entry, Gone, OrderRoll, Ruling, Said, UnknownDiceError
from engine.notation.stepping import Step, steps
from engine.position import Position
from engine.rules import Rules
from engine.seating import SEATS

_DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", re.ASCII)


@dataclass(frozen=True, slots=True, repr=False)
class Score:
    """A match from its first roll. `names` has one entry a seat, perhaps empty.

    It says what happened, and what came of it is found by playing it again. Only the heading is checked at once, with
    `ValueError`; `matches`, `positions` and `check` raise `ScoreError` at the first entry that cannot have happened.
    """

    rules: Rules
    names: tuple[str, ...]
    first: int = 0  # who opens; without effect where the rules roll for it
    date: str = ""  # as in 2026-11-21, or none
    entries: tuple[Entry, ...] = ()
    winner: int | None = None  # as far as it has been told

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

    # Writing down what happens

    def roll(self, dice: Mapping[int, Iterable[int]]) -> Self:
        """Add the dice of a round."""
        return self._with(Deal(tuple(Hand(dice.get(seat, ())) for seat in range(self.seats))))

    def roll_unseen(self) -> Self:
        """Add the roll of a round whose dice are not known."""
        return self._with(Deal(None))

    def roll_for_order(self, dice: Mapping[int, int]) -> Self:
        """Add one die each for the order of play, of those seats that roll."""
        return self._with(OrderRoll(tuple(dice.get(seat) for seat in range(self.seats))))

    def play(self, seat: int, action: Action) -> Self:
        """Add what a seat said."""
        return self._with(Said(seat, action))

    def void(self) -> Self:
        """Add that the round is void and rolled again."""
        return self._with(Ruling.VOID)

    def forgo(self) -> Self:
        """Add that the special round that was due is not played."""
        return self._with(Ruling.FORGO)

    def leave(self, seat: int) -> Self:
        """Add that a seat left for good."""
        return self._with(Gone(seat))

    def won(self, seat: int) -> Self:
        """The same with its winner."""
        return replace(self, winner=seat)

    @property
    def public(self) -> Self:
        """The same with the dice that everybody saw and no others: a round's stay in it if a call ended that round."""
        shown, entries = False, []
        for entry in reversed(self.entries):
            entries.append(Deal(None) if isinstance(entry, Deal) and not shown else entry)
            shown = isinstance(entry, Said) and (shown or isinstance(entry.action, Call))
        return replace(self, entries=tuple(reversed(entries)))

    # Playing it again

    def matches(self) -> Iterator[Match]:
        """The match at its start and after each entry. Needs all dice: `UnknownDiceError` at a roll without them."""
        for place, (match, unseen) in enumerate(self._steps(), start=-1):
            if unseen:
                raise UnknownDiceError(place, "these dice are not here, only the positions can be stepped through")
            yield match

    def positions(self) -> Iterator[Position]:
        """The public position at the start and after each entry. Needs the dice of the rounds that a call ended."""
        return (match.position for match, _ in self._steps())

    def check(self) -> None:
        """Raise `ScoreError` for the first thing that cannot have happened, as far as the dice are known."""
        try:
            for _ in self._steps():
                pass
        except UnknownDiceError:
            return

    def _steps(self) -> Iterator[Step]:
        return steps(Match.start(self.rules, self.seats, self.first), self.entries, self.winner)

    def _with(self, entry: Entry) -> Self:
        return replace(self, entries=(*self.entries, entry))

    def __repr__(self) -> str:
        result = "not over" if self.winner is None else f"won by {self.winner}"
        return f"<Score of {self.rules}, {self.seats} seats, {len(self.entries)} entries, {result}>"
