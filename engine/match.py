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
from engine.position import BIDDING, PLAYER_0, SEATING, Player, Position, value
from engine.rules import Rules, Visibility

OWN, OWNER, OTHERS, ONE_DIE = Visibility
_NO_DICE = Hand()

History = tuple[tuple[Player, Bid | Pass], ...]
"""The round's bids and passes so far, each with its seat, in order."""


@value
class Match:
    """The public position and the dice under the cups. Before the reveal only `view` shows any dice."""

    position: Position
    _hands: tuple[Hand, ...] = ()  # by seat; empty without dice under the cups
    history: History = field(default=(), compare=False)  # empty in a round whose beginning is unknown

    @classmethod
    def start(cls, rules: Rules, seats: int, first: Player = PLAYER_0) -> Match:
        """Return a match between `seats` players, each with the rules' starting dice.
        `first` opens where the seating is fixed. Where the rules roll for the order of play it is ignored, and the
        first
        `roll` is one die from each seat. Raises `ValueError` unless there are two to eight seats with `first` among
        them.
        """
        return Match(rounds.begin(rules, seats, first))

    def roll(self, dice: Mapping[Player, Iterable[int]]) -> Match:
        """Take the dice of every seat in `position.rolling`, as many from each as `position.awaited` says.
        Raises `HandsError` for other seats, other dice counts, or a die without such a face.
        """
        hands = self._hands_of(dice)
        if self.position.phase is SEATING:
            return Match(rounds.rolled_for_order(self.position, {seat: hands[seat][0] for seat in dice}))
        return Match(rounds.opened(self.position), hands)

    def play(self, seat: Player, action: Action) -> Match:
        """Return the match after `seat` took `action`; a call ends the round and fills `position.showdown`.
        Raises `SeatError` for a seat that may not act, `IllegalActionError` for a now illegal action.
        """
        position = self.position
        if action not in legal_actions(position, seat):
            check(position, seat, action)  # raises the reason
        if isinstance(action, Bid):
            coming = rounds.bid(position, seat, action)
        elif isinstance(action, Call):
            return Match(settlement.settle(position, self._hands, seat, action))
        elif isinstance(action, Pass):
            coming = rounds.passed(position, seat)
        else:
            return Match(rounds.chosen(position, action))
        history = self.history
        if history or (position.standing is None and not position.passed):  # an older journal has lost the beginning
            history += ((seat, action),)
        return Match(coming, self._hands, history)

    def void(self) -> Match:
        """Return the same round, to be rolled again without losses. No-op outside the bidding."""
        return self._with_cups_up(rounds.voided(self.position))

    def forgo(self) -> Match:
        """Replace a special round before its start by a normal one; the special one is used up."""
        return self._with_cups_up(rounds.forgone(self.position))

    def leave(self, seat: Player) -> Match:
        """Remove `seat` for good: its dice are gone, and a round in progress is void and rolled again."""
        return self._with_cups_up(rounds.without(self.position, seat))

    def undo(self) -> Match:
        """Return the match before its round's last bid or pass, over the same dice. No-op without one.
        A call can't be undone here: the match after it has no dice under the cups.
        """
        if not self.history:
            return self
        before = rounds.opened(self.position)
        for seat, action in self.history[:-1]:
            before = rounds.bid(before, seat, action) if isinstance(action, Bid) else rounds.passed(before, seat)
        return Match(before, self._hands, self.history[:-1])

    def view(self, seat: Player) -> View:
        """Return the view from `seat` now."""
        position = self.position
        hands: list[Hand | None] = [None] * position.seats
        for visible in visible_seats(position, seat):
            hands[visible] = self._hands[visible]
        return View(position, seat, tuple(hands), self.history)

    def legal(self, seat: Player) -> LegalActions:
        """Return the legal actions for `seat` now."""
        return legal_actions(self.position, seat)

    def __repr__(self) -> str:
        return f"<Match {self.position.replace(showdown=None)}>"  # without the last showdown's dice

    def _with_cups_up(self, position: Position) -> Match:
        """Return the match at `position` without dice under the cups, or itself if unchanged."""
        return self if position is self.position else Match(position)

    def _hands_of(self, dice: Mapping[Player, Iterable[int]]) -> tuple[Hand, ...]:
        position = self.position
        rolling, held = position.rolling, position.round.dice
        hands = [_NO_DICE] * len(held)
        if position.phase is SEATING:
            held = (1,) * len(held)
        for seat in rolling:
            faces = sorted(dice.get(seat, ()))
            hand = HANDS.get(tuple(faces))
            if hand is None or len(hand) != held[seat]:
                raise self._misfit(dice, seat, len(faces))
            hands[seat] = hand
        if not rolling or len(dice) != len(rolling):
            raise self._misfit(dice)
        return tuple(hands)

    def _misfit(self, dice: Mapping[Player, Iterable[int]], seat: Player = PLAYER_0, number: int = 0) -> HandsError:
        """Return the error for dice of the wrong seats, or for the `number` of dice, or the faces, of one seat."""
        awaited = self.position.awaited
        if not awaited:
            return HandsError("no dice are awaited now")
        if dice.keys() != awaited.keys():
            return HandsError(f"dice from seats {sorted(dice)}, awaited from {sorted(awaited)}")
        if number != awaited[seat]:
            return HandsError(f"seat {seat} rolled {number} dice, not {awaited[seat]}")
        return HandsError(f"seat {seat} rolled a die with a face that is not 1 to 6")


@value
class View:
    """One seat's view of a match. `hands` has one entry a seat, None where this seat may not look.
    `history` is public: the round's bids and passes. It ends with the standing bid, or is empty.
    """

    position: Position
    seat: Player
    hands: tuple[Hand | None, ...]
    history: History = field(default=(), compare=False)

    @property
    def own(self) -> Hand | None:
        """The seat's own dice, or None where it may not see them."""
        return self.hands[self.seat]

    @property
    def visible(self) -> tuple[Hand, ...]:
        """All hands visible to the seat, in seat order."""
        return tuple(hand for hand in self.hands if hand is not None)

    @property
    def legal(self) -> LegalActions:
        """The seat's legal actions now."""
        return legal_actions(self.position, self.seat)


def visible_seats(position: Position, seat: Player) -> tuple[Player, ...]:
    """Return the living seats with dice visible to `seat` now, in order of play; empty for a seat that is out."""
    living, visibility = position.living, position.kind.visibility
    if position.phase is not BIDDING or seat not in living:
        return ()
    if visibility is OTHERS:
        return tuple([other for other in living if other != seat])
    return (seat,) if visibility is OWN or _sees_own(position, seat, visibility) else ()


def _sees_own(position: Position, seat: Player, visibility: Visibility) -> bool:
    """Return whether `seat` sees its own dice in a round in which not every seat does."""
    if visibility is ONE_DIE and position.rules.closed_seen_by == "one-die":
        return position.dice[seat] == 1
    return seat == position.owner
