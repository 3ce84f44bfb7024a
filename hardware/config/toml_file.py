"""A TOML file its owner wrote, as far as reading and spelling go: a layout or a house's rules.

`hardware.config.layout` and `firmware_host` read with it, records and a Pico's wiring too, which are no TOML. What goes
wrong is a `Fault`, raised in the error the caller names.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hardware.config import regular_file
from hardware.config.problems import Fault, FileError

LONGEST_BYTES = 1 << 16
"""The bytes of a TOML file; a layout of eight wired seats has 3 KB, a rule set with words beside every field too."""
MAX_DOTS = 16
"""The dots of a line, outside of texts and comments. `tomllib` takes time that grows with the square of a key's parts.

The longest key of a layout or of rules, `pass.wild_aces`, has one dot.
"""
MAX_DEPTH = 16
"""The brackets within brackets; a layout has three."""

_TEXTS = re.compile(
    r""""{3}(?:\\.|(?!"{3})[^\\])*+(?:"{3,5})?|'{3}(?:(?!'{3}).)*+(?:'{3,5})?"""
    r"""|"(?:\\.|[^"\\\n])*+"?|'[^'\n]*+'?|\#[^\n]*+""",
    re.DOTALL,
)
"""The texts and comments of TOML. Each goes on to its end, or to the end of the file where it has none."""


def read(
    path: str | Path,
    refusal: type[FileError],
    kind: str,
    shipped: Iterable[str],
    *,
    longest_bytes: int = LONGEST_BYTES,
    max_lines: int = LONGEST_BYTES,
    below: Path | None = None,
) -> str:
    """The text of a file. Raises `refusal`, also for one that is not `below` that folder, if one is given.

    `kind` is what it should be, such as "layout"; `shipped` are the names that would have done instead of a file's.
    """
    try:
        content = regular_file.read(path, longest_bytes, below=below)
    except (OSError, ValueError) as error:
        raise refusal(str(path), [_unopened(error, kind, shipped)]) from error
    try:
        text = content.decode("utf-8-sig")  # some editors mark UTF-8 with a sign of its own
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = f"byte {content[error.start]:#04x}"
        fault = Fault(f"line {line}", byte, "is not UTF-8", "save the file as UTF-8")
        raise refusal(str(path), [fault]) from error
    if text.count("\n") > max_lines or (len(text) > max_lines and len(text.splitlines()) > max_lines):
        raise refusal(
            str(path), [Fault("", "", f"has more than {max_lines} lines, no {kind} has", f"name a {kind} file")]
        )
    return text


def table(text: str, path: str, refusal: type[FileError]) -> dict[str, Any]:
    """The table a text is; `path` is what errors call it. Raises `refusal`."""
    if faults := [*_tangled(text)]:
        raise refusal(path, faults)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise refusal(path, [_not_toml(text, error)]) from error


def _tangled(text: str) -> Iterator[Fault]:
    """Yield what would keep `tomllib` busy for longer than anybody waits."""
    bare, depth = _TEXTS.sub(lambda found: "\n" * found[0].count("\n"), text), 0
    for number, line in enumerate(bare.split("\n"), start=1):
        if line.count(".") > MAX_DOTS:
            problem = f"has too many dots outside of texts and comments, more than {MAX_DOTS}"
            yield Fault(f"line {number}", "", problem, "take it out, or put quotes around a text")
            return
        for bracket in _BRACKET.findall(line):
            depth += 1 if bracket in "[{" else -1
            if depth > MAX_DEPTH:
                yield TOO_DEEP
                return


_BRACKET = re.compile(r"[][{}]")
TOO_DEEP = Fault("", "", "has a number too long or tables too deep", "take it out")


def _unopened(error: OSError | ValueError, kind: str, shipped: Iterable[str]) -> Fault:
    match error:
        case FileNotFoundError():
            names = ", ".join(shipped)
            remedy = f"name a file, or a shipped {kind}: {names}" if names else f"name a {kind} file"
            return Fault("", "", "there is no such file", remedy)
        case IsADirectoryError():
            return Fault("", "", "is a directory", "name a file in it")
        case PermissionError():
            return Fault("", "", "may not be read", "give yourself the right to read it")
        case regular_file.OutsideError():
            return Fault("", "", error.problem, "name a file beside this one, and no link to another place")
        case regular_file.TooLargeError():
            return Fault("", "", f"{error.problem}, no {kind} is", f"name a {kind} file")
        case regular_file.UnfitFileError():
            return Fault("", "", error.problem, f"name a {kind} file")
        case _:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            return Fault("", "", f"can't be read ({why.lower()})", f"name a {kind} file")


def _not_toml(text: str, error: ValueError | RecursionError) -> Fault:
    if not isinstance(error, tomllib.TOMLDecodeError):
        return TOO_DEEP
    said, _, where = str(error).rpartition(" (at ")
    lines = text.split("\n")
    found = re.match(r"line (\d+)", where)
    number = int(found[1]) if found else len(lines)
    line = lines[number - 1].strip()
    if line in ("[seat]", "[ seat ]"):
        return Fault(
            f"line {number}", "", "is a second seat in one bracket", "head each seat with [[seat]], in two brackets"
        )
    if said.startswith(("Cannot overwrite", "Cannot declare")):
        return Fault(f"line {number}", "", "says again what stands further up", f"keep one of the two: {line[:60]}")
    remedy = f"mend it: {line[:60]}" if line else "mend that line or the one before"
    return Fault(f"line {number}", "", f"is not TOML: {said}", remedy)
