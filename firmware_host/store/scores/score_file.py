"""Reads a score file, such as a record, within size limits; an error names the line."""

from pathlib import Path

from engine import NotationError, Score, parse_scores
from firmware_host.errors import ScoreFileError
from hardware.config import toml_file
from hardware.config.problems import Problem

MAX_RECORD_BYTES = 1 << 25
"""Maximum size of a record or score file in bytes. A match of eight seats has 85 KB with its proofs, so 380 fit in one
file."""
MAX_RECORD_LINES = 400_000
"""Maximum number of lines in such a file. A match of eight seats has 700 lines of 120 bytes."""


def read_scores(file: str | Path, *, playable: bool = False, played: bool = True) -> tuple[Score, ...]:
    """Return a file's scores; `playable` ones have the dice of every call. Raises `ScoreFileError`.

    With `played` false, only their form is checked.
    """
    text = toml_file.read(file, ScoreFileError, "score", (), max_bytes=MAX_RECORD_BYTES, max_lines=MAX_RECORD_LINES)
    try:
        return parse_scores(text, playable=playable, played=played)
    except NotationError as error:
        remedy = "correct it there; docs/notation.md describes the format of a score"
        raise ScoreFileError(str(file), [Problem("", "", str(error), remedy)]) from error
