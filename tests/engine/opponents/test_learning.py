"""Networks learn from decisions: what was played, and what fits."""

import json

import pytest

np = pytest.importorskip("numpy")

from engine.arena import learn_worths  # noqa: E402  # needs numpy
from engine.arena.learn_worths import Decision, Task, fitted, learned, played  # noqa: E402  # needs numpy
from engine.opponents.strong.network import AMONG_MORE, ANY_RULES, BETWEEN_TWO, Network  # noqa: E402


@pytest.fixture(scope="module")
def decisions() -> list[Decision]:
    """The decisions in a few matches of two and of three."""
    return [each for seats in (2, 3) for each in played(Task("perudo", seats, "0"), matches=30)]


def test_matches_give_bids_and_doubts_with_the_worth_of_their_rounds(decisions: list[Decision]) -> None:
    assert {(each.players, each.is_bid) for each in decisions} == {
        (players, is_bid) for players in (BETWEEN_TWO, AMONG_MORE) for is_bid in (True, False)
    }
    assert min(each.worth for each in decisions) < -0.9
    assert max(each.worth for each in decisions) > 0.5


def test_the_same_task_gives_the_same_decisions() -> None:
    task = Task("boxed", 3, "1")
    assert played(task, matches=1) == played(task, matches=1)


def test_a_network_fits_worths_that_bend() -> None:
    inputs = np.random.default_rng(1).normal(size=(20_000, 3))
    worths = np.tanh(3 * inputs[:, 0]) + 0.5 * inputs[:, 1]
    _, explained = fitted(np.column_stack([inputs, np.ones(20_000)]), worths)
    assert explained > 0.9


def test_learned_networks_are_as_the_player_reads_them(
    decisions: list[Decision], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learn_worths, "EPOCHS", 2)
    monkeypatch.setattr(learn_worths, "EPOCHS_AFTER", 1)
    known = json.loads(json.dumps(learned({"perudo": decisions})))
    for name in ("perudo", ANY_RULES):
        for players in (BETWEEN_TWO, AMONG_MORE):
            bid, doubt = [Network(**each) for each in known[name][players]]
            some = next(each for each in decisions if each.is_bid)
            other = next(each for each in decisions if not each.is_bid)
            assert abs(bid.worth(some.inputs)) < 5
            assert abs(doubt.worth(other.inputs)) < 5
