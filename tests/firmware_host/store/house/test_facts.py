"""What is remembered of one match: rounds, calls right and wrong, and the boldest bid that stood."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.engine.played_score import played

from engine import RULESETS, Bid, PlayedAction, parse_score
from firmware_host.store.house.facts import Bluff, facts_of

TWO_ROUNDS = """\
dudo score 1
rules: perudo
date: 2026-11-21
seat 0: Lima
seat 1: Quito
first: 0

1. 13356/22346 0:4x2 1:4x4 0:4x6 1:dudo
2. 1335/22346 0:2x3 1:calza
*
"""


def test_a_match_is_remembered_by_its_rounds_calls_and_bids() -> None:
    match = facts_of(parse_score(TWO_ROUNDS))
    lima, quito = match.players
    assert (match.day, match.rules, match.rounds, match.actions, match.winner) == ("2026-11-21", "perudo", 2, 6, None)
    assert (lima.name, lima.bids, lima.dudo_right, lima.dudo_wrong) == ("Lima", 3, 0, 0)
    assert (quito.name, quito.bids, quito.dudo_right, quito.exact_right, quito.exact_wrong) == ("Quito", 1, 1, 0, 1)


def test_a_bluff_is_a_bid_that_stood_and_not_the_one_that_was_called() -> None:
    lima, quito = facts_of(parse_score(TWO_ROUNDS)).players
    assert lima.bluff == Bluff(
        4, 2, matching=3
    )  # 4x2: two twos and an ace; there are three sixes too, but 4x6 was called
    assert quito.bluff == Bluff(4, 4, matching=2)
    assert quito.bluff.missing == 2


def test_two_players_of_one_name_are_told_apart() -> None:
    match = facts_of(parse_score(TWO_ROUNDS.replace("Quito", "Lima")))
    assert [player.name for player in match.players] == ["Lima", "Lima'"]


def test_a_name_that_was_entered_is_that_of_who_took_the_seat_over() -> None:
    score = parse_score(
        TWO_ROUNDS.replace("0:4x2 1:4x4", "0:4x2 0:handover 1:4x4").replace("0:2x3", "1:handover 0:2x3")
    )
    match = facts_of(score, {0: "ANA"})
    assert [(player.name, player.bids) for player in match.players] == [("ANA", 2), ("Quito'", 0)]
    assert [(player.name, player.bids) for player in match.former] == [("Lima", 1), ("Quito", 1)]


@pytest.mark.slow
@given(seed=st.integers(0, 1 << 32), rules=st.sampled_from(sorted(RULESETS)), seats=st.integers(2, 8))
def test_every_round_has_one_call_and_every_match_one_winner(seed: int, rules: str, seats: int) -> None:
    score = played(rules, seats, random.Random(seed))
    match = facts_of(score)
    actions = [entry for entry in score.entries if isinstance(entry, PlayedAction)]
    calls = sum(one.dudo_right + one.dudo_wrong + one.exact_right + one.exact_wrong for one in match.players)
    assert calls == match.rounds
    assert match.actions == len(actions)
    assert sum(one.bids for one in match.players) == sum(isinstance(entry.action, Bid) for entry in actions)
    assert [one.has_won for one in match.players].count(True) == (match.winner is not None)
    for one in match.players:
        assert one.bluff is None or 0 < one.bluff.missing <= one.bluff.quantity
