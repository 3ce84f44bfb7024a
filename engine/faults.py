"""What is wrong in a rule set its house wrote, said so that the house can mend it.

`engine.house` raises it. It looks as the faults of a layout file do; all faults of a text are told at once.
"""

import difflib
from collections.abc import Iterable
from typing import NamedTuple

SHOWN_CHARACTERS = 48


class Fault(NamedTuple):
    """One thing to mend. `key` or `value` is empty where there is none, as for text that is not TOML."""

    key: str
    value: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        place = " = ".join(part for part in (self.key, self.value) if part)
        return f"{place}: {self.problem}; {self.remedy}" if place else f"{self.problem}; {self.remedy}"


class RulesError(ValueError):
    """Rules that can't be played. `file` is what the house named, `faults` has everything wrong with it.

    `str()` gives one line a fault: `file: key = value: problem; remedy`.
    """

    def __init__(self, file: str, faults: Iterable[Fault]) -> None:
        self.file = file
        self.faults = tuple(faults)
        super().__init__("\n".join(f"{one_line(file)}: {fault}" for fault in self.faults))

    def __reduce__(self) -> tuple[type["RulesError"], tuple[str, tuple[Fault, ...]]]:
        return type(self), (self.file, self.faults)


def shown(value: object) -> str:
    """`value` much as TOML writes it, on one line and cut where it is long."""
    match value:
        case bool():
            text = str(value).lower()
        case int() if abs(value) >= 10**SHOWN_CHARACTERS:
            text = hex(value)  # Python refuses to write very long numbers in decimal
        case str():
            text = f'"{one_line(value)}"'
        case dict():
            text = f"{{ {', '.join(one_line(str(key)) for key in value)} }}"
        case list() | tuple():
            text = f"[{', '.join(shown(entry) for entry in value[:SHOWN_CHARACTERS])}]"
        case _:
            text = one_line(str(value))
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def one_line(text: str) -> str:
    """`text` with everything that would break a line or hide in it written as an escape."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` was probably meant to be."""
    spelled = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(word.casefold()[:64], spelled, n=1)
    return spelled[near[0]] if near else None


def choose_from(word: str, known: Iterable[str]) -> str:
    """The remedy for a word nobody knows: the likeliest one, then all of them."""
    known = tuple(known)
    meant = closest(word, known)
    listed = f"there is {', '.join(known)}"
    return f"did you mean {meant}? {listed}" if meant else listed
