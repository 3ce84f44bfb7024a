"""Solve the rounds between two players: `python -m engine.arena.end_games` trains the tables of `hard` and writes them.

A call is worth the chance to win the match from the dice that it leaves. So all rounds of a rule set are trained in
turns, the smallest first, each with the latest values of the others; where a value is missing the race model stands
in. Training draws nothing at random: the same flags give the same tables. With `--checkpoint` an interrupted training
continues. Needs numpy and a C compiler.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
import time
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from engine import RULESETS, RoundKind, Rules
from engine.arena.plain import plain_shares
from engine.arena.solver import Array, Bids, CompilerError, Key, Solver, Values, is_by_group, matched, memory_of
from engine.opponents.strong.end_games import (
    FOLDER,
    Form,
    SolvedRound,
    action_number,
    contents,
    files_of,
    situation_key,
    solved,
    table,
    title_of,
)

ITERATIONS = 100
SWEEPS = 2
WIDEST = 1
ONE_EACH_TIMES = 8
"""Factor of the iterations with one die each, which are cheap."""
LEAST_REACH = 0.2
"""Own reach below which shares may differ no more."""
ROOM = 1 << 19
"""Bytes that unpacking a round takes at least; no round has more."""
KEPT = ("regrets", "recent", "sums", "strategy")
"""A solver's arrays in a checkpoint."""


Table = tuple[bytes, Form]


def precision_of(dice: tuple[int, int]) -> tuple[int, float, float, float]:
    """Return the parts of a whole in a table, the least share and least own reach that it keeps, and the difference of
    shares between decisions that are one, if they always come about.

    Small rounds are more precise, and of larger ones those that tell all hands apart.
    """
    match sum(dice):
        case 2:
            return 200, 0.005, 0.0005, 0.01
        case 3 | 4:
            return 50, 0.02, 0.002, 0.015
    if not is_by_group(dice):
        return 40, 0.025, 0.003, 0.015
    return 20, 0.03, 0.01, 0.12


def plain_share(dice: tuple[int, int]) -> float:
    """Return the share of decisions in which the adversary is a plain player: a best response gains little by it."""
    return 0.25 if is_by_group(dice) else {2: 0.0, 5: 0.2, 6: 0.2}.get(sum(dice), 0.3)


def rounds_of(rules: Rules, dice: int, widest: int = WIDEST) -> list[Key]:
    """Return the rounds with at most so many dice in all; the owner of a special round has one die.

    From five dice on, one player has at most `widest` dice more.
    """
    pairs = [(own, total - own) for total in range(2, dice + 1) for own in range(1, total)]
    pairs = [
        pair
        for pair in pairs
        if max(pair) <= rules.starting_dice and (sum(pair) <= 4 or abs(pair[0] - pair[1]) <= widest)
    ]
    special = [kind for kind in rules.special if rules.special_with_two]
    kinds = RoundKind.NORMAL, *special
    return [(kind, pair) for pair in pairs for kind in kinds if kind is RoundKind.NORMAL or pair[0] == 1]


# Training


class CheckpointError(ValueError):
    """A checkpoint that fits no longer, such as one of an older version with other remembered bids."""


