"""The pictures on an unassigned seat board."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from docs.gallery.problems import LONG
from firmware_host.i18n.words import ENGLISH, Words
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.idle import UnassignedBoardView, paint_unassigned_board

_ID = "e6614103e7452d21"


class UnassignedBoard(NamedTuple):
    """An unassigned board's state, with its name."""

    name: str
    view: UnassignedBoardView

    def painted(self, words: Words = ENGLISH) -> Canvas:
        """Draw the picture, with a record of each piece's position."""
        return paint_unassigned_board(self.view, words)

    def picture(self, words: Words = ENGLISH) -> Image.Image:
        """Draw the picture: 128 × 64 pixels, mode "1"."""
        return self.painted(words).image


@lru_cache
def unassigned_boards(names: tuple[str, ...]) -> tuple[UnassignedBoard, ...]:
    """Return all unassigned board states at a table with these seats."""
    return tuple(_states(names))


def _states(names: tuple[str, ...]) -> Iterator[UnassignedBoard]:
    yield UnassignedBoard("spare board/one seat misses its own", UnassignedBoardView(_ID, names[:1]))
    yield UnassignedBoard("spare board/all do", UnassignedBoardView(_ID, names, len(names) - 1))
    yield UnassignedBoard(
        "spare board/long", UnassignedBoardView("usb.Board-0123456789ABCDEF-WWWWWW", LONG, LONG.index("WWWWWWWWWW"))
    )
