"""Seating for a tournament's draws: as few heats as possible, and new company for each player."""

import random
from collections.abc import Mapping, Sequence
from itertools import combinations

_SHUFFLES = 6
"""Number of random seatings at the start of a draw; it takes the best after improvement."""


def sizes_of(players: int, seats: int) -> list[int]:
    """Return the sizes of as few heats as possible for this many players, equal but for one."""
    heats = -(-players // seats)
    return [players // heats + (number < players % heats) for number in range(heats)]


def seating(
    players: Sequence[str], seats: int, met: Mapping[frozenset[str], int], shuffle: random.Random
) -> list[list[str]]:
    """Seat players in heats, bringing together those who have met least.

    Each of a few random seatings is improved by exchanging two players while that helps; the best one counts.
    """
    sizes = sizes_of(len(players), seats)
    number_of = {name: number for number, name in enumerate(players)}
    shared = [[0] * len(players) for _ in players]
    for pair, count in met.items():
        numbers = [number_of[name] for name in pair if name in number_of]
        if len(numbers) == 2:
            shared[numbers[0]][numbers[1]] = shared[numbers[1]][numbers[0]] = count
    best: tuple[int, list[list[int]]] | None = None
    for _ in range(_SHUFFLES):
        order = shuffle.sample(range(len(players)), len(players))
        heats = [[order.pop() for _ in range(size)] for size in sizes]
        cost = _improve(heats, shared)
        if best is None or cost < best[0]:
            best = cost, heats
        if cost == 0:
            break
    assert best is not None
    return [[players[number] for number in heat] for heat in best[1]]


def _improve(heats: list[list[int]], shared: list[list[int]]) -> int:
    """Exchange players between heats while that reduces their earlier meetings. Return the number left.

    The sum of the squares of all meetings grows by the sum of earlier meetings, so pairs that have met often are parted
    first.
    """
    at = {name: number for number, heat in enumerate(heats) for name in heat}
    load = [[sum(row[other] for other in heat) for heat in heats] for row in shared]  # meetings with each heat

    def gain(one: int, two: int) -> int:
        here, there = at[one], at[two]
        now = load[one][here] + load[two][there]
        return now - (load[one][there] + load[two][here] - 2 * shared[one][two])

    has_moved = True
    while has_moved:
        has_moved = False
        for one, two in combinations(range(len(shared)), 2):
            here, there = at[one], at[two]
            if here != there and gain(one, two) > 0:
                has_moved = True
                heats[here][heats[here].index(one)], heats[there][heats[there].index(two)] = two, one
                at[one], at[two] = there, here
                for row, known in zip(load, shared, strict=True):
                    row[here] += known[two] - known[one]
                    row[there] += known[one] - known[two]
    return sum(load[name][at[name]] for name in at) // 2
