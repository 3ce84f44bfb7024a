"""Commitments, the lines of the chain, and heads as text."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import PERUDO, Bid, Ruling, parse_rules
from firmware_host.fairness import chain, commitments
from firmware_host.fairness.chain import EMPTY_HEAD, HEAD_ALPHABET, head_text, next_head, read_head, short_head
from firmware_host.fairness.commitments import cup_commitment, host_commitment, seat_commitment
from firmware_host.fairness.verify.parser import (
    ProofLine,
    VerificationError,
    read_deal_line,
    read_proof_line,
    write_proof_line,
)

HASHES = st.binary(min_size=32, max_size=32)


# Commitments


def test_the_host_commits_to_its_seed_for_one_deal_of_one_match() -> None:
    hashes = {host_commitment(match, number, seed) for match in "ab" for number in (1, 2) for seed in (b"x", b"y")}
    assert len(hashes) == 8


def test_where_the_name_of_a_match_ends_matters_to_the_host() -> None:
    assert host_commitment("ab", 1, b"x") != host_commitment("a", 1, b"bx")


def test_a_cup_commits_as_the_link_says() -> None:
    deal, entropy = bytes(range(32)), bytes(range(32, 64))
    assert cup_commitment(deal, entropy) == hashlib.sha256(b"dudo cup\0" + deal + entropy).digest()


def test_a_cup_s_commitment_is_to_one_deal() -> None:
    assert cup_commitment(bytes(32), b"e") != cup_commitment(bytes(31) + b"\1", b"e")


def test_no_commitment_can_stand_for_one_of_another_kind() -> None:
    deal, entropy = bytes(32), bytes(32)
    assert len({cup_commitment(deal, entropy), seat_commitment(deal, entropy), host_commitment("", 0, entropy)}) == 3


def test_where_a_cup_has_committed_nothing_else_makes_the_dice() -> None:
    assert commitments.effective_entropies({1: b"cup"}, {0: b"switch", 2: b"button"}) == {1: b"cup"}


def test_where_no_cup_has_committed_switches_and_buttons_make_them() -> None:
    assert commitments.effective_entropies({}, {0: b"switch", 2: b"button"}) == {0: b"switch", 2: b"button"}


# Heads


def test_a_head_is_the_hash_of_the_one_before_and_the_line() -> None:
    assert next_head(EMPTY_HEAD, "void") == hashlib.sha256(bytes(32) + b"void").digest()


@given(HASHES)
def test_a_head_is_52_letters_of_five_bits(head: bytes) -> None:
    text = head_text(head)
    bits = "".join(f"{HEAD_ALPHABET.index(letter):05b}" for letter in text)
    assert len(text) == 52
    assert bits == f"{int.from_bytes(head, 'big'):0256b}0000"


@given(HASHES, st.integers(8, 52))
def test_what_a_panel_shows_is_read_as_the_beginning_of_the_head(head: bytes, letters: int) -> None:
    assert read_head(short_head(head, letters)) == head_text(head)[:letters]


def test_a_short_head_is_in_groups_of_four() -> None:
    assert short_head(bytes(32)) == "0000 0000"
    assert short_head(bytes(32), 16) == "0000 0000 0000 0000"


@pytest.mark.parametrize("text", ["7K3M-01ZP", "7k3m oizp", " 7K3MOLZP\t", "7K3-M0-1Z-P"])
def test_a_head_is_read_as_people_write_it(text: str) -> None:
    assert read_head(text) == "7K3M01ZP"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "0 letters of a head say too little"),
        ("7K3MQ2Z", "7 letters of a head say too little, at least 8"),
        ("7K3MQ2ZU", "'U' is in no head"),
        ("7K3MQ2Z!", "'!' is in no head"),
        ("0" * 53, "a head has 52 letters, not 53"),
    ],
)
def test_what_can_be_no_head_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read_head(text)


# Lines

SEED = bytes(range(32))
HEX = SEED.hex()


def test_the_first_line_tells_rules_opener_and_who_plays() -> None:
    line = chain.match_line(SEED, PERUDO, 1, ["Lima", 'La "Paz"', ""])
    seats = '"Lima" "La \\"Paz\\"" ""'
    assert line == f"match {commitments.match_name(SEED)} proofs 2 seed {HEX} rules perudo first 1 seats {seats}"


def test_the_first_line_of_version_1_has_no_word_for_its_version() -> None:
    line = chain.match_line(SEED, PERUDO, 1, ["a", "b"], version=1)
    assert line == f'match {commitments.match_name(SEED)} seed {HEX} rules perudo first 1 seats "a" "b"'


def test_a_deal_commits_to_its_match_by_the_first_head_in_version_1_by_the_name() -> None:
    old, new = (chain.match_line(SEED, PERUDO, 1, ["a", "b"], version=version) for version in (1, 2))
    assert chain.match_identity(old) == commitments.match_name(SEED)
    assert chain.match_identity(new) == next_head(EMPTY_HEAD, new).hex()


@pytest.mark.parametrize("other", [(SEED[::-1], 1, ["a", "b"]), (SEED, 0, ["a", "b"]), (SEED, 1, ["a", "c"])], ids=str)
def test_a_match_of_another_seed_opener_or_player_has_another_identity(other: tuple[bytes, int, list[str]]) -> None:
    seed, first, names = other
    ours = chain.match_line(SEED, PERUDO, 1, ["a", "b"])
    assert chain.match_identity(ours) != chain.match_identity(chain.match_line(seed, PERUDO, first, names))


def test_where_the_opener_is_rolled_for_the_first_line_has_none() -> None:
    assert " first - seats " in chain.match_line(SEED, parse_rules("obliging"), None, ["a", "b"])


@given(st.lists(st.text(max_size=8), min_size=2, max_size=8), st.lists(st.text(max_size=8), min_size=2, max_size=8))
def test_different_names_make_different_first_lines(one: list[str], other: list[str]) -> None:
    same = [*map(chain.printable_name, one)] == [*map(chain.printable_name, other)]
    assert (chain.match_line(SEED, PERUDO, 0, one) == chain.match_line(SEED, PERUDO, 0, other)) is same


@given(st.text())
def test_a_name_is_one_line_that_can_be_seen(name: str) -> None:
    fitted = chain.printable_name(name)
    assert fitted.isprintable()
    assert fitted == chain.printable_name(fitted)


def test_what_is_said_is_chained_as_a_score_has_it() -> None:
    assert [chain.action_line(2, Bid(4, 3)), chain.leave_line(1), chain.ruling_line(Ruling.VOID)] == [
        "2:4x3",
        "1:leave",
        "void",
    ]


TOLD = {
    chain.host_line(3, SEED): ("house", None, SEED),
    chain.cup_line(3, 0, SEED): ("cup", 0, SEED),
    chain.switch_line(3, 1, SEED): ("switch", 1, SEED),
    chain.button_line(3, 7, SEED): ("button", 7, SEED),
    chain.sealed_line(3): ("sealed", None, b""),
    chain.seed_line(3, SEED): ("seed", None, SEED),
    chain.opens_line(3, 1, b"\1"): ("opens", 1, b"\1"),
}


@pytest.mark.parametrize("line", TOLD)
def test_a_line_of_a_deal_is_read_as_it_was_written(line: str) -> None:
    proof = read_proof_line(9, write_proof_line(line, head_text(SEED)))
    assert proof == ProofLine(9, line, head_text(SEED))
    assert read_deal_line(proof) == (9, 3, *TOLD[line])


def test_a_head_alone_is_a_proof_too() -> None:
    assert read_proof_line(9, write_proof_line("", head_text(SEED))) == ProofLine(9, "", head_text(SEED))


@pytest.mark.parametrize("line", ["%", "% ", "% = 7K3M", "% deal 1 sealed", f"% deal 1 sealed = {'U' * 52}", "%a"])
def test_what_is_no_proof_is_told_by_its_line(line: str) -> None:
    with pytest.raises(VerificationError, match=r"^line 9: is not a proof: expected one such as % deal 3 sealed = "):
        read_proof_line(9, line)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("deal 0 sealed", "proves nothing"),
        ("deal 03 sealed", "proves nothing"),
        ("deal 1 mug 0 ff", "proves nothing: expected deal, its number, and one of house, cup, switch"),
        ("match again", "proves nothing"),
        ("deal 1 house", "expected 64 hex digits after house"),
        (f"deal 1 house 0 {HEX}", "expected 64 hex digits after house"),
        (f"deal 1 house {HEX}0", "expected 64 hex digits after house"),
        (f"deal 1 seed {HEX[:-1]}g", "expected 64 hex digits after seed"),
        (f"deal 1 cup {HEX}", "expected a seat and 64 hex digits after cup"),
        (f"deal 1 cup 8 {HEX}", "expected a seat and 64 hex digits after cup"),
        (f"deal 1 switch 0 {HEX.upper()}", "expected a seat and 64 hex digits after switch"),
        (f"deal 1 button 0  {HEX}", "proves nothing"),
        ("deal 1 sealed now", "expected nothing after it after sealed"),
        ("deal 1 opens 0 abc", "expected a seat and the hex digits of its entropy after opens"),
        (f"deal 1 opens 0 {'ab' * 65}", "expected a seat and the hex digits of its entropy after opens"),
    ],
)
def test_a_line_that_proves_nothing_says_what_was_expected(text: str, problem: str) -> None:
    with pytest.raises(VerificationError, match=problem):
        read_deal_line(ProofLine(1, text, ""))
