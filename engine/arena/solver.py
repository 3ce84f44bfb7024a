"""Regret minimisation on one round between two players: `Solver`, for `engine.arena.end_games`.

A decision is told apart by the own hand and the last bids, as many as `memory_of` allows. Histories that agree in these
are merged, so a round of 3 dice against 3 has a few thousand states instead of billions of histories. Reaches and
worths are joint over both players' hands, since merged histories correlate them.

The steps are those of predictive CFR+ (Farina, Kroer and Sandholm 2021), for both players in turns, with quadratic
averages. A bid that holds in less than `MIN_CHANCE` of all cases can be made, but only be doubted. The passes over all
states are in `regret.c`, compiled here by `cc`. Needs numpy.
"""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from math import comb, factorial, prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from engine import ACES, DUDO, FACES, Action, Bid, Call, Hand, Phase, Player, Position, RoundKind, Rules
from engine.arena.two_players import began, hands_of, outcome
from engine.bidding import legal_bids
from engine.opponents.strong.end_games import MIN_CHANCE, chance_of, group_of, lowest_bids, unsolved
from engine.opponents.strong.values import win_chance
from engine.rules import Visibility

Array = npt.NDArray[np.float32]
Key = tuple[RoundKind, tuple[int, int]]
"""A kind of round, and the dice of its opener and of the other player."""
Bids = tuple[Bid, ...]

MEMORY = {2: 6, 3: 5, 4: 4, 5: 3, 6: 3}
"""Remembered bids by the dice in all; with hands in groups, two."""
LONG_MEMORY = 4
"""The same from five dice on, under rules with few raises."""
EXPLORED = 0.02
"""Share of even choices in the learner's own reach, by which merged histories are weighed."""
_ARRAYS = [
    "player",
    "actions",
    "child",
    "shares",
    "alike",
    "endings",
    "odds",
    "strategy",
    "regrets",
    "recent",
    "sums",
    "reach",
    "value",
    "own",
    "live",
    "scratch",
]
_LEARN, _WATCH, _BEST = range(3)


def is_by_group(dice: tuple[int, int]) -> bool:
    """Return whether a round's table tells hands apart by their groups alone: a large or an uneven round."""
    return sum(dice) > max(MEMORY) or (sum(dice) > 4 and abs(dice[0] - dice[1]) > 1)


def memory_of(rules: Rules, dice: tuple[int, int]) -> int:
    """Return the number of last bids that a decision remembers."""
    if is_by_group(dice):
        return 2
    return LONG_MEMORY if sum(dice) > 4 and rules.lower_face == "never" else MEMORY[sum(dice)]


class Values:
    """The chance of seat 0 to win the match from each position, by the rounds solved so far."""

    def __init__(self) -> None:
        self.of_opener: dict[Key, float] = {}

    def __call__(self, position: Position) -> float:
        """Return the chance of seat 0."""
        if position.winner is not None:
            return 1.0 - position.winner
        dice = position.dice
        opener = position.owner if position.phase is Phase.CHOOSING else position.first
        own, other = (dice[0], dice[1]) if opener == 0 else (dice[1], dice[0])
        best = max(self.opening(kind, (own, other)) for kind in position.choices or (position.kind,))
        return best if opener == 0 else 1 - best

    def opening(self, kind: RoundKind, dice: tuple[int, int]) -> float:
        """Return the chance of a round's opener."""
        known = self.of_opener.get((kind, dice))
        return win_chance(dice[0], (dice[1],)) if known is None else known


class CompilerError(ValueError):
    """A computer without a C compiler."""


class _Game(ctypes.Structure):
    _fields_ = (
        ("states", ctypes.c_int32),
        ("hands", ctypes.c_int32 * 2),
        *((name, ctypes.c_void_p) for name in _ARRAYS),
    )


@cache
def _compiled() -> Any:
    """Compile `regret.c` and return its library."""
    source = Path(__file__).with_name("regret.c")
    with TemporaryDirectory() as folder:
        made = Path(folder) / "regret.so"
        # Not -ffast-math: a library made with it rounds small numbers to zero in the whole process.
        sums = ["-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math", "-fno-math-errno"]
        flags = ["-O3", "-march=native", *sums, "-shared", "-fPIC"]
        try:
            subprocess.run(["cc", *flags, "-o", str(made), str(source)], check=True)
        except FileNotFoundError:
            raise CompilerError("needs cc, a C compiler; on Debian: sudo apt install gcc libc6-dev") from None
        library = ctypes.CDLL(str(made))
    passing, response = getattr(library, "pass"), library.response
    passing.argtypes = [ctypes.POINTER(_Game), ctypes.c_int, ctypes.c_float, ctypes.c_float]
    response.argtypes = [ctypes.POINTER(_Game), ctypes.c_void_p]
    passing.restype = response.restype = ctypes.c_double
    return library


