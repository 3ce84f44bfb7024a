"""Lines that begin with % are no part of a score, wherever they stand; `verify` reads proofs in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import NotationError, parse_score, parse_scores
from engine.notation.score_text import NumberedLine, read_score

SCORE = """dudo score 1
rules: perudo
seat 0: Lima
seat 1: Quito
first: 0

1. 13356/22346 0:4x3 1:dudo
2. ? 1:2x2
*
"""


@given(st.lists(st.tuples(st.integers(0, 9), st.text(st.characters(exclude_categories=["C", "Z"]))), max_size=5))
def test_a_score_is_the_same_with_asides_between_its_lines(asides: list[tuple[int, str]]) -> None:
    lines = SCORE.splitlines()
    for place, text in asides:
        lines.insert(place, f"%{text}")
    assert parse_score("\n".join(lines)) == parse_score(SCORE)


def test_a_round_may_go_on_behind_an_aside() -> None:
    assert parse_score(SCORE.replace(" 0:4x3", "\n% aside\n0:4x3")) == parse_score(SCORE)


def test_only_the_first_character_of_a_line_makes_it_one() -> None:
    with pytest.raises(NotationError, match="line 9: '%': expected a roll"):
        parse_score(SCORE.replace("2. ?", "2. ?\n % aside"))


def test_lines_are_counted_with_them() -> None:
    with pytest.raises(NotationError, match="line 10: '0:2x2': seat 0 may not 2x2"):
        parse_score("% a\n% b\n" + SCORE.replace("1:2x2", "0:2x2"))


def test_asides_alone_are_no_score() -> None:
    with pytest.raises(NotationError, match="is empty"):
        parse_scores("% a\n% b\n")


def lines(text: str) -> list[NumberedLine]:
    return [NumberedLine(number, line) for number, line in enumerate(text.splitlines(), start=1)]


def test_a_score_that_was_cut_off_is_read_as_far_as_it_goes() -> None:
    read = read_score(lines(SCORE.replace("*\n", "")))
    assert read.score == parse_score(SCORE)
    assert read.words[-1] == (8, "1:2x2")
    assert (read.result, read.problem) == (None, None)


def test_what_stands_before_a_word_that_is_wrong_is_read() -> None:
    read = read_score(lines(SCORE.replace("1:dudo", "1:dodu")))
    assert [word.text for word in read.words] == ["13356/22346", "0:4x3"]
    assert read.problem is not None
    assert (read.problem.line, read.last) == (7, (7, "1:dodu"))


def test_the_word_of_the_result_is_told() -> None:
    assert read_score(lines(SCORE)).result == (9, "*")
