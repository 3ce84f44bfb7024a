"""`make pictures`: every picture in the README and the documents, in `docs/pictures`.

The wiring drawings come from the shipped layouts and from a Pico's wiring, the templates from part dimensions, the
posters and the moving picture from `docs.screens`, the screenshots from `docs.screenshots`. Only stale pictures are
written.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Protocol

from PIL import Image, ImageSequence

from docs.screens import (
    FAULT_LINES,
    FAULT_ROWS,
    LEARNING_LINES,
    LEARNING_ROWS,
    NAME_LINES,
    NAME_ROWS,
    STAFF_LINES,
    STAFF_ROWS,
    frames,
    poster,
)
from docs.screenshots import SCREENSHOTS
from docs.templates import box_sheet, cup_base_sheet, face_sheet
from docs.templates.solids_picture import SolidsPicture
from hardware.chips import CHIPS
from hardware.config.layout import load_builtin
from hardware.drawing.wiring import render_strip_board, render_svg, seat_board_diagram, table_diagram
from hardware.firmware import wiring

FOLDER = Path(__file__).parent / "pictures"
TABLES = ("wired-4", "wired-8", "boards-8")
"""The shipped layouts that are drawn."""


class PictureFile(Protocol):
    """A picture to compare with its file, and to write."""

    def stale_parts(self, file: Path) -> list[str]:
        """Name a file's stale parts; an empty list for a current file."""

    def write(self, file: Path) -> None:
        """Make the picture and write it."""


class Drawing:
    """A wiring drawing or a template as SVG text; its file is compared exactly."""

    def __init__(self, text: str) -> None:
        self.text = text

    def stale_parts(self, file: Path) -> list[str]:
        """Compare the text."""
        return [] if file.read_text(encoding="utf-8") == self.text else ["the drawing"]

    def write(self, file: Path) -> None:
        """Write the text."""
        file.write_text(self.text, encoding="utf-8")


class Poster:
    """A poster with screens; its file is compared pixel by pixel, as compression differs by version."""

    def __init__(self, draw: Callable[[], Image.Image]) -> None:
        self._draw = draw

    def stale_parts(self, file: Path) -> list[str]:
        """Compare the pixels."""
        with Image.open(file) as kept:
            new = self._draw().convert("RGB")
            is_same = kept.size == new.size and kept.convert("RGB").tobytes() == new.tobytes()
        return [] if is_same else ["the screens"]

    def write(self, file: Path) -> None:
        """Draw and write the poster."""
        self._draw().save(file, optimize=True)


class Film:
    """A round's moving picture; its file is compared like the poster's, and by its durations."""

    def stale_parts(self, file: Path) -> list[str]:
        """Compare the frames."""
        with Image.open(file) as kept:
            shown = [(frame.convert("RGB").tobytes(), frame.info["duration"]) for frame in ImageSequence.Iterator(kept)]
        is_same = shown == [(picture.convert("RGB").tobytes(), duration_ms) for picture, duration_ms in frames()]
        return [] if is_same else ["the screens"]

    def write(self, file: Path) -> None:
        """Draw and write the frames, as a loop."""
        (first, *others), durations_ms = zip(*frames(), strict=True)
        first.save(file, save_all=True, append_images=others, duration=list(durations_ms), loop=0)


def drawings() -> Mapping[str, Drawing]:
    """Return the wiring drawings by file name."""
    tables = {f"wiring-{name}.svg": Drawing(render_svg(table_diagram(load_builtin(name)))) for name in TABLES}
    with_lis3dh = SimpleNamespace(**{**vars(wiring), "TILT": None, "ACCELEROMETER": 0x18})
    return {
        **tables,
        "wiring-seat-board.svg": Drawing(render_svg(seat_board_diagram(wiring))),
        "wiring-seat-board-lis3dh.svg": Drawing(render_svg(seat_board_diagram(with_lis3dh))),
    }


def templates() -> Mapping[str, Drawing]:
    """Return the templates to print by file name."""
    return {
        "template-seat-box.svg": Drawing(box_sheet()),
        **{
            f"template-seat-face-{display.inches:g}-inch.svg": Drawing(face_sheet(display))
            for display in dict.fromkeys(chip.module for chip in CHIPS.values())
        },
        "template-cup-base.svg": Drawing(cup_base_sheet()),
    }


PICTURES: Mapping[str, PictureFile] = {
    **drawings(),
    "strip-board.svg": Drawing(render_strip_board(seat_board_diagram(wiring))),
    "printed-parts.svg": SolidsPicture(),
    **templates(),
    "screens.png": Poster(poster),
    "staff.png": Poster(partial(poster, STAFF_ROWS, "STAFF", STAFF_LINES)),
    "faults.png": Poster(partial(poster, FAULT_ROWS, "FAULTS", FAULT_LINES)),
    "names.png": Poster(partial(poster, NAME_ROWS, "NAMES", NAME_LINES)),
    "learning.png": Poster(partial(poster, LEARNING_ROWS, "LEARN", LEARNING_LINES)),
    "round.gif": Film(),
    **SCREENSHOTS,
}
"""Every picture by file name."""


def main(names: Sequence[str] = ()) -> None:
    """Write the stale ones among the named pictures, or among all, and print them. `KeyError` for an unknown name."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or PICTURES:
        file, picture = FOLDER / name, PICTURES[name]
        if not file.exists() or picture.stale_parts(file):
            picture.write(file)
            print(f"{file}: is new; look at it before you commit it")


if __name__ == "__main__":
    main(sys.argv[1:])
