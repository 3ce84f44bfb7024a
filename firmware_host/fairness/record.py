"""A record as text: the matches in it, and each as its heading, what happened in it, and the proofs between.

Only what can be read without playing is looked at here; `verify` plays it and checks the proofs.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine import NotationError, Score
from engine.notation.score import Entry
from engine.notation.score_text import FORMAT, NumberedLine, is_aside, read_score, write_heading, write_rounds
from firmware_host.fairness.verify.parser import Proof, WrongError, read_proof

LONGEST_LINE = 1 << 16


@dataclass(frozen=True)
class EntryItem:
    """An entry of the score, where it stands."""

    line: int
    place: int  # in `Score.entries`
    entry: Entry


@dataclass(frozen=True)
class ResultItem:
    """The end of a match: `*` or its winner."""

    line: int


Item = EntryItem | Proof | ResultItem


def matches(text: str) -> list[list[NumberedLine]]:
    """The lines of each match, the first of them `dudo score 1`. Raises `WrongError` if the text begins otherwise."""
    told = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    lines = [NumberedLine(number, line) for number, line in enumerate(told, start=1)]
    starts = [place for place, line in enumerate(lines) if line.text == FORMAT]
    first = next((place for place, line in enumerate(lines) if line.text.strip()), 0)
    if not starts or starts[0] != first:
        version = " of this version" if lines[first].text.startswith(FORMAT[:-1]) else ""
        raise WrongError(lines[first].number, f"expected the first line of a record{version}, {FORMAT}")
    return [lines[start:end] for start, end in pairwise((*starts, len(lines)))]


class Record:
    """One match of a record. Making it raises `WrongError` for endless lines, and for a heading that can't be read."""

    def __init__(self, lines: Sequence[NumberedLine]) -> None:
        for number, text in lines:
            if len(text) > LONGEST_LINE:
                raise WrongError(number, f"is longer than {LONGEST_LINE} characters, no line of a record is")
        self.first = lines[0].number
        self._lines = [line for line in lines if not is_aside(line.text)]
        self._asides = [line for line in lines if is_aside(line.text)]
        blank = next((line.number for line in lines if not line.text), lines[-1].number)
        if self._asides and self._asides[0].number < blank:
            raise WrongError(self._asides[0].number, "expected an empty line between the heading and the first proof")
        try:
            self._read = read_score(self._lines)
        except NotationError as error:
            raise WrongError(error.line or self.first, str(error.at(0)).partition(": ")[2]) from None

    @property
    def score(self) -> Score:
        """What happened, as far as it can be read."""
        return self._read.score

    @property
    def has_proofs(self) -> bool:
        """Whether a line begins as proofs do."""
        return bool(self._asides)

    @property
    def is_closed(self) -> bool:
        """Whether its result is there, so that it can't have been cut off."""
        return self._read.result is not None

    def items(self) -> Iterator[Item]:
        """Everything in the order in which it stands there. Raises `WrongError` where it can't be read on."""
        self._check_heading()
        told = sorted(
            [*self._told(), *self._asides], key=lambda item: item[0] if isinstance(item, NumberedLine) else item.line
        )
        problem = self._problem()
        for item in told:
            line = item.number if isinstance(item, NumberedLine) else item.line
            if problem is not None and line >= problem.line:
                break
            yield read_proof(*item) if isinstance(item, NumberedLine) else item
        if problem is not None:
            raise problem

    def _told(self) -> Iterator[EntryItem | ResultItem]:
        score = self.score
        for place, (entry, word) in enumerate(zip(score.entries, self._read.words, strict=True)):
            yield EntryItem(word.number, place, entry)
        if self._read.result is not None:
            yield ResultItem(self._read.result.number)

    def _problem(self) -> WrongError | None:
        """The first thing that can't be read, or is written in another way than a scorekeeper writes it."""
        found = [*self._strange(), *self._misspelled()]
        if error := self._read.problem:
            found.append(WrongError(error.line or 0, str(error.at(0)).partition(": ")[2]))
        return min(found, key=lambda wrong: wrong.line, default=None)

    def _strange(self) -> Iterator[WrongError]:
        for number, text in (*self._lines, *self._asides):
            if not text.isprintable():
                yield WrongError(number, "holds something that can’t be seen")

    def _misspelled(self) -> Iterator[WrongError]:
        words = (NumberedLine(line.number, word) for line in self._body() for word in line.text.split())
        for (number, word), expected in zip(words, " ".join(write_rounds(self.score)).split(), strict=False):
            if word != expected:
                yield WrongError(number, f"expected {expected} in place of {word[:60]}")
                return

    def _check_heading(self) -> None:
        expected = [*write_heading(self.score), ""]
        for line, text in zip(self._lines, expected, strict=False):
            if line.text != text:
                raise WrongError(line.number, f"expected {text!r} in place of {line.text[:60]!r}")

    def _body(self) -> Iterable[NumberedLine]:
        return self._lines[len([*write_heading(self.score)]) :]

    def heading_line(self, key: str) -> int:
        """The line of the heading that begins with `key`, the first one if there is none."""
        return next((line.number for line in self._lines if line.text.startswith(f"{key}:")), self.first)
