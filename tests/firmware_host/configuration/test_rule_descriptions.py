"""Rules in a player's words: every field and value has some, and a rule set written out reads back to itself."""

from dataclasses import fields, replace
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from engine import PALO_FIJO, PERUDO, RULESETS, ExactCall, PassRule, RoundKind, Rules
from firmware_host import cli
from firmware_host.configuration import summary as summaries
from firmware_host.configuration.rules import descriptions
from firmware_host.configuration.rules.custom import KEYS, parse
from firmware_host.configuration.rules.descriptions import KINDS, PARTS, SECTIONS, WORDS, describe, summarise

CUSTOM = """
name = "grandmother"
based_on = "perudo"
to_aces = "half"
calza = false
special = ["blind", "fixed-face"]
special_unchosen = "blind"

[pass]
with_fewer_dice = false
"""


def values(hint: Any) -> set[object]:
    if hint is bool or type(None) in get_args(hint):
        return {True, False}
    return set(RoundKind) if hint is RoundKind else set(get_args(hint))


def described_fields() -> dict[str, set[object]]:
    expected = {}
    for name, hint in get_type_hints(Rules).items():
        if hint is not str and get_origin(hint) is not tuple:
            expected[name.replace("passing", "pass")] = values(hint)
    for part, kind in (("call", ExactCall), ("pass", PassRule)):
        expected |= {f"{part}.{name}": values(hint) for name, hint in get_type_hints(kind).items()}
    return expected


def test_every_field_has_words_for_every_value_it_can_have() -> None:
    written, expected = {key: set(words) for key, words in WORDS.items()}, described_fields()
    missing = [key for key, values in expected.items() if values - written.get(key, set())]
    assert missing == [], f"write these words into WORDS: {', '.join(missing)}"
    assert written == expected


def test_every_kind_of_round_has_words() -> None:
    assert set(KINDS) == set(RoundKind)


def test_every_key_of_a_custom_rule_set_is_in_one_section() -> None:
    keys = [key for section in SECTIONS.values() for key in section]
    expected = {*KEYS} - {"name", "based_on"}
    assert expected <= {*keys}, f"write these fields into SECTIONS: {', '.join(sorted(expected - {*keys}))}"
    assert sorted(keys) == sorted(expected)


def test_words_are_sentences() -> None:
    assert all(words[0].isupper() and words.endswith(".") for field in WORDS.values() for words in field.values())


def test_no_two_values_of_a_field_are_told_alike() -> None:
    assert all(len(set(field.values())) == len(field) for field in WORDS.values())


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_every_field_of_a_rule_set_is_told_once(rules: Rules) -> None:
    keys = [line.key for line in describe(rules)]
    parts = {part: getattr(rules, part.replace("pass", "passing")) for part in PARTS}
    inner = [f"{part}.{field.name}" for part, value in parts.items() if value for field in fields(value)]
    assert sorted(keys) == sorted([*(set(KEYS) - {"name", "based_on"}), *inner])


def test_a_field_without_effect_says_so() -> None:
    by_key = {line.key: line.words for line in describe(replace(PERUDO, name="x", wild_aces=False))}
    assert by_key["to_aces"] == "Has no effect here, as aces are never wild."


@pytest.mark.parametrize("rules", [*RULESETS.values(), parse(CUSTOM)], ids=str)
def test_rules_with_comments_read_back_to_the_same(rules: Rules) -> None:
    written = descriptions.to_commented_toml(rules)
    assert parse(written) == rules
    assert max(map(len, written.splitlines())) <= 120


def test_a_file_with_comments_has_every_key_and_its_other_values() -> None:
    written = descriptions.to_commented_toml(PALO_FIJO)
    assert all(f"\n{key} = " in written or f"\n[{key}]" in written for key in set(KEYS))
    assert '\n# A lower face may be bid with more dice. Or "never".\nlower_face = "more"\n' in written


def test_a_rule_set_in_short_tells_aces_calls_and_special_rounds() -> None:
    assert summarise(PERUDO) == (
        "Aces are wild. Dudo in turn, calza by anybody. Special rounds: fixed-face, at every fall to one die."
    )
    assert summarise(replace(PERUDO, special=())).endswith("No special rounds.")


@pytest.mark.parametrize(
    ("rules", "summary"),
    [
        (PERUDO, "the rules of perudo"),
        (replace(PERUDO, name="ours"), "rules called ours, the same as perudo"),
        (
            parse(CUSTOM),
            'rules called grandmother, perudo but for to_aces = "half", calza = false, '
            'special = ["blind", "fixed-face"], special_unchosen = "blind", pass.with_fewer_dice = false',
        ),
    ],
    ids=["shipped", "renamed", "custom"],
)
def test_rules_are_summed_up_by_what_differs(rules: Rules, summary: str) -> None:
    assert summaries.of_rules(rules) == summary


@pytest.mark.parametrize("width", [50, 60, 80, 120])
@pytest.mark.parametrize("name", RULESETS)
def test_rules_are_told_within_the_terminal(
    name: str, width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert cli.main(["rules", name]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert all(len(row) <= width for row in rows if " = " not in row)


def test_rules_lists_what_is_shipped_with_a_sentence_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rules"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n{name}  " in f"\n{out}" or f"\n{name} " in f"\n{out}" for name in RULESETS)
