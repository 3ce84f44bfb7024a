"""What is wrong with how a picture is laid out: what is cut, what lies on something else, what is shortened."""

import re
from collections.abc import Iterable
from gettext import NullTranslations
from itertools import combinations

from msgspec.structs import replace

from docs.gallery import Exhibit
from firmware_host.screens.graphics.canvas import HEIGHT, SHEET, WIDTH, Box, Canvas
from firmware_host.screens.graphics.fitting import ELLIPSIS
from firmware_host.screens.graphics.text import bare
from firmware_host.table.seat.view import Missing

MARGIN = (
    Box(SHEET.right, 0, WIDTH - SHEET.right, HEIGHT),
    Box(0, SHEET.bottom, WIDTH, HEIGHT - SHEET.bottom),
    Box(0, 0, SHEET.left, HEIGHT),
    Box(0, 0, WIDTH, SHEET.top),
)
"""What must stay empty, so that the picture is on the glass at every offset of the pixel shift."""
APART = 2
"""Least number of dots between two texts."""
_DRAWN = re.compile(r"die \d+|arrow|cup|meter")
"""Pieces that are no text."""


class RecordedTexts(NullTranslations):
    """A language that remembers which texts it was asked for, and what it said."""

    def __init__(self, translation: NullTranslations) -> None:
        super().__init__()
        self._translation = translation
        self.texts: set[str] = set()
        self.translated: set[str] = set()

    def gettext(self, message: str) -> str:
        return self._note(message, self._translation.gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._note(msgid1, self._translation.ngettext(msgid1, msgid2, n))

    def pgettext(self, context: str, message: str) -> str:
        return self._note(message, self._translation.pgettext(context, message))

    def _note(self, text: str, translated: str) -> str:
        self.texts.add(text)
        self.translated.add(translated)
        return translated


def faults(canvas: Canvas, names: Iterable[str] = ()) -> list[str]:
    """Pieces that are cut, meet another, are too near, or are shortened though they are no name; ink in the margin."""
    pieces = canvas.pieces
    names = tuple(names)
    return [
        *(f"{_describe(piece)} is cut" for piece in pieces if not SHEET.holds(piece.box)),
        *(
            f"{_describe(one)} meets {_describe(other)}"
            for one, other in combinations(pieces, 2)
            if one.box.meets(other.box)
        ),
        *(
            f"{_describe(one)} is too near {_describe(other)}"
            for one, other in combinations([piece for piece in pieces if not _DRAWN.fullmatch(piece.what)], 2)
            if _around(one.box).meets(other.box) and not (one.sentence and one.sentence == other.sentence)
        ),
        *(f"{_describe(piece)} is shortened" for piece in pieces if _shortened(piece.what, names)),
        *("there is ink in the margin" for box in MARGIN if not _is_plain(canvas, box)),
    ]


def is_lit(canvas: Canvas) -> bool:
    """Return whether more than half of the display shines."""
    return canvas.image.histogram()[255] > WIDTH * HEIGHT / 2


def is_inverted(canvas: Canvas) -> bool:
    """Return whether the ground shines and the ink is dark."""
    return bool(canvas.image.getpixel((WIDTH - 1, HEIGHT - 1)))


def written(canvas: Canvas) -> str:
    """Return all that is to be read, in the order in which it was written."""
    return " ".join(piece.what for piece in canvas.pieces)


def renamed(exhibit: Exhibit, names: tuple[str, ...]) -> Exhibit:
    """Return the same state at a table where other people sit."""
    was = exhibit.view
    calls = {old: names[place % len(names)] for place, old in enumerate(dict.fromkeys((*was.names, was.name)))}
    view = replace(
        was,
        name=calls[was.name],
        names=tuple(calls[name] for name in was.names),
        missing=tuple(Missing(calls.get(lost.name, lost.name), lost.device) for lost in was.missing),
    )
    return exhibit._replace(view=view)


def _around(box: Box) -> Box:
    """Return a box with the dots that must be free around it."""
    return box.inset(-APART, -APART)


def _describe(piece: object) -> str:
    what, box = piece.what, piece.box  # type: ignore[attr-defined]
    return f"{what!r} at {box.left},{box.top} {box.width}×{box.height}"


def _is_plain(canvas: Canvas, box: Box) -> bool:
    return len(canvas.image.crop((box.left, box.top, box.right, box.bottom)).getcolors() or ()) == 1


def _shortened(text: str, names: tuple[str, ...]) -> bool:
    """Return whether an ellipsis stands for something else than the rest of a name."""
    before, cut, _ = map(bare, text.partition(ELLIPSIS))
    shorter = (bare(name)[:length].rstrip() for name in names for length in range(1, len(name)))
    return bool(cut) and not any(before.endswith(start) for start in shorter)
