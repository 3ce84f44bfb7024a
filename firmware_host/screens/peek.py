"""Under the cup: own dice as dice; in an open round everybody's but the own; else a sentence why there is nothing.

Dice go into `WINDOW` and nowhere else: what is below it is the same whatever lies under any cup.
"""

from collections import Counter

from engine import FACES, Bid, Hand, Position, View
from firmware_host.screens import english as words
from firmware_host.screens.bidding import standing, turn_line
from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.fonts import BOLD, HEAD, SMALL, SMALL_BOLD
from firmware_host.table.seat_view import SeatView

WINDOW = Box(0, 0, 128, 26)
_BELOW = Box(0, 38, 128, 26)


def peek(canvas: Canvas, view: SeatView, look: View) -> None:
    """One seat's picture while its cup is tilted or OK is held."""
    position = look.position
    _window(canvas, view, look)
    if position.turn is not None:
        turn_line(canvas, view, position, top=WINDOW.bottom + 1)
    standing(canvas, view, position, _BELOW)


def _window(canvas: Canvas, view: SeatView, look: View) -> None:
    if look.own is not None:
        _dice(canvas, look.own)
    elif look.visible:
        _counts(canvas, look.visible, look.position.standing)
    else:
        _nothing(canvas, view, look.position)


def _dice(canvas: Canvas, hand: Hand) -> None:
    left = (128 - (len(hand) * 26 - 2)) // 2
    for index, face in enumerate(hand):
        canvas.die(face, left + index * 26, WINDOW.top + 1, 24)


def _counts(canvas: Canvas, hands: tuple[Hand, ...], standing: Bid | None) -> None:
    """How many of each face lie under the others' cups; the face of the standing bid is solid."""
    counted = Counter(face for hand in hands for face in hand)
    for index, face in enumerate(FACES):
        cell = WINDOW.row(index // 3, 2).column(index % 3, 3)
        canvas.die(face, cell.left + 4, cell.top, 12, solid=standing is not None and standing.face == face)
        canvas.text(f"× {counted[face]}", Box(cell.left + 19, cell.top, 23, 12), HEAD, BOLD)


def _nothing(canvas: Canvas, view: SeatView, position: Position) -> None:
    living = view.me is not None and bool(position.dice[view.me])
    told = words.NO_LOOK.get(position.kind) if living else None
    owner = "" if position.owner is None else view.names[position.owner]
    text = words.NO_DICE_TO_SEE if told is None else told.format(owner)
    canvas.lines(text, WINDOW.inset(2), 2, BOLD, SMALL_BOLD, SMALL, align="center")
