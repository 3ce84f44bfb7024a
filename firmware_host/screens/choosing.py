"""A special round's owner chooses its kind; the others read the choices."""

from engine import Position
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD, TITLE, fits
from firmware_host.screens.widgets import (
    HEADING,
    HINT,
    SUBTITLE,
    TITLE_BAR,
    WIDE_CHOICE,
    draw_choice,
    draw_round_roster,
    draw_turn_clock,
)
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView

_KINDS = SUBTITLE._replace(top=16)


def draw_choosing(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw everything but the own dice."""
    if menu.chosen is not None:
        if view.clock_s is not None:
            draw_turn_clock(canvas, view.clock_s, HEADING)
        elif position.owner is not None and position.owner != view.me:
            canvas.sentence(words(phrases.CHOOSES), view.names[position.owner], HEADING, SMALL, align="center")
        else:
            canvas.text(words(phrases.YOU_CHOOSE), HEADING, SMALL, align="center")
        draw_choice(canvas, menu, words, WIDE_CHOICE, position.rules)
        hint = words.item_hint(menu.chosen, position, view.names)
        canvas.text(hint, HINT, SMALL, align="center")
        return
    name = "" if position.owner is None else view.names[position.owner]
    canvas.sentence(
        words(phrases.CHOOSES), name, TITLE_BAR._replace(height=14), TITLE, BOLD, SMALL_BOLD, align="center"
    )
    kinds = " · ".join(words.item(kind, position.rules) for kind in position.choices)
    if view.clock_s is not None:
        draw_turn_clock(canvas, view.clock_s, SUBTITLE)
    elif fits(kinds, _KINDS.width, _KINDS.height, SMALL):
        canvas.text(kinds, _KINDS, SMALL, align="center")
    draw_round_roster(canvas, view, words, position)
