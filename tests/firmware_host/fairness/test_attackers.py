"""Attacks on the dice end as docs/fairness.md says, also those that it says succeed.

A host that cheats writes its own record, so every attack is judged by `verify` on what the attacker would hand out,
and by the head that an honest player saw before shaking.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from support.proofs.forgery import first_wrong, rechained
from support.proofs.proven_matches import ProvenDeal, ProvenMatch

from engine import PERUDO
from firmware_host.fairness import commitments
from firmware_host.fairness.chain import head_text
from firmware_host.fairness.commitments import cup_commitment
from firmware_host.fairness.verify.checker import verify
from firmware_host.fairness.verify.deal_checker import DealStage
from firmware_host.fairness.verify.parser import VerificationError
from firmware_host.fairness.verify.verdict import find_head

HONEST, CHEAT = 0, 1
EVERY_FACE = 20.5
"""Chi-square with 5 degrees of freedom: exceeded by honest dice once in a thousand."""


def chi_square(thrown: Iterable[int]) -> float:
    counts = Counter(thrown)
    expected = counts.total() / 6
    return sum((counts[face] - expected) ** 2 / expected for face in range(1, 7))


def deal(rng: random.Random, number: int = 1, how: tuple[str, str] = ("cup", "cup"), held: int = 5) -> ProvenDeal:
    """Return a deal to two seats, honest so far."""
    entropies = {seat: rng.randbytes(32) for seat in (HONEST, CHEAT)}
    return ProvenDeal("m", number, rng.randbytes(32), {HONEST: held, CHEAT: held}, dict(enumerate(how)), entropies)


def with_cheats(real: ProvenDeal, rng: random.Random) -> ProvenDeal:
    """Return the same with other entropy of the cup that cheats."""
    return replace(real, entropies={**real.entropies, CHEAT: rng.randbytes(32)})


def sixes(thrown: dict[int, list[int]]) -> int:
    """Count the sixes at the cheats' own seat, of which they want many."""
    return thrown[CHEAT].count(6)


def found(deals: Iterable[ProvenDeal]) -> ProvenDeal:
    """Return the best of some deals for the cheat."""
    return max(deals, key=lambda tried: sixes(tried.dice()))


# A host alone

RECORD = ProvenMatch(PERUDO, 5, seats=2, rounds=2, accidents=False)


def best_seed(honest: ProvenDeal, rng: random.Random) -> bytes:
    """Return a seed that the host would rather have had, now that it knows what the cups gave."""
    return found(replace(honest, seed=rng.randbytes(32)) for _ in range(300)).seed


def test_a_host_that_tries_seeds_after_the_cups_are_open_finds_dice_it_likes() -> None:
    honest = RECORD.deals[0]
    better = ProvenDeal(
        honest.match, 1, best_seed(honest, random.Random(1)), honest.wanted, honest.how, honest.entropies
    )
    assert sixes(better.dice()) > sixes(honest.dice()) + 1


def test_but_it_has_committed_to_another_seed() -> None:
    honest = RECORD.deals[0]
    seed = best_seed(honest, random.Random(1))
    wrong = first_wrong(rechained(RECORD.record.replace(honest.seed.hex(), seed.hex())))
    assert wrong is not None
    assert wrong.problem.startswith("is not the seed that the host committed to")


def test_a_commitment_to_the_new_seed_is_not_the_one_that_the_cups_committed_to() -> None:
    honest = RECORD.deals[0]
    better = ProvenDeal(
        honest.match, 1, best_seed(honest, random.Random(1)), honest.wanted, honest.how, honest.entropies
    )
    text = RECORD.record.replace(honest.seed.hex(), better.seed.hex()).replace(honest.house.hex(), better.house.hex())
    wrong = first_wrong(rechained(text))
    assert wrong is not None
    assert wrong.problem.startswith("is not what seat 0’s cup committed to")


