"""The solver of end games comes to the published value, and the kept table is what it says it is."""

from dataclasses import replace
from typing import Any

import pytest

from engine import FACES, OBLIGING, PERUDO, PYRUDO, Bid, RoundKind, Rules
from engine.opponents.strong.end_games import bid_letter, choices_in, table

np = pytest.importorskip("numpy")
from engine.arena.end_games import EndGame, Solver, game_of, matched  # noqa: E402  # needs numpy

TOLERANCE_DICE = 1e-3
SNYD = -7 / 327
"""Value published for one die each by the `snyd` solver of Thomas Dybdahl Ahle, <https://github.com/thomasahle/snyd>."""


def game_of_snyd() -> EndGame:
    """The game of that solver: raised by more dice of any face, or as many of a higher one; there is no exact call."""
    bids = [Bid(quantity, face) for quantity in (1, 2) for face in FACES]
    rules = replace(PERUDO, name="snyd", calza=None)
    return EndGame(
        rules,
        RoundKind.NORMAL,
        (1, 1),
        lambda standing, _: bids[bids.index(standing) + 1 :] if standing else bids,
        True,
    )


def strategies_from(solver: Solver, by_history: dict[str, list[str]]) -> list[Any]:
    """The strategies that a table keeps, an even choice where it keeps none."""
    strategies = []
    for group in solver.groups:
        strategy = np.zeros_like(group.regrets)
        for place, node in enumerate(group.nodes):
            fields = by_history.get("".join(map(bid_letter, solver.histories[node])), [])
            for hand, text in enumerate(fields):
                for letter, parts in choices_in(text):
                    strategy[place, hand, group.letters.index(letter)] = parts
        strategies.append(matched(strategy))
    return strategies


@pytest.mark.slow
def test_the_published_value_of_one_die_each_is_reproduced() -> None:
    solver = Solver(game_of_snyd())
    solver.run(300)
    assert solver.value(solver.average()) == pytest.approx(SNYD, abs=TOLERANCE_DICE)
    assert solver.exploitability(solver.average()) < TOLERANCE_DICE


@pytest.mark.parametrize(
    ("rules", "kind"),
    [(PERUDO, RoundKind.NORMAL), (OBLIGING, RoundKind.NORMAL), (PYRUDO, RoundKind.FIXED_FACE)],
    ids=str,
)
def test_a_best_response_wins_next_to_nothing_against_the_kept_table(rules: Rules, kind: RoundKind) -> None:
    solver = Solver(game_of(rules, kind))
    kept = strategies_from(solver, table()[f"{rules} {kind}"])
    if rules is OBLIGING:  # a right calza replays the round, with the roles changed
        solver = Solver(game_of(rules, kind), again=solver.value(kept))
    assert solver.exploitability(kept) < TOLERANCE_DICE


def test_even_choices_lose_to_a_best_response() -> None:
    solver = Solver(game_of(PERUDO, RoundKind.NORMAL))
    assert solver.exploitability(solver.average()) > 0.1
