"""The rows of the rule sets, one fact a test."""

import ast
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

import engine
from engine import (
    BOXED,
    CALZA,
    DUDO,
    KILL,
    KILL_SPOT,
    OBLIGING,
    PALO_FIJO,
    PASS,
    PERUDO,
    PYRUDO,
    RULESETS,
    SPOT,
    Action,
    Bid,
    Call,
    ExactCall,
    Match,
    PassRule,
    Phase,
    RoundKind,
    Rules,
    parse_action,
)

Put = Callable[..., Match]
EVERY = pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
WITH_WILDS = pytest.mark.parametrize("rules", [PYRUDO, OBLIGING, PERUDO, PALO_FIJO, BOXED], ids=str)
ANYONE = [(KILL_SPOT, DUDO), (KILL_SPOT, KILL), (KILL_SPOT, SPOT), (PERUDO, CALZA)]
SHOWN = (2, 2, 3, 3, 3)


def bids(text: str) -> list[Action]:
    return [parse_action(word) for word in text.split()]


# Raising


@pytest.mark.parametrize(
    ("rules", "legal", "illegal"),
    [
        (KILL_SPOT, "5x3 40x3 1x4 4x4 9x6", "4x3 3x3 9x2 9x1"),
        (PYRUDO, "5x3 9x3 4x4 4x6 2x1 3x1 9x1", "4x3 3x4 5x4 5x2 1x1"),
        (OBLIGING, "5x3 4x4 5x4 9x6 2x1 3x1", "4x3 3x4 4x2 9x2 1x1"),
        (PERUDO, "5x3 9x3 4x4 4x6 2x1 3x1", "4x3 3x4 5x4 5x2 1x1"),
        (PALO_FIJO, "5x3 5x2 9x2 4x4 5x4 2x1", "4x3 3x4 4x2 1x1"),
        (BOXED, "5x3 5x2 9x2 4x4 5x4 2x1", "4x3 3x4 4x2 1x1"),
    ],
    ids=str,
)
def test_what_may_be_bid_over_four_threes(rules: Rules, legal: str, illegal: str, put: Put) -> None:
    allowed = put(rules, [5, 5, 5], bid=Bid(4, 3)).legal(1)
    assert all(bid in allowed for bid in bids(legal))
    assert not any(bid in allowed for bid in bids(illegal))


@WITH_WILDS
@pytest.mark.parametrize(("quantity", "half"), [(1, 1), (2, 1), (3, 2), (9, 5), (10, 5)])
def test_going_to_aces_takes_half_rounded_up(rules: Rules, quantity: int, half: int, put: Put) -> None:
    allowed = put(rules, [5, 5, 5], bid=Bid(quantity, 6)).legal(1)
    assert min(bid.quantity for bid in allowed if isinstance(bid, Bid) and bid.face == 1) == half


@WITH_WILDS
@pytest.mark.parametrize("face", [2, 6])
def test_leaving_aces_takes_twice_and_one(rules: Rules, face: int, put: Put) -> None:
    allowed = put(rules, [5, 5, 5], bid=Bid(3, 1)).legal(1)
    assert Bid(7, face) in allowed
    assert Bid(8, face) in allowed
    assert Bid(6, face) not in allowed


@EVERY
def test_more_aces_go_over_aces(rules: Rules, put: Put) -> None:
    allowed = put(rules, [5, 5, 5], bid=Bid(3, 1)).legal(1)
    assert Bid(4, 1) in allowed
    assert Bid(3, 1) not in allowed


@EVERY
def test_more_dice_than_are_on_the_table_may_be_bid(rules: Rules, put: Put) -> None:
    assert Bid(999_999, 6) in put(rules, [1, 1], bid=Bid(999_998, 6)).legal(1)


@EVERY
def test_a_quantity_of_a_hundred_digits_is_legal_as_text(rules: Rules, put: Put) -> None:
    assert parse_action("1" + "0" * 100 + "x6") in put(rules, [1, 1], bid=Bid(10**100 - 1, 6)).legal(1)


