"""Errors in an owner's file, each with a remedy.
Every reader raises a `FileError` with all the file's `Problem`s at once, and the command line prints them. A problem is
one line: the key, its value, the fault, and the remedy.
"""

from collections.abc import Iterable

import msgspec

MAX_PREVIEW_CHARACTERS = 48
MAX_LINE_CHARACTERS = 2000
"""Characters in a printed line; the longest problem in a realistic file has 700."""
MAX_PATH_CHARACTERS = 300
MAX_PROBLEMS = 20
"""Printed problems for one file."""


class Problem(msgspec.Struct, frozen=True):
    """One thing to correct. `key` and `value` may be empty, as for a file that can't be opened."""

    key: str
    value: str
    message: str
    remedy: str

    def __str__(self) -> str:
        place = " = ".join(part for part in (self.key, self.value) if part)
        return f"{place + ': ' if place else ''}{self.message}; {self.remedy}"


class FileError(ValueError):
    """An unusable file. `file` is the name the owner gave, `problems` lists all its faults.
    `str()` gives one line a problem: `file: key = value: message; remedy`. After `MAX_PROBLEMS` it counts the rest.
    """

    def __init__(self, file: str, problems: Iterable[Problem]) -> None:
        self.file = file
        self.problems = tuple(problems)
        name = file if len(file) <= MAX_PATH_CHARACTERS else f"…{file[-MAX_PATH_CHARACTERS:]}"
        super().__init__("\n".join(one_line(f"{name or '(no name)'}: {problem}") for problem in self.first_problems))

    @property
    def first_problems(self) -> tuple[Problem, ...]:
        """Return the problems to print: the first `MAX_PROBLEMS`, and one with the number of others."""
        more = len(self.problems) - MAX_PROBLEMS
        if more <= 0:
            return self.problems
        rest = Problem("", "", f"has {more} more problem{'s' if more > 1 else ''}", "correct these first")
        return (*self.problems[:MAX_PROBLEMS], rest)

    def __reduce__(self) -> tuple[type["FileError"], tuple[str, tuple[Problem, ...]]]:
        return type(self), (self.file, self.problems)


def preview(value: object) -> str:
    """Return `value` much as TOML writes it, on one line and cut if long."""
    match value:
        case bool():
            text = str(value).lower()
        case int() if abs(value) >= 10**MAX_PREVIEW_CHARACTERS:
            text = hex(value)  # Python refuses to write very long numbers in decimal
        case str():
            text = f'"{one_line(value)}"'
        case dict():
            text = f"{{ {', '.join(one_line(str(key)) for key in value)} }}" if value else "{}"
        case list() | tuple():
            text = f"[{', '.join(preview(entry) for entry in value[:MAX_PREVIEW_CHARACTERS])}]"
        case _:
            text = one_line(str(value))
    return text if len(text) <= MAX_PREVIEW_CHARACTERS else text[: MAX_PREVIEW_CHARACTERS - 1] + "…"


def one_line(text: str) -> str:
    """Return `text` on one line: escaped, and cut to `MAX_LINE_CHARACTERS`."""
    text = escaped(text[: MAX_LINE_CHARACTERS + 1])
    return text if len(text) <= MAX_LINE_CHARACTERS else f"{text[: MAX_LINE_CHARACTERS - 1]}…"


def escaped(text: str) -> str:
    """Return `text` with an escape for every character that would break a line or hide in it.
    These are control characters, invisible characters such as reading direction marks, blanks other than the space,
    surrogates (bytes that are not UTF-8), and code points undefined in Unicode.
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def closest_match(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most similar to `word`, or None."""
    import difflib  # only for a wrong word: a bridge does without its memory

    spelled = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(word.casefold()[:64], spelled, n=1)
    return spelled[near[0]] if near else None


def suggest(word: str, known: Iterable[str]) -> str:
    """Return the remedy for an unknown word: the closest known one, then all of them."""
    known = tuple(known)
    meant = closest_match(word, known)
    listed = f"there is {', '.join(known)}"
    return f"did you mean {meant}? {listed}" if meant else listed
