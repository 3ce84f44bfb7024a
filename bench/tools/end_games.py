"""Solve the end of a match, one player against one with a die each, by counterfactual regret minimization.

`python -m bench.tools.end_games` writes `engine/opponents/strong/end_games_table.py` and prints for each game the
value for its opener, how much a best response wins against the solution (its exploitability), and the time it took.
Values are in dice: 1 for the die of the other player, -1 for the own. Needs numpy.

CFR+ (Tammelin 2014) on the whole tree of bids, with all hands of both players at once as vectors. Bids of more dice
than there are on the table are left out, since a doubt of them is always right; so is the pass, with one die always
a bluff.
"""

from __future__ import annotations

import argparse
import base64
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement
from math import factorial, prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engine import PERUDO, RULESETS, Bid, RoundKind, Rules
from engine.bidding import legal_bids
from engine.hands import Hand
from engine.opponents.strong.end_games import CALL_LETTERS, PARTS, bid_letter, choices_in
from engine.opponents.strong.values import win_chance
from engine.rules import FACES

Array = npt.NDArray[np.float64]

TABLE = Path(__file__).parents[2] / "engine/opponents/strong/end_games_table.py"
ITERATIONS = 1000
MIN_REACH = 5e-4  # chance that a player gets to a decision by own choice, below which it is not kept
SNYD = -7 / 327
"""Value published for one die each by the `snyd` solver of Thomas Dybdahl Ahle, <https://github.com/thomasahle/snyd>."""

SNYD_RULES = replace(PERUDO, name="snyd", calza=None)
"""A rule set without exact calls; which bids are legal is in `game_of_snyd`."""


