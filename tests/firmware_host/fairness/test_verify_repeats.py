"""Seeds and entropies occur once in a record, and those of cups have 32 bytes; `verify` names other lines."""

from collections.abc import Callable

import pytest
from support.proofs.forgery import first_wrong, line_of
from support.proofs.proven_matches import ProvenDeal, ProvenMatch

from engine import PERUDO
from firmware_host.fairness.verify.checker import MAX_NAMED, verify
from firmware_host.fairness.verify.parser import ReusedSecretError

KNOWN = bytes(range(32))


def record(change: Callable[[ProvenDeal], None], *, seed: int = 5, **more: object) -> str:
    match = ProvenMatch(PERUDO, seed, seats=2, accidents=False, change=change, **{"rounds": 3, **more})  # type: ignore[arg-type]
    return match.record


def stuck(deal: ProvenDeal) -> None:
    """Have one cup give the same every time."""
    deal.entropies[1] = KNOWN


def copied(deal: ProvenDeal) -> None:
    """Have two cups give the same in the second deal."""
    if deal.number == 2:
        deal.entropies.update(dict.fromkeys(deal.wanted, KNOWN))


def stuck_host(deal: ProvenDeal) -> None:
    """Have the host draw the same seed in the first and the last deal."""
    if deal.number != 2:
        deal.seed = KNOWN


REPEATS: dict[str, tuple[Callable[[ProvenDeal], None], dict[str, object], str, str]] = {
    # what was done, to which match, the line that is told and the one that it repeats
    "a cup in three deals": (stuck, {}, "% deal 2 opens 1", "% deal 1 opens 1"),
    "two cups in one deal": (copied, {}, "% deal 2 opens 1", "% deal 2 opens 0"),
    "the host's seeds": (stuck_host, {}, "% deal 3 seed", "% deal 1 seed"),
    "a switch": (stuck, {"how": ("cup", "switch")}, "% deal 2 opens 1", "% deal 1 opens 1"),
}


@pytest.mark.parametrize("what", REPEATS)
def test_bytes_that_are_opened_twice_are_told_with_both_lines(what: str) -> None:
    change, more, line, before = REPEATS[what]
    text = record(change, **more)
    wrong = first_wrong(text)
    assert isinstance(wrong, ReusedSecretError)
    assert wrong.line == line_of(text, line)
    assert wrong.problem.startswith(f"opens the same bytes as line {line_of(text, before)}, so ")


def test_further_lines_that_repeat_are_named_too() -> None:
    text = record(stuck)
    wrong = first_wrong(text)
    assert wrong is not None
    first, third = line_of(text, "% deal 1 opens 1"), line_of(text, "% deal 3 opens 1")
    assert wrong.problem.endswith(f"; so do {third} (as {first})")


def test_no_more_than_a_few_of_them_are_named() -> None:
    wrong = first_wrong(record(stuck, rounds=1000))
    assert wrong is not None
    assert wrong.problem.count("(as ") == MAX_NAMED
    assert wrong.problem.endswith(" more")


def test_the_seed_of_the_match_is_no_seed_of_a_deal() -> None:
    seed = ProvenMatch(PERUDO, 5, seats=2).match_seed

    def public(deal: ProvenDeal) -> None:
        deal.seed = seed

    text = record(public, rounds=1)
    wrong = first_wrong(text)
    assert isinstance(wrong, ReusedSecretError)
    assert (wrong.line, f"line {line_of(text, '% match')}, so " in wrong.problem) == (
        line_of(text, "% deal 1 seed"),
        True,
    )


def test_what_two_matches_of_a_file_have_in_common_is_told() -> None:
    first, second = record(stuck, rounds=1), record(stuck, rounds=1, seed=6)
    verdicts = verify(f"{first}\n{second}")
    assert verdicts[0].wrong is None
    assert isinstance(verdicts[1].wrong, ReusedSecretError)
    assert f"line {line_of(first, '% deal 1 opens 1')}, so " in verdicts[1].wrong.problem


def test_buttons_that_roll_in_the_same_moment_are_right() -> None:
    def late(deal: ProvenDeal) -> None:
        deal.entropies.update(dict.fromkeys(deal.wanted, bytes(8)))

    assert first_wrong(record(late, how=("button", "button"))) is None


def test_a_verdict_on_repeats_says_that_the_dice_are_not_fair() -> None:
    text = record(stuck)
    (verdicts,) = verify(text)
    assert [*verdicts.lines()][1:] == [f"  Not fair as shown: see line {line_of(text, '% deal 2 opens 1')}."]


def test_what_is_wrong_before_the_first_repeat_is_told_first() -> None:
    wrong = first_wrong(record(stuck).replace("deal 1 sealed", "deal 1 sealde"))
    assert wrong is not None
    assert not isinstance(wrong, ReusedSecretError)


@pytest.mark.parametrize("length", [1, 31, 33, 64])
def test_a_cup_gives_32_bytes(length: int) -> None:
    def short(deal: ProvenDeal) -> None:
        deal.entropies[1] = deal.seed[:1] * length

    text = record(short, rounds=1)
    wrong = first_wrong(text)
    assert wrong is not None
    assert (wrong.line, wrong.problem) == (
        line_of(text, "% deal 1 opens 1"),
        f"expected 32 bytes of seat 1’s cup in place of {length}",
    )


@pytest.mark.parametrize("how", ["switch", "button"])
def test_entropy_of_a_seat_without_a_program_cup_may_have_any_length(how: str) -> None:
    def short(deal: ProvenDeal) -> None:
        deal.entropies[1] = deal.seed[:8]

    assert first_wrong(record(short, how=("cup", how))) is None
