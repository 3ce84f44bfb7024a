"""The winner, another match, and the chain's hash for checking this match's record."""

import math

from PIL import ImageDraw

from engine import Position
from firmware_host.fairness.chain import group_letters
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import HEIGHT, SHEET, WIDTH, Box, Canvas
from firmware_host.screens.graphics.text import BIG, BOLD, SMALL, SMALL_BOLD, TINY, TITLE, fit_name, width
from firmware_host.screens.widgets import LEFT, TITLE_BAR, draw_banner, draw_menu
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SeatView

_RAYS = 64
_WINNER = Box(8, 8, 110, 22)
_FONTS = (BIG, TITLE, BOLD, SMALL_BOLD)
_HORIZON = 37
"""First row below the rays."""
_OK = Box(LEFT, 40, 121, 10)
_OK_ABOVE_BANNER = Box(LEFT, 21, 121, 10)
_HEAD = Box(LEFT, 52, 121, 8)


def draw_over(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw one seat's whole picture after the last round: the winner before rays."""
    if position.winner is None:
        return
    wins = words(phrases.YOU_WIN if position.winner == view.you else phrases.WINS)
    text = words.notice(view) or words.alert(view)
    if text:
        canvas.sentence(wins, view.names[position.winner], TITLE_BAR, BOLD, SMALL_BOLD)
        draw_menu(canvas, menu, words, _OK_ABOVE_BANNER, BOLD, SMALL_BOLD)
        draw_banner(canvas, text, lit=view.notice is not None)
        return
    name, font = fit_name(wins, view.names[position.winner], _WINNER.width, _WINNER.height, _FONTS)
    _draw_rays(canvas)
    _draw_sign(canvas, width(name, font) + 12)
    canvas.text(name, _WINNER, font, align="center")
    draw_menu(canvas, menu, words, _OK, BOLD, SMALL_BOLD)
    canvas.text(group_letters(view.head), _HEAD, SMALL, TINY)


def _draw_rays(canvas: Canvas) -> None:
    """Draw rays from behind the winner's name."""
    middle, far = (SHEET.left + SHEET.width / 2, _WINNER.top + _WINNER.height / 2), 2 * SHEET.width
    pen = ImageDraw.Draw(canvas.image)
    for number in range(0, _RAYS, 2):
        angles = (2 * math.pi * (number + step) / _RAYS for step in (0.5, 1.5))
        ends = [(middle[0] + far * math.cos(angle), middle[1] + far * math.sin(angle)) for angle in angles]
        pen.polygon([middle, *ends], fill=255)
    sky = canvas.image.crop((SHEET.left, SHEET.top, SHEET.right, _HORIZON))
    canvas.fill(Box(0, 0, WIDTH, HEIGHT), light=False)
    canvas.image.paste(sky, (SHEET.left, SHEET.top))


def _draw_sign(canvas: Canvas, across: int) -> None:
    """Draw a dark sign in the middle of the rays, with a lit edge."""
    sign = Box(SHEET.left + (SHEET.width - across) // 2, _WINNER.top, across, _WINNER.height)
    canvas.fill(sign.inset(-2, -2), light=False)
    canvas.frame(sign)
