"""Plays a score again, entry by entry, through `Match` and its rules: `Score.matches` and `Score.positions` use it."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine import rounding
from engine.actions import Action, Call
from engine.errors import DudoError, HandsError
from engine.match import Match
from engine.notation.entries import Deal, Entry, Gone, OrderRoll, Ruling, Said, ScoreError, UnknownDiceError
from engine.phase import Phase


class Step(NamedTuple):
    """A match on its way; `unseen` while dice lie under the cups that the score does not have."""

    match: Match
    unseen: bool = False

    def after(self, entry: Entry) -> "Step":
        """The next step. Raises `DudoError` or `HandsError` for an entry that cannot come now, `UnseenError`."""
        match entry:
            case OrderRoll(dice):
                self._await(Phase.SEATING)
                return Step(self.match.roll({seat: (die,) for seat, die in enumerate(dice) if die is not None}))
            case Deal(None):
                self._await(Phase.ROLLING)
                return Step(Match(rounding.opened(self.match.position)), unseen=True)
            case Deal(hands):
                self._await(Phase.ROLLING)
                return Step(self.match.roll({seat: hand for seat, hand in enumerate(hands or ()) if hand}))
            case Said(seat, action):
                return self._said(seat, action)
            case Gone(seat):
                return self._changed(self.match.leave(seat))
            case Ruling.VOID:
                return self._changed(self.match.void())
            case Ruling.FORGO:
                return self._changed(self.match.forgo())

    def _said(self, seat: int, action: Action) -> "Step":
        if self.unseen and isinstance(action, Call):
            self.match.position.check(seat, action)
            raise UnseenError
        return Step(self.match.play(seat, action), self.unseen)

    def _changed(self, match: Match) -> "Step":
        if match is self.match:
            raise HandsError("changes nothing here")
        return Step(match)

    def _await(self, phase: Phase) -> None:
        awaits = _AWAITS[self.match.position.phase]
        if self.match.position.phase is not phase:
            raise HandsError(f"is {_AWAITS[phase]}, but the match awaits {awaits}")


class UnseenError(Exception):
    """A call in a round whose dice are not known."""


def steps(start: Match, entries: Iterable[Entry], winner: int | None) -> Iterator[Step]:
    """The match at its start and after each entry. Raises `ScoreError` where that cannot be, or cannot be known."""
    step = Step(start)
    yield step
    last = -1
    for last, entry in enumerate(entries):
        try:
            step = step.after(entry)
        except UnseenError:
            raise UnknownDiceError(
                last, "the dice of its round are not in the score, and without them nobody knows how a call ends"
            ) from None
        except (DudoError, HandsError) as error:
            raise ScoreError(last, str(error)) from None
        yield step
    won = step.match.position.winner
    if winner is not None and winner != won:
        raise ScoreError(last + 1, "the match is not over" if won is None else f"seat {won} has won")


_AWAITS = {
    Phase.SEATING: "a roll for the order of play",
    Phase.CHOOSING: "the choice of a round",
    Phase.ROLLING: "the dice of a round",
    Phase.BIDDING: "a bid or a call",
    Phase.OVER: "nothing more",
}