def test_dice_of_another_deal_can_not_be_dealt_once_more() -> None:
    rng = random.Random(2)
    known = deal(rng)
    again = replace(known, number=2)
    other = replace(known, match="n")
    assert len({known.house, again.house, other.house}) == 3  # so cups draw again: they know a deal by this alone


def test_a_host_that_repeats_deals_until_it_likes_one_is_right_but_counted() -> None:
    rng = random.Random(3)
    tried: list[ProvenDeal] = []
    while not tried or sixes(tried[-1].dice()) < 3:
        tried.append(deal(rng, number=len(tried) + 1))
    assert len(tried) > 5  # one deal in 28 is as good as that
    match = ProvenMatch(PERUDO, 8, seats=3)
    assert [verdict.number for verdict in verify(match.record)[0].deals_at(DealStage.REPEATED)] == match.repeated
    assert any("repeated before there were dice" in line for line in verify(match.record)[0].lines())


def test_dropped_deals_show_only_in_letters_of_before_the_first_shake() -> None:
    rng = random.Random(13)
    dropped = ProvenMatch(PERUDO, 5, seats=2, rounds=1, accidents=False)
    kept = ProvenMatch(PERUDO, 5, seats=2, rounds=1, accidents=False)
    # Each was shaken for, under one number.
    kept.replay(found(replace(deal(rng), match=kept.identity) for _ in range(30)))
    (verdict,) = verify(kept.record)
    assert sixes(kept.deals[0].dice()) >= 2
    assert verdict.wrong is None
    assert verdict.deals_at(DealStage.REPEATED) == []
    assert find_head([verdict], seen_before_the_shake(kept)) is not None
    assert find_head([verdict], seen_before_the_shake(dropped)) is None


# A cup alone


def test_a_cup_that_tries_entropies_before_it_commits_gains_nothing() -> None:
    rng, thrown = random.Random(4), list[int]()
    for number in range(400):
        real = deal(rng, number)
        guess = replace(real, seed=rng.randbytes(32))  # all that the cup knows of the seed is its hash
        best = found(with_cheats(guess, rng) for _ in range(32))
        real.entropies[CHEAT] = best.entropies[CHEAT]
        thrown += real.dice()[CHEAT]
    assert chi_square(thrown) < EVERY_FACE


def test_a_cup_can_not_open_what_it_would_rather_have_committed_to() -> None:
    honest = RECORD.deals[0]
    wrong = first_wrong(rechained(RECORD.record.replace(honest.entropies[CHEAT].hex(), "5a" * 32)))
    assert wrong is not None
    assert wrong.problem.startswith("is not what seat 1’s cup committed to")


# A host and a cup of its own, against an honest cup


def test_a_host_and_a_cup_gain_nothing_against_an_honest_cup() -> None:
    rng, thrown = random.Random(5), list[int]()
    for number in range(400):
        real = deal(rng, number)
        guesses = (deal(rng, number) for _ in range(32))  # of the honest cup's entropy
        best = found(guesses)
        real.seed, real.entropies[CHEAT] = best.seed, best.entropies[CHEAT]
        thrown += real.dice()[CHEAT]
    assert chi_square(thrown) < EVERY_FACE


def redrawn(rng: random.Random) -> tuple[ProvenMatch, ProvenMatch]:
    """Return a match, and the same after the host opened the honest cup early and redrew its own cup's entropy."""
    match = ProvenMatch(PERUDO, 5, seats=2, rounds=1, accidents=False)
    better = ProvenMatch(PERUDO, 5, seats=2, rounds=1, accidents=False)
    better.replay(found(with_cheats(better.deals[0], rng) for _ in range(300)))
    return match, better


def test_a_cup_that_draws_again_is_in_the_record_twice() -> None:
    match = RECORD
    first = match.deals[0]
    again = cup_commitment(first.house, bytes(32)).hex()
    line = next(line for line in match.record.splitlines() if line.startswith("% deal 1 sealed"))
    wrong = first_wrong(rechained(match.record.replace(line, f"% deal 1 cup 1 {again} = x\n{line}")))
    assert wrong is not None
    assert wrong.problem.startswith("seat 1 has committed in this deal on line ")


