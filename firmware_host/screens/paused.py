"""A match at a seat without input: paused by staff, or played by a robot. No dice are drawn."""

from engine import Position
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD, TITLE
from firmware_host.screens.widgets import SUBTITLE, TITLE_BAR, draw_banner, draw_robot_head, draw_round_roster
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat_view import SeatView


def draw_paused(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw one seat's whole picture during a pause."""
    canvas.text(words(phrases.PAUSED), TITLE_BAR, TITLE, BOLD, align="center")
    _draw_round(canvas, view, words, position, words(phrases.PAUSED_WHY))


def draw_robot(canvas: Canvas, view: SeatView, words: Words, position: Position, level: RobotLevel) -> None:
    """Draw a robot seat's whole picture before the cups go up."""
    canvas.text(words(phrases.ROBOT[level]), TITLE_BAR, BOLD, align="center")  # all levels in one size
    _draw_round(canvas, view, words, position, words.notice(view))


def _draw_round(canvas: Canvas, view: SeatView, words: Words, position: Position, why: str) -> None:
    """Draw the standing bid, the players, and a sentence, or a robot's head without one."""
    if position.standing is not None and position.bidder is not None:
        bid = f"{{}}: {words.quantity_of(position.standing)}"
        canvas.sentence(bid, view.names[position.bidder], SUBTITLE, SMALL_BOLD, SMALL, align="center")
    draw_round_roster(canvas, view, words, position)
    if why:
        draw_banner(canvas, why, lit=False)
    else:
        draw_robot_head(canvas)
