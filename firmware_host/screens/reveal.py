"""The cups are up: who called whom, what was there, what it cost, and all dice — up to forty of eight players."""

from engine import Position, Showdown
from firmware_host.screens import english as words
from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.fonts import BOLD, SMALL, SMALL_BOLD, TEXT, fit
from firmware_host.screens.parts import notice
from firmware_host.table.commands import Command
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView

_WHO = Box(0, 0, 128, 9)
_COUNT = Box(0, 9, 128, 9)
_SIZES = (15, 12, 9)
_PITCH = 8  # columns a digit


def reveal(canvas: Canvas, view: SeatView, menu: Menu, position: Position) -> None:
    """One seat's picture of a showdown; it is the same for everybody but for "you". Raises `ValueError` without one."""
    showdown = position.showdown
    if showdown is None:
        raise ValueError("a reveal needs a showdown")
    shown = [seat for seat in position.order if showdown.hands[seat]]
    dice_top = 27 if len(shown) > 6 else 28
    if view.notice is not None:
        notice(canvas, words.NOTICE[view.notice], Box(0, 0, 128, 18))
    else:
        _who(canvas, view, showdown, _WHO, ok=menu.chosen is Command.GO_ON)
        canvas.text(words.count(showdown), _COUNT.inset(1), TEXT, SMALL)
    _cost(canvas, view, showdown, Box(0, 18, 128, dice_top - 18))
    _hands(canvas, view, position, showdown, Box(0, dice_top, 128, 64 - dice_top))


def _who(canvas: Canvas, view: SeatView, showdown: Showdown, box: Box, *, ok: bool) -> None:
    if ok:
        plate = Box(box.right - 17, box.top, 17, box.height)
        canvas.fill(plate)
        canvas.text("OK", plate, SMALL_BOLD, align="center", light=False)
        box = Box(box.left, box.top, box.width - 18, box.height)
    caller, other = view.names[showdown.caller], view.names[showdown.doubted]
    first, _ = fit(caller, 48, box.height, (SMALL_BOLD,))
    across = 3 + canvas.text(first, box.inset(1), SMALL_BOLD)
    rest = Box(box.left + 1 + across, box.top, box.width - across - 2, box.height)
    canvas.naming(words.call_made(showdown), other, rest, SMALL)


def _cost(canvas: Canvas, view: SeatView, showdown: Showdown, box: Box) -> None:
    sentence, who = words.result(showdown, view.me)
    concerned = view.me is not None and bool(showdown.change[view.me])
    if concerned:
        canvas.fill(box)
    name = "" if who is None else view.names[who]
    canvas.naming(sentence, name, box.inset(1), BOLD, SMALL_BOLD, light=not concerned)


def _hands(canvas: Canvas, view: SeatView, position: Position, showdown: Showdown, box: Box) -> None:
    shown = [seat for seat in position.order if showdown.hands[seat]]
    columns = 1 if len(shown) < 4 else 2
    rows = -(-len(shown) // columns)
    for index, seat in enumerate(shown):
        column, row = divmod(index, rows)
        cell = box.row(row, rows).column(column, columns)
        _hand(canvas, view.names[seat], position, showdown, seat, cell)


def _hand(canvas: Canvas, name: str, position: Position, showdown: Showdown, seat: int, cell: Box) -> None:
    wilds = position.rules.wilds_in(showdown.kind)
    hand = [(face, _counts(face, showdown, seat, wilds=wilds)) for face in showdown.hands[seat]]
    if cell.width == 128:
        size = next(size for size in _SIZES if size < cell.height)
        left = cell.right - 5 * (size + 2)
        canvas.text(name, Box(cell.left + 1, cell.top, left - cell.left - 3, cell.height), BOLD, TEXT, SMALL)
        _dice(canvas, hand, size, left, cell.top + (cell.height - size) // 2)
    elif cell.height > 16:
        canvas.text(name, Box(cell.left + 1, cell.top, cell.width - 3, 9), SMALL)
        _dice(canvas, hand, 9, cell.left + 1, cell.top + 9)
    else:
        _digits(canvas, name, hand, cell)


def _dice(canvas: Canvas, hand: list[tuple[int, bool]], size: int, left: int, top: int) -> None:
    for index, (face, counts) in enumerate(hand):
        canvas.die(face, left + index * (size + 2), top, size, solid=counts)


def _digits(canvas: Canvas, name: str, hand: list[tuple[int, bool]], cell: Box) -> None:
    """At half the width a digit is read more easily than a die; those that count are cut out of a plate."""
    left = cell.right - 5 * _PITCH - 1
    canvas.short(name, Box(cell.left + 1, cell.top, left - cell.left - 3, cell.height), SMALL)
    for index, (face, counts) in enumerate(hand):
        plate = Box(left + index * _PITCH, cell.top, _PITCH - 1, cell.height - 1)
        if counts:
            canvas.fill(plate)
        canvas.text(str(face), plate, SMALL_BOLD, align="center", light=not counts)


def _counts(face: int, showdown: Showdown, seat: int, *, wilds: bool) -> bool:
    if showdown.was_pass:
        return seat == showdown.doubted
    return face == showdown.bid.face or (wilds and face == 1)
