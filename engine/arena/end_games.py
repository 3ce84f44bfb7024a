"""Solve the end of a match between two players, at most six dice in all, by counterfactual regret minimisation.

`python -m engine.arena.end_games` trains the tables of `engine.opponents.strong.tables` and writes them. It needs
numpy and uses no randomness: the same flags give the same tables.

CFR+ (Tammelin 2014) with joint vectors over both players' hands. Decisions are told apart by the own hand, the
standing bid and the own bid before it, so histories that agree in these are merged: a round of 3 dice against 3 has
1,260 turns instead of billions of histories. A call is worth the chance to win the match from the dice that it leaves,
so all rounds of a rule set are trained in turns, each with the latest values of the others. Beyond six dice the race
model stands in. Bids of more dice than there are on the table are left out, since a doubt of them is always right; so
is the pass, a bluff with fewer than five dice.
"""

from __future__ import annotations

import argparse
import base64
import lzma
import sys
import time
from dataclasses import dataclass, field
from math import comb, factorial, prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engine import ACES, FACES, RULESETS, Bid, Call, Hand, Phase, Position, RoundKind, Rules
from engine.arena.exploit import began, outcome
from engine.opponents.strong.end_games import MAX_DICE, Turn, hands_of, packed, seen_by, title_of, turns_of
from engine.opponents.strong.values import win_chance

Array = npt.NDArray[np.float32]
Key = tuple[RoundKind, tuple[int, int]]
"""A kind of round, and the dice of its opener and of the other player."""

TABLES = Path(__file__).parents[1] / "opponents/strong/tables"
MAX_OWN_DICE = 4  # five dice against one are hardly a contest, and their tables would be the largest
ITERATIONS = 48
SWEEPS = 4
FEW_DICE, FEW_DICE_TIMES = 4, 4  # rounds with few dice are cheap and get more iterations
MIN_REACH = 0.01  # chance that a player comes to a decision by own choice, below which it is not kept
PARTS = 16  # the shares of a decision's actions are whole numbers of these
MIN_SHARE = 0.04  # of an action; rarer ones are left out


class Values:
    """The chance of seat 0 to win the match from each position, by the rounds solved so far."""

    def __init__(self) -> None:
        self.of_opener: dict[Key, float] = {}

    def __getitem__(self, position: Position) -> float:
        """Return the chance of seat 0."""
        if position.winner is not None:
            return 1.0 - position.winner
        dice = position.dice
        owner_or_first = position.owner if position.phase is Phase.CHOOSING else position.first
        kinds = position.choices or (position.kind,)
        seats = (0, 1) if owner_or_first == 0 else (1, 0)
        best = max(self.opening(kind, (dice[seats[0]], dice[seats[1]])) for kind in kinds)
        return best if owner_or_first == 0 else 1 - best

    def opening(self, kind: RoundKind, dice: tuple[int, int]) -> float:
        """Return the chance of a round's opener."""
        known = self.of_opener.get((kind, dice))
        return win_chance(dice[0], (dice[1],)) if known is None else known


@dataclass
class _Node:
    """A turn's arrays: by the actor's hand, the own bid before and the action."""

    turn: Turn
    place: list[int]  # of this turn's bid among the bids before, in the turn that each raise leads to
    children: list[_Node]
    regrets: Any
    sums: Any
    payoffs: Any = None  # by the actor's hand, the call and the other's hand
    chances: list[Any] = field(default_factory=list)  # of each call to be right
    strategy: Any = None
    reach: Any = None  # by the actor's hand, the bid before and the other's hand
    value: Any = None


