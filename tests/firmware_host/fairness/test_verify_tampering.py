"""`verify` names the line of a change, with the heads left alone and with all heads made to fit again."""

import re
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.proofs.forgery import edited, first_wrong, line_of, rechained
from support.proofs.proven_matches import ProvenMatch

from engine import KILL_SPOT, PALO_FIJO, PERUDO
from firmware_host.fairness.verify.checker import verify
from firmware_host.fairness.verify.deal_checker import DealStage

RECORDS = {
    "perudo": ProvenMatch(PERUDO, 5, seats=2, rounds=3, accidents=False).record,
    "palo-fijo": ProvenMatch(PALO_FIJO, 4, seats=3, rounds=3).record,
    "kill-spot": ProvenMatch(KILL_SPOT, 1, seats=2, rounds=2, how=("switch", "button")).record,
}
RECORD = RECORDS["perudo"]
NOT_COVERED = "date: "
"""The table has no calendar: the date is whatever the keeper of the file says."""


# One change, and the heads as they were


@given(st.sampled_from([*RECORDS.values()]), st.data())
@settings(deadline=None, max_examples=400)
def test_any_other_character_in_the_place_of_one_is_told_by_its_line(record: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(record) - 1))
    new = data.draw(st.sampled_from('0123456789abcdefABCWXZ%=:/ x?*-"wins') | st.characters())
    line = record.count("\n", 0, at) + 1
    covered_line = record.splitlines()[line - 1]
    assume(new != record[at] and record[at] != "\n" and not covered_line.startswith(NOT_COVERED))
    assume(
        not (covered_line in ("", "*") and not new.strip())
    )  # nothing is said then that could be wrong: it is cut off
    wrong = first_wrong(record[:at] + new + record[at + 1 :])
    assert wrong is not None
    in_heading = line < line_of(record, "% match")
    assert line <= wrong.line <= line + (5 if in_heading or new in "\n\r" else 0)


@pytest.mark.parametrize("rules", RECORDS)
@pytest.mark.parametrize("what", ["left out", "told twice", "changed for the next", "another's words"])
def test_a_line_that_is_out_of_its_place_is_told(rules: str, what: str) -> None:
    lines = RECORDS[rules].splitlines()
    for at, line in enumerate(lines[:-1]):
        if line.startswith(NOT_COVERED) or (what == "told twice" and line in ("", lines[0])):
            continue
        changed = {
            "left out": lines[:at] + lines[at + 1 :],
            "told twice": lines[: at + 1] + lines[at:],
            "changed for the next": [*lines[:at], lines[at + 1], line, *lines[at + 2 :]],
            "another's words": [*lines[:at], lines[-2] if at < len(lines) - 2 else lines[-3], *lines[at + 1 :]],
        }[what]
        wrong = first_wrong("\n".join(changed) + "\n")
        assert wrong is not None, line
        in_heading = at < lines.index("")
        assert at - 1 <= wrong.line - 1 <= at + (4 if in_heading else 1), line


def test_a_line_between_that_proves_nothing_is_told() -> None:
    lines = RECORD.splitlines()
    for at in range(8, len(lines)):
        wrong = first_wrong("\n".join([*lines[:at], "% a note", *lines[at:]]) + "\n")
        assert wrong is not None
        assert wrong.line == at + 1
        assert wrong.problem.startswith("is not a proof: ")


@pytest.mark.parametrize("key", ["rules: perudo", "seat 0: Lima", "seat 1: Quito", "first: 1"])
def test_a_heading_that_tells_another_match_is_told_by_its_line(key: str) -> None:
    other = {"rules: perudo": "rules: pyrudo", "first: 1": "first: 0"}.get(key, f"{key}s")
    wrong = first_wrong(RECORD.replace(key, other, 1))
    assert wrong is not None
    assert wrong.line == line_of(RECORD, key)
    assert wrong.problem == f"is not what was chained on line {line_of(RECORD, '% match')}"


