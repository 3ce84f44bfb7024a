"""A match as everybody at the table knows it: whose turn it is, what is bid, who holds how many dice.

No die is in here before the reveal, so whatever is made from a `Position` alone — legality, menus, the page, the log —
cannot leak one. `Match` adds the dice under the cups.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from engine.actions import Action, Bid
from engine.circle import Circle, circle
from engine.legality import LegalActions, legal_actions
from engine.notation.line import write_position
from engine.phase import BIDDING, CHOOSING, OVER, SEATING, Phase
from engine.refusal import refusal
from engine.rounds import RoundKind
from engine.rules import Rules
from engine.showdown import Showdown
from engine.value import value

if TYPE_CHECKING:
    pass


class _Remembering:
    """Where a position keeps what it has looked up: not a field, so no part of what it is equal to."""

    __slots__ = ("_circle",)

    _circle: Circle


@value
class Position(_Remembering):
    """The public state of a match. Seats are 0…n-1; tuples "by seat" have one entry for each."""

    rules: Rules
    phase: Phase
    order: tuple[int, ...]  # the seats in order of play
    dice: tuple[int, ...]  # by seat; 0 is out
    starting_dice: int
    first: int | None  # who opens, or opened, this round
    number: int = 1  # of the round, from one
    kind: RoundKind = RoundKind.NORMAL
    owner: int | None = None  # whose special round it is
    turn: int | None = None  # None outside the bidding
    standing: Bid | None = None
    bidder: int | None = None
    passer: int | None = None  # whose pass stands to be doubted instead of the bid
    passed: tuple[int, ...] = ()  # who has passed in this round
    special_used: tuple[int, ...] = ()
    banked: tuple[int, ...] = ()  # by seat, lives kept aside; empty where the rules have none
    rolls: tuple[tuple[int, ...], ...] = ()  # by seat, the rolls for the order of play
    rolling: tuple[int, ...] = ()  # the seats whose dice are awaited
    showdown: Showdown | None = None  # how the last round ended

    @property
    def seats(self) -> int:
        """Seats the match began with."""
        return len(self.dice)

    @property
    def circle(self) -> Circle:
        """Who plays this round."""
        try:
            return self._circle
        except AttributeError:
            self._circle = circle(self.rules, self.kind, self.order, self.dice, self.starting_dice)
            return self._circle

    @property
    def in_play(self) -> int:
        """Dice on the table."""
        return self.circle.in_play

    @property
    def living(self) -> tuple[int, ...]:
        """Seats that still hold dice, in order of play."""
        return self.circle.living

    @property
    def winner(self) -> int | None:
        """The last seat with dice, once the match is over."""
        return self.living[0] if self.phase is OVER else None

    @property
    def doubted(self) -> int | None:
        """Whose claim `dudo` would doubt now: the passer's, else the bidder's."""
        return self.bidder if self.passer is None else self.passer

    @property
    def choices(self) -> tuple[RoundKind, ...]:
        """What the owner may choose now; `NORMAL` waives the special round."""
        return self.rules.choices if self.phase is CHOOSING else ()

    def after(self, seat: int) -> int:
        """The next living seat after `seat` in order of play; `seat` itself may be out."""
        after = self.circle.after
        if seat in after:
            return after[seat]
        place = self.order.index(seat)
        return next(other for other in self.order[place:] + self.order[:place] if other in after)

    def from_(self, seat: int) -> int:
        """`seat` if it lives, else the next living one."""
        return seat if self.dice[seat] else self.after(seat)

    def dice_to_roll(self, seat: int) -> int:
        """Dice awaited from a seat now."""
        if seat not in self.rolling:
            return 0
        return 1 if self.phase is SEATING else self.dice[seat]

    def legal(self, seat: int) -> LegalActions:
        """What `seat` may do now: a container that tests membership without listing."""
        return legal_actions(self, seat)

    def check(self, seat: int, action: Action) -> None:
        """Raise `SeatError` or `IllegalActionError` unless `seat` may take `action` now."""
        if action not in legal_actions(self, seat) and (refused := refusal(self, seat, action)):
            kind, reason = refused
            raise kind(reason, f"seat {seat} may not {action}", str(self))

    def but(self, **changes: Any) -> Position:
        """This position with other values for some fields: `dataclasses.replace` in a quarter of its time."""
        other = Position(*_FIELDS_OF(self))
        for name, changed in changes.items():
            setattr(other, name, changed)
        return other

    def bidding(
        self, turn: int | None, standing: Bid | None, bidder: int | None, passer: int | None, passed: tuple[int, ...]
    ) -> Position:
        """This round, its dice under the cups, when so much has been said."""
        later = Position(
            self.rules,
            BIDDING,
            self.order,
            self.dice,
            self.starting_dice,
            self.first,
            self.number,
            self.kind,
            self.owner,
            turn,
            standing,
            bidder,
            passer,
            passed,
            self.special_used,
            self.banked,
            self.rolls,
            (),
            self.showdown,
        )
        later._circle = self.circle
        return later

    def __str__(self) -> str:
        """The public line, all of the position in it; `parse_position` reads it back."""
        return write_position(self)


_FIELDS_OF = attrgetter(*Position.__match_args__)
