"""A strong opponent for any rule set, from one seat's view alone.
`choose(view, rng)` weighs each action by its effect on the chance to win the match: `beliefs` reads the round's bids,
`values` weighs dice counts, and `evaluation` the actions, by networks that learned from self-play (`network`). Between
two players it draws its actions from trained tables (`end_games`), so nobody can read it.
"""

from __future__ import annotations

from math import erf, exp, prod, sqrt
from typing import TYPE_CHECKING

from engine.actions import Bid
from engine.match import visible_seats
from engine.opponents.chances import Chances
from engine.opponents.strong.end_games import solution
from engine.opponents.strong.evaluation import TUNING, Evaluator
from engine.position import Phase

if TYPE_CHECKING:
    from random import Random

    from engine.actions import Action
    from engine.match import View
    from engine.position import Player, Position
    from engine.rules import RoundKind

_NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def choose(view: View, rng: Random) -> Action | None:
    """Return the seat's action: in turn a legal one, out of turn a call or None; None if it can't act."""
    position = view.position
    if position.phase is Phase.CHOOSING and view.seat == position.owner:
        return special_round(position, view.seat)
    in_turn = view.seat == position.turn
    if position.turn is None or not position.dice[view.seat] or not (in_turn or view.legal.words):
        return None
    if solved := solution(view):
        return rng.choices([*solved], [*solved.values()])[0]
    evaluator = Evaluator(view)
    worths = {action: worth + rng.gauss(0, TUNING.noise) for action, worth in evaluator.worths()}
    best = max(worths, key=worths.__getitem__, default=None)
    if in_turn or best is None or worths[best] > evaluator.waiting() + TUNING.margin:
        return best
    return None


def mix(view: View) -> dict[Action, float]:
    """Return the chance with which `choose` takes each action, for a seat in turn."""
    position = view.position
    if position.phase is Phase.CHOOSING:
        return {special_round(position, view.seat): 1.0}
    if solved := solution(view):
        return solved
    worths: dict[Action, float] = dict(Evaluator(view).worths())
    least = max(worths.values()) - 6 * TUNING.noise
    near = {action: worth / TUNING.noise for action, worth in worths.items() if worth >= least}
    chances = {action: _chance_of_most(action, near) for action in near}
    total = sum(chances.values())
    return {action: chance / total for action, chance in chances.items()}


def _chance_of_most(action: Action, worths: dict[Action, float]) -> float:
    """Return the chance that an action has the largest worth after noise of one standard deviation."""
    others = [worths[action] - worth for other, worth in worths.items() if other != action]
    return sum(
        exp(-step * step / 32) * prod([(1 + erf((gap + step / 4) / sqrt(2))) / 2 for gap in others])
        for step in range(-16, 17)
    )


def explain(view: View, rng: Random) -> tuple[Action | None, str]:
    """Return the action as `choose` does with the same `rng`, and the belief behind it as a clause."""
    action = choose(view, rng)
    position = view.position
    if position.turn is None or not position.dice[view.seat]:
        return action, "the others know least in this round" if action is not None else "there is nothing to decide"
    if solved := solution(view):
        return action, _drawn(view, solved)
    evaluator = Evaluator(view)
    said = []
    if position.standing is not None:
        holds, exact = evaluator.chances_of_standing()
        said.append(f"{position.standing} holds by {holds:.0%} and is exact by {exact:.0%}")
    worths = sorted(evaluator.worths(), key=lambda each: -each[1])[:3]
    said.append("worth in own dice: " + ", ".join(f"{each} {worth:+.2f}" for each, worth in worths))
    return action, "; ".join(said)


def _drawn(view: View, solved: dict[Action, float]) -> str:
    """Return how an action is drawn from the tables, and how often this is a bluff."""
    shares = sorted(solved.items(), key=lambda each: -each[1])
    said = "drawn from the tables: " + ", ".join(f"{action} {share:.0%}" for action, share in shares)
    chances = Chances(view)
    bluffs = sum(share for action, share in shares if isinstance(action, Bid) and chances.holds(action) < 0.5)
    if bluffs < 0.01:
        return said
    return f"{said}; {_often(bluffs)} it bluffs here"


def _often(share: float) -> str:
    """Return a share in words: one time in five."""
    times = round(1 / share)
    if share > 0.55 or times > 10:
        return "always" if share > 0.99 else f"in {share:.0%} of all cases"
    return f"one time in {_NUMBERS[times]}"


def advise(view: View) -> tuple[Action | None, float | None]:
    """Return the likeliest action, and the chance that the bid, pass or call is true; the same for the same view.
    Out of turn the action is a call or None; it is None too if the seat cannot act. A choice of a round has no chance.
    """
    position = view.position
    if not view.legal:
        return None, None
    if position.choices:
        return special_round(position, view.seat), None
    evaluator = Evaluator(view)
    worths = solution(view) or dict(evaluator.worths())
    best = max(worths, key=lambda action: (worths[action], str(action)), default=None)
    if best is None or (view.seat != position.turn and worths[best] <= evaluator.waiting() + TUNING.margin):
        return None, None
    return best, evaluator.chance_of(best)


def special_round(position: Position, owner: Player) -> RoundKind:
    """Return the kind of round with the largest advantage in knowledge for its owner."""
    return max(position.choices, key=lambda kind: _advantage(position, owner, kind))


def _advantage(position: Position, owner: Player, kind: RoundKind) -> float:
    coming = position.replace(phase=Phase.BIDDING, kind=kind, owner=owner, turn=owner)
    unseen = {
        seat: position.in_play - sum(position.dice[other] for other in visible_seats(coming, seat))
        for seat in position.living
    }
    others = [unseen[seat] for seat in position.living if seat != owner]
    return sum(others) / len(others) - unseen[owner]
