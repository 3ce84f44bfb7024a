"""Records of matches in which actions were taken back, and such records after somebody has changed them."""

import re
from dataclasses import replace

import pytest
from support.proofs.forgery import first_wrong, rechained
from support.proofs.proven_matches import ProvenMatch

from engine import (
    KILL_SPOT,
    PERUDO,
    RULESETS,
    Call,
    HandOver,
    PlayedAction,
    Rules,
    Ruling,
    ScoreError,
    parse_score,
    write_score,
)
from firmware_host.fairness.verify.checker import verify
from firmware_host.store.house.facts import facts_of
from firmware_host.store.scores.replay_events import steps

every_rule_set = pytest.mark.parametrize("rules", RULESETS.values(), ids=str)


@every_rule_set
@pytest.mark.parametrize("seed", range(3))
def test_a_match_with_many_undos_verifies_and_its_replay_ends_in_the_same_standing(rules: Rules, seed: int) -> None:
    match = ProvenMatch(rules, seed, seats=4, accidents=seed > 0, undos=0.5)
    (verdict,) = verify(match.record)
    assert (verdict.wrong, verdict.closed) == (None, True)
    assert verdict.undone == sum(line.split().count("undo") for line in match.record.splitlines())
    assert verdict.undone >= (10 if seed == 0 else 1)
    *_, last = steps(parse_score(match.record))
    assert last.position == [*match.score.positions()][-1]
    assert last.position.winner == match.score.winner


@every_rule_set
@pytest.mark.parametrize("seed", range(4))
def test_a_match_that_was_reopened_verifies_and_its_replay_ends_in_the_same_standing(rules: Rules, seed: int) -> None:
    match = ProvenMatch(rules, seed, seats=2 + seed % 3, accidents=seed > 0, undos=0.1, reopenings=4)
    (verdict,) = verify(match.record)
    assert (verdict.wrong, verdict.closed, verdict.reopened) == (None, True, 4)
    assert "  Reopened 4 times after its end, with the last round shaken again." in [*verdict.lines()]
    score = parse_score(match.record)
    assert write_score(score.public) == write_score(parse_score(write_score(score.public)))
    *_, last = steps(score)
    assert last.position == [*match.score.positions()][-1]
    assert last.position.winner == match.score.winner


@every_rule_set
def test_an_end_that_does_not_stand_is_in_no_figure(rules: Rules) -> None:
    score = ProvenMatch(rules, 1, reopenings=4).score
    assert Ruling.REOPEN not in score.without_undone.entries
    assert [*score.without_undone.positions()][-1].winner == score.winner
    facts = facts_of(score)
    assert facts == facts_of(score.without_undone)
    calls = [entry for entry in score.entries if isinstance(entry, PlayedAction) and isinstance(entry.action, Call)]
    assert facts.rounds == len(calls) - 2  # two of them ended the match, and two ends broke it off


@pytest.mark.parametrize("word", ["reopen", "void"])
def test_a_reopening_that_was_left_out_or_put_in_breaks_the_chain(word: str) -> None:
    record = ProvenMatch(PERUDO, 2, seats=2, accidents=False, reopenings=2).record
    assert record.count("reopen") == 2
    wrong = first_wrong(record.replace("reopen", "void" if word == "void" else "", 1))
    assert wrong is not None


@every_rule_set
def test_what_was_taken_back_is_in_no_figure(rules: Rules) -> None:
    score = ProvenMatch(rules, 1, undos=0.5).score
    assert facts_of(score) == facts_of(score.without_undone)
    assert facts_of(score).actions == sum(isinstance(entry, PlayedAction) for entry in score.without_undone.entries)


def test_the_verdict_counts_what_was_taken_back() -> None:
    (verdict,) = verify(ProvenMatch(PERUDO, 1, undos=0.5).record)
    assert f"  {verdict.undone} actions taken back." in [*verdict.lines()]


RECORD = ProvenMatch(PERUDO, 5, seats=3, rounds=3, accidents=False, undos=0.3).record
"""Its second round is `2:11x3 …`: three actions of it were taken back before the call that counted."""


def problem(before: str, after: str) -> str:
    """Return the fault of the record after a change, with all heads computed again."""
    assert RECORD.count(before) == 1
    wrong = first_wrong(rechained(RECORD.replace(before, after)))
    assert wrong is not None
    return wrong.problem


def test_an_undo_that_was_left_out_or_put_in_breaks_the_chain() -> None:
    for before, after in (("2:6x1 undo 0:calza", "0:calza"), ("2:12x1 0:calza\n", "2:12x1 undo 2:12x1 0:calza\n")):
        wrong = first_wrong(RECORD.replace(before, after))
        assert wrong is not None
        assert "what was said and the head on line" in wrong.problem


def test_an_undo_of_what_is_not_there_is_found() -> None:
    assert "takes nothing back here" in problem(" 2:9x4 ", " undo 2:9x4 ")
    assert "takes nothing back here" in problem("2:6x1 undo ", "2:6x1 undo undo undo ")


