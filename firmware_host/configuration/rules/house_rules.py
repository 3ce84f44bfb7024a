"""House rules: a custom rule set made by questions on the owner's page, in `house-rules.toml` of the state folder.

The file is like one that an owner writes, so an editor may change it, too. The setting `rules` puts it into effect.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine import RULESETS, RoundKind, Rules
from engine.rules import FieldType, RuleField, fields_of
from firmware_host.configuration.rules import custom
from firmware_host.configuration.rules.consistency import contradictions, idle_fields
from firmware_host.configuration.rules.descriptions import CLOSED_IN_A_QUESTION, KINDS, SECTIONS, WORDS
from firmware_host.errors import RulesError
from firmware_host.table.staff.requests import RuleQuestion, RulesForm
from firmware_host.util import atomic_file
from hardware.config import toml_file

FILE = "house-rules.toml"
NAME = "house"
"""The name of the rule set until its owner gives it another."""
_KINDS = {**KINDS, RoundKind.FIXED_FACE_NO_WILDS_CLOSED: CLOSED_IN_A_QUESTION}


def read(state: Path) -> Rules | None:
    """Return the house rules, None without any. Blocks; raises `FileError` for a damaged file."""
    path = state / FILE
    if not path.exists() and not path.is_symlink():
        return None
    return custom.parse(toml_file.read(path, RulesError, "rules", ()), str(path))


def write(rules: Rules, state: Path) -> None:
    """Save the house rules. Blocks; raises `OSError`."""
    atomic_file.write_atomic(state / FILE, f"# written by the owner's page\n{custom.to_toml(rules)}")


def answered(name: str, based_on: str, answers: Mapping[str, Any]) -> Rules:
    """Return the rule set for answers by their dotted keys. A missing answer is as in the base, and so is one that has
    no effect beside the others. Raises `RulesError` for a value that no rule set has; contradictions may be left.
    """
    kept = dict(answers)
    while True:
        rules = custom.read(_nested(name, based_on, kept), NAME, is_draft=True)
        idle = kept.keys() & idle_fields(rules).keys() & changed_keys(rules, based_on)
        if len(rules.choices) > 1 and rules.special_unchosen not in rules.choices:
            kept["special_unchosen"] = str(rules.choices[0])
        elif not idle:
            return rules
        for key in idle:
            del kept[key]


def checked(rules: Rules) -> Rules:
    """Return a rule set that can be played. Raises `RulesError` for contradictions."""
    if faults := [*contradictions(rules)]:
        raise RulesError(rules.name, faults)
    return rules


def changed_keys(rules: Rules, based_on: str) -> set[str]:
    """Return the dotted keys in which rules differ from their base."""
    base = {question.key: question.value for question in questions(RULESETS[based_on])}
    return {question.key for question in questions(rules) if base.get(question.key) != question.value}


def form(rules: Rules, based_on: str) -> RulesForm:
    """Return the questions behind a rule set, without those that have no effect."""
    idle = idle_fields(rules)
    asked = tuple(question for question in questions(rules) if question.key not in idle)
    return RulesForm(rules.name, based_on, tuple(RULESETS), asked)


def base_of(rules: Rules) -> str:
    """Return the name of the nearest shipped rule set."""
    return custom.differences(rules)[0]


def questions(rules: Rules) -> Iterator[RuleQuestion]:
    """Yield a question for each field of a rule set, with its answers in English; a call's own fields follow it."""
    for section, keys in SECTIONS.items():
        for key in keys:
            field = fields_of(rules)[key]
            value = field.get(rules)
            if field.value_type is FieldType.PART:
                yield RuleQuestion(section, key, value is not None, _answers(key))
                words = "pass" if key == "pass" else "call"
                for part in fields_of(value).values() if value is not None else ():
                    inner = f"{words}.{part.key}"
                    yield RuleQuestion(section, f"{key}.{part.key}", _plain(part, value), _answers(inner))
            elif field.value_type is FieldType.KINDS:
                kinds = tuple((str(kind), _KINDS[kind]) for kind in RoundKind if kind is not RoundKind.NORMAL)
                yield RuleQuestion(section, key, tuple(map(str, value)), kinds)
            elif key == "special_unchosen":
                kinds = tuple((str(kind), _KINDS[kind]) for kind in rules.choices)
                yield RuleQuestion(section, key, str(value), kinds)
            else:
                yield RuleQuestion(section, key, _plain(field, rules), _answers(key))


def _answers(words: str) -> tuple[tuple[bool | int | str, str], ...]:
    return tuple((_value(value), text) for value, text in WORDS[words].items())


def _plain(field: RuleField, owner: Any) -> bool | int | str:
    return _value(field.get(owner))


def _value(value: object) -> bool | int | str:
    return value if isinstance(value, bool | int) else str(value)


def _nested(name: str, based_on: str, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return answers as a file has them: a call or pass that is switched on is a table of its own."""
    written: dict[str, Any] = {"name": name, "based_on": based_on}
    for key, value in sorted(answers.items()):
        part, _, inner = key.partition(".")
        if not inner:
            written[key] = list(value) if isinstance(value, tuple) else value
        elif written.get(part) is not False:
            table = written[part] if isinstance(written.get(part), dict) else {}
            written[part] = {**table, inner: value}
    return written
