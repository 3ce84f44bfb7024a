"""A TOML file its owner wrote, as far as reading and spelling go: a layout or a house's rules.

`hardware.layout` and `firmware_host` read with it. What goes wrong is a `Fault`, raised in the error the caller names.
"""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hardware.faults import Fault, FileError

LONGEST_BYTES = 1 << 18


def read(
    path: str | Path,
    refusal: type[FileError],
    kind: str,
    shipped: Iterable[str],
    *,
    longest_bytes: int = LONGEST_BYTES,
) -> str:
    """The text of a file. Raises `refusal`.

    `kind` is what it should be, such as "layout"; `shipped` are the names that would have done instead of a file's.
    """
    try:
        with open(path, "rb") as file:
            content = file.read(longest_bytes + 1)
    except (OSError, ValueError) as error:
        raise refusal(str(path), [_unopened(error, kind, shipped)]) from error
    if len(content) > longest_bytes:
        problem = f"is larger than {longest_bytes >> 10} KiB, no {kind} is"
        raise refusal(str(path), [Fault("", "", problem, f"name a {kind} file")])
    try:
        return content.decode("utf-8-sig")  # some editors mark UTF-8 with a sign of its own
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = f"byte {content[error.start]:#04x}"
        fault = Fault(f"line {line}", byte, "is not UTF-8", "save the file as UTF-8")
        raise refusal(str(path), [fault]) from error


def table(text: str, path: str, refusal: type[FileError]) -> dict[str, Any]:
    """The table a text is; `path` is what errors call it. Raises `refusal`."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise refusal(path, [_not_toml(text, error)]) from error


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
        case _:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            return Fault("", "", f"can't be read ({why.lower()})", f"name a {kind} file")


def _not_toml(text: str, error: ValueError | RecursionError) -> Fault:
    if not isinstance(error, tomllib.TOMLDecodeError):
        return Fault("", "", "has a number too long or tables too deep", "take it out")
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
