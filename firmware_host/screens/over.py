"""The winner, another match, and the chain's hash for checking this match's record."""

from engine import Hand, Position
from firmware_host.fairness.chain import group_letters
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD, TINY, TITLE
from firmware_host.screens.widgets import HEADER, HINT, SUBTITLE, TITLE_BAR, draw_banner, draw_hand
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView

_ARROW = 4


def draw_over(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw one seat's whole picture after the last round, with the winner's dice."""
    if position.winner is None:
        return
    wins = words(phrases.YOU_WIN if position.winner == view.you else phrases.WINS)
    room = TITLE_BAR if view.head else HEADER
    canvas.sentence(wins, view.names[position.winner], room, TITLE, BOLD, SMALL_BOLD, align="center")
    canvas.text(group_letters(view.head), SUBTITLE, SMALL, TINY, align="center")
    if menu.chosen is not None:
        canvas.text(words.item(menu.chosen), HINT.inset(_ARROW + 2), SMALL_BOLD, SMALL, align="center")
        middle = HINT.top + HINT.height // 2
        if menu.cursor > 0:
            canvas.arrow(HINT.left, middle, _ARROW, leftward=True)
        if menu.cursor < len(menu.items) - 1:
            canvas.arrow(HINT.right - _ARROW, middle, _ARROW, leftward=False)
    if text := words.notice(view) or words.alert(view):
        draw_banner(canvas, text, lit=view.notice is not None)
    else:
        draw_hand(canvas, Hand((6,) * position.dice[position.winner]), frozenset({6}), "solid")
