"""Goes through a record from its first line on: the chain, the commitments, the legality of the score, and every die.

`dudo-table verify` uses it. It stops at the first line of a match that is wrong, and goes on with the next match.
"""

from collections.abc import Sequence

from engine.notation.score_text import NumberedLine
from firmware_host.fairness.record import Record, matches
from firmware_host.fairness.verify.checker import Walk
from firmware_host.fairness.verify.parser import RepeatedError, WrongError, is_whole_proof
from firmware_host.fairness.verify.verdict import Verdict

MAX_NAMED = 5
"""Further lines that one error names."""
MAX_WRONG = 20
"""The matches of a record that are wrong, or prove no die, after which no more are looked at."""


def verify(text: str) -> list[Verdict]:
    """A verdict for each match of a record. Raises `WrongError` if the text is no record at all.

    After `MAX_WRONG` that are wrong or prove no die there is one verdict for all that follow: they were not looked at.
    """
    told = matches(text)
    verdicts, wrong = list[Verdict](), 0
    seen, drawn = dict[str, int](), dict[bytes, int]()
    for number, lines in enumerate(told, start=1):
        if wrong == MAX_WRONG:
            verdicts.append(_not_looked_at(lines[0].number, len(told) - number + 1))
            break
        verdict = _verified(lines, may_be_cut=number < len(told) or not text.endswith("\n"))
        if verdict.match in seen and verdict.wrong is None:
            verdict.wrong = WrongError(verdict.first, f"is the match of line {seen[verdict.match]} once more")
        if verdict.match:
            seen.setdefault(verdict.match, verdict.first)
        repeated = [(line, drawn[value]) for line, value in verdict.drawn if drawn.setdefault(value, line) != line]
        if repeated and (verdict.wrong is None or repeated[0][0] < verdict.wrong.line):
            verdict.wrong = _repeated(repeated)
        wrong += verdict.wrong is not None or not verdict.is_proven
        verdicts.append(verdict)
    return verdicts


def _repeated(lines: Sequence[tuple[int, int]]) -> RepeatedError:
    """The error for lines that open what another line opened before, given with that line."""
    (line, before), *more = lines
    named = ", ".join(f"{line} (as {before})" for line, before in more[:MAX_NAMED])
    uncounted = f" and {len(more) - MAX_NAMED} more" if len(more) > MAX_NAMED else ""
    also = f"; so do {named}{uncounted}" if more else ""
    return RepeatedError(line, f"opens the same bytes as line {before}, so they were no secret{also}")


def _not_looked_at(line: int, count: int) -> Verdict:
    """Return the verdict on all that is left after `MAX_WRONG` matches that are wrong or prove no die."""
    many = f"this match and {count - 1} more" if count > 1 else "this match"
    problem = f"{many} were not looked at, after {MAX_WRONG} that are wrong or prove no die"
    return Verdict(first=line, wrong=WrongError(line, problem))


def _verified(lines: Sequence[NumberedLine], *, may_be_cut: bool) -> Verdict:
    """The verdict on one match. `may_be_cut` is whether its last line can be the beginning of one."""
    verdict = Verdict(first=lines[0].number)
    last = max(line.number for line in lines if line.text.strip())
    may_be_cut = may_be_cut or all(line.text for line in lines)  # not even its heading has ended
    try:
        record = Record(lines)
        verdict.score, verdict.closed = record.score, record.is_closed
        Walk(record, verdict).go()
    except WrongError as wrong:
        if may_be_cut and not verdict.closed and wrong.line == last and not _is_whole(lines, last):
            verdict.cut = last
        else:
            verdict.wrong = wrong
    return verdict


def _is_whole(lines: Sequence[NumberedLine], number: int) -> bool:
    """Return whether a line is a proof with all letters of its head. A wrong one was changed, not cut off."""
    return any(line.number == number and is_whole_proof(line.text) for line in lines)
