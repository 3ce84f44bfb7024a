"""Before a match: who is in, and joining, starting or leaving."""

from firmware_host.screens import english as words
from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.fonts import SMALL, TEXT
from firmware_host.screens.parts import foot, header, prompt, slab
from firmware_host.table.commands import Command
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView

_NAMES = Box(0, 12, 128, 32)
_FOOT = Box(0, 45, 128, 19)


def lobby(canvas: Canvas, view: SeatView, menu: Menu) -> None:
    """One seat's picture of the lobby."""
    asked = view.me is None
    counting = view.countdown_s is not None
    sentence = words.BEGINS_IN.format(view.countdown_s) if counting else words.GAME if asked else words.WHO_IS_IN
    header(canvas, sentence, tag=view.name, active=counting)
    names = _NAMES
    box = foot(canvas, view, _FOOT) if view.notice is not None else _FOOT
    if view.notice is None and (view.missing or view.picked_up):
        foot(canvas, view, Box(0, 12, 128, 9))
        names = Box(0, 22, 128, 22)
    _who(canvas, view, names)
    if len(view.names) < 2 and not asked and names is _NAMES:
        canvas.text(words.NEED_TWO, Box(2, 28, 124, 14), SMALL)
    if box is None:
        return
    if menu.chosen is Command.JOIN:
        prompt(canvas, words.OK_JOINS, "", box)
    elif menu.items:
        slab(canvas, menu, box, lit=False)


def _who(canvas: Canvas, view: SeatView, box: Box) -> None:
    if not view.names:
        _nobody(canvas, box)
        return
    columns = 2 if len(view.names) <= 4 or box.height > 24 else 4
    rows = max(-(-len(view.names) // columns), 2)
    for index, name in enumerate(view.names):
        cell = box.row(index // columns, rows).column(index % columns, columns)
        canvas.short(name, cell.inset(2), TEXT if cell.height > 10 else SMALL)


def _nobody(canvas: Canvas, box: Box) -> None:
    if box.height < 32:
        canvas.text(words.COME_IN, box, TEXT, align="center")
        return
    for face in (1, 2, 3, 4, 5):
        canvas.die(face, box.left + 10 + (face - 1) * 23, box.top + 2, 15, solid=face == 1)
    canvas.text(words.COME_IN, Box(box.left, box.top + 18, box.width, 13), SMALL, align="center")
