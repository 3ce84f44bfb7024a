"""Reads the bids of players who see only their own dice, by Bayes' rule over all hands. The model player mostly makes
bids likely from the own dice, and mostly raises apparently safe bids. A share of all bids is assumed to be meaningless.
`beliefs` asks for every hand's chance after each bid.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, exp, factorial, prod
from operator import mul, truediv
from typing import TYPE_CHECKING, NamedTuple

from engine.actions import Bid
from engine.rules import ACES, DICE, FACES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Shares = Sequence[float]
    """A number for each hand with a given dice count."""

SHARPNESS = (4.0, 16.0)  # preference for likely bids: log-odds of a sure against an impossible one
LOWEST = len(SHARPNESS)  # place of the third player, who takes the lowest bid that probably holds
TYPES = LOWEST + 1
PROBABLE, PROBABLE_SPREAD = 0.5, 0.08  # chance from which that player takes a bid
NOISE = 0.07  # share of bids that any hand may make
QUANTITIES = 5  # quantities considered on each face, from the lowest legal one up
TRUST = 0.30  # chance at which a player doubts half the time, without evidence from the others' bids
TRUST_SPREAD = 0.12
UNDOUBTED = 0.15  # share of raises that any hand may make

Counts = tuple[float, ...]
"""The chances that 0, 1, 2, … dice match a face."""


@lru_cache(maxsize=DICE + 1)
def _hands(dice: int) -> list[tuple[int, ...]]:
    return [*combinations_with_replacement(FACES, dice)]


@lru_cache(maxsize=DICE + 1)
def unread(dice: int) -> Shares:
    """Return each hand's chance before any bid."""
    ways = [factorial(dice) / prod(factorial(hand.count(face)) for face in FACES) for hand in _hands(dice)]
    return array("d", [way / 6**dice for way in ways])


@lru_cache(maxsize=2 * (DICE + 1))
def _matching(dice: int, wilds: bool) -> tuple[bytes, ...]:
    """Return for each face the number of matching dice in each hand."""
    return tuple(
        bytes(hand.count(face) + (hand.count(ACES) if wilds and face != ACES else 0) for hand in _hands(dice))
        for face in FACES
    )


@lru_cache(maxsize=2 * (DICE + 1))
def _by_count(dice: int, wilds: bool) -> tuple[tuple[bytes, ...], ...]:
    """Return for each face the indices of hands with 0, 1, 2, … matching dice."""
    return tuple(
        tuple(bytes(place for place, own in enumerate(matching) if own == number) for number in range(dice + 1))
        for matching in _matching(dice, wilds)
    )


def counts(shares: Shares, dice: int, face: int, wilds: bool) -> list[float]:
    """Return the total shares of hands with 0, 1, 2, … dice matching a face."""
    share_at = shares.__getitem__
    return [sum(map(share_at, places)) for places in _by_count(dice, wilds)[face - 1]]


def in_all(found: Sequence[float]) -> Counts:
    """Normalise the shares to sum to 1."""
    total = sum(found)
    return tuple([share / total for share in found])


@lru_cache(maxsize=4096)
def _holds(quantity: int, dice: int, others: int, base: float) -> tuple[float, ...]:
    """Return a bid's chance for a bidder with 0, 1, … matching dice among `dice`."""
    at_least, tail = [0.0] * (others + 2), 0.0
    for number in range(others, -1, -1):
        tail += comb(others, number) * base**number * (1 - base) ** (others - number)
        at_least[number] = tail
    return tuple([at_least[min(max(0, quantity - own), others + 1)] for own in range(dice + 1)])


class Choice(NamedTuple):
    """A player's choice of a bid: the legal bids, the own dice and the number of others."""

    ranges: tuple[range, ...]
    dice: int
    others: int
    wilds: bool

    def read(self, shares: list[Shares], bid: Bid) -> list[Shares]:
        """Return the shares of the hands, by type of player, after this player's bid."""
        likelihoods = [*(_likelihood(self, bid, sharpness) for sharpness in SHARPNESS), _likelihood_lowest(self, bid)]
        return [*map(times, shares, likelihoods)]

    def counts_by_bid(self, shares: list[Shares], face: int) -> Callable[[int], Counts]:
        """Return a function to read a bid on a face for a given quantity, as `read`, and count matching dice."""
        sums = []
        for each, sharpness in zip(shares[:LOWEST], SHARPNESS, strict=True):
            total, number = _preferences(self, sharpness)
            any_hand = [NOISE / max(1, number) * share for share in counts(each, self.dice, face, self.wilds)]
            chosen = counts(array("d", map(truediv, each, total)), self.dice, face, self.wilds)
            sums.append((sharpness, any_hand, chosen))
        base = _base(face, self.wilds)

        def after(quantity: int) -> Counts:
            lowest = times(shares[LOWEST], _likelihood_lowest(self, Bid(quantity, face)))
            found = counts(lowest, self.dice, face, self.wilds)
            holds = _holds(quantity, self.dice, self.others, base)
            for sharpness, any_hand, chosen in sums:
                for own, held in enumerate(holds):
                    found[own] += any_hand[own] + (1 - NOISE) * exp(sharpness * held) * chosen[own]
            return in_all(found)

        return after


