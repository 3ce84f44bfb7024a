"""A sixth rule set, written by a house in TOML: which of the five it is based on, and what differs.

    name = "grandmother"
    based_on = "perudo"
    to_aces = "half"
    special = ["fixed-face-no-wilds"]
    calza = false            # switched off; true switches one on

    [pass]                   # a table switches it on too
    with_fewer_dice = false

The keys are the fields of `Rules`, `ExactCall` and `PassRule`; `passing` is spelled `pass`. `parse` reads such a text
and `to_toml` writes it. Neither opens a file; `firmware_host.configuration.rules.registry` does.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from engine.rules import ExactCall, PassRule, RoundKind, Rules
from engine.rulesets import RULESETS
from firmware_host.configuration.rules.consistency import contradictions, without_effect
from firmware_host.errors import RulesError
from hardware.config import toml_file
from hardware.config.problems import MAX_FAULTS, Fault, choose_from, closest, one_line, shown

__all__ = ["KEYS", "Fault", "differences", "parse", "read", "spelled", "to_toml", "toml"]

NAME_CHARACTERS = 24
_BASE = "based_on"
_SPECIAL = tuple(kind for kind in RoundKind if kind is not RoundKind.NORMAL)
_Rule = TypeVar("_Rule", Rules, ExactCall, PassRule)


def spelled(name: str) -> str:
    """How a house spells a field: `pass` is a word of Python's, so the field is called `passing`."""
    return "pass" if name == "passing" else name


KEYS = (_BASE, *(spelled(field.name) for field in fields(Rules)))
"""What may stand in a house's file, but for what is in the tables of calls and the pass."""


def parse(text: str, file: str = "rules") -> Rules:
    """The rule set that `text` describes; `file` is the name its faults go by. Raises `RulesError`."""
    return read(toml_file.table(text, file, RulesError), file)


def read(written: Mapping[str, Any], file: str = "rules") -> Rules:
    """The rule set that a file's text describes, as `tomllib` reads it. Raises `RulesError`."""
    reading = _Reading()
    rules = reading.rules(written)
    if not reading.faults:
        reading.faults += [*contradictions(rules), *without_effect(rules, reading.changed)]
    if reading.faults:
        raise RulesError(file, reading.faults)
    return rules


def to_toml(rules: Rules) -> str:
    """The text that `parse` reads back as `rules`, based on the one of the five that is nearest.

    Raises `RulesError` for rules that no house could write, because they contradict themselves.
    """
    refusal = RulesError(rules.name, ())
    for text in sorted((_differences(rules, base) for base in RULESETS.values()), key=lambda text: text.count("\n")):
        try:
            if parse(text, rules.name) == rules:
                return text
        except RulesError as error:
            refusal = error
    raise refusal


def differences(rules: Rules) -> tuple[str, tuple[str, ...]]:
    """The rule set of the five that is nearest, and what a house would write to get `rules` from it, part by part."""
    written = tomllib.loads(to_toml(rules))
    base = written.pop(_BASE)
    del written["name"]
    parts: list[str] = []
    for key, value in written.items():
        inner = value.items() if isinstance(value, dict) else ()
        parts += [f"{key}.{name} = {toml(part)}" for name, part in inner] or [f"{key} = {toml(value)}"]
    return base, tuple(parts)