class Training:
    """The rounds of one rule set, and their values so far."""

    def __init__(
        self,
        rules: Rules,
        keys: list[Key],
        checkpoint: Path | None,
        given: Values | None = None,
        plain: float | None = None,
    ) -> None:
        self.rules, self.keys, self.plain = rules, keys, plain
        self._temporary = None if checkpoint else TemporaryDirectory()
        self.folder = checkpoint or Path(self._temporary.name if self._temporary else "")
        self.values = given or Values()
        self.done: dict[str, int] = {}
        """Sweeps by round."""
        self._plain: dict[Key, Array] = {}
        if (kept := self.folder / f"{rules}.json").exists():
            saved = json.loads(kept.read_text())
            self.done = saved["done"]
            known = {key: saved["values"][title_of(*key)] for key in self.keys if title_of(*key) in self.done}
            self.values.of_opener.update(known)

    def run(self, iterations: int, sweeps: int) -> dict[Key, Table]:
        """Train all rounds `sweeps` times and return their packed tables with memory and parts."""
        tables: dict[Key, Table] = {}
        total, began_s = sweeps * len(self.keys), time.monotonic()
        for sweep in range(sweeps):
            for number, key in enumerate(self.keys):
                is_last = sweep == sweeps - 1
                if self.done.get(title_of(*key), 0) > sweep and not is_last:
                    continue
                solvers = self._solvers(key)
                if self.done.get(title_of(*key), 0) <= sweep:
                    times = ONE_EACH_TIMES if sum(key[1]) == 2 else 1
                    self._improve(key, solvers, times * (iterations if is_last else iterations // 2))
                    self._keep(key, solvers, sweep + 1)
                if is_last:
                    tables[key] = table_of(solvers[0], joined(solvers))
                share, minutes = (sweep * len(self.keys) + number + 1) / total, (time.monotonic() - began_s) / 60
                bar = "#" * int(20 * share)
                line = f"{self.rules} [{bar:<20}] sweep {sweep + 1} of {sweeps}, {title_of(*key)}, {minutes:.1f} min"
                print(line, file=sys.stderr, flush=True)
        return tables

    def _improve(self, key: Key, solvers: list[Solver], iterations: int) -> None:
        share = plain_share(key[1]) if self.plain is None else self.plain
        if share and key not in self._plain:
            self._plain[key] = plain_shares(solvers[0])
        for solver in solvers:
            solver.settle(self.values)
            solver.plain = (share, self._plain[key]) if share else None
            solver.run(iterations)
        self.values.of_opener[key] = (solvers[0].value(joined(solvers)) + 1) / 2

    def _solvers(self, key: Key) -> list[Solver]:
        """Return the solver for the opener's play and the one for the other's, each against an adversary."""
        memory, by_group = memory_of(self.rules, key[1]), is_by_group(key[1])
        solvers = [Solver(self.rules, *key, memory, adversary=1 - seat, by_group=by_group) for seat in (0, 1)]
        if title_of(*key) in self.done:
            for solver in solvers:
                path = self._file_of(key, solver)
                with np.load(path) as kept:
                    solver.iterations = int(kept["iterations"])
                    for each in KEPT:
                        array = kept[each].astype(np.float32)
                        if array.shape != solver.strategy.shape:  # the compiled passes would read beyond its end
                            raise CheckpointError(f"{path}: holds {array.size} numbers, not {solver.strategy.size}")
                        setattr(solver, each, array)
        return solvers

    def _file_of(self, key: Key, solver: Solver) -> Path:
        played = "second" if solver.adversary == 0 else "opener"
        return self.folder / f"{self.rules} {title_of(*key).replace('/', ' ')} {played}.npz"

    def _keep(self, key: Key, solvers: list[Solver], sweeps: int) -> None:
        self.done[title_of(*key)] = sweeps
        self.folder.mkdir(parents=True, exist_ok=True)
        for solver in solvers:
            arrays: dict[str, Any] = {each: getattr(solver, each) for each in KEPT}
            with _replacing(self._file_of(key, solver)) as path:
                np.savez(path, iterations=np.array(solver.iterations), **arrays)
        saved = {"done": self.done, "values": {title_of(*each): value for each, value in self.values.of_opener.items()}}
        with _replacing(self.folder / f"{self.rules}.json") as path:
            path.write_text(json.dumps(saved))


def joined(solvers: list[Solver]) -> Array:
    """Return the average strategy of the opener in the first solver, and of the other in the second."""
    first, second = solvers
    return np.where(first.places_of(0), first.average(), second.average())


def is_elsewhere(rules: Rules, key: Key) -> bool:
    """Return whether another rule set has the table of a round."""
    return any(table(file, title_of(*key)) for file in files_of(rules, key[0]) if file != rules.name)


def kept_values(rules: Rules, keys: list[Key]) -> Values:
    """Return the openers' chances in these rounds by the tables that are kept."""
    values = Values()
    for kind, dice in keys:
        if found := solved(rules, kind, dice):
            solver = Solver(rules, kind, dice, found.form.memory, by_group=found.form.by_group)
            solver.settle(values)
            values.of_opener[kind, dice] = (solver.value(strategy_of(solver, found)) + 1) / 2
    return values


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """Give a path to write; it replaces the other one when all is written, so a kill leaves the old file."""
    new = path.with_name("new " + path.name)
    yield new
    new.replace(path)


# Tables


def table_of(solver: Solver, average: Array) -> Table:
    """Return the table of a strategy.

    Actions and decisions that hardly ever come about are left out, and decisions that nearly agree with the rule for
    those outside the table. Where decisions nearly agree, all have the shares of the one that comes about most.
    """
    parts, least, min_reach, near = precision_of(solver.dice)
    form = Form(solver.memory, parts, solver.by_group)
    kept = []
    for state in range(len(solver.states)):
        shares = solver.shares(average, state)
        kept.append(matched(np.where(shares < np.minimum(least, shares.max(axis=0) / 2), 0, shares)))
    decisions: list[tuple[float, int, int, dict[int, float]]] = []
    for state, reach in enumerate(own_reach(solver, kept)):
        groups: dict[int, list[int]] = {}
        for hand, number in enumerate(solver.numbers(state)):
            if reach[hand] >= min_reach:
                groups.setdefault(number, []).append(hand)
        for number, hands in groups.items():
            lowest, allowed = solver.lowest(state)[hands[0]], near / max(LEAST_REACH, *reach[hands])
            actions = [action_number(action, lowest) for action in solver.actions[state]]
            by_action = dict(zip(actions, kept[state][:, hands[0]].tolist(), strict=True))
            ruled = {solver.unsolved(state, hand) for hand in hands} if solver.states[state][0] else set()
            if len(ruled) != 1 or 2 - 2 * by_action[action_number(ruled.pop(), lowest)] > allowed:
                decisions.append((allowed, state, number, by_action))
    patterns, rows = Patterns(parts), dict[bytes, list[bytes]]()
    for allowed, state, number, by_action in sorted(decisions, key=lambda each: each[:3]):
        bids, player = solver.states[state]
        row = bytes([number]) + patterns.of(by_action, allowed, (player, bids[-1:], number))
        rows.setdefault(situation_key(player, bids, form), []).append(row)
    similar = sorted(rows, key=lambda key: (key[0], key[::-1]))  # by the standing bid, which tells most
    return packed([(key, sorted(rows[key])) for key in similar]), form


class Patterns:
    """The shares of actions that decisions of a table have in common."""

    def __init__(self, parts: int) -> None:
        self.parts = parts
        self._known: list[bytes] = []
        self._shares = np.zeros((1 << 8, 1 << 16), np.float32)
        """By action and pattern."""
        self._nearby: dict[Hashable, dict[int, int]] = {}
        """By place among the decisions: its patterns, numbered by their latest use."""

    def of(self, shares: dict[int, float], allowed: float, nearby: Hashable = None) -> bytes:
        """Return a pattern of legal actions that differs no more than `allowed`, or a new one.

        It is the latest of those that `nearby` decisions have, since rows that repeat pack better, else the nearest.
        It has the actions, then their parts.
        """
        chosen, known = [action for action, share in shares.items() if share], self._shares[:, : len(self._known)]
        wanted, here = np.array([[shares[action]] for action in chosen]), self._nearby.setdefault(nearby, {})
        differences = 2 - 2 * np.minimum(known[chosen], wanted).sum(axis=0)
        near = np.flatnonzero(differences <= allowed).tolist()
        for place in sorted(near, key=lambda each: (-here.get(each, 0), differences[each])):
            pattern = self._known[place]
            if shares.keys() >= {*pattern[: len(pattern) // 2]}:
                break
        else:
            place, pattern = len(self._known), _row([*shares], np.array([*shares.values()]), self.parts)
            actions, parts = pattern[: len(pattern) // 2], pattern[len(pattern) // 2 :]
            self._shares[[*actions], place] = np.array([*parts]) / self.parts
            self._known.append(pattern)
        here[place] = max(here.values(), default=0) + 1
        return pattern


def strategy_of(solver: Solver, found: SolvedRound) -> Array:
    """Return the strategy that a table stands for."""
    strategy = np.zeros_like(solver.strategy)
    known: dict[tuple[int, Bids], Array] = {}
    for state, (bids, player) in enumerate(solver.states):
        shares, remembered = solver.shares(strategy, state), (player, bids[-found.form.memory :])
        if remembered not in known:
            places = {action: place for place, action in enumerate(solver.actions[state])}
            for hand, number in enumerate(solver.numbers(state)):
                choices = found.choices(player, bids, number, solver.lowest(state)[hand])
                for action, share in (choices or {solver.unsolved(state, hand): 1.0}).items():
                    shares[places[action], hand] = share
            known[remembered] = shares
        shares[:] = known[remembered]
    return strategy


def own_reach(solver: Solver, strategies: list[Array]) -> list[Array]:
    """Return by state the chance that the actor's own choices lead there, the largest over all histories."""
    found: list[dict[int, Any]] = [{} for _ in solver.states]
    found[0] = {player: np.ones(len(solver.hands[player]), np.float32) for player in (0, 1)}
    for state, (_, player) in enumerate(solver.states):
        own, other = found[state][player], found[state][1 - player]
        for action, child in enumerate(solver.children[state]):
            if child >= 0:
                to = found[child]
                chosen = own * strategies[state][action]
                to[player] = np.maximum(to[player], chosen) if player in to else chosen
                to[1 - player] = np.maximum(to[1 - player], other) if 1 - player in to else other
    return [reach[player] for reach, (_, player) in zip(found, solver.states, strict=True)]


def _row(numbers: list[int], shares: Array, parts: int) -> bytes:
    """Return the actions' numbers, then their parts; the largest remainders round up."""
    found = np.floor(shares * parts)
    for action in np.argsort(found - shares * parts)[: parts - int(found.sum())]:
        found[action] += 1
    chosen = np.flatnonzero(found).tolist()
    return bytes([numbers[action] for action in chosen]) + bytes([int(found[action]) for action in chosen])


def packed(situations: list[tuple[bytes, list[bytes]]]) -> bytes:
    """Write a round's columns; a row is a hand, its actions and their parts."""
    keys, rows = [key for key, _ in situations], [row for _, found in situations for row in found]
    patterns = [pattern for pattern, _ in Counter(row[1:] for row in rows).most_common()]
    number = {pattern: place for place, pattern in enumerate(patterns)}
    halves = [(pattern[: len(pattern) // 2], pattern[len(pattern) // 2 :]) for pattern in patterns]
    columns = [
        len(situations).to_bytes(2, "little"),
        len(patterns).to_bytes(2, "little"),
        *map(bytes, zip(*keys, strict=True)),
        bytes([len(found) for _, found in situations]),
        bytes([row[0] for row in rows]),
        bytes([number[row[1:]] % 256 for row in rows]),
        bytes([number[row[1:]] // 256 for row in rows]),
        bytes([len(actions) for actions, _ in halves]),
        b"".join(actions for actions, _ in halves),
        b"".join(parts[:-1] for _, parts in halves),
    ]
    return b"".join(columns)


def write(rules: Rules, tables: dict[Key, Table]) -> int:
    """Write rounds into a rule set's file, beside those that it has of other rounds, and return its bytes."""
    preset = 9 | lzma.PRESET_EXTREME
    filters = [{"id": lzma.FILTER_LZMA1, "preset": preset, "dict_size": ROOM, "lc": 2, "lp": 0, "pb": 0}]
    path = FOLDER / f"{rules}.table"
    before = path.read_bytes() if path.exists() else b""
    found: dict[str, Table] = {}
    for title, (place, size, form) in contents(str(rules)).items():
        found[title] = before[place : place + size], form
    for key, (columns, form) in tables.items():
        found[title_of(*key)] = lzma.compress(columns, lzma.FORMAT_ALONE, filters=filters), form
    head = " ".join(
        f"{title}:{len(blob)}:{form.memory}:{form.parts}{':groups' * form.by_group}"
        for title, (blob, form) in found.items()
    )
    content = head.encode() + b"\n" + b"".join([blob for blob, _ in found.values()])
    path.write_bytes(content)
    return len(content)


def main() -> None:
    """Train, write the tables and print their sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", nargs="+", choices=RULESETS, default=[*RULESETS], metavar="RULES")
    parser.add_argument("--dice", type=int, default=6, help="the most dice in all (default: %(default)s)")
    parser.add_argument(
        "--widest", type=int, default=WIDEST, help="the most dice more of one player, from five dice on (default: 1)"
    )
    parser.add_argument(
        "--only-groups", action="store_true", help="only rounds with hands in groups; the others are as in the tables"
    )
    parser.add_argument(
        "--plain", type=float, metavar="SHARE", help="of decisions in which the adversary is a plain player"
    )
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help="for each round (default: %(default)s)")
    parser.add_argument("--sweeps", type=int, default=SWEEPS, help="times over all rounds (default: %(default)s)")
    parser.add_argument("--checkpoint", type=Path, help="a folder in which an interrupted training continues")
    parser.add_argument("--only-print", action="store_true", help="leave the tables as they are")
    options = parser.parse_args()
    for title in options.rules:
        rules = RULESETS[title]
        keys = rounds_of(rules, options.dice, options.widest)
        kept = [key for key in keys if is_elsewhere(rules, key) or (options.only_groups and not is_by_group(key[1]))]
        keys = [key for key in keys if key not in kept]
        training = Training(rules, keys, options.checkpoint, kept_values(rules, kept), options.plain)
        try:
            tables = training.run(options.iterations, options.sweeps)
        except CheckpointError as error:
            parser.exit(1, f"{parser.prog}: {error}; another version made it, so train in an empty folder\n")
        except CompilerError as error:
            parser.exit(1, f"{parser.prog}: {error}\n")
        for key in training.keys:
            print(f"{rules!s:<10} {title_of(*key):<36} {training.values.of_opener[key]:.4f}", flush=True)
        if not options.only_print:
            print(f"{rules!s:<10} {write(rules, tables)} bytes", flush=True)


if __name__ == "__main__":
    main()
