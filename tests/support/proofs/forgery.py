"""Records that were changed by somebody who knows how: heads, and whatever depends on them, fit again afterwards."""

import re
from collections.abc import Callable

from engine.notation.score_text import FORMAT
from firmware_host.fairness.chain import EMPTY_HEAD, head_text, next_head
from firmware_host.fairness.verify.checker import verify
from firmware_host.fairness.verify.parser import VerificationError, write_proof_line

_CHAINED = re.compile(r"\d:(?!wins)\S+|void|forgo|undo")


def rechained(text: str) -> str:
    """Return the record with the heads that its lines have as they stand."""
    head, done = EMPTY_HEAD, []
    for line in text.splitlines():
        if line == FORMAT:
            head = EMPTY_HEAD
        if not line.startswith("%"):
            for word in filter(_CHAINED.fullmatch, [] if ": " in line else line.split()):
                head = next_head(head, word)
            done.append(line)
            continue
        content = line.removeprefix("% ").rpartition("= ")[0].strip()
        head = next_head(head, content) if content else head
        done.append(write_proof_line(content, head_text(head)))
    return "\n".join(done) + "\n"


def edited(text: str, edit: Callable[[list[str]], None]) -> str:
    """Return the record with its list of lines edited, and rechained."""
    lines = text.splitlines()
    edit(lines)
    return rechained("\n".join(lines))


def line_of(text: str, begins: str, after: int = 0) -> int:
    """Return the number of the first line that begins so, behind that many lines."""
    return next(n for n, line in enumerate(text.splitlines(), start=1) if n > after and line.startswith(begins))


def first_wrong(text: str) -> VerificationError | None:
    """Return the first thing that is wrong in a record, None if nothing is."""
    try:
        return next((verdict.wrong for verdict in verify(text) if verdict.wrong is not None), None)
    except VerificationError as wrong:
        return wrong
