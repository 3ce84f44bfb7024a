"""One state of a seat, with everything that its picture is made of."""

from typing import NamedTuple

from PIL import Image

from engine import View
from firmware_host.i18n.words import ENGLISH, Words
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.renderer import paint, paint_peek
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView


class Exhibit(NamedTuple):
    """A state with its name, such as `turn/least raise`.

    `look` is the view under the lifted cup, None while the cup is down.
    """

    name: str
    view: SeatView
    menu: Menu
    look: View | None = None

    def painted(self, words: Words = ENGLISH) -> Canvas:
        """Draw the picture, with a record of the position of each piece."""
        if self.look is None:
            return paint(self.view, self.menu, words)
        return paint_peek(self.view, self.menu, self.look, words)

    def picture(self, words: Words = ENGLISH) -> Image.Image:
        """Draw the picture: 128 × 64 dots, mode "1"."""
        return self.painted(words).image
