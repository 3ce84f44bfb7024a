"""The shipped rule sets as data, and any rule set's text form.
`docs/rules.md` gives the source of each field, sentence by sentence. The text form is one word: `perudo`, or for a
custom rule set `grandmother=perudo(to_aces=half,calza=false)`. A position and a score carry it, so both are complete
without any other file. The keys are those in a rules file, with the nearest of the first five as the base.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

from engine.errors import NotationError, nearest
from engine.hands import NOTHING
from engine.rules import ExactCall, FieldType, Part, PassRule, RoundKind, RuleField, Rules, changed_fields, fields_of

KILL_SPOT = Rules(
    name="kill-spot",
    wild_aces=False,
    higher_face="any",
    dudo_by="anyone",
    kill=ExactCall(by="anyone", right="bidder-loses", opener_if_right="loser"),
    spot=ExactCall(by="anyone", wrong="bidder-gains", opener_if_right="bidder", opener_if_wrong="caller"),
    special=(RoundKind.BLIND, RoundKind.OPEN),
    special_waivable=True,
)

PYRUDO = Rules(
    name="pyrudo",
    calza=ExactCall(),
    special=(RoundKind.FIXED_FACE,),
)

OBLIGING = Rules(
    name="obliging",
    seating="roll-order",
    higher_face="same-or-more",
    open_on_aces="never",
    open_on_aces_in_special="never",
    calza=ExactCall(right="nobody-loses", opener_if_right="bidder"),
    special=(RoundKind.FIXED_FACE_NO_WILDS,),
    special_with_two=False,
    face_change="one-die",
    fixed_face_name="obliging",
)

PERUDO = Rules(
    name="perudo",
    calza=ExactCall(by="anyone"),
    special=(RoundKind.FIXED_FACE,),
    special_again=True,
    special_with_two=False,
)

PALO_FIJO = Rules(
    name="palo-fijo",
    seating="roll-order",
    higher_face="same-or-more",
    lower_face="more",
    open_on_aces="one-die",
    open_on_aces_in_special="one-die",
    calza=ExactCall(while_most_dice_left=True),
    passing=PassRule(),
    special=(RoundKind.FIXED_FACE_NO_WILDS_OPEN, RoundKind.FIXED_FACE_NO_WILDS_CLOSED),
    special_unchosen=RoundKind.FIXED_FACE_NO_WILDS_CLOSED,
    face_change="one-die",
)

BOXED = Rules(
    name="boxed",
    seating="roll-opener",
    higher_face="same-or-more",
    lower_face="more",
    open_on_aces="never",
    calza=ExactCall(by="out-of-turn", in_special=False),
    special=(RoundKind.FIXED_FACE_NO_WILDS,),
    special_with_two=False,
    face_change="one-die",
)

_BASES = (KILL_SPOT, PYRUDO, OBLIGING, PERUDO, PALO_FIJO)
"""Bases for the text form of custom rule sets. Proofs commit to that text, so the list never grows."""

RULESETS = {rules.name: rules for rules in (*_BASES, BOXED)}
"""The shipped rule sets by name."""

_FORM = re.compile(r"([^=()]*)=([a-z-]+)(?:\(([^()]*)\))?")
_ESCAPED = re.compile(r"(?:[^%]|%[0-9A-F]{2})*")
_RESERVED = frozenset(" %=(),")
_Part = TypeVar("_Part", Rules, ExactCall, PassRule)


@lru_cache(maxsize=64)
def write_rules(rules: Rules) -> str:
    """Write `rules` as one word without blanks; `parse_rules` reads it back."""
    if RULESETS.get(rules.name) == rules:
        return rules.name
    base, changes = min(((base, [*_changes(rules, base)]) for base in _BASES), key=lambda found: len(found[1]))
    differing = f"({','.join(changes)})" if changes else ""
    return f"{_escape(rules.name)}={base.name}{differing}"


@lru_cache(maxsize=64)
def parse_rules(text: str) -> Rules:
    """Read the rule set named or described by `text`. Raises `NotationError`."""
    if text in RULESETS:
        return RULESETS[text]
    if not text.isprintable() or not (found := _FORM.fullmatch(text)):
        raise NotationError(text, f"expected {', '.join(RULESETS)}, or a custom one such as ours=perudo(to_aces=half)")
    name, base, changes = found.groups()
    if base not in RULESETS:
        raise NotationError(text, f"{base!r} is not a rule set, expected one of {', '.join(RULESETS)}")
    rules, seen = replace(RULESETS[base], name=_unescape(name)), set()
    for change in changes.split(",") if changes is not None else ():
        key, _, value = change.partition("=")
        if key in seen:
            raise NotationError(change, "expected each key once")
        seen.add(key)
        rules = _changed(rules, key, value, change)
    return rules


def _changes(new: Part, old: Part) -> Iterator[str]:
    for field in changed_fields(new, old):
        value, was = field.get(new), field.get(old)
        if field.value_type is FieldType.NAME:
            continue
        parts = [*_changes(value, was or type(value)())] if isinstance(value, ExactCall | PassRule) else []
        yield from (f"{field.key}.{part}" for part in parts)
        if not parts:
            yield f"{field.key}={_word(value)}"


def _word(value: Any) -> str:
    match value:
        case None | bool() | ExactCall() | PassRule():
            return "true" if value else "false"
        case tuple():
            return "+".join(value) or NOTHING
        case _:
            return str(value)


def _changed(rules: _Part, key: str, value: str, change: str) -> _Part:
    """Return `rules` with one key's value changed; an error quotes `change`."""
    root, _, rest = key.partition(".")
    fields = {key: field for key, field in fields_of(rules).items() if field.value_type is not FieldType.NAME}
    if root not in fields:
        near = nearest(root, fields)
        raise NotationError(change, f"expected a key of the rules{f', did you mean {near}?' if near else ''}")
    field = fields[root]
    was = field.get(rules)
    if not rest:
        return replace(rules, **{field.name: _value(value, field, was, change)})
    if field.part is None:
        raise NotationError(change, f"expected no part of {root}, it has none")
    return replace(rules, **{field.name: _changed(was or field.part(), rest, value, change)})


def _value(text: str, field: RuleField, was: Any, change: str) -> Any:
    words: dict[Any, Any] = {str(choice): choice for choice in field.choices}
    if field.value_type is FieldType.KINDS:
        kinds = () if text == NOTHING else text.split("+")
        return tuple(_one_of(kind, words, change) for kind in kinds)
    if field.part is not None:
        words = {"true": was or field.part(), "false": None}
    elif field.value_type is FieldType.SWITCH:
        words = {"true": True, "false": False}
    return _one_of(text, words, change)


def _one_of(text: str, values: dict[Any, Any], change: str) -> Any:
    if text not in values:
        raise NotationError(change, f"expected one of {', '.join(values)}")
    return values[text]


def _escape(name: str) -> str:
    """Return `name` with reserved and unprintable characters as %XX of their UTF-8."""
    return "".join(c if c.isprintable() and c not in _RESERVED else _percent(c) for c in name)


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


def _unescape(name: str) -> str:
    try:
        if not _ESCAPED.fullmatch(name):
            raise ValueError
        raw = re.sub(rb"%(..)", lambda found: bytes.fromhex(found[1].decode()), name.encode())
        return raw.decode("utf-8", "surrogatepass")
    except ValueError:
        raise NotationError(name, "expected a name, in it %XX of UTF-8 for what is reserved") from None
