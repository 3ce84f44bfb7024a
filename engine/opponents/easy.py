"""The easy level: an open and kind opponent for somebody's first matches.
It loses by raising badly: it makes any bid that might hold, even on faces that it does not have. It doubts only bids
that hardly hold, and lets some of these pass unless its own dice rule them out. It never calls exact, and out of turn
it never calls at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import DUDO, Action, Bid
from engine.opponents.chances import Chances, likeliest_claim

if TYPE_CHECKING:
    from random import Random

    from engine.match import View

DOUBT_CHANCE = 0.85
"""Chance of being right above which it doubts."""
FORGIVEN = 0.6
"""Share of these bids that it lets pass if it has a raise."""
MIGHT_HOLD = 0.08
"""Chance of holding from which it takes a bid."""
TRUE_RATE = 0.15
"""Share of its bids that are the likeliest one."""


def choose(view: View, rng: Random) -> Action | None:
    """Return the seat's action in turn, a legal one; None out of turn or if it can't act."""
    return explain(view, rng)[0]


def explain(view: View, rng: Random) -> tuple[Action | None, str]:
    """Return the action as `choose` does with the same `rng`, and the belief behind it."""
    if view.legal and view.position.choices:
        return rng.choice(view.position.choices), "any round is as good as another"
    chances = Chances(view)
    if not chances.in_turn:
        return None, "it is not its turn"
    bold = [bid for bid in chances.bids() if chances.holds(bid) >= MIGHT_HOLD]
    fails = chances.is_right(DUDO) if DUDO in chances.legal else 0.0
    if fails == 1 or (fails > DOUBT_CHANCE and not (bold and rng.random() < FORGIVEN)):
        return DUDO, f"it is right at {fails:.0%}"
    claim = rng.choice(bold) if bold and rng.random() >= TRUE_RATE else likeliest_claim(chances)
    if claim is None or (isinstance(claim, Bid) and claim not in bold and fails > chances.holds(claim)):
        return DUDO, f"it is right at {fails:.0%}"
    return claim, f"it holds at {chances.holds(claim):.0%}" if isinstance(claim, Bid) else "it is honest"
