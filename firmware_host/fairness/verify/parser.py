"""Proofs as a record holds them, in lines that readers of scores pass over: `% deal 3 sealed = 7K3M…`.

What is chained, an equals sign, and the head after it; after a line of the score itself the head alone, `% = 7K3M…`.
The scorekeeper writes them, `verify` reads them.
"""

import re
from typing import NamedTuple

from engine.notation.score_text import ASIDE
from firmware_host.fairness.commitments import LETTERS
from firmware_host.fairness.lines import VERSION

CUP_ENTROPY_BYTES = 32
"""Length of what a cup with a program draws (`LINK.md`); fewer could be found by trying, given the commitment."""
LONGEST_ENTROPY_BYTES = 64
"""Most bytes of what the house had from a switch or a button."""
_PROOF = re.compile(rf"{ASIDE} (?:(\S.*) )?= ([{LETTERS}]{{52}})")
_MATCH = re.compile(r"match [0-9a-f]{12}( proofs [0-9]+)? seed ([0-9a-f]{64}) rules \S+ first [0-7-] seats .+")
_DEAL = re.compile(r"deal ([1-9][0-9]{0,8}) ([a-z]+)((?: [^ ]+)*)")
_SHAPES = {
    "house": re.compile(r"() ([0-9a-f]{64})"),
    "cup": re.compile(r" ([0-7]) ([0-9a-f]{64})"),
    "switch": re.compile(r" ([0-7]) ([0-9a-f]{64})"),
    "button": re.compile(r" ([0-7]) ([0-9a-f]{64})"),
    "sealed": re.compile("()()"),
    "seed": re.compile(r"() ([0-9a-f]{64})"),
    "opens": re.compile(rf" ([0-7]) ((?:[0-9a-f]{{2}}){{1,{LONGEST_ENTROPY_BYTES}}})"),
}
_EXPECTED = {
    "sealed": "nothing after it",
    "opens": "a seat and the hex digits of its entropy",
    **dict.fromkeys(("house", "seed"), "64 hex digits"),
    **dict.fromkeys(("cup", "switch", "button"), "a seat and 64 hex digits"),
}
_NO_PROOFS = (
    "the match was kept without proofs, lines that begin with %: whether its dice are those that house and cups made, "
    "nobody can tell any more; what play and run write with --record has its proofs"
)


class WrongError(ValueError):
    """Something in a record that is not as it should be: on which line, counted from one, and what."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        self.problem = problem

    def __reduce__(self) -> tuple[type["WrongError"], tuple[int, str]]:
        return type(self), (self.line, self.problem)


class UnprovenError(WrongError):
    """A match was kept without proofs."""

    def __init__(self, line: int, problem: str = _NO_PROOFS) -> None:
        super().__init__(line, problem)


class RepeatedError(WrongError):
    """Bytes that are drawn for one deal alone stand in a record twice: its dice are not fair as they are shown."""


class Proof(NamedTuple):
    """One line. `text` is empty where it is the head after a line of the score."""

    line: int
    text: str
    head: str


class Told(NamedTuple):
    """What a deal's line tells; `player` is None for the house, `value` empty for `sealed`."""

    line: int
    number: int
    what: str
    player: int | None
    value: bytes


def write_proof(text: str, head: str) -> str:
    """The line of a record for what was chained, or with an empty text for what stands before it."""
    return f"{ASIDE} {text} = {head}" if text else f"{ASIDE} = {head}"


def read_proof(line: int, text: str) -> Proof:
    """A line of a record that begins with %. Raises `WrongError`."""
    if found := _PROOF.fullmatch(text):
        return Proof(line, found[1] or "", found[2])
    raise WrongError(line, "is no proof: expected one such as % deal 3 sealed = and the 52 letters of a head")


def is_whole_proof(text: str) -> bool:
    """Return whether a line of a record is a proof down to the last letter of its head."""
    return _PROOF.fullmatch(text) is not None


def read_told(proof: Proof) -> Told:
    """What a proof about a deal tells. Raises `WrongError`."""
    found = _DEAL.fullmatch(proof.text)
    if not found or found[2] not in _SHAPES:
        raise WrongError(proof.line, f"proves nothing: expected deal, its number, and one of {', '.join(_SHAPES)}")
    shape = _SHAPES[found[2]].fullmatch(found[3])
    if not shape:
        raise WrongError(proof.line, f"expected {_EXPECTED[found[2]]} after {found[2]}")
    player = int(shape[1]) if shape[1] else None
    return Told(proof.line, int(found[1]), found[2], player, bytes.fromhex(shape[2]))


def read_match_seed(proof: Proof) -> tuple[bytes, int]:
    """Return the seed of a match's first proof, and the version of its proofs. Raises `WrongError`."""
    found = _MATCH.fullmatch(proof.text)
    if not found:
        problem = "expected the match’s first proof, such as % match … proofs 2 seed … rules … first … seats …"
        raise WrongError(proof.line, problem)
    if found[1] not in (None, f" proofs {VERSION}"):
        raise WrongError(proof.line, f"expected proofs {VERSION}: these are for another version of dudo-table")
    return bytes.fromhex(found[2]), VERSION if found[1] else 1
