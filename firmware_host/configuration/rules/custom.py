"""An owner's custom rule set in TOML: a shipped one as its base, and the differences.

    name = "grandmother"
    based_on = "perudo"
    to_aces = "half"
    special = ["fixed-face-no-wilds"]
    calza = false            # switched off; true switches a call on

    [pass]                   # a table switches it on too
    with_fewer_dice = false

The keys are those of `engine.rules`. `parse` reads such a text and `to_toml` writes it;
`firmware_host.configuration.lookup` opens the files.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from engine.rules import ExactCall, FieldType, PassRule, RoundKind, RuleField, Rules, changed_fields, fields_of
from engine.rulesets import RULESETS
from firmware_host.configuration.rules.consistency import contradictions, without_effect
from firmware_host.errors import RulesError
from hardware.config import toml_file
from hardware.config.problems import MAX_PROBLEMS, Problem, closest_match, one_line, preview, suggest
from hardware.config.schema import Boolean, OneOf, Text, ValueType

_NAME = Text('"grandmother"', max_characters=24)
_BASE = "based_on"
_SPECIAL_KINDS = tuple(kind for kind in RoundKind if kind is not RoundKind.NORMAL)
_Part = TypeVar("_Part", Rules, ExactCall, PassRule)

KEYS = (_BASE, *fields_of(Rules))
"""Keys at the top of a file of rules; calls and the pass have tables of their own."""


def parse(text: str, file: str = "rules") -> Rules:
    """Parse a rule set from `text`; `file` is its name in errors. Raises `RulesError`."""
    return read(toml_file.table(text, file, RulesError), file)


def read(written: Mapping[str, Any], file: str = "rules", *, is_draft: bool = False) -> Rules:
    """Return the rule set in a parsed TOML file. Raises `RulesError`. The fields of a draft may contradict each other
    or have no effect.
    """
    reader = _Reader()
    rules = reader.rules(written)
    if not reader.faults and not is_draft:
        reader.faults += [*contradictions(rules), *without_effect(rules, reader.changed)]
    if reader.faults:
        raise RulesError(file, reader.faults)
    return rules


def to_toml(rules: Rules) -> str:
    """Return the text for which `parse` returns `rules`, based on the nearest shipped rule set.

    Raises `RulesError` for contradictory rules, impossible in a file.
    """
    texts = [_to_toml_from(base, rules) for base in RULESETS.values()]
    contradiction = RulesError(rules.name, ())
    for text in sorted(texts, key=lambda text: text.count("\n")):
        try:
            if parse(text, rules.name) == rules:
                return text
        except RulesError as error:
            contradiction = error
    raise contradiction


def differences(rules: Rules) -> tuple[str, tuple[str, ...]]:
    """Return the nearest shipped rule set, and the lines changing it into `rules`."""
    written = tomllib.loads(to_toml(rules))
    base = written.pop(_BASE)
    del written["name"]
    lines: list[str] = []
    for key, value in written.items():
        inner = value.items() if isinstance(value, dict) else ()
        lines += [f"{key}.{name} = {toml(part)}" for name, part in inner] or [f"{key} = {toml(value)}"]
    return base, tuple(lines)


class _Reader:
    """A reader for one file: it makes the rule set as far as possible and collects all faults."""

    def __init__(self) -> None:
        self.faults: list[Problem] = []
        self.changed: set[str] = set()  # paths with a value that differs from the base

    def rules(self, written: Mapping[str, Any]) -> Rules:
        base = self._base(written)
        differing = {key: value for key, value in written.items() if key != _BASE}
        rules = self._with(replace(base, name=f"{base.name}-house"), differing, "")
        if rules.name in RULESETS and rules != RULESETS[rules.name]:
            self._fault("name", rules.name, "is the name of another rule set", "give these rules a name of their own")
        return rules

    def _base(self, written: Mapping[str, Any]) -> Rules:
        name = written.get(_BASE)
        if isinstance(name, str) and name in RULESETS:
            return RULESETS[name]
        if _BASE in written:
            self._fault(_BASE, name, "is not a rule set", suggest(str(name), RULESETS))
        elif not any(closest_match(key, (_BASE,)) for key in written):
            remedy = f'add {_BASE} = "perudo", or the rule set nearest to this one'
            self.faults.append(Problem(_BASE, "", "is missing", remedy))
        return RULESETS["perudo"]

    def _with(self, was: _Part, written: Mapping[str, Any], prefix: str) -> _Part:
        """Return `was` with the fields from one table in the file."""
        fields = fields_of(was)
        changes = {}
        for key, value in written.items():
            path = prefix + one_line(key)[:64]
            field = fields.get(key)
            if field is None:
                self._unknown(prefix, key, value, fields)
                continue
            before = field.get(was)
            changes[field.name] = self._value(path, value, field, before)
            if changes[field.name] != before:
                self.changed.add(path)
        return replace(was, **changes)

    def _unknown(self, prefix: str, key: str, value: object, known: Iterable[str]) -> None:
        is_shown = len(self.faults) <= MAX_PROBLEMS  # the search for a similar key takes time
        meant = closest_match(key, (*known, *(() if prefix else (_BASE,)))) if is_shown else None
        remedy = f"did you mean {meant}?" if meant else f"take it out; there is {', '.join(known)}"
        self._fault(prefix + one_line(key)[:64], value, "is an unknown key", remedy)

    def _value(self, path: str, value: Any, field: RuleField, was: Any) -> Any:
        """Return `value` in the field's type, or `was` after adding a fault."""
        match field.value_type:
            case FieldType.NAME:
                return self._checked(path, value, _NAME, was)
            case FieldType.SWITCH:
                return self._checked(path, value, Boolean(), was)
            case FieldType.CHOICE:
                word = self._checked(path, value, _one_of(field.choices), was)
                return field.choices[field.choices.index(word)]  # a kind of round, where plain text is wrong
            case FieldType.NUMBER:
                return self._number(path, value, field.choices, was)
            case FieldType.KINDS:
                return self._kinds(path, value, was)
            case FieldType.PART:
                return self._part(path, value, field, was)

    def _checked(self, path: str, value: Any, allowed: ValueType, was: Any) -> Any:
        problems = [*allowed.problems(path, value)]
        self.faults += problems
        return was if problems else value

    def _number(self, path: str, value: Any, numbers: tuple[int, ...], was: int) -> int:
        if type(value) is int and value in numbers:  # true is an int, too
            return value
        self._fault(path, value, "is not one of its values", f"write a whole number, {numbers[0]} to {numbers[-1]}")
        return was

    def _kinds(self, path: str, value: Any, was: tuple[RoundKind, ...]) -> tuple[RoundKind, ...]:
        if isinstance(value, list):
            special = _one_of(_SPECIAL_KINDS)
            return tuple(RoundKind(self._checked(path, kind, special, RoundKind.NORMAL)) for kind in value)
        self._fault(path, value, "is not a list of kinds of round", 'write for example ["blind", "open"], or []')
        return was

    def _part(self, path: str, value: Any, field: RuleField, was: Any) -> Any:
        assert field.part is not None
        if isinstance(value, dict):
            return self._with(was or field.part(), value, f"{path}.")
        if isinstance(value, bool):
            return (was or field.part()) if value else None
        remedy = f"write true, false, or a table headed [{path}]"
        self._fault(path, value, "neither switches it on or off nor says how it goes", remedy)
        return was

    def _fault(self, path: str, value: object, problem: str, remedy: str) -> None:
        self.faults.append(Problem(path, preview(value), problem, remedy))


def _one_of(words: Iterable[str]) -> OneOf:
    return OneOf(tuple(map(str, words)), "one of its values")


def _to_toml_from(base: Rules, rules: Rules) -> str:
    """Return the text changing `base` into `rules`."""
    lines, tables = [f"name = {toml(rules.name)}", f'{_BASE} = "{base.name}"'], []
    renamed = replace(base, name=rules.name)
    for field in changed_fields(rules, renamed):
        value, was = field.get(rules), field.get(renamed)
        if value is None or field.part is None:
            lines.append(f"{field.key} = {toml(False if value is None else value)}")
            continue
        parts = [f"{part.key} = {toml(part.get(value))}" for part in changed_fields(value, was or field.part())]
        if parts:
            tables += ["", f"[{field.key}]", *parts]
        else:
            lines.append(f"{field.key} = true")
    return "\n".join([*lines, *tables, ""])


def toml(value: Any) -> str:
    """Return a field's value as TOML."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case tuple() | list():
            return f"[{', '.join(map(toml, value))}]"
        case _:
            escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'
