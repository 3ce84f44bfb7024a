"""The solver of end games comes to the published value, and the kept table is what it says it is."""

import pytest

from engine import OBLIGING, PERUDO, PYRUDO, RoundKind, Rules
from engine.opponents.strong.end_games import table

pytest.importorskip("numpy")
from bench.tools.end_games import SNYD, Solver, game_of, game_of_snyd, strategies_from

TOLERANCE_DICE = 1e-3


@pytest.mark.slow
def test_the_published_value_of_one_die_each_is_reproduced() -> None:
    solver = Solver(game_of_snyd(wilds=True))
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
