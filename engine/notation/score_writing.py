"""Writes a score: a heading of `key: value` lines, a line a round, the result. `score_reading` reads it back."""

from collections.abc import Iterator

from engine.actions import Call
from engine.notation.dice import write_hands
from engine.notation.entries import Deal, Entry, Gone, OrderRoll, Ruling, Said
from engine.notation.rules import write_rules
from engine.notation.score import Score
from engine.notation.words import NOTHING

FORMAT = "dudo score 1"
UNKNOWN = "?"
NOT_OVER = "*"


def write_score(score: Score) -> str:
    """The text that `parse_score` reads back as `score`, with all its dice; `score.public` is for other eyes."""
    result = NOT_OVER if score.winner is None else f"{score.winner}:wins"
    return "".join(f"{line}\n" for line in (*heading(score), "", *rounds(score), result))


def heading(score: Score) -> Iterator[str]:
    """The lines before the empty one."""
    yield FORMAT
    yield f"rules: {write_rules(score.rules)}"
    if score.date:
        yield f"date: {score.date}"
    for seat, name in enumerate(score.names):
        yield f"seat {seat}: {name}".rstrip()
    if score.first or score.rules.seating == "fixed":
        yield f"first: {score.first}"


def rounds(score: Score) -> Iterator[str]:
    """A line for each round, and before them one under the number 0 for the rolls for the order of play."""
    words: list[str] = []
    number, seated = 1, score.rules.seating == "fixed"
    for entry in score.entries:
        if isinstance(entry, OrderRoll) or not (seated or isinstance(entry, Gone)):
            seated = not isinstance(entry, OrderRoll)
            if seated and words:
                yield " ".join(words)
                words = []
        words = words or [f"{number if seated else 0}."]
        words.append(write_entry(entry))
        if isinstance(entry, Said) and isinstance(entry.action, Call):
            yield " ".join(words)
            words, number = [], number + 1
    if words:
        yield " ".join(words)


def write_entry(entry: Entry) -> str:
    """What happened, in one word of a score."""
    match entry:
        case OrderRoll(dice):
            return "/".join(NOTHING if die is None else str(die) for die in dice)
        case Deal(hands):
            return UNKNOWN if hands is None else write_hands(hands)
        case Said(seat, action):
            return f"{seat}:{action}"
        case Gone(seat):
            return f"{seat}:leave"
        case Ruling():
            return entry.value
