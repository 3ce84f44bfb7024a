"""Why an action is refused: the reason code of each way to go wrong."""

from collections.abc import Callable
from dataclasses import replace

import pytest

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
    SPOT,
    Action,
    ActionTextError,
    Bid,
    DudoError,
    Match,
    PassRule,
    Reason,
    RoundKind,
    Rules,
    parse_action,
)
from firmware_host.configuration.rules.custom import parse

Put = Callable[..., Match]


def why(match: Match, seat: int, action: Action) -> Reason:
    with pytest.raises(DudoError) as error:
        match.play(seat, action)
    return error.value.reason


@pytest.mark.parametrize(
    ("rules", "bid", "reason"),
    [
        (PERUDO, "0x4", Reason.NO_DICE),
        (PERUDO, "3x0", Reason.NO_SUCH_FACE),
        (PERUDO, "3x7", Reason.NO_SUCH_FACE),
        (PERUDO, "4x4", Reason.TOO_FEW),
        (PERUDO, "3x5", Reason.TOO_FEW),
        (PERUDO, "5x5", Reason.TOO_MANY),
        (PERUDO, "9x3", Reason.LOWER_FACE),
        (PALO_FIJO, "4x3", Reason.TOO_FEW),
        (OBLIGING, "1x1", Reason.HALF),
        (replace(PERUDO, to_aces="half"), "3x1", Reason.TOO_MANY),
        (replace(PALO_FIJO, cap="dice-in-play"), "16x4", Reason.OVER_THE_TABLE),
        (replace(PALO_FIJO, cap="dice-in-play"), "15x7", Reason.NO_SUCH_FACE),
    ],
    ids=str,
)
def test_a_bid_over_four_fours(rules: Rules, bid: str, reason: Reason, put: Put) -> None:
    assert why(put(rules, [5, 5, 5], bid=Bid(4, 4)), 1, parse_action(bid)) is reason


@pytest.mark.parametrize("cap", ["none", "dice-in-play"])
@pytest.mark.parametrize(("bid", "reason"), [("4x5", Reason.DOUBLE), ("2x1", Reason.TOO_FEW)])
def test_a_bid_over_two_aces(bid: str, reason: Reason, cap: str, put: Put) -> None:
    rules = parse(f'based_on = "perudo"\ncap = "{cap}"')
    assert why(put(rules, [2, 2], bid=Bid(2, 1)), 1, parse_action(bid)) is reason


def test_an_opening_on_aces(put: Put) -> None:
    assert why(put(OBLIGING, [5, 5]), 0, Bid(1, 1)) is Reason.ACES_OPENING


@pytest.mark.parametrize(
    ("dice", "bid", "reason"),
    [(2, "3x5", Reason.FIXED_FACE), (1, "2x3", Reason.LOWER_FACE), (1, "1x5", Reason.TOO_FEW)],
)
def test_another_face_in_an_obliging_round(dice: int, bid: str, reason: Reason, put: Put) -> None:
    match = put(OBLIGING, [1, dice, 5], bid=Bid(2, 4), kind=RoundKind.FIXED_FACE_NO_WILDS, owner=0)
    assert why(match, 1, parse_action(bid)) is reason


@pytest.mark.parametrize(
    ("rules", "seat", "action", "reason"),
    [
        (PERUDO, 9, DUDO, Reason.NO_SEAT),
        (PERUDO, -1, DUDO, Reason.NO_SEAT),
        (PERUDO, 3, CALZA, Reason.OUT),
        (PERUDO, 0, CALZA, Reason.OWN_BID),
        (PERUDO, 0, DUDO, Reason.OWN_BID),
        (PERUDO, 2, DUDO, Reason.NOT_IN_TURN),
        (PERUDO, 2, Bid(9, 6), Reason.NOT_IN_TURN),
        (PERUDO, 2, KILL, Reason.NOT_IN_THESE_RULES),
        (PERUDO, 1, SPOT, Reason.NOT_IN_THESE_RULES),
        (PERUDO, 1, PASS, Reason.NOT_IN_THESE_RULES),
        (BOXED, 1, CALZA, Reason.IN_TURN),
        (BOXED, 0, CALZA, Reason.OWN_BID),
        (BOXED, 2, DUDO, Reason.NOT_IN_TURN),
        (PALO_FIJO, 2, PASS, Reason.NOT_IN_TURN),
        (PERUDO, 1, RoundKind.BLIND, Reason.NOTHING_TO_CHOOSE),
        (KILL_SPOT, 0, KILL, Reason.OWN_BID),
        (
            replace(PALO_FIJO, passing=PassRule(with_fewer_dice=False)),
            1,
            PASS,
            Reason.PASS_NEEDS_FIVE,
        ),
    ],
    ids=str,
)
def test_an_action_over_a_standing_bid_of_seat_0(
    rules: Rules, seat: int, action: Action, reason: Reason, put: Put
) -> None:
    assert why(put(rules, [4, 4, 4, 0], bid=Bid(4, 4)), seat, action) is reason


