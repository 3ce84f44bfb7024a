"""Field types for an owner's file: text, a whole number, true or false, a choice, a table.
`hardware.config.layout_schema` describes layouts with them; custom rules and a Pico's wiring check their values with
them too. A field type never raises: it yields a value's problems.
"""

from collections.abc import Iterator, Mapping
from typing import Protocol

from msgspec import Struct

from hardware.config.problems import MAX_PROBLEMS, Problem, closest_match, one_line, preview, suggest


class ValueType(Protocol):
    """A field's permitted values."""

    @property
    def example(self) -> str:
        """A value to copy, in TOML. Empty for a list of tables, each headed [[key]]."""

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield every problem with a key's value."""


class Text(Struct, frozen=True):
    """A text with 1 to `max_characters` printable characters, without blanks at its ends."""

    example: str
    max_characters: int

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield a text's problems."""
        write = f"write for example {self.example}"
        if not isinstance(value, str):
            yield Problem(key, preview(value), "is not text", write)
        elif not value.strip():
            yield Problem(key, preview(value), "is empty", write)
        elif not value.isprintable() or value != value.strip():
            yield Problem(key, preview(value), "has blanks at its ends or characters that can't be shown", write)
        elif len(value) > self.max_characters:
            message = f"has {len(value)} characters, there is room for {self.max_characters}"
            yield Problem(key, preview(value), message, "shorten it")


class Integer(Struct, frozen=True):
    """A whole number from `allowed`; messages call it `what`, with an article."""

    allowed: range
    what: str
    example: str

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield a number's problems; true is not 1."""
        if isinstance(value, bool) or not isinstance(value, int):
            remedy = f"write the number of {self.what}, for example {self.example}"
            yield Problem(key, preview(value), "is not a whole number", remedy)
        elif value not in self.allowed:
            remedy = f"use {self.allowed[0]} to {self.allowed[-1]}"
            yield Problem(key, preview(value), f"is not {self.what}", remedy)


class I2cAddress(Struct, frozen=True):
    """A 7-bit I2C address; the bus reserves 0x00-0x07 and 0x78-0x7f."""

    example: str = "0x3c"

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield a problem for anything but 0x08 to 0x77."""
        if isinstance(value, bool) or not isinstance(value, int):
            yield Problem(key, preview(value), "is not an I2C address", "write for example 0x3c, without quotes")
        elif value in (0x78, 0x7A):
            message = "is the 8-bit form that is printed on some displays"
            yield Problem(key, f"{value:#04x}", message, f"write its 7-bit form, {value >> 1:#04x}")
        elif value not in range(0x08, 0x78):
            number = f"{value:#04x}" if 0 <= value < 0x1000 else preview(value)
            yield Problem(key, number, "is not an I2C address (0x08 to 0x77)", "displays answer at 0x3c or 0x3d")


class OneOf(Struct, frozen=True):
    """One of a few values; messages call them `what`."""

    choices: tuple[str | int, ...]
    what: str

    @property
    def example(self) -> str:
        """The first choice."""
        return preview(self.choices[0])

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield a problem for any other value; true is not 1."""
        if not any(value == choice and type(value) is type(choice) for choice in self.choices):
            remedy = suggest(str(value)[:64] if isinstance(value, str) else "", map(str, self.choices))
            yield Problem(key, preview(value), f"is not {self.what}", remedy)


class Boolean(Struct, frozen=True):
    """True or false."""

    example: str = "false"

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield a problem for anything but true and false."""
        if not isinstance(value, bool):
            yield Problem(key, preview(value), "is neither true nor false", "write true or false, without quotes")


class TomlTable(Struct, frozen=True):
    """A table with known keys; `renamed` maps earlier releases' keys, which are still read, to today's."""

    example: str
    required: Mapping[str, ValueType] = {}
    optional: Mapping[str, ValueType] = {}
    renamed: Mapping[str, str] = {}

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield unknown keys, missing keys, and the known ones' problems."""
        if not isinstance(value, dict):
            yield Problem(key, preview(value), "is not a table", f"write for example {self.example}")
            return
        known = {**self.required, **self.optional}
        written = {self.renamed.get(name, name) for name in value}
        absent = [name for name in known if name not in written]
        unknown = 0
        for name, entry in value.items():
            today = self.renamed.get(name, name)
            if name != today and today in value:
                yield Problem(
                    within(key, name), preview(entry), f"is the former name of {today}", "take one of them out"
                )
                continue
            if today in known:
                yield from known[today].problems(within(key, name), entry)
                continue
            unknown += 1
            meant = closest_match(name, absent) if unknown <= MAX_PROBLEMS else None  # no more are printed
            absent = [other for other in absent if other != meant]  # misspelled, so it is not missing as well
            remedy = f"did you mean {meant}?" if meant else f"take it out: there is {', '.join(known)}"
            yield Problem(within(key, name), preview(entry), "is an unknown key", remedy)
        for name in absent:
            if name in self.required:
                example = self.required[name].example
                remedy = f"add {name} = {example}" if example else f"head each one with [[{name}]]"
                yield Problem(within(key, name), "", "is missing", remedy)


def within(key: str, name: str) -> str:
    """Return the key of `name` inside the table at `key`."""
    name = one_line(name)[:64] or '""'
    return f"{key}.{name}" if key else name
