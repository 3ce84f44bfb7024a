"""`make screens`: what it promises to show is there, and its captions fit under their panels."""

import pytest
from PIL import Image, ImageFont

from docs import screens
from docs.gallery import gallery


@pytest.mark.parametrize("row", screens.ROWS, ids=lambda row: row.title)
def test_a_row_shows_states_that_there_are(row: screens.Row) -> None:
    assert len(row.panels) == screens.COLUMNS
    for shown in row.panels:
        assert shown.state in {exhibit.name for exhibit in gallery(shown.seats)}


@pytest.mark.parametrize("row", screens.ROWS, ids=lambda row: row.title)
def test_captions_fit_under_their_panels(row: screens.Row) -> None:
    font = ImageFont.load_default(screens.CAPTION)
    assert [shown.caption for shown in row.panels if font.getlength(shown.caption) > screens.CASE_SIZE[0] - 4] == []


def test_a_glass_shows_every_dot_of_a_picture() -> None:
    picture = Image.new("1", (128, 64))
    picture.putpixel((5, 7), 1)
    shone = screens.glass(picture)
    at = (5 * screens.DOT, 7 * screens.DOT)
    assert shone.getpixel(at) == screens.DOTS
    assert shone.getpixel((at[0] + screens.DOT, at[1])) != screens.DOTS
