"""Opponents: each decides from one seat's view alone, by `choose(view, rng)`.
`find` loads one by name, or a custom one as `module:function`. docs/opponents.md describes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from engine.actions import Bid, Call, Pass
from engine.errors import nearest
from engine.json_field import one_line
from engine.position import CHOOSING
from engine.rules import RoundKind

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from engine.actions import Action
    from engine.match import View

    Choose = Callable[[View, Random], Action | None]
    Explain = Callable[[View, Random], tuple[Action | None, str]]
    Mix = Callable[[View], dict[Action, float]]

OPPONENTS = {name: f"{__name__}.{name}:choose" for name in ("odds", "easy", "middle", "strong")}
"""Opponents by their names, as `module:function`. A clone has the arena's yardsticks too."""
OPPONENTS["hard"] = OPPONENTS["strong"]
LEVELS = ("easy", "middle", "hard")
"""Levels, weakest first."""
CHARACTERS = ("fox", "owl", "mouse")
"""Opponents of about the middle level with a habit: a bluffer, a doubter, a quiet one."""
OPPONENTS |= {name: f"{__name__}.characters:{name}" for name in CHARACTERS}
if find_spec("engine.arena"):
    _YARDSTICKS = "honest bluffer bayes threshold expected one_more aggressive least_safe truthful sixty_deals"
    OPPONENTS |= {name: f"engine.arena.yardsticks:{name}" for name in _YARDSTICKS.split()}

MAX_NAME_CHARACTERS = 200
MAX_PROBLEM_CHARACTERS = 500


class OpponentError(ValueError):
    """A name without an opponent."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent by its name.
    `choose` returns a legal action in turn, and a call or None out of turn. The optional `explain` returns the same
    action
    for the same `rng`, and a sentence with the opponent's belief.
    """

    name: str
    choose: Choose
    explain: Explain | None = None
    mix: Mix | None = None


def find(name: str) -> Opponent:
    """Return the opponent with this name, or the one at `module:function`; its module may have an `explain`.

    Raises `OpponentError`, one line, for an unknown name or an unimportable module.
    """
    quoted = repr(name[:MAX_NAME_CHARACTERS])
    module_name, colon, function = OPPONENTS.get(name, name).partition(":")
    if not colon:
        near = nearest(name, OPPONENTS)
        meant = f"did you mean {near}?" if near else f"expected {', '.join(OPPONENTS)} or module:function"
        raise OpponentError(f"{quoted} is not an opponent, {meant}")
    try:
        module: Any = import_module(module_name)
        choose = getattr(module, function)
    except Exception as error:
        problem = one_line(f"{type(error).__name__}: {error}"[:MAX_PROBLEM_CHARACTERS])
        raise OpponentError(f"{quoted} cannot be loaded: {problem}") from error
    if not callable(choose):
        raise OpponentError(f"{quoted} is not a function, expected choose(view, rng)")
    if function != "choose":
        return Opponent(name, choose, getattr(choose, "explain", None))
    return Opponent(name, choose, getattr(module, "explain", None), getattr(module, "mix", None))


def fault_in(view: View, returned: object) -> str | None:
    """Return the fault in a value returned by `choose(view, rng)`, or None for a valid one."""
    position = view.position
    is_in_turn = view.seat == (position.owner if position.phase is CHOOSING else position.turn)
    try:
        if returned is None:
            is_right = not is_in_turn
        else:
            is_right = returned in view.legal and (is_in_turn or isinstance(returned, Call))
    except Exception:  # the value cannot even be compared
        is_right = False
    return None if is_right else f"returned {_text(returned)} {'in turn' if is_in_turn else 'out of turn'}, not legal"


def _text(returned: object) -> str:
    """Describe a returned value without calling its untrusted `repr`."""
    if type(returned) is Bid and all(type(number) is int and abs(number) < 10**9 for number in returned):
        return str(returned)
    if isinstance(returned, Call | Pass | RoundKind | None):
        return str(returned)
    return f"an object of type {type(returned).__name__}"
