"""`make goldens`: draw the golden pictures, the tests' reference for every screen, and print the changed states.

Each language and number of seats has one sheet in tests/firmware_host/screens/goldens: a one-bit PNG with the state
names in a text chunk. Look at the printed states before you commit the sheets: `git diff` cannot show a picture, but a
failing test leaves the old picture, the new one and the difference side by side.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from PIL import Image, PngImagePlugin

from docs.gallery import NAMES, gallery
from docs.gallery.unassigned_board import unassigned_boards
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.words import Words

FOLDER = Path(__file__).parent.parent / "tests" / "firmware_host" / "screens" / "goldens"
SEATS = (2, 8)
SHEETS = tuple((language, seats) for language in LANGUAGES for seats in SEATS)
"""The language and the number of seats of each sheet."""
WIDTH, HEIGHT = 128, 64  # pixels of a picture
GAP = 4  # lit pixels between two pictures
COLUMNS = 12
_STATES = "States"  # the PNG's text chunk with the names, as JSON


def drawn(language: str, seats: int) -> dict[str, Image.Image]:
    """Draw all states; return the pictures by name."""
    words = Words(translation_for(language))
    states = {state.name: state.picture(words) for state in gallery(seats)}
    return states | {state.name: state.picture(words) for state in unassigned_boards(NAMES[:seats])}


def sheet(language: str, seats: int) -> Path:
    """Return a sheet's path."""
    return FOLDER / f"{language}-{seats}.png"


def kept(language: str, seats: int) -> dict[str, Image.Image]:
    """Load a sheet's golden pictures by name; without a sheet an empty dict."""
    path = sheet(language, seats)
    return _load(path) if path.exists() else {}


def changed(old: Mapping[str, Image.Image], new: Mapping[str, Image.Image]) -> tuple[str, ...]:
    """Return the states in only one of the two, or with differing pixels."""
    names = dict.fromkeys((*old, *new))
    return tuple(n for n in names if n not in old or n not in new or old[n].tobytes() != new[n].tobytes())


def main() -> None:
    """Write the changed sheets, and print the names of their changed states."""
    for language, seats in SHEETS:
        old, new = kept(language, seats), drawn(language, seats)
        names = changed(old, new)
        print(f"{sheet(language, seats).name}: {len(names)} of {len(new)} changed")
        for name in names if old else ():
            print(f"  {name}")
        if names or [*old] != [*new]:
            _save(new, sheet(language, seats))


def _save(pictures: Mapping[str, Image.Image], path: Path) -> None:
    """Write pictures, by state name, as a sheet."""
    rows = -(-len(pictures) // COLUMNS)
    size = COLUMNS * (WIDTH + GAP) + GAP, rows * (HEIGHT + GAP) + GAP
    sheet = Image.new("1", size, 255)
    for place, picture in enumerate(pictures.values()):
        sheet.paste(picture, _at(place))
    text = PngImagePlugin.PngInfo()
    text.add_text(_STATES, json.dumps([*pictures]), zip=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(path, optimize=True, pnginfo=text)


def _load(path: Path) -> dict[str, Image.Image]:
    """Return a sheet's pictures by state name. Raises `OSError` for a missing file."""
    with Image.open(path) as sheet:
        names: list[str] = json.loads(sheet.text[_STATES])  # type: ignore[attr-defined]
        return {name: _cut(sheet, place) for place, name in enumerate(names)}


def _at(place: int) -> tuple[int, int]:
    row, column = divmod(place, COLUMNS)
    return GAP + column * (WIDTH + GAP), GAP + row * (HEIGHT + GAP)


def _cut(sheet: Image.Image, place: int) -> Image.Image:
    left, top = _at(place)
    return sheet.crop((left, top, left + WIDTH, top + HEIGHT))


if __name__ == "__main__":
    main()
