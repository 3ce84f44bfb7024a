"""Taking the last action back: in a match, in a score, and in the text of one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    CALZA,
    DUDO,
    KILL_SPOT,
    PALO_FIJO,
    PASS,
    PERUDO,
    Bid,
    Match,
    NotationError,
    Phase,
    Score,
    parse_score,
    write_score,
)
from engine.notation.score import DealtHands, Ruling, ScoreError, UnknownDiceError

DICE = {0: (1, 3, 3, 5, 6), 1: (2, 2, 3, 4, 6)}


def dealt() -> Match:
    return Match.start(PERUDO, 2).roll(DICE)


def written() -> Score:
    return Score(PERUDO, ("Lima", "Quito")).roll(DICE)


def test_an_undo_leads_to_the_match_before_the_bid_over_the_same_dice() -> None:
    before = dealt().play(0, Bid(2, 3))
    undone = before.play(1, Bid(3, 3)).undo()
    assert undone == before
    assert (undone.history, undone.view(0).own) == (before.history, before.view(0).own)


def test_every_bid_of_a_round_can_be_taken_back_one_after_the_other_but_not_the_roll() -> None:
    match = dealt().play(0, Bid(2, 3)).play(1, Bid(3, 3)).undo().undo()
    assert match == dealt()
    assert match.undo() is match


def test_the_bid_before_a_pass_that_is_taken_back_stands_again() -> None:
    before = Match.start(PALO_FIJO, 2).roll({0: (3,), 1: (5,)}).roll({0: (2,) * 5, 1: (3,) * 5}).play(1, Bid(2, 2))
    assert before.play(0, PASS).undo() == before


def test_a_call_is_not_undone_once_it_is_settled() -> None:
    settled = dealt().play(0, Bid(2, 3)).play(1, DUDO)
    assert settled.undo() is settled


def test_a_match_that_lacks_the_beginning_of_its_round_is_not_undone() -> None:
    whole = dealt().play(0, Bid(2, 3))
    resumed = Match(whole.position, whole._hands).play(1, Bid(3, 3))
    assert resumed.undo() is resumed


def test_a_score_with_undone_actions_reads_back_and_ends_as_if_they_had_not_been_made() -> None:
    score = written().play(0, Bid(2, 3)).play(1, Bid(3, 3)).undo().play(1, CALZA).undo().play(1, DUDO)
    assert "1. 13356/22346 0:2x3 1:3x3 undo 1:calza undo 1:dudo\n" in write_score(score)
    assert parse_score(write_score(score)) == score
    assert [*score.positions()][-1] == [*score.without_undone.positions()][-1]
    assert score.without_undone == written().play(0, Bid(2, 3)).play(1, DUDO)


def test_the_round_goes_on_under_its_number_after_a_call_that_was_taken_back() -> None:
    score = written().play(0, Bid(2, 3)).play(1, DUDO).undo().play(1, Bid(3, 3)).play(0, DUDO).roll_unseen()
    assert [line[:2] for line in write_score(score).splitlines() if line[:1].isdigit()] == ["1.", "2."]
    assert parse_score(write_score(score)) == score


def test_a_call_that_is_taken_back_settles_nothing_on_the_way() -> None:
    positions = [*written().play(0, Bid(2, 3)).play(1, DUDO).undo().positions()]
    assert positions[-3:] == [positions[-1]] * 3


def test_a_call_that_is_taken_back_needs_no_dice() -> None:
    unseen = Score(PERUDO, ("", "")).roll_unseen().play(0, Bid(2, 3)).play(1, DUDO)
    with pytest.raises(UnknownDiceError):
        [*unseen.positions()]
    assert [*unseen.undo().positions()][-1].turn == 1


def test_dice_are_not_public_by_a_call_that_was_taken_back() -> None:
    score = written().play(0, Bid(2, 3)).play(1, DUDO).undo().leave(0)
    assert score.public.entries[0] == DealtHands(None)
    assert written().play(0, Bid(2, 3)).play(1, DUDO).undo().play(1, DUDO).public.entries[0] != DealtHands(None)


def test_the_choice_of_a_round_can_be_taken_back_before_its_roll() -> None:
    score = Score(KILL_SPOT, ("", ""))
    match = Match.start(KILL_SPOT, 2)
    while match.position.phase is not Phase.CHOOSING:
        match = match.roll({seat: (6,) * dice for seat, dice in match.position.awaited.items()})
        score = score.roll({seat: (6,) * dice for seat, dice in enumerate(match.position.dice)})
        first = match.position.turn
        assert first is not None
        match, score = match.play(first, Bid(5, 4)), score.play(first, Bid(5, 4))
        match, score = match.play(1 - first, DUDO), score.play(1 - first, DUDO)
    owner = match.position.owner
    assert owner is not None
    chosen = score.play(owner, match.position.choices[0])
    assert [*chosen.undo().positions()][-1] == match.position
    assert parse_score(write_score(chosen.undo().play(owner, match.position.choices[-1])))
    with pytest.raises(ScoreError, match="takes nothing back"):
        chosen.undo().undo().check()
    with pytest.raises(ScoreError, match="takes nothing back"):
        chosen.roll_unseen().undo().check()


@pytest.mark.parametrize(
    "rounds",
    [
        "1. undo",
        "1. ? undo",
        "1. ? 0:2x3 undo undo",
        "1. ? 0:2x3 void undo",
        "1. ? 0:2x3 1:leave undo",
        "1. 13356/22346 0:2x3 1:dudo\n2. undo",
        "1. 13356/22346 0:2x3 1:dudo\n2. ? undo",
    ],
)
def test_an_undo_of_what_is_not_there_is_refused_with_its_line(rounds: str) -> None:
    text = f"dudo score 1\nrules: perudo\nseat 0:\nseat 1:\nfirst: 0\n\n{rounds}\n*\n"
    with pytest.raises(NotationError, match=r"line [78]: 'undo': .*takes nothing back here"):
        parse_score(text)


def test_a_score_cannot_begin_with_an_undo() -> None:
    with pytest.raises(NotationError, match="expected the number of the round"):
        parse_score("dudo score 1\nrules: perudo\nseat 0:\nseat 1:\nfirst: 0\n\nundo\n*\n")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_whatever_is_taken_back_the_match_and_its_score_go_on_from_before(data: st.DataObject) -> None:
    match, score = Match.start(PERUDO, 3), Score(PERUDO, ("", "", ""))
    for _ in range(data.draw(st.integers(1, 25))):
        if match.position.rolling:
            dice = {seat: (2,) * number for seat, number in match.position.awaited.items()}
            match, score = match.roll(dice), score.roll(dice)
        before, turn = match, match.position.turn
        if turn is None:
            break
        standing = match.position.standing
        action = data.draw(st.sampled_from([Bid(1, 2)] if standing is None else [Bid(standing.quantity + 1, 2), DUDO]))
        match, score = match.play(turn, action), score.play(turn, action)
        if data.draw(st.booleans()):
            match, score = before, score.undo()
    assert [*score.positions()][-1] == match.position
    assert Ruling.UNDO not in score.without_undone.entries
    assert [*parse_score(write_score(score)).positions()][-1] == match.position
