"""Shaking the cups, for a round or for the order of play."""

from engine import Phase, Position
from firmware_host.screens import english as words
from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.fonts import BOLD, SMALL, SMALL_BOLD, TEXT
from firmware_host.screens.parts import BODY, FOOT, foot, header, prompt, slab, what_holds
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView


def shaking(canvas: Canvas, view: SeatView, menu: Menu, position: Position) -> None:
    """One seat's picture until all cups are down."""
    mine = view.me is not None and view.me in view.waiting_for
    seating = position.phase is Phase.SEATING
    sentence = words.ONE_DIE if seating else words.round_number(position.number)
    header(canvas, sentence, tag=_tag(view, position), active=mine)
    if seating:
        _rolls(canvas, view, position, BODY)
    else:
        _round(canvas, view, position, BODY)
    box = foot(canvas, view)
    if box is None:
        return
    if mine and menu.items:
        slab(canvas, menu, box, position)
    elif mine:
        prompt(canvas, words.SHAKE, words.SHAKE_TELLS, box)
    else:
        waiting(canvas, view, box)


def waiting(canvas: Canvas, view: SeatView, box: Box = FOOT) -> None:
    """Whom the table waits for."""
    names = " · ".join(view.names[seat] for seat in view.waiting_for)
    if not names:
        return
    if box.height < 20:
        canvas.text(f"{words.WAITING} {names}", box.inset(2), TEXT, SMALL)
        return
    canvas.text(words.WAITING, Box(2, box.top, 124, 9), SMALL)
    canvas.lines(names, Box(2, box.top + 9, 124, box.height - 9), 2, BOLD, SMALL_BOLD, SMALL)


def _tag(view: SeatView, position: Position) -> str:
    if position.phase is Phase.SEATING:
        return ""
    special = words.KIND[position.kind]
    if position.rolls and not special and view.me is not None and position.dice[view.me]:
        return words.place(position.living.index(view.me), len(position.living))
    return special or words.dice(position.in_play)


def _round(canvas: Canvas, view: SeatView, position: Position, box: Box) -> None:
    """Own dice still faceless, who opens, what holds."""
    number = position.dice[view.me] if view.me is not None else 0
    left = box.left + 2
    for _ in range(number):
        canvas.die(0, left, box.top + 1, 12)
        left += 14
    opener = Box(left + 2, box.top, box.right - left - 3, 14) if number else Box(2, box.top, 124, 14)
    if position.first is not None:
        mine = position.first == view.me
        name = view.names[position.first]
        canvas.naming(words.YOU_OPEN if mine else words.OPENS, name, opener, BOLD, SMALL_BOLD, SMALL)
    canvas.text(what_holds(view, position), Box(2, box.top + 15, 124, 10), SMALL)


def _rolls(canvas: Canvas, view: SeatView, position: Position, box: Box) -> None:
    """What everybody rolled for the order of play so far; the last die of each counts."""
    columns = 2 if position.seats <= 4 else 4
    for seat in range(position.seats):
        cell = box.row(seat // columns, 2).column(seat % columns, columns)
        canvas.short(view.names[seat], Box(cell.left + 2, cell.top, cell.width - 15, cell.height), SMALL)
        rolls = position.rolls[seat]
        again = seat in position.rolling and rolls
        if rolls:
            canvas.die(rolls[-1], cell.right - 11, cell.top + 1, 9, solid=bool(not again))
