"""An opponent that plays by the odds, from one seat's view alone.

`choose(view, rng)` is all of it. It weighs what each action is worth in dice: a call by the chance that it is right, a
bid by the chance that it holds if somebody doubts it. Now and then it bids on dice it has not got.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import TYPE_CHECKING

from engine.actions import ACES, DUDO, FACES, PASS, Action, Bid, Call
from engine.position import Phase
from engine.rules import DICE, RoundKind
from engine.settlement import honest_pass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from engine.view import View

# Worths are in dice of one's own.
UNDOUBTED = 0.04  # a bid that nobody doubts: the turn is somebody else's
OUT_OF_TURN = 0.3  # what a call must be worth not to leave it to others
CANCELLED = 0.3  # a round in which one might have lost a die
WHIM = 0.05  # the standard deviation of taste

# Chances.
CREDIT = 0.35  # that a bidder holds one die more of the face than the odds give
BLUFF = 0.2  # of bidding as if one held a die or two more of some face
HONEST = 0.5  # that who passes with five dice may
DOUBTED_PASS = 0.35  # that a pass is doubted

LIKING = {RoundKind.BLIND: 6, RoundKind.NORMAL: 1}
"""How gladly a special round is chosen; any other 4."""


def choose(view: View, rng: Random) -> Action | None:
    """What the view's seat does now: in turn a legal action, out of turn a call or None, and None if it can't act."""
    position = view.position
    if position.phase is Phase.CHOOSING and view.seat == position.owner:
        return rng.choices(position.choices, [LIKING.get(kind, 4) for kind in position.choices])[0]
    if position.turn is None or not position.dice[view.seat]:
        return None
    worths = {action: worth + rng.gauss(0, WHIM) for action, worth in _Reckoning(view, rng).worths()}
    best = max(worths, key=lambda action: worths[action], default=None)
    if view.seat == position.turn or (best is not None and worths[best] > OUT_OF_TURN):
        return best
    return None


class _Reckoning:
    """What a seat makes of its view: the dice it knows of, and the worth of each action that comes to mind."""

    def __init__(self, view: View, rng: Random) -> None:
        self.view = view
        self.position = position = view.position
        self.legal = view.legal
        self.wilds = position.rules.wilds_in(position.kind)
        self.unseen = position.in_play - sum(map(len, view.visible))
        self.theirs = 0.4 + 0.6 / (len(position.living) - 1)  # a die less for one of the others
        bluffs = view.own is not None and rng.random() < BLUFF
        self.dreamt = {rng.choice(FACES): rng.choice((1, 2))} if bluffs else {}

    def worths(self) -> Iterator[tuple[Action, float]]:
        """Calls, the pass and likely bids, so far as they are legal: in turn always at least one action."""
        for call in Call:
            if call in self.legal:
                yield call, self._call(call)
        if PASS in self.legal:
            yield PASS, self._pass()
        for bid in self._likely_bids():
            yield bid, self._bid(bid)

    def _likely_bids(self) -> Iterator[Bid]:
        """For each face from the least legal quantity to a little over what is to be expected."""
        bids = self.legal.bids
        for face, quantities in zip(FACES, bids.by_face if bids else (), strict=False):
            expected = self._known(face) + self.unseen * self._fits(face) // 6
            most = min(quantities.stop, max(quantities.start + 1, expected + 3))
            yield from (Bid(quantity, face) for quantity in range(quantities.start, most))

    # What it comes to

    def _bid(self, bid: Bid) -> float:
        missing = bid.quantity - self._known(bid.face) - self.dreamt.get(bid.face, 0)
        holds = at_least(missing, self.unseen, self._fits(bid.face))
        doubted = 1 - at_least(bid.quantity - 1, self.position.in_play, self._fits(bid.face))
        return doubted * (holds * self.theirs - (1 - holds)) + (1 - doubted) * UNDOUBTED

    def _pass(self) -> float:
        if self._honest(self.view.seat) > HONEST:
            return DOUBTED_PASS * self.theirs + (1 - DOUBTED_PASS) * UNDOUBTED
        return -DOUBTED_PASS if self.position.dice[self.view.seat] == DICE else -1.0

    def _call(self, call: Call) -> float:
        passer = self.position.passer
        if call is DUDO and passer is not None:
            honest = self._honest(passer)
            return (1 - honest) * self.theirs - honest
        rule = self.position.rules.exact(call)
        if rule is None:
            holds = self._credited(at_least)
            return (1 - holds) * self.theirs - holds
        right = self._credited(exactly)
        return right * self._outcome(rule.right) + (1 - right) * self._outcome(rule.wrong)

    def _outcome(self, outcome: str) -> float:
        """What the end of an exact call is worth to its caller."""
        position = self.position
        match outcome:
            case "caller-gains":
                return 1.0 if position.banked or position.dice[self.view.seat] < DICE else 0.0
            case "bidder-loses":
                return self.theirs
            case "nobody-loses":
                return CANCELLED
        # Losing a die, or giving one away: by the odds the second is cheap, but then a match would hardly ever end.
        return -1.0

    # What is known and what is likely

    def _known(self, face: int) -> int:
        """Dice in sight that count for `face`."""
        return sum(hand.matching(face, wilds=self.wilds) for hand in self.view.visible)

    def _fits(self, face: int) -> int:
        """How many faces of a die out of sight would count for `face`."""
        return 2 if self.wilds and face != ACES else 1

    def _credited(self, chance: Callable[[int, int, int], float]) -> float:
        """The chance about the standing bid, if its bidder may know better than the odds."""
        position = self.position
        assert position.standing is not None
        assert position.bidder is not None
        quantity, face = position.standing
        missing, fits = quantity - self._known(face), self._fits(face)
        credit = CREDIT if self.view.hands[position.bidder] is None else 0.0
        return (1 - credit) * chance(missing, self.unseen, fits) + credit * chance(missing - 1, self.unseen, fits)

    def _honest(self, seat: int) -> float:
        """The chance that `seat` may pass honestly."""
        position, hand = self.position, self.view.hands[seat]
        if position.dice[seat] < DICE:
            return 0.0
        if hand is None:
            return HONEST
        assert position.rules.passing is not None
        return float(honest_pass(hand, wild_aces=position.rules.passing.wild_aces and self.wilds))


# Exact binomials


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
