"""Seats in the same situation share one list of legal actions; no seat gets the list of another situation."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations, product

import pytest
from support import rest_slow

from engine import (
    CALZA,
    DUDO,
    KILL_SPOT,
    PALO_FIJO,
    PASS,
    PERUDO,
    RULESETS,
    Action,
    Bid,
    Call,
    Match,
    PassRule,
    RoundKind,
    Rules,
)
from engine.legality import why_illegal

Put = Callable[..., Match]
CALZA_AFTER_A_PASS = replace(PALO_FIJO, name="calza after a pass", passing=PassRule(calza_after=True))
PASS_WITH_FIVE = replace(PALO_FIJO, name="pass with five", passing=PassRule(with_fewer_dice=False))


ACTIONS: tuple[Action, ...] = (*(Bid(dice, face) for dice in range(1, 9) for face in range(1, 7)), PASS, *Call)


def shared_and_judged(match: Match) -> list[tuple[list[Action], list[Action]]]:
    """For each seat the actions in its shared list, and those that the judge of one action allows."""
    position = match.position
    return [
        (
            [action for action in ACTIONS if action in match.legal(seat)],
            [action for action in ACTIONS if why_illegal(position, seat, action) is None],
        )
        for seat in range(position.seats)
    ]


@pytest.mark.parametrize("rules", [*RULESETS.values(), PASS_WITH_FIVE], ids=str)
@pytest.mark.parametrize("kind", RoundKind)
@pytest.mark.parametrize("bid", rest_slow(Bid(2, 1), None, Bid(2, 4)), ids=str)
def test_who_holds_one_die_or_none_has_a_list_of_its_own(
    rules: Rules, kind: RoundKind, bid: Bid | None, put: Put
) -> None:
    for dice, first in product(permutations((0, 1, 2, 5)), (1, 2, 5)):
        match = put(rules, dice, bid=bid, by=3, first=dice.index(first), kind=kind, owner=0)
        for shared, judged in shared_and_judged(match):
            assert shared == judged


@pytest.mark.parametrize("rules", [KILL_SPOT, PERUDO, PALO_FIJO, CALZA_AFTER_A_PASS], ids=str)
def test_whose_turn_whose_bid_and_whose_pass_make_lists_of_their_own(rules: Rules, put: Put) -> None:
    match = put(rules, [5, 5, 5], bid=Bid(2, 4))
    for turn, bidder, passer in product(range(3), range(3), (None, 0, 1, 2)):
        for passed in ((), (0,), (1,), (2,), (0, 1, 2)):
            position = match.position.replace(turn=turn, bidder=bidder, passer=passer, passed=passed)
            for shared, judged in shared_and_judged(Match(position)):
                assert shared == judged


def test_late_in_a_match_there_is_no_calza_though_there_was_one_in_a_smaller_match(put: Put) -> None:
    small, large = (put(PALO_FIJO, [5, 5], bid=Bid(2, 4), starting=dice) for dice in (15, 20))
    assert CALZA in small.legal(1)
    assert CALZA not in large.legal(1)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))])
def test_a_match_that_was_copied_or_pickled_is_equal_and_goes_on(again: Callable[[Match], Match], put: Put) -> None:
    match = put(PERUDO, [5, 5, 5], bid=Bid(2, 4))
    twin = again(match)
    assert twin == match
    assert list(twin.legal(1)) == list(match.legal(1))
    assert twin.play(1, Bid(3, 4)) == match.play(1, Bid(3, 4))


def test_a_pickled_match_holds_no_table_of_legal_actions(put: Put) -> None:
    match = put(PERUDO, [5] * 8, bid=Bid(2, 4))
    before = len(pickle.dumps(match))
    for seat in range(8):
        match.legal(seat)
    assert len(pickle.dumps(match)) == before


def test_bids_without_limit_do_not_fill_the_table(put: Put) -> None:
    match = put(PERUDO, [5, 5, 5], bid=Bid(2, 4))
    table = match.position.round.bidding
    for quantity in range(16, 500):
        position = match.position.replace(standing=Bid(quantity, 4))
        assert DUDO in Match(position).legal(position.turn)
        assert Bid(quantity + 1, 4) in Match(position).legal(position.turn)
        assert not Match(position).legal(position.bidder)
    kept = [*(standing for standing, *_ in table), *(standing for by_bid in table.in_turn for standing in by_bid)]
    assert all(standing is None or standing.quantity <= 15 for standing in kept)