def test_without_the_first_draw_only_the_head_seen_before_the_shake_tells() -> None:
    honest, better = redrawn(random.Random(6))
    (verdict,) = verify(better.record)
    assert verdict.wrong is None
    assert sixes(better.deals[0].dice()) > sixes(honest.deals[0].dice()) + 1
    assert find_head([verdict], seen_before_the_shake(honest)) is None
    assert find_head(verify(honest.record), seen_before_the_shake(honest)) is not None


def seen_before_the_shake(match: ProvenMatch) -> str:
    """Return the head on a display once all cups have committed, as far as a shaking panel shows it."""
    (verdict,) = verify(match.record)
    last = max(given.line for given in verdict.deals[0].given.values())
    return next(head_text(head)[:8] for line, head in verdict.heads if line == last)


@pytest.mark.parametrize("how", ["switch", "button"])
def test_switches_and_buttons_do_not_count_beside_an_honest_cup(how: str) -> None:
    rng = random.Random(7)
    real = deal(rng, how=("cup", how))
    assert [with_cheats(real, rng).dice() for _ in range(50)] == [real.dice()] * 50


# What succeeds


def test_a_host_with_all_cups_chooses_dice_and_verify_finds_nothing() -> None:
    rng = random.Random(8)
    match = ProvenMatch(PERUDO, 5, seats=2, rounds=1, accidents=False)
    tries = (replace(deal(rng), match=match.identity) for _ in range(2000))
    chosen = found(tries)
    match.replay(chosen)
    (verdict,) = verify(match.record)
    assert sixes(chosen.dice()) >= 4
    assert verdict.wrong is None


def test_only_the_cup_itself_notices_entropy_that_the_host_invents_for_it() -> None:
    match = ProvenMatch(PERUDO, 5, seats=2, rounds=1, accidents=False)
    honest = match.deals[0]
    own_word = cup_commitment(honest.house, honest.entropies[HONEST]).hex()
    invented = replace(honest, entropies={**honest.entropies, HONEST: bytes(32)})
    match.replay(invented)
    assert first_wrong(match.record) is None
    assert find_head(verify(match.record), seen_before_the_shake(match)) is not None
    assert own_word not in match.record


@pytest.mark.parametrize("how", ["switch", "button"])
def test_without_cups_the_host_chooses_dice_and_the_verdict_says_so(how: str) -> None:
    rng = random.Random(9)
    match = ProvenMatch(PERUDO, 5, seats=2, rounds=1, accidents=False, how=(how, how))
    chosen = found(with_cheats(match.deals[0], rng) for _ in range(500))
    match.replay(chosen)
    (verdict,) = verify(match.record)
    assert sixes(chosen.dice()) >= 3
    assert verdict.wrong is None
    assert "  No cup committed in any deal: there the host’s word is all there is." in verdict.lines()


def test_a_rewritten_record_is_right_but_for_a_head_that_was_seen() -> None:
    played = ProvenMatch(PERUDO, 5, seats=2, rounds=2, accidents=False)
    written = ProvenMatch(PERUDO, 6, seats=2, rounds=2, accidents=False)
    assert first_wrong(written.record) is first_wrong(played.record) is None
    for letters in (8, 16, 52):
        assert find_head(verify(written.record), played.heads[-1][:letters]) is None
        assert find_head(verify(played.record), played.heads[-1][:letters]) is not None


def test_who_opens_is_drawn_by_the_host_alone() -> None:
    rng = random.Random(10)
    seeds = (rng.randbytes(32) for _ in range(100))
    assert next(seed for seed in seeds if commitments.pick_number(seed, "first player", 2) == CHEAT)


# A second match for the same deals