@pytest.mark.parametrize("action", [DUDO, CALZA, PASS], ids=str)
def test_nothing_can_be_called_before_a_bid(action: Action, put: Put) -> None:
    assert why(put(PALO_FIJO, [5, 5]), 0, action) is Reason.NO_BID_YET


@pytest.mark.parametrize(("seat", "reason"), [(1, Reason.IN_TURN), (2, Reason.NOT_IN_SPECIAL)])
def test_calza_in_a_palifico_round_of_boxed(seat: int, reason: Reason, put: Put) -> None:
    match = put(BOXED, [1, 5, 5], bid=Bid(2, 4), kind=RoundKind.FIXED_FACE_NO_WILDS, owner=0)
    assert why(match, seat, CALZA) is reason


def test_calza_late_in_the_match(put: Put) -> None:
    assert why(put(PALO_FIJO, [3, 2], bid=Bid(1, 2)), 1, CALZA) is Reason.TOO_FEW_DICE_LEFT


@pytest.mark.parametrize(
    ("seat", "action", "reason"),
    [
        (2, PASS, Reason.PASS_AFTER_PASS),
        (2, CALZA, Reason.PASS_STANDS),
        (1, DUDO, Reason.OWN_PASS),
        (0, DUDO, Reason.NOT_IN_TURN),
    ],
    ids=str,
)
def test_after_a_pass_of_seat_1(seat: int, action: Action, reason: Reason, put: Put) -> None:
    assert why(put(PALO_FIJO, [5, 5, 5], bid=Bid(4, 4)).play(1, PASS), seat, action) is reason


def test_a_second_pass(put: Put) -> None:
    match = put(PALO_FIJO, [5, 5], bid=Bid(4, 4)).play(1, PASS).play(0, Bid(5, 4))
    assert why(match, 1, PASS) is Reason.PASS_TWICE


def test_before_the_roll_nothing_is_said() -> None:
    assert why(Match.start(PERUDO, 2), 0, Bid(1, 2)) is Reason.NOT_ROLLED


@pytest.mark.parametrize(
    ("seat", "action", "reason"),
    [
        (0, Bid(1, 2), Reason.CHOICE_FIRST),
        (0, RoundKind.FIXED_FACE, Reason.NOT_A_CHOICE),
        (1, RoundKind.BLIND, Reason.NOT_THE_OWNER),
        (1, DUDO, Reason.NOT_THE_OWNER),
    ],
    ids=str,
)
def test_while_the_owner_chooses(seat: int, action: Action, reason: Reason, put: Put) -> None:
    assert why(put(KILL_SPOT, [2, 5, 5], bid=Bid(30, 6)).play(1, DUDO), seat, action) is reason


def test_after_the_end(put: Put) -> None:
    match = put(PYRUDO, [1, 5], bid=Bid(30, 6)).play(1, DUDO)
    assert why(match, 1, Bid(1, 2)) is Reason.MATCH_OVER


@pytest.mark.parametrize("text", ["", "five", "5 x3", "-1x3", "5x", "x3", "5x3 ", "٣x٤", "DUDO", "1" * 1001 + "x3"])
def test_text_that_is_no_action_is_quoted_with_the_position(text: str) -> None:
    with pytest.raises(ActionTextError) as error:
        parse_action(text, "the public line")
    assert (error.value.reason, error.value.position) == (Reason.NO_ACTION, "the public line")
    assert repr(text) in str(error.value)


@pytest.mark.parametrize("action", [Bid(5, 3), Bid(0, 7), *KILL_SPOT.choices, DUDO, PASS])
def test_an_action_reads_back_from_its_text(action: Action) -> None:
    assert parse_action(str(action)) == action


def test_the_public_line_tells_all_that_is_in_play(put: Put) -> None:
    match = put(PALO_FIJO, [1, 5, 5], bid=Bid(4, 4), kind=RoundKind.FIXED_FACE_NO_WILDS_OPEN, owner=0).play(1, PASS)
    assert str(match.position) == (
        "palo-fijo bidding round 1 fixed-face-no-wilds-open of 0 dice 0:1,1:5,2:5 of 15 first 0 turn 2"
        " bid 4x4 by 0 pass by 1 passed 1"
    )
