"""A seat board that belongs to no seat: what it is, whose it would be, and what to do to make it that."""

from msgspec import Struct
from PIL import Image

from firmware_host.i18n import phrases
from firmware_host.i18n.words import ENGLISH, Words
from firmware_host.screens import own_dice
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.graphics.regions import HINT, SUBTITLE, TITLE_BAR
from firmware_host.screens.graphics.text import BOLD, HEAD, SMALL, TEXT, TINY
from firmware_host.screens.widgets import draw_page_heading

_LETTERS = 24
"""Of an id: its end, in which ids of one maker differ."""


class UnassignedBoardView(Struct, frozen=True):
    """The board's own id, the names of the seats that miss theirs, and for which of them it is meant now."""

    identity: str
    names: tuple[str, ...]
    chosen: int = 0


def draw_unassigned_board(view: UnassignedBoardView, words: Words = ENGLISH) -> Image.Image:
    """The picture of a spare board: 128 × 64, mode "1"."""
    return paint_unassigned_board(view, words).image


def paint_unassigned_board(view: UnassignedBoardView, words: Words = ENGLISH) -> Canvas:
    """What `draw_unassigned_board` draws, with the record of where each piece went."""
    canvas = Canvas()
    canvas.text(words(phrases.NEW_BOARD), TITLE_BAR, HEAD, BOLD, align="center")
    canvas.text(view.identity[-_LETTERS:], SUBTITLE, SMALL, TINY, align="center")
    sentence, name = words(phrases.MEANT_FOR), view.names[view.chosen]
    if len(view.names) > 1:
        draw_page_heading(canvas, sentence, name)
    else:
        canvas.naming(sentence, name, HINT, BOLD, TEXT, SMALL, align="center")
    own_dice.draw_sentence(canvas, words(phrases.HOLD_AND_SHAKE))
    return canvas
