"""A rule set as a TOML file for its owner to edit: every field, with a sentence above it."""

from collections.abc import Iterator
from textwrap import wrap

from engine import RULESETS, Rules
from firmware_host.configuration.rules.custom import differences, toml
from firmware_host.configuration.rules.descriptions import PARTS, Description, describe, summarise

_COLUMNS = 100


def to_commented_toml(rules: Rules) -> str:
    """Return the rules as TOML for `configuration.rules.custom`, every field on its own line."""
    lines = [*describe(rules)]
    base, _ = differences(rules)
    return "\n".join([*_head(rules, base), *_fields(lines), *_tables(lines), ""])


def _head(rules: Rules, base: str) -> Iterator[str]:
    yield from _words(f"{rules.name}: {summarise(rules)}")
    yield "# Change what you like and take out what you don't: a field that is missing is as in based_on."
    yield "# dudo-table check FILE finds what is wrong with it."
    if rules.name in RULESETS:
        yield "# Give it a name of your own first."
    yield f"name = {toml(rules.name)}"
    yield f"based_on = {toml(base)}"


def _fields(lines: list[Description]) -> Iterator[str]:
    """Yield the fields outside calls; an enabled call becomes a table below."""
    section = ""
    for line in lines:
        switched_on = line.key in PARTS and line.value == "true"
        if "." in line.key or switched_on:
            continue
        if line.section != section:
            section = line.section
            yield from ("", f"# {section}")
        yield from _field(line, line.key)


def _tables(lines: list[Description]) -> Iterator[str]:
    for line in lines:
        table, _, key = line.key.rpartition(".")
        if key in PARTS and line.value == "true":
            yield ""
            yield from _words(f"{line.words} To switch it off: {key} = false above, in place of this table.")
            yield f"[{key}]"
        elif table:
            yield from _field(line, key)


def _field(line: Description, key: str) -> Iterator[str]:
    others = f" Or {', '.join(line.others)}."
    yield from _words(line.words + others)
    yield f"{key} = {line.value}"


def _words(words: str) -> Iterator[str]:
    yield from (f"# {row}" for row in wrap(words, _COLUMNS, break_on_hyphens=False))
