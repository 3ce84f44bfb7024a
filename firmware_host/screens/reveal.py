"""The cups are up: who called whom, what was there, what it cost, and all dice — up to forty of eight players."""

from engine import Position, Showdown
from firmware_host.screens import words
from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.fonts import BOLD, SMALL, SMALL_BOLD, TEXT, fit
from firmware_host.screens.parts import notice
from firmware_host.table.commands import Command
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView

_STORY = Box(0, 0, 128, 27)
_DICE = Box(0, 28, 128, 36)
_SIZES = (24, 15, 12, 9)


def reveal(canvas: Canvas, view: SeatView, menu: Menu, position: Position) -> None:
    """One seat's picture of a showdown; it is the same for everybody but for "you". Raises `ValueError` without one."""
    showdown = position.showdown
    if showdown is None:
        raise ValueError("a reveal needs a showdown")
    if view.notice is not None:
        notice(canvas, words.NOTICE[view.notice], Box(0, 0, 128, 18))
    else:
        _who(canvas, view, showdown, _STORY.row(0, 3), ok=menu.chosen is Command.GO_ON)
        canvas.text(words.count(showdown), _STORY.row(1, 3).inset(1), TEXT, SMALL)
    _cost(canvas, view, showdown, _STORY.row(2, 3))
    _hands(canvas, view, position, showdown, _DICE)


def _who(canvas: Canvas, view: SeatView, showdown: Showdown, box: Box, *, ok: bool) -> None:
    if ok:
        plate = Box(box.right - 17, box.top, 17, box.height)
        canvas.fill(plate)
        canvas.text("OK", plate, SMALL_BOLD, align="center", light=False)
        box = Box(box.left, box.top, box.width - 18, box.height)
    caller, other = view.names[showdown.caller], view.names[showdown.doubted]
    verb = words.call_made(showdown)
    first, _ = fit(caller, 48, box.height, (SMALL_BOLD,))
    across = 3 + canvas.text(first, box.inset(1), SMALL_BOLD)
    rest = Box(box.left + 1 + across, box.top, box.width - across - 2, box.height)
    canvas.naming(f"{verb} · {{}}", other, rest, SMALL)


def _cost(canvas: Canvas, view: SeatView, showdown: Showdown, box: Box) -> None:
    sentence, who = words.result(showdown, view.me)
    concerned = view.me is not None and bool(showdown.change[view.me])
    if concerned:
        canvas.fill(box)
    name = "" if who is None else view.names[who]
    canvas.naming(sentence, name, box.inset(1), BOLD, SMALL_BOLD, light=not concerned)


def _hands(canvas: Canvas, view: SeatView, position: Position, showdown: Showdown, box: Box) -> None:
    shown = [seat for seat in position.order if showdown.hands[seat]]
    columns = 1 if len(shown) <= 4 else 2
    rows = -(-len(shown) // columns)
    for index, seat in enumerate(shown):
        column, row = divmod(index, rows)
        cell = box.row(row, rows).column(column, columns)
        _hand(canvas, view.names[seat], position, showdown, seat, cell)


def _hand(canvas: Canvas, name: str, position: Position, showdown: Showdown, seat: int, cell: Box) -> None:
    size = 7 if cell.width < 128 else next(size for size in _SIZES if size <= cell.height and size <= 16)
    pitch = size + 1
    dice_left = cell.right - 5 * pitch
    room = Box(cell.left + 1, cell.top, dice_left - cell.left - 3, cell.height)
    canvas.text(name, room, *((BOLD, TEXT, SMALL) if cell.width == 128 else (SMALL,)))
    wilds = position.rules.wilds_in(showdown.kind)
    top = cell.top + (cell.height - size) // 2
    for index, face in enumerate(showdown.hands[seat]):
        counts = _counts(face, showdown, seat, wilds=wilds)
        canvas.die(face, dice_left + index * pitch, top, size, solid=counts)


def _counts(face: int, showdown: Showdown, seat: int, *, wilds: bool) -> bool:
    if showdown.was_pass:
        return seat == showdown.doubted
    return face == showdown.bid.face or (wilds and face == 1)
