"""Every state of a seat in every language, at small and at full tables, whoever sits there: nothing cut or covered."""

import re

import pytest
from babel.messages.extract import extract_from_file
from support.pictures.picture_layout import RecordedTexts, bare, faults, renamed, written

from docs.gallery import LONG, NAMES, gallery
from docs.gallery.unassigned_board import unassigned_boards
from engine import RoundKind
from firmware_host.i18n import phrases
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import SHEET, Box, Canvas
from firmware_host.screens.graphics.text import SMALL, missing_glyphs

WIDE = ("WWWWWWWWWW", "MMMMMMMMMM", "ÅÅÅÅÅÅÅÅÅÅ", "@@@@@@@@@@", "Ñqjgy Ýqjg", "ÊÊÊÊÊÊÊÊÊÊ", "mmmmmmmmmm", "000AMss~¼Æ")
SHORT = ("I", "j", "Å", "Q", "1", "ß", "Ð", "Ç")
CROWDS = {"layout": NAMES, "long": LONG, "wide": WIDE, "short": SHORT}
EVERY_TABLE = [*(2, 3, 5, 8), *(pytest.param(seats, marks=pytest.mark.soak) for seats in (4, 6, 7))]


@pytest.mark.slow
@pytest.mark.parametrize("crowd", CROWDS)
@pytest.mark.parametrize("seats", EVERY_TABLE)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_covered_or_shortened(language: str, seats: int, crowd: str) -> None:
    words, names = Words(translation_for(language)), CROWDS[crowd]
    wrong = {
        exhibit.name: found
        for exhibit in gallery(seats)
        if (found := faults(renamed(exhibit, names).painted(words), names))
    }
    assert not wrong, "\n".join(f"{language}-{seats} {name}: {'; '.join(found)}" for name, found in wrong.items())


@pytest.mark.parametrize("crowd", CROWDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_spare_board_tells_whatever_the_names(language: str, crowd: str) -> None:
    for state in unassigned_boards(CROWDS[crowd]):
        names = (*state.view.names, *CROWDS[crowd])
        assert not faults(state.painted(Words(translation_for(language))), names), state.name


OF_THE_OWNERS_PAGE = {
    *(
        "All is well",
        "Check the table",
        "Checking",
        "Working",
        "Something needs attention",
        "Keep names",
        "for the evening",
        "{} day",
    ),
    *("house rules", "a cup", "a display", "a light", "a DUDO button", "an input for the service key"),
    *("is being updated", "is updated by itself when nobody plays", "its release is not known yet"),
    "this release did not start on it; dudo-table boards update tries again",
    "update it once with the paper clip: hardware/README.md, “Newer firmware”",
}
FOR_PAGES_AND_VOICE = {
    *OF_THE_OWNERS_PAGE,
    *(phrases.LOSES_LAST, phrases.WINS_MATCH, phrases.OPENS, phrases.TIME_IS_UP, phrases.MATCH_GOES_ON),
    *(phrases.PASS_WAS_HONEST, phrases.PASS_WAS_BLUFF),
    *(phrases.HEARD_OWN_DICE, phrases.HEARD_DICE_OF, phrases.AFTER_THE_ROUND),
    *(phrases.YOUR_TURN, phrases.SHAKE_CUP),
    *phrases.KIND_IN_WORDS.values(),
    *phrases.DEVICE.values(),
} - {phrases.CHOICE_HINT[RoundKind.NORMAL]}  # a display has this one as well

FACES_IN_TIPS = {one for one, _ in phrases.FACE_NAMES.values()}
"""A display draws a die; only some tips name faces."""


@pytest.mark.slow
def test_every_text_of_the_panels_is_seen_in_some_state() -> None:
    recorded = RecordedTexts(translation_for("es"))
    for seats in (2, 3, 4, 8):
        for exhibit in gallery(seats):
            exhibit.painted(Words(recorded))
        for state in unassigned_boards(NAMES[:seats]):
            state.painted(Words(recorded))
    marked = extract_from_file("python", phrases.__file__, {"N_": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)})
    texts = {text if isinstance(text, str) else text[0] for _, text, _, _ in marked}
    assert texts - recorded.texts - FACES_IN_TIPS == FOR_PAGES_AND_VOICE


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_of_a_language_has_dots(language: str) -> None:
    recorded = RecordedTexts(translation_for(language))
    for exhibit in gallery(8):
        exhibit.painted(Words(recorded))
    for state in unassigned_boards(NAMES):
        state.painted(Words(recorded))
    assert {text: missing_glyphs(text) for text in recorded.translated if missing_glyphs(text)} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_screen_says_the_same_twice(language: str) -> None:
    for exhibit in (*gallery(2), *gallery(8)):
        said = [piece.what for piece in exhibit.painted(Words(translation_for(language))).pieces if " " in piece.what]
        words = [text for text in said if text.replace(" ", "").isalpha()]
        assert len(words) == len({*words}), exhibit.name


@pytest.mark.parametrize("language", ["es", "fr"])
def test_no_word_loses_its_accent(language: str) -> None:
    for exhibit in (*gallery(2), *gallery(8)):
        recorded = RecordedTexts(translation_for(language))
        text = written(exhibit.painted(Words(recorded)))
        parts = {part.strip() for translated in recorded.translated for part in re.split(r"\{\w*\}", translated)}
        lost = {part for part in parts if part != bare(part) and bare(part) in text and part not in text}
        assert not lost, exhibit.name


def test_an_accent_that_reaches_further_left_than_its_letter_stays_on_the_display() -> None:
    canvas = Canvas()
    canvas.short("ĩ000", Box(SHEET.left, 8, 64, 8), SMALL)
    (piece,) = canvas.pieces
    assert piece.box.left == SHEET.left
