"""What a value in a TOML file may be: text, a number, one of a few, a table of such.

`hardware.config.layout_schema` describes a whole file with them. A kind never raises: it yields what is wrong with a
value.
"""

from collections.abc import Iterator, Mapping
from typing import Protocol

from msgspec import Struct

from hardware.config.problems import MAX_FAULTS, Fault, choose_from, closest, one_line, shown


class Kind(Protocol):
    """What a value may be. `example` is one to copy, in TOML; a list of tables has none, it is headed [[key]]."""

    @property
    def example(self) -> str: ...  # noqa: D102

    def faults(self, key: str, value: object) -> Iterator[Fault]: ...  # noqa: D102


class Text(Struct, frozen=True):
    """Some printable characters, none at the ends that can't be seen."""

    example: str
    longest: int

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything but text of 1 to `longest` characters."""
        write = f"write for example {self.example}"
        if not isinstance(value, str):
            yield Fault(key, shown(value), "is not text", write)
        elif not value.strip():
            yield Fault(key, shown(value), "is empty", write)
        elif not value.isprintable() or value != value.strip():
            yield Fault(key, shown(value), "has blanks at its ends or characters that can't be shown", write)
        elif len(value) > self.longest:
            problem = f"has {len(value)} characters, there is room for {self.longest}"
            yield Fault(key, shown(value), problem, "shorten it")


class Whole(Struct, frozen=True):
    """A whole number in a range."""

    allowed: range
    what: str
    example: str

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything but a whole number of `allowed`."""
        if isinstance(value, bool) or not isinstance(value, int):
            article = "an" if self.what[:1] in "aeio" else "a"
            remedy = f"write the number of {article} {self.what}, for example {self.example}"
            yield Fault(key, shown(value), "is not a whole number", remedy)
        elif value not in self.allowed:
            remedy = f"use {self.allowed[0]} to {self.allowed[-1]}"
            yield Fault(key, shown(value), f"is no {self.what}", remedy)


class OneOf(Struct, frozen=True):
    """One of a few values."""

    choices: tuple[str | int, ...]
    what: str

    @property
    def example(self) -> str:
        """The first choice."""
        return shown(self.choices[0])

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything else; true is not 1."""
        if not any(value == choice and type(value) is type(choice) for choice in self.choices):
            remedy = choose_from(str(value)[:64] if isinstance(value, str) else "", map(str, self.choices))
            yield Fault(key, shown(value), f"is not {self.what}", remedy)


class Switch(Struct, frozen=True):
    """True or false."""

    example: str = "false"

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything but true or false."""
        if not isinstance(value, bool):
            yield Fault(key, shown(value), "is neither true nor false", "write true or false, without quotes")


class Table(Struct, frozen=True):
    """A table with keys of its own, all known by name."""

    example: str
    needed: Mapping[str, Kind] = {}
    optional: Mapping[str, Kind] = {}

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Unknown keys, missing keys, and what is wrong with the known ones."""
        if not isinstance(value, dict):
            yield Fault(key, shown(value), "is not a table", f"write for example {self.example}")
            return
        known = {**self.needed, **self.optional}
        absent = [name for name in known if name not in value]
        unknown = 0
        for name, entry in value.items():
            if name in known:
                yield from known[name].faults(within(key, name), entry)
                continue
            unknown += 1
            meant = closest(name, absent) if unknown <= MAX_FAULTS else None  # nobody is shown more
            absent = [other for other in absent if other != meant]  # misspelled, so not missing as well
            remedy = f"did you mean {meant}?" if meant else f"take it out: there is {', '.join(known)}"
            yield Fault(within(key, name), shown(entry), "is an unknown key", remedy)
        for name in absent:
            if name in self.needed:
                example = self.needed[name].example
                remedy = f"add {name} = {example}" if example else f"head each one with [[{name}]]"
                yield Fault(within(key, name), "", "is missing", remedy)


def within(key: str, name: str) -> str:
    """The key of `name` inside the table at `key`."""
    name = one_line(name)[:64] or '""'
    return f"{key}.{name}" if key else name
