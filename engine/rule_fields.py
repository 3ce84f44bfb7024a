"""The fields of a rule set, described once: key, type and allowed values.

Each text form of a rule set is made from these descriptions: the word in a position (`engine.rulesets`), the TOML file
of a custom rule set and the sentences for players (both in the host). A new field of `Rules`, `ExactCall` or `PassRule`
is described by its annotation and needs no line here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from engine.rules import ExactCall, PassRule, RoundKind, Rules

Part: TypeAlias = Rules | ExactCall | PassRule


class FieldType(Enum):
    """The kind of value that a field has."""

    NAME = auto()  # the name of the rule set
    SWITCH = auto()  # true or false
    CHOICE = auto()  # one of a few words
    NUMBER = auto()  # one of a few whole numbers
    KINDS = auto()  # kinds of round, in order
    PART = auto()  # an `ExactCall` or a `PassRule`, or None where it is switched off


@dataclass(frozen=True, slots=True)
class RuleField:
    """The description of one field."""

    name: str
    """Name of the attribute."""
    key: str
    """Name in texts: the key of `passing` is `pass`, which is a keyword of Python."""
    value_type: FieldType
    choices: tuple[Any, ...] = ()
    """Words that a `CHOICE` may be, numbers that a `NUMBER` may be, kinds of round that `KINDS` may hold."""
    part: type[Any] | None = None
    """Class of a `PART`: `ExactCall` or `PassRule`."""

    def get(self, owner: Part) -> Any:
        """Return the value of this field."""
        return getattr(owner, self.name)


def _described(name: str, hint: Any) -> RuleField:
    key = "pass" if name == "passing" else name
    if hint is str:
        return RuleField(name, key, FieldType.NAME)
    if hint is bool:
        return RuleField(name, key, FieldType.SWITCH)
    if hint in (ExactCall | None, PassRule | None):
        return RuleField(name, key, FieldType.PART, part=get_args(hint)[0])
    if get_origin(hint) is tuple and RoundKind in get_args(hint):
        return RuleField(name, key, FieldType.KINDS, tuple(RoundKind))
    if hint is RoundKind:
        return RuleField(name, key, FieldType.CHOICE, tuple(RoundKind))
    if get_origin(hint) is Literal:
        choices = get_args(hint)
        return RuleField(name, key, FieldType.NUMBER if isinstance(choices[0], int) else FieldType.CHOICE, choices)
    raise TypeError(f"no FieldType describes {hint}, the type of the rule field {name}")


_FIELDS: Mapping[type, Mapping[str, RuleField]] = {
    owner: {field.key: field for field in (_described(name, hint) for name, hint in get_type_hints(owner).items())}
    for owner in (Rules, ExactCall, PassRule)
}


def fields_of(owner: Part | type[Part]) -> Mapping[str, RuleField]:
    """Return the fields of a rule set or of one of its parts, by key, in the order in which they are declared."""
    return _FIELDS[owner if isinstance(owner, type) else type(owner)]


def changed_fields(new: Part, old: Part) -> Iterator[RuleField]:
    """Yield the fields in which two values of one class differ."""
    return (field for field in fields_of(new).values() if field.get(new) != field.get(old))


def value_at(rules: Rules, path: str) -> Any:
    """Return the value at a path of keys, such as `pass.wild_aces`. Its parts must be switched on."""
    value: Any = rules
    for key in path.split("."):
        value = fields_of(value)[key].get(value)
    return value
