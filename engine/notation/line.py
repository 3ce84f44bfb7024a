"""A position in one line: what `str(position)` is, and what every error and log quotes. `reading` reads it back.

No die is in it but those of the last showdown, which everybody saw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from engine.notation.dice import write_hands
from engine.notation.rules import write_rules

if TYPE_CHECKING:
    from engine.position import Position
    from engine.showdown import Showdown


def write_position(position: Position) -> str:
    """The line. What is none or empty in the position is left out."""
    return " ".join(_words(position))


def _words(position: Position) -> Iterator[str]:
    held = ",".join(f"{seat}:{position.dice[seat]}" for seat in position.order)
    yield f"{write_rules(position.rules)} {position.phase} round {position.number} {position.kind}"
    yield from _told("of", position.owner)
    yield f"dice {held} of {position.starting_dice}"
    yield from _told("first", position.first)
    yield from _told("turn", position.turn)
    yield from _told("bid", position.standing)
    yield from _told("by", position.bidder)
    yield from _told("pass by", position.passer)
    yield from _listed("passed", position.passed)
    yield from _listed("used", position.special_used)
    if position.banked:
        yield f"banked {_by_seat(position.banked)}"
    if position.rolls:
        yield f"rolls {write_hands(position.rolls)}"
    yield from _listed("rolling", position.rolling)
    if position.showdown is not None:
        yield from _showdown(position.showdown)


def _showdown(shown: Showdown) -> Iterator[str]:
    yield f"after round {shown.number} {shown.kind} bid {shown.bid} {shown.call} by {shown.caller} of {shown.doubted}"
    yield "right" if shown.right else "wrong"
    yield from _told("matching", shown.matching)
    yield f"hands {write_hands(shown.hands)} change {_by_seat(shown.change)}"
    yield from _listed("out", shown.out)


def _told(word: str, value: object | None) -> Iterator[str]:
    if value is not None:
        yield f"{word} {value}"


def _listed(word: str, seats: Iterable[int]) -> Iterator[str]:
    if listed := ",".join(map(str, seats)):
        yield f"{word} {listed}"


def _by_seat(numbers: Iterable[int]) -> str:
    return "/".join(map(str, numbers))
