"""The winner, and another match."""

from engine import Position
from firmware_host.screens import english as words
from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.fonts import BIG, BOLD, HEAD, TITLE
from firmware_host.screens.parts import foot, slab
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView

_WINNER = Box(0, 0, 128, 36)


def over(canvas: Canvas, view: SeatView, menu: Menu, position: Position) -> None:
    """One seat's picture after the last round."""
    if position.winner is not None:
        mine = position.winner == view.me
        if mine:
            canvas.fill(_WINNER)
        name = view.names[position.winner]
        sentence = words.YOU_WIN if mine else words.WINS
        top = Box(4, 1, 120, 20)
        canvas.naming(sentence, name, top, BIG, TITLE, HEAD, BOLD, align="center", light=not mine)
        dice = position.dice[position.winner]
        for index in range(dice):
            canvas.die(6, 64 - 7 * dice + 14 * index, 22, 12, solid=True, light=not mine)
    box = foot(canvas, view)
    if box is not None:
        slab(canvas, menu, box, position, lit=False)
