"""The learned worth of bids and doubts: a small network for each rule set, in `networks.json`.
`engine.arena.learn_worths` trains them by self-play; `evaluation` has their inputs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from math import tanh
from operator import mul
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from engine.rulesets import RULESETS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rules import Rules

FILE = Path(__file__).with_name("networks.json")
ANY_RULES = ""
"""The name of the networks for custom rule sets, trained under all shipped ones."""
BETWEEN_TWO, AMONG_MORE = "two", "more"


@dataclass(frozen=True, slots=True)
class Network:
    """A linear function of the inputs, plus some units that bend it. Each row of weights ends with a constant."""

    linear: list[float]
    units: list[list[float]]
    outputs: list[float]

    def worth(self, inputs: Sequence[float]) -> float:
        """Return the worth of an action with these inputs, in own dice."""
        inputs = (*inputs, 1.0)
        bent = [tanh(sum(map(mul, unit, inputs))) for unit in self.units]
        return float(sum(map(mul, self.linear, inputs)) + sum(map(mul, self.outputs, bent)))


@dataclass(frozen=True, slots=True)
class Networks:
    """The networks for one rule set and number of players."""

    bid: Network
    doubt: Network


@lru_cache(maxsize=64)
def networks_for(rules: Rules, living: int) -> Networks | None:
    """Return the networks for a number of living players, or None if the file has none."""
    known = _file()
    players = BETWEEN_TWO if living == 2 else AMONG_MORE
    name = rules.name if RULESETS.get(rules.name) == rules else ANY_RULES
    found = known.get(name, {}).get(players) or known.get(ANY_RULES, {}).get(players)
    return Networks(*(Network(**each) for each in found)) if found else None


@lru_cache(maxsize=1)
def _file() -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Return the networks by rule set and players: the one for bids, and the one for doubts."""
    return cast("dict[str, dict[str, list[dict[str, Any]]]]", json.loads(FILE.read_text()))
