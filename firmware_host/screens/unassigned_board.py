"""A seat board without a seat: its id, the offered seat, and how to assign it."""

from msgspec import Struct
from PIL import Image

from firmware_host.i18n import phrases
from firmware_host.i18n.words import ENGLISH, Words
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.graphics.text import BOLD, SMALL, TINY
from firmware_host.screens.widgets import HINT, SUBTITLE, TITLE_BAR, draw_page_heading, draw_sentence

_LETTERS = 24
"""Displayed letters at an id's end, where ids from one maker differ."""


class UnassignedBoardView(Struct, frozen=True):
    """The board's id, the names of seats without a board, and the seat offered now."""

    identity: str
    names: tuple[str, ...]
    chosen: int = 0


def draw_unassigned_board(view: UnassignedBoardView, words: Words = ENGLISH) -> Image.Image:
    """Draw an unassigned board's picture: 128 × 64, mode "1"."""
    return paint_unassigned_board(view, words).image


def paint_unassigned_board(view: UnassignedBoardView, words: Words = ENGLISH) -> Canvas:
    """Draw as `draw_unassigned_board` does, recording each piece's place."""
    canvas = Canvas()
    canvas.text(words(phrases.NEW_BOARD), TITLE_BAR, BOLD)
    canvas.text(view.identity[-_LETTERS:], SUBTITLE, SMALL, TINY)
    sentence, name = words(phrases.MEANT_FOR), view.names[view.chosen]
    if len(view.names) > 1:
        draw_page_heading(canvas, sentence, name)
    else:
        canvas.sentence(sentence, name, HINT, SMALL)
    draw_sentence(canvas, words(phrases.HOLD_AND_SHAKE))
    return canvas
