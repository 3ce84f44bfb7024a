"""A whole match as one immutable value: dice enter through `roll`, actions through `play`.

match = Match.start(PERUDO, seats=3, first=0)
match = match.roll({0: (1, 3, 3, 5, 6), 1: (2, 2, 3, 4, 6), 2: (1, 1, 4, 5, 5)})
match = match.play(0, Bid(4, 3)).play(1, DUDO)
match.position.showdown.matching
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from engine import rounds, settlement
from engine.actions import Action, Bid, Call, Pass
from engine.bidding import LegalActions
from engine.errors import HandsError
from engine.hands import HANDS, Hand
from engine.legality import check, legal_actions
from engine.position import BIDDING, SEATING, Position, value
from engine.rules import Rules, Visibility

_NO_DICE = Hand()

History = tuple[tuple[int, Bid | Pass], ...]
"""The bids and passes of the round so far, each with its seat, the earliest first."""


@value
class Match:
    """The public position and the dice under the cups. `view` is the only way to see these before the reveal."""

    position: Position
    _hands: tuple[Hand, ...] = ()  # by seat; empty while no dice are under the cups
    history: History = field(default=(), compare=False)  # a match resumed in mid-round lacks what came before

    @classmethod
    def start(cls, rules: Rules, seats: int, first: int = 0) -> Match:
        """Return a match of `seats` players, each with the starting dice of the rules.

        `first` opens where the seats are fixed. Where the rules roll for the order of play it is not used, and the
        first `roll` is one die from each seat. Raises `ValueError` for other than two to eight seats or a `first` not
        among them.
        """
        return Match(rounds.begin(rules, seats, first))

    def roll(self, dice: Mapping[int, Iterable[int]]) -> Match:
        """Take the dice of every seat in `position.rolling`, as many of each as `position.awaited` says.

        Raises `HandsError` for other seats, other numbers of dice, or a die that has no such face.
        """
        hands = self._hands_of(dice)
        if self.position.phase is SEATING:
            return Match(rounds.rolled_for_order(self.position, {seat: hands[seat][0] for seat in dice}))
        return Match(rounds.opened(self.position), hands)

    def play(self, seat: int, action: Action) -> Match:
        """Return the match after `seat` took `action`; a call ends the round, and `position.showdown` says how.

        Raises `SeatError` for a seat that may not act, `IllegalActionError` for an action that is not legal now.
        """
        position = self.position
        check(position, seat, action)
        match action:
            case Bid():
                return Match(rounds.bid(position, seat, action), self._hands, (*self.history, (seat, action)))
            case Pass():
                return Match(rounds.passed(position, seat), self._hands, (*self.history, (seat, action)))
            case Call():
                return Match(settlement.settle(position, self._hands, seat, action))
            case kind:
                return Match(rounds.chosen(position, kind))

    def void(self) -> Match:
        """Return the same round, to be rolled again: no seat loses a die. No-op outside the bidding."""
        return self._with_cups_up(rounds.voided(self.position))

    def forgo(self) -> Match:
        """Return a normal round instead of a special one that has not begun; the special one is used up."""
        return self._with_cups_up(rounds.forgone(self.position))

    def leave(self, seat: int) -> Match:
        """Remove `seat` for good: its dice are gone, and a round in progress is void and rolled again."""
        return self._with_cups_up(rounds.without(self.position, seat))

    def view(self, seat: int) -> View:
        """Return what `seat` may see now."""
        allowed = visible_seats(self.position, seat)
        hands = tuple(self._hands[s] if s in allowed else None for s in range(self.position.seats))
        return View(self.position, seat, hands, self.history)

    def legal(self, seat: int) -> LegalActions:
        """Return what `seat` may do now."""
        return legal_actions(self.position, seat)

    def __repr__(self) -> str:
        return f"<Match {self.position.replace(showdown=None)}>"  # without the dice that it showed

    def _with_cups_up(self, position: Position) -> Match:
        """Return the match at `position` without dice under the cups, or itself if nothing has changed."""
        return self if position is self.position else Match(position)

    def _hands_of(self, dice: Mapping[int, Iterable[int]]) -> tuple[Hand, ...]:
        awaited = self.position.awaited
        if not awaited:
            raise HandsError("no dice are awaited now")
        if dice.keys() != awaited.keys():
            raise HandsError(f"dice from seats {sorted(dice)}, awaited from {sorted(awaited)}")
        hands = [_NO_DICE] * self.position.seats
        for seat, rolled in dice.items():
            faces = tuple(sorted(rolled))
            if len(faces) != awaited[seat]:
                raise HandsError(f"seat {seat} rolled {len(faces)} dice, not {awaited[seat]}")
            hand = HANDS.get(faces)
            if hand is None:
                raise HandsError(f"seat {seat} rolled a die with a face that is not 1 to 6")
            hands[seat] = hand
        return tuple(hands)


@value
class View:
    """One seat's view of a match. `hands` has one entry a seat, None where this seat may not look.

    `history` is public: the bids and passes of the round. Its last bid is the one that stands, or it is empty.
    """

    position: Position
    seat: int
    hands: tuple[Hand | None, ...]
    history: History = field(default=(), compare=False)

    @property
    def own(self) -> Hand | None:
        """The seat's own dice, or None where it may not see them."""
        return self.hands[self.seat]

    @property
    def visible(self) -> tuple[Hand, ...]:
        """All hands the seat may see, in order of seats."""
        return tuple(hand for hand in self.hands if hand is not None)

    @property
    def legal(self) -> LegalActions:
        """The legal actions of the seat now."""
        return legal_actions(self.position, self.seat)

    @property
    def without_dice(self) -> View:
        """The same view with the cup down: no dice at all."""
        return View(self.position, self.seat, (None,) * len(self.hands), self.history)


def visible_seats(position: Position, seat: int) -> tuple[int, ...]:
    """Return the living seats, in order of play, whose dice `seat` may see now; a seat that is out sees none."""
    if position.phase is not BIDDING or seat not in position.living:
        return ()
    return tuple(other for other in position.living if _may_see(position, seat, other))


def _may_see(position: Position, seat: int, other: int) -> bool:
    own = seat == other
    match position.kind.visibility:
        case Visibility.OWN:
            return own
        case Visibility.OWNER:
            return own and seat == position.owner
        case Visibility.OTHERS:
            return not own
        case Visibility.ONE_DIE if position.rules.closed_seen_by == "one-die":
            return own and position.dice[seat] == 1
        case Visibility.ONE_DIE:
            return own and seat == position.owner
