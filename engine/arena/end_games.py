"""Solve the end of a match, one player against one with a die each, by counterfactual regret minimization.

`python -m engine.arena.end_games` writes `engine/opponents/strong/end_games_table.py` and prints each game's value for
its opener and its exploitability, a best response's gain against the solution. Values are in dice: 1 for the other
player's die, -1 for the own. Needs numpy.

It runs CFR+ (Tammelin 2014) on the whole bid tree, with all hands of both players at once as vectors. It leaves out
bids of more dice than are on the table, because doubting them is always right, and the pass, because with one die it is
always a bluff.
"""

from __future__ import annotations

import argparse
import base64
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import factorial, prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engine import RULESETS, Bid, RoundKind, Rules
from engine.bidding import legal_bids
from engine.hands import Hand
from engine.opponents.strong.end_games import CALL_LETTERS, PARTS, bid_letter
from engine.opponents.strong.values import win_chance
from engine.rules import FACES

Array = npt.NDArray[np.float64]

TABLE = Path(__file__).parents[1] / "opponents/strong/end_games_table.py"
ITERATIONS = 1000
MIN_REACH = 5e-4  # minimum chance that a player's own choices lead to a decision in the table


@dataclass
class EndGame:
    """One round between two players, with the worth of each ending to the caller."""

    rules: Rules
    kind: RoundKind
    dice: tuple[int, int]  # of the opener and the other
    raises: Callable[[Bid | None, int], list[Bid]]
    """The legal bids over a standing one, for a player with so many dice."""
    wilds: bool
    hands: tuple[list[Hand], ...] = field(init=False)
    odds: tuple[Array, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.hands = tuple([[*map(Hand, combinations_with_replacement(FACES, dice))] for dice in self.dice])
        self.odds = tuple([_odds(hands) for hands in self.hands])

    def calls(self, bid: Bid, caller: int, again: float) -> Iterator[tuple[str, Array]]:
        """Yield each call with its worth to the caller, by own hand and the other's.

        `again` is a round's worth to its opener.
        """
        own, other = self.hands[caller], self.hands[1 - caller]
        count = np.array(
            [
                [one.matching(bid.face, wilds=self.wilds) + two.matching(bid.face, wilds=self.wilds) for two in other]
                for one in own
            ]
        )
        yield "dudo", np.where(count < bid.quantity, 1.0, -1.0)
        for name in ("calza", "kill", "spot"):
            rule = self.rules.exact(name)
            if rule is None or (rule.while_most_dice_left and sum(self.dice) <= self.rules.starting_dice):
                continue
            if rule.by == "out-of-turn" or (not rule.in_special and self.kind is not RoundKind.NORMAL):
                continue
            right, wrong = [
                _outcome(outcome, self.dice[caller], self.dice[1 - caller], again if opener == "caller" else -again)
                for outcome, opener in ((rule.right, rule.opener_if_right), (rule.wrong, rule.opener_if_wrong))
            ]
            yield name, np.where(count == bid.quantity, right, wrong)


def _outcome(outcome: str, own: int, other: int, again: float) -> float:
    """Return an exact call outcome's worth to its caller."""
    match outcome:
        case "caller-gains":
            return _match(own + 1, other)
        case "bidder-gains":
            return _match(own, other + 1)
        case "bidder-loses":
            return 1.0
        case "nobody-loses":
            return again
    return -1.0


def _match(own: int, other: int) -> float:
    """Return the worth of dice counts: by the race model up to three dice in all, else 1 for a won die."""
    if own + other > 3:
        return 1.0 if own > other else -1.0
    return 2 * win_chance(own, (other,)) - 1


def _odds(hands: list[Hand]) -> Array:
    ways = [factorial(len(hand)) / prod(factorial(hand.count(face)) for face in FACES) for hand in hands]
    return np.array(ways) / sum(ways)


def game_of(rules: Rules, kind: RoundKind, dice: tuple[int, int] = (1, 1)) -> EndGame:
    """Return a rule set's game."""

    def raises(standing: Bid | None, own: int) -> list[Bid]:
        return [*legal_bids(rules, kind, standing, dice=own, in_play=sum(dice)).up_to(sum(dice))]

    return EndGame(rules, kind, dice, raises, rules.wilds_in(kind))


_Key = tuple[Bid | None, int]
"""The standing bid and the player to act."""


@dataclass
class _Group:
    """All histories ending in the same bid with the same player to act."""

    bid: Bid | None
    player: int
    actions: list[Bid]
    children: list[list[int]]  # by action, then by node
    nodes: list[int] = field(default_factory=list)
    index: Any = None
    child_index: Any = None
    payoffs: list[Array] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    regrets: Any = None
    strategy_sum: Any = None

    @property
    def letters(self) -> list[str]:
        """Its actions' letters in the table."""
        return [bid_letter(bid) for bid in self.actions] + [CALL_LETTERS[name] for name in self.names]


class Solver:
    """CFR+ on one game's tree."""

    def __init__(self, game: EndGame, again: float = 0.0) -> None:
        self.game = game
        self.again = again
        self.histories: list[tuple[Bid, ...]] = [()]
        self.groups = self._in_order(self._grown())
        self.size = len(self.histories)
        for group in self.groups:
            self._prepare(group)

    def _grown(self) -> dict[_Key, _Group]:
        groups: dict[_Key, _Group] = {}
        for place, history in enumerate(self.histories):  # which grows meanwhile
            player, bid = len(history) % 2, history[-1] if history else None
            if (bid, player) not in groups:
                actions = self.game.raises(bid, self.game.dice[player])
                groups[bid, player] = _Group(bid, player, actions, [[] for _ in actions])
            group = groups[bid, player]
            group.nodes.append(place)
            for made, children in zip(group.actions, group.children, strict=True):
                children.append(len(self.histories))
                self.histories.append((*history, made))
        return groups

    def _in_order(self, groups: dict[_Key, _Group]) -> list[_Group]:
        """Order groups so that each precedes the groups reached by its bids."""
        done: dict[_Key, None] = {}

        def visit(key: _Key) -> None:
            if key not in done:
                for made in groups[key].actions:
                    visit((made, 1 - key[1]))
                done[key] = None

        visit((None, 0))
        return [groups[key] for key in reversed(done)]

    def _prepare(self, group: _Group) -> None:
        group.index = np.array(group.nodes)
        group.child_index = [np.array(children) for children in group.children]
        if group.bid is not None:
            for name, payoff in self.game.calls(group.bid, group.player, self.again):
                group.names.append(name)
                group.payoffs.append(payoff * self.game.odds[1 - group.player][None, :])
        shape = len(group.nodes), len(self.game.hands[group.player]), len(group.actions) + len(group.payoffs)
        group.regrets = np.zeros(shape)
        group.strategy_sum = np.zeros(shape)

    def run(self, iterations: int) -> None:
        """Improve both players' strategies in turns."""
        for iteration in range(1, iterations + 1):
            for player in (0, 1):
                self._iterate(player, iteration)

    def _iterate(self, learner: int, weight: int) -> None:
        now = [matched(group.regrets) for group in self.groups]
        reach = self.reach(now)
        for group, strategy in zip(self.groups, now, strict=True):
            if group.player == learner:
                group.strategy_sum += weight * reach[learner][group.index][:, :, None] * strategy
        self._values(learner, now, reach[1 - learner], learn=True)

    def reach(self, strategies: list[Array]) -> tuple[Array, ...]:
        """Return the chances that each player's own choices lead to each history, by hand."""
        reach = tuple([np.ones((self.size, len(hands))) for hands in self.game.hands])
        for group, strategy in zip(self.groups, strategies, strict=True):
            own, other = reach[group.player], reach[1 - group.player]
            for action, children in enumerate(group.child_index):
                own[children] = own[group.index] * strategy[:, :, action]
                other[children] = other[group.index]
        return reach

    def _values(
        self, learner: int, strategies: list[Array], reach: Array, *, learn: bool = False, best: bool = False
    ) -> Array:
        """Return the root's counterfactual values by the learner's hand."""
        values = np.zeros((self.size, len(self.game.hands[learner])))
        for group, strategy in zip(reversed(self.groups), reversed(strategies), strict=True):
            if group.player == learner:
                by_action = np.stack(
                    [values[children] for children in group.child_index]
                    + [reach[group.index] @ payoff.T for payoff in group.payoffs],
                    axis=2,
                )
                value = by_action.max(axis=2) if best else (by_action * strategy).sum(axis=2)
                if learn:
                    group.regrets = np.maximum(group.regrets + by_action - value[:, :, None], 0)
            else:
                value = np.zeros((len(group.nodes), values.shape[1]))
                for children in group.child_index:
                    value += values[children]
                own_odds = self.game.odds[1 - learner]
                for action, payoff in enumerate(group.payoffs, len(group.child_index)):
                    # The payoff is weighted with the odds of the learner's hands: undo that, weigh the caller's.
                    plain = payoff / self.game.odds[learner][None, :]
                    value -= (reach[group.index] * strategy[:, :, action] * own_odds[None, :]) @ plain
            values[group.index] = value
        root: Array = values[0]
        return root

    def average(self) -> list[Array]:
        """Return the average strategy by group, the convergent one."""
        return [matched(group.strategy_sum) for group in self.groups]

    def value(self, strategies: list[Array]) -> float:
        """Return the value for the opener when both follow these strategies."""
        reach = self.reach(strategies)
        return float(self._values(0, strategies, reach[1]) @ self.game.odds[0])

    def exploitability(self, strategies: list[Array]) -> float:
        """Return a best response's gain over the value against these strategies, averaged over both players."""
        reach = self.reach(strategies)
        best = [
            float(self._values(player, strategies, reach[1 - player], best=True) @ self.game.odds[player])
            for player in (0, 1)
        ]
        return sum(best) / 2


def matched(regrets: Array) -> Array:
    """Return strategies in proportion to regrets, and even ones without regrets."""
    total = regrets.sum(axis=2, keepdims=True)
    uniform = np.full_like(regrets, 1 / regrets.shape[2])
    return np.where(total > 0, regrets / np.where(total > 0, total, 1), uniform)


# The table


GAMES = (
    *[(rules, RoundKind.NORMAL) for rules in RULESETS.values()],
    (RULESETS["pyrudo"], RoundKind.FIXED_FACE),
    (RULESETS["palo-fijo"], RoundKind.FIXED_FACE_NO_WILDS_CLOSED),
)
"""The rounds of one die against one with each player's own die visible."""


def solved(game: EndGame, iterations: int) -> tuple[Solver, list[Array]]:
    """Solve a game; a replayed round is worth the game's own value."""
    solver = Solver(game)
    if any(exact and exact.right == "nobody-loses" for exact in map(game.rules.exact, ("calza", "kill", "spot"))):
        solver.run(iterations // 3)
        solver = Solver(game, again=solver.value(solver.average()))
    solver.run(iterations)
    return solver, solver.average()


def lines_of(solver: Solver, strategies: list[Array]) -> Iterator[str]:
    """Yield one line for each reachable decision: the bids so far, then the actions by hand.

    `engine.opponents.strong.end_games` describes the form and reads it.
    """
    reach = solver.reach(strategies)
    for group, strategy in zip(solver.groups, strategies, strict=True):
        for place, node in enumerate(group.nodes):
            fields = []
            for hand, chances in enumerate(strategy[place]):
                shares = zip(group.letters, [round(PARTS * float(chance)) for chance in chances], strict=True)
                is_kept = reach[group.player][node, hand] >= MIN_REACH
                fields.append("".join([f"{letter}{share}" for letter, share in shares if share]) if is_kept else "")
            if any(fields):
                yield f"{''.join(map(bid_letter, solver.histories[node]))} {'/'.join(fields)}"


def main() -> None:
    """Solve every game, print its figures and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--only-print", action="store_true", help="leave the table as it is")
    parser.add_argument("--two-dice", action="store_true", help="print the values with two dice against one as well")
    options = parser.parse_args()
    texts = []
    for rules, kind in GAMES:
        solver, strategies = solved(game_of(rules, kind), options.iterations)
        _report(f"{rules} {kind}", solver, strategies)
        texts.append("\n".join([f"{rules} {kind}", *lines_of(solver, strategies)]))
    packed = base64.b85encode(zlib.compress("\n\n".join(texts).encode(), 9)).decode()
    print(f"{len(packed)} characters of table")
    if not options.only_print:
        rows = "\n".join(f'    "{packed[place : place + 110]}"' for place in range(0, len(packed), 110))
        TABLE.write_text(
            f'"""Solved end games; `python -m engine.arena.end_games` writes this file."""\n\nPACKED = (\n{rows}\n)\n'
        )
    for dice in ((1, 2), (2, 1)) if options.two_dice else ():
        for name in ("perudo", "obliging"):
            _report(f"{name} {dice[0]} to {dice[1]}", *solved(game_of(RULESETS[name], RoundKind.NORMAL, dice), 300))


def _report(name: str, solver: Solver, strategies: list[Array]) -> None:
    value, exploitability = solver.value(strategies), solver.exploitability(strategies)
    print(f"{name:<44} {value:+.5f}  exploitability {exploitability:.5f}  {solver.size} histories", flush=True)


if __name__ == "__main__":
    main()