@EVERY
def test_a_list_of_bids_stops_at_the_dice_in_play(rules: Rules, put: Put) -> None:
    listed = [bid for bid in put(rules, [2, 1]).legal(0) if isinstance(bid, Bid)]
    assert {bid.quantity for bid in listed} == {1, 2, 3}


# Opening


@pytest.mark.parametrize(
    ("rules", "one_die", "more"),
    [
        (KILL_SPOT, True, True),
        (PYRUDO, True, True),
        (OBLIGING, False, False),
        (PERUDO, True, True),
        (PALO_FIJO, True, False),
    ],
    ids=str,
)
@pytest.mark.parametrize("special", [False, True])
def test_who_may_open_on_aces(rules: Rules, one_die: bool, more: bool, special: bool, put: Put) -> None:
    kind = rules.special[0] if special else RoundKind.NORMAL
    assert (Bid(1, 1) in put(rules, [1, 5], kind=kind).legal(0)) is one_die
    assert (Bid(1, 1) in put(rules, [2, 5], kind=kind).legal(0)) is more


@pytest.mark.parametrize("dice", [1, 2])
def test_boxed_opens_on_aces_in_a_palifico_round_alone(dice: int, put: Put) -> None:
    kind = RoundKind.FIXED_FACE_NO_WILDS
    assert Bid(1, 1) not in put(BOXED, [dice, 5]).legal(0)
    assert Bid(1, 1) in put(BOXED, [dice, 5], kind=kind).legal(0)


@EVERY
@pytest.mark.parametrize("action", [*Call, PASS], ids=str)
def test_nothing_but_a_bid_opens(rules: Rules, action: Action, put: Put) -> None:
    assert action not in put(rules, [5, 5]).legal(0)


@EVERY
def test_only_fixed_faces_under_which_everybody_sees_the_own_dice_have_a_name_by_the_rules(rules: Rules) -> None:
    named = {RoundKind.FIXED_FACE, RoundKind.FIXED_FACE_NO_WILDS}
    assert {kind for kind in RoundKind if rules.called_like(kind) is not kind} < named
    assert {rules.called_like(kind) for kind in named} == {
        RoundKind.FIXED_FACE_NO_WILDS if rules is OBLIGING else RoundKind.FIXED_FACE
    }


def test_where_the_owner_may_choose_both_fixed_faces_they_have_different_names() -> None:
    kinds = (RoundKind.FIXED_FACE, RoundKind.FIXED_FACE_NO_WILDS)
    rules = replace(BOXED, special=kinds)
    assert tuple(map(rules.called_like, kinds)) == kinds


# Who may call


@pytest.mark.parametrize(("rules", "call"), ANYONE, ids=str)
def test_anybody_but_the_bidder_may_make_some_calls_at_any_moment(rules: Rules, call: Call, put: Put) -> None:
    match = put(rules, [5, 5, 0, 5], bid=Bid(4, 3))
    assert [seat for seat in range(4) if call in match.legal(seat)] == [1, 3]


@pytest.mark.parametrize(
    ("rules", "call"),
    [
        *((rules, DUDO) for rules in (PYRUDO, OBLIGING, PERUDO, PALO_FIJO, BOXED)),
        *((rules, CALZA) for rules in (PYRUDO, OBLIGING, PALO_FIJO)),
    ],
    ids=str,
)
def test_other_calls_are_for_the_seat_in_turn(rules: Rules, call: Call, put: Put) -> None:
    match = put(rules, [5, 5, 0, 5], bid=Bid(4, 3))
    assert [seat for seat in range(4) if call in match.legal(seat)] == [1]


def test_boxed_has_calza_for_those_out_of_turn(put: Put) -> None:
    match = put(BOXED, [5, 5, 0, 5, 5], bid=Bid(4, 3))
    assert [seat for seat in range(5) if CALZA in match.legal(seat)] == [3, 4]


def test_boxed_has_no_calza_in_a_palifico_round(put: Put) -> None:
    match = put(BOXED, [1, 5, 5], bid=Bid(4, 3), kind=RoundKind.FIXED_FACE_NO_WILDS, owner=0)
    assert not any(CALZA in match.legal(seat) for seat in range(3))


