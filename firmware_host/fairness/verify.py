"""Goes through a record from its first line on: the chain, the commitments, the legality of the score, and every die.

`dudo-table verify` uses it. It stops at the first line of a match that is wrong, and goes on with the next match.
"""

from collections.abc import Sequence

from engine.notation.score_heading import Line
from firmware_host.fairness.proofs import WrongError
from firmware_host.fairness.record import Record, matches
from firmware_host.fairness.verdict import Verdict
from firmware_host.fairness.walk import Walk

MAX_WRONG = 20
"""The wrong matches of a record after which no more are looked at."""


def verify(text: str) -> list[Verdict]:
    """A verdict for each match of a record. Raises `WrongError` if the text is no record at all.

    After `MAX_WRONG` matches that are wrong there is one verdict for all that follow: they were not looked at.
    """
    told = matches(text)
    verdicts, wrong = list[Verdict](), 0
    seen = dict[str, int]()
    for number, lines in enumerate(told, start=1):
        if wrong == MAX_WRONG:
            verdicts.append(_not_looked_at(lines[0].number, len(told) - number + 1))
            break
        verdict = _verified(lines, may_be_cut=number < len(told) or not text.endswith("\n"))
        if verdict.match in seen and verdict.wrong is None:
            verdict.wrong = WrongError(verdict.first, f"is the match of line {seen[verdict.match]} once more")
        if verdict.match:
            seen.setdefault(verdict.match, verdict.first)
        wrong += verdict.wrong is not None
        verdicts.append(verdict)
    return verdicts


def _not_looked_at(line: int, count: int) -> Verdict:
    """Return the verdict on all that is left after `MAX_WRONG` matches that are wrong."""
    many = f"this match and {count - 1} more" if count > 1 else "this match"
    problem = f"{many} were not looked at, after {MAX_WRONG} that are wrong"
    return Verdict(first=line, wrong=WrongError(line, problem))


def _verified(lines: Sequence[Line], *, may_be_cut: bool) -> Verdict:
    """The verdict on one match. `may_be_cut` is whether its last line can be the beginning of one."""
    verdict = Verdict(first=lines[0].number)
    last = max(line.number for line in lines if line.text.strip())
    may_be_cut = may_be_cut or all(line.text for line in lines)  # not even its heading has ended
    try:
        record = Record(lines)
        verdict.score, verdict.closed = record.score, record.is_closed
        Walk(record, verdict).go()
    except WrongError as wrong:
        if may_be_cut and not verdict.closed and wrong.line == last:
            verdict.cut = last
        else:
            verdict.wrong = wrong
    return verdict
