"""The arena counts who wins, the same for one seed, and an opponent that fails loses its match."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from support import ROOT

from engine import DUDO, PALO_FIJO, PERUDO, PYRUDO, Action, Bid, Rules, View
from engine.__main__ import main
from engine.arena.play import Clock, Lineup, play
from engine.arena.tournament import ArenaResults, lineups, run, wilson
from engine.opponents import Opponent, OpponentError, find

# The arena forks from a process with one thread; pytest-xdist gives this one a second.
pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


def doubting(view: View, rng: Random) -> Action | None:
    """Open with one six, and doubt every bid."""
    if view.position.choices:
        return view.position.choices[0]
    return Bid(1, 6) if view.position.standing is None else DUDO


def raising(view: View, rng: Random) -> Action | None:
    raise ValueError("two\nlines")


def illegal(view: View, rng: Random) -> Action | None:
    return Bid(0, 9)


def silent(view: View, rng: Random) -> Action | None:
    return None


def ending(view: View, rng: Random) -> Action | None:
    os._exit(3)


def waiting(view: View, rng: Random) -> Action | None:
    while True:
        try:
            time.sleep(1)
        except BaseException:  # which no exception can interrupt
            continue


def climbing(view: View, rng: Random) -> Action | None:
    """Raise for ever."""
    standing = view.position.standing
    bid = Bid(1, 6) if standing is None else Bid(standing.quantity + 1, standing.face)
    return bid if view.seat == view.position.turn else None


def tournament(*functions: Callable[[View, Random], Action | None], seats: int = 2, jobs: int = 1) -> ArenaResults:
    opponents = [Opponent(function.__name__, function) for function in functions] + [find("odds")]
    names = [opponent.name for opponent in opponents]
    return run(lineups(names, [PERUDO], [seats], None), opponents, matches=4, seed="1", jobs=jobs, limit_s=0.2)


def test_every_seat_is_that_of_one_in_turn() -> None:
    lineup = Lineup(PERUDO, 3, "a", "b")
    assert [lineup.names(number) for number in range(3)] == [["a", "b", "b"], ["b", "a", "b"], ["b", "b", "a"]]


def test_two_seats_need_each_pair_once_and_more_seats_both_ways_round() -> None:
    assert [(one.one, one.others) for one in lineups("ab", [PERUDO], [2], None)] == [("a", "b")]
    assert [(one.one, one.others) for one in lineups("ab", [PERUDO], [4], None)] == [("a", "b"), ("b", "a")]
    assert [(one.one, one.others) for one in lineups("abc", [PERUDO], [2], "c")] == [("c", "a"), ("c", "b")]


def test_one_seed_gives_one_result_for_any_number_of_jobs() -> None:
    assert tournament(doubting, seats=3).results == tournament(doubting, seats=3, jobs=3).results


def test_other_seeds_give_other_matches() -> None:
    lineup = Lineup(PERUDO, 2, "odds", "doubting")
    opponents = {"odds": find("odds"), "doubting": Opponent("doubting", doubting)}
    assert len({play(lineup, 0, str(seed), opponents).rounds for seed in range(8)}) > 1


@pytest.mark.parametrize("rules", [PERUDO, PALO_FIJO, PYRUDO], ids=str)
def test_an_opponent_wins_against_one_that_always_doubts(rules: Rules) -> None:
    opponents = [find("odds"), Opponent("doubting", doubting)]
    pairs = lineups(["odds", "doubting"], [rules], [2], None)
    (result,) = run(pairs, opponents, matches=100, seed="1", jobs=1, limit_s=10.0).results
    assert result.share > 0.6


@pytest.mark.parametrize(
    ("faulty", "problem"),
    [
        (raising, r"raised ValueError: two\nlines"),
        (illegal, "returned 0x9 in turn, not legal"),
        (silent, "returned None in turn, not legal"),
        (ending, "ended its process"),
        (waiting, "did not return within 0.2 s"),
    ],
)
def test_an_opponent_that_fails_is_named_and_loses_its_match(
    faulty: Callable[[View, Random], Action | None], problem: str
) -> None:
    played = tournament(faulty)
    (result,) = played.results
    assert (result.matches, result.won) == (4, 0)
    assert played.faults == {(faulty.__name__, problem): 4}


def test_among_several_seats_the_match_is_lost_by_those_that_fail() -> None:
    assert [result.won for result in tournament(raising, seats=4).results] == [0, 4]


def test_a_match_without_an_end_is_won_by_nobody() -> None:
    opponents = [Opponent("climbing", climbing), Opponent("rising", climbing)]
    pairs = lineups(["climbing", "rising"], [PERUDO], [2], None)
    (result,) = run(pairs, opponents, matches=2, seed="1", jobs=1, limit_s=10.0).results
    assert (result.matches, result.won, result.void) == (2, 0, 2)


def test_the_interval_of_a_share() -> None:
    assert wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)  # the example of many textbooks
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(10, 10)[1] == pytest.approx(1)


def test_the_median_of_a_clock() -> None:
    clock = Clock()
    for milliseconds in (1, 2, 3, 50, 900):
        clock.add(milliseconds / 1000)
    assert clock.median_ms == pytest.approx(3, rel=0.03)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["odds"], "at least two"),
        (["odds", "odds"], "each opponent once"),
        (["odds", "ods"], "'ods' is not an opponent, did you mean odds?"),
        (["odds", "no_such_module:choose"], "'no_such_module:choose' cannot be loaded: ModuleNotFoundError"),
        (["odds", "engine.rules:DICE"], "is not a function"),
        (["odds", "engine.opponents.odds:choose", "--only", "od"], "--only 'od'"),
    ],
)
def test_opponents_that_can_not_play_are_named(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *arguments]) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "flags", [["--seats", "9"], ["--seats", "٣"], ["--rules", "perud"], ["--matches", "0"], ["--seed", "x" * 1000]]
)
def test_flags_that_can_not_be_used_are_named(flags: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["arena", "odds", "engine.opponents.odds:choose", *flags])
    assert f"argument {flags[0]}" in capsys.readouterr().err


def test_the_results_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--matches", "6", "--seats", "3", "--jobs", "2", "--json"]
    assert main(["arena", "odds", "engine.opponents.odds:choose", *flags]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [result["matches"] for result in printed["results"]] == [6, 6]
    assert printed["opponents"]["odds"]["decisions"] > 0
    assert printed["faults"] == []


def test_a_name_with_a_module_is_anybodys_own() -> None:
    assert find("engine.opponents.odds:choose").choose is find("odds").choose
    with pytest.raises(OpponentError):
        find("x" * 10_000)


def test_an_installed_engine_has_neither_arena_nor_yardsticks(tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["tool"]["setuptools"]["packages"]["find"]["exclude"] == ["engine.arena*"]
    shutil.copytree(ROOT / "engine", tmp_path / "engine", ignore=shutil.ignore_patterns("arena", "__pycache__"))

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-S", *arguments]  # without site-packages, where this clone is
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    counted, refused = (
        run("-m", "engine", "perft", "boxed", "--dice", "2"),
        run("-m", "engine", "arena", "odds", "easy"),
    )
    assert (counted.returncode, counted.stderr) == (0, "")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "'arena'" in refused.stderr
    found = run("-c", "from engine.opponents import OPPONENTS, find; print(*[find(name).name for name in OPPONENTS])")
    assert found.stdout.split() == ["odds", "easy", "middle", "strong", "hard", "fox", "owl", "mouse"]


INTERRUPTING = """
import os, signal
from engine.opponents import find

odds, decisions = find("odds").choose, 0

def choose(view, rng):
    global decisions
    decisions += 1
    if decisions == 500:
        os.kill(os.getppid(), signal.SIGINT)
    return odds(view, rng)
"""


@pytest.mark.slow
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_an_arena_that_is_interrupted_prints_what_was_played(
    form: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "interrupting.py").write_text(INTERRUPTING)
    monkeypatch.chdir(tmp_path)
    given = ["odds", "interrupting:choose", "--matches", "100000", "--seats", "2", "3", "--jobs", "1", *form]
    assert main(["arena", *given]) == 130
    out, err = capsys.readouterr()
    (matches,) = re.findall(r"interrupted after (\d+) of 300000 matches", err)
    assert 0 < int(matches) < 100_000
    if form:
        (result,) = json.loads(out)["results"]
        assert result["matches"] == int(matches)
    else:
        assert re.search(rf"\b{matches} ", out)
        assert out.count("perudo") == 1
