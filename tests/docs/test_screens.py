"""The poster of the screens: the states it names exist, and its captions fit below their displays."""

import pytest
from PIL import Image, ImageFont

from docs import screens
from docs.gallery import gallery


@pytest.mark.parametrize("row", screens.ROWS, ids=lambda row: row.title)
def test_a_row_shows_states_of_the_gallery(row: screens.PosterRow) -> None:
    assert len(row.displays) == screens.COLUMNS
    for shown in row.displays:
        assert shown.state in {exhibit.name for exhibit in gallery(shown.seats)}


@pytest.mark.parametrize("row", screens.ROWS, ids=lambda row: row.title)
def test_captions_fit_below_their_displays(row: screens.PosterRow) -> None:
    font = ImageFont.load_default(screens.CAPTION)
    assert [shown.caption for shown in row.displays if font.getlength(shown.caption) > screens.CASE_SIZE[0] - 4] == []


def test_a_display_shows_every_dot_of_a_screen() -> None:
    picture = Image.new("1", (128, 64))
    picture.putpixel((5, 7), 1)
    lit = screens.display(picture)
    at = (5 * screens.DOT, 7 * screens.DOT)
    assert lit.getpixel(at) == screens.LIT
    assert lit.getpixel((at[0] + screens.DOT, at[1])) != screens.LIT
