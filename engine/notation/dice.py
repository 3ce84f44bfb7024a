"""Dice as digits: `13356` is a hand, `13356/-/22` a deal by seat. Only an explicit call writes them."""

import re
from collections.abc import Iterable

from engine.errors import NotationError
from engine.hands import Hand
from engine.notation.words import NOTHING

_HAND = re.compile(r"[1-6]{1,5}", re.ASCII)


def write_hand(hand: Iterable[int]) -> str:
    """The dice as digits, `-` for none. What it returns is as secret as the hand: `str` and `repr` never call it."""
    return "".join(map(str, hand)) or NOTHING


def parse_hand(text: str) -> Hand:
    """The hand that `write_hand` wrote; the dice may stand in any order. Raises `NotationError`."""
    if text == NOTHING:
        return Hand()
    if not _HAND.fullmatch(text):
        raise NotationError(text, "expected one to five dice such as 13356, or - for none")
    return Hand(map(int, text))


def write_hands(hands: Iterable[Iterable[int]]) -> str:
    """One entry a seat, parted by slashes."""
    return "/".join(map(write_hand, hands))