@dataclass
class Game:
    """One round between two players, with what each ending is worth to the player who calls."""

    rules: Rules
    kind: RoundKind
    dice: tuple[int, int]  # of the opener and the other
    raises: Callable[[Bid | None, int], list[Bid]]
    wilds: bool
    snyd: bool = False
    hands: tuple[list[Hand], list[Hand]] = field(init=False)
    odds: tuple[Array, Array] = field(init=False)

    def __post_init__(self) -> None:
        self.hands = tuple([_hands(dice) for dice in self.dice])  # type: ignore[assignment]
        self.odds = tuple([_odds(hands) for hands in self.hands])  # type: ignore[assignment]

    def calls(self, bid: Bid, caller: int, again: float) -> Iterator[tuple[str, Array]]:
        """Yield each call with its worth to the caller, by own hand and the other's.

        `again` is the worth of a round to its opener.
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
    """Return what an outcome of an exact call is worth to its caller."""
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
    """Return the worth of dice counts: with one die each the match, by the race model; a die won else counts as one."""
    if own + other > 3:
        return 1.0 if own > other else -1.0
    return 2 * win_chance(own, (other,)) - 1


def _hands(dice: int) -> list[Hand]:
    return [Hand(faces) for faces in combinations_with_replacement(FACES, dice)]


def _odds(hands: list[Hand]) -> Array:
    ways = [factorial(len(hand)) / prod(factorial(hand.count(face)) for face in FACES) for hand in hands]
    return np.array(ways) / sum(ways)


def game_of(rules: Rules, kind: RoundKind, dice: tuple[int, int] = (1, 1)) -> Game:
    """Return the game of a rule set."""

    def raises(standing: Bid | None, own: int) -> list[Bid]:
        return [*legal_bids(rules, kind, standing, dice=own, in_play=sum(dice)).up_to(sum(dice))]

    return Game(rules, kind, dice, raises, rules.wilds_in(kind))


def game_of_snyd(wilds: bool, dice: tuple[int, int] = (1, 1)) -> Game:
    """Return the game that the solver `snyd` solves: raised by more dice of any face, or as many of a higher one."""
    bids = [Bid(quantity, face) for quantity in range(1, sum(dice) + 1) for face in FACES]

    def raises(standing: Bid | None, own: int) -> list[Bid]:
        return bids if standing is None else bids[bids.index(standing) + 1 :]

    return Game(SNYD_RULES, RoundKind.NORMAL, dice, raises, wilds)


@dataclass
class _Group:
    """All histories that end in the same bid with the same player to act."""

    bid: Bid | None
    player: int
    nodes: list[int] = field(default_factory=list)
    actions: list[Bid] = field(default_factory=list)
    children: list[list[int]] = field(default_factory=list)  # by action, then by node
    index: Any = None
    child_index: Any = None
    payoffs: list[Array] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    regrets: Any = None
    strategy_sum: Any = None


class Solver:
    """CFR+ on the tree of one game."""

    def __init__(self, game: Game, again: float = 0.0) -> None:
        self.game = game
        self.again = again
        self.histories: list[tuple[Bid, ...]] = []
        groups: dict[tuple[Bid | None, int], _Group] = {}
        self._grow(groups)
        self.groups = self._in_order([*groups.values()])
        self.size = len(self.histories)
        for group in self.groups:
            self._prepare(group)

    def _grow(self, groups: dict[tuple[Bid | None, int], _Group]) -> None:
        self.histories.append(())
        place = 0
        while place < len(self.histories):
            history = self.histories[place]
            player, bid = len(history) % 2, history[-1] if history else None
            group = groups.setdefault((bid, player), _Group(bid, player))
            if not group.nodes:
                group.actions = self.game.raises(bid, self.game.dice[player])
                group.children = [[] for _ in group.actions]
            group.nodes.append(place)
            for made, children in zip(group.actions, group.children, strict=True):
                children.append(len(self.histories))
                self.histories.append((*history, made))
            place += 1

    def _in_order(self, groups: list[_Group]) -> list[_Group]:
        """Order groups so that each comes before those that its bids lead to."""
        by_key = {(group.bid, group.player): group for group in groups}
        done: dict[tuple[Bid | None, int], None] = {}

        def visit(key: tuple[Bid | None, int]) -> None:
            if key in done:
                return
            for made in by_key[key].actions:
                visit((made, 1 - key[1]))
            done[key] = None

        visit((None, 0))
        return [by_key[key] for key in reversed(done)]

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
        """Improve the strategies of both players in turns."""
        for iteration in range(1, iterations + 1):
            for player in (0, 1):
                self._iterate(player, iteration)

    def _iterate(self, learner: int, weight: int) -> None:
        now = [_matched(group.regrets) for group in self.groups]
        reach = self._reach(now)
        for group, strategy in zip(self.groups, now, strict=True):
            if group.player == learner:
                group.strategy_sum += weight * reach[learner][group.index][:, :, None] * strategy
        self._values(learner, now, reach[1 - learner], learn=True)

    def _reach(self, strategies: list[Array]) -> tuple[Array, Array]:
        reach = tuple([np.ones((self.size, len(hands))) for hands in self.game.hands])
        for group, strategy in zip(self.groups, strategies, strict=True):
            own, other = reach[group.player], reach[1 - group.player]
            for action, children in enumerate(group.child_index):
                own[children] = own[group.index] * strategy[:, :, action]
                other[children] = other[group.index]
        return reach  # type: ignore[return-value]

    def _values(
        self, learner: int, strategies: list[Array], reach: Array, *, learn: bool = False, best: bool = False
    ) -> Array:
        """Return the counterfactual values of the root by the learner's hand."""
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
        """Return the average strategy by group: the one that converges."""
        return [_matched(group.strategy_sum) for group in self.groups]

    def value(self, strategies: list[Array]) -> float:
        """Return the value for the opener when both follow these strategies."""
        reach = self._reach(strategies)
        return float(self._values(0, strategies, reach[1]) @ self.game.odds[0])

    def exploitability(self, strategies: list[Array]) -> float:
        """Return what a best response wins against these strategies over the value, the mean of both players."""
        reach = self._reach(strategies)
        best = [
            float(self._values(player, strategies, reach[1 - player], best=True) @ self.game.odds[player])
            for player in (0, 1)
        ]
        return sum(best) / 2


def _matched(regrets: Array) -> Array:
    total = regrets.sum(axis=2, keepdims=True)
    uniform = np.full_like(regrets, 1 / regrets.shape[2])
    return np.where(total > 0, regrets / np.where(total > 0, total, 1), uniform)


# The table


GAMES = (
    *[(rules, RoundKind.NORMAL) for rules in RULESETS.values()],
    (RULESETS["pyrudo"], RoundKind.FIXED_FACE),
    (RULESETS["palo-fijo"], RoundKind.FIXED_FACE_NO_WILDS_CLOSED),
)
"""The rounds of one die against one in which each player sees the own die."""


