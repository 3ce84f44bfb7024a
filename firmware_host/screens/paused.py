"""A match at a seat without input: paused by staff, or played by a robot. No dice are drawn."""

from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.text import BOLD
from firmware_host.screens.widgets import LEFT, TITLE_BAR, draw_banner, draw_notice
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.view import SeatView

_HEAD = Box(LEFT, 18, 40, 24)
"""A robot's head, and its level beside it."""


def draw_paused(canvas: Canvas, words: Words) -> None:
    """Draw one seat's whole picture during a pause."""
    canvas.text(words(phrases.PAUSED), TITLE_BAR, BOLD)
    draw_banner(canvas, words(phrases.PAUSED_WHY), lit=False)


def draw_robot(canvas: Canvas, view: SeatView, words: Words, level: RobotLevel) -> None:
    """Draw a robot seat's whole picture before the cups go up: dark, since no person sits there."""
    text = words.notice(view)
    head = _HEAD._replace(top=1) if text else _HEAD
    canvas.robot(head.left, head.top)
    canvas.text(words(phrases.ROBOT[level]), Box(head.right + 4, head.top, 80, 24), BOLD)  # all levels in one size
    if text:
        draw_notice(canvas, view, words, text)
