"""Before and after: an old sheet of golden pictures beside today's screens, for whoever judges a new layout.

    git show COMMIT:tests/firmware_host/screens/goldens/en-8.png > build/en-8.png
    .venv/bin/python -m docs.comparison build/en-8.png build/before-after.png

Without names of states after the two paths, thirty are chosen that lie evenly through a match.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from docs.gallery.sheet import load
from docs.goldens import drawn
from docs.poster import BACKGROUND, DISPLAY, GAP, MARGIN, QUIET, TEXT, display

_SHOWN = 30
_PAIRS = 3  # in a row
_CAPTION = 28  # pixels
_TOP = 110  # pixels above the first row


def comparison(before: Mapping[str, Image.Image], after: Mapping[str, Image.Image]) -> Image.Image:
    """Draw the pictures of two sheets in pairs, with the name of each state below."""
    pitch = 2 * DISPLAY[0] + GAP // 2 + GAP, DISPLAY[1] + GAP + _CAPTION
    rows = -(-len(before) // _PAIRS)
    size = 2 * MARGIN + _PAIRS * pitch[0] - GAP, _TOP + rows * pitch[1] + MARGIN
    sheet = Image.new("RGB", size, BACKGROUND)
    pen = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(_CAPTION)
    for index, name in enumerate(before):
        left, top = MARGIN + index % _PAIRS * pitch[0], _TOP + index // _PAIRS * pitch[1]
        right = left + DISPLAY[0] + GAP // 2
        for column, picture, heading in ((left, before[name], "before"), (right, after[name], "after")):
            sheet.paste(display(picture), (column, top))
            if index < _PAIRS:
                pen.text((column, _TOP - 50), heading, QUIET, font)
        pen.text((left, top + DISPLAY[1] + 4), name, TEXT, font)
    return sheet


def chosen(before: Mapping[str, Image.Image], after: Mapping[str, Image.Image], names: Sequence[str]) -> list[str]:
    """Return the states to compare: those named, else thirty of those whose picture changed, evenly chosen."""
    if names:
        return [*names]
    changed = [name for name in before if name in after and before[name].tobytes() != after[name].tobytes()]
    return [changed[index * len(changed) // _SHOWN] for index in range(min(_SHOWN, len(changed)))]


def main() -> None:
    """Compare an old sheet with today's screens; the old file's name says which language and number of seats."""
    old, out, *names = sys.argv[1:]
    language, seats = Path(old).stem.split("-")
    before, after = load(Path(old)), drawn(language, int(seats))
    states = chosen(before, after, names)
    comparison({name: before[name] for name in states}, {name: after[name] for name in states}).save(out)


if __name__ == "__main__":
    main()
