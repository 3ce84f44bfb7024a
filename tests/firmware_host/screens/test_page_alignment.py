"""Dice, digits and small letters keep to the controller's pages of eight rows, so that little has to be sent."""

import string

import pytest
from PIL import Image

from firmware_host.screens.graphics.fitting import fits
from firmware_host.screens.graphics.glyphs import HIGH, LOW, WILD_ACE, die, digit
from firmware_host.screens.graphics.text import LOUD, SMALL, TINIEST, TINY, Font, missing_glyphs, rasterise
from firmware_host.screens.widgets import BID

ACCENTED = "áéíóúñüàâçèéêëîïôùûüÿœßäö"


def rows(picture: Image.Image) -> set[int]:
    return {at for at in range(picture.height) if picture.crop((0, at, picture.width, at + 1)).getbbox()}


@pytest.mark.parametrize("face", range(1, 7))
def test_every_pip_of_a_bids_die_lies_in_one_page(face: int) -> None:
    blank = Image.new("1", (24, 24), 255)
    blank.paste(0, (0, 0), die(face, "bid", "solid"))
    inside = rows(blank.crop((3, 3, 21, 21)))
    assert not {row + 3 for row in inside} & {7, 8, 15, 16}


def test_the_star_of_a_bids_ace_lies_in_one_page() -> None:
    blank = Image.new("1", (24, 24), 255)
    blank.paste(0, (0, 0), die(WILD_ACE, "bid", "solid"))
    assert {(BID.top + 3 + row) // 8 for row in rows(blank.crop((3, 3, 21, 21)))} == {1}


@pytest.mark.parametrize("face", [*range(1, 7), WILD_ACE])
def test_the_pips_of_an_own_die_lie_in_its_middle_16_rows_and_columns(face: int) -> None:
    pips = die(face, "own").copy()
    pips.paste(0, (3, 3, 19, 19))
    covered = die(0, "own").copy()
    assert pips.tobytes() == covered.tobytes()


@pytest.mark.parametrize("cut", [HIGH, LOW])
def test_no_two_digits_look_alike(cut: object) -> None:
    assert len({digit(value, HIGH if cut is HIGH else LOW).tobytes() for value in range(10)}) == 10


@pytest.mark.parametrize("font", [SMALL, TINY, TINIEST], ids=lambda font: font.file)
def test_a_small_line_is_eight_rows_high_whatever_it_says(font: Font) -> None:
    for letter in (*string.ascii_letters, *string.digits, *ACCENTED, *",;:!?’…·−+×"):
        assert fits(f"Ag{letter}", 99, 8, font), letter


@pytest.mark.parametrize("letter", "_Q,;ç")
def test_a_letter_of_a_name_in_turn_keeps_to_the_rows_of_its_capitals(letter: str) -> None:
    raster = rasterise(letter, LOUD)
    assert raster.mask.getbbox()
    assert raster.top + raster.mask.height <= 0


def test_a_docked_letter_keeps_its_accent() -> None:
    for accented, bare in zip("áéíóúñàèêçÉÀ", "aeiounaeecEA", strict=True):
        assert rasterise(accented, SMALL).mask.tobytes() != rasterise(bare, SMALL).mask.tobytes()


def test_every_letter_of_spanish_and_french_has_dots() -> None:
    assert missing_glyphs("ÁÉÍÓÚÑÜ¿¡ÇÀÂÆÈÊËÎÏÔŒÙÛŸáéíóúñüçàâæèêëîïôœùûÿ«»’…×−·–—") == ()
