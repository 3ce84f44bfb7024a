"""Reads an owner's text file and parses TOML: layouts and custom rules.
`hardware.config.layout` and `firmware_host` call it. `read` also serves records and a Pico's wiring, which are not
TOML. Errors are raised as a `Problem` in the caller's error type.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hardware.config import regular_file
from hardware.config.problems import FileError, Problem

MAX_BYTES = 1 << 16
"""Bytes in a TOML file; a layout with eight wired seats has 3 KB, and so has a rule set with comments on every field.
"""
MAX_DOTS = 16
"""Dots in a line, outside texts and comments. `tomllib` takes time that grows with the square of a key's parts.
The longest key in a layout or in rules, `pass.wild_aces`, has one dot.
"""
MAX_DEPTH = 16
"""Levels of nested brackets; a layout has three."""

_TEXTS = re.compile(
    r""""{3}(?:\\.|(?!"{3})[^\\])*+(?:"{3,5})?|'{3}(?:(?!'{3}).)*+(?:'{3,5})?"""
    r"""|"(?:\\.|[^"\\\n])*+"?|'[^'\n]*+'?|\#[^\n]*+""",
    re.DOTALL,
)
"""Matches a TOML text or comment up to its end, or up to the end of the file."""


def read(
    path: str | Path,
    error_type: type[FileError],
    kind: str,
    shipped: Iterable[str],
    *,
    max_bytes: int = MAX_BYTES,
    max_lines: int = MAX_BYTES,
    below: Path | None = None,
) -> str:
    """Return a file's text. Raises `error_type`, also for a file outside the folder `below`, if given.
    `kind` is the expected kind of file, such as "layout"; `shipped` are names that could replace the file.
    """
    try:
        content = regular_file.read(path, max_bytes, below=below)
    except (OSError, ValueError) as error:
        raise error_type(str(path), [_open_problem(error, kind, shipped)]) from error
    try:
        text = content.decode("utf-8-sig")  # some editors begin a file with a byte order mark
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = f"byte {content[error.start]:#04x}"
        problem = Problem(f"line {line}", byte, "is not UTF-8", "save the file as UTF-8")
        raise error_type(str(path), [problem]) from error
    if text.count("\n") > max_lines or (len(text) > max_lines and len(text.splitlines()) > max_lines):
        raise error_type(
            str(path), [Problem("", "", f"has more than {max_lines} lines, no {kind} has", f"name a {kind} file")]
        )
    return text


def table(text: str, path: str, error_type: type[FileError]) -> dict[str, Any]:
    """Parse a text; `path` is its name in errors. Raises `error_type`."""
    if problems := [*_too_complex(text)]:
        raise error_type(path, problems)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise error_type(path, [_syntax_problem(text, error)]) from error


def _too_complex(text: str) -> Iterator[Problem]:
    """Yield problems for text that would keep `tomllib` busy for seconds."""
    bare, depth = _TEXTS.sub(lambda found: "\n" * found[0].count("\n"), text), 0
    for number, line in enumerate(bare.split("\n"), start=1):
        if line.count(".") > MAX_DOTS:
            message = f"has too many dots outside of texts and comments, more than {MAX_DOTS}"
            yield Problem(f"line {number}", "", message, "take it out, or put quotes around a text")
            return
        for bracket in _BRACKET.findall(line):
            depth += 1 if bracket in "[{" else -1
            if depth > MAX_DEPTH:
                yield TOO_DEEP
                return


_BRACKET = re.compile(r"[][{}]")
TOO_DEEP = Problem("", "", "has a number too long or tables too deep", "take it out")


def _open_problem(error: OSError | ValueError, kind: str, shipped: Iterable[str]) -> Problem:
    match error:
        case FileNotFoundError():
            names = ", ".join(shipped)
            remedy = f"name a file, or a shipped {kind}: {names}" if names else f"name a {kind} file"
            return Problem("", "", "there is no such file", remedy)
        case IsADirectoryError():
            return Problem("", "", "is a directory", "name a file in it")
        case PermissionError():
            return Problem("", "", "may not be read", "give yourself the right to read it")
        case regular_file.OutsideError():
            return Problem("", "", error.problem, "name a file beside this one, and no link to another place")
        case regular_file.TooLargeError():
            return Problem("", "", f"{error.problem}, no {kind} is", f"name a {kind} file")
        case regular_file.UnfitFileError():
            return Problem("", "", error.problem, f"name a {kind} file")
        case OSError():
            why = (error.strerror or str(error)).lower()
            return Problem("", "", f"can't be read ({why})", f"name a {kind} file")
        case _:  # each Python has its own words for a null byte
            return Problem("", "", "has a null byte in its name", f"name a {kind} file")


def _syntax_problem(text: str, error: ValueError | RecursionError) -> Problem:
    if not isinstance(error, tomllib.TOMLDecodeError):
        return TOO_DEEP
    said, _, where = str(error).rpartition(" (at ")
    lines = text.split("\n")
    found = re.match(r"line (\d+)", where)
    number = int(found[1]) if found else len(lines)
    line = lines[number - 1].strip()
    if line in ("[seat]", "[ seat ]"):
        return Problem(
            f"line {number}", "", "is a second seat in one bracket", "head each seat with [[seat]], in two brackets"
        )
    if said.startswith(("Cannot overwrite", "Cannot declare")):
        return Problem(f"line {number}", "", "says again what stands further up", f"keep one of the two: {line[:60]}")
    remedy = f"correct it: {line[:60]}" if line else "correct that line or the one before"
    return Problem(f"line {number}", "", f"is not TOML: {said}", remedy)
