"""Reads a record: its matches, and in each the heading, the score and the proof lines, without playing it.

A proof line begins with `%`, so score readers skip it: `% deal 3 sealed = 7K3M…`. It has the chained text, an equals
sign, and the resulting head; after a score line it has the head alone, `% = 7K3M…`. `scores.record_writer` writes these
lines.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine import NotationError, Player, Score
from engine.notation.score import Entry
from engine.notation.score_text import ASIDE, FORMAT, NumberedLine, is_aside, read_score, write_heading, write_rounds
from firmware_host.fairness.chain import HEAD_ALPHABET, VERSION

MAX_LINE_LENGTH = 1 << 16
"""Characters."""
CUP_ENTROPY_BYTES = 32
"""Bytes drawn by a cup with a program (`LINK.md`). With fewer, all values could be tried against the commitment."""
MAX_ENTROPY_BYTES = 64
"""Maximum number of bytes from a switch or a button."""
_PROOF = re.compile(rf"{ASIDE} (?:(\S.*) )?= ([{HEAD_ALPHABET}]{{52}})")
_MATCH = re.compile(r"match [0-9a-f]{12}( proofs [0-9]+)? seed ([0-9a-f]{64}) rules \S+ first [0-7-] seats .+")
_DEAL = re.compile(r"deal ([1-9][0-9]{0,8}) ([a-z]+)((?: [^ ]+)*)")
_FORMATS = {
    "house": re.compile(r"() ([0-9a-f]{64})"),
    "cup": re.compile(r" ([0-7]) ([0-9a-f]{64})"),
    "switch": re.compile(r" ([0-7]) ([0-9a-f]{64})"),
    "button": re.compile(r" ([0-7]) ([0-9a-f]{64})"),
    "sealed": re.compile("()()"),
    "seed": re.compile(r"() ([0-9a-f]{64})"),
    "opens": re.compile(rf" ([0-7]) ((?:[0-9a-f]{{2}}){{1,{MAX_ENTROPY_BYTES}}})"),
}
_EXPECTED = {
    "sealed": "nothing after it",
    "opens": "a seat and the hex digits of its entropy",
    **dict.fromkeys(("house", "seed"), "64 hex digits"),
    **dict.fromkeys(("cup", "switch", "button"), "a seat and 64 hex digits"),
}
_NO_PROOFS = (
    "the match was kept without proofs, lines that begin with %: whether its dice are those that host and cups made, "
    "nobody can tell any more; what play and run write with --record has its proofs"
)


class VerificationError(ValueError):
    """An error in a record: the number of its line, from one, and the problem."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        self.problem = problem

    def __reduce__(self) -> tuple[type["VerificationError"], tuple[int, str]]:
        return type(self), (self.line, self.problem)


class UnprovenError(VerificationError):
    """A match recorded without proofs."""

    def __init__(self, line: int, problem: str = _NO_PROOFS) -> None:
        super().__init__(line, problem)


class ReusedSecretError(VerificationError):
    """A seed or entropy opened twice in a record. It was public the second time, so the dice are not fair."""


# Proof lines


class ProofLine(NamedTuple):
    """A proof line. `text` is empty where the line has only the head after a line of the score."""

    line: int
    text: str
    head: str


class DealLine(NamedTuple):
    """A proof line about a deal. `player` is None for the host, `value` is empty for `sealed`."""

    line: int
    number: int
    kind: str
    player: Player | None
    value: bytes


def write_proof_line(text: str, head: str) -> str:
    """Return the record line for a chained text. An empty text stands for the score line before it."""
    return f"{ASIDE} {text} = {head}" if text else f"{ASIDE} = {head}"


def read_proof_line(line: int, text: str) -> ProofLine:
    """Parse a record line that begins with %. Raises `VerificationError`."""
    if found := _PROOF.fullmatch(text):
        return ProofLine(line, found[1] or "", found[2])
    raise VerificationError(line, "is not a proof: expected one such as % deal 3 sealed = and the 52 letters of a head")


def is_complete_proof_line(text: str) -> bool:
    """Return whether a record line is a proof line down to its head's last letter."""
    return _PROOF.fullmatch(text) is not None


def read_deal_line(proof: ProofLine) -> DealLine:
    """Return a proof line as one about a deal. Raises `VerificationError`."""
    found = _DEAL.fullmatch(proof.text)
    if not found or found[2] not in _FORMATS:
        problem = f"proves nothing: expected deal, its number, and one of {', '.join(_FORMATS)}"
        raise VerificationError(proof.line, problem)
    values = _FORMATS[found[2]].fullmatch(found[3])
    if not values:
        raise VerificationError(proof.line, f"expected {_EXPECTED[found[2]]} after {found[2]}")
    player = Player(int(values[1])) if values[1] else None
    return DealLine(proof.line, int(found[1]), found[2], player, bytes.fromhex(values[2]))