class _Reading:
    """One reading of a text: the rule set as far as it can be made out, and all faults met on the way."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.changed: set[str] = set()  # keys that say something else than the base does

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
            self._fault(_BASE, name, "is no rule set", choose_from(str(name), RULESETS))
        elif not any(closest(key, (_BASE,)) for key in written):
            remedy = f'add {_BASE} = "perudo", or the rule set nearest to this one'
            self.faults.append(Fault(_BASE, "", "is missing", remedy))
        return RULESETS["perudo"]

    def _with(self, was: _Rule, written: Mapping[str, Any], table: str) -> _Rule:
        """`was` with the fields that are written in one table of the text."""
        hints = get_type_hints(type(was))
        known: dict[str, str] = {spelled(name): name for name in hints}
        changes = {}
        for key, value in written.items():
            place = table + one_line(key)[:64]
            if key not in known:
                is_shown = len(self.faults) <= MAX_FAULTS
                meant = closest(key, (*known, *(() if table else (_BASE,)))) if is_shown else None
                remedy = f"did you mean {meant}?" if meant else f"take it out; there is {', '.join(known)}"
                self._fault(place, value, "is an unknown key", remedy)
                continue
            name = known[key]
            before = getattr(was, name)
            changes[name] = self._value(place, value, hints[name], before)
            if changes[name] != before:
                self.changed.add(place)
        return replace(was, **changes)

    def _value(self, key: str, value: Any, hint: Any, was: Any) -> Any:
        """`value` as `hint` wants it, or `was` with a fault."""
        if hint is str:
            return self._name(key, value, was)
        if hint is bool:
            return self._switch(key, value, was)
        if NoneType in get_args(hint):
            return self._part(key, value, get_args(hint)[0], was)
        if get_origin(hint) is tuple:
            return self._kinds(key, value, was)
        words = get_args(hint) if get_origin(hint) is Literal else tuple(RoundKind)
        return self._word(key, value, words, was)

    def _name(self, key: str, value: Any, was: str) -> str:
        if isinstance(value, str) and value.isprintable() and value == value.strip() and value:
            if len(value) <= NAME_CHARACTERS:
                return value
            self._fault(key, value, f"has more than {NAME_CHARACTERS} characters", "shorten it")
        else:
            self._fault(key, value, "is no name", 'write for example "grandmother"')
        return was

    def _switch(self, key: str, value: Any, was: bool) -> bool:
        if isinstance(value, bool):
            return value
        self._fault(key, value, "is neither true nor false", "write true or false, without quotes")
        return was

    def _word(self, key: str, value: Any, words: tuple[str, ...], was: str) -> str:
        if isinstance(value, str) and value in words:
            return words[words.index(value)]
        self._fault(key, value, "is not a word for it", choose_from(value if isinstance(value, str) else "", words))
        return was

    def _kinds(self, key: str, value: Any, was: tuple[RoundKind, ...]) -> tuple[RoundKind, ...]:
        if isinstance(value, list):
            return tuple(RoundKind(self._word(key, kind, _SPECIAL, RoundKind.NORMAL)) for kind in value)
        self._fault(key, value, "is not a list of kinds of round", 'write for example ["blind", "open"], or []')
        return was

    def _part(self, key: str, value: Any, part: type[Any], was: Any) -> Any:
        if isinstance(value, dict):
            return self._with(was or part(), value, f"{key}.")
        if isinstance(value, bool):
            return (was or part()) if value else None
        remedy = f"write true, false, or a table headed [{key}]"
        self._fault(key, value, "neither switches it on or off nor says how it goes", remedy)
        return was

    def _fault(self, key: str, value: object, problem: str, remedy: str) -> None:
        self.faults.append(Fault(key, shown(value), problem, remedy))


def _differences(rules: Rules, base: Rules) -> str:
    """What a house would write to get `rules` from `base`."""
    lines, tables = [f"name = {toml(rules.name)}", f'{_BASE} = "{base.name}"'], []
    for name, value, was in _differing(rules, replace(base, name=rules.name)):
        key = spelled(name)
        if value is None or not isinstance(value, ExactCall | PassRule):
            lines.append(f"{key} = {toml(False if value is None else value)}")
            continue
        parts = [f"{part} = {toml(new)}" for part, new, _ in _differing(value, was or type(value)())]
        if parts:
            tables += ["", f"[{key}]", *parts]
        else:
            lines.append(f"{key} = true")
    return "\n".join([*lines, *tables, ""])


def _differing(new: Any, old: Any) -> Iterator[tuple[str, Any, Any]]:
    for field in fields(new):
        value, was = getattr(new, field.name), getattr(old, field.name)
        if value != was:
            yield field.name, value, was


def toml(value: Any) -> str:
    """A field's value as a house writes it."""
    match value:
        case bool():
            return str(value).lower()
        case tuple() | list():
            return f"[{', '.join(map(toml, value))}]"
        case _:
            escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'
