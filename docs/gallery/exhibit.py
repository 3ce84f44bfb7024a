"""One state of a seat, with all that its picture is made of."""

from typing import NamedTuple

from PIL import Image

from engine import View
from firmware_host.i18n.words import ENGLISH, Words
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.renderer import paint, paint_peek
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView


class Exhibit(NamedTuple):
    """A state by its name, as in `turn/least-raise`; `look` is what lies open under the cup, None while it is down."""

    name: str
    view: SeatView
    menu: Menu
    look: View | None = None

    def painted(self, words: Words = ENGLISH) -> Canvas:
        """Its picture, with the record of where each piece went."""
        if self.look is None:
            return paint(self.view, self.menu, words)
        return paint_peek(self.view, self.menu, self.look, words)

    def picture(self, words: Words = ENGLISH) -> Image.Image:
        """What is on the glass: 128 × 64 dots, mode "1"."""
        return self.painted(words).image
