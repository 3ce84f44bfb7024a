"""The solver of end games comes to the published value, and the kept tables hold what they say."""

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import ROOT

from engine import BOXED, FACES, OBLIGING, PERUDO, PYRUDO, RULESETS, Bid, Hand, RoundKind, Rules
from engine.bidding import legal_bids
from engine.hands import parse_hand, write_hand
from engine.opponents import find
from engine.opponents.strong import end_games as table_module
from engine.opponents.strong.end_games import (
    FIRST_CALL,
    FOLDER,
    Form,
    SolvedRound,
    contents,
    group_of,
    hand_numbers,
    lowest_bids,
    solved,
    unpacked,
)

np = pytest.importorskip("numpy")
if not shutil.which("cc"):
    pytest.skip("the solver is compiled by cc", allow_module_level=True)
from engine.arena import end_games as training_module  # noqa: E402
from engine.arena import solver as solver_module  # noqa: E402  # needs numpy
from engine.arena.end_games import CheckpointError, Patterns, Training, is_elsewhere, joined, packed, rounds_of  # noqa: E402
from engine.arena.exploit import Exploiter  # noqa: E402
from engine.arena.plain import plain_shares  # noqa: E402
from engine.arena.solver import Solver, Values  # noqa: E402

TOLERANCE = 1e-3
SNYD = -7 / 327
"""Value of one die each by the `snyd` solver of Thomas Dybdahl Ahle, <https://github.com/thomasahle/snyd>."""
MAX_BYTES = 1_500_000
FEW_DICE = 3
OTHER_RULES: list[dict[str, Any]] = [
    {"to_aces": "half"},
    {"calza": None},
    {"starting_dice": 4},
    {"banked_lives": True},
]
STANDING = Bid(2, 3)
LOWEST = [Bid(3, 3), Bid(2, 5), Bid(1, 1), Bid(2, 4), Bid(2, 6)]


class SnydBids:
    """The raises of that solver: more dice of any face, or as many of a higher one."""

    def __init__(self, standing: Bid | None) -> None:
        self.standing = standing

    def up_to(self, quantity: int) -> list[Bid]:
        bids = [Bid(dice, face) for dice in range(1, quantity + 1) for face in FACES]
        return bids[bids.index(self.standing) + 1 :] if self.standing else bids


def test_the_published_value_of_one_die_each_is_reproduced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_module, "legal_bids", lambda rules, kind, standing, **_: SnydBids(standing))
    solver = Solver(replace(PERUDO, name="snyd", calza=None), RoundKind.NORMAL, (1, 1), 6)
    solver.settle(Values())
    solver.run(300)
    assert solver.value(solver.average()) == pytest.approx(SNYD, abs=TOLERANCE)
    assert solver.gain(solver.average()) < TOLERANCE


def test_even_choices_lose_to_a_best_response() -> None:
    solver = Solver(PERUDO, RoundKind.NORMAL, (1, 1), 6)
    solver.settle(Values())
    assert solver.gain(solver.average()) > 0.1


def against_plain_players(plain_share: float) -> tuple[float, float]:
    """Return the chances with one die each of the trained play, against plain players and a best response."""
    solvers = [Solver(PERUDO, RoundKind.NORMAL, (1, 1), 6, adversary=1 - seat) for seat in (0, 1)]
    plain = plain_shares(solvers[0])
    for solver in solvers:
        solver.settle(Values())
        solver.plain = plain_share, plain
        solver.run(200)
    won, strategy = 0.0, joined(solvers)
    for seat in (0, 1):
        value = solvers[0].value(np.where(solvers[0].places_of(seat), strategy, plain))
        won += (1 + (value if seat == 0 else -value)) / 4
    return won, sum(solvers[0].response(strategy, seat) + 1 for seat in (0, 1)) / 4


def test_training_among_plain_players_takes_more_from_them_and_gives_little_away() -> None:
    (solved, safe), (mixed, given) = [against_plain_players(share) for share in (0, 0.5)]
    assert mixed > solved + 0.01
    assert safe < given < safe + 0.02


@pytest.mark.parametrize("dice", [(1, 1), (2, 1)])
def test_a_plain_players_shares_are_of_legal_actions_and_whole(dice: tuple[int, int]) -> None:
    solver = Solver(PYRUDO, RoundKind.NORMAL, dice, 3)
    plain = plain_shares(solver, ["honest", "one_more"])
    for state, (bids, player) in enumerate(solver.states):
        if not bids or bids[-1].quantity <= sum(dice):
            assert solver.shares(plain, state).sum(axis=0) == pytest.approx(np.ones(len(solver.hands[player])))


def test_a_response_that_remembers_less_wins_no_more() -> None:
    solver = Solver(PERUDO, RoundKind.NORMAL, (2, 1), 3)
    solver.settle(Values())
    solver.run(5)
    for learner in (0, 1):
        all_bids, last_bids = [
            solver.response(solver.average(), learner, knows_all=knows_all) for knows_all in (True, False)
        ]
        assert last_bids <= all_bids + TOLERANCE


