"""The bidding, in turn and out of turn, and the moment of a call: what stands, who said it, what this seat may say."""

from engine import Position
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.bid_header import draw_call, draw_header, draw_opener, draw_status_line
from firmware_host.screens.cursor import draw_choice
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.regions import HEADER_RIGHT, HINT, MENU
from firmware_host.screens.graphics.text import SMALL, TEXT
from firmware_host.screens.roster import draw_round_roster
from firmware_host.screens.widgets import draw_page_heading
from firmware_host.table.menu import Menu, MenuCommand
from firmware_host.table.seat_view import SeatView


def draw_bidding(
    canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position, *, open_hand: int | None = None
) -> None:
    """Everything but the dice while bids are made; `open_hand` is whose dice lie open below in an open round."""
    draw_header(canvas, view, words, position)
    offered = menu.chosen not in (None, MenuCommand.WAIT)
    if offered:
        draw_choice(canvas, menu, words, MENU)
    else:
        _said(canvas, view, menu, words, position)
    draw_status_line(canvas, view, words, position)
    tells = words.item_tells(menu.chosen, position, view.names) if offered else ""
    if open_hand is not None:
        draw_page_heading(canvas, words(phrases.HAND_OF), view.names[open_hand])
    elif tells:
        canvas.text(tells, HINT, TEXT, SMALL, align="center")
    else:
        draw_round_roster(canvas, view, words, position)


def draw_called(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Who called what on the bid that stands, before the dice."""
    draw_header(canvas, view, words, position)
    if view.caller is not None and view.call is not None:
        draw_call(canvas, view, words, view.caller, view.call)
    draw_status_line(canvas, view, words, position)
    draw_round_roster(canvas, view, words, position, view.caller)


def _said(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Who opens, as long as nobody has bid, and what may be said out of turn: the nearest call, ◀ leads there."""
    if position.standing is None and position.turn is not None:
        draw_opener(canvas, view, words, position.turn)
    if menu.chosen is MenuCommand.WAIT:
        row = HEADER_RIGHT.row(1, 3)
        canvas.arrow(row.left, row.top + 4, 4, leftward=True)
        nearest = words.item(menu.items[menu.cursor - 1])
        canvas.text(nearest, Box(row.left + 7, row.top, row.width - 7, row.height), SMALL)