class Solver:
    """CFR+ on one kind of round with given dice."""

    def __init__(self, rules: Rules, kind: RoundKind, dice: tuple[int, int]) -> None:
        self.rules, self.kind, self.dice = rules, kind, dice
        self.iterations = 0
        sees = seen_by(rules, kind, dice)
        self.hands = tuple([(Hand(),) if seat is None else hands_of(dice[seat]) for seat in sees])
        self.odds = [_odds(hands) for hands in self.hands]
        self.unseen = sum(dice[seat] for seat in (0, 1) if seat not in sees)
        nodes: dict[tuple[Bid | None, int], _Node] = {}
        self.nodes: list[_Node] = []
        for turn in reversed(turns_of(rules, kind, dice)):
            children = [nodes[bid, 1 - turn.player] for bid in turn.raises]
            places = [child.turn.before.index(turn.standing) for child in children]
            shape = len(self.hands[turn.player]), len(turn.before), len(turn.raises) + len(turn.calls)
            regrets, sums = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
            node = nodes[turn.standing, turn.player] = _Node(turn, places, children, regrets, sums)
            node.chances = [self._right(turn, call) for call in turn.calls]
            self.nodes.insert(0, node)

    def _right(self, turn: Turn, call: Call) -> Array:
        """Return the chance that a call is right, by the caller's hand and the other's."""
        assert turn.standing is not None
        quantity, face = turn.standing
        wilds = self.rules.wilds_in(self.kind)
        own, other = [
            np.array([hand.matching(face, wilds=wilds) for hand in self.hands[player]])
            for player in (turn.player, 1 - turn.player)
        ]
        share = (2 if wilds and face != ACES else 1) / 6
        unseen = [
            comb(self.unseen, hits) * share**hits * (1 - share) ** (self.unseen - hits)
            for hits in range(self.unseen + 1)
        ]
        exact = self.rules.exact(call) is not None
        count = own[:, None] + other[None, :]
        found = np.zeros(count.shape)
        for hits, chance in enumerate(unseen):
            found += chance * (count + hits == quantity if exact else count + hits < quantity)
        return found.astype(np.float32)

    def settle(self, values: Values) -> None:
        """Set the worth of each call, from -1 for a lost match to 1, by the values of the positions it leads to."""
        opened = began(self.rules, self.kind, self.dice, 0)
        for node in self.nodes:
            payoffs = []
            for call, chance in zip(node.turn.calls, node.chances, strict=True):
                right, wrong = [
                    2 * values[outcome(opened, node.turn.player, call, right=is_right)] - 1
                    for is_right in (True, False)
                ]
                sign = 1 if node.turn.player == 0 else -1
                payoffs.append(sign * (chance * right + (1 - chance) * wrong))
            node.payoffs = np.stack(payoffs, 1) if payoffs else None

    def run(self, iterations: int) -> None:
        """Improve the strategies of both players in turns."""
        for node in self.nodes:
            node.strategy = matched(node.regrets)
        for _ in range(iterations):
            self.iterations += 1
            for learner in (0, 1):
                self._reach(learner)
                self._learn(learner)
                self._add(learner)

    def _reach(self, learner: int) -> None:
        """Set the chance that chance and the other player lead to each decision."""
        for node in self.nodes:
            node.reach = np.empty(
                (node.regrets.shape[0], node.regrets.shape[1], len(self.hands[1 - node.turn.player])), np.float32
            )
        self.nodes[0].reach[:, 0, :] = self.odds[0][:, None] * self.odds[1][None, :]
        for node in self.nodes:
            if not node.children:
                continue
            if node.turn.player == learner:
                total = node.reach.sum(axis=1).T
                for child, place in zip(node.children, node.place, strict=True):
                    child.reach[:, place, :] = total
            else:
                raises = node.strategy[:, :, : len(node.children)].transpose(0, 2, 1) @ node.reach
                for number, (child, place) in enumerate(zip(node.children, node.place, strict=True)):
                    child.reach[:, place, :] = raises[:, number, :].T

    def _learn(self, learner: int) -> None:
        for node in reversed(self.nodes):
            worths = self._worths(node)
            if node.turn.player == learner:
                found = node.reach @ worths.transpose(0, 2, 1)
                mean = (found * node.strategy).sum(axis=2, keepdims=True)
                np.maximum(node.regrets + found - mean, 0, out=node.regrets)
                node.strategy = matched(node.regrets)
            node.value = node.strategy @ worths

    def _worths(self, node: _Node) -> Array:
        """Return each action's worth to the actor, by own hand, action and the other's hand."""
        parts = [
            -child.value[:, place, :].T[:, None, :] for child, place in zip(node.children, node.place, strict=True)
        ]
        if node.payoffs is not None:
            parts.append(node.payoffs)
        return np.concatenate(parts, axis=1)

    def _add(self, learner: int) -> None:
        """Add the learner's strategy to the average, by the learner's own chance to come to each decision."""
        for node, reach in zip(self.nodes, self.own_reach([node.strategy for node in self.nodes]), strict=True):
            if node.turn.player == learner:
                node.sums += float(self.iterations) ** 2 * reach[:, :, None] * node.strategy

    def own_reach(self, strategies: list[Array]) -> list[Array]:
        """Return the chance that the actor's own choices lead to each decision, the largest over the other's bids."""
        after: dict[tuple[Bid | None, int], Array] = {}
        found = []
        for node, strategy in zip(self.nodes, strategies, strict=True):
            player = node.turn.player
            reach = np.zeros(node.regrets.shape[:2], np.float32)
            for place, before in enumerate(node.turn.before):
                reach[:, place] = 1.0 if before is None else after[before, player]
            found.append(reach)
            for number, bid in enumerate(node.turn.raises):
                chosen = (reach * strategy[:, :, number]).max(axis=1)
                earlier = after.get((bid, player))
                after[bid, player] = chosen if earlier is None else np.maximum(earlier, chosen)
        return found

    def restart(self) -> None:
        """Forget what was learned."""
        self.iterations = 0
        for node in self.nodes:
            node.regrets[:], node.sums[:] = 0, 0

    def forget(self) -> None:
        """Release the arrays that the next run makes anew."""
        for node in self.nodes:
            node.reach = node.value = node.strategy = None

    def average(self) -> list[Array]:
        """Return the average strategy by node: the one that converges."""
        return [matched(node.sums) for node in self.nodes]

    def value(self, strategies: list[Array]) -> float:
        """Return the worth of the round to its opener if both follow these strategies."""
        for node, strategy in zip(reversed(self.nodes), reversed(strategies), strict=True):
            node.value = strategy @ self._worths(node)
        return float(self.odds[0] @ self.nodes[0].value[:, 0, :] @ self.odds[1])

    def exploitability(self, strategies: list[Array]) -> float:
        """Return what a response wins over the value that remembers as much as the tables, the mean of both players."""
        total = 0.0
        for learner in (0, 1):
            for node, strategy in zip(self.nodes, strategies, strict=True):
                node.strategy = strategy
            self._reach(learner)
            for node in reversed(self.nodes):
                worths = self._worths(node)
                if node.turn.player == learner:
                    best = (node.reach @ worths.transpose(0, 2, 1)).argmax(axis=2)
                    node.strategy = np.eye(worths.shape[1], dtype=np.float32)[best]
                node.value = node.strategy @ worths
            worth = float(self.odds[0] @ self.nodes[0].value[:, 0, :] @ self.odds[1])
            total += worth if learner == 0 else -worth
        return total / 2


