"""The rules of Dudo as pure values, without I/O: six rule sets, matches and views.

>>> from engine import PERUDO, DUDO, Bid, Match
>>> match = Match.start(PERUDO, seats=2, first=0)
>>> match = match.roll({0: (1, 3, 3, 5, 6), 1: (2, 2, 3, 4, 6)})
>>> match = match.play(0, Bid(4, 3)).play(1, DUDO)
>>> match.position.showdown.matching, match.position.dice
(4, (5, 4))
"""

from importlib import import_module
from typing import TYPE_CHECKING

from engine.actions import CALZA, DUDO, KILL, PASS, SPOT, Action, Bid, Call, Pass, parse_action
from engine.bidding import LegalActions
from engine.errors import ActionTextError, DudoError, HandsError, IllegalActionError, NotationError, Reason, SeatError
from engine.hands import Hand, parse_hand, write_hand
from engine.legality import legal_actions
from engine.match import Match, View, visible_seats
from engine.position import Phase, Player, Position, Round, Showdown
from engine.rules import ACES, DICE, FACES, ExactCall, PassRule, RoundKind, Rules, Visibility
from engine.rulesets import BOXED, KILL_SPOT, OBLIGING, PALO_FIJO, PERUDO, PYRUDO, RULESETS, parse_rules, write_rules

if TYPE_CHECKING:  # loaded by `__getattr__`
    from engine.notation.position import parse_position
    from engine.notation.score import (
        DealtHands,
        Departure,
        Entry,
        HandOver,
        OrderRoll,
        PlayedAction,
        Ruling,
        Score,
        ScoreError,
        UnknownDiceError,
    )
    from engine.notation.score_text import parse_score, parse_scores, write_score

__all__ = [
    "ACES",
    "BOXED",
    "CALZA",
    "DICE",
    "DUDO",
    "FACES",
    "KILL",
    "KILL_SPOT",
    "OBLIGING",
    "PALO_FIJO",
    "PASS",
    "PERUDO",
    "PYRUDO",
    "RULESETS",
    "SPOT",
    "Action",
    "ActionTextError",
    "Bid",
    "Call",
    "DealtHands",
    "Departure",
    "DudoError",
    "Entry",
    "ExactCall",
    "Hand",
    "HandOver",
    "HandsError",
    "IllegalActionError",
    "LegalActions",
    "Match",
    "NotationError",
    "OrderRoll",
    "Pass",
    "PassRule",
    "Phase",
    "PlayedAction",
    "Player",
    "Position",
    "Reason",
    "Round",
    "RoundKind",
    "Rules",
    "Ruling",
    "Score",
    "ScoreError",
    "SeatError",
    "Showdown",
    "UnknownDiceError",
    "View",
    "Visibility",
    "legal_actions",
    "parse_action",
    "parse_hand",
    "parse_position",
    "parse_rules",
    "parse_score",
    "parse_scores",
    "visible_seats",
    "write_hand",
    "write_rules",
    "write_score",
]

_LATE_NAMES = {
    "position": ("parse_position",),
    "score": (
        "DealtHands",
        "Entry",
        "Departure",
        "HandOver",
        "OrderRoll",
        "Ruling",
        "PlayedAction",
        "Score",
        "ScoreError",
        "UnknownDiceError",
    ),
    "score_text": ("parse_score", "parse_scores", "write_score"),
}
_LATE = {name: f"engine.notation.{module}" for module, names in _LATE_NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import the score modules at first use: a table at play starts sooner without them."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATE[name]), name)
