"""A contact sheet: all pictures of a gallery on one PNG of one bit, with the names of their states inside the file.

Tests compare screens with these sheets.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from PIL import Image, PngImagePlugin

WIDTH, HEIGHT = 128, 64  # dots of a picture
GAP = 4  # lit dots between two pictures, which show where a picture ends
COLUMNS = 12
_STATES = "States"  # the PNG's text chunk with the names, as JSON


def save(pictures: Mapping[str, Image.Image], path: Path) -> None:
    """Write pictures, given by the names of their states, as a sheet."""
    rows = -(-len(pictures) // COLUMNS)
    size = COLUMNS * (WIDTH + GAP) + GAP, rows * (HEIGHT + GAP) + GAP
    sheet = Image.new("1", size, 255)
    for place, picture in enumerate(pictures.values()):
        sheet.paste(picture, _at(place))
    text = PngImagePlugin.PngInfo()
    text.add_text(_STATES, json.dumps([*pictures]), zip=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(path, optimize=True, pnginfo=text)


def load(path: Path) -> dict[str, Image.Image]:
    """Return the pictures of a sheet by the names of their states. Raises `OSError` for a missing file."""
    with Image.open(path) as sheet:
        names: list[str] = json.loads(sheet.text[_STATES])  # type: ignore[attr-defined]
        return {name: _cut(sheet, place) for place, name in enumerate(names)}


def _at(place: int) -> tuple[int, int]:
    row, column = divmod(place, COLUMNS)
    return GAP + column * (WIDTH + GAP), GAP + row * (HEIGHT + GAP)


def _cut(sheet: Image.Image, place: int) -> Image.Image:
    left, top = _at(place)
    return sheet.crop((left, top, left + WIDTH, top + HEIGHT))
