"""A yardstick: the honest threshold player with a fixed rate of bluffs.
A bluff adds two imaginary dice with a random face to its hand when it bids. Its doubts still go by the real dice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.opponents.chances import Chances
from engine.opponents.honest import decide, likeliest_claim
from engine.rules import FACES

if TYPE_CHECKING:
    from random import Random

    from engine.actions import Action
    from engine.match import View

BLUFF_RATE = 0.25
BLUFFED_DICE = 2


def choose(view: View, rng: Random) -> Action | None:
    """Return the seat's action: in turn a legal one, out of turn a call or None; None if it can't act."""
    if view.legal and view.position.choices:
        return rng.choice(view.position.choices)
    action = decide(Chances(view))
    if isinstance(action, tuple) and rng.random() < BLUFF_RATE:
        return likeliest_claim(Chances(view, {rng.choice(FACES): BLUFFED_DICE}))
    return action
