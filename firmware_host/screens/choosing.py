"""A special round's owner chooses its kind; the others read the choices."""

from engine import Position
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.text import BOLD, SMALL, TITLE, fits
from firmware_host.screens.widgets import (
    HINT,
    LEFT,
    SUBTITLE,
    TITLE_BAR,
    draw_menu,
    draw_round_roster,
    draw_turn_clock,
    has_banner,
)
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SeatView

_HEADING = Box(LEFT, 0, 120, 8)
_KINDS = Box(LEFT, 10, 121, 14)
"""The choice under OK, below a line of words and above its meaning."""


def draw_choosing(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw everything but the own dice."""
    if menu.chosen is not None:
        if view.clock_s is not None:
            draw_turn_clock(canvas, view.clock_s, _HEADING)
        else:
            canvas.text(words(phrases.YOU_CHOOSE), _HEADING, SMALL)
        draw_menu(canvas, menu, words, _KINDS, TITLE, BOLD, rules=position.rules)
        if not has_banner(view, words):
            canvas.text(words.item_hint(menu.chosen, position, view.names), HINT, SMALL)
        return
    name = "" if position.owner is None else view.names[position.owner]
    canvas.sentence(words(phrases.CHOOSES), name, TITLE_BAR, BOLD)
    kinds = " · ".join(words.item(kind, position.rules) for kind in position.choices)
    if view.clock_s is not None:
        draw_turn_clock(canvas, view.clock_s, SUBTITLE)
    if has_banner(view, words):
        return
    if view.clock_s is None and fits(kinds, SUBTITLE.width, SUBTITLE.height, SMALL):
        canvas.text(kinds, SUBTITLE, SMALL)
    draw_round_roster(canvas, view, words, position)
