"""The poster of the screens: the states it names exist, and its captions fit below their displays."""

import pytest
from PIL import Image, ImageFont

from docs import poster
from docs.gallery import gallery


@pytest.mark.parametrize("row", poster.ROWS, ids=lambda row: row.title)
def test_a_row_shows_states_of_the_gallery(row: poster.Row) -> None:
    assert len(row.displays) == poster.COLUMNS
    for shown in row.displays:
        assert shown.state in {exhibit.name for exhibit in gallery(shown.seats)}


@pytest.mark.parametrize("row", poster.ROWS, ids=lambda row: row.title)
def test_captions_fit_below_their_displays(row: poster.Row) -> None:
    font = ImageFont.load_default(poster.CAPTION)
    assert [shown.caption for shown in row.displays if font.getlength(shown.caption) > poster.CASE_SIZE[0] - 4] == []


def test_a_display_shows_every_dot_of_a_screen() -> None:
    picture = Image.new("1", (128, 64))
    picture.putpixel((5, 7), 1)
    lit = poster.display(picture)
    at = (5 * poster.DOT, 7 * poster.DOT)
    assert lit.getpixel(at) == poster.LIT
    assert lit.getpixel((at[0] + poster.DOT, at[1])) != poster.LIT
