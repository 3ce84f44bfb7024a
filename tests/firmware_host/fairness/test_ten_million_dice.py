"""Dice of honest play are fair, at wired cups and at cups with programs; dice that are not are found out.

The short form throws 100,000 dice each way, the soak ten million each way on all processors.
"""

import multiprocessing
import os
import random
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import pytest
from support.proofs.dice_statistics import Statistic, Tally, exceeding
from support.proofs.honest_play import DICE, HELD, SEATS, serial, wired

pytestmark = pytest.mark.slow


WAYS: dict[str, Callable[[int, int], Iterator[bytes]]] = {"wired": wired, "serial": serial}
CHUNK = 1000  # deals
SOAK = 10_000_000
SHARES = 40
"""Matches from which the soak's dice come, each with a seed of its own."""
BIAS = 0.005
"""What a planted die shows its six more often than one in six."""

every_way = pytest.mark.parametrize("way", WAYS)


def tally_of(deals: Iterable[bytes]) -> Tally:
    tally, rows = Tally(SEATS, HELD), iter(deals)
    while chunk := b"".join(islice(rows, CHUNK)):
        tally.count(chunk)
    return tally


def share(way: str, seed: int, deals: int) -> Tally:
    return tally_of(WAYS[way](seed, deals))


def failing(statistics: Iterable[Statistic]) -> list[str]:
    return [str(each) for each in statistics if not each.holds]


@every_way
def test_dice_of_honest_play_are_fair(way: str) -> None:
    assert failing(share(way, 1, 100_000 // DICE).statistics()) == []


@pytest.mark.soak
@every_way
def test_ten_million_dice_of_honest_play_are_fair(way: str, capsys: pytest.CaptureFixture[str]) -> None:
    tally, deals = Tally(SEATS, HELD), SOAK // SHARES // DICE
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        work = [pool.apply_async(share, (way, seed, deals)) for seed in range(SHARES)]
        for each in work:
            tally += each.get()
            with capsys.disabled():
                print(f"\r{way}: {tally.dice:,} dice", end="", flush=True)
    statistics = tally.statistics()
    with capsys.disabled():
        print("", *statistics, sep="\n  ")
    assert tally.dice == SOAK
    assert failing(statistics) == []


# What would be found out.


def loaded_dice(weights: Callable[[int], list[float]], deals: int, seed: int = 1) -> Iterator[bytes]:
    """Deals whose die at each place has these weights; generated, not dealt."""
    rng = random.Random(seed)
    while deals > 0:
        count = min(deals, CHUNK)
        columns = [bytes(rng.choices(range(1, 7), weights(place), k=count)) for place in range(DICE)]
        yield from map(bytes, zip(*columns, strict=True))
        deals -= count


FAIR = [1 / 6] * 6
BIASED = [(5 / 6 - BIAS) / 5] * 5 + [1 / 6 + BIAS]


def test_generated_fair_dice_pass() -> None:
    assert failing(tally_of(loaded_dice(lambda place: FAIR, 10_000)).statistics()) == []


def test_half_a_percent_more_sixes_are_found_in_a_million() -> None:
    names = failing(tally_of(loaded_dice(lambda place: BIASED, 1_000_000 // DICE)).statistics())
    assert any(name.startswith("faces:") for name in names)


@pytest.mark.soak
def test_one_seat_with_half_a_percent_more_sixes_is_found_in_ten_million() -> None:
    deals = loaded_dice(lambda place: BIASED if place // HELD == 3 else FAIR, SOAK // DICE)
    names = failing(tally_of(deals).statistics())
    assert any(name.startswith("faces of each seat:") for name in names)


def rows(change: Callable[[list[bytearray]], None]) -> list[Statistic]:
    deals = list(map(bytearray, loaded_dice(lambda place: FAIR, 5_000)))
    change(deals)
    return tally_of(map(bytes, deals)).statistics()


def test_hands_that_follow_their_neighbours_are_found_out() -> None:
    def change(deals: list[bytearray]) -> None:
        for deal in deals[::10]:
            deal[3 * HELD : 4 * HELD] = deal[4 * HELD : 5 * HELD]

    assert [each.name for each in rows(change) if not each.holds] == ["a die and the neighbour's"]


def test_dice_that_follow_the_one_beside_them_are_found_out() -> None:
    def change(deals: list[bytearray]) -> None:
        for deal in deals[::10]:
            deal[1::HELD] = deal[0::HELD]

    assert "a die and the next in the hand" in [each.name for each in rows(change) if not each.holds]


def test_a_deal_that_follows_the_one_before_is_found_out() -> None:
    def change(deals: list[bytearray]) -> None:
        for before, deal in zip(deals[::30], deals[1::30], strict=True):
            deal[:] = before

    assert [each.name for each in rows(change) if not each.holds] == ["a die and the same in the next deal"]


def test_dice_that_change_too_often_from_low_to_high_are_found_out() -> None:
    def change(deals: list[bytearray]) -> None:
        for deal in deals:
            if (deal[0] > 3) == (deal[1] > 3):
                deal[1] = 7 - deal[1]

    assert "runs of low and high" in [each.name for each in rows(change) if not each.holds]


@pytest.mark.parametrize(("value", "freedom"), [(35.89, 5), (73.89, 25), (97.65, 40), (309.84, 200)])
def test_a_limit_is_within_a_factor_of_two_exceeded_once_in_a_million(value: float, freedom: int) -> None:
    assert 0.5e-6 < exceeding(value, freedom) < 2e-6
