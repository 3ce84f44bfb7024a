"""The file that `--record` names: matches one after the other, the last of them perhaps not over.

For `scorekeeper.recording`. A match that a daemon died in stands there as far as that one wrote; `gone_back` takes it
out again, so that the next daemon can write it down whole.
"""

import os
import stat
from pathlib import Path
from typing import TextIO

from engine.notation.score_text import FORMAT, NOT_OVER
from hardware.config import regular_file
from hardware.config.problems import FileError, Problem

FIRST_WORDS = "dudo score "
_LONGEST_BYTES = 8 << 20
"""More than any match takes: no more of a file's end is looked at."""


class RecordFileError(FileError):
    """A file that no score can be written to."""


def opened(path: Path) -> TextIO:
    """The file, to be written on at its end. Raises `RecordFileError`, also for one that holds other things."""
    try:
        if path.exists() and not path.is_char_device():  # a terminal can be written to, and /dev/null
            with open(regular_file.opened(path), "rb") as before:
                start = before.read(len(FIRST_WORDS))
            if start and start != FIRST_WORDS.encode():
                raise RecordFileError(
                    str(path), [Problem("", "", "holds something else than scores", "name a new file")]
                )
        return path.open("a", encoding="utf-8", newline="")
    except (OSError, ValueError) as error:
        if isinstance(error, RecordFileError):
            raise
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        fault = Problem("", "", f"can't be written: {why.lower()}", "name a file in a folder that is yours")
        raise RecordFileError(str(path), [fault]) from error


def gone_back(path: Path, file: TextIO, match: str, so_far: str) -> bool:
    """Take the last match out of the file if it is this one, or the beginning of it; return whether it was.

    `match` is its name, `so_far` all that there is to be written of it.
    """
    found = os.fstat(file.fileno())
    if not stat.S_ISREG(found.st_mode):
        return False
    size = found.st_size
    with open(regular_file.opened(path), "rb") as before:
        before.seek(max(0, size - _LONGEST_BYTES))
        text = before.read()
    start = text.rfind(f"{FORMAT}\n".encode())
    if start < 0 or (start and text[start - 1 : start] != b"\n"):
        return False
    last = text[start:]
    told = last.removesuffix(f"{NOT_OVER}\n".encode())
    if f"\n% match {match} ".encode() not in last and not so_far.encode().startswith(told):
        return False
    file.truncate(size - len(last) - (1 if text[:start].endswith(b"\n\n") else 0))
    file.seek(0, 2)
    return True