def _pass(game: _Game, mode: int, explored: float = 0.0, weight: float = 0.0) -> float:
    found: float = getattr(_compiled(), "pass")(game, mode, explored, weight)
    return found


class Solver:
    """The round of one kind with given dice."""

    def __init__(
        self,
        rules: Rules,
        kind: RoundKind,
        dice: tuple[int, int],
        memory: int,
        adversary: int | None = None,
        by_group: bool = False,
    ) -> None:
        self.rules, self.kind, self.dice, self.memory, self.adversary = rules, kind, dice, memory, adversary
        self.by_group = by_group
        """Whether the adversary alone tells all hands apart, and the other by their groups."""
        self.iterations = 0
        self.sees = seen_by(rules, kind, dice)
        self.hands = tuple([(Hand(),) if seat is None else hands_of(dice[seat]) for seat in self.sees])
        self.unseen = sum(dice[seat] for seat in (0, 1) if seat not in self.sees)
        self.odds = [_odds(hands) for hands in self.hands]
        self.states: list[tuple[Bids, int]] = []
        """The remembered bids and the player to act, 0 the opener; each before those to which its raises lead."""
        self.actions: list[list[Action]] = []
        self.children: list[list[int]] = []
        self.endings: dict[tuple[Bid, int, Call], int] = {}
        self._find_states()
        self._numbers: dict[tuple[Bid, int], list[int]] = {}
        self._lowest: dict[tuple[Bid | None, int], list[list[Bid]]] = {}
        counts = [len(actions) for actions in self.actions]
        self.sizes = [count * len(self.hands[player]) for count, (_, player) in zip(counts, self.states, strict=True)]
        self.places = np.array([0, *np.cumsum(self.sizes)[:-1]], np.int64)
        self.regrets, self.recent, self.sums = [np.zeros(sum(self.sizes), np.float32) for _ in range(3)]
        self.strategy = np.concatenate(
            [np.full(size, 1 / count, np.float32) for size, count in zip(self.sizes, counts, strict=True)]
        )
        self.plain: tuple[float, Array] | None = None
        """The share of the adversary's decisions that are those of a plain player, and its strategy."""
        self._worths: Any = None

    def _find_states(self) -> None:
        in_play, kept = sum(self.dice), self.memory
        calls = calls_of(self.rules, self.kind, in_play)
        found: dict[tuple[Bids, int], tuple[list[Action], list[tuple[Bids, int] | int]]] = {}

        def visit(bids: Bids, player: int) -> None:
            if (bids, player) in found:
                return
            standing = bids[-1] if bids else None
            legal = legal_bids(self.rules, self.kind, standing, dice=self.dice[player], in_play=in_play)
            actions: list[Action] = []
            children: list[tuple[Bids, int] | int] = []
            ended: set[int] = set()
            for bid in legal.up_to(in_play):
                if self.by_group and bid.face in ended:
                    continue  # no better than a die less, which is only doubted, too
                actions.append(bid)
                if chance_of(self.rules, self.kind, in_play, bid) < MIN_CHANCE:
                    ended.add(bid.face)
                    children.append(~self.endings.setdefault((bid, 1 - player, DUDO), len(self.endings)))
                    continue
                children.append(((*bids, bid)[-kept:], 1 - player))
                visit((*bids, bid)[-kept:], 1 - player)
            for call in calls if standing else ():
                assert standing is not None
                actions.append(call)
                children.append(~self.endings.setdefault((standing, player, call), len(self.endings)))
            found[bids, player] = actions, children

        visit((), 0)
        self.states = [*reversed(found)]
        number = {state: place for place, state in enumerate(self.states)}
        for state in self.states:
            actions, children = found[state]
            self.actions.append(actions)
            self.children.append([child if isinstance(child, int) else number[child] for child in children])

    def numbers(self, state: int) -> list[int]:
        """Return by hand its number in a table: that of its group, or its place."""
        bids, player = self.states[state]
        standing, hands = bids[-1] if bids else None, self.hands[player]
        if not self.by_group or standing is None:
            return [*range(len(hands))]
        if (standing, player) not in self._numbers:
            situations = zip(hands, self.lowest(state), strict=True)
            found = [group_of(self.rules, self.kind, standing, hand, lowest) for hand, lowest in situations]
            self._numbers[standing, player] = found
        return self._numbers[standing, player]

    def lowest(self, state: int) -> list[list[Bid]]:
        """Return by hand the lowest bids."""
        bids, player = self.states[state]
        standing, in_play, dice = bids[-1] if bids else None, sum(self.dice), self.dice[player]
        if (standing, player) not in self._lowest:
            ranges = legal_bids(self.rules, self.kind, standing, dice=dice, in_play=in_play)
            situation = self.rules, self.kind, in_play, standing
            self._lowest[standing, player] = [lowest_bids(*situation, hand, ranges) for hand in self.hands[player]]
        return self._lowest[standing, player]

    def unsolved(self, state: int, hand: int) -> Action:
        """Return the action that is played on a standing bid if the table does not have the decision."""
        bids, player = self.states[state]
        situation = self.rules, self.kind, sum(self.dice), bids[-1], self.hands[player][hand]
        return unsolved(*situation, self.lowest(state)[hand])

    def _alike(self, state: int) -> list[int]:
        """Return by hand the first hand that is played in the same way: the adversary tells all hands apart."""
        numbers = self.numbers(state)
        if self.states[state][1] == self.adversary:
            return [*range(len(numbers))]
        first: dict[int, int] = {}
        return [first.setdefault(number, hand) for hand, number in enumerate(numbers)]

    def settle(self, opener_wins: Callable[[Position], float]) -> None:
        """Set the worth of each call, from -1 for a lost match to 1, by the opener's chance to win after it."""
        opened = began(self.rules, self.kind, self.dice, Player(0))
        wilds = self.rules.wilds_in(self.kind)
        matching = {
            (player, face): np.array([hand.matching(face, wilds=wilds) for hand in self.hands[player]])
            for player in (0, 1)
            for face in FACES
        }
        worths = {
            (player, call): [
                2 * opener_wins(outcome(opened, Player(player), call, right=is_right)) - 1 for is_right in (True, False)
            ]
            for player in (0, 1)
            for call in calls_of(self.rules, self.kind, sum(self.dice))
        }
        by_opener = []
        for bid, player, call in self.endings:
            count = matching[0, bid.face][:, None] + matching[1, bid.face][None, :]
            share = (2 if wilds and bid.face != ACES else 1) / 6
            chance = np.zeros(count.shape)
            for hits in range(self.unseen + 1):
                odds = comb(self.unseen, hits) * share**hits * (1 - share) ** (self.unseen - hits)
                is_exact = self.rules.exact(call) is not None
                chance += odds * (count + hits == bid.quantity if is_exact else count + hits < bid.quantity)
            right, wrong = worths[player, call]
            by_opener.append(chance * right + (1 - chance) * wrong)
        stacked = np.stack(by_opener).astype(np.float32)
        self._worths = (np.ascontiguousarray(stacked.transpose(0, 2, 1)), np.ascontiguousarray(-stacked))

    def run(self, iterations: int) -> None:
        """Improve the strategies of both players in turns."""
        games = self._games(self.strategy)
        for _ in range(iterations):
            self.iterations += 1
            for learner, (game, _) in enumerate(games):
                with self._among_plain(learner):
                    _pass(game, _LEARN, EXPLORED, float(self.iterations) ** 2)

    @contextmanager
    def _among_plain(self, learner: int) -> Iterator[None]:
        """Let the adversary decide like a plain player now and then, for a learner that may gain by it."""
        if self.plain is None or self.adversary != 1 - learner:
            yield
            return
        places, (share, plain) = self.places_of(self.adversary), self.plain
        own = self.strategy[places]
        self.strategy[places] = (1 - share) * own + share * plain[places]
        yield
        self.strategy[places] = own

    def places_of(self, player: int) -> Any:
        """Return where a player's decisions are in the arrays."""
        return np.repeat([turn == player for _, turn in self.states], self.sizes)

    def _games(self, strategy: Array) -> list[tuple[_Game, dict[str, Any]]]:
        """Return what `regret.c` reads and writes for each learner, and the arrays in it."""
        counts = [len(actions) for actions in self.actions]
        longest, states, hands = max(counts), len(self.states), [len(hands) for hands in self.hands]
        shared: dict[str, Any] = {
            "actions": np.array([0, *np.cumsum(counts)], np.int32),
            "child": np.array([child for children in self.children for child in children], np.int32),
            "shares": self.places,
            "strategy": strategy,
            "regrets": self.regrets,
            "recent": self.recent,
            "sums": self.sums,
            "reach": np.empty(states * hands[0] * hands[1], np.float32),
            "value": np.empty(states * hands[0] * hands[1], np.float32),
            "own": np.empty(states * max(hands), np.float32),
            "live": np.empty(states * max(hands), np.uint8),
            "scratch": np.empty(longest * max(hands), np.float32),
        }
        found = []
        for learner in (0, 1):
            players = np.array([player != learner for _, player in self.states], np.int32)
            odds = np.concatenate([self.odds[1 - learner], self.odds[learner]])
            alike = np.zeros((len(self.states), hands[learner]), np.int32)
            for state, (_, player) in enumerate(self.states):
                if player == learner:
                    alike[state] = self._alike(state)
            arrays = shared | {"player": players, "alike": alike, "endings": self._worths[learner], "odds": odds}
            game = _Game(states, (ctypes.c_int32 * 2)(hands[learner], hands[1 - learner]))
            for name in _ARRAYS:
                setattr(game, name, arrays[name].ctypes.data)
            found.append((game, arrays))
        return found

    def average(self) -> Array:
        """Return the average strategy: the one that converges."""
        means = [matched(self.shares(self.sums, state)[:, self._alike(state)]) for state in range(len(self.states))]
        return np.concatenate([mean.ravel() for mean in means])

    def shares(self, strategy: Array, state: int) -> Array:
        """Return the part of a state, by action and own hand."""
        place, size = int(self.places[state]), self.sizes[state]
        return strategy[place : place + size].reshape(len(self.actions[state]), -1)

    def value(self, strategy: Array) -> float:
        """Return the worth of the round to its opener if both follow a strategy."""
        game, _arrays = self._games(strategy)[0]
        return _pass(game, _WATCH)

    def gain(self, strategy: Array) -> float:
        """Return the gain of a response that remembers as much as the tables, the mean of both players."""
        return sum(_pass(game, _BEST, explored=1.0) for game, _arrays in self._games(strategy)) / 2

    def response(self, strategy: Array, learner: int, *, knows_all: bool = True) -> float:
        """Return the worth of the best response to a strategy, for the opener (0) or the other.

        It knows all bids of the round, or those that the solver remembers.
        """
        game, _arrays = self._games(strategy)[learner]
        if not knows_all:
            return _pass(game, _BEST, explored=1.0)
        levels = 2 + len(FACES) * 2 * sum(self.dice)
        room = np.empty(levels * sum(map(len, self.hands)), np.float32)
        return float(_compiled().response(game, room.ctypes.data))


