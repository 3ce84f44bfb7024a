"""Every example in `docs/notation.md` is read and written back as it stands there, and its sessions run."""

import doctest
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import (
    parse_action,
    parse_hand,
    parse_position,
    parse_rules,
    parse_score,
    write_hand,
    write_rules,
    write_score,
)
from engine.notation import score
from firmware_host import cli

PAGE = (Path(__file__).parents[3] / "docs" / "notation.md").read_text(encoding="utf-8")
FENCES = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
FORMS: dict[str, tuple[Callable[[str], Any], Callable[[Any], str]]] = {
    "action": (parse_action, str),
    "hand": (parse_hand, write_hand),
    "rules": (parse_rules, write_rules),
    "position": (parse_position, str),
}
LINES = [(form, line) for form, text in FENCES if form in FORMS for line in text.splitlines()]
SCORES = [text for form, text in FENCES if form == "score"]


@pytest.mark.parametrize(("form", "line"), LINES, ids=[f"{form} {line[:40]}" for form, line in LINES])
def test_each_example_reads_and_is_written_the_same(form: str, line: str) -> None:
    read, write = FORMS[form]
    assert write(read(line)) == line


@pytest.mark.parametrize("text", SCORES)
def test_each_score_reads_and_is_written_the_same(text: str) -> None:
    assert write_score(parse_score(text)) == text


def test_the_page_has_a_public_score_and_one_without_dice() -> None:
    scores = [parse_score(text) for text in SCORES]
    assert scores[0] == scores[0].public
    assert scores[0] != scores[1]
    assert "?" in SCORES[2]


def test_the_page_has_no_other_kind_of_example() -> None:
    assert {form for form, _ in FENCES} == {*FORMS, "score", "text", "pycon", "console"}


def test_the_sessions_on_the_page_run() -> None:
    session = "".join(text for form, text in FENCES if form == "pycon").replace("\n\n1. ", "\n<BLANKLINE>\n1. ")
    test = doctest.DocTestParser().get_doctest(session, {}, "notation.md", None, None)
    results = doctest.DocTestRunner().run(test)
    assert results.attempted >= 10
    assert results.failed == 0


def test_the_session_that_opens_the_score_runs() -> None:
    assert doctest.testmod(score) == (0, 6)


@pytest.mark.slow
def test_the_commands_on_the_page_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (commands,) = (text for form, text in FENCES if form == "console")
    for command in commands.splitlines():
        assert cli.main(command.split()[1:]) == 0
    assert capsys.readouterr().out.count(" wins the match.") == 3
    parse_score((tmp_path / "evening.dudo").read_text("utf-8"), playable=True)
