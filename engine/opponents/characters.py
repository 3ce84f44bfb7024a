"""Characters: players of the middle level with habits of their own, a name and a few numbers each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.opponents import middle
from engine.opponents.middle import Habits

if TYPE_CHECKING:
    from random import Random

    from engine.actions import Action
    from engine.match import View


@dataclass(frozen=True, slots=True)
class Character:
    """An opponent by its habits."""

    habits: Habits

    def __call__(self, view: View, rng: Random) -> Action | None:
        """Return the seat's action, as `middle.choose` does."""
        return self.explain(view, rng)[0]

    def explain(self, view: View, rng: Random) -> tuple[Action | None, str]:
        """Return the same action for the same `rng`, and the belief behind it."""
        return middle.explain(view, rng, self.habits)


fox = Character(Habits(bluffs=0.5, bluffed_dice=2, doubts=-0.05, undoubted=0.5))
"""The bluffer."""
owl = Character(Habits(bluffs=0.04, doubts=0.25))
"""The doubter."""
mouse = Character(Habits(bluffs=0.0, doubts=-0.25))
"""The quiet one: never bluffs, and doubts late."""
