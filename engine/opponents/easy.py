"""The easy level: an open and kind opponent for somebody's first matches. It bids its real dice and seldom bluffs. It
counts too little on unseen dice, so it bids low, and doubts true bids. It never calls exact, and out of turn it never
calls at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import DUDO, Action, Bid
from engine.opponents.chances import Chances, likeliest_claim
from engine.rules import FACES

if TYPE_CHECKING:
    from random import Random

    from engine.match import View

COUNTED_SHARE = 0.6
"""Share of the unseen dice it counts on."""
DOUBT_CHANCE = 0.5
"""Chance of being right above which it doubts."""
BLUFF_CHANCE = 0.1
"""Chance of bidding as if it had two more dice with some face."""


def choose(view: View, rng: Random) -> Action | None:
    """Return the seat's action in turn, a legal one; None out of turn or if it can't act."""
    return explain(view, rng)[0]


def explain(view: View, rng: Random) -> tuple[Action | None, str]:
    """Return the action as `choose` does with the same `rng`, and the belief behind it."""
    if view.legal and view.position.choices:
        return rng.choice(view.position.choices), "any round is as good as another"
    chances = _cautious(view)
    if not chances.in_turn:
        return None, "it is not its turn"
    bluffs = view.own is not None and rng.random() < BLUFF_CHANCE
    claim = likeliest_claim(_cautious(view, {rng.choice(FACES): 2}) if bluffs else chances)
    if DUDO in chances.legal:
        fails = chances.is_right(DUDO)
        if fails > DOUBT_CHANCE or claim is None:
            return DUDO, f"it is right at {fails:.0%}"
    if isinstance(claim, Bid):
        return claim, f"it holds at {chances.holds(claim):.0%}{', a bluff' if bluffs else ''}"
    return claim, "it is honest"


def _cautious(view: View, extra: dict[int, int] | None = None) -> Chances:
    chances = Chances(view, extra)
    chances.unseen = round(COUNTED_SHARE * chances.unseen)
    return chances