@pytest.mark.parametrize(
    ("rules", "calls"),
    [
        (KILL_SPOT, {DUDO, KILL, SPOT}),
        (PYRUDO, {DUDO, CALZA}),
        (OBLIGING, {DUDO, CALZA}),
        (PERUDO, {DUDO, CALZA}),
        (PALO_FIJO, {DUDO, CALZA, PASS}),
        (BOXED, {DUDO}),
    ],
    ids=["kill-spot", "pyrudo", "obliging", "perudo", "palo-fijo", "boxed"],
)
def test_the_words_of_each_rule_set(rules: Rules, calls: set[Action], put: Put) -> None:
    allowed = put(rules, [5, 5], bid=Bid(4, 3)).legal(1)
    assert {action for action in allowed if not isinstance(action, Bid)} == calls


@pytest.mark.parametrize(
    ("starting", "left", "allowed"),
    [(20, 11, True), (20, 10, False), (25, 13, True), (25, 12, False), (15, 8, True), (15, 7, False)],
)
def test_palo_fijo_has_calza_while_more_than_half_the_dice_are_left(
    starting: int, left: int, allowed: bool, put: Put
) -> None:
    match = put(PALO_FIJO, [5, 1, left - 6 if left < 12 else 5, max(0, left - 11)], bid=Bid(2, 3), starting=starting)
    assert match.position.in_play == left
    assert (CALZA in match.legal(1)) is allowed


# Counting


@WITH_WILDS
def test_aces_count_for_another_face(rules: Rules, put: Put) -> None:
    assert shown(put(rules, [(1, 3, 4), (1, 2, 3)], bid=Bid(4, 3)).play(1, DUDO)) == 4


@EVERY
def test_a_bid_on_aces_counts_aces_alone(rules: Rules, put: Put) -> None:
    assert shown(put(rules, [(1, 3, 4), (1, 2, 3)], bid=Bid(4, 1)).play(1, DUDO)) == 2


def test_kill_spot_has_no_wild_aces(put: Put) -> None:
    assert shown(put(KILL_SPOT, [(1, 3, 4), (1, 2, 3)], bid=Bid(4, 3)).play(1, DUDO)) == 2


@pytest.mark.parametrize(
    ("rules", "count"), [(PYRUDO, 4), (PERUDO, 4), (OBLIGING, 2), (PALO_FIJO, 2), (KILL_SPOT, 2), (BOXED, 2)], ids=str
)
def test_aces_in_a_special_round(rules: Rules, count: int, put: Put) -> None:
    match = put(rules, [(1, 3, 4), (1, 2, 3)], bid=Bid(4, 3), kind=rules.special[0], owner=0)
    assert shown(match.play(1, DUDO)) == count


def shown(match: Match) -> int | None:
    assert match.position.showdown is not None
    return match.position.showdown.matching


# What a call costs: three twos and three threes lie; seat 1 bids, seat 2 calls


def called(put: Put, rules: Rules, call: Call, quantity: int, **more: Any) -> Match:
    match = put(rules, [(2, 2), (2, 3), (3, 3), (5, 6)], bid=Bid(quantity, 3), by=1, first=0, **more)
    return match.play(2, call)


def change(match: Match) -> dict[int, int]:
    assert match.position.showdown is not None
    return {seat: dice for seat, dice in enumerate(match.position.showdown.change) if dice}


@EVERY
def test_a_doubted_bid_that_does_not_hold_costs_its_bidder_a_die(rules: Rules, put: Put) -> None:
    assert change(called(put, rules, DUDO, 4)) == {1: -1}


@EVERY
@pytest.mark.parametrize("quantity", [2, 3])
def test_a_doubted_bid_that_holds_costs_the_doubter_a_die(rules: Rules, quantity: int, put: Put) -> None:
    assert change(called(put, rules, DUDO, quantity)) == {2: -1}


@pytest.mark.parametrize(
    ("rules", "call", "expected"),
    [
        (KILL_SPOT, KILL, {1: -1}),
        (KILL_SPOT, SPOT, {2: 1}),
        (PYRUDO, CALZA, {2: 1}),
        (OBLIGING, CALZA, {}),
        (PERUDO, CALZA, {2: 1}),
        (PALO_FIJO, CALZA, {2: 1}),
    ],
    ids=str,
)
def test_a_right_exact_call(rules: Rules, call: Call, expected: dict[int, int], put: Put) -> None:
    assert change(called(put, rules, call, 3, starting=15)) == expected