def calls_of(rules: Rules, kind: RoundKind, in_play: int) -> list[Call]:
    """Return the calls in turn on a standing bid, so many dice being in play."""

    def is_open(call: Call) -> bool:
        rule = rules.exact(call)
        if rule is None or rule.by == "out-of-turn" or (rule.while_most_dice_left and in_play <= rules.starting_dice):
            return False
        return rule.in_special or kind is RoundKind.NORMAL

    return [DUDO, *(call for call in Call if is_open(call))]


def seen_by(rules: Rules, kind: RoundKind, dice: tuple[int, int]) -> tuple[int | None, int | None]:
    """Return the dice that the opener and the other see: 0 for the opener's, 1 for the other's, None for none."""
    match kind.visibility:
        case Visibility.OWN:
            return 0, 1
        case Visibility.OTHERS:
            return 1, 0
        case Visibility.ONE_DIE if rules.closed_seen_by == "one-die":
            return 0 if dice[0] == 1 else None, 1 if dice[1] == 1 else None
    return 0, None


def matched(sums: Array) -> Array:
    """Return strategies in proportion to sums, by action and hand, and even ones where there are none."""
    total = sums.sum(axis=0, keepdims=True)
    found: Array = np.where(total > 0, sums / np.where(total > 0, total, 1), np.float32(1 / len(sums)))
    return found


def _odds(hands: tuple[Hand, ...]) -> Array:
    ways = [factorial(len(hand)) / prod(factorial(hand.count(face)) for face in FACES) for hand in hands]
    return np.array(ways, np.float32) / np.float32(sum(ways))
