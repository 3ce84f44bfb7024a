"""An opponent playing by the odds, from one seat's view alone.
`choose(view, rng)` weighs each action in dice: a call by its chance to be right, a bid by its chance to hold if
doubted. Now and then it bids on dice it does not hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import DUDO, PASS, Action, Bid, Call
from engine.opponents.chances import at_least, exactly
from engine.position import Phase, Player
from engine.rules import ACES, DICE, FACES, RoundKind
from engine.settlement import honest_pass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from engine.match import View

# Worths, in own dice
UNDOUBTED_WORTH = 0.04  # an undoubted bid: the turn passes on
OUT_OF_TURN_WORTH = 0.3  # minimum for a call out of turn
CANCELLED_WORTH = 0.3  # cancelling a round in which a die might have been lost
NOISE_SD = 0.05  # standard deviation of the noise added to every worth

# Chances
TRUST_IN_BIDDER = 0.35  # the bidder holds one more die of the face than the odds give
BLUFF_CHANCE = 0.2  # bidding as if with one or two more dice of some face
HONEST_PASS_CHANCE = 0.5  # a pass with five dice is honest
DOUBTED_PASS_CHANCE = 0.35  # a pass is doubted

PREFERENCE = {RoundKind.BLIND: 6, RoundKind.NORMAL: 1}
"""Weight of each special round in the owner's choice; any other has 4."""


def choose(view: View, rng: Random) -> Action | None:
    """Return the seat's action: in turn a legal one, out of turn a call or None; None if it can't act."""
    return explain(view, rng)[0]


def explain(view: View, rng: Random) -> tuple[Action | None, str]:
    """Return the action as `choose` does with the same `rng`, and the belief behind it."""
    position = view.position
    if position.phase is Phase.CHOOSING and view.seat == position.owner:
        chosen = rng.choices(position.choices, [PREFERENCE.get(kind, 4) for kind in position.choices])[0]
        return chosen, "it likes this round"
    if position.turn is None or not position.dice[view.seat]:
        return None, "it cannot act"
    worths = {action: worth + rng.gauss(0, NOISE_SD) for action, worth in _Evaluator(view, rng).worths()}
    best = max(worths, key=lambda action: worths[action], default=None)
    if view.seat != position.turn and (best is None or worths[best] <= OUT_OF_TURN_WORTH):
        return None, "no call is worth it out of turn"
    return best, "" if best is None else f"it is worth {worths[best]:+.2f} dice"


class _Evaluator:
    """The dice known to one seat, and each plausible action's worth."""

    def __init__(self, view: View, rng: Random) -> None:
        self.view = view
        self.position = position = view.position
        self.legal = view.legal
        self.wilds = position.rules.wilds_in(position.kind)
        self.unseen = position.in_play - sum(map(len, view.visible))
        self.opponent_die_value = 0.4 + 0.6 / (len(position.living) - 1)  # a die lost by another seat
        bluffs = view.own is not None and rng.random() < BLUFF_CHANCE
        self.bluffed_dice = {rng.choice(FACES): rng.choice((1, 2))} if bluffs else {}

    def worths(self) -> Iterator[tuple[Action, float]]:
        """Yield the legal calls, the pass and plausible bids with their worths: in turn always at least one."""
        for call in Call:
            if call in self.legal:
                yield call, self._call(call)
        if PASS in self.legal:
            yield PASS, self._pass()
        for bid in self._plausible_bids():
            yield bid, self._bid(bid)

    def _plausible_bids(self) -> Iterator[Bid]:
        """Yield for each face the bids from the lowest legal quantity to two over the expected number."""
        bids = self.legal.bids
        for face, quantities in zip(FACES, bids.by_face if bids else (), strict=False):
            expected = self._known(face) + self.unseen * self._matching_faces(face) // 6
            most = min(quantities.stop, max(quantities.start + 1, expected + 3))
            yield from (Bid(quantity, face) for quantity in range(quantities.start, most))

    # The worth of an action

    def _bid(self, bid: Bid) -> float:
        missing = bid.quantity - self._known(bid.face) - self.bluffed_dice.get(bid.face, 0)
        is_possible = bid.quantity <= self.position.in_play  # with the dice that it only claims to have, too
        holds = at_least(missing, self.unseen, self._matching_faces(bid.face)) if is_possible else 0.0
        doubted = 1 - at_least(bid.quantity - 1, self.position.in_play, self._matching_faces(bid.face))
        return doubted * (holds * self.opponent_die_value - (1 - holds)) + (1 - doubted) * UNDOUBTED_WORTH

    def _pass(self) -> float:
        if self._chance_of_honest_pass(self.view.seat) > HONEST_PASS_CHANCE:
            return DOUBTED_PASS_CHANCE * self.opponent_die_value + (1 - DOUBTED_PASS_CHANCE) * UNDOUBTED_WORTH
        return -DOUBTED_PASS_CHANCE if self.position.dice[self.view.seat] == DICE else -1.0

    def _call(self, call: Call) -> float:
        passer = self.position.passer
        if call is DUDO and passer is not None:
            honest = self._chance_of_honest_pass(passer)
            return (1 - honest) * self.opponent_die_value - honest
        rule = self.position.rules.exact(call)
        if rule is None:
            holds = self._chance_of_bid(at_least)
            return (1 - holds) * self.opponent_die_value - holds
        right = self._chance_of_bid(exactly)
        return right * self._outcome(rule.right) + (1 - right) * self._outcome(rule.wrong)

    def _outcome(self, outcome: str) -> float:
        """Return an exact call's worth to its caller for one outcome."""
        position = self.position
        match outcome:
            case "caller-gains":
                return 1.0 if position.banked or position.dice[self.view.seat] < position.rules.starting_dice else 0.0
            case "bidder-loses":
                return self.opponent_die_value
            case "nobody-loses":
                return CANCELLED_WORTH
        # By the odds, giving a die away costs less than losing one, but then a match would hardly ever end.
        return -1.0

    # Known and likely dice

    def _known(self, face: int) -> int:
        """Count the visible dice matching `face`."""
        return sum(hand.matching(face, wilds=self.wilds) for hand in self.view.visible)

    def _matching_faces(self, face: int) -> int:
        """Return how many faces on an unseen die match `face`."""
        return 2 if self.wilds and face != ACES else 1

    def _chance_of_bid(self, chance: Callable[[int, int, int], float]) -> float:
        """Return the standing bid's chance, trusting its bidder to know more than the odds."""
        position = self.position
        assert position.standing is not None
        assert position.bidder is not None
        quantity, face = position.standing
        missing, faces = quantity - self._known(face), self._matching_faces(face)
        trust = TRUST_IN_BIDDER if self.view.hands[position.bidder] is None else 0.0
        return (1 - trust) * chance(missing, self.unseen, faces) + trust * chance(missing - 1, self.unseen, faces)

    def _chance_of_honest_pass(self, seat: Player) -> float:
        """Return the chance that `seat` can pass honestly."""
        position, hand = self.position, self.view.hands[seat]
        if position.dice[seat] < DICE:
            return 0.0
        if hand is None:
            return HONEST_PASS_CHANCE
        assert position.rules.passing is not None
        return float(honest_pass(hand, wild_aces=position.rules.passing.wild_aces and self.wilds))
