"""How a match begins, what a void round is, and what is left when somebody goes for good."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine import DUDO, KILL_SPOT, OBLIGING, PALO_FIJO, PASS, PERUDO, PYRUDO, Bid, Match, Phase, RoundKind, Rules

Put = Callable[..., Match]
ROLL_OPENER = replace(PALO_FIJO, seating="roll-opener")


def seated(rules: Rules, *rolls: dict[int, int]) -> Match:
    match = Match.start(rules, len(rolls[0]))
    for roll in rolls:
        match = match.roll({seat: (die,) for seat, die in roll.items()})
    return match


@pytest.mark.parametrize("rules", [KILL_SPOT, PYRUDO, PERUDO], ids=str)
def test_with_fixed_seats_the_given_seat_opens(rules: Rules) -> None:
    position = Match.start(rules, 4, first=2).position
    assert (position.phase, position.first, position.order) == (Phase.ROLLING, 2, (0, 1, 2, 3))


@pytest.mark.parametrize("rules", [OBLIGING, PALO_FIJO], ids=str)
def test_the_roll_is_the_order_of_play_and_the_highest_opens(rules: Rules) -> None:
    position = seated(rules, {0: 2, 1: 6, 2: 1, 3: 4}).position
    assert (position.phase, position.first, position.order) == (Phase.ROLLING, 1, (1, 3, 0, 2))


def test_for_the_order_everybody_rolls_one_die() -> None:
    position = Match.start(OBLIGING, 3).position
    assert [position.dice_to_roll(seat) for seat in range(3)] == [1, 1, 1]


def test_who_ties_rolls_again_among_themselves() -> None:
    position = seated(OBLIGING, {0: 2, 1: 6, 2: 2, 3: 4}).position
    assert (position.phase, position.rolling) == (Phase.SEATING, (0, 2))
    assert [position.dice_to_roll(seat) for seat in range(4)] == [1, 0, 1, 0]


def test_a_second_roll_counts_only_against_those_it_tied_with() -> None:
    assert seated(OBLIGING, {0: 2, 1: 6, 2: 2, 3: 4}, {0: 1, 2: 6}).position.order == (1, 3, 2, 0)


def test_two_ties_are_rolled_again_at_once() -> None:
    match = seated(OBLIGING, {0: 2, 1: 6, 2: 2, 3: 6})
    assert match.position.rolling == (0, 1, 2, 3)
    assert seated(OBLIGING, {0: 2, 1: 6, 2: 2, 3: 6}, {0: 5, 1: 1, 2: 1, 3: 2}).position.order == (3, 1, 0, 2)


def test_a_tie_may_come_again() -> None:
    match = seated(OBLIGING, {0: 3, 1: 3}, {0: 4, 1: 4})
    assert match.position.rolling == (0, 1)
    assert match.position.rolls == ((3, 4), (3, 4))


def test_the_order_of_play_decides_who_is_next() -> None:
    match = seated(OBLIGING, {0: 2, 1: 6, 2: 1, 3: 4}).roll(dict.fromkeys(range(4), (2, 3, 4, 5, 6)))
    turns = [match.position.turn]
    for quantity in (1, 2, 3, 4):
        turn = match.position.turn
        assert turn is not None
        match = match.play(turn, Bid(quantity, 3))
        turns.append(match.position.turn)
    assert turns == [1, 3, 0, 2, 1]


def test_a_house_may_roll_for_the_opener_alone() -> None:
    position = seated(ROLL_OPENER, {0: 2, 1: 6, 2: 2, 3: 4}).position
    assert (position.phase, position.first, position.order) == (Phase.ROLLING, 1, (0, 1, 2, 3))


def test_then_only_the_highest_roll_again() -> None:
    assert seated(ROLL_OPENER, {0: 2, 1: 6, 2: 6, 3: 2}).position.rolling == (1, 2)


@pytest.mark.parametrize(("seats", "first"), [(1, 0), (9, 0), (3, 3), (3, -1)])
def test_a_table_that_can_not_be_is_refused(seats: int, first: int) -> None:
    with pytest.raises(ValueError, match=r"players|seats"):
        Match.start(PERUDO, seats, first)


# A void round


def test_a_void_round_is_rolled_again_by_the_same_opener(put: Put) -> None:
    match = put(PALO_FIJO, [3, 5, 5], bid=Bid(2, 3), by=1, first=1).play(2, PASS).void()
    position = match.position
    assert (position.phase, position.first, position.number) == (Phase.ROLLING, 1, 1)
    assert (position.turn, position.standing, position.bidder, position.passer, position.passed) == (
        *(None,) * 4,
        (),
    )
    assert position.rolling == (0, 1, 2)


def test_a_void_special_round_stays_special(put: Put) -> None:
    position = put(KILL_SPOT, [1, 5, 5], kind=RoundKind.BLIND, owner=0).void().position
    assert (position.kind, position.owner) == (RoundKind.BLIND, 0)


def test_no_dice_are_under_the_cups_of_a_void_round(put: Put) -> None:
    match = put(PERUDO, [5, 5]).void()
    assert match.view(0).visible == ()
    assert match == Match(match.position)


@pytest.mark.parametrize("match", [Match.start(PERUDO, 2), Match.start(OBLIGING, 2)], ids=str)
def test_only_a_round_under_way_can_be_void(match: Match) -> None:
    assert match.void() == match


# Leaving for good


def test_who_leaves_is_out_and_the_round_is_rolled_again(put: Put) -> None:
    position = put(PERUDO, [5, 3, 4], bid=Bid(2, 3)).leave(1).position
    assert (position.phase, position.dice, position.rolling) == (Phase.ROLLING, (5, 0, 4), (0, 2))
    assert position.standing is None


def test_the_starting_dice_stay_what_they_were(put: Put) -> None:
    assert put(PERUDO, [5, 3, 4]).leave(1).position.starting_dice == 15


def test_where_the_opener_leaves_the_next_living_opens(put: Put) -> None:
    assert put(PERUDO, [5, 5, 0, 4], first=1).leave(1).position.first == 3


def test_where_one_is_left_that_one_has_won(put: Put) -> None:
    position = put(PERUDO, [5, 0, 4]).leave(0).position
    assert (position.phase, position.winner) == (Phase.OVER, 2)


def test_a_special_round_goes_with_its_owner(put: Put) -> None:
    position = put(KILL_SPOT, [1, 5, 5], kind=RoundKind.OPEN, owner=0, used=(0,)).leave(0).position
    assert (position.kind, position.owner, position.first) == (RoundKind.NORMAL, None, 1)


def test_a_special_round_stays_when_somebody_else_leaves(put: Put) -> None:
    position = put(KILL_SPOT, [1, 5, 5], kind=RoundKind.OPEN, owner=0, used=(0,)).leave(2).position
    assert (position.kind, position.owner, position.first) == (RoundKind.OPEN, 0, 0)


def choosing(put: Put) -> Match:
    return put(KILL_SPOT, [2, 5, 5, 5], bid=Bid(30, 6)).play(1, DUDO)


def test_an_owner_who_leaves_before_choosing_leaves_a_normal_round(put: Put) -> None:
    position = choosing(put).leave(0).position
    assert (position.phase, position.kind, position.owner, position.first) == (
        Phase.ROLLING,
        RoundKind.NORMAL,
        None,
        1,
    )


def test_the_owner_still_chooses_when_somebody_else_leaves(put: Put) -> None:
    match = choosing(put).leave(2)
    assert match.position.phase is Phase.CHOOSING
    assert match.play(0, RoundKind.BLIND).position.rolling == (0, 1, 3)


def test_who_leaves_while_cups_are_shaken_is_not_waited_for() -> None:
    assert Match.start(PERUDO, 3).leave(1).position.rolling == (0, 2)


def test_who_leaves_before_the_roll_for_order_is_not_waited_for() -> None:
    match = Match.start(OBLIGING, 3).leave(1)
    assert (match.position.phase, match.position.rolling) == (Phase.SEATING, (0, 2))
    assert match.roll({0: (3,), 2: (5,)}).position.order == (2, 0, 1)


def test_a_tie_ends_when_one_of_two_leaves() -> None:
    position = seated(OBLIGING, {0: 2, 1: 6, 2: 2}).leave(2).position
    assert (position.phase, position.order, position.first, position.rolling) == (
        Phase.ROLLING,
        (1, 0, 2),
        1,
        (1, 0),
    )


def test_a_tie_goes_on_when_a_third_leaves() -> None:
    position = seated(OBLIGING, {0: 2, 1: 6, 2: 2}).leave(1).position
    assert (position.phase, position.rolling) == (Phase.SEATING, (0, 2))


def test_nobody_leaves_twice_or_after_the_end(put: Put) -> None:
    once = put(PERUDO, [5, 5, 5]).leave(1)
    assert once.leave(1) == once
    over = once.leave(0)
    assert over.leave(2) == over


@pytest.mark.parametrize("rules", [KILL_SPOT, PERUDO], ids=str)
def test_a_special_round_forgone_before_it_begins_is_a_normal_one(rules: Rules, put: Put) -> None:
    due = put(rules, [2, 5, 5], bid=Bid(30, 6)).play(1, DUDO)
    assert due.position.owner == 0
    position = due.forgo().position
    assert (position.phase, position.kind, position.owner, position.first) == (
        Phase.ROLLING,
        RoundKind.NORMAL,
        None,
        0,
    )


def test_a_round_under_way_or_a_normal_one_is_not_forgone(put: Put) -> None:
    for match in (put(KILL_SPOT, [1, 5], kind=RoundKind.BLIND, owner=0), Match.start(PERUDO, 2)):
        assert match.forgo() == match


def test_a_seat_that_is_out_leaves_a_round_under_way_as_it_is(put: Put) -> None:
    match = put(PERUDO, [5, 0, 5])
    assert match.leave(1) == match


def test_banked_lives_go_with_their_seat(put: Put) -> None:
    rules = replace(KILL_SPOT, banked_lives=True)
    assert put(rules, [5, 5, 5], banked=(1, 2, 0)).leave(1).position.banked == (1, 0, 0)