@pytest.mark.parametrize("quantity", [2, 4])
@pytest.mark.parametrize(
    ("rules", "call", "expected"),
    [
        (KILL_SPOT, KILL, {2: -1}),
        (KILL_SPOT, SPOT, {1: 1}),
        (PYRUDO, CALZA, {2: -1}),
        (OBLIGING, CALZA, {2: -1}),
        (PERUDO, CALZA, {2: -1}),
        (PALO_FIJO, CALZA, {2: -1}),
    ],
    ids=str,
)
def test_a_wrong_exact_call(rules: Rules, call: Call, expected: dict[int, int], quantity: int, put: Put) -> None:
    assert change(called(put, rules, call, quantity, starting=15)) == expected


@pytest.mark.parametrize(("rules", "call"), [(KILL_SPOT, SPOT), (PYRUDO, CALZA), (PERUDO, CALZA)], ids=str)
def test_nobody_holds_more_than_five_dice(rules: Rules, call: Call, put: Put) -> None:
    match = put(rules, [SHOWN, (2, 4, 5, 6, 6)], bid=Bid(3, 2)).play(1, call)
    assert match.position.dice == (5, 5)
    assert change(match) == {}


@pytest.mark.parametrize("dice", [2, 3, 4])
def test_a_right_call_wins_no_die_beyond_the_starting_dice(dice: int, put: Put) -> None:
    rules = replace(PERUDO, starting_dice=dice)
    full = put(rules, [(2,), (2,) * dice], bid=Bid(1 + dice, 2)).play(1, CALZA)
    assert full.position.dice == (1, dice)
    fewer = put(rules, [(2,), (2,) * (dice - 1)], bid=Bid(dice, 2)).play(1, CALZA)
    assert fewer.position.dice == (1, dice)


@pytest.mark.parametrize(("quantity", "dice"), [(3, (2, 2, 3, 2)), (4, (2, 2, 1, 2)), (2, (2, 2, 1, 2))])
def test_a_calza_of_boxed_moves_a_die_of_its_caller(quantity: int, dice: tuple[int, ...], put: Put) -> None:
    match = put(BOXED, [(2, 2), (2, 3), (3, 3), (5, 6)], bid=Bid(quantity, 3), by=0).play(2, CALZA)
    assert match.position.dice == dice
    assert match.position.first == 2


# Who opens the next round


@EVERY
@pytest.mark.parametrize(("quantity", "loser"), [(4, 1), (3, 2)])
def test_who_lost_a_die_opens_the_next_round(rules: Rules, quantity: int, loser: int, put: Put) -> None:
    match = put(rules, [(2,) * 3, (2, 3, 2), (3, 3, 2)], bid=Bid(quantity, 3), by=1)
    assert match.play(2, DUDO).position.first == loser


@pytest.mark.parametrize(
    ("rules", "call", "right", "wrong"),
    [
        (KILL_SPOT, KILL, 1, 2),
        (KILL_SPOT, SPOT, 1, 2),
        (PYRUDO, CALZA, 2, 2),
        (OBLIGING, CALZA, 1, 2),
        (PERUDO, CALZA, 2, 2),
        (PALO_FIJO, CALZA, 2, 2),
    ],
    ids=str,
)
def test_who_opens_after_an_exact_call(rules: Rules, call: Call, right: int, wrong: int, put: Put) -> None:
    assert called(put, rules, call, 3, starting=15).position.first == right
    assert called(put, rules, call, 2, starting=15).position.first == wrong


@EVERY
def test_where_the_opener_is_out_the_next_living_player_opens(rules: Rules, put: Put) -> None:
    match = put(rules, [3, (2,), 0, 3], bid=Bid(9, 6), by=1)
    match = match.play(3, DUDO)
    assert match.position.showdown is not None
    assert match.position.showdown.out == (1,)
    assert match.position.first == 3


