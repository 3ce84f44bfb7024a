"""The item under a seat's cursor: a bid or a word between arrows that show where there are more."""

from engine import Bid
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.glyphs import LOW
from firmware_host.screens.graphics.text import BOLD, HEAD, SMALL_BOLD, TITLE
from firmware_host.table.menu import Menu

_ARROW = 6
_APART = 4
_DIE = 15


def draw_choice(canvas: Canvas, menu: Menu, words: Words, box: Box) -> None:
    """Draw what OK would do into a box 16 dots high."""
    item = menu.chosen
    if item is None:
        return
    middle = box.top + box.height // 2 - 1
    if menu.cursor > 0:
        canvas.arrow(box.left, middle, _ARROW, leftward=True)
    if menu.cursor < len(menu.items) - 1:
        canvas.arrow(box.right - _ARROW, middle, _ARROW, leftward=False)
    inner = box.inset(_ARROW + 2)
    if isinstance(item, Bid):
        _bid(canvas, item, inner)
    else:
        canvas.text(words.item(item), inner, TITLE, HEAD, BOLD, SMALL_BOLD, align="center")


def _bid(canvas: Canvas, bid: Bid, box: Box) -> None:
    """A bid whose die stands still while its number grows, as far as two digits go."""
    number = str(bid.quantity)
    right = box.right - _DIE
    canvas.die(bid.face, right, box.top, "menu", style="solid")
    if LOW.across(number) <= box.width - _DIE - _APART + 2:
        canvas.number(number, right - _APART + 1, box.top, LOW)
    else:
        canvas.text(number, Box(box.left, box.top, box.width - _DIE - 2, box.height), BOLD, SMALL_BOLD, align="right")
