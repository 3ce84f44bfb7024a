"""Legal lists are shared by all who stand on the same footing; nobody gets the list of one who stands otherwise."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations, product

import pytest

from engine import CALZA, KILL_SPOT, PALO_FIJO, PERUDO, RULESETS, Bid, LegalActions, Match, PassRule, RoundKind, Rules
from engine.legality import worked_out

Put = Callable[..., Match]
CALZA_AFTER_A_PASS = replace(PALO_FIJO, name="calza after a pass", passing=PassRule(calza_after=True))


def lists(match: Match) -> list[tuple[LegalActions, LegalActions]]:
    position = match.position
    return [(match.legal(seat), worked_out(position, seat)) for seat in range(position.seats)]


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
@pytest.mark.parametrize("kind", RoundKind)
@pytest.mark.parametrize("bid", [None, Bid(2, 1), Bid(2, 4)], ids=str)
def test_who_holds_one_die_or_none_has_a_list_of_its_own(
    rules: Rules, kind: RoundKind, bid: Bid | None, put: Put
) -> None:
    for dice, first in product(permutations((0, 1, 2, 5)), (1, 2, 5)):
        for looked_up, afresh in lists(put(rules, dice, bid=bid, by=3, first=dice.index(first), kind=kind, owner=0)):
            assert looked_up == afresh


@pytest.mark.parametrize("rules", [KILL_SPOT, PERUDO, PALO_FIJO, CALZA_AFTER_A_PASS], ids=str)
def test_whose_turn_whose_bid_and_whose_pass_make_lists_of_their_own(rules: Rules, put: Put) -> None:
    match = put(rules, [5, 5, 5], bid=Bid(2, 4))
    for turn, bidder, passer in product(range(3), range(3), (None, 0, 1, 2)):
        for passed in ((), (0,), (1,), (2,), (0, 1, 2)):
            position = match.position.but(turn=turn, bidder=bidder, passer=passer, passed=passed)
            for looked_up, afresh in lists(Match(position)):
                assert looked_up == afresh


def test_late_in_a_match_there_is_no_calza_though_there_was_one_in_a_smaller_match(put: Put) -> None:
    small, large = (put(PALO_FIJO, [5, 5], bid=Bid(2, 4), starting=dice) for dice in (15, 20))
    assert CALZA in small.legal(1)
    assert CALZA not in large.legal(1)
