"""What is wrong in a file its owner wrote, said so that the owner can mend it.

`hardware.config.layout` and `configuration.house` raise it, the command line prints it. A fault is one line: where,
what stands there, what is wrong with it, and what to write instead. All faults of a file are told at once.
"""

import difflib
from collections.abc import Iterable

import msgspec

SHOWN_CHARACTERS = 48
MAX_LINE_CHARACTERS = 2000
"""The characters of a printed line; the longest fault of an honest file has 700."""
MAX_PATH_CHARACTERS = 300
MAX_FAULTS = 20
"""The faults of one file that are printed."""


class Fault(msgspec.Struct, frozen=True):
    """One thing to mend. `key` and `value` are empty where there is none: a file that can't be opened."""

    key: str
    value: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        place = " = ".join(part for part in (self.key, self.value) if part)
        return f"{place + ': ' if place else ''}{self.problem}; {self.remedy}"


class FileError(ValueError):
    """A file that can't be used. `file` is what the owner named, `faults` has everything wrong with it.

    `str()` gives one line a fault: `file: key = value: problem; remedy`. After `MAX_FAULTS` it says how many more.
    """

    def __init__(self, file: str, faults: Iterable[Fault]) -> None:
        self.file = file
        self.faults = tuple(faults)
        name = file if len(file) <= MAX_PATH_CHARACTERS else f"…{file[-MAX_PATH_CHARACTERS:]}"
        super().__init__("\n".join(one_line(f"{name or '(no name)'}: {fault}") for fault in self.first_faults))

    @property
    def first_faults(self) -> tuple[Fault, ...]:
        """Return the faults to print: `MAX_FAULTS` of them, and where there are more, one that says how many."""
        more = len(self.faults) - MAX_FAULTS
        if more <= 0:
            return self.faults
        rest = Fault("", "", f"has {more} more fault{'s' if more > 1 else ''}", "mend these first")
        return (*self.faults[:MAX_FAULTS], rest)

    def __reduce__(self) -> tuple[type["FileError"], tuple[str, tuple[Fault, ...]]]:
        return type(self), (self.file, self.faults)


class LayoutError(FileError):
    """A layout that can't be used."""


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
            text = f"{{ {', '.join(one_line(str(key)) for key in value)} }}" if value else "{}"
        case list() | tuple():
            text = f"[{', '.join(shown(entry) for entry in value[:SHOWN_CHARACTERS])}]"
        case _:
            text = one_line(str(value))
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def one_line(text: str) -> str:
    """Return `text` on one line: escaped, and cut where it is longer than `MAX_LINE_CHARACTERS`."""
    text = escaped(text[: MAX_LINE_CHARACTERS + 1])
    return text if len(text) <= MAX_LINE_CHARACTERS else f"{text[: MAX_LINE_CHARACTERS - 1]}…"


def escaped(text: str) -> str:
    """Return `text` with everything that would break a line or hide in it written as an escape.

    That is every character that Unicode has as a control, as invisible (the marks that turn the direction of reading
    are), as a blank other than the space, as half of a pair (bytes that are no UTF-8), or not at all.
    """
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
