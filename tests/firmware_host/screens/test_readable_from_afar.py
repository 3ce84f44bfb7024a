"""The parts to recognise from afar: bids of 24 dots and dice of 22, a lit display where the table waits, accents."""

from bisect import bisect

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from support.pictures.picture_layout import is_inverted, is_lit

from docs.gallery import Exhibit, gallery
from engine import DUDO, Bid, Hand
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.phrases import SIDE_MENU, YOU
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.graphics.fitting import fit, wrap
from firmware_host.screens.graphics.glyphs import CUTS, WILD_ACE, die
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_TIGHT, Font, rasterise, width
from firmware_host.screens.widgets import DICE
from firmware_host.table.seat.view import SceneName

BIG = 24  # dots
OWN = 22  # dots: five with three between them fill the display
NUMBER = 23  # dots: the most that keeps to three pages below the topmost row
TABLES = (2, 8)
SIZES = (7, 10, 16)
"""The heights in dots from which type reads as the next larger size."""


def states(*scenes: SceneName) -> list[Exhibit]:
    """Return the states of these scenes in which the match goes on: staff cover or pause others."""
    shown = [exhibit for seats in TABLES for exhibit in gallery(seats) if exhibit.view.scene in scenes]
    return [exhibit for exhibit in shown if not exhibit.view.paused and exhibit.view.staff is None]


def awaited(exhibit: Exhibit) -> bool:
    """Return whether the table waits for this seat's person, or it has won; a robot's seat is dark."""
    view = exhibit.view
    if view.scene is SceneName.OVER:
        return view.position is not None and view.position.winner == view.me
    return view.me is not None and view.me in view.waiting_for and view.robot is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_display_is_lit_where_the_table_waits_for_the_seat_and_nowhere_else(language: str) -> None:
    scenes = (SceneName.SHAKING, SceneName.CHOOSING, SceneName.BIDDING, SceneName.CALLED, SceneName.OVER)
    words = Words(translation_for(language))
    for state in states(*scenes):
        canvas = state.painted(words)
        assert is_inverted(canvas) == awaited(state), state.name
        if state.view.notice is None and state.view.scene is not SceneName.CALLED:  # both shine for some seconds
            assert is_lit(canvas) == awaited(state), state.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_standing_bid_is_a_number_of_23_dots_and_a_die_of_24(language: str) -> None:
    for state in states(SceneName.BIDDING):
        position = state.view.position
        is_asked = state.look is None and state.menu.chosen in SIDE_MENU
        if position is not None and isinstance(position.standing, Bid) and not is_asked:
            pieces = state.painted(Words(translation_for(language))).pieces
            heights = [piece.box.height for piece in pieces if piece.what == str(position.standing.quantity)]
            assert max(heights, default=0) >= NUMBER, state.name
            assert any(piece.what == f"die {BIG}" and piece.box.top == 1 for piece in pieces), state.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_called_dudo_is_a_word_24_dots_high_below_the_bid_and_its_caller(language: str) -> None:
    words = Words(translation_for(language))
    called = [state for state in states(SceneName.CALLED) if state.view.call is DUDO]
    assert called
    for state in called:
        pieces = state.painted(words).pieces
        (word,) = [piece for piece in pieces if "DUDO" in piece.what]
        assert word.box.height >= BIG, state.name
        view = state.view
        assert view.caller is not None
        assert view.position is not None
        assert view.position.standing is not None
        name = words(YOU) if view.caller == view.you else view.names[view.caller]
        above = [piece.what for piece in pieces if piece.box.bottom < word.box.top]
        assert name in above[0], state.name
        assert above[1:] == ["die 15", str(view.position.standing.quantity)], state.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_screen_has_at_most_three_sizes_of_type(language: str) -> None:
    words = Words(translation_for(language))
    for seats in (2, 4, 8):
        for state in gallery(seats):
            canvas = state.painted(words)
            sizes = {bisect(SIZES, each) for each in canvas.type_sizes}
            has_words = any(DICE.holds(piece.box) and not piece.what.startswith("die") for piece in canvas.pieces)
            assert len(sizes) <= 3 + has_words, f"{seats} {state.name}"


@pytest.mark.parametrize("wild_aces", [True, False])
def test_every_ace_is_a_star_where_aces_are_wild_and_never_elsewhere(wild_aces: bool) -> None:
    for cut in CUTS:
        canvas = Canvas(wild_aces=wild_aces)
        canvas.die(1, 0, 0, cut)
        drawn = canvas.image.crop((0, 0, *die(0, cut).size)).tobytes()
        assert drawn == die(WILD_ACE if wild_aces else 1, cut).tobytes()
        assert die(WILD_ACE, cut).tobytes() != die(1, cut).tobytes()


def test_own_dice_are_22_dots_high_under_the_cup() -> None:
    for state in states(SceneName.BIDDING):
        own: Hand | None = None if state.look is None else state.look.own
        if own is not None:
            dice = [piece.box for piece in state.painted(Words()).pieces if piece.what.startswith("die")]
            assert sum(box.height >= OWN for box in dice) >= len(own), state.name


def test_words_of_small_letters_are_four_columns_apart_where_there_is_room() -> None:
    roomy, tight = (fit("may look", room, 8, (SMALL,)) for room in (40, 32))
    assert [blank_columns(rasterise(*line).mask) for line in (roomy, tight)] == [4, 2]


def blank_columns(mask: Image.Image) -> int:
    """Return the widest gap in a line of letters."""
    columns = "".join("#" if mask.crop((at, 0, at + 1, mask.height)).getbbox() else " " for at in range(mask.width))
    return max(map(len, columns.split("#")))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Disk full:", "don’t cut the power"),
        ("Aces: half as many,", "so 2 or more."),
        ("Your buttons", "do not answer"),
    ],
)
def test_a_sentence_is_broken_behind_a_sign_or_into_lines_of_one_length(first: str, second: str) -> None:
    rows, _ = wrap(f"{first} {second}", (114, 22), 2, (BOLD,))
    assert rows == (first, second)


def test_no_line_ends_in_the_first_word_of_a_sentence() -> None:
    text = "Staff are here. The match goes on soon."
    rows, font = wrap(text, (112, 22), 2, (BOLD, SMALL))
    assert (rows, font) == (("Staff are here.", "The match goes on soon."), SMALL)


@given(text=st.text("aM .,\u00a0É👑", max_size=60), lines=st.integers(1, 3))
def test_any_text_is_broken_into_lines_of_the_box(text: str, lines: int) -> None:
    rows, font = wrap(text, (78, 40), lines, (BOLD, SMALL))
    assert 1 <= len(rows) <= lines
    assert all(width(row, font) <= 78 for row in rows)


@pytest.mark.parametrize("line", ["Your turn", "Te toca", "Ton tour", "Arequipa", "¿abandonar la partida?", "rattata"])
def test_letters_of_a_word_stand_apart(line: str) -> None:
    shapes = sum(_shapes(letter) for letter in line)
    assert _shapes(line) == shapes
    assert _shapes(line, SMALL_TIGHT) < shapes, "the strike's own spacing joins letters of this line"


def _shapes(text: str, font: Font = SMALL) -> int:
    mask = rasterise(text, font).mask
    ink = {(x, y) for x in range(mask.width) for y in range(mask.height) if mask.getpixel((x, y))}
    shapes = 0
    while ink:
        shapes += 1
        reached = [ink.pop()]
        for x, y in reached:
            around = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & ink
            ink -= around
            reached.extend(around)
    return shapes
