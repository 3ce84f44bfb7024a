"""`make goldens`: draw the golden pictures, which every screen is compared with, and print the states that changed.

Each language and number of seats has one sheet in tests/firmware_host/screens/goldens. Look at the printed states
before you commit the sheets: `git diff` cannot show a picture, but a failing test leaves the old picture, the new one
and the difference side by side.
"""

from collections.abc import Mapping
from pathlib import Path

from PIL import Image

from docs.gallery import NAMES, gallery
from docs.gallery.sheet import load, save
from docs.gallery.unassigned_board import unassigned_boards
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.words import Words

FOLDER = Path(__file__).parent.parent / "tests" / "firmware_host" / "screens" / "goldens"
SEATS = (2, 8)
SHEETS = tuple((language, seats) for language in LANGUAGES for seats in SEATS)
"""The language and the number of seats of each sheet."""


def drawn(language: str, seats: int) -> dict[str, Image.Image]:
    """Draw the pictures of all states; return them by name."""
    words = Words(translation_for(language))
    states = {state.name: state.picture(words) for state in gallery(seats)}
    return states | {state.name: state.picture(words) for state in unassigned_boards(NAMES[:seats])}


def sheet(language: str, seats: int) -> Path:
    """Return the path of a sheet."""
    return FOLDER / f"{language}-{seats}.png"


def kept(language: str, seats: int) -> dict[str, Image.Image]:
    """Load the golden pictures of all states; return them by name, or none without a sheet."""
    path = sheet(language, seats)
    return load(path) if path.exists() else {}


def changed(old: Mapping[str, Image.Image], new: Mapping[str, Image.Image]) -> tuple[str, ...]:
    """Return the states that only one of the two has, or that differ by a dot."""
    names = dict.fromkeys((*old, *new))
    return tuple(n for n in names if n not in old or n not in new or old[n].tobytes() != new[n].tobytes())


def main() -> None:
    """Write the sheets that changed, and print the names of their changed states."""
    for language, seats in SHEETS:
        old, new = kept(language, seats), drawn(language, seats)
        names = changed(old, new)
        print(f"{sheet(language, seats).name}: {len(names)} of {len(new)} changed")
        for name in names if old else ():
            print(f"  {name}")
        if names or [*old] != [*new]:
            save(new, sheet(language, seats))


if __name__ == "__main__":
    main()
