"""The middle level: it plays by the odds, reads bids, bluffs now and then, and makes honest mistakes. It weighs each
action in own dice: a call by its chance to be right, a bid by its chances of being doubted and of holding then. A call
out of turn must be worth more than leaving the bid to the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING

from engine.actions import DUDO, PASS, Action, Bid, Call
from engine.opponents.chances import Chances, ReadChances, at_least, exactly
from engine.rules import FACES, Visibility

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from engine.match import View

# Worths, in own dice
UNDOUBTED_WORTH = 0.3  # an undoubted pass: the turn goes on
OUT_OF_TURN_WORTH = 0.15  # minimum for a call out of turn
GAINED_WORTH = 0.1  # a die won by an exact call: it is wrong more often than it seems, since players mislead
CANCELLED_WORTH = 0.3  # cancelling a round in which a die might have been lost
NOISE_SD = 0.12  # standard deviation of the mistake in every worth

# Chances
OVERSIGHT_CHANCE = 0.1  # ignoring the evidence in the bidder's bid
DOUBTED_PASS_CHANCE = 0.5  # a pass is doubted
READER_CHANCE = 0.6  # the next player credits the bidder with one more die than the odds give
DOUBT_SPREAD = 0.2  # width of the next player's threshold around even odds: people differ


@dataclass(frozen=True, slots=True)
class Habits:
    """A player's leanings: a chance, a number of dice, and worths in own dice."""

    bluffs: float = 0.12  # chance of bidding as if with more dice of some face
    bluffed_dice: int = 1
    doubts: float = 0.0  # added to a doubt's worth
    undoubted: float = 0.3  # worth of an undoubted bid: the turn goes on


HABITS = Habits()


def choose(view: View, rng: Random) -> Action | None:
    """Return the seat's action: in turn a legal one, out of turn a call or None; None if it can't act."""
    return explain(view, rng)[0]


def explain(view: View, rng: Random, habits: Habits = HABITS) -> tuple[Action | None, str]:
    """Return the action as `choose` does with the same `rng`, and the belief behind it."""
    if not view.legal:
        return None, "it cannot act"
    if view.position.choices:
        return rng.choice(view.position.choices), "any round is as good as another"
    chances = Chances(view) if rng.random() < OVERSIGHT_CHANCE else ReadChances(view)
    bluffed: dict[int, int] = {}
    if chances.in_turn and view.own is not None and rng.random() < habits.bluffs:
        bluffed[rng.choice(FACES)] = min(habits.bluffed_dice, len(view.own))
    worths = _Worths(chances, bluffed, habits)
    weighed = {action: worth + rng.gauss(0, NOISE_SD) for action, worth in worths.of_actions()}
    best = max(weighed, key=lambda action: weighed[action], default=None)
    if not chances.in_turn and (best is None or weighed[best] < OUT_OF_TURN_WORTH):
        return None, "no call is worth it out of turn"
    return best, "" if best is None else worths.reason(best)


class _Worths:
    """One seat's plausible actions with their worths."""

    def __init__(self, chances: Chances, bluffed: dict[int, int], habits: Habits) -> None:
        self.chances, self.habits = chances, habits
        self.view = view = chances.view
        self.position = view.position
        self.bluffed = bluffed
        self.living = len(self.position.living)
        # Each additional seat makes another's loss worth less; in turn a call also ends the danger.
        self.gain = chances.die_of_another if chances.in_turn else 1 / (self.living - 1)

    def of_actions(self) -> Iterator[tuple[Action, float]]:
        """Yield the legal calls, the pass and plausible bids with their worths: in turn always at least one."""
        for call in self.chances.calls:
            yield call, self._call(call) + (self.habits.doubts if call is DUDO else 0)
        if PASS in self.chances.legal:
            yield PASS, self._pass()
        for bid in self.chances.bids():
            yield bid, self._bid(bid)

    def reason(self, action: Action) -> str:
        """Return the belief about an action, as a clause."""
        if isinstance(action, Bid):
            more = self.bluffed.get(action.face, 0)
            bluffs = f", bluffs {'a die' if more == 1 else f'{more} dice'} of {action.face}" if more else ""
            holds, doubted = self.chances.holds(action), self._doubted(action)[0]
            return f"it holds at {holds:.0%}, is doubted at {doubted:.0%}{bluffs}"
        if isinstance(action, Call):
            return f"it is right at {self.chances.is_right(action):.0%}"
        return f"it is honest at {self.chances.is_honest_pass(self.view.seat):.0%}"

    def _bid(self, bid: Bid) -> float:
        doubted, holds = self._doubted(bid)
        held = doubted * holds
        return held * self.gain - (doubted - held) + (1 - doubted) * self.habits.undoubted

    def _doubted(self, bid: Bid) -> tuple[float, float]:
        """Return a bid's chance of being doubted by the next player, and of holding if so.

        Assumes a player who looks at their own dice, trusts the bidder a little, and is unsure about even odds.
        """
        chances, position, faces = self.chances, self.position, self.chances.matching_faces(bid.face)
        quantity = bid.quantity - self.bluffed.get(bid.face, 0)
        if position.kind.visibility is not Visibility.OWN:
            doubted = 1 - at_least(bid.quantity - 1, position.in_play, faces)
            return doubted, chances.holds(Bid(quantity, bid.face))
        dice = position.dice[position.after(self.view.seat)]
        missing, others = quantity - chances.known(bid.face), chances.unseen - dice
        doubted = right = 0.0
        for held in range(dice + 1):
            believes, trusts = (
                _trust(at_least(bid.quantity - held - read, position.in_play - dice, faces)) for read in (0, 1)
            )
            share = exactly(held, dice, faces) * (1 - believes + READER_CHANCE * (believes - trusts))
            doubted += share
            right += share * at_least(missing - held, others, faces)
        return doubted, right / doubted if doubted else 1.0

    def _pass(self) -> float:
        honest = self.chances.is_honest_pass(self.view.seat)
        doubted = honest * self.gain - (1 - honest)
        return DOUBTED_PASS_CHANCE * doubted + (1 - DOUBTED_PASS_CHANCE) * UNDOUBTED_WORTH

    def _call(self, call: Call) -> float:
        right, rule = self.chances.is_right(call), self.position.rules.exact(call)
        if call is DUDO or rule is None:
            return right * self.gain - (1 - right)
        # Giving the bidder a die costs less than losing one, but then a match would hardly ever end.
        return right * self._outcome(rule.right, gains=self.chances.gains(call)) - (1 - right)

    def _outcome(self, outcome: str, *, gains: bool) -> float:
        """Return a right exact call's worth to its caller."""
        match outcome:
            case "caller-gains":
                return gains * GAINED_WORTH
            case "bidder-loses":
                return self.gain
        return CANCELLED_WORTH


def _trust(holds: float) -> float:
    """Return the chance that a player believes a bid with this chance in their eyes."""
    return 1 / (1 + exp((0.5 - holds) / DOUBT_SPREAD))
