"""What can stand in a score, one small value for everything that happens in a match, and how a score can be wrong."""

from dataclasses import dataclass
from enum import StrEnum

from engine.actions import Action
from engine.hands import Hand


@dataclass(frozen=True, slots=True)
class OrderRoll:
    """One die each for the order of play, by seat; None for who does not roll. All the table sees it."""

    dice: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """The dice of a round, by seat; None where the score does not have them. Its repr counts dice and shows none."""

    hands: tuple[Hand, ...] | None


@dataclass(frozen=True, slots=True)
class Said:
    """A seat's bid, pass, call or choice."""

    seat: int
    action: Action


@dataclass(frozen=True, slots=True)
class Gone:
    """A seat left for good."""

    seat: int


class Ruling(StrEnum):
    """What the table decides: the round is void and rolled again; the special round that was due is forgone."""

    VOID = "void"
    FORGO = "forgo"


Entry = OrderRoll | Deal | Said | Gone | Ruling


class ScoreError(ValueError):
    """A score that can't be played on; `entry` is the place in `Score.entries`, `len(entries)` its result."""

    def __init__(self, entry: int, problem: str) -> None:
        super().__init__(f"entry {entry}: {problem}")
        self.entry = entry
        self.problem = problem

    def __reduce__(self) -> tuple[type["ScoreError"], tuple[int, str]]:
        return type(self), (self.entry, self.problem)


class UnknownDiceError(ScoreError):
    """What a call came to is not known, because the score does not have the dice."""