def test_another_player_in_the_heading_is_told() -> None:
    wrong = first_wrong(RECORD.replace("first: 1", "seat 2: Cusco\nfirst: 1"))
    assert wrong is not None
    assert wrong.line == line_of(RECORD, "seat 1") + 1


def test_the_date_is_not_covered() -> None:
    assert first_wrong(re.sub("date: .*", "date: 1999-01-01", RECORD)) is None


def test_blanks_between_words_are_not_covered() -> None:
    assert first_wrong(RECORD.replace(" 0:7x6", "   0:7x6")) is None


@pytest.mark.parametrize("character", ["\0", "\x1b", "\u200b", "\u2028", "\t"])
def test_what_can_not_be_seen_is_told(character: str) -> None:
    wrong = first_wrong(RECORD.replace(" 0:7x6", f" {character} 0:7x6", 1))
    assert wrong is not None
    assert (wrong.line, wrong.problem) == (line_of(RECORD, "1. "), "holds something that can’t be seen")


def test_an_endless_line_is_told() -> None:
    wrong = first_wrong(RECORD.replace(" 0:7x6", f" {' ' * 70_000}0:dudo", 1))
    assert wrong is not None
    assert (wrong.line, wrong.problem) == (
        line_of(RECORD, "1. "),
        "is longer than 65536 characters, no line of a record is",
    )


# Which of several lines it is


def test_a_bid_that_was_changed_for_another_legal_one_is_told_and_not_the_head_behind_it() -> None:
    first = re.search(r"1\. \S+ \d:(\d+)x", RECORD)
    assert first is not None
    changed = RECORD[: first.start(1)] + "2" + RECORD[first.end(1) :]
    wrong = first_wrong(changed)
    assert wrong is not None
    line = line_of(RECORD, "1. ")
    assert (wrong.line, wrong.problem.partition(":")[0]) == (
        line,
        f"what was said and the head on line {line + 1} differ",
    )


def test_a_head_behind_a_round_that_was_changed_is_told_and_not_the_round() -> None:
    line = line_of(RECORD, "1. ") + 1
    lines = RECORD.splitlines()
    lines[line - 1] = f"% = {'0' * 52}"
    wrong = first_wrong("\n".join(lines) + "\n")
    assert wrong is not None
    assert wrong.line == line


def test_dice_are_told_by_their_line_though_what_shows_it_stands_below() -> None:
    line = line_of(RECORD, "1. ")
    hands = RECORD.splitlines()[line - 1].split()[1]
    other = "/".join("66666" if hand != "66666" else "11111" for hand in hands.split("/"))
    wrong = first_wrong(RECORD.replace(hands, other, 1))
    assert wrong is not None
    assert (wrong.line, wrong.problem) == (line, f"seat 0’s dice are not those of deal 1: expected {hands}")


# With all heads made to fit: what each check is there for


def dropped(begins: str) -> Callable[[list[str]], None]:
    """Leave a line out."""

    def edit(lines: list[str]) -> None:
        del lines[line_of("\n".join(lines), begins) - 1]

    return edit


def doubled(begins: str) -> Callable[[list[str]], None]:
    """Tell a line twice."""

    def edit(lines: list[str]) -> None:
        at = line_of("\n".join(lines), begins) - 1
        lines.insert(at, lines[at])

    return edit


def moved(begins: str, before: str) -> Callable[[list[str]], None]:
    """Tell a line before another."""

    def edit(lines: list[str]) -> None:
        line = lines.pop(line_of("\n".join(lines), begins) - 1)
        lines.insert(line_of("\n".join(lines), before) - 1, line)

    return edit


def replaced(pattern: str, by: str) -> Callable[[list[str]], None]:
    """Write something else."""

    def edit(lines: list[str]) -> None:
        text, count = re.subn(pattern, by, "\n".join(lines), count=1, flags=re.MULTILINE)
        assert count == 1
        lines[:] = text.split("\n")

    return edit


