"""The winner, another match, and the chain's hash for checking this match's record."""

import math

from PIL import ImageDraw

from engine import Position
from firmware_host.fairness.chain import group_letters
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import HEIGHT, SHEET, WIDTH, Box, Canvas
from firmware_host.screens.graphics.text import BIG, BOLD, SMALL, SMALL_BOLD, TINY, TITLE, fit_name, width
from firmware_host.screens.widgets import HINT, SUBTITLE, TITLE_BAR, draw_banner
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView

_ARROW = 4
_RAYS = 64
_WINNER = Box(8, 4, 110, 17)
_DICE = Box(8, 22, 110, 12)
_DIE, _DIE_PITCH = 12, 14
_FONTS = (BIG, TITLE, BOLD, SMALL_BOLD)
_HORIZON = 36
"""First row below the rays."""
_OK = Box(2, 41, 120, 10)
_HEAD = Box(2, 52, 120, 8)


def draw_over(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw one seat's whole picture after the last round: the winner before rays, with the dice left."""
    if position.winner is None:
        return
    wins = words(phrases.YOU_WIN if position.winner == view.you else phrases.WINS)
    text = words.notice(view) or words.alert(view)
    if text:
        canvas.sentence(wins, view.names[position.winner], TITLE_BAR, TITLE, BOLD, SMALL_BOLD, align="center")
        canvas.text(group_letters(view.head), SUBTITLE, SMALL, TINY, align="center")
        _draw_menu(canvas, menu, words, HINT)
        draw_banner(canvas, text, lit=view.notice is not None)
        return
    dice = position.dice[position.winner]
    name, font = fit_name(wins, view.names[position.winner], _WINNER.width, _WINNER.height, _FONTS)
    across = max(width(name, font), dice * _DIE_PITCH) + 8
    _draw_rays(canvas)
    _draw_sign(canvas, across)
    canvas.text(name, _WINNER, font, align="center")
    left = _DICE.left + (_DICE.width - dice * _DIE_PITCH + _DIE_PITCH - _DIE) // 2
    for number in range(dice):
        canvas.die(6, left + number * _DIE_PITCH, _DICE.top, "small", style="solid")
    _draw_menu(canvas, menu, words, _OK)
    canvas.text(group_letters(view.head), _HEAD, SMALL, TINY, align="center")


def _draw_rays(canvas: Canvas) -> None:
    """Draw rays from behind the winner's name."""
    middle, far = (SHEET.left + SHEET.width / 2, (_WINNER.top + _DICE.bottom) / 2), 2 * SHEET.width
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
    top = SHEET.top
    sign = Box(SHEET.left + (SHEET.width - across) // 2, top, across, _DICE.bottom + 2 - top)
    canvas.fill(sign.inset(-2, -2), light=False)
    canvas.frame(sign)


def _draw_menu(canvas: Canvas, menu: Menu, words: Words, box: Box) -> None:
    """Draw OK's effect, with arrows towards further items."""
    if menu.chosen is None:
        return
    canvas.text(words.item(menu.chosen), box.inset(_ARROW + 2), BOLD, SMALL_BOLD, SMALL, align="center")
    middle = box.top + box.height // 2
    if menu.cursor > 0:
        canvas.arrow(box.left, middle, _ARROW, leftward=True)
    if menu.cursor < len(menu.items) - 1:
        canvas.arrow(box.right - _ARROW, middle, _ARROW, leftward=False)
