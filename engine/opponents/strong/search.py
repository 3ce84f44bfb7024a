"""Simulated rounds: what an action leads to if all go on as `strong` would, with dice drawn from the beliefs.

`strong.choose` calls `simulated` where it was given a budget. The budget is a number of rounds, not of milliseconds:
the engine reads no clock, and the same seed makes the same choice on every computer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Action, Call
from engine.hands import Hand
from engine.match import Match
from engine.rules import FACES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from engine.match import View
    from engine.opponents.strong.beliefs import Beliefs
    from engine.opponents.strong.evaluation import Evaluator

    Policy = Callable[[View, Random], Action | None]

CANDIDATES = 4  # of the actions that look best
MAX_BEHIND = 0.3  # own dice by which a candidate may be worse than the best
PRIOR_ROUNDS = 25  # simulated rounds that the worth before them counts for
MAX_ACTIONS = 60  # of a simulated round


def simulated(
    view: View,
    worths: Mapping[Action, float],
    rounds: int,
    evaluator: Evaluator,
    policy: Policy,
    rng: Random,
) -> dict[Action, float]:
    """Return the worths of the best candidates after so many simulated rounds, shared between them."""
    ranking = sorted(worths, key=worths.__getitem__, reverse=True)[:CANDIDATES]
    candidates = [action for action in ranking if worths[action] > worths[ranking[0]] - MAX_BEHIND]
    if len(candidates) < 2:
        return {action: worths[action] for action in candidates}
    sums = {action: PRIOR_ROUNDS * worths[action] for action in candidates}
    each = max(1, rounds // len(candidates))
    for _ in range(each):
        match = Match(view.position, _drawn(view, evaluator.beliefs, rng), view.history)
        for action in candidates:
            sums[action] += evaluator.worth_of(_played_out(match, view.seat, action, policy, rng))
    return {action: total / (PRIOR_ROUNDS + each) for action, total in sums.items()}


def _drawn(view: View, beliefs: Beliefs, rng: Random) -> tuple[Hand, ...]:
    """Draw the hands that are hidden from a view."""
    return tuple(
        [
            hand
            if hand is not None
            else Hand(rng.choices(FACES, beliefs.face_weights(seat, rng), k=dice))
            if dice
            else Hand()
            for seat, (hand, dice) in enumerate(zip(view.hands, view.position.dice, strict=True))
        ]
    )


def _played_out(match: Match, seat: int, action: Action, policy: Policy, rng: Random) -> Sequence[int]:
    """Return the change in dice by seat at the end of the round; none if it takes too long."""
    for _ in range(MAX_ACTIONS):
        match = match.play(seat, action)
        if isinstance(action, Call):
            shown = match.position.showdown
            assert shown is not None
            return shown.change
        assert match.position.turn is not None
        seat = match.position.turn
        chosen = policy(match.view(seat), rng)
        assert chosen is not None
        action = chosen
    return (0,) * match.position.seats
