"""Opponents: each decides from one seat's view alone, by `choose(view, rng)`.

`find` loads one by its name, or anybody's own as `module:function`. docs/opponents.md describes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.json_field import one_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from engine.actions import Action
    from engine.match import View

    Choose = Callable[[View, Random], Action | None]
    Explain = Callable[[View, Random], tuple[Action | None, str]]

OPPONENTS = ("odds", "honest", "bluffer", "bayes", "strong")
"""The names of the opponents, each that of a module in this package."""

MAX_NAME_CHARACTERS = 200
MAX_PROBLEM_CHARACTERS = 500


class OpponentError(ValueError):
    """A name that leads to no opponent."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent by its name.

    `choose` returns a legal action in turn, and out of turn a call or None. `explain`, which an opponent may lack,
    returns what `choose` would return with the same `rng`, and in a sentence what the opponent believed.
    """

    name: str
    choose: Choose
    explain: Explain | None = None


def find(name: str) -> Opponent:
    """Return the opponent with this name, or the one at `module:function`, whose module may have an `explain`.

    Raises `OpponentError`, one line, if there is none or its module cannot be imported.
    """
    quoted = repr(name[:MAX_NAME_CHARACTERS])
    module_name, colon, function = name.partition(":")
    if not colon:
        if name not in OPPONENTS:
            near = get_close_matches(name, OPPONENTS, n=1)
            meant = f"did you mean {near[0]}?" if near else f"expected {', '.join(OPPONENTS)} or module:function"
            raise OpponentError(f"{quoted} is not an opponent, {meant}")
        module_name, function = f"{__name__}.{name}", "choose"
    try:
        module: Any = import_module(module_name)
        choose = getattr(module, function)
    except Exception as error:
        problem = one_line(f"{type(error).__name__}: {error}"[:MAX_PROBLEM_CHARACTERS])
        raise OpponentError(f"{quoted} cannot be loaded: {problem}") from error
    if not callable(choose):
        raise OpponentError(f"{quoted} is not a function, expected choose(view, rng)")
    return Opponent(name, choose, getattr(module, "explain", None) if function == "choose" else None)
