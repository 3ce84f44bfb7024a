"""The page of the manual, and what a shell completes: both have every command and every option."""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

from docs import manual
from firmware_host.cli import new_parser

PAGE = manual.page()
(CHOICES,) = (action.choices for action in new_parser()._actions if isinstance(action, argparse._SubParsersAction))


def section(command: str) -> str:
    """Return a command's section of the page."""
    found = re.search(rf"^\.SS dudo\\-table {command}\b(.*?)(?=^\.S[SH] )", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"the manual has no section for {command}"
    return found[0].replace("\\-", "-")


def test_the_manual_names_every_command() -> None:
    assert re.findall(r"^\.SS dudo\\-table (\w+)", PAGE, re.MULTILINE) == [*CHOICES]


@pytest.mark.parametrize("command", CHOICES)
def test_the_manual_has_every_option_of_a_command_in_the_words_of_its_help_and_no_other(command: str) -> None:
    actions = [action for action in CHOICES[command]._actions if "--help" not in action.option_strings]
    entries = re.findall(r"^\.TP\n\\fB(.*)\\fR\n(.*)$", section(command).partition(".RS")[0], re.MULTILINE)
    metavars = [[f"\\fI{each.metavar}\\fR"] if each.metavar else [] for each in actions]
    written = [[*each.option_strings[-1:], *metavar] for each, metavar in zip(actions, metavars, strict=True)]
    assert [tag.split() for tag, _ in entries] == written
    assert [text.lower() for _, text in entries] == [f"{each.help}.".lower() for each in actions]


def test_no_text_of_the_manual_is_taken_for_a_request() -> None:
    requests = {line.split()[0] for line in PAGE.splitlines() if line.startswith((".", "'"))}
    assert requests == {".TH", ".SH", ".SS", ".TP", ".B", ".BR", ".I", ".RS", ".RE", ".IP"}


@pytest.mark.parametrize("command", CHOICES)
def test_what_is_to_be_replaced_in_a_command_line_is_a_word(command: str) -> None:
    metavars = [action.metavar for action in CHOICES[command]._actions if action.metavar]
    assert [name for name in metavars if len(str(name)) < 4 or not str(name).isupper()] == []


@pytest.mark.parametrize("command", ["run", "doctor", "blank", "check", "show"])
def test_a_layout_is_an_argument_or_a_flag_of_each_command_about_a_table(command: str) -> None:
    named = [action.option_strings for action in CHOICES[command]._actions if action.metavar == "LAYOUT"]
    assert named == [[], ["--layout"]]


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("dudo-table pl", ["play "]),
        ("dudo-table show wired-", ["wired-4", "wired-8"]),
        ("dudo-table play --layout wired-", ["wired-4", "wired-8"]),
        ("dudo-table play --rules pyr", ["pyrudo "]),
        ("dudo-table doctor --a", ["--all "]),
    ],
)
def test_a_shell_is_told_how_a_line_goes_on(line: str, completed: list[str], tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line))}
    subprocess.run(
        [sys.executable, "-m", "firmware_host.cli"],
        cwd=ROOT,
        env={**os.environ, **asked, "_ARGCOMPLETE_STDOUT_FILENAME": str(answer)},
        check=True,
        timeout=60,
    )
    assert answer.read_text().split("\013") == completed
