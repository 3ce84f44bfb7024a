"""A yardstick: this player reads the standing bid as evidence about its bidder's hand.
By Bayes' rule, the more matching dice a bidder holds, the likelier the bidder found the bid likely, and made it. A
share
of all bids counts as bluffs, without evidence. With these chances it plays like the honest threshold player.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.opponents.chances import Chances, at_least, exactly
from engine.opponents.honest import decide

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from engine.actions import Action, Bid
    from engine.match import View

BLUFFS = 0.15
"""Share of bids made with any hand."""
SHARPNESS = 2.0
"""Exponent of a bid's chance in the bidder's preference."""


def choose(view: View, rng: Random) -> Action | None:
    """Return the seat's action: in turn a legal one, out of turn a call or None; None if it can't act."""
    if view.legal and view.position.choices:
        return rng.choice(view.position.choices)
    return decide(ReadChances(view))


class ReadChances(Chances):
    """The chances of claims on the standing face, given the bid's evidence about its bidder's hand."""

    def holds(self, bid: Bid) -> float:
        """Return the chance that a bid holds."""
        return self._expected(bid, at_least)

    def is_exact(self, bid: Bid) -> float:
        """Return the chance that a bid is exact."""
        return self._expected(bid, exactly)

    def _expected(self, bid: Bid, chance: Callable[[int, int, int], float]) -> float:
        faces, missing = self.matching_faces(bid.face), bid.quantity - self.known(bid.face)
        believed = self.bidders_dice(bid.face)
        others = self.unseen - (len(believed) - 1)
        return sum(share * chance(missing - held, others, faces) for held, share in enumerate(believed))

    def bidders_dice(self, face: int) -> list[float]:
        """Return the chances that the bidder hides 0, 1, 2 … dice matching `face`; empty if it was not bid."""
        position, standing, bidder = self.position, self.position.standing, self.position.bidder
        if standing is None or bidder is None or standing.face != face or self.view.hands[bidder] is not None:
            return [1.0]
        dice, faces = position.dice[bidder], self.matching_faces(face)
        weights = [
            exactly(held, dice, faces)
            * (BLUFFS + at_least(standing.quantity - held, position.in_play - dice, faces) ** SHARPNESS)
            for held in range(dice + 1)
        ]
        total = sum(weights)
        return [weight / total for weight in weights]