@pytest.mark.parametrize(("rules", "call"), ANYONE, ids=str)
def test_a_call_out_of_turn_takes_the_interrupted_turn(rules: Rules, call: Call, put: Put) -> None:
    match = put(rules, [(2, 2), (2, 2), (3, 3)], bid=Bid(1, 3)).play(2, call)
    assert match.position.turn is None
    assert match.position.first == 2


@EVERY
def test_the_last_player_with_dice_wins(rules: Rules, put: Put) -> None:
    position = put(rules, [(2,), (3, 3)], bid=Bid(3, 3)).play(1, DUDO).position
    assert position.phase is Phase.OVER
    assert position.winner == 1
    assert position.first is None


# Special rounds


def fallen(put: Put, rules: Rules, others: tuple[int, ...] = (3, 3), used: tuple[int, ...] = ()) -> Match:
    """Seat 0 has just fallen from two dice to one."""
    return put(rules, [(2, 2), *others], bid=Bid(30, 6), used=used).play(1, DUDO)


@pytest.mark.parametrize("rules", [PYRUDO, OBLIGING, PERUDO, BOXED], ids=str)
def test_a_special_round_with_no_choice_is_the_very_next(rules: Rules, put: Put) -> None:
    position = fallen(put, rules).position
    assert (position.phase, position.kind, position.owner) == (Phase.ROLLING, rules.special[0], 0)


@pytest.mark.parametrize(
    ("rules", "choices"),
    [
        (KILL_SPOT, (RoundKind.BLIND, RoundKind.OPEN, RoundKind.NORMAL)),
        (PALO_FIJO, (RoundKind.FIXED_FACE_NO_WILDS_OPEN, RoundKind.FIXED_FACE_NO_WILDS_CLOSED)),
    ],
    ids=str,
)
def test_the_owner_chooses_before_the_cups_are_shaken(rules: Rules, choices: tuple[RoundKind, ...], put: Put) -> None:
    match = fallen(put, rules)
    assert match.position.phase is Phase.CHOOSING
    assert tuple(match.legal(0)) == choices
    assert not match.legal(1)


@pytest.mark.parametrize(
    ("rules", "kind"), [(rules, kind) for rules in (KILL_SPOT, PALO_FIJO) for kind in rules.special], ids=str
)
def test_the_chosen_round_is_opened_by_its_owner(rules: Rules, kind: RoundKind, put: Put) -> None:
    position = fallen(put, rules).play(0, kind).position
    assert (position.phase, position.kind, position.owner, position.first) == (Phase.ROLLING, kind, 0, 0)


def test_a_waived_special_round_is_used_up(put: Put) -> None:
    position = fallen(put, KILL_SPOT).play(0, RoundKind.NORMAL).position
    assert (position.kind, position.owner, position.first, position.special_used) == (RoundKind.NORMAL, None, 0, (0,))


@pytest.mark.parametrize("rules", [KILL_SPOT, PYRUDO, OBLIGING, PALO_FIJO, BOXED], ids=str)
def test_a_special_round_comes_once_a_player(rules: Rules, put: Put) -> None:
    position = fallen(put, rules, used=(0,)).position
    assert (position.phase, position.kind, position.owner) == (Phase.ROLLING, RoundKind.NORMAL, None)


def test_perudo_has_palifico_at_every_fall_to_one_die(put: Put) -> None:
    position = fallen(put, PERUDO, used=(0,)).position
    assert (position.kind, position.owner) == (RoundKind.FIXED_FACE, 0)


def test_perudo_never_uses_a_palifico_up(put: Put) -> None:
    assert fallen(put, PERUDO).position.special_used == ()


@pytest.mark.parametrize(
    ("rules", "special"),
    [(KILL_SPOT, True), (PYRUDO, True), (OBLIGING, False), (PERUDO, False), (PALO_FIJO, True), (BOXED, False)],
    ids=str,
)
@pytest.mark.parametrize("others", [(3,), (3, 0)])
def test_a_special_round_with_two_players_left(rules: Rules, special: bool, others: tuple[int, ...], put: Put) -> None:
    assert (fallen(put, rules, others).position.owner == 0) is special