HEX = "0123456789abcdef" * 4
FORGED: dict[str, tuple[Callable[[list[str]], None], str, str]] = {
    # what was done, the line that is told and what is told of it
    "another seed": (
        replaced("deal 1 seed [0-9a-f]+", f"deal 1 seed {HEX}"),
        "% deal 1 seed",
        "is not the seed that the host committed to on line 9",
    ),
    "another commitment of the host": (
        replaced("deal 1 house [0-9a-f]+", f"deal 1 house {HEX}"),
        "% deal 1 seed",
        "is not the seed that the host committed to on line 9",
    ),
    "another entropy of a cup": (
        replaced("deal 1 opens 1 [0-9a-f]+", f"deal 1 opens 1 {HEX}"),
        "% deal 1 opens 1",
        "is not what seat 1’s cup committed to on line 11",
    ),
    "another commitment of a cup": (
        replaced("deal 1 cup 0 [0-9a-f]+", f"deal 1 cup 0 {HEX}"),
        "% deal 1 opens 0",
        "is not what seat 0’s cup committed to on line 10",
    ),
    "a cup's commitment called a switch's": (
        replaced("deal 1 cup 1", "deal 1 switch 1"),
        "% deal 1 opens 1",
        "is not what seat 1’s switch committed to on line 11",
    ),
    "a cup left out": (
        dropped("% deal 1 cup 1"),
        "% deal 1 sealed",
        "is sealed before seat 1 has committed to anything",
    ),
    "a cup twice": (
        doubled("% deal 1 cup 0"),
        "% deal 1 cup 0",
        "seat 0 has committed in this deal on line 10, once is enough",
    ),
    "a cup of nobody": (
        replaced("deal 1 cup 1", "deal 1 cup 5"),
        "% deal 1 cup 5",
        "seat 5 does not roll in this deal, only 0, 1",
    ),
    "a cup after a shake": (
        replaced("deal 1 cup 0", "deal 1 switch 0"),
        "% deal 1 cup 1",
        "a cup must commit before anybody has shaken, and line 10 tells a shake",
    ),
    "a cup after the seal": (
        moved("% deal 1 sealed", "% deal 1 cup 1"),
        "% deal 1 sealed",
        "is sealed before seat 1 has committed to anything",
    ),
    "a commitment more after the seal": (
        replaced("^% deal 1 sealed.*", f"% deal 1 sealed = x\n% deal 1 cup 1 {HEX} = x"),
        "% deal 1 cup 1 0123",
        "deal 1 has no dice, nobody commits any more",
    ),
    "a second seal": (doubled("% deal 1 sealed"), "% deal 1 sealed", "deal 1 has no dice, it is sealed once"),
    "no seal": (
        dropped("% deal 1 sealed"),
        "1. ",
        "expected dice of a deal that is sealed, but deal 1 is not sealed",
    ),
    "no house": (dropped("% deal 1 house"), "% deal 1 cup 0", "expected the host to commit first"),
    "a number left out": (replaced("deal 1 house", "deal 2 house"), "% deal 2 house", "expected deal 1"),
    "another deal's cup": (
        replaced("deal 1 cup 0", "deal 2 cup 0"),
        "% deal 2 cup 0",
        "expected deal 1, which is not sealed",
    ),
    "an opening left out": (
        dropped("% deal 1 opens 1"),
        "% deal 2 house",
        "expected deal 1 to be opened before it: its dice were shown",
    ),
    "a seed left out": (dropped("% deal 1 seed"), "% deal 1 opens 0", "expected the host to open its seed first"),
    "a seed twice": (doubled("% deal 1 seed"), "% deal 1 seed", "the host has opened its seed before"),
    "an opening twice": (doubled("% deal 1 opens 0"), "% deal 1 opens 0", "seat 0 has been opened before"),
    "an opening of nobody": (
        replaced("deal 1 opens 1", "deal 1 opens 7"),
        "% deal 1 opens 7",
        "seat 7 does not roll in this deal, only 0, 1",
    ),
    "an opening more": (
        replaced("^(% deal 1 opens 1.*)", r"\1\n\1"),
        "% deal 1 opens 1",
        "deal 1 is open, only what was called is opened",
    ),
    "a seed before the call": (
        moved("% deal 1 seed", "1. "),
        "% deal 1 seed",
        "deal 1 has no dice, only what was called is opened",
    ),
    "an opening before the seed": (
        moved("% deal 1 opens 0", "% deal 1 seed"),
        "% deal 1 opens 0",
        "expected the host to open its seed first",
    ),
    "a deal in the middle of a round": (
        replaced(r"^1\. \S+ (\S+) ", rf"1. ? \1\n% = x\n% deal 2 house {HEX} = x\n"),
        "% deal 2 house 0123",
        "no dice are to be rolled here",
    ),
    "somebody leaving before a deal is opened": (
        replaced("^% deal 1 seed", "2. 0:leave\n% = x\n% deal 1 seed"),
        "2. 0:leave",
        "expected deal 1 to be opened before it: its dice were shown",
    ),
    "no dice of a round that was called": (
        replaced(r"^1\. \S+", "1. ?"),
        "1. ?",
        "the dice of its round are not in the score",
    ),
    "no head before the result": (
        replaced(r"^\*$", "4. 0:leave\n*"),
        "*",
        "expected the head after line 36 before it",
    ),
    "dice without a deal": (
        moved("1. ", "% deal 1 house"),
        "1. ",
        "expected the commitments of a deal before its dice",
    ),
    "the head behind a round left out": (
        dropped("% = "),
        "% deal 1 seed",
        "expected the head after line 13 before it, % = ",
    ),
    "a head of nothing": (doubled("% = "), "% = ", "expected what was said, of which this is the head, before it"),
    "no first proof": (
        dropped("% match"),
        "% deal 1 house",
        "expected the match’s first proof, such as % match … proofs 2 seed",
    ),
    "a first proof twice": (
        doubled("% match"),
        "% match",
        "proves nothing: expected deal, its number, and one of house,",
    ),
    "another seed of the match": (
        replaced("seed [0-9a-f]+ rules", f"seed {HEX} rules"),
        "% match",
        "expected match ",
    ),
    "another opener": (
        replaced("(?s)first: 1(.*)first 1 seats", r"first: 0\1first 0 seats"),
        "% match",
        "expected seat 1 to open, whom this seed drew",
    ),
    "a bid out of turn": (replaced(r"^(1\. \S+) [01]:", r"\1 0:"), "1. ", "seat 0 may not "),
    "dice too few": (replaced(r"^(1\. \d{4})\d", r"\1"), "1. ", "seat 0 "),
    "a word as nobody writes it": (replaced(r"^1\. (\S)", r"01. \1"), "01. ", "expected 1. in place of 01."),
    "a bid as nobody writes it": (replaced(r"^(1\. \S+ 1:)", r"\g<1>0"), "1. ", "expected 1:"),
    "a heading in another order": (
        replaced("(rules: .*)\n(date: .*)", r"\2\n\1"),
        "date: ",
        "expected 'rules: perudo' in place of 'date: ",
    ),
    "a heading without its end": (replaced("^$", "seat 2: Cusco"), "% match", "expected an empty"),
    "a proof behind the result": (
        replaced(r"^\*$", f"*\n% = {'0' * 52}"),
        "% = 5NPW",
        "expected nothing after the result",
    ),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_a_forger_changed_is_told_even_if_every_head_fits(what: str) -> None:
    edit, line, problem = FORGED[what]
    forged = edited(RECORD, edit)
    wrong = first_wrong(forged)
    assert wrong is not None
    assert wrong.problem.startswith(problem)
    begin = line_of(forged, line)
    assert wrong.line in (begin, begin + 1) if forged.count(line) > 1 else wrong.line == begin


def test_a_round_that_nobody_called_has_no_dice() -> None:
    record = ProvenMatch(PERUDO, 15, seats=2).record
    (found,) = verify(record)
    secret = found.deals_at(DealStage.SECRET)[0]
    line = record.splitlines()[secret.shown_on - 1]
    dice = "/".join("1" * wanted for _, wanted in sorted(secret.wanted.items()))
    wrong = first_wrong(rechained(record.replace(line, line.replace("?", dice, 1), 1)))
    assert wrong is not None
    assert (
        str(wrong) == f"line {secret.shown_on}: expected ? for the dice of deal {secret.number}: no call ends its round"
    )


def test_a_match_that_is_won_says_so() -> None:
    record = ProvenMatch(PERUDO, 5, seats=2, accidents=False).record
    *_, result = record.splitlines()
    wrong = first_wrong(record.replace(f"\n{result}\n", "\n*\n"))
    assert wrong is not None
    assert wrong.problem == f"expected {result}"


def test_a_match_that_is_not_won_has_no_winner() -> None:
    wrong = first_wrong(RECORD.replace("\n*\n", "\n0:wins\n"))
    assert wrong is not None
    assert (wrong.line, wrong.problem) == (RECORD.count("\n"), "the match is not over")


def test_a_winner_whose_last_deal_was_not_opened_is_told() -> None:
    record = ProvenMatch(PERUDO, 5, seats=2, accidents=False).record
    last = record.splitlines()[-2]
    wrong = first_wrong(record.replace(f"{last}\n", ""))
    assert wrong is not None
    assert wrong.problem.endswith("to be opened before it: its dice were shown")


def test_dice_for_the_order_of_play_are_proven_too() -> None:
    record = RECORDS["palo-fijo"]
    line = line_of(record, "0. ")
    dice = record.splitlines()[line - 1]
    other = dice[:-1] + ("1" if dice[-1] != "1" else "2")
    wrong = first_wrong(rechained(record.replace(dice, other, 1)))
    assert wrong is not None
    assert wrong.line == line


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("", 1, "expected the first line of a record, dudo score 1"),
        ("\n\nhello", 3, "expected the first line of a record, dudo score 1"),
        ("dudo score 2\nrules: perudo\n", 1, "expected the first line of a record of this version, dudo score 1"),
        ("hello\ndudo score 1\n", 1, "expected the first line of a record, dudo score 1"),
    ],
)
def test_what_is_no_record_is_told(text: str, line: int, problem: str) -> None:
    wrong = first_wrong(text)
    assert wrong is not None
    assert (wrong.line, wrong.problem) == (line, problem)


LINES = st.sampled_from(sorted({line for record in RECORDS.values() for line in record.splitlines()}))


@given(st.lists(LINES | st.text(max_size=30) | st.text("0123456789:x?/.%= *dealopnscu", max_size=30), max_size=25))
@settings(deadline=None)
def test_whatever_stands_in_a_file_is_told_and_nothing_breaks(lines: list[str]) -> None:
    text = "\n".join(["dudo score 1", *RECORD.splitlines()[1:8], *lines])
    for verdict in verify(text):
        assert [*verdict.lines()]


@pytest.mark.parametrize("end", ["\n", "", "\n\ndudo score 1\n"])
def test_a_last_line_that_was_changed_is_not_taken_for_one_that_was_cut_off(end: str) -> None:
    text = RECORD[: RECORD.index("\n", RECORD.index("% deal 3 opens 1"))]
    changed = rechained(re.sub("(deal 3 opens 1) [0-9a-f]{64}", rf"\1 {HEX}", text)).removesuffix("\n")
    wrong = first_wrong(changed + end)
    assert wrong is not None
    assert (wrong.line, wrong.problem.partition(" committed")[0]) == (text.count("\n") + 1, "is not what seat 1’s cup")
