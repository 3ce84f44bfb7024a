"""The bidding and the call: the standing bid, the player who made it, and what this seat may do."""

from engine import Position
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.bid_header import draw_call, draw_header, draw_opener, draw_status_line
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.text import SMALL, TEXT
from firmware_host.screens.widgets import HEADER_RIGHT, HINT, MENU, draw_choice, draw_page_heading, draw_round_roster
from firmware_host.table.menu import Menu, MenuCommand
from firmware_host.table.seat_view import SeatView


def draw_bidding(
    canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position, *, open_hand: int | None = None
) -> None:
    """Draw all but the dice; `open_hand` is the player whose dice lie open below in an open round."""
    draw_header(canvas, view, words, position)
    offered = menu.chosen not in (None, MenuCommand.WAIT)
    if offered:
        draw_choice(canvas, menu, words, MENU)
    else:
        _draw_out_of_turn(canvas, view, menu, words, position)
    draw_status_line(canvas, view, words, position)
    hint = words.item_hint(menu.chosen, position, view.names) if offered else ""
    if open_hand is not None:
        draw_page_heading(canvas, words(phrases.HAND_OF), view.names[open_hand])
    elif hint:
        canvas.text(hint, HINT, TEXT, SMALL, align="center")
    else:
        draw_round_roster(canvas, view, words, position)


def draw_called(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw who called what on the standing bid, before the dice are shown."""
    draw_header(canvas, view, words, position)
    if view.caller is not None and view.call is not None:
        draw_call(canvas, view, words, view.caller, view.call)
    draw_status_line(canvas, view, words, position)
    draw_round_roster(canvas, view, words, position, view.caller)


def _draw_out_of_turn(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Name the opener before the first bid, and the nearest call out of turn, to which ◀ leads."""
    if position.standing is None and position.turn is not None:
        draw_opener(canvas, view, words, position.turn)
    if menu.chosen is MenuCommand.WAIT:
        row = HEADER_RIGHT.row(1, 3)
        canvas.arrow(row.left, row.top + 4, 4, leftward=True)
        nearest = words.item(menu.items[menu.cursor - 1])
        canvas.text(nearest, Box(row.left + 7, row.top, row.width - 7, row.height), SMALL)
