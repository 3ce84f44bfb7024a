"""The solver of end games comes to the published value, and the kept tables are what they say they are."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from support import ROOT

from engine import BOXED, FACES, PERUDO, RULESETS, Bid, RoundKind, Rules
from engine.opponents import find
from engine.opponents.strong import end_games, tables
from engine.opponents.strong.end_games import MAX_DICE, hands_of, packed, table, turns_of, unpacked

np = pytest.importorskip("numpy")
from engine.arena.end_games import PARTS, Solver, Values, main, rounds_of  # noqa: E402  # needs numpy
from engine.arena.exploit import Exploiter  # noqa: E402

TOLERANCE = 2e-3
SNYD = -7 / 327
"""Value published for one die each by the `snyd` solver of Thomas Dybdahl Ahle, <https://github.com/thomasahle/snyd>."""
MAX_BYTES = 1_500_000
MODULES = sorted(Path(tables.__path__[0]).glob("[a-z]*.py"))
SOLVED = [RULESETS[module.stem.replace("_", "-")] for module in MODULES]


class _SnydBids:
    """The raises of that solver: more dice of any face, or as many of a higher one."""

    def __init__(self, standing: Bid | None) -> None:
        self.standing = standing

    def up_to(self, quantity: int) -> list[Bid]:
        bids = [Bid(dice, face) for dice in range(1, quantity + 1) for face in FACES]
        return bids[bids.index(self.standing) + 1 :] if self.standing else bids


@pytest.mark.slow
def test_the_published_value_of_one_die_each_is_reproduced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(end_games, "legal_bids", lambda rules, kind, standing, **_: _SnydBids(standing))
    solver = Solver(replace(PERUDO, name="snyd", calza=None), RoundKind.NORMAL, (1, 1))
    solver.settle(Values())
    solver.run(300)
    strategies = solver.average()
    assert solver.value(strategies) == pytest.approx(SNYD, abs=TOLERANCE)
    assert solver.exploitability(strategies) < TOLERANCE


def test_even_choices_lose_to_a_best_response() -> None:
    solver = Solver(PERUDO, RoundKind.NORMAL, (1, 1))
    solver.settle(Values())
    assert solver.exploitability(solver.average()) > 0.1


@pytest.mark.parametrize("rules", SOLVED, ids=str)
def test_a_best_response_to_the_kept_tables_wins_little_with_one_die_each(rules: Rules) -> None:
    opens, second = Exploiter(rules, find("hard")).solve((1, 1))
    assert (opens + second) / 2 < 0.56


@pytest.mark.slow
@pytest.mark.parametrize("rules", [PERUDO, BOXED], ids=str)
def test_a_best_response_to_the_kept_tables_wins_little_with_two_dice_each(rules: Rules) -> None:
    opens, second = Exploiter(rules, find("hard")).solve((2, 2))
    assert (opens + second) / 2 < 0.58


@pytest.mark.parametrize("rules", SOLVED, ids=str)
def test_a_kept_table_has_shares_of_legal_actions_for_every_opening_hand(rules: Rules) -> None:
    kept = {key: found for key in rounds_of(rules, MAX_DICE) if (found := table(rules, *key))}
    assert (RoundKind.NORMAL, (1, 1)) in kept
    assert len(kept) > 1 or rules not in (PERUDO, BOXED)
    for by_decision in kept.values():
        assert all(by_decision[0, None, None][1])
        for turn, rows in by_decision.values():
            for row in filter(None, rows):
                assert min(row[1::2]) > 0
                assert max(row[::2]) < len(turn.actions)


def test_a_table_is_read_as_it_was_packed() -> None:
    turns = turns_of(PERUDO, RoundKind.NORMAL, (1, 1))
    hands = len(hands_of(1))
    rows = [[[bytes((hand, PARTS)) for hand in range(hands)] for _ in turn.before] for turn in turns]
    kept = unpacked(turns, (hands, hands), packed(turns, rows))
    assert len(kept) == sum(len(turn.before) for turn in turns)
    assert all(found == rows[0][0] for _, found in kept.values())


def test_the_tables_together_are_small() -> None:
    assert sum(module.stat().st_size for module in MODULES) <= MAX_BYTES


def test_tables_are_loaded_when_a_match_comes_to_its_end() -> None:
    code = "import engine.opponents.strong, sys; print(*[name for name in sys.modules if '.tables.' in name])"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert loaded.stdout == "\n"


def test_an_interrupted_training_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def train(sweeps: int) -> None:
        flags = ["--rules", "pyrudo", "--dice", "2", "--iterations", str(3 * sweeps), "--sweeps", str(sweeps)]
        monkeypatch.setattr(sys, "argv", ["end_games", *flags, "--only-print", "--checkpoint", str(tmp_path)])
        main()

    train(2)
    with np.load(tmp_path / "pyrudo.npz") as kept:
        first = kept["normal 1 1 0 s"]
    train(3)
    with np.load(tmp_path / "pyrudo.npz") as kept:
        assert int(kept["sweeps"]) == 3
        assert (kept["normal 1 1 0 s"].sum() > first.sum()).all()
