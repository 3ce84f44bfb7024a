"""A question to a player over the whole display: the words, the reason, and two answers."""

from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD
from firmware_host.screens.widgets import draw_answers, draw_turn_clock
from firmware_host.table.menu import Menu, MenuCommand
from firmware_host.table.seat_view import SeatView

_ASKED = Box(2, 1, 120, 12)
_WHY = Box(2, 15, 120, 17)
_CLOCK = Box(2, 19, 120, 8)
_ANSWERS = Box(1, 36, 124, 24)
_YES = (MenuCommand.AGREE, MenuCommand.QUIT)


def draw_question(canvas: Canvas, view: SeatView, menu: Menu, words: Words) -> None:
    """Draw one seat's whole picture while a question in `phrases.QUESTION` is under OK."""
    if menu.chosen is None:
        return
    asked, why = phrases.QUESTION[menu.chosen]
    canvas.text(words(asked), _ASKED, BOLD, SMALL_BOLD, align="center")
    if view.clock_s is not None:
        draw_turn_clock(canvas, view.clock_s, _CLOCK)
    elif why:
        canvas.text(words(why), _WHY, SMALL, align="center")
    elif held_up := words.held_up(view):
        canvas.sentence_lines(*held_up, _WHY, 2, SMALL, align="center")
    no, yes = (words.item(item) for item in menu.items)
    draw_answers(canvas, no, yes, _ANSWERS, is_yes=menu.chosen in _YES)
