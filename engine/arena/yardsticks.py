"""Three yardsticks for other opponents: honest, bluffer and bayes.
Each is a `choose`: it returns the seat's action, in turn a legal one, out of turn a call or None; None if it can't act.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.opponents.chances import Chances, ReadChances, likeliest_claim
from engine.rules import FACES

if TYPE_CHECKING:
    from random import Random

    from engine.actions import Action
    from engine.match import View

THRESHOLD = 0.5
"""Chance of being right above which a yardstick calls."""
BLUFF_RATE = 0.25
BLUFFED_DICE = 2


def honest(view: View, rng: Random) -> Action | None:
    """Doubt bids with less than an even chance, and never bluff."""
    return _any_round(view, rng) or _decide(Chances(view))


def bluffer(view: View, rng: Random) -> Action | None:
    """Play like `honest`, but make some bids as if with two more dice of a random face."""
    if chosen := _any_round(view, rng):
        return chosen
    action = _decide(Chances(view))
    if isinstance(action, tuple) and rng.random() < BLUFF_RATE:
        return likeliest_claim(Chances(view, {rng.choice(FACES): BLUFFED_DICE}))
    return action


def bayes(view: View, rng: Random) -> Action | None:
    """Play like `honest`, but read the standing bid as evidence about its bidder's hand."""
    return _any_round(view, rng) or _decide(ReadChances(view))


def _any_round(view: View, rng: Random) -> Action | None:
    return rng.choice(view.position.choices) if view.legal and view.position.choices else None


def _decide(chances: Chances) -> Action | None:
    """Return the likeliest call above the threshold, else in turn the likeliest claim."""
    calls = {call: chances.is_right(call) for call in chances.calls if chances.gains(call)}
    call = max(calls, key=lambda call: calls[call], default=None)
    if call is not None and calls[call] > THRESHOLD:
        return call
    if not chances.in_turn:
        return None
    return likeliest_claim(chances) or call
