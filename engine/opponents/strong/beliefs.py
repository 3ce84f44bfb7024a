"""Beliefs about the dice a seat may not see, from the bids of the round: closed forms, no sampling.

A bid on a face makes that face likelier under every cup that its bidder sees. The dice of one hand stay independent,
so the number that match a face is a binomial, and the number under several cups a convolution of a few. `strong`
asks for these numbers from its own view, and from the view that another player has.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, erfc, exp, sqrt
from typing import TYPE_CHECKING

from engine.actions import Bid
from engine.match import visible_seats
from engine.rules import ACES, FACES

if TYPE_CHECKING:
    from engine.match import View
    from engine.position import Position

BID_EVIDENCE = 1.2  # logarithm of how much likelier a bid on a usual quantity makes its face, a die, with two players
EVIDENCE_POWER = 0.75  # with which it falls as there are more: then a bid says less about the own dice
MAX_EVIDENCE = 1.5  # of all bids of one seat on one face
MIN_BID_WEIGHT, MAX_BID_WEIGHT = 0.3, 1.4  # of bids on few and on many dice
BLUFF_SHARE = 0.2  # of hands whose bids say nothing
MAX_EXACT_DICE = 12  # under the cups; the count of more is taken to be normal

Cups = tuple[tuple[int, float], ...]
"""Number of dice under some cups and the chance of each to match a face, merged where this is equal."""
Tails = tuple[float, ...]
"""Chances that at least 0, 1, … dice match; the last is zero."""

_Tilts = tuple[float, float, float, float, float, float]
_NO_TILT: _Tilts = (0.0,) * 6


class Beliefs:
    """What the bids of a round say about each hand, to everybody; and one seat's view of the rest."""

    def __init__(self, view: View) -> None:
        position = view.position
        self.position: Position = position
        self.wilds = position.rules.wilds_in(position.kind)
        self.hands = view.hands
        self.me = view.seat
        self.seen_by = {seat: frozenset(visible_seats(position, seat)) for seat in position.living}
        self._strength = BID_EVIDENCE * (2 / max(2, len(position.living))) ** EVIDENCE_POWER
        self._base = {face: (2 if self.wilds and face != ACES else 1) / 6 for face in FACES}
        self.evidence: dict[int, _Tilts] = {}
        history = view.history
        if not history and position.standing is not None and position.bidder is not None:
            history = ((position.bidder, position.standing),)  # resumed: only the standing bid is known
        for seat, action in history:
            if isinstance(action, Bid):
                self.evidence[seat] = self.with_bid(seat, action)

    def with_bid(self, seat: int, bid: Bid) -> _Tilts:
        """Return the evidence of a seat's bids after one more."""
        quantity, face = bid
        usual = max(1.0, self.position.in_play * self._base[face])
        weight = self._strength * max(MIN_BID_WEIGHT, min(MAX_BID_WEIGHT, quantity / usual))
        tilts = list(self.evidence.get(seat, _NO_TILT))
        tilts[face - 1] = min(MAX_EVIDENCE, round(tilts[face - 1] * 0.6 + weight, 1))
        return tuple(tilts)  # type: ignore[return-value]

    def known(self, face: int) -> int:
        """Count the dice in view that match a face."""
        return sum(hand.matching(face, wilds=self.wilds) for hand in self.hands if hand is not None)

    def base(self, face: int) -> float:
        """Return the chance that a die matches a face before any bid."""
        return self._base[face]

    def chance(self, seat: int, face: int, extra: tuple[int, _Tilts] | None = None) -> float:
        """Return the chance that a die of `seat` matches a face, as all bidders who see it say.

        `extra` replaces the evidence of one bidder.
        """
        evidence = self.evidence
        if extra is None and not evidence:
            return self._base[face]
        tilts = [tilt for bidder, tilt in evidence.items() if seat in self.seen_by.get(bidder, ())]
        if extra is not None and seat in self.seen_by[extra[0]]:
            tilts = [
                tilt for bidder, tilt in evidence.items() if bidder != extra[0] and seat in self.seen_by.get(bidder, ())
            ]
            tilts.append(extra[1])
        if not tilts:
            return self._base[face]
        if len(tilts) == 1:
            return _tilted(tilts[0])[1 if self.wilds else 0][face - 1]
        total = tuple(min(MAX_EVIDENCE, sum(each)) for each in zip(*tilts, strict=True))
        return _tilted(total)[1 if self.wilds else 0][face - 1]

    def tails(self, seats: frozenset[int], face: int, extra: tuple[int, _Tilts] | None = None) -> Tails:
        """Return the chances of at least 0, 1, … matching dice under the cups of `seats`."""
        dice, base = self.position.dice, self._base[face]
        merged: dict[float, int] = {}
        for seat in seats:
            chance = self.chance(seat, face, extra)
            merged[chance] = merged.get(chance, 0) + dice[seat]
        return cup_tails(tuple(sorted((count, chance) for chance, count in merged.items())), base)


@lru_cache(maxsize=4096)
def _tilted(tilts: _Tilts) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return for each face the chance of a die to match it, without and with wild aces."""
    weights = [exp(tilt) for tilt in tilts]
    total = sum(weights)
    plain = tuple([round(weight / total, 2) for weight in weights])
    # A bid on a face was made with aces as well as with that face.
    ace = max(weights[0], max(weights[1:]))
    total = ace + sum(weights[1:])
    wild = tuple([round((ace + (weight if face else 0)) / total, 2) for face, weight in enumerate(weights)])
    return plain, wild


@lru_cache(maxsize=32768)
def cup_tails(cups: Cups, base: float) -> Tails:
    """Return the chances of at least 0, 1, … matching dice under some cups."""
    dice = sum(count for count, _ in cups)
    if dice > MAX_EXACT_DICE and len(cups) > 1:
        return _normal_tails(cups, base, dice)
    chances = [1.0]
    for count, chance in cups:
        chances = _sum_of(chances, _mixed(count, chance, base))
    tails = [0.0]
    for chance in reversed(chances):
        tails.append(tails[-1] + chance)
    tails.reverse()
    return tuple(tails)


def _sum_of(first: list[float], second: tuple[float, ...]) -> list[float]:
    both = [0.0] * (len(first) + len(second) - 1)
    for place, chance in enumerate(first):
        for more, other in enumerate(second, place):
            both[more] += chance * other
    return both


@lru_cache(maxsize=4096)
def _mixed(dice: int, chance: float, base: float) -> tuple[float, ...]:
    share = BLUFF_SHARE if chance != base else 0.0
    return tuple(
        [
            (1 - share) * comb(dice, number) * chance**number * (1 - chance) ** (dice - number)
            + share * comb(dice, number) * base**number * (1 - base) ** (dice - number)
            for number in range(dice + 1)
        ]
    )


def _normal_tails(cups: Cups, base: float, dice: int) -> Tails:
    mean = variance = 0.0
    for count, chance in cups:
        share = BLUFF_SHARE if chance != base else 0.0
        likely = chance + share * (base - chance)
        mean += count * likely
        variance += count * likely * (1 - likely)
    spread = sqrt(2 * variance)
    return (1.0, *[0.5 * erfc((number - 0.5 - mean) / spread) for number in range(1, dice + 1)], 0.0)


def at_least(tails: Tails, number: int) -> float:
    """Return the chance of at least `number` matching dice."""
    return 1.0 if number <= 0 else tails[number] if number < len(tails) else 0.0


def exactly(tails: Tails, number: int) -> float:
    """Return the chance of exactly `number` matching dice."""
    return at_least(tails, number) - at_least(tails, number + 1) if number >= 0 else 0.0
