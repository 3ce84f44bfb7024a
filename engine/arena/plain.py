"""How plain players act in a round between two, for `engine.arena.end_games`: the shares of their actions.

The yardsticks and the lower levels mind the own dice and the standing bid alone, so a few views tell all of their play.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np

from engine import Phase, Player, Position, View, rounds
from engine.arena.two_players import PLAYERS, began
from engine.opponents import find

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Bid, Hand
    from engine.arena.solver import Array, Solver

POOL = ("honest", "bluffer", "bayes", "threshold", "expected", "one_more", "least_safe", "truthful", "middle", "easy")
DRAWS = 4
"""Decisions of an opponent that draws, by situation and hand; where hands are in groups, one."""


def plain_shares(solver: Solver, names: Sequence[str] = POOL) -> Array:
    """Return the mean share of each action over these opponents, by state, action and own hand."""
    found = np.zeros_like(solver.strategy)
    known: dict[tuple[Bid | None, int], Array] = {}
    for state, (bids, player) in enumerate(solver.states):
        standing = bids[-1] if bids else None
        if (standing, player) not in known:
            known[standing, player] = _shares(solver, state, standing, Player(player), names)
        solver.shares(found, state)[:] = known[standing, player]
    return found


def _shares(solver: Solver, state: int, standing: Bid | None, player: Player, names: Sequence[str]) -> Array:
    opened = rounds.opened(Position(began(solver.rules, solver.kind, solver.dice, PLAYERS[0]), Phase.ROLLING))
    other = PLAYERS[1 - player]
    position = opened if standing is None else Position(opened.round, Phase.BIDDING, player, standing, other)
    history = ((other, standing),) if standing else ()
    places = {action: place for place, action in enumerate(solver.actions[state])}
    found = np.zeros((len(places), len(solver.hands[player])), np.float32)
    draws = 1 if solver.by_group else DRAWS
    for hand, dice in enumerate(solver.hands[player]):
        view = View(position, player, _seen(solver, player, dice), history)
        for name in names:
            choose, rng = find(name).choose, Random(f"{name}/{standing}/{dice}")
            for draw in range(draws):
                before = rng.getstate()
                action = choose(view, rng)
                is_sure = draw == 0 and rng.getstate() == before
                if action in places:  # a pass is in no table
                    found[places[action], hand] += 1 if is_sure else 1 / draws
                if is_sure:
                    break
    found /= np.maximum(found.sum(axis=0, keepdims=True), 1e-9)
    return found


def _seen(solver: Solver, player: Player, dice: Hand) -> tuple[Hand | None, ...]:
    hands: list[Hand | None] = [None, None]
    seat = solver.sees[player]
    if seat is not None:
        hands[seat] = dice
    return tuple(hands)