def test_an_undo_after_the_dice_were_shown_is_found() -> None:
    """The call is followed by an undo, so it shows no dice; but the lines that open them stand between the two."""
    opened = RECORD.splitlines()
    seed = next(n for n, line in enumerate(opened) if line.startswith("% deal 1 seed"))
    deal_2 = next(n for n, line in enumerate(opened) if line.startswith("% deal 2 house"))
    opened[deal_2:] = ["undo 1:10x4", "% = ", "*"]
    wrong = first_wrong(rechained("\n".join(opened)))
    assert wrong is not None
    assert (wrong.line, wrong.problem) == (seed + 1, "deal 1 lies under the cups, only what was called is opened")


def test_an_undo_of_a_call_after_the_round_is_found() -> None:
    assert "the round has only begun" in problem("2. 12244", "2. undo 12244")


def chosen() -> tuple[str, str]:
    """Return a record in which a choice is taken back before its deal, and the word of that choice."""
    for seed in range(200):
        record = ProvenMatch(KILL_SPOT, seed, accidents=False, undos=0.2).record
        if found := re.search(r"^\d+\. (\d:(?:blind|open|normal)) undo", record, re.MULTILINE):
            return record, found[1]
    raise AssertionError("nobody has taken a choice back")


def test_an_undo_of_a_choice_after_its_deal_was_sealed_is_found() -> None:
    record, word = chosen()
    lines = record.splitlines()
    at = next(n for n, line in enumerate(lines) if f"{word} undo" in line)
    words = lines[at].split()
    number = words.index("undo")
    sealed = next(n for n, line in enumerate(lines) if n > at and " sealed " in line)
    deal = lines[at + 2 : sealed + 1]
    changed = [*lines[:at], " ".join(words[:number]), "% = ", *deal, " ".join(words[number:]), "% = ", *lines[at + 2 :]]
    wrong = first_wrong(rechained("\n".join(changed)))
    assert wrong is not None
    assert "the choice can’t be taken back: deal" in wrong.problem


@every_rule_set
@pytest.mark.parametrize("seed", range(2))
def test_a_match_with_hand_overs_verifies_and_its_replay_ends_in_the_same_standing(rules: Rules, seed: int) -> None:
    match = ProvenMatch(rules, seed, seats=2 + seed, undos=0.2, handovers=0.1, reopenings=2)
    handed = [entry for entry in match.score.entries if isinstance(entry, HandOver)]
    (verdict,) = verify(match.record)
    assert (verdict.wrong, verdict.closed, verdict.handed_over) == (None, True, len(handed))
    assert f"  A seat was handed over {len(handed)} times: another person played on there." in [*verdict.lines()]
    score = parse_score(match.record)
    assert [entry for entry in score.entries if isinstance(entry, HandOver)] == handed
    assert write_score(score.public) == write_score(parse_score(write_score(score.public)))
    *_, last = steps(score)
    assert last.position == [*match.score.positions()][-1]


def test_a_hand_over_that_was_left_out_or_put_at_another_seat_breaks_the_chain() -> None:
    match = ProvenMatch(PERUDO, 3, seats=2, accidents=False, handovers=0.1)
    word = next(f"{entry.seat}:handover" for entry in match.score.entries if isinstance(entry, HandOver))
    other = word.replace("0:", "9:").replace("1:", "0:").replace("9:", "1:")
    assert first_wrong(match.record.replace(f"{word} ", "", 1)) is not None
    assert first_wrong(match.record.replace(f" {word}", f" {other}", 1)) is not None


def test_the_person_who_takes_a_seat_over_counts_as_a_player_of_their_own() -> None:
    score = ProvenMatch(PERUDO, 3, seats=2, accidents=False, handovers=0.05).score
    plain = facts_of(replace(score, entries=tuple(e for e in score.entries if not isinstance(e, HandOver))))
    facts = facts_of(score)
    assert len(facts.former) == sum(isinstance(entry, HandOver) for entry in score.entries) > 1
    names = [player.name for player in (*facts.players, *facts.former)]
    assert len({*names}) == len(names)
    for what in ("bids", "dudo_right", "dudo_wrong", "exact_right", "exact_wrong"):
        told, whole = (
            sum(getattr(player, what) for player in (*match.players, *match.former)) for match in (facts, plain)
        )
        assert told == whole
    assert (facts.rounds, facts.actions, facts.winner) == (plain.rounds, plain.actions, plain.winner)
    assert [player.has_won for player in facts.former] == [False] * len(facts.former)


def test_a_seat_that_is_out_can_not_be_handed_over() -> None:
    score = ProvenMatch(PERUDO, 2).score
    with pytest.raises(ScoreError, match="changes nothing here"):
        replace(score, entries=(*score.entries, HandOver(1 - (score.winner or 0)))).check()
