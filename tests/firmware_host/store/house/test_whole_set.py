"""Every figure of a house of thirteen matches that are short enough to be counted by hand, wherever it is told."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_host import cli
from firmware_host.daemon.closing.evening import recap_of
from firmware_host.public.recap import BluffOfTheNight, Praised, Recap, Winner
from firmware_host.store.house.database import remembered
from firmware_host.store.house.figures import figures
from firmware_host.store.house.page import page_figures

DUEL, PAIR = "duel=perudo(starting_dice=1)", "pair=perudo(starting_dice=2)"
FALSE_BID, TRUE_BID = "1. 3/4 0:1x2 1:dudo\n1:wins", "1. 3/4 0:1x3 1:dudo\n0:wins"
COMEBACK = """\
1. 34/34 0:1x2 1:dudo
2. 3/34 0:1x3 1:dudo
3. 3/4 1:1x5 0:dudo
0:wins"""
BLUFF = "1. 3/4 0:2x5 1:2x6 0:dudo\n0:wins"
"""Nobody has a five, so two dice are missing; the sixes were called, not raised."""


def score(entries: str, rules: str = DUEL, day: str = "2026-11-21", second: str = "Quito") -> str:
    heading = f"dudo score 1\nrules: {rules}\ndate: {day}\nseat 0: Lima\nseat 1: {second}\nfirst: 0"
    return f"{heading}\n\n{entries}\n"


EVENINGS = {
    # Lima loses to a robot, then wins two in a row, then Quito ends that streak.
    "2026-11-20": [
        score(FALSE_BID, day="2026-11-20", second="Puno [robot easy]"),
        *[score(TRUE_BID, day="2026-11-20")] * 2,
        score(FALSE_BID, day="2026-11-20"),
    ],
    # Lima comes back from one die, Quito wins seven in a row, and Lima ends that streak with a bluff.
    "2026-11-21": [score(COMEBACK, PAIR), *[score(FALSE_BID)] * 7, score(BLUFF)],
}
QUITO = {
    "name": "Quito",
    "matches": 12,
    "won": 8,
    "calls": 12,
    "calls_right": 9,
    "exact_right": 0,
    "comebacks": 0,
    "best_streak": 7,
    "slain": 1,
}
LIMA = {
    "name": "Lima",
    "matches": 13,
    "won": 4,
    "calls": 2,
    "calls_right": 2,
    "exact_right": 0,
    "comebacks": 1,
    "best_streak": 2,
    "slain": 1,
}
ROBOT = {
    "name": "easy",
    "matches": 1,
    "won": 1,
    "calls": 1,
    "calls_right": 1,
    "exact_right": 0,
    "comebacks": 0,
    "best_streak": 0,
    "slain": 0,
}
BOLDEST = {"name": "Lima", "day": "2026-11-21", "quantity": 2, "face": 5, "missing": 2}
EVERYTHING = {
    "first_day": "2026-11-20",
    "last_day": "2026-11-21",
    "matches": 13,
    "broken_off": 0,
    "rounds": 15,
    "rules": [
        {"rules": "duel", "matches": 12, "rounds": 1.0, "actions": 25 / 12},
        {"rules": "pair", "matches": 1, "rounds": 3.0, "actions": 6.0},
    ],
    "players": [QUITO, LIMA],
    "robots": [ROBOT],
    "bluffs": [BOLDEST],
    "longest": {"day": "2026-11-21", "rules": "pair", "players": 2, "rounds": 3},
    "shortest": {"day": "2026-11-20", "rules": "duel", "players": 2, "rounds": 1},
}
PRINTED = """\
13 matches, 2026-11-20 to 2026-11-21

player   won   of   share   calls   right   exact   best streak
Quito      8   12     67%      12     75%                     7
Lima       4   13     31%       2                             2

rule set   matches   rounds each   bids and calls each
duel            12           1.0                     2
pair             1           3.0                     6

Boldest bluff: Lima bid two quints on 2026-11-21, 2 dice too many, and nobody doubted
Best caller: Quito, right in 75% of 12 calls
Longest streak: Quito won 7 matches one after the other
King Slayer: Quito ended 1 streak of two wins or more
Comeback: Lima won 1 match after being down to one die
Robot, easy: won 1 of 1 match
Favourite rule set: duel
Length of a match: 1 to 3 rounds, the longest on 2026-11-21
"""


@pytest.fixture
def state(tmp_path: Path) -> Path:
    (tmp_path / "matches").mkdir()
    for day, scores in EVENINGS.items():
        (tmp_path / "matches" / f"{day}-abc.dudo").write_text("\n".join(scores), "utf-8")
    return tmp_path


@pytest.fixture
def stats(state: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def printed(*flags: str) -> str:
        assert cli.main(["stats", "--state", str(state), *flags]) == 0
        found = capsys.readouterr()
        assert found.err == ""
        return found.out

    return printed


def test_json_has_every_figure(stats: Callable[..., str]) -> None:
    assert json.loads(stats("--json")) == EVERYTHING


def test_a_terminal_shows_every_figure(stats: Callable[..., str]) -> None:
    assert [line.rstrip() for line in stats().splitlines()] == PRINTED.splitlines()


def test_csv_has_people_and_robots(stats: Callable[..., str]) -> None:
    names, *rows = stats("--csv").splitlines()
    assert names == ",".join([*QUITO, "robot"])
    values = [[*map(str, one.values())] for one in (QUITO, LIMA, ROBOT)]
    assert rows == [",".join([*values[0], ""]), ",".join([*values[1], ""]), ",".join(["", *values[2][1:], "easy"])]


def test_the_page_has_every_figure_of_all_time_and_of_the_last_evening(state: Path) -> None:
    found = remembered(state, page_figures, public=True)
    quito = {"name": "Quito", "won": 8, "matches": 12, "calls": 12, "right": 0.75, "streak": 7, "slain": 1}
    lima = {"name": "Lima", "won": 4, "matches": 13, "calls": 2, "right": None, "streak": 2, "slain": 1}
    assert found["all"] == {
        "first": "2026-11-20",
        "last": "2026-11-21",
        "matches": 13,
        "rounds": 15,
        "players": [quito, lima],
        "robots": [{"level": "easy", "won": 1, "matches": 1}],
        "best": {"right": quito, "streak": quito, "slain": quito},
        "bluffs": [BOLDEST],
        "rules": [{"name": "duel", "matches": 12, "rounds": 1.0}, {"name": "pair", "matches": 1, "rounds": 3.0}],
        "longest": 3,
        "shortest": 1,
    }
    assert found["days"] == [("2026-11-20", 4), ("2026-11-21", 9)]
    assert found["race"] == ["Lima", *["Quito"] * 7, "Lima"]
    assert (found["tonight"]["matches"], found["tonight"]["robots"]) == (9, [])
    assert {one["name"]: one["won"] for one in found["tonight"]["players"]} == {"Quito": 7, "Lima": 2}
    assert found["tonight"]["best"]["slain"]["name"] == "Lima"


def test_the_recap_has_every_figure(state: Path) -> None:
    assert recap_of(remembered(state, figures, public=True), 1.0) == Recap(
        until=1.0,
        matches=13,
        rounds=15,
        winners=(Winner("Quito", 8, 12), Winner("Lima", 4, 13)),
        bluff=BluffOfTheNight("Lima", 2, 5, 2),
        caller=Praised("Quito", 75),
        streak=Praised("Quito", 7),
        slayer=Praised("Quito", 1),
        rules=Praised("duel", 12),
        robots=(Winner("easy", 1, 1),),
        longest=3,
    )
