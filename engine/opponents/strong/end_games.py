"""Exact end games: one die against one die, solved by counterfactual regret minimization.
`engine.arena.end_games` makes the table and measures its loss to a best response. `strong` looks it up.

The table is packed text with a paragraph for each game: its first line names the rule set and the kind of round. Each
further line is a decision: the bids so far as letters and, for each own die from 1 to 6, separated by slashes, the
actions with their shares in thousandths, such as `C250d750`. A die without this decision has an empty entry.
"""

from __future__ import annotations

import re
from base64 import b85decode
from functools import cache
from typing import TYPE_CHECKING
from zlib import decompress

from engine.actions import Action, Bid, Call
from engine.opponents.strong.end_games_table import PACKED
from engine.rules import FACES
from engine.rulesets import RULESETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.match import View

PARTS = 1000
CALL_LETTERS = {"dudo": "d", "calza": "c", "kill": "k", "spot": "s"}
_CALLS = {letter: Call(name) for name, letter in CALL_LETTERS.items()}
_CHOICE = re.compile(r"([A-Za-z])(\d+)")

Strategy = dict[str, list[str]]
"""The choices by own die, for each sequence of bid letters."""


def bid_letter(bid: Bid) -> str:
    """Return a bid's letter: A is 1x1, G is 2x1."""
    return chr(ord("A") + (bid.quantity - 1) * len(FACES) + bid.face - 1)


def choices_in(text: str) -> Iterator[tuple[str, int]]:
    """Yield each action of one die: its letter and its share in thousandths."""
    for letter, parts in _CHOICE.findall(text):
        yield letter, int(parts)


@cache
def table() -> dict[str, Strategy]:
    """Return the solved games by rule set and kind of round."""
    games: dict[str, Strategy] = {}
    if not PACKED:  # while the table is made
        return games
    for paragraph in decompress(b85decode(PACKED)).decode().split("\n\n"):
        title, *lines = paragraph.split("\n")
        decisions = [line.split(" ") for line in lines]
        games[title] = {bids: choices.split("/") for bids, choices in decisions}
    return games


def solution(view: View) -> dict[Action, int] | None:
    """Return the solution's actions with their thousandths, or None for a decision outside the table."""
    position, own = view.position, view.own
    if position.in_play != 2 or own is None or len(own) != 1 or position.turn != view.seat:
        return None
    if RULESETS.get(position.rules.name) != position.rules or any(position.banked):
        return None
    bids = [action for _, action in view.history if isinstance(action, Bid)]
    standing = bids[-1] if bids else None
    if standing != position.standing or len(bids) < len(view.history) or any(bid.quantity > 2 for bid in bids):
        return None
    game = table().get(f"{position.rules} {position.kind}")
    choices = game and game.get("".join(map(bid_letter, bids)))
    if not choices:
        return None
    found = {_action(letter): parts for letter, parts in choices_in(choices[own[0] - 1])}
    return found or None


def _action(letter: str) -> Action:
    if letter in _CALLS:
        return _CALLS[letter]
    quantity, face = divmod(ord(letter) - ord("A"), len(FACES))
    return Bid(quantity + 1, face + 1)
