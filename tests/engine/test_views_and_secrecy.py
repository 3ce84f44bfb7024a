"""Who sees which dice, and that nothing else tells of them before the reveal."""

import pickle
import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    DUDO,
    KILL_SPOT,
    PALO_FIJO,
    PASS,
    PERUDO,
    RULESETS,
    Bid,
    Hand,
    HandsError,
    Match,
    Phase,
    RoundKind,
    Rules,
)
from engine.match import visible_seats
from engine.opponents.odds import choose

Put = Callable[..., Match]
Walk = Callable[..., Iterator[Match]]
SEEDS = st.integers(0, 2**32)


@pytest.mark.parametrize(
    ("kind", "looks"),
    [
        (RoundKind.NORMAL, [{0}, {1}, {2}, set()]),
        (RoundKind.FIXED_FACE, [{0}, {1}, {2}, set()]),
        (RoundKind.FIXED_FACE_NO_WILDS, [{0}, {1}, {2}, set()]),
        (RoundKind.BLIND, [{0}, set(), set(), set()]),
        (RoundKind.OPEN, [{1, 2}, {0, 2}, {0, 1}, set()]),
        (RoundKind.FIXED_FACE_NO_WILDS_OPEN, [{1, 2}, {0, 2}, {0, 1}, set()]),
        (RoundKind.FIXED_FACE_NO_WILDS_CLOSED, [{0}, {1}, set(), set()]),
    ],
)
def test_each_seat_holds_just_the_dice_that_the_round_lets_it_see(
    kind: RoundKind, looks: list[set[int]], put: Put
) -> None:
    match = put(PALO_FIJO, [(4,), (5,), (1, 2, 6), 0], kind=kind, owner=0)
    views = [match.view(seat) for seat in range(4)]
    assert [{seat for seat, hand in enumerate(view.hands) if hand is not None} for view in views] == looks
    assert [set(visible_seats(match.position, seat)) for seat in range(4)] == looks


def test_a_house_may_let_only_the_owner_look_in_a_closed_round(put: Put) -> None:
    rules = replace(PALO_FIJO, closed_seen_by="owner")
    match = put(rules, [(4,), (5,), (1, 2, 6)], kind=RoundKind.FIXED_FACE_NO_WILDS_CLOSED, owner=0)
    assert [view.own for view in map(match.view, range(3))] == [(4,), None, None]


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_a_seat_that_is_not_there_sees_nothing(seat: int, put: Put) -> None:
    assert put(KILL_SPOT, [5, 5], kind=RoundKind.OPEN).view(seat).visible == ()


def test_every_view_has_the_bids_and_passes_of_the_round_and_of_no_other() -> None:
    match = Match.start(PERUDO, 2).roll({0: (2, 2, 3, 4, 5), 1: (2, 3, 3, 4, 6)})
    match = match.play(0, Bid(2, 2)).play(1, Bid(3, 2))
    assert match.view(0).history == match.view(1).history == ((0, Bid(2, 2)), (1, Bid(3, 2)))
    assert match.play(0, DUDO).history == match.void().history == match.leave(0).history == ()


def test_a_pass_is_in_the_history(put: Put) -> None:
    match = put(PALO_FIJO, [5, 5, 5]).play(0, Bid(2, 2)).play(1, PASS)
    assert match.view(2).history == ((0, Bid(2, 2)), (1, PASS))


def test_no_view_has_dice_while_cups_are_shaken() -> None:
    assert Match.start(PERUDO, 2).view(0).visible == ()


def test_the_reveal_shows_all_dice_to_everybody(put: Put) -> None:
    match = put(PERUDO, [(1, 2), (3, 4, 4)], bid=Bid(1, 6)).play(1, DUDO)
    assert match.position.showdown is not None
    assert match.position.showdown.hands == ((1, 2), (3, 4, 4))


@given(seed=SEEDS)
@settings(max_examples=40)
def test_a_view_is_the_same_whatever_lies_where_it_may_not_look(seed: int, walk: Walk) -> None:
    rng = random.Random(seed)
    for match in walk(rng.choice([*RULESETS.values()]), rng.randint(2, 6), rng, most=60):
        if match.position.phase is not Phase.BIDDING:
            continue
        seat = rng.randrange(match.position.seats)
        view, rolled = match.view(seat), []
        for other, hand in enumerate(view.hands):
            hidden = Hand(rng.randint(1, 6) for _ in range(match.position.dice[other]))
            rolled.append(hidden if hand is None else hand)
        forked = Match(match.position, tuple(rolled))
        assert forked.view(seat) == view
        assert choose(forked.view(seat), random.Random(seed)) == choose(view, random.Random(seed))


@pytest.mark.parametrize("kind", RoundKind)
def test_no_way_to_write_a_match_or_a_view_shows_a_die(kind: RoundKind, put: Put) -> None:
    def written(dice: tuple[int, ...]) -> list[str]:
        match = put(PERUDO, [dice, dice], kind=kind, owner=0)
        values = [match, match.view(0), match.view(1), match.legal(0), match.position]
        return [text for value in values for text in (repr(value), str(value), f"{value}")]

    assert written((4, 4, 4)) == written((5, 6, 6))


@pytest.mark.parametrize(
    "write",
    [repr, str, format, "{}".format, "%s, %r".__mod__, ascii],
    ids=["repr", "str", "format", "braces", "percent", "ascii"],
)
def test_no_way_to_write_a_hand_shows_a_die(write: Callable[..., str]) -> None:
    hand = Hand((5, 6, 6))
    shown = write((hand, hand)) if write == "%s, %r".__mod__ else write(hand)
    assert not {"5", "6"} & {*shown}


def test_an_error_shows_no_die(put: Put) -> None:
    match = put(PERUDO, [(5, 5), (5, 6)], bid=Bid(2, 4))
    with pytest.raises(ValueError, match="bid 2x4 by 0") as error:
        match.play(1, Bid(1, 4))
    assert not {"5", "6"} & {*str(error.value)}


@pytest.mark.parametrize(
    "dice",
    [
        {0: (5,) * 5},
        {0: (5,) * 5, 1: (5,) * 4},
        {0: (5,) * 5, 1: (5, 5, 5, 5, 9)},
        {0: (5,) * 5, 1: (5,) * 5, 2: ()},
        {},
    ],
    ids=str,
)
def test_dice_that_do_not_fit_are_refused_without_showing_them(dice: dict[int, tuple[int, ...]]) -> None:
    with pytest.raises(HandsError) as error:
        Match.start(PERUDO, 2).roll(dice)
    assert "9" not in str(error.value)
    assert "5, 5" not in str(error.value)


def test_no_dice_are_taken_when_none_are_awaited(put: Put) -> None:
    with pytest.raises(HandsError, match="no dice are awaited"):
        put(PERUDO, [5, 5]).roll({})


def test_a_hand_is_sorted_and_equal_to_its_dice() -> None:
    assert Hand((6, 1, 3)) == (1, 3, 6)


def test_a_hand_survives_pickling() -> None:
    again = pickle.loads(pickle.dumps(Hand((6, 1, 3))))
    assert (type(again), again) == (Hand, (1, 3, 6))


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_a_position_has_no_die_in_it_before_the_reveal(rules: Rules, put: Put) -> None:
    assert put(rules, [(1, 2), (3, 4)]).position == put(rules, [(5, 5), (6, 6)]).position
