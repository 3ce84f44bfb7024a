"""What `docs/rules.md` says of the shipped rule sets is what they are."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from engine import RULESETS, ExactCall, PassRule, Rules
from firmware_host.configuration.rules.custom import parse

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "rules.md").read_text(encoding="utf-8")
TABLE = PAGE.partition("## Every field")[2].partition("An exact call ends")[0]
ROWS = {key: cells.split(" | ")[1:] for key, cells in re.findall(r"^\| `([a-z_.]+)` \| (.+) \|$", TABLE, re.MULTILINE)}
FIELDS = [field.name.replace("passing", "pass") for field in fields(Rules) if field.name != "name"]
PARTS = [f"{call}.{field.name}" for call in ("calza", "kill", "spot") for field in fields(ExactCall)]
PARTS += [f"pass.{field.name}" for field in fields(PassRule)]


def cell(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return ", ".join(value)
        case None:
            return "–"
        case ExactCall() | PassRule():
            return "yes"
    return str(value)


@pytest.mark.parametrize("key", [*FIELDS, *PARTS])
def test_the_page_has_the_value_of_each_rule_set(key: str) -> None:
    name, _, part = key.partition(".")
    values = [getattr(rules, "passing" if name == "pass" else name) for rules in RULESETS.values()]
    if part:
        values = [getattr(value, part) if value else None for value in values]
    expected = [cell(value) for value in values]
    row = f"write this row into docs/rules.md: | `{key}` | ... | {' | '.join(expected)} |"
    assert ROWS.get(key) == expected, row


@pytest.mark.parametrize(
    ("page", "listed"),
    [
        ("notation.md", "name  = " + " | ".join(f'"{name}"' for name in RULESETS) + "\n"),
        ("configuration.md", f"dudo-table rules                          # {', '.join(RULESETS)}\n"),
    ],
)
def test_every_list_of_rule_sets_has_each(page: str, listed: str) -> None:
    assert listed in (DOCS / page).read_text(encoding="utf-8"), f"write into docs/{page}: {listed}"


def test_the_page_tells_of_no_other_key() -> None:
    assert ROWS.keys() - {*FIELDS, *PARTS} == set()


def test_the_house_on_the_page_can_be_played() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert parse(example).name == "grandmother"
