"""A match at random on either side, as a program in Python plays one: what `bench.engine_speed` counts decisions of.

A decision is to ask who is in turn, to form the whole list of what is legal, to pick from it and to play that. Dice are
drawn, rounds settled and matches begun on both sides too, and a die and a choice cost the same draw.
"""

from collections.abc import Callable
from typing import Any

from engine import FACES, Match, Position, Rules

Draw = Callable[[], float]
"""A number from 0 up to 1, as `random.Random.random` gives."""


def of_ours(rules: Rules, seats: int, draw: Draw) -> int:
    """Play one match through `Match`; how many decisions it took."""
    match, decisions = Match.start(rules, seats), 0
    while True:
        while (seat := match.position.turn) is not None:
            legal = list(match.legal(seat))
            match = match.play(seat, legal[int(draw() * len(legal))])
            decisions += 1
        position = match.position
        if position.winner is not None:
            return decisions
        if position.rolling:
            match = match.roll(_dice(position, draw))
        else:
            assert position.owner is not None
            legal = list(match.legal(position.owner))
            match = match.play(position.owner, legal[int(draw() * len(legal))])
            decisions += 1


def _dice(position: Position, draw: Draw) -> dict[int, list[int]]:
    return {seat: [FACES[int(draw() * 6)] for _ in range(position.dice_to_roll(seat))] for seat in position.rolling}


def of_openspiel(game: Any, draw: Draw) -> int:
    """Play one of its games, a single round of liar's dice, through `pyspiel`; how many decisions it took."""
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[int(draw() * len(outcomes))][0])
        else:
            state.current_player()
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
            decisions += 1
    return decisions
