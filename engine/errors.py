"""The three ways an action can be wrong, each with a reason code for the host's words and the position's public line.

Every error is a `ValueError` too, so a caller that only wants "was it legal" needs to know none of them.
"""

from enum import StrEnum


class Reason(StrEnum):
    """Why an action was refused. The codes are stable: screens and translations key on them."""

    NO_ACTION = "no-action"
    # the seat may not act
    NO_SEAT = "no-seat"
    OUT = "out"
    NOT_IN_TURN = "not-in-turn"
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
    PASS_TWICE = "pass-twice"
    PASS_AFTER_PASS = "pass-after-pass"
    PASS_NEEDS_FIVE = "pass-needs-five"
    PASS_STANDS = "pass-stands"


class DudoError(Exception):
    """What all errors of the engine have: a reason code and the public line of the position they arose in."""

    def __init__(self, reason: Reason, message: str, position: str = "") -> None:
        super().__init__(f"{message} ({reason}) in: {position}" if position else f"{message} ({reason})")
        self.reason = reason
        self.position = position


class ActionTextError(DudoError, ValueError):
    """Text that is no action."""


class IllegalActionError(DudoError, ValueError):
    """An action that is not legal now, whoever takes it."""


class SeatError(DudoError, ValueError):
    """A seat that may not take this action now."""


class HandsError(ValueError):
    """Dice that do not fit the roll that is awaited. The message counts dice and never shows one."""


class NotationError(ValueError):
    """Text that is not in the notation, or tells what cannot have happened.

    The message is one line: `line 7: '0:4x9': expected …`. `text` is what it quotes, `line` counts from one and is
    None where the text is a single line. A quotation shows dice only if the text already did.
    """

    def __init__(self, text: str, problem: str, line: int | None = None) -> None:
        super().__init__(f"{'' if line is None else f'line {line}: '}{_quoted(text)}: {problem}")
        self.text = text
        self.problem = problem
        self.line = line

    def at(self, line: int) -> "NotationError":
        """The same error on a line of a longer text."""
        return NotationError(self.text, self.problem, line)

    def __reduce__(self) -> tuple[type["NotationError"], tuple[str, str, int | None]]:
        return type(self), (self.text, self.problem, self.line)


QUOTED_CHARACTERS = 60


def _quoted(text: str) -> str:
    return repr(text) if len(text) <= QUOTED_CHARACTERS else f"{text[:QUOTED_CHARACTERS]!r}…"
