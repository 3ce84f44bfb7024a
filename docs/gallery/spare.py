"""The pictures on a spare seat board, one that belongs to no seat."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from docs.gallery.troubles import LONG
from firmware_host.i18n.words import ENGLISH, Words
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.unassigned_board import UnassignedBoardView, paint_unassigned_board

_ID = "e6614103e7452d21"


class SpareBoard(NamedTuple):
    """One state of a spare board, with its name."""

    name: str
    view: UnassignedBoardView

    def painted(self, words: Words = ENGLISH) -> Canvas:
        """Draw the picture, with a record of the position of each piece."""
        return paint_unassigned_board(self.view, words)

    def picture(self, words: Words = ENGLISH) -> Image.Image:
        """Draw the picture: 128 × 64 dots, mode "1"."""
        return self.painted(words).image


@lru_cache
def spare_boards(names: tuple[str, ...]) -> tuple[SpareBoard, ...]:
    """Return all states of a spare board at a table with these seats."""
    return tuple(_states(names))


def _states(names: tuple[str, ...]) -> Iterator[SpareBoard]:
    yield SpareBoard("spare board/one seat misses its own", UnassignedBoardView(_ID, names[:1]))
    yield SpareBoard("spare board/all do", UnassignedBoardView(_ID, names, len(names) - 1))
    yield SpareBoard(
        "spare board/long", UnassignedBoardView("usb.Board-0123456789ABCDEF-WWWWWW", LONG, LONG.index("WWWWWWWWWW"))
    )
