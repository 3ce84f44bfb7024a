"""Text that is not in the notation: one error that quotes it, names its line and says what was expected."""

import pickle
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import (
    RULESETS,
    ActionTextError,
    NotationError,
    ScoreError,
    parse_action,
    parse_hand,
    parse_position,
    parse_rules,
    parse_score,
    parse_scores,
    write_score,
)

LINE = (
    "grandmother=perudo(to_aces=half,calza=false) bidding round 4 fixed-face of 1 dice 0:5,2:0,1:1 of 15 first 1 turn 0"
    " bid 3x2 by 1 used 1 rolls 5/3/- after round 3 normal bid 5x3 dudo by 1 of 0 wrong matching 6"
    " hands 13356/33/1 change 0/-1/-1 out 2"
)
SCORE = """dudo score 1
rules: perudo
date: 2026-11-21
seat 0: Lima
seat 1: Quito
first: 0

1. 13356/22346 0:4x3 1:dudo
2. ? 1:3x2
*
"""
READERS: dict[str, Callable[[str], object]] = {
    "hand": parse_hand,
    "rules": parse_rules,
    "position": parse_position,
    "score": parse_score,
    "scores": parse_scores,
}


@pytest.fixture(scope="session", params=READERS.values(), ids=READERS.keys())
def read(request: pytest.FixtureRequest) -> Callable[[str], object]:
    return request.param  # type: ignore[no-any-return]


def refused(read: Callable[[str], object], text: str) -> NotationError | None:
    """Return the error, which must be of one line and short however long the text is; None for text that is read."""
    try:
        read(text)
    except NotationError as wrong:
        error = wrong
    else:
        return None
    assert str(error).isprintable()
    assert len(str(error)) < 2000
    return error


@given(text=st.text())
@example(text="٣٣")
@example(text="²/³")
@example(text="\ud800")
@example(text="dudo score 1\n" * 3)
def test_any_text_is_read_or_refused(text: str, read: Callable[[str], object]) -> None:
    refused(read, text)


@given(data=st.data(), valid=st.sampled_from([LINE, SCORE]))
@settings(max_examples=400)
def test_a_changed_text_is_read_or_refused(data: st.DataObject, valid: str) -> None:
    piece = st.one_of(
        st.text(max_size=4), st.sampled_from([*valid.split(), "-", "9", "0:wins", "void", "\n", "10" * 40])
    )
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(valid)))
        valid = valid[:start] + data.draw(piece) + valid[start + data.draw(st.integers(0, 6)) :]
    for read in READERS.values():
        refused(read, valid)


def test_a_score_cut_off_anywhere_is_refused() -> None:
    for end in range(len(SCORE.rstrip())):
        assert refused(parse_score, SCORE[:end]) is not None


def test_a_score_without_any_one_of_its_words_never_reads_as_the_same() -> None:
    whole, words = parse_score(SCORE), SCORE.split(" ")
    for place in range(len(words)):
        text = " ".join(words[:place] + words[place + 1 :])
        assert refused(parse_score, text) or parse_score(text) != whole


@pytest.mark.parametrize("text", ["9" * 10**6, "1:" * 10**6, "/" * 10**6, "((((" * 10**6, SCORE + "0:4x3 " * 10**5])
def test_huge_text_is_refused_in_a_short_line(text: str, read: Callable[[str], object]) -> None:
    assert refused(read, text) is not None


def test_a_huge_action_is_not_quoted_whole() -> None:
    with pytest.raises(ActionTextError) as error:
        parse_action("9" * 10**6)
    assert len(str(error.value)) < 3000


WRONG_LINES = {
    "perudo": "'perudo': ends too early, expected one of seating",
    LINE + " again": "'again': expected the end of the line",
    LINE.replace("bidding", "bluffing"): "'bluffing': expected one of seating, choosing, rolling, bidding, over",
    LINE.replace("0:5,", "0:6,"): "'0:6,2:0,1:1': expected the dice of each seat",
    LINE.replace("0:5,", "1:5,"): "'1:5,2:0,1:1': expected the dice of each seat",
    LINE.replace("turn 0", "turn 3"): "'3': expected a seat, 0 to 2",
    LINE.replace("of 1 dice", "of 3 dice"): "'3': expected a seat, 0 to 2",
    LINE.replace("3x2 by", "dudo by"): "'dudo': expected a bid such as 5x3",
    LINE.replace("13356", "13357"): "'13357': expected one to five dice such as 13356, or - for none",
    LINE.replace("/33/1", "/33"): "'13356/33': expected hands such as 13356/-/22, one entry for each of 3 seats",
    LINE.replace("half", "third"): "'to_aces=third': expected one of half-or-more, half",
    LINE.replace("to_aces", "to_ace"): "'to_ace=half': expected a key of the rules, did you mean to_aces?",
    LINE.replace("=perudo", "=poker"): "'poker' is not a rule set",
    "pokker " + LINE: f"'pokker': expected {', '.join(RULESETS)}, or a custom one",
    LINE + "\n": "expected one line of printable text",
}