@lru_cache(maxsize=1024)
def _preferences(choice: Choice, sharpness: float) -> tuple[Shares, int]:
    """Return each hand's total preference over all considered bids, and the number of these bids."""
    ranges, dice, others, wilds = choice
    matching, number = _matching(dice, wilds), 0
    sums = []
    for face, quantities in zip(FACES, ranges, strict=True):
        considered = quantities[:QUANTITIES]
        if not considered:
            continue
        number += len(considered)
        by_count = [0.0] * (dice + 1)
        for quantity in considered:
            for own, holds in enumerate(_holds(quantity, dice, others, _base(face, wilds))):
                by_count[own] += exp(sharpness * holds)
        sums.append([by_count[own] for own in matching[face - 1]])
    return array("d", map(sum, zip(*sums, strict=True)) if sums else [1.0] * len(_hands(dice))), number


@lru_cache(maxsize=1024)
def _likelihood(choice: Choice, bid: Bid, sharpness: float) -> Shares:
    """Return how likely each hand makes a bid."""
    total, number = _preferences(choice, sharpness)
    quantity, face = bid
    prefers = [
        (1 - NOISE) * exp(sharpness * holds)
        for holds in _holds(quantity, choice.dice, choice.others, _base(face, choice.wilds))
    ]
    any_hand, matching = NOISE / max(1, number), _matching(choice.dice, choice.wilds)[face - 1]
    return array("d", [any_hand + prefers[own] / whole for own, whole in zip(matching, total, strict=True)])


@lru_cache(maxsize=1024)
def _likelihood_lowest(choice: Choice, bid: Bid) -> Shares:
    """Return how likely each hand makes a bid if it is the lowest one that probably holds."""
    ranges, dice, others, wilds = choice
    matching, number = _matching(dice, wilds), 0
    by_count = _taken(bid.quantity, dice, others, _base(bid.face, wilds))
    chances = array("d", [by_count[own] for own in matching[bid.face - 1]])
    for face, quantities in zip(FACES, ranges, strict=True):
        number += len(quantities[:QUANTITIES])
        left = [1.0] * (dice + 1)
        end = min(quantities.stop, bid.quantity + (face < bid.face), dice + others + 1)
        lower = range(quantities.start, end)
        for quantity in lower:
            takes = _taken(quantity, dice, others, _base(face, wilds))
            left = [chance * (1 - take) for chance, take in zip(left, takes, strict=True)]
        if lower:
            chances = array("d", map(mul, chances, [left[own] for own in matching[face - 1]]))
    any_hand = NOISE / max(1, number)
    return array("d", [any_hand + (1 - NOISE) * chance for chance in chances])


@lru_cache(maxsize=4096)
def _taken(quantity: int, dice: int, others: int, base: float) -> tuple[float, ...]:
    """Return the chance that the third player takes a bid, with 0, 1, … matching dice among `dice`."""
    held = _holds(quantity, dice, others, base)
    return tuple([sigmoid((holds - PROBABLE) / PROBABLE_SPREAD) for holds in held])


@lru_cache(maxsize=1024)
def likelihood_of_raising(quantity: int, face: int, dice: int, others: int, wilds: bool) -> Shares:
    """Return the chance of not doubting a bid, for each hand of `dice` dice."""
    by_count = [
        UNDOUBTED + (1 - UNDOUBTED) * sigmoid((holds - TRUST) / TRUST_SPREAD)
        for holds in _holds(quantity, dice, others, _base(face, wilds))
    ]
    return array("d", [by_count[own] for own in _matching(dice, wilds)[face - 1]])


def sigmoid(excess: float) -> float:
    """Return a chance that rises from 0 to 1 around an excess of 0."""
    return 1 / (1 + exp(min(50.0, -excess)))


def times(one: Shares, other: Shares) -> Shares:
    """Return the elementwise products."""
    return array("d", map(mul, one, other))


def _base(face: int, wilds: bool) -> float:
    return (2 if wilds and face != ACES else 1) / 6
