"""Decisions a second for every rule set at two, four and eight players, in turn with OpenSpiel's liar's dice.

CPU time is counted, so that what else runs on the machine weighs less. What a decision is stands in `bench.decisions`.
"""

import random
import sysconfig
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median

from bench.decisions import Draw, of_openspiel, of_ours
from bench.report import Figure, Progress, Section, amount, at_least
from engine import RULESETS

SEATS = (2, 4, 8)
TURNS = 5
TURN_S = 0.15
WARM_UP_S = 0.5
BESIDE = "liars_dice(players=2,numdice=5)"
TARGETS = {2: at_least(0.70), 4: at_least(0.60), 8: at_least(0.45)}

Play = Callable[[], int]
"""Plays one match and gives the number of decisions in it."""


def measure(progress: Progress) -> Section:
    """Each rate, and its ratio to OpenSpiel's where that is installed."""
    draw = random.Random(0).random
    beside = _openspiel(draw)
    figures: list[Figure] = []
    for seats in SEATS:
        for rules in RULESETS.values():
            name = f"{rules.name}, {seats} players"
            progress(name)
            figures += _figures(name, seats, partial(of_ours, rules, seats, draw), beside)
    about = "CPU time. Dealing, settling and new matches are in it. Medians of turns, and the slowest and the fastest."
    if beside is None:
        about += " For the ratio to OpenSpiel: pip install -c constraints.txt -e '.[bench]'"
    if not _optimised():
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
    """Decisions a second of CPU in matches for so long."""
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


def _optimised() -> bool:
    built_with = sysconfig.get_config_var("CONFIG_ARGS")
    return built_with is None or "--enable-optimizations" in built_with
