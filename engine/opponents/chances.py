"""One seat's knowledge about the dice, and the resulting chances of claims: the opponents' shared arithmetic."""

from __future__ import annotations

from functools import cache, cached_property
from math import comb
from typing import TYPE_CHECKING

from engine.actions import DUDO, PASS, Action, Bid, Call
from engine.position import BIDDING, Player
from engine.rules import ACES, DICE, FACES
from engine.settlement import honest_pass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.match import View

HONEST_HAND_CHANCE = 0.132
"""Chance that five dice justify a pass: a full house, all alike or all different."""
HONEST_HAND_CHANCE_WILD = 0.408
"""The same where aces stand for any face."""
BLUFFS = 0.15
"""Share of bids that their readers take to be made with any hand."""
SHARPNESS = 2.0
"""Exponent of a bid's chance in the bidder's preference."""


class Chances:
    """The dice known to one seat, and the chance of each claim with fair unseen dice.
    `extra` counts imaginary dice by face.
    """

    def __init__(self, view: View, extra: dict[int, int] | None = None) -> None:
        self.view = view
        self.position = position = view.position
        self.legal = view.legal
        self.extra = extra or {}
        self.wilds = position.rules.wilds_in(position.kind)
        self.unseen = position.in_play - sum(map(len, view.visible))

    @property
    def in_turn(self) -> bool:
        """Whether the seat is in turn to bid or call."""
        return self.position.phase is BIDDING and self.view.seat == self.position.turn

    @property
    def calls(self) -> list[Call]:
        """The legal calls."""
        return [call for call in Call if call in self.legal]

    def known(self, face: int) -> int:
        """Count the visible and imaginary dice matching `face`."""
        seen = sum(hand.matching(face, wilds=self.wilds) for hand in self.view.visible)
        return seen + self.extra.get(face, 0)

    def matching_faces(self, face: int) -> int:
        """Return how many faces on an unseen die match `face`."""
        return 2 if self.wilds and face != ACES else 1

    def bids(self, beyond: int = 2) -> Iterator[Bid]:
        """Yield for each face the bids from the lowest legal quantity to `beyond` over the expected number, and at most
        to the dice in play.
        """
        bids = self.legal.bids
        for face, quantities in zip(FACES, bids.by_face if bids else (), strict=False):
            expected = self.known(face) + self.unseen * self.matching_faces(face) // 6
            most = min(quantities.stop, self.position.in_play + 1, max(quantities.start + 1, expected + beyond + 1))
            yield from (Bid(quantity, face) for quantity in range(quantities.start, most))

    def holds(self, bid: Bid) -> float:
        """Return the chance that a bid holds."""
        return at_least(bid.quantity - self.known(bid.face), self.unseen, self.matching_faces(bid.face))

    def is_exact(self, bid: Bid) -> float:
        """Return the chance that a bid is exact."""
        return exactly(bid.quantity - self.known(bid.face), self.unseen, self.matching_faces(bid.face))

    def is_honest_pass(self, seat: Player) -> float:
        """Return the chance that `seat` can pass honestly."""
        position, hand, passing = self.position, self.view.hands[seat], self.position.rules.passing
        if position.dice[seat] < DICE or passing is None:
            return 0.0
        wild_aces = passing.wild_aces and self.wilds
        if hand is None:
            return HONEST_HAND_CHANCE_WILD if wild_aces else HONEST_HAND_CHANCE
        return float(honest_pass(hand, wild_aces=wild_aces))

    def is_right(self, call: Call) -> float:
        """Return the chance that a legal call is right."""
        position = self.position
        if call is DUDO and position.passer is not None:
            return 1 - self.is_honest_pass(position.passer)
        assert position.standing is not None
        if position.rules.exact(call) is None:
            return 1 - self.holds(position.standing)
        return self.is_exact(position.standing)

    @cached_property
    def die_of_another(self) -> float:
        """The worth of a die lost by another seat, in own dice."""
        return 0.4 + 0.6 / (len(self.position.living) - 1)

    def gains(self, call: Call) -> bool:
        """Return whether a right call wins its caller a die, or costs another seat one."""
        rule = self.position.rules.exact(call)
        if rule is None or rule.right == "bidder-loses":
            return True
        own = self.position.dice[self.view.seat]
        return rule.right == "caller-gains" and (bool(self.position.banked) or own < self.position.starting_dice)


class ReadChances(Chances):
    """The chances of claims on the standing face, given the bid's evidence about its bidder's hand.
    By Bayes' rule, the more matching dice a bidder holds, the likelier the bidder found the bid likely, and made it. A
    share of all bids counts as bluffs, without evidence.
    """

    def holds(self, bid: Bid) -> float:
        """Return the chance that a bid holds."""
        return self._expected(bid, at_least)

    def is_exact(self, bid: Bid) -> float:
        """Return the chance that a bid is exact."""
        return self._expected(bid, exactly)

    def _expected(self, bid: Bid, chance: Callable[[int, int, int], float]) -> float:
        faces, missing = self.matching_faces(bid.face), bid.quantity - self.known(bid.face)
        believed = self._bidders_dice(bid.face)
        others = self.unseen - (len(believed) - 1)
        return sum(share * chance(missing - held, others, faces) for held, share in enumerate(believed))

    def _bidders_dice(self, face: int) -> list[float]:
        """Return the chances that the bidder hides 0, 1, 2 … dice matching `face`; just [1] if it was not bid."""
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


def likeliest_claim(chances: Chances) -> Action | None:
    """Return the bid or pass most likely to be true, among equal bids the largest, or None without any."""
    bids = {bid: (chances.holds(bid), bid.quantity, bid.face) for bid in chances.bids()}
    best = max(bids, key=lambda bid: bids[bid], default=None)
    if PASS in chances.legal:
        honest = chances.is_honest_pass(chances.view.seat)
        if honest > (bids[best][0] if best is not None else 0.0):
            return PASS
    return best


@cache
def exactly(wanted: int, dice: int, faces: int) -> float:
    """Return the chance that exactly `wanted` of `dice` dice show one of `faces` faces."""
    if not 0 <= wanted <= dice:
        return 0.0
    share = faces / 6
    return comb(dice, wanted) * share**wanted * (1 - share) ** (dice - wanted)


@cache
def at_least(wanted: int, dice: int, faces: int) -> float:
    """Return the chance that at least `wanted` of `dice` dice show one of `faces` faces."""
    return min(1.0, sum(exactly(number, dice, faces) for number in range(max(wanted, 0), dice + 1)))
