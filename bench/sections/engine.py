"""Decisions a second for every rule set at two, four and eight players, in turn with OpenSpiel's liar's dice.

It counts CPU time, to be less sensitive to other load. A decision is: find the seat in turn, list all legal actions,
pick one and play it. Both sides also draw dice, settle rounds and begin matches, and on both a die and a choice cost
the same random draw.
"""

import random
import sysconfig
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median
from typing import Any

from bench.report import Figure, Progress, Section, amount, at_least
from engine import FACES, RULESETS, Match, Rules

Draw = Callable[[], float]
"""Returns a number from 0 up to 1, as `random.Random.random` does."""
Play = Callable[[], int]
"""Plays one match and returns the number of decisions in it."""

TURNS = 5
TURN_S = 0.15
WARM_UP_S = 0.5
BESIDE = "liars_dice(players=2,numdice=5)"
TARGETS = {2: at_least(0.85), 4: at_least(0.75), 8: at_least(0.60)}
"""Ratios to OpenSpiel by players; the aim is 1.0, 0.8 and 0.7."""


def of_ours(rules: Rules, seats: int, draw: Draw) -> int:
    """Play one match through `Match`; return its number of decisions."""
    match, decisions = Match.start(rules, seats), 0
    while True:
        while (seat := match.position.turn) is not None:
            legal = match.legal(seat).listed
            match = match.play(seat, legal[int(draw() * len(legal))])
            decisions += 1
        position = match.position
        if position.winner is not None:
            return decisions
        if position.rolling:
            awaited = position.awaited.items()
            match = match.roll({seat: [FACES[int(draw() * 6)] for _ in range(dice)] for seat, dice in awaited})
        else:
            assert position.owner is not None
            legal = match.legal(position.owner).listed
            match = match.play(position.owner, legal[int(draw() * len(legal))])
            decisions += 1


def of_openspiel(game: Any, draw: Draw) -> int:
    """Play one `pyspiel` game, a single round of liar's dice; return its number of decisions."""
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


def measure(progress: Progress) -> Section:
    """Measure each rate, and its ratio to OpenSpiel's if installed."""
    draw = random.Random(0).random
    beside = _openspiel(draw)
    figures: list[Figure] = []
    for seats in TARGETS:
        for rules in RULESETS.values():
            name = f"{rules.name}, {seats} players"
            progress(name)
            figures += _figures(name, seats, partial(of_ours, rules, seats, draw), beside)
    about = "CPU time. Dealing, settling and new matches are in it. Medians of turns, and the slowest and the fastest."
    if beside is None:
        about += " For the ratio to OpenSpiel: pip install -c constraints.txt -e '.[bench]'"
    if "--enable-optimizations" not in (sysconfig.get_config_var("CONFIG_ARGS") or "--enable-optimizations"):
        about += (
            " This Python was built without its optimizations: it loses a quarter or more, OpenSpiel's C++ nothing."
        )
    return Section("Engine", tuple(figures), about)


def _figures(name: str, seats: int, play: Play, beside: Play | None) -> Iterator[Figure]:
    _rate(play, WARM_UP_S)
    turns = [(_rate(play, TURN_S), _rate(beside, TURN_S) if beside else 0.0) for _ in range(TURNS)]
    rates = [ours for ours, _ in turns]
    yield Figure(name, median(rates), "decisions/s", note=_spread(rates))
    if beside is not None:
        ratios = [ours / theirs for ours, theirs in turns]
        theirs = amount(median(theirs for _, theirs in turns))
        yield Figure("… to OpenSpiel", median(ratios), "", TARGETS[seats], f"{_spread(ratios)}; OpenSpiel {theirs}/s")


def _rate(play: Play, for_s: float) -> float:
    """Return the decisions a CPU second over `for_s`."""
    began_s, decisions = time.process_time(), 0
    while (spent_s := time.process_time() - began_s) < for_s:
        decisions += play()
    return decisions / spent_s


def _spread(values: Sequence[float]) -> str:
    return f"{amount(min(values))} to {amount(max(values))}"


def _openspiel(draw: Draw) -> Play | None:
    try:
        import pyspiel
    except ImportError:
        return None
    return partial(of_openspiel, pyspiel.load_game(BESIDE), draw)