def lowest_of(rules: Rules, kind: RoundKind, in_play: int, standing: Bid | None, hand: Hand) -> list[Bid]:
    legal = legal_bids(rules, kind, standing, dice=len(hand), in_play=in_play)
    return lowest_bids(rules, kind, in_play, standing, hand, legal)


def test_lowest_bids_begin_with_the_standing_face_and_the_one_that_suits_the_hand() -> None:
    assert lowest_of(PERUDO, RoundKind.NORMAL, 10, STANDING, parse_hand("23556")) == LOWEST
    assert lowest_of(PERUDO, RoundKind.NORMAL, 10, None, parse_hand("23556"))[0] == Bid(1, 5)


def group(hand: str) -> int:
    dice = parse_hand(hand)
    return group_of(PERUDO, RoundKind.NORMAL, STANDING, dice, lowest_of(PERUDO, RoundKind.NORMAL, 10, STANDING, dice))


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("22355", "23355", False),  # another number of threes
        ("23556", "24556", False),
        ("23556", "22356", False),  # another number of the best other face
        ("23556", "23566", False),  # another best face
        ("22355", "23455", True),
        ("13556", "13355", False),
        ("13556", "33355", False),
        ("13455", "13556", True),  # the ace counts for both
    ],
)
def test_hands_with_as_many_of_two_faces_are_a_group(one: str, other: str, is_same: bool) -> None:
    assert (group(one) == group(other)) is is_same


def test_a_group_has_a_number_like_a_hand() -> None:
    assert max(group(write_hand(hand)) for hand in hand_numbers(5)) < FIRST_CALL


def test_a_learner_plays_a_group_as_one_and_its_adversary_each_hand() -> None:
    solver = Solver(PERUDO, RoundKind.NORMAL, (2, 2), 2, adversary=1, by_group=True)
    solver.settle(Values())
    solver.run(6)
    average, is_told_apart = solver.average(), False
    for state, (_, player) in enumerate(solver.states):
        shares, numbers = solver.shares(average, state), solver.numbers(state)
        alike = [
            shares[:, hand] == pytest.approx(shares[:, numbers.index(number)]) for hand, number in enumerate(numbers)
        ]
        is_told_apart |= player == 1 and not all(alike)
        assert player == 1 or all(alike)
    assert is_told_apart


def test_from_five_dice_on_only_even_rounds_are_solved() -> None:
    assert {dice for _, dice in rounds_of(PERUDO, 6) if sum(dice) > 4} == {(2, 3), (3, 2), (3, 3)}
    assert (RoundKind.NORMAL, (1, 5)) in rounds_of(PERUDO, 6, widest=4)


def test_rounds_that_are_not_trained_stay_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(FOLDER / "obliging.table", tmp_path)
    for module in (training_module, table_module):
        monkeypatch.setattr(module, "FOLDER", tmp_path)
    before = {name: rest for name, (_, *rest) in contents("obliging").items()}
    training_module.write(OBLIGING, Training(OBLIGING, rounds_of(OBLIGING, 2), None).run(4, 1))
    contents.cache_clear()
    after = {name: rest for name, (_, *rest) in contents("obliging").items()}
    contents.cache_clear()
    assert before.keys() == after.keys()
    assert before["normal/2/2"] == after["normal/2/2"]
    assert before["normal/1/1"] != after["normal/1/1"]


@pytest.mark.parametrize("rules", [*RULESETS.values()], ids=str)
def test_a_best_response_to_the_tables_wins_hardly_more_than_half_with_one_die_each(rules: Rules) -> None:
    assert sum(Exploiter(rules, find("hard")).solve((1, 1))) / 2 < 0.51


@pytest.mark.soak
@pytest.mark.parametrize("rules", [*RULESETS.values()], ids=str)
def test_a_best_response_to_the_tables_wins_little_with_two_dice_each(rules: Rules) -> None:
    assert sum(Exploiter(rules, find("hard")).solve((2, 2))) / 2 < 0.53


@pytest.mark.parametrize("rules", [*RULESETS.values()], ids=str)
def test_a_table_has_legal_choices_and_one_for_every_opening_hand(rules: Rules) -> None:
    for kind, dice in rounds_of(rules, FEW_DICE):
        assert_whole(rules, kind, dice)


@pytest.mark.parametrize("rules", [PERUDO, PYRUDO, OBLIGING, BOXED], ids=str)
@pytest.mark.parametrize("dice", [(5, 1), (4, 3), pytest.param((3, 5), marks=pytest.mark.slow)], ids=str)
def test_a_table_of_groups_has_legal_choices_and_one_for_every_opening_hand(
    rules: Rules, dice: tuple[int, int]
) -> None:
    assert assert_whole(rules, RoundKind.NORMAL, dice).form.by_group


def assert_whole(rules: Rules, kind: RoundKind, dice: tuple[int, int]) -> SolvedRound:
    found = solved(rules, kind, dice)
    assert found
    solver = Solver(rules, kind, dice, found.form.memory, by_group=found.form.by_group)
    for state, (bids, player) in enumerate(solver.states):
        legal = solver.actions[state]
        for number, lowest in zip(solver.numbers(state), solver.lowest(state), strict=True):
            choices = found.choices(player, bids, number, lowest)
            if choices is None:
                assert bids or kind is not RoundKind.NORMAL
                continue
            assert sum(choices.values()) == pytest.approx(1)
            assert min(choices.values()) > 0
            assert {*choices} <= {*legal}
    return found


