"""The owner of a special round chooses its kind; the others read what may come."""

from engine import Position
from firmware_host.screens import english as words
from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.fonts import SMALL, SMALL_BOLD, TEXT
from firmware_host.screens.parts import FOOT, foot, header, roster, slab
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView

_CHOICES = Box(0, 11, 128, 26)


def choosing(canvas: Canvas, view: SeatView, menu: Menu, position: Position) -> None:
    """One seat's picture while the owner chooses."""
    mine = view.me is not None and view.me == position.owner
    name = "" if position.owner is None else view.names[position.owner]
    sentence = words.YOU_CHOOSE if mine else words.CHOOSES
    header(canvas, sentence, name, tag=words.round_number(position.number), active=mine)
    choices = position.choices
    for index, choice in enumerate(choices):
        row = _CHOICES.row(index, max(len(choices), 2))
        label = words.CHOICE[choice]
        across = canvas.text(label, Box(2, row.top, 60, row.height), SMALL_BOLD)
        tells = Box(across + 7, row.top, 126 - across - 7, row.height)
        canvas.text(words.CHOICE_TELLS[choice], tells, TEXT, SMALL)
    box = foot(canvas, view, FOOT)
    if box is None:
        return
    if mine:
        slab(canvas, menu, box, position)
    else:
        roster(canvas, view, position, box)