def read_match_seed(proof: ProofLine) -> tuple[bytes, int]:
    """Return the seed in a match's first proof line, and the proof version. Raises `VerificationError`."""
    found = _MATCH.fullmatch(proof.text)
    if not found:
        problem = "expected the match’s first proof, such as % match … proofs 2 seed … rules … first … seats …"
        raise VerificationError(proof.line, problem)
    if found[1] not in (None, f" proofs {VERSION}"):
        raise VerificationError(proof.line, f"expected proofs {VERSION}: these are for another version of dudo-table")
    return bytes.fromhex(found[2]), VERSION if found[1] else 1


# Matches


class EntryItem(NamedTuple):
    """A score entry and its place in the record."""

    line: int
    place: int  # in `Score.entries`
    entry: Entry


class ResultItem(NamedTuple):
    """The end of a match, `*` or its winner."""

    line: int


Item = EntryItem | ProofLine | ResultItem


def split_matches(text: str) -> list[list[NumberedLine]]:
    """Return each match's lines, the first one `dudo score 1`.

    Raises `VerificationError` for a text that begins otherwise.
    """
    numbered = enumerate(text.replace("\r\n", "\n").removesuffix("\n").split("\n"), start=1)
    lines = [NumberedLine(number, line) for number, line in numbered]
    starts = [index for index, line in enumerate(lines) if line.text == FORMAT]
    first = next((index for index, line in enumerate(lines) if line.text.strip()), 0)
    if not starts or starts[0] != first:
        version = " of this version" if lines[first].text.startswith(FORMAT[:-1]) else ""
        raise VerificationError(lines[first].number, f"expected the first line of a record{version}, {FORMAT}")
    return [lines[start:end] for start, end in pairwise((*starts, len(lines)))]


class RecordReader:
    """One match in a record. The constructor raises `VerificationError` for too long lines and a wrong heading."""

    def __init__(self, lines: Sequence[NumberedLine]) -> None:
        for number, text in lines:
            if len(text) > MAX_LINE_LENGTH:
                problem = f"is longer than {MAX_LINE_LENGTH} characters, no line of a record is"
                raise VerificationError(number, problem)
        self.first = lines[0].number
        self._lines = [line for line in lines if not is_aside(line.text)]
        self._proofs = [line for line in lines if is_aside(line.text)]
        blank = next((line.number for line in lines if not line.text), lines[-1].number)
        if self._proofs and self._proofs[0].number < blank:
            problem = "expected an empty line between the heading and the first proof"
            raise VerificationError(self._proofs[0].number, problem)
        try:
            self._read = read_score(self._lines)
        except NotationError as error:
            raise VerificationError(error.line or self.first, str(error.at(0)).partition(": ")[2]) from None

    @property
    def score(self) -> Score:
        """The readable part of the score."""
        return self._read.score

    @property
    def has_proofs(self) -> bool:
        """Whether it has proof lines."""
        return bool(self._proofs)

    @property
    def is_closed(self) -> bool:
        """Whether it has a result: then it can't have been cut off."""
        return self._read.result is not None

    def items(self) -> Iterator[Item]:
        """Yield everything in line order. Raises `VerificationError` at the first wrong line."""
        self._check_heading()
        items = sorted([*self._score_items(), *self._proofs], key=_line_of)
        error = self._first_error()
        for item in items:
            if error is not None and _line_of(item) >= error.line:
                break
            yield read_proof_line(*item) if isinstance(item, NumberedLine) else item
        if error is not None:
            raise error

    def heading_line(self, key: str) -> int:
        """Return the heading line that begins with `key`, or else the first line."""
        return next((line.number for line in self._lines if line.text.startswith(f"{key}:")), self.first)

    def _score_items(self) -> Iterator[EntryItem | ResultItem]:
        for index, (entry, word) in enumerate(zip(self.score.entries, self._read.words, strict=True)):
            yield EntryItem(word.number, index, entry)
        if self._read.result is not None:
            yield ResultItem(self._read.result.number)

    def _first_error(self) -> VerificationError | None:
        """Return the first reading error, or the first word unlike a recorder's form."""
        errors = [*self._unprintable(), *self._misspelled()]
        if problem := self._read.problem:
            errors.append(VerificationError(problem.line or 0, str(problem.at(0)).partition(": ")[2]))
        return min(errors, key=lambda error: error.line, default=None)

    def _unprintable(self) -> Iterator[VerificationError]:
        for number, text in (*self._lines, *self._proofs):
            if not text.isprintable():
                yield VerificationError(number, "holds something that can’t be seen")

    def _misspelled(self) -> Iterator[VerificationError]:
        words = (NumberedLine(line.number, word) for line in self._body() for word in line.text.split())
        for (number, word), expected in zip(words, " ".join(write_rounds(self.score)).split(), strict=False):
            if word != expected:
                yield VerificationError(number, f"expected {expected} in place of {word[:60]}")
                return

    def _check_heading(self) -> None:
        for line, text in zip(self._lines, [*write_heading(self.score), ""], strict=False):
            if line.text != text:
                raise VerificationError(line.number, f"expected {text!r} in place of {line.text[:60]!r}")

    def _body(self) -> Iterable[NumberedLine]:
        return self._lines[len([*write_heading(self.score)]) :]


def _line_of(item: Item | NumberedLine) -> int:
    return item.number if isinstance(item, NumberedLine) else item.line
