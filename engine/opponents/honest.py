"""A yardstick: the honest threshold player doubts bids with less than an even chance and never bluffs.
In turn it makes the bid or pass likeliest to be true, and among equally likely bids the largest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import PASS, Action
from engine.opponents.chances import Chances

if TYPE_CHECKING:
    from random import Random

    from engine.match import View

THRESHOLD = 0.5
"""Chance of being right above which it calls."""


def choose(view: View, rng: Random) -> Action | None:
    """Return the seat's action: in turn a legal one, out of turn a call or None; None if it can't act."""
    if view.legal and view.position.choices:
        return rng.choice(view.position.choices)
    return decide(Chances(view))


def decide(chances: Chances) -> Action | None:
    """Return the likeliest call above the threshold, else in turn the likeliest claim."""
    calls = {call: chances.is_right(call) for call in chances.calls if chances.gains(call)}
    call = max(calls, key=lambda call: calls[call], default=None)
    if call is not None and calls[call] > THRESHOLD:
        return call
    if not chances.in_turn:
        return None
    return likeliest_claim(chances) or call


def likeliest_claim(chances: Chances) -> Action | None:
    """Return the bid or pass that is likeliest to be true, or None if the seat may do neither."""
    bids = {bid: (chances.holds(bid), bid.quantity, bid.face) for bid in chances.bids()}
    best = max(bids, key=lambda bid: bids[bid], default=None)
    if PASS in chances.legal:
        honest = chances.is_honest_pass(chances.view.seat)
        if honest > (bids[best][0] if best is not None else 0.0):
            return PASS
    return best