@EVERY
def test_a_doubter_who_falls_to_one_die_earns_a_special_round_too(rules: Rules, put: Put) -> None:
    match = put(rules, [3, 3, (4, 4)], bid=Bid(1, 3), by=1).play(2, DUDO)
    assert match.position.owner == 2
    assert match.position.first == 2


@pytest.mark.parametrize("rules", [PYRUDO, OBLIGING, PERUDO], ids=str)
@pytest.mark.parametrize("call", [DUDO, CALZA], ids=str)
def test_a_special_round_lasts_one_round_whatever_its_outcome(rules: Rules, call: Call, put: Put) -> None:
    match = put(rules, [(3,), (3, 3, 3), 3], bid=Bid(7, 3), kind=rules.special[0], owner=0, used=(0,))
    assert match.play(1, call).position.kind is RoundKind.NORMAL


@pytest.mark.parametrize("rules", [PYRUDO, PERUDO], ids=str)
@pytest.mark.parametrize("dice", [1, 3])
def test_nobody_changes_the_face_in_palifico(rules: Rules, dice: int, put: Put) -> None:
    allowed = put(rules, [1, dice, 3], bid=Bid(2, 4), kind=RoundKind.FIXED_FACE, owner=0).legal(1)
    assert {bid.face for bid in allowed if isinstance(bid, Bid)} == {4}
    assert Bid(9, 4) in allowed


@pytest.mark.parametrize(
    ("rules", "one_die"),
    [(OBLIGING, "3x4 2x5 3x6"), (PALO_FIJO, "3x4 2x5 3x6 3x1 3x2"), (BOXED, "3x4 2x5 3x6 3x1 3x2")],
    ids=str,
)
def test_a_single_die_may_change_the_face_by_an_ordinary_raise(rules: Rules, one_die: str, put: Put) -> None:
    kind = rules.special[0]
    single = put(rules, [1, 1, 3], bid=Bid(2, 4), kind=kind, owner=0).legal(1)
    several = put(rules, [1, 2, 3], bid=Bid(2, 4), kind=kind, owner=0).legal(1)
    assert all(bid in single for bid in bids(one_die))
    assert not any(bid in single for bid in bids("1x1 2x1 2x3 2x4"))
    assert {bid.face for bid in several if isinstance(bid, Bid)} == {4}


@pytest.mark.parametrize("rules", [OBLIGING, PALO_FIJO, BOXED], ids=str)
def test_aces_that_are_not_wild_are_the_lowest_face(rules: Rules, put: Put) -> None:
    allowed = put(rules, [1, 1, 3], bid=Bid(2, 1), kind=rules.special[0], owner=0).legal(1)
    assert Bid(2, 2) in allowed
    assert Bid(3, 1) in allowed


@pytest.mark.parametrize("kind", [RoundKind.BLIND, RoundKind.OPEN])
def test_bidding_is_normal_in_blind_and_open_rounds(kind: RoundKind, put: Put) -> None:
    special = put(KILL_SPOT, [1, 3, 3], bid=Bid(2, 4), kind=kind, owner=0).legal(1)
    assert list(special) == list(put(KILL_SPOT, [1, 3, 3], bid=Bid(2, 4)).legal(1))


def test_an_obliging_round_that_a_calza_cancels_is_followed_by_a_normal_one(put: Put) -> None:
    kind = RoundKind.FIXED_FACE_NO_WILDS
    position = put(OBLIGING, [(3,), (2, 3), 2], bid=Bid(4, 3), kind=kind, owner=0).play(1, CALZA).position
    assert (position.kind, position.owner, position.first) == (RoundKind.NORMAL, None, 0)


# Passing

HONEST = [(2, 2, 5, 5, 5), (4, 4, 4, 4, 4), (1, 2, 3, 4, 5), (2, 3, 4, 5, 6), (1, 1, 6, 6, 6), (1, 1, 1, 1, 1)]
BLUFF = [(2, 2, 5, 5, 6), (4, 4, 4, 4, 3), (1, 1, 2, 3, 4), (1, 3, 3, 2, 2), (1, 5, 5, 5, 5), (2, 2, 2), (1, 2, 3, 4)]


