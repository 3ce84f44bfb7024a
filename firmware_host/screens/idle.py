"""Displays without a menu: a match paused by staff, a robot's seat, and a seat board without a seat."""

from msgspec import Struct
from PIL import Image

from engine import Position
from firmware_host.i18n import phrases
from firmware_host.i18n.words import ENGLISH, Words
from firmware_host.screens.graphics.canvas import SHEET, Box, Canvas
from firmware_host.screens.graphics.fitting import fit
from firmware_host.screens.graphics.text import BOLD, SMALL, TEXT, TINY, TITLE, width
from firmware_host.screens.shaking import who_still_shakes
from firmware_host.screens.widgets import LEFT, SUBTITLE, TITLE_BAR, draw_banner, draw_notice, draw_ring, draw_sentence
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.view import SeatView

_HEAD, _LEVEL = Box(LEFT, 18, 40, 24), 78
"""A robot's head, and the most columns for its level beside it."""
_STATE = Box(LEFT, 50, 121, 8)
"""Below them the table's state: the player in turn, or who still shakes."""
_LETTERS = 24
"""Displayed letters at a board's id's end, where ids from one maker differ."""
_MEANT = Box(LEFT, 23, 121, 11)
_PAUSED = Box(LEFT, 8, 121, 16)


def draw_paused(canvas: Canvas, words: Words) -> None:
    """Draw one seat's whole picture during a pause."""
    canvas.text(words(phrases.PAUSED), _PAUSED, TITLE, BOLD)
    draw_banner(canvas, words(phrases.PAUSED_WHY), lit=False)


def draw_robot(canvas: Canvas, view: SeatView, words: Words, position: Position, level: RobotLevel) -> None:
    """Draw a robot seat's whole picture before the cups go up: dark, since no person sits there."""
    name, font = fit(words(phrases.ROBOT[level]), _LEVEL, _HEAD.height, (BOLD, TEXT))
    notice = words.notice(view)
    across = _HEAD.width + 4 + width(name, font)
    head = _HEAD._replace(left=(SHEET.width - across) // 2, top=4 if notice else _HEAD.top)
    canvas.robot(head.left, head.top)
    canvas.text(name, Box(head.right + 4, head.top, _LEVEL, head.height), font)
    if notice:
        draw_notice(canvas, view, words, notice)
    elif position.turn is not None:
        canvas.sentence(words(phrases.TURN_BRIEFLY), view.names[position.turn], _STATE, SMALL, align="center")
    elif view.waiting_for:
        canvas.sentence(*who_still_shakes(view, words), _STATE, SMALL, align="center")


class UnassignedBoardView(Struct, frozen=True):
    """The board's id, the names of seats without a board, and the seat offered now."""

    identity: str
    names: tuple[str, ...]
    chosen: int = 0


def draw_unassigned_board(view: UnassignedBoardView, words: Words = ENGLISH) -> Image.Image:
    """Draw an unassigned board's picture: 128 × 64, mode "1"."""
    return paint_unassigned_board(view, words).image


def paint_unassigned_board(view: UnassignedBoardView, words: Words = ENGLISH) -> Canvas:
    """Draw as `draw_unassigned_board` does, recording each piece's place."""
    canvas = Canvas()
    canvas.text(words(phrases.NEW_BOARD), TITLE_BAR, BOLD)
    canvas.text(view.identity[-_LETTERS:], SUBTITLE._replace(top=14), SMALL, TINY)
    sentence, name = words(phrases.MEANT_FOR), view.names[view.chosen]
    if len(view.names) > 1:
        draw_ring(canvas, sentence.format(name), _MEANT)
    else:
        canvas.sentence(sentence, name, _MEANT, BOLD, TEXT, SMALL)
    draw_sentence(canvas, words(phrases.HOLD_AND_SHAKE))
    return canvas
