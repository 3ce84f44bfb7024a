"""Dice as values: the hand under one cup, countable but never shown by accident.
The text form is digits: `13356` is a hand, `13356/-/22` the hands by seat. Only an explicit call writes it.
"""

import re
from collections.abc import Iterable
from itertools import combinations_with_replacement

from engine.errors import NotationError
from engine.rules import ACES, DICE, FACES

NOTHING = "-"
"""An empty list in every text form."""

_HAND = re.compile(r"[1-6]{1,5}", re.ASCII)


class Hand(tuple[int, ...]):
    """One seat's dice, sorted. `repr` and `str` hide them: logs and tracebacks hold only their number."""

    __slots__ = ()

    def __new__(cls, dice: Iterable[int] = ()) -> "Hand":
        """Put these dice under a cup, in any order."""
        return tuple.__new__(cls, sorted(dice))

    def matching(self, face: int, *, wilds: bool) -> int:
        """Count this hand's dice matching a bid on `face`."""
        return count((self,), face, wilds=wilds)

    def __repr__(self) -> str:
        return f"<Hand of {len(self)}>"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(repr(self), spec)


HANDS: dict[tuple[int, ...], Hand] = {
    hand: hand for dice in range(DICE + 1) for hand in map(Hand, combinations_with_replacement(FACES, dice))
}
"""The 461 hands and the empty one, by their sorted dice. No other tuple is a hand.
All exist before the first roll, so a first-time hand takes no longer to roll than a repeated one.
"""


def count(hands: Iterable[Hand], face: int, *, wilds: bool) -> int:
    """Count the dice matching `face` in all these hands; wild aces match every face, and aces only themselves."""
    dice = sum(hands, ())
    return dice.count(face) + dice.count(ACES) if wilds and face != ACES else dice.count(face)


def write_hand(hand: Iterable[int]) -> str:
    """Write dice as digits, `-` without dice. The text is as secret as the hand: `str` and `repr` never call this."""
    return "".join(map(str, hand)) or NOTHING


def parse_hand(text: str) -> Hand:
    """Read a hand from its `write_hand` form; the dice may be in any order. Raises `NotationError`."""
    if text == NOTHING:
        return Hand()
    if not _HAND.fullmatch(text):
        raise NotationError(text, "expected one to five dice such as 13356, or - for none")
    return Hand(map(int, text))


def write_hands(hands: Iterable[Iterable[int]]) -> str:
    """Write one entry a seat, parted by slashes."""
    return "/".join(map(write_hand, hands))
