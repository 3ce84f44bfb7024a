"""Shaking the cups, for a round or for the order of play."""

from engine import Phase, Position
from firmware_host.screens import phrases
from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.fonts import BOLD, HEAD, SMALL, SMALL_BOLD, TITLE, width
from firmware_host.screens.roster import of_the_round, roster
from firmware_host.screens.words import Words
from firmware_host.screens.zones import DICE, TOP, UNDER_TOP
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView


def shaking(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Everything but the own dice until all cups are down."""
    _asked(canvas, view, menu, words)
    if position.phase is Phase.SEATING:
        _order(canvas, view, words, position)
        return
    _round(canvas, view, menu, words, position)
    of_the_round(canvas, view, words, position)


def rolled(canvas: Canvas, position: Position) -> None:
    """What everybody rolled for the order of play so far, under the names; the last die of each counts."""
    for index, seat in enumerate(range(position.seats)):
        cell = DICE.column(index, position.seats)
        rolls = position.rolls[seat]
        face = 0 if not rolls or seat in position.rolling else rolls[-1]
        canvas.die(
            face, cell.left + (cell.width - 1 - 12) // 2, cell.top + 4, "small", style="solid" if face else "outline"
        )


def _asked(canvas: Canvas, view: SeatView, menu: Menu, words: Words) -> None:
    """The one thing to do now, or whom the table waits for."""
    fonts = (TITLE, HEAD, BOLD, SMALL_BOLD)
    if menu.chosen is not None:
        canvas.text(words.item(menu.chosen), TOP, *fonts, align="center")
    elif view.me is not None and view.me in view.waiting_for:
        canvas.text(words(phrases.SHAKE), TOP, *fonts, align="center")
    elif len(view.waiting_for) == 1:
        canvas.naming(words(phrases.WAITING), view.names[view.waiting_for[0]], TOP, *fonts[1:], align="center")
    else:
        canvas.text(words(phrases.WAITING_FOR_ALL), TOP, *fonts[1:], align="center")


def _round(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """What the round is: its kind and what holds in it, else who opens it."""
    if kind := words.kind(position.kind):
        across = width(kind, SMALL_BOLD) + 4
        plate = Box(UNDER_TOP.left, UNDER_TOP.top, across, UNDER_TOP.height)
        canvas.fill(plate)
        canvas.text(kind, plate.inset(2), SMALL_BOLD, light=False)
        sentence, name = words.holds(view, position)
        room = Box(plate.right + 4, plate.top, UNDER_TOP.right - plate.right - 4, plate.height)
        canvas.naming(sentence, name, room, SMALL)
    elif menu.chosen is not None:
        canvas.text(words.item_tells(menu.chosen, position, view.names), UNDER_TOP, SMALL, align="center")
    elif view.me is not None and view.me in view.waiting_for:
        canvas.text(_place(view, words, position) or words(phrases.SHAKE_TELLS), UNDER_TOP, SMALL, align="center")
    elif position.first is not None:
        opens = phrases.YOU_OPEN if position.first == view.me else phrases.OPENS
        canvas.naming(words(opens), view.names[position.first], UNDER_TOP, SMALL, align="center")


def _place(view: SeatView, words: Words, position: Position) -> str:
    """Once the order of play has been rolled for: where this seat comes in it."""
    if position.number > 1 or not position.rolls or view.me not in position.living:
        return ""
    return words(phrases.PLACE).format(position.living.index(view.me) + 1, len(position.living))


def _order(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    again = any(position.rolls[seat] for seat in position.rolling)
    canvas.text(words(phrases.TIE_AGAIN if again else phrases.ONE_DIE), UNDER_TOP, SMALL, align="center")
    roster(canvas, view, words, range(position.seats), {}, lit=view.waiting_for)
