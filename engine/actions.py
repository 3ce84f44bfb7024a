"""A player's actions: a bid, one of four calls, a pass, or the choice of a special round.

All are small hashable values with one short text form each (`5x3`, `dudo`, `pass`, `blind`); `str` writes it and
`parse_action` reads it back.
"""

import re
from enum import Enum, StrEnum
from typing import NamedTuple

from engine.errors import ActionTextError, Reason
from engine.rules import RoundKind


class Bid(NamedTuple):
    """A claim: at least `quantity` dice show `face`. `engine.bidding` decides whether it is legal."""

    quantity: int
    face: int

    def __str__(self) -> str:
        return f"{self.quantity}x{self.face}"


class Call(StrEnum):
    """A round-ending action: a doubt, or one of the three exact calls."""

    DUDO = "dudo"
    CALZA = "calza"
    KILL = "kill"
    SPOT = "spot"


class Pass(Enum):
    """The one pass; a single-member enum, so its type differs from a call's."""

    PASS = "pass"

    def __str__(self) -> str:
        return "pass"


Action = Bid | Call | Pass | RoundKind
"""A `RoundKind` as an action is the owner's choice of the special round; `NORMAL` waives it."""

DUDO, CALZA, KILL, SPOT = Call
PASS = Pass.PASS

_BID = re.compile(r"(\d{1,1000})x(\d{1,1000})", re.ASCII)  # the rules set no limit, but Python's int() does
_MAX_BID_CHARACTERS = 2001  # longest bid in characters
_WORDS: dict[str, Action] = {"pass": PASS, **{str(word): word for word in (*Call, *RoundKind)}}


def parse_action(text: str, position: str = "") -> Action:
    """Read an action's text form; an error quotes `position`, the public line.
    Raises `ActionTextError` for any other text. Accepts `0x4` and `3x7`: bids, though never legal.
    """
    if found := _BID.fullmatch(text):
        return Bid(int(found[1]), int(found[2]))
    if word := _WORDS.get(text):
        return word
    quoted = repr(text) if len(text) <= _MAX_BID_CHARACTERS else f"{text[:_MAX_BID_CHARACTERS]!r}…"
    raise ActionTextError(Reason.NO_ACTION, f"{quoted} is not an action", position)