def test_a_table_is_read_as_it_was_packed() -> None:
    rows = [bytes([3, 2, 7, 241, 10, 5, 5]), bytes([5, 240, 20])]
    found = unpacked(packed([(bytes([1, 0, 9]), rows), (bytes([0, 8, 9]), rows[:1])]), Form(2, 20))
    raised = found.choices(1, [STANDING], 3, LOWEST) or {}
    assert {str(action): share for action, share in raised.items()} == {"1x1": 0.5, "3x5": 0.25, "calza": 0.25}
    assert found.choices(0, [Bid(1, 3), Bid(2, 2), STANDING], 3, LOWEST) == raised
    assert [*(found.choices(1, [STANDING], 5, LOWEST) or {}).values()] == [1.0]
    assert found.choices(0, [Bid(1, 2), STANDING], 3, LOWEST) is found.choices(1, [STANDING], 4, LOWEST) is None


def test_decisions_that_nearly_agree_have_one_pattern() -> None:
    patterns = Patterns(20)
    first = patterns.of({1: 0.5, 2: 0.5, 3: 0.0}, 0.1)
    assert first == bytes([1, 2, 10, 10])
    assert patterns.of({1: 0.46, 2: 0.54}, 0.1) == first
    assert patterns.of({1: 0.4, 2: 0.6}, 0.1) != first
    assert patterns.of({1: 0.96, 3: 0.04}, 2.0) != first  # an action of the other pattern is not legal


def test_the_nearest_pattern_is_taken_unless_a_nearby_decision_has_one_near_enough() -> None:
    patterns = Patterns(20)
    far, near = patterns.of({1: 0.5, 2: 0.5}, 0.0, "here"), patterns.of({1: 0.4, 2: 0.6}, 0.0, "there")
    assert patterns.of({1: 0.42, 2: 0.58}, 0.2) == near
    assert patterns.of({1: 0.42, 2: 0.58}, 0.2, "here") == far
    assert patterns.of({1: 0.42, 2: 0.58}, 0.1, "here") == near


def test_a_rule_set_without_a_table_plays_by_that_of_the_same_round() -> None:
    here = solved(PERUDO, RoundKind.NORMAL, (3, 4))
    assert here
    for same in (PYRUDO, replace(PERUDO, name="ours", special=(), dudo_by="anyone", seating="roll-order")):
        assert solved(same, RoundKind.NORMAL, (3, 4)) is here
    for other in (replace(PERUDO, name="ours", **change) for change in OTHER_RULES):
        assert solved(other, RoundKind.NORMAL, (3, 4)) is None
    assert solved(PERUDO, RoundKind.FIXED_FACE, (1, 2)) is None
    trained = [key for key in rounds_of(PYRUDO, 4) if not is_elsewhere(PYRUDO, key)]
    assert {kind for kind, _ in trained} == {RoundKind.FIXED_FACE}


def test_the_tables_together_are_small() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) <= MAX_BYTES


def test_no_table_is_read_before_a_match_comes_to_it() -> None:
    code = (
        "from engine.opponents.strong import end_games as found\n"
        "print(found.contents.cache_info().currsize, found.table.cache_info().currsize)"
    )
    read = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert read.stdout == "0 0\n"


def test_an_interrupted_training_comes_to_the_same_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Training(PYRUDO, rounds_of(PYRUDO, 2), None).run(6, 2)
    stopped, keep = 0, Training._keep

    def keep_some(training: Training, *args: object) -> None:
        nonlocal stopped
        keep(training, *args)  # type: ignore[arg-type]
        stopped += 1
        if stopped == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(Training, "_keep", keep_some)
    with pytest.raises(KeyboardInterrupt):
        Training(PYRUDO, rounds_of(PYRUDO, 2), tmp_path).run(6, 2)
    assert Training(PYRUDO, rounds_of(PYRUDO, 2), tmp_path).run(6, 2) == whole


def test_a_share_of_plain_decisions_changes_the_tables() -> None:
    alone, among_plain = [Training(PYRUDO, rounds_of(PYRUDO, 2), None, plain=plain).run(6, 1) for plain in (None, 0.5)]
    assert alone != among_plain


def test_a_checkpoint_with_other_states_is_refused(tmp_path: Path) -> None:
    Training(PYRUDO, rounds_of(PYRUDO, 2), tmp_path).run(2, 1)
    kept = tmp_path / "pyrudo normal 1 1 opener.npz"
    with np.load(kept) as old:
        arrays = {**old, "sums": old["sums"][:-1]}
    np.savez(kept, **arrays)
    with pytest.raises(CheckpointError, match=r"pyrudo normal 1 1 opener\.npz: holds"):
        Training(PYRUDO, rounds_of(PYRUDO, 2), tmp_path).run(2, 2)
