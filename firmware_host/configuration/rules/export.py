"""A rule set written out in full, with words beside every field: a file for a house to edit."""

from collections.abc import Iterator
from textwrap import wrap

from engine import RULESETS, Rules
from firmware_host.configuration.rules.custom import differences, toml
from firmware_host.configuration.rules.descriptions import PARTS, Told, in_short, told

_COLUMNS = 100


def written_out(rules: Rules) -> str:
    """Write the rules as TOML that `configuration.rules.custom` reads back, every field on its own line."""
    lines = [*told(rules)]
    base, _ = differences(rules)
    return "\n".join([*_head(rules, base), *_fields(lines), *_tables(lines), ""])


def _head(rules: Rules, base: str) -> Iterator[str]:
    yield from _words(f"{rules.name}: {in_short(rules)}")
    yield "# Change what you like and take out what you don't: what is not said is as in based_on."
    yield "# dudo-table check FILE tells whether it can be played."
    if rules.name in RULESETS:
        yield "# Give it a name of your own first."
    yield f"name = {toml(rules.name)}"
    yield f"based_on = {toml(base)}"


def _fields(lines: list[Told]) -> Iterator[str]:
    """The fields that are no part of a call; a call that is switched on is a table further down."""
    section = ""
    for line in lines:
        switched_on = line.key in PARTS and line.value == "true"
        if "." in line.key or switched_on:
            continue
        if line.section != section:
            section = line.section
            yield from ("", f"# {section}")
        yield from _field(line, line.key)


def _tables(lines: list[Told]) -> Iterator[str]:
    for line in lines:
        table, _, key = line.key.rpartition(".")
        if key in PARTS and line.value == "true":
            yield ""
            yield from _words(f"{line.words} To go without: {key} = false further up, and not this table.")
            yield f"[{key}]"
        elif table:
            yield from _field(line, key)


def _field(line: Told, key: str) -> Iterator[str]:
    others = f" Or {', '.join(line.others)}."
    yield from _words(line.words + others)
    yield f"{key} = {line.value}"


def _words(words: str) -> Iterator[str]:
    yield from (f"# {row}" for row in wrap(words, _COLUMNS, break_on_hyphens=False))