def solved(game: Game, iterations: int) -> tuple[Solver, list[Array]]:
    """Solve a game; where a round may be replayed, with the worth that it has itself."""
    solver = Solver(game)
    if any(exact and exact.right == "nobody-loses" for exact in map(game.rules.exact, ("calza", "kill", "spot"))):
        solver.run(iterations // 3)
        solver = Solver(game, again=solver.value(solver.average()))
    solver.run(iterations)
    return solver, solver.average()


def lines_of(solver: Solver, strategies: list[Array]) -> Iterator[str]:
    """Yield one line for each decision that a player may come to: the bids so far, then what to do by hand.

    `engine.opponents.strong.end_games` describes the form and reads it.
    """
    reach = solver._reach(strategies)
    for group, strategy in zip(solver.groups, strategies, strict=True):
        letters = [bid_letter(bid) for bid in group.actions] + [CALL_LETTERS[name] for name in group.names]
        for place, node in enumerate(group.nodes):
            fields = []
            for hand in range(strategy.shape[1]):
                shares = [round(PARTS * float(share)) for share in strategy[place, hand]]
                kept = reach[group.player][node, hand] >= MIN_REACH
                fields.append(
                    "".join([f"{letter}{n}" for letter, n in zip(letters, shares, strict=True) if n]) if kept else ""
                )
            if any(fields):
                yield f"{''.join(map(bid_letter, solver.histories[node]))} {'/'.join(fields)}"


def strategies_from(solver: Solver, by_history: dict[str, list[str]]) -> list[Array]:
    """Return the strategies that a table keeps, an even choice where it keeps none: to measure what it is worth."""
    strategies = []
    for group in solver.groups:
        letters = [bid_letter(bid) for bid in group.actions] + [CALL_LETTERS[name] for name in group.names]
        strategy = np.zeros_like(group.regrets)
        for place, node in enumerate(group.nodes):
            fields = by_history.get("".join(map(bid_letter, solver.histories[node])), [])
            for hand, text in enumerate(fields):
                for letter, parts in choices_in(text):
                    strategy[place, hand, letters.index(letter)] = parts
        strategies.append(_matched(strategy))
    return strategies


def main() -> None:
    """Solve every game, print its figures and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--only-print", action="store_true", help="leave the table as it is")
    parser.add_argument("--two-dice", action="store_true", help="print the values with two dice against one as well")
    options = parser.parse_args()
    began_s = time.monotonic()
    for wilds, name in ((True, "snyd, aces wild"), (False, "snyd, no wild aces")):
        _report(name, *solved(game_of_snyd(wilds), options.iterations))
    print(f"{'published for snyd, aces wild':<44} {SNYD:+.5f}")
    texts = []
    for rules, kind in GAMES:
        solver, strategies = solved(game_of(rules, kind), options.iterations)
        _report(f"{rules} {kind}", solver, strategies)
        texts.append("\n".join([f"{rules} {kind}", *lines_of(solver, strategies)]))
    packed = base64.b85encode(zlib.compress("\n\n".join(texts).encode(), 9)).decode()
    print(f"{len(packed)} characters of table, {(time.monotonic() - began_s) / 60:.1f} minutes")
    if not options.only_print:
        rows = [packed[place : place + 110] for place in range(0, len(packed), 110)]
        quoted = "\n".join(f'    "{row}"' for row in rows)
        TABLE.write_text(
            f'"""Solved end games; `python -m bench.tools.end_games` writes this file."""\n\nPACKED = (\n{quoted}\n)\n'
        )
    if options.two_dice:
        for dice in ((1, 2), (2, 1)):
            for name in ("perudo", "obliging"):
                _report(f"{name} {dice[0]} to {dice[1]}", *solved(game_of(RULESETS[name], RoundKind.NORMAL, dice), 300))


def _report(name: str, solver: Solver, strategies: list[Array]) -> None:
    value, exploitability = solver.value(strategies), solver.exploitability(strategies)
    print(f"{name:<44} {value:+.5f}  exploitability {exploitability:.5f}  {solver.size} histories", flush=True)


if __name__ == "__main__":
    main()
