"""Dice from entropy: equal inputs give equal dice, other inputs other dice, and every face is equally likely."""

import hashlib
import random
from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.fairness import commitments

SEATS: dict[int, int] = {0: 5, 1: 5}


def deal(
    match: str = "m",
    number: int = 1,
    seed: bytes = b"seed",
    entropies: Mapping[int, bytes] | None = None,
    wanted: Mapping[int, int] = SEATS,
) -> dict[int, list[int]]:
    return commitments.deal_dice(match, number, seed, {0: b"a", 1: b"b"} if entropies is None else entropies, wanted)


def test_the_same_inputs_give_the_same_dice() -> None:
    assert deal() == deal()


def test_each_seat_gets_as_many_dice_as_it_holds() -> None:
    thrown = deal(wanted={0: 5, 3: 1, 7: 2})
    assert {seat: len(hand) for seat, hand in thrown.items()} == {0: 5, 3: 1, 7: 2}


# Ten dice each, so that two different deals are alike by chance once in 6**20 times.
MANY = {0: 10, 1: 10}
OTHERS = {
    "match": deal("n", wanted=MANY),
    "number": deal(number=2, wanted=MANY),
    "seed": deal(seed=b"Seed", wanted=MANY),
    "own entropy": deal(entropies={0: b"A", 1: b"b"}, wanted=MANY),
    "other's entropy": deal(entropies={0: b"a", 1: b"B"}, wanted=MANY),
    "entropies swapped": deal(entropies={0: b"b", 1: b"a"}, wanted=MANY),
    "who shook": deal(entropies={0: b"a", 2: b"b"}, wanted=MANY),
    "one less": deal(entropies={0: b"a"}, wanted=MANY),
    "where one ends": deal(entropies={0: b"ab", 1: b""}, wanted=MANY),
    "one entropy that reads like two": deal(entropies={0: b"a\x01b"}, wanted=MANY),
    "a seed that goes on like an entropy": deal(seed=b"seed\x00a", entropies={1: b"b"}, wanted=MANY),
    "match and seed": deal("mseed", seed=b"", wanted=MANY),
}


@pytest.mark.parametrize("what", OTHERS)
def test_every_input_matters_to_every_seat(what: str) -> None:
    for seat in MANY:
        assert OTHERS[what][seat] != deal(wanted=MANY)[seat]


def test_no_two_of_these_deals_are_alike() -> None:
    assert len({str(thrown) for thrown in OTHERS.values()}) == len(OTHERS)


def test_two_seats_do_not_get_the_same_dice() -> None:
    thrown = deal(wanted=MANY)
    assert thrown[0] != thrown[1]


def test_the_order_in_which_cups_came_down_does_not_matter() -> None:
    assert deal(entropies={1: b"b", 0: b"a"}) == deal(entropies={0: b"a", 1: b"b"})


def test_what_others_hold_does_not_change_the_own_dice() -> None:
    assert deal(wanted={0: 5, 1: 5})[0] == deal(wanted={0: 5, 1: 1})[0]


def test_fewer_dice_are_the_first_of_more() -> None:
    assert deal(wanted={0: 5})[0] == deal(wanted={0: 200})[0][:5]


@given(st.text(max_size=20), st.integers(0, 2**32 - 1), st.binary(max_size=64), st.integers(0, 5))
def test_any_inputs_give_dice(match: str, number: int, seed: bytes, count: int) -> None:
    (thrown,) = deal(match, number, seed, wanted={4: count}).values()
    assert len(thrown) == count
    assert set(thrown) <= {1, 2, 3, 4, 5, 6}


def chi_square(counts: Counter[int], values: int) -> float:
    expected = counts.total() / values
    return sum((counts[value] - expected) ** 2 / expected for value in counts)


def test_every_face_is_as_likely() -> None:
    thrown = deal(wanted=dict.fromkeys(range(8), 25000))
    counts = Counter(die for hand in thrown.values() for die in hand)
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    assert chi_square(counts, 6) < 20.5  # 5 degrees of freedom: exceeded once in a thousand


def test_every_face_is_as_likely_for_the_first_die_of_many_deals() -> None:
    counts = Counter(deal(number=number, wanted={0: 1})[0][0] for number in range(20_000))
    assert chi_square(counts, 6) < 20.5


def test_a_die_says_nothing_about_the_next() -> None:
    (thrown,) = deal(wanted={0: 100_000}).values()
    pairs = Counter(6 * (one - 1) + other for one, other in zip(thrown[::2], thrown[1::2], strict=True))
    assert len(pairs) == 36
    assert chi_square(pairs, 36) < 66.6  # 35 degrees of freedom: once in a thousand


@pytest.mark.parametrize("below", range(1, 9))
def test_a_pick_is_as_likely_for_everybody(below: int) -> None:
    rng = random.Random(below)
    picks = Counter(commitments.pick_number(rng.randbytes(32), "first player", below) for _ in range(8000))
    assert sorted(picks) == list(range(below))
    assert chi_square(picks, below) < 24.4  # 7 degrees of freedom: once in a thousand


def test_a_pick_throws_away_what_would_favour_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commitments, "_stream", lambda key: iter([255, 252, 251]))
    assert commitments.pick_number(b"", "", 7) == 251 % 7  # 252 is the highest multiple of seven in a byte


def test_a_die_throws_away_what_would_favour_the_low_faces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commitments, "_stream", lambda key: iter([255, 252, 251, 0]))
    assert deal(wanted={0: 2}) == {0: [251 % 6 + 1, 1]}


def test_a_pick_is_decided_by_the_seed_and_its_purpose() -> None:
    def picks(purpose: str, seed: bytes) -> list[int]:
        return [commitments.pick_number(seed + bytes([n]), purpose, 8) for n in range(20)]

    assert picks("a", b"x") == picks("a", b"x")
    assert picks("a", b"x") != picks("b", b"x")
    assert picks("a", b"x") != picks("a", b"y")


def test_a_name_is_short_public_and_no_part_of_the_seed() -> None:
    seed = bytes(range(32))
    name = commitments.match_name(seed)
    assert len(name) == 12
    assert name != commitments.match_name(seed[::-1])
    assert name not in seed.hex()
    assert name != hashlib.sha256(seed).hexdigest()[:12]