@pytest.mark.parametrize(("line", "said"), WRONG_LINES.items(), ids=range(len(WRONG_LINES)))
def test_a_wrong_position_is_told_by_its_word(line: str, said: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_position(line)
    assert said in str(error.value)
    assert error.value.line is None


WRONG_SCORES = {
    ("dudo score 1", "dudo score 2"): "line 1: 'dudo score 2': expected the first line of a score, 'dudo score 1'",
    ("rules: perudo\n", ""): "ends the heading, expected a line such as 'rules: perudo'",
    ("perudo", "perudi"): "line 2: 'perudi': expected kill-spot",
    ("date:", "dates:"): "line 3: 'dates: 2026-11-21': expected date: …",
    ("2026-11-21", "2026-13-21"): "line 3: '2026-13-21': expected a date as in 2026-11-21",
    ("seat 1: Quito\n", ""): "expected 2 to 8 lines in it such as 'seat 0: Lima', counting from 0",
    ("seat 1:", "seat 0:"): "line 5: 'seat 0: Quito': expected 'seat 0' once, it stands on line 4 too",
    ("first: 0", "first: 2"): "line 6: '2': expected a seat, 0 to 1",
    ("1. 133", "2. 133"): "line 8: '2.': expected 1.",
    ("1. 133", "133"): "line 8: '13356/22346': expected the number of the round, 1.",
    ("13356/22346", "13356/22346/1"): "line 8: '13356/22346/1': expected the dice of 2 seats",
    ("13356/22346", "13356/2234"): "line 8: '13356/2234': seat 1 rolled 4 dice, not 5",
    ("13356/22346", "13356/22347"): "line 8: '13356/22347': expected one to five dice",
    ("0:4x3", "1:4x3"): "line 8: '1:4x3': seat 1 may not 4x3 (not-in-turn) in: perudo bidding round 1",
    ("0:4x3", "5:4x3"): "line 8: '5:4x3': expected a seat, 0 to 1",
    ("0:4x3", "0:4*3"): "line 8: '0:4*3': expected a roll such as",
    ("0:4x3", "void"): "line 8: '1:dudo': seat 1 may not dudo (not-rolled) in:",
    ("0:4x3", "forgo 0:4x3"): "line 8: 'forgo': changes nothing here",
    ("1. ", "0. 1/2\n1. "): "line 8: '1/2': is a roll for the order of play, but the match awaits the dice of a round",
    ("1. ", "0. 12/2\n1. "): "line 8: '12/2': expected one die each for the order of play",
    ("dudo\n2.", "dudo"): "line 8: '?': expected the number of the round, 2.",
    ("1:3x2\n", "? 1:3x2\n"): "line 9: '?': is the dice of a round, but the match awaits a bid or a call",
    ("*", ""): "line 9: '1:3x2': ends too early, expected more of the match, * for a match that is not over",
    ("*", "* 0:3x3"): "line 10: '0:3x3': expected nothing after the result",
    ("*", "1:wins"): "line 10: '1:wins': the match is not over",
    ("*\n", "*\n" + SCORE): "'dudo score 1': expected one score, this text has several",
}


@pytest.mark.parametrize(("change", "said"), WRONG_SCORES.items(), ids=range(len(WRONG_SCORES)))
def test_a_wrong_score_is_told_by_its_line_and_word(change: tuple[str, str], said: str) -> None:
    old, new = change
    assert old in SCORE
    with pytest.raises(NotationError) as error:
        parse_score(SCORE.replace(old, new, 1))
    assert said in str(error.value)


def test_a_call_without_its_dice_is_a_score_but_can_not_be_played() -> None:
    text = SCORE.replace("13356/22346", "?")
    score = parse_score(text)
    assert write_score(score) == text
    with pytest.raises(NotationError, match=r"^line 8: '1:dudo': the dice of its round are not in the score"):
        parse_score(text, playable=True)
    with pytest.raises(ScoreError):
        list(score.positions())


def test_what_comes_after_a_call_without_its_dice_is_still_of_the_right_form() -> None:
    with pytest.raises(NotationError, match="'1:3y2': expected a roll"):
        parse_score(SCORE.replace("13356/22346", "?").replace("1:3x2", "1:3y2"))


def test_several_scores_stand_one_after_the_other() -> None:
    assert parse_scores(f"\n\n{SCORE}\n\n{SCORE}") == (parse_score(SCORE),) * 2


def test_line_ends_and_blanks_of_any_editor_do_not_matter() -> None:
    assert parse_score(SCORE.replace("\n", "  \r\n").replace(" 1:3", "\n\n   1:3")) == parse_score(SCORE)


def test_neither_a_score_nor_its_entries_show_dice_by_accident() -> None:
    score = parse_score(SCORE)
    assert "13356" not in f"{score!r} {score} {score.entries!r}"


def test_an_error_of_the_notation_can_be_sent_to_another_process() -> None:
    error = NotationError("x", "expected y", 7)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line) == ("line 7: 'x': expected y", 7)
    assert str(pickle.loads(pickle.dumps(ScoreError(3, "why")))) == "entry 3: why"


def with_bids(count: int, more: str = "") -> str:
    """Return a score whose round has so many bids."""
    bids = " ".join(f"{turn % 2}:{turn + 1}x3" for turn in range(count))
    return SCORE.replace("0:4x3 1:dudo\n2. ? 1:3x2", f"{bids} {more}")


@pytest.mark.slow
def test_a_long_match_is_read_in_time_that_grows_with_its_length() -> None:
    assert len(parse_score(with_bids(20_000)).entries) == 20_001


def test_a_long_round_takes_memory_that_grows_with_its_length() -> None:
    text = with_bids(4000)
    tracemalloc.start()
    parse_score(text)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20e6  # with a history for each bid: 64 MB more


def test_what_is_taken_back_leaves_the_history_before_it() -> None:
    matches = [*parse_score(with_bids(3, "undo undo 1:4x3 undo undo")).matches()]
    assert [len(match.history) for match in matches[1:]] == [0, 1, 2, 3, 2, 1, 2, 1, 0]