def passed(put: Put, hand: tuple[int, ...], **more: Any) -> Match:
    return put(PALO_FIJO, [SHOWN, hand, SHOWN], bid=Bid(3, 2), **more).play(1, PASS)


@pytest.mark.parametrize("hand", HONEST, ids=str)
def test_who_doubts_an_honest_pass_loses_a_die_and_opens(hand: tuple[int, ...], put: Put) -> None:
    match = passed(put, hand).play(2, DUDO)
    assert change(match) == {2: -1}
    assert match.position.first == 2
    assert shown(match) is None


@pytest.mark.parametrize("hand", BLUFF, ids=str)
def test_a_bluffed_pass_that_is_doubted_costs_its_player_a_die(hand: tuple[int, ...], put: Put) -> None:
    match = passed(put, hand).play(2, DUDO)
    assert change(match) == {1: -1}
    assert match.position.first == 1


def test_a_pass_leaves_the_bid_to_be_raised(put: Put) -> None:
    match = passed(put, SHOWN)
    assert match.position.standing == Bid(3, 2)
    assert Bid(3, 3) in match.legal(2)
    assert Bid(3, 2) not in match.legal(2)


def test_after_a_pass_there_is_no_calza(put: Put) -> None:
    assert CALZA not in passed(put, SHOWN).legal(2)


def test_two_players_do_not_pass_in_a_row(put: Put) -> None:
    assert PASS not in passed(put, SHOWN).legal(2)


def test_a_pass_is_past_after_another_bid(put: Put) -> None:
    match = passed(put, SHOWN).play(2, Bid(7, 3))
    assert match.position.passer is None
    assert {CALZA, DUDO, PASS} <= {*match.legal(0)}
    assert shown(match.play(0, DUDO)) == 9


def test_nobody_passes_twice_in_a_round(put: Put) -> None:
    match = passed(put, SHOWN).play(2, Bid(4, 3)).play(0, Bid(5, 3))
    assert PASS not in match.legal(1)


def test_one_may_pass_again_in_the_next_round(put: Put) -> None:
    position = passed(put, SHOWN).play(2, DUDO).position
    assert position.passed == ()


def test_with_two_players_left_the_bidder_may_raise_the_own_bid_or_doubt_the_pass(put: Put) -> None:
    match = put(PALO_FIJO, [SHOWN, SHOWN], bid=Bid(3, 2)).play(1, PASS)
    assert match.position.turn == 0
    assert Bid(4, 2) in match.legal(0)
    assert {action for action in match.legal(0) if not isinstance(action, Bid)} == {DUDO}


def test_the_passer_does_not_doubt_the_own_pass(put: Put) -> None:
    match = put(PALO_FIJO, [SHOWN, SHOWN], bid=Bid(3, 2)).play(1, PASS)
    assert not match.legal(1)


@pytest.mark.parametrize("kind", PALO_FIJO.special, ids=str)
def test_one_may_pass_in_a_special_round_too(kind: RoundKind, put: Put) -> None:
    assert PASS in put(PALO_FIJO, [1, 5, 5], bid=Bid(3, 2), kind=kind, owner=0).legal(1)


@pytest.mark.parametrize("rules", [rules for rules in RULESETS.values() if rules is not PALO_FIJO], ids=str)
def test_only_palo_fijo_has_a_pass(rules: Rules, put: Put) -> None:
    assert PASS not in put(rules, [5, 5, 5], bid=Bid(3, 2)).legal(1)


def test_a_doubted_pass_reveals_all_dice(put: Put) -> None:
    showdown = passed(put, (2, 2, 2)).play(2, DUDO).position.showdown
    assert showdown is not None
    assert showdown.hands == (SHOWN, (2, 2, 2), SHOWN)
    assert showdown.was_pass
    assert showdown.doubted == 1


def test_every_field_of_the_rules_is_read() -> None:
    folder = Path(engine.__file__).parent
    modules = [*folder.glob("*.py"), *(folder.parent / "firmware_host" / "table").rglob("*.py")]
    nodes = (node for module in modules for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))))
    read = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    unread = [field.name for kind in (Rules, ExactCall, PassRule) for field in fields(kind) if field.name not in read]
    assert unread == [], f"no code reads {', '.join(unread)}"
