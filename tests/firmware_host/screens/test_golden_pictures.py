"""Every screen in every language is the same, dot by dot, as its golden picture (`make goldens`)."""

from pathlib import Path

import pytest
from PIL import Image, ImageChops

from docs.goldens import SHEETS, changed, drawn, kept

NOTHING = Image.new("1", (128, 64))


def laid_out(old: Image.Image, new: Image.Image) -> Image.Image:
    """Return the golden picture, the new one and their difference, one below the other and twice as big."""
    pictures = (old, new, ImageChops.logical_xor(old, new))
    board = Image.new("1", (132, 3 * 68), 255)
    for place, picture in enumerate(pictures):
        board.paste(picture, (2, 2 + 68 * place))
    return board.resize((2 * board.width, 2 * board.height), Image.Resampling.NEAREST)


@pytest.mark.parametrize(("language", "seats"), SHEETS)
def test_every_screen_is_as_it_was_kept(language: str, seats: int, tmp_path: Path) -> None:
    old, new = kept(language, seats), drawn(language, seats)
    differences = []
    for number, name in enumerate(changed(old, new)):
        file = tmp_path / f"{number:03}-{name.replace('/', '-')}.png"
        laid_out(old.get(name, NOTHING), new.get(name, NOTHING)).save(file)
        what = "is new" if name not in old else "is gone" if name not in new else "differs"
        differences.append(f"{name} {what}: {file}")
    assert not differences, (
        "each picture has the golden screen, the new one and the difference; if the new ones are right: make goldens\n"
        + ("\n".join(differences))
    )


@pytest.mark.parametrize(("language", "seats"), SHEETS)
def test_the_sheets_are_in_the_order_of_an_evening(language: str, seats: int) -> None:
    assert [*kept(language, seats)] == [*drawn(language, seats)]