def fitted(match: ProvenMatch, change: Callable[[str], str]) -> VerificationError | None:
    """Return the first fault of a record with its beginning changed and all heads computed again."""
    return first_wrong(rechained(change(match.record)))


def another_seed(match: ProvenMatch) -> Callable[[str], str]:
    """Give the match a seed that has the same name and draws the same opener."""
    rng = random.Random(14)
    seeds = (rng.randbytes(32) for _ in range(10_000))
    wanted = match.id, match.first
    other = next(
        seed
        for seed in seeds
        if (commitments.match_name(seed), commitments.pick_number(seed, "first player", match.seats)) == wanted
    )
    return lambda text: text.replace(match.match_seed.hex(), other.hex())


def another_winner(_: ProvenMatch) -> Callable[[str], str]:
    """Have the players sit the other way round."""
    turned = str.maketrans({"\0": "Lima", "\1": "Quito"})
    return lambda text: text.replace("Quito", "\0").replace("Lima", "\1").translate(turned)


@pytest.mark.parametrize("other", [another_seed, another_winner])
def test_no_second_match_fits_the_deals_of_a_first(
    other: Callable[[ProvenMatch], Callable[[str], str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = commitments.match_name
    # 8 bits, so that two names that are alike are found soon
    monkeypatch.setattr(commitments, "match_name", lambda seed: f"{name(seed)[:2]}{'0' * 10}")
    match = ProvenMatch(PERUDO, 5, seats=2, rounds=2, accidents=False)
    wrong = fitted(match, other(match))
    assert wrong is not None
    assert wrong.problem.startswith("is not the seed that the host committed to")


@pytest.mark.parametrize("other", [another_seed, another_winner])
def test_with_proofs_of_version_1_a_second_match_fits_and_the_verdict_says_so(
    other: Callable[[ProvenMatch], Callable[[str], str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = commitments.match_name
    monkeypatch.setattr(commitments, "match_name", lambda seed: f"{name(seed)[:2]}{'0' * 10}")
    match = ProvenMatch(PERUDO, 5, seats=2, rounds=2, accidents=False, version=1)
    text = rechained(other(match)(match.record))
    assert text != match.record
    (verdict,) = verify(text)
    assert verdict.wrong is None
    assert (
        "  to no rules, opener or players. A host could have fitted these deals into a second match." in verdict.lines()
    )


@pytest.mark.parametrize(("version", "said", "instead"), [(2, "proofs 2 seed", "seed"), (1, "seed", "proofs 2 seed")])
def test_a_record_that_is_said_to_be_of_another_version_is_wrong(version: int, said: str, instead: str) -> None:
    match = ProvenMatch(PERUDO, 5, seats=2, rounds=2, accidents=False, version=version)
    wrong = fitted(match, lambda text: text.replace(f" {said} ", f" {instead} ", 1))
    assert wrong is not None
    assert wrong.problem.startswith("is not the seed that the host committed to")


def test_new_proofs_of_version_1_are_right_and_the_verdict_warns() -> None:
    (verdict,) = verify(ProvenMatch(PERUDO, 5, seats=2, rounds=2, accidents=False, version=1).record)
    assert (verdict.wrong, verdict.version) == (None, 1)
    assert (
        "  No match that begins at an up-to-date table has such: if this one did, its record is forged."
        in verdict.lines()
    )


# How many letters of a head are enough


def test_letters_are_worth_five_bits_each() -> None:
    """With few letters a host that may try finds another head soon: here two letters, ten bits."""
    rng, wanted = random.Random(11), "7K"
    tries = 0
    while True:
        tries += 1
        if head_text(rng.randbytes(32)).startswith(wanted):
            break
    assert 1 <= tries < 20 * 2**10


def test_two_of_its_own_that_look_alike_are_found_in_the_square_root_of_that() -> None:
    rng, seen = random.Random(12), set[str]()
    while (short := head_text(rng.randbytes(32))[:4]) not in seen:  # 20 bits
        seen.add(short)
    assert len(seen) < 20 * 2**10