def matched(regrets: Array) -> Array:
    """Return strategies in proportion to regrets, and even ones where there are none."""
    total = regrets.sum(axis=2, keepdims=True)
    found: Array = np.where(total > 0, regrets / np.where(total > 0, total, 1), np.float32(1 / regrets.shape[2]))
    return found


def _odds(hands: tuple[Hand, ...]) -> Array:
    ways = [factorial(len(hand)) / prod(factorial(hand.count(face)) for face in FACES) for hand in hands]
    return np.array(ways, np.float32) / np.float32(sum(ways))


# Training


def rounds_of(rules: Rules, dice: int) -> list[Key]:
    """Return the rounds to solve with at most so many dice in all; the owner of a special round has one die."""
    pairs = [(own, total - own) for total in range(2, dice + 1) for own in range(1, total)]
    pairs = [pair for pair in pairs if max(pair) <= min(MAX_OWN_DICE, rules.starting_dice)]
    special = [kind for kind in rules.special if rules.special_with_two]
    return [(kind, pair) for pair in pairs for kind in (RoundKind.NORMAL, *special)
            if kind is RoundKind.NORMAL or pair[0] == 1]  # fmt: skip


def train(rules: Rules, dice: int, iterations: int, sweeps: int, checkpoint: Path | None) -> dict[Key, Solver]:
    """Solve all rounds of a rule set, going over them `sweeps` times; a checkpoint continues an interrupted run."""
    values, began_s = Values(), time.monotonic()
    solvers = {key: Solver(rules, *key) for key in rounds_of(rules, dice)}
    done = _restored(solvers, values, checkpoint)
    for sweep in range(done, sweeps):
        for number, (key, solver) in enumerate(solvers.items(), 1):
            has_few = sum(key[1]) <= FEW_DICE
            if has_few and sweep == sweeps // 2:  # a round that may be replayed learned from its own wrong value
                solver.restart()
            solver.settle(values)
            solver.run(iterations // sweeps * (FEW_DICE_TIMES if has_few else 1))
            values.of_opener[key] = (solver.value(solver.average()) + 1) / 2
            solver.forget()
            minutes = (time.monotonic() - began_s) / 60
            line = f"{rules}: sweep {sweep + 1} of {sweeps}, round {number} of {len(solvers)}, {minutes:.1f} min"
            print(line, file=sys.stderr, flush=True)
        if checkpoint:
            _keep(solvers, values, sweep + 1, checkpoint)
    return solvers


def _keep(solvers: dict[Key, Solver], values: Values, sweeps: int, checkpoint: Path) -> None:
    arrays: dict[str, Any] = {"sweeps": np.array(sweeps), "values": np.array([*values.of_opener.values()])}
    arrays["iterations"] = np.array([solver.iterations for solver in solvers.values()])
    for key, solver in solvers.items():
        for number, node in enumerate(solver.nodes):
            arrays[f"{title_of(*key)} {number} r"], arrays[f"{title_of(*key)} {number} s"] = node.regrets, node.sums
    written = checkpoint.with_suffix(".new.npz")
    np.savez(written, **arrays)
    written.replace(checkpoint)


def _restored(solvers: dict[Key, Solver], values: Values, checkpoint: Path | None) -> int:
    """Read a checkpoint and return the number of its sweeps."""
    if checkpoint is None or not checkpoint.exists():
        return 0
    kept = np.load(checkpoint)
    values.of_opener.update(zip(solvers, map(float, kept["values"]), strict=True))
    for (key, solver), iterations in zip(solvers.items(), kept["iterations"], strict=True):
        solver.iterations = int(iterations)
        for number, node in enumerate(solver.nodes):
            node.regrets, node.sums = kept[f"{title_of(*key)} {number} r"], kept[f"{title_of(*key)} {number} s"]
    return int(kept["sweeps"])


def table_of(solver: Solver) -> bytes:
    """Return the packed average strategy; actions and decisions that hardly ever come about are left out."""
    kept = [matched(np.where(shares < MIN_SHARE, 0, shares)) for shares in solver.average()]
    rows = []
    for strategy, reach in zip(kept, solver.own_reach(kept), strict=True):
        hands, befores = reach.shape
        rows.append(
            [
                [_row(strategy[hand, before]) if reach[hand, before] >= MIN_REACH else b"" for hand in range(hands)]
                for before in range(befores)
            ]
        )
    return packed([node.turn for node in solver.nodes], rows)


def _row(shares: Array) -> bytes:
    """Return pairs of an action's number and its parts; the largest remainders round up."""
    parts = np.floor(shares * PARTS)
    for action in np.argsort(parts - shares * PARTS)[: PARTS - int(parts.sum())]:
        parts[action] += 1
    return bytes(number for action in np.flatnonzero(parts) for number in (int(action), int(parts[action])))


def write(rules: Rules, tables: dict[Key, bytes]) -> int:
    """Write a rule set's module and return the number of its characters."""
    head = ",".join(f"{title_of(*key)} {len(table)}" for key, table in tables.items())
    content = lzma.compress(head.encode() + b"\n" + b"".join(tables.values()), preset=9 | lzma.PRESET_EXTREME)
    text = base64.b85encode(content).decode()
    lines = "\n".join(f'    "{text[place : place + 110]}"' for place in range(0, len(text), 110))
    module = TABLES / f"{rules.name.replace('-', '_')}.py"
    module.write_text(
        f'"""Solved end games; `python -m engine.arena.end_games` writes this file."""\n\nPACKED = (\n{lines}\n)\n'
    )
    return len(text)


def main() -> None:
    """Train, print each round's figures and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", nargs="+", choices=RULESETS, default=[*RULESETS], metavar="RULES")
    parser.add_argument("--dice", type=int, default=MAX_DICE, help=f"the most dice in all (default: {MAX_DICE})")
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help=f"for each round (default: {ITERATIONS})")
    parser.add_argument("--sweeps", type=int, default=SWEEPS, help=f"parts of the iterations (default: {SWEEPS})")
    parser.add_argument("--checkpoint", type=Path, help="a folder in which an interrupted run continues")
    parser.add_argument("--only-print", action="store_true", help="leave the tables as they are")
    options = parser.parse_args()
    for name in options.rules:
        rules, folder = RULESETS[name], options.checkpoint
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
        solvers = train(rules, options.dice, options.iterations, options.sweeps, folder and folder / f"{name}.npz")
        for (kind, dice), solver in solvers.items():
            strategies = solver.average()
            value, gain = (solver.value(strategies) + 1) / 2, solver.exploitability(strategies) / 2
            solver.forget()
            print(f"{name:<10} {title_of(kind, dice):<32} {value:.4f}  exploitability {gain:.4f}", flush=True)
        if not options.only_print:
            size = write(rules, {key: table_of(solver) for key, solver in solvers.items()})
            print(f"{name:<10} {size} characters of tables", flush=True)


if __name__ == "__main__":
    main()
