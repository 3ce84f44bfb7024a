"""The engine's errors. Every one is also a `ValueError`, so a caller may catch only that.
DudoError                a wrong action, with a reason code and the position's public line
 +- ActionTextError      text that is not an action
 +- SeatError            a seat that may not take this action now
 +- IllegalActionError   an illegal action, whichever seat takes it
HandsError               dice that do not fit the expected roll
NotationError            text that breaks the notation
ScoreError               a score that cannot be replayed (`engine.notation.score`)
 +- UnknownDiceError     a score that lacks dice (`engine.notation.score`)
"""

from collections.abc import Iterable
from enum import StrEnum


class Reason(StrEnum):
    """The reason for refusing an action. The codes are stable: screens and translations key on them."""

    NO_ACTION = "no-action"
    # the seat may not act
    NO_SEAT = "no-seat"
    OUT = "out"
    NOT_IN_TURN = "not-in-turn"
    IN_TURN = "in-turn"
    NOT_THE_OWNER = "not-the-owner"
    OWN_BID = "own-bid"
    OWN_PASS = "own-pass"
    # the action is not legal now
    MATCH_OVER = "match-over"
    NOT_ROLLED = "not-rolled"
    CHOICE_FIRST = "choice-first"
    NOT_A_CHOICE = "not-a-choice"
    NOTHING_TO_CHOOSE = "nothing-to-choose"
    NOT_IN_THESE_RULES = "not-in-these-rules"
    NO_BID_YET = "no-bid-yet"
    NO_SUCH_FACE = "no-such-face"
    NO_DICE = "no-dice"
    ACES_OPENING = "aces-opening"
    FIXED_FACE = "fixed-face"
    LOWER_FACE = "lower-face"
    TOO_FEW = "too-few"
    TOO_MANY = "too-many"
    HALF = "half"
    DOUBLE = "double"
    OVER_THE_TABLE = "over-the-table"
    TOO_FEW_DICE_LEFT = "too-few-dice-left"
    NOT_IN_SPECIAL = "not-in-special"
    PASS_TWICE = "pass-twice"
    PASS_AFTER_PASS = "pass-after-pass"
    PASS_NEEDS_FIVE = "pass-needs-five"
    PASS_STANDS = "pass-stands"


class DudoError(Exception):
    """An error about an action, with a reason code and the position's public line."""

    def __init__(self, reason: Reason, message: str, position: str = "") -> None:
        super().__init__(f"{message} ({reason}) in: {position}" if position else f"{message} ({reason})")
        self.reason = reason
        self.position = position


class ActionTextError(DudoError, ValueError):
    """Text that is not an action."""


class IllegalActionError(DudoError, ValueError):
    """An action now illegal for every seat."""


class SeatError(DudoError, ValueError):
    """A seat that may not take this action now."""


class HandsError(ValueError):
    """Dice unlike the expected roll. The message counts dice and never shows one."""


class NotationError(ValueError):
    """Text that breaks the notation or describes an impossible match.
    The message is one line: `line 7: '0:4x9': expected …`. `text` is the quoted part; `line` counts from one and is
    None
    for single-line text. A quotation shows dice only if the text already did.
    """

    def __init__(self, text: str, problem: str, line: int | None = None) -> None:
        super().__init__(f"{'' if line is None else f'line {line}: '}{_quoted(text)}: {problem}")
        self.text = text
        self.problem = problem
        self.line = line

    def at(self, line: int) -> "NotationError":
        """Return the same error on a line of a longer text."""
        return NotationError(self.text, self.problem, line)

    def __reduce__(self) -> tuple[type["NotationError"], tuple[str, str, int | None]]:
        return type(self), (self.text, self.problem, self.line)


MAX_QUOTED_CHARACTERS = 60


def _quoted(text: str) -> str:
    return repr(text) if len(text) <= MAX_QUOTED_CHARACTERS else f"{text[:MAX_QUOTED_CHARACTERS]!r}…"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most similar to a wrong one, or None."""
    from difflib import get_close_matches  # a table starts sooner without

    return next(iter(get_close_matches(word, known, n=1)), None)
