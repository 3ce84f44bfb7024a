"""The rule-case format is read strictly, and what comes out otherwise is told with its field."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import main
from engine.rule_cases import CaseFormatError, mismatches, read

CASE: dict[str, Any] = {
    "id": "t-1",
    "rules": "palo-fijo",
    "title": "a case",
    "position": {
        "dice": {"A": 2, "B": 0, "C": 3},
        "hands": {"A": [4, 4], "C": [1, 4, 6]},
        "first": "A",
        "round": "normal",
        "owner": None,
        "special_used": [],
        "starting_dice": 15,
    },
    "actions": [{"by": "A", "do": "4x4", "legal": True}, {"by": "C", "do": "dudo", "legal": True}],
    "expect": {
        "matching": 4,
        "change": {"C": -1},
        "dice": {"A": 2, "B": 0, "C": 2},
        "out": [],
        "next_first": "C",
        "next_round": "normal",
        "next_owner": None,
        "winner": None,
    },
    "why": ["because"],
}


def case(**changes: Any) -> dict[str, Any]:
    """Return the case above, with values put at paths such as `position__first`; `...` takes a field out."""
    made = copy.deepcopy(CASE)
    for path, value in changes.items():
        *tables, last = path.split("__")
        place = made
        for table in tables:
            place = place[table]
        if value is ...:
            del place[last]
        else:
            place[last] = value
    return made


def problems(**changes: Any) -> list[str]:
    """Return the problems of the changed case."""
    (only,) = read(json.dumps([case(**changes)]))
    return [str(wrong) for wrong in mismatches(only)]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[object], str]:
    """Give a function that writes JSON to a file and names it."""

    def write(value: object) -> str:
        file = tmp_path / "cases.json"
        file.write_text(value if isinstance(value, str) else json.dumps(value))
        return str(file)

    return write


def test_a_case_that_comes_out_is_told_nothing_of() -> None:
    assert problems() == []


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"expect__matching": 3}, "t-1 expect.matching: wanted 3, got 4"),
        ({"expect__change": {"A": -1}}, 't-1 expect.change: wanted {"A": -1}, got {"C": -1}'),
        ({"expect__dice": {"A": 2}}, 't-1 expect.dice: wanted {"A": 2}, got {"A": 2, "B": 0, "C": 2}'),
        ({"expect__out": ["C"]}, 't-1 expect.out: wanted ["C"], got []'),
        ({"expect__next_first": "A"}, 't-1 expect.next_first: wanted "A", got "C"'),
        ({"expect__next_round": "open"}, 't-1 expect.next_round: wanted "open", got "normal"'),
        ({"expect__next_owner": "C"}, 't-1 expect.next_owner: wanted "C", got null'),
        ({"expect__winner": "A"}, 't-1 expect.winner: wanted "A", got null'),
        (
            {"actions": [{"by": "C", "do": "2x4", "legal": True}]},
            't-1 actions[0] C 2x4: wanted "legal", got "illegal (not-in-turn)"',
        ),
        (
            {"actions": [{"by": "A", "do": "2x4", "legal": False}]},
            't-1 actions[0] A 2x4: wanted "illegal", got "legal"',
        ),
        (
            {"actions": [], "expect": {}, "next": {"by": "A", "legal": ["0x4"], "illegal": ["1x2"]}},
            't-1 next.legal A 0x4: wanted "legal", got "illegal (no-dice)"',
        ),
        ({"actions": [], "expect": {}, "sees": {"A": ["C"]}}, 't-1 sees.A: wanted ["C"], got ["A"]'),
    ],
)
def test_what_comes_out_otherwise_is_told_with_its_field(changes: dict[str, Any], line: str) -> None:
    assert problems(**changes)[0] == line


@pytest.mark.parametrize(
    "changes",
    [
        {"actions": ..., "expect": ...},
        {"reading": "as the text is open"},
        {"position__hands": None, "expect": {"out": []}},
        {"position__hands": {"A": [4, 4], "B": [], "C": [1, 4, 6]}},
        {"position__owner": "A", "expect": {"next_owner": None}},
        {"position__standing_bid": {"by": "A", "bid": "3x1"}, "actions": [], "expect": {"change": {}}},
        {"actions": [{"by": "A", "do": "3x7", "legal": False}], "expect": {"dice": {"A": 2, "B": 0, "C": 3}}},
        {"actions": [*CASE["actions"], {"by": "A", "do": "dudo", "legal": False}]},
        {"actions": [*CASE["actions"], {"by": "C", "do": "1x2", "legal": False}]},
        {"next": {"by": "A", "legal": [], "illegal": ["dudo", "9x4", "pass"]}},
        {"next": {"by": "B", "legal": [], "illegal": ["dudo", "9x4", "pass", "kill"]}},
        {"sees": {"A": ["A", "C"], "B": ["A", "C"]}},
        {"expect__out": [], "expect__change": {"C": -1}},
    ],
    ids=str,
)
def test_a_case_may_be_of_any_form_the_format_allows(changes: dict[str, Any]) -> None:
    assert problems(**changes) == []


def test_a_case_may_begin_when_the_match_is_over() -> None:
    dice = {"A": 2, "B": 0, "C": 0}
    hands, nothing = {"A": [4, 4]}, {"by": "A", "legal": [], "illegal": ["1x2", "dudo"]}
    expect = {"winner": "A", "next_first": None, "next_round": None, "next_owner": None}
    assert problems(position__dice=dice, position__hands=hands, actions=[], next=nothing, expect=expect) == []


def test_the_seat_after_the_standing_bid_is_in_turn_over_a_seat_that_is_out() -> None:
    standing = {"by": "A", "bid": "2x3"}
    following = {"by": "C", "legal": ["3x3", "dudo", "pass"], "illegal": ["2x3"]}
    assert problems(position__standing_bid=standing, actions=[], expect={}, next=following) == []


def test_an_owner_counts_as_having_had_the_special_round() -> None:
    hands = {"A": [4, 4], "C": [2, 5, 6]}
    doubted = {"next_round": "normal", "next_first": "A", "next_owner": None}
    assert problems(position__owner="A", position__hands=hands, expect=doubted) == []


def test_a_choice_is_spelled_with_all_that_can_be_chosen() -> None:
    hands = {"A": [4, 4], "C": [2, 5, 6]}
    chosen = {"next_round": "choice:fixed-face-no-wilds-open|fixed-face-no-wilds-closed", "next_owner": "A"}
    assert problems(position__hands=hands, expect=chosen) == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"rules": "perudoo"}, "rules: is none of kill-spot,"),
        ({"rules": ...}, "rules: is missing"),
        ({"titel": "x"}, "titel: unknown field; did you mean title?"),
        ({"id": 3}, "id: is not text"),
        ({"why": 3}, "why: is not text"),
        ({"why": ["x", None]}, "why[1]: is not text"),
        ({"position": []}, "position: is not a table"),
        ({"position__dice": {}}, "position.dice: nobody holds a die"),
        ({"position__dice__A": 6}, "position.dice.A: is not a whole number from 0 to 5"),
        ({"position__dice__A": True}, "position.dice.A: is not a whole number from 0 to 5"),
        ({"position__hands__A": [4]}, "position.hands.A: A holds 2 dice"),
        ({"position__hands__A": [4, 7]}, "position.hands.A[1]: is not a whole number from 1 to 6"),
        ({"position__hands": {"A": [4, 4]}}, "position.hands: C holds 3 dice"),
        ({"position__hands__D": []}, "position.hands.D: is none of A, B, C"),
        ({"position__first": "D"}, "position.first: is none of A, B, C"),
        ({"position__round": "palifico"}, "position.round: is none of normal,"),
        ({"position__owner": "X"}, "position.owner: is none of A, B, C"),
        ({"position__special_used": "A"}, "position.special_used: is not a list"),
        ({"position__starting_dice": "15"}, "position.starting_dice: is not a whole number from 1"),
        ({"position__standing_bid": {"by": "A"}}, "position.standing_bid.bid: is missing"),
        ({"position__standing_bid": {"by": "B", "bid": "1x2"}}, "position.standing_bid.by: holds no dice"),
        ({"position__standing_bid": {"by": "A", "bid": "dudo"}}, "position.standing_bid.bid: is no bid"),
        ({"position__standing_bid": {"by": "A", "bid": "3x7"}}, "position.standing_bid.bid: is no bid"),
        ({"actions": {}}, "actions: is not a list"),
        ({"actions": [{"by": "A", "do": "4x4"}]}, "actions[0].legal: is missing"),
        ({"actions": [{"by": "A", "do": "4x4", "legal": 1}]}, "actions[0].legal: is neither true nor false"),
        ({"actions": [{"by": "A", "do": "four", "legal": True}]}, "actions[0].do: is no action"),
        ({"actions": [{"by": "A", "do": "blind", "legal": True}]}, "actions[0].do: is no action"),
        ({"next": {"by": "A", "legal": "1x2"}}, "next.legal: is not a list"),
        ({"next": {"by": "A", "may": []}}, "next.may: unknown field"),
        ({"expect__matching": -1}, "expect.matching: is not a whole number from 0"),
        ({"expect__change": {"D": 1}}, "expect.change.D: is none of A, B, C"),
        ({"expect__next_round": "choice"}, "expect.next_round: is none of"),
        ({"expect__loser": "A"}, "expect.loser: unknown field"),
        ({"sees": {"A": "A"}}, "sees.A: is not a list"),
    ],
)
def test_what_is_not_in_the_format_is_told_with_case_and_field(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(CaseFormatError) as error:
        problems(**changes)
    assert str(error.value).startswith(f"case t-1: {problem}" if "id" not in changes else f"case number 1: {problem}")


@pytest.mark.parametrize(
    "text", ["", "{", "{}", "3", "[3]", '[{"id": 1, "id": 2}]', "[" * 100_000, "[" + "9" * 5000 + "]", "[NaN]"]
)
def test_text_that_is_no_list_of_cases_is_refused_on_one_line(text: str) -> None:
    with pytest.raises(CaseFormatError) as error:
        read(text)
    assert "\n" not in str(error.value)


def test_check_prints_the_count_and_exits_0(write: Callable[[object], str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", write([case()])]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"


def test_check_counts_a_failed_case_once(write: Callable[[object], str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", write([case(), case(id="t-2", expect__matching=1, expect__winner="A")])]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[:-1]] == ["t-2 expect.matching", "t-2 expect.winner"]
    assert lines[-1] == "1 passed, 1 failed"


def test_check_names_the_file_that_is_not_in_the_format(
    write: Callable[[object], str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = write([case(position__first="Z")])
    assert main(["check", file]) == 2
    assert capsys.readouterr().err == f"{file}: case t-1: position.first: is none of A, B, C\n"


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_check_says_in_one_line_which_file_can_not_be_read(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(tmp_path / name)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_check_says_which_file_is_not_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_bytes(b"\xff\xfe\x00")
    assert main(["check", str(tmp_path / "x")]) == 2
    assert "is not text in UTF-8" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", ["", "check", "perft perudo", "perft x --dice 3", "perft perudo --dice 0"])
def test_a_command_that_is_not_understood_exits_2_with_one_line(
    arguments: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(arguments.split())
    assert exit_.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


# Files that were written to take long.


def test_a_case_has_no_thousands_of_seats() -> None:
    with pytest.raises(CaseFormatError, match=r"position\.dice: has more than 64 seats"):
        problems(position__dice={f"s{number}": 1 for number in range(9000)})


@pytest.mark.parametrize("content", ["[" * 100_000, '[{"a":1,"a":2}]', "[" + "9" * 5000 + "]", " " * (1 << 19)])
def test_a_hostile_file_is_one_line(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cases.json").write_text(content)
    assert main(["check", str(tmp_path / "cases.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_names_in_a_case_hide_nothing_when_they_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "\x1b[2Jcases.json"
    file.write_text(json.dumps([case(id="t\x9b-\u202e1", expect__winner="A")]))
    assert main(["check", str(file)]) == 1
    assert capsys.readouterr().out.replace("\n", "").isprintable()
    assert main(["check", str(tmp_path / "\x1b[2Jnone")]) == 2
    assert capsys.readouterr().err.replace("\n", "").isprintable()
