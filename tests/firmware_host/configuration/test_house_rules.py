"""House rules by questions: every answer makes a rule set that a file has, or says what contradicts it."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import PERUDO, PYRUDO, RULESETS, Rules
from firmware_host.configuration.configuration import Configuration
from firmware_host.configuration.rules import custom, house_rules
from firmware_host.configuration.rules.house_rules import answered, base_of, checked, form, questions
from firmware_host.configuration.settings import HOUSE_RULES, Settings
from firmware_host.errors import RulesError
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.table.health import Alert

Answers = dict[str, Any]


def answers_of(rules: Rules) -> Answers:
    return {question.key: question.value for question in questions(rules)}


@pytest.mark.parametrize("base", RULESETS)
def test_the_answers_of_a_shipped_rule_set_make_it_again(base: str) -> None:
    assert answered("ours", base, answers_of(RULESETS[base])) == replace(RULESETS[base], name="ours")
    assert answered("ours", base, {}) == replace(RULESETS[base], name="ours")
    assert base_of(RULESETS[base]) == base


@pytest.mark.parametrize("base", RULESETS)
def test_each_answer_makes_a_file_that_reads_back_or_is_contradicted(base: str, tmp_path: Path) -> None:
    for question in form(RULESETS[base], base).questions:
        for value, _ in question.answers:
            value = (value,) if isinstance(question.value, tuple) else value
            rules = answered("ours", base, answers_of(RULESETS[base]) | {question.key: value})
            try:
                checked(rules)
            except RulesError:
                continue
            house_rules.write(rules, tmp_path)
            assert house_rules.read(tmp_path) == rules


@given(st.sampled_from([*RULESETS]), st.data())
@settings(max_examples=60, deadline=None)
def test_whatever_is_answered_one_after_the_other_can_be_written_or_is_contradicted(
    base: str, data: st.DataObject
) -> None:
    rules = RULESETS[base]
    for _ in range(6):
        question = data.draw(st.sampled_from(form(rules, base).questions))
        values = [value for value, _ in question.answers]
        kinds = st.lists(st.sampled_from(values), unique=True).map(tuple)
        value = data.draw(kinds if isinstance(question.value, tuple) else st.sampled_from(values))
        asked = {each.key: each.value for each in form(rules, base).questions}
        rules = answered("ours", base, asked | {question.key: value})
        asked_next = form(rules, base).questions
        assert all(each.value in dict(each.answers) for each in asked_next if isinstance(each.value, str))
    with suppress(RulesError):
        assert custom.parse(custom.to_toml(checked(rules))) == rules


def test_a_question_without_effect_is_not_asked_and_its_answer_left_out() -> None:
    asked = {question.key for question in form(answered("ours", "perudo", {"wild_aces": False}), "perudo").questions}
    assert not {"to_aces", "from_aces"} & asked
    rules = answered("ours", "perudo", {"wild_aces": False, "to_aces": "half"})
    assert rules.to_aces == PERUDO.to_aces


@pytest.mark.parametrize(
    "answers", [{"dice": 6}, {"starting_dice": 6}, {"calza": "yes"}, {"calza.by": 1}, {"a.b.c": 1}]
)
def test_a_value_that_no_rule_set_has_is_named(answers: Answers) -> None:
    with pytest.raises(RulesError):
        answered("ours", "perudo", answers)


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_every_question_is_asked_in_every_language(language: str) -> None:
    said = translation_for(language).gettext
    texts = {text for rules in RULESETS.values() for each in questions(rules) for _, text in each.answers}
    texts |= {question.section for question in questions(PERUDO)}
    assert [text for text in texts if said(text) == text] == []


# In effect


def test_house_rules_are_in_effect_when_the_setting_says_so(tmp_path: Path) -> None:
    configuration = Configuration("wired-4", tmp_path)
    assert configuration.read().house is None
    rules = answered("ours", "pyrudo", {"starting_dice": 3})
    configuration.write_house_rules(rules)
    assert configuration.read().rules != rules
    configuration.write_settings(Settings(rules=HOUSE_RULES))
    assert (configuration.read().rules, configuration.read().house) == (rules, rules)


def test_a_damaged_file_leaves_the_rules_now_and_raises_the_alert(tmp_path: Path) -> None:
    configuration = Configuration("wired-4", tmp_path)
    configuration.write_settings(Settings(rules=HOUSE_RULES))
    (tmp_path / house_rules.FILE).write_text("starting_dice = 9\n")
    reading = configuration.read(configuration.read().layout, PYRUDO)
    assert reading.rules == PYRUDO
    assert "starting_dice" in reading.alerts[Alert.RULES]
    configuration.write_settings(Settings())
    assert configuration.read().alerts == {}
