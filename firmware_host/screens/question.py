"""A question to a player over the whole display: the words, the reason, and two answers."""

from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD
from firmware_host.screens.widgets import (
    DICE,
    LEFT,
    SUBTITLE,
    TITLE_BAR,
    draw_answers,
    draw_caption,
    draw_notice,
    draw_turn_clock,
)
from firmware_host.table.seat.menu import Menu, MenuCommand
from firmware_host.table.seat.view import SeatView

_WHY = Box(LEFT, 15, 120, 17)
_NO = (MenuCommand.KEEP, MenuCommand.STAY)


def draw_question(canvas: Canvas, view: SeatView, menu: Menu, words: Words) -> None:
    """Draw one seat's whole picture while a question in `phrases.QUESTION` is under OK.

    In the side menu *Yes* is under OK, and the arrows lead to its other questions, the left end to *No*.
    """
    if menu.chosen is None:
        return
    asked, why = phrases.QUESTION[menu.chosen]
    canvas.text(words(asked), TITLE_BAR, BOLD, SMALL_BOLD)
    if view.clock_s is not None:
        draw_turn_clock(canvas, view.clock_s, SUBTITLE)
    elif why:
        canvas.text(words(why), SUBTITLE, SMALL)
    elif held_up := words.held_up(view):
        canvas.sentence_lines(*held_up, _WHY, 2, SMALL)
    if text := words.notice(view):
        draw_notice(canvas, view, words, text)
        return
    no, yes = words(phrases.COMMAND[MenuCommand.STAY]), words(phrases.COMMAND[MenuCommand.AGREE])
    if len(menu.items) > 2 and menu.cursor > 1:
        no = words.item(menu.items[menu.cursor - 1])
    if menu.cursor + 1 < len(menu.items) and MenuCommand.BACK in menu.items:
        draw_caption(canvas, words.item(menu.items[menu.cursor + 1]), leftward=False)
    draw_answers(canvas, no, yes, DICE, is_yes=menu.chosen not in _NO)
