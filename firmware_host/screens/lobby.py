"""Between matches: the winner before rays, and the lobby with its players, for joining, starting or leaving. The empty
lobby has dice that turn now and then, in turn with the way in for a guest's phone.
"""

import math
import re

from PIL import ImageDraw

from engine import Position
from firmware_host.fairness.chain import group_letters
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import HEIGHT, SHEET, WIDTH, Box, Canvas
from firmware_host.screens.graphics.fitting import fit_name, fits, shorten
from firmware_host.screens.graphics.text import BIG, BOLD, SMALL, TEXT, TINY, TITLE, rasterise, width
from firmware_host.screens.widgets import (
    FOOT,
    LEFT,
    NOTE,
    RULE,
    SUBTITLE,
    TITLE_BAR,
    dice_slots,
    draw_keys,
    draw_menu,
    draw_page_heading,
    draw_tag,
    ok_does,
)
from firmware_host.table.invitation import Invitation
from firmware_host.table.seat.menu import Menu, MenuCommand
from firmware_host.table.seat.view import SeatView

_NAMES = Box(LEFT, 15, 121, 30)
_MAX_WIDE_NAMES = 6
_ROBOT_TAG = 66  # columns
_LIT = 7
"""Columns around a name: its lit box, and those to the next one."""
_TITLE = Box(LEFT, 2, 121, 15)
_IDLE_DICE = Box(LEFT, 21, 121, 20)
_PROBLEM = Box(LEFT, 18, 121, 25)
_RAYS = 64
_WINNER = Box(8, 11, 110, 22)
_QUIET_WINNER = Box(LEFT, 4, 121, 20)
"""The winner's name above a note, without rays."""
_FONTS = (BIG, TITLE, BOLD, TEXT)
_HORIZON = 43
"""First row below the rays."""
_LETTERS = Box(LEFT, 28, 121, 10)
_CODE = Box(SHEET.left, SHEET.top, SHEET.height, SHEET.height)
"""The QR code's lit square."""
_MODULE = 2  # pixels
_BESIDE = Box(_CODE.right + 4, SHEET.top, SHEET.right - _CODE.right - 4, SHEET.height)
_ADDRESS = 8  # pixels
_ROWS = (1, _ADDRESS), (10, _ADDRESS), (19, 15), (34, 15), (51, 10)
"""Tops and heights of two lines for the address, two for the code, and OK's effect."""
_CODE_ALONE = Box(LEFT, 24, 121, 17)
_BREAKS = re.compile(r"://|(?=:\d)")
"""Where an address is broken, if both lines fit: behind its scheme, or before its port; else behind a dot."""
_NO_PHONE = Box(LEFT, 9, 121, 26)
_GROUP = 4
_IDLE_FRAMES = 3
"""The empty lobby's pictures, of which the first is the dice and the others are the way in for a phone."""


def draw_lobby(canvas: Canvas, view: SeatView, menu: Menu, words: Words) -> None:
    """Draw one seat's whole lobby picture."""
    if menu.chosen is MenuCommand.PHONE or _is_inviting(view, menu, words):
        _draw_phone(canvas, view.invitation, menu, words)
        return
    if not view.names:
        _draw_empty(canvas, view, menu, words)
        return
    _draw_header(canvas, view, words)
    if text := words.notice(view):
        canvas.lines(text, _PROBLEM, 2, BOLD, TEXT, SMALL)
    else:
        _draw_names(canvas, view)
    if view.robot is not None:
        _draw_robot_keys(canvas, menu, words)
    else:
        draw_menu(canvas, menu, words)


def _draw_empty(canvas: Canvas, view: SeatView, menu: Menu, words: Words) -> None:
    """Draw the empty lobby: the game's name, and dice, an alert, or how the last match ended."""
    canvas.text(words(phrases.GAME), _TITLE, TITLE)
    draw_menu(canvas, menu, words)
    broken_off = words(phrases.BROKEN_OFF) if view.broken_off else ""
    if problem := words.notice(view) or words.alert(view) or broken_off:
        canvas.lines(problem, _PROBLEM, 2, BOLD, TEXT, SMALL)
        return
    for index, slot in enumerate(dice_slots(5, _IDLE_DICE)):
        turned = (view.idle_frame + 4 - index) // 5
        canvas.die((3 * index + 2 * turned + turned // 3) % 6 + 1, slot.left, slot.top, "shown")


def draw_over(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw one seat's whole picture after the last round: the winner before rays.

    Behind ▶ are the letters for checking this match's record.
    """
    if position.winner is None:
        return
    wins = words(phrases.YOU_WIN if position.winner == view.you else phrases.WINS)
    text = words.notice(view) or words.alert(view)
    draw_menu(canvas, menu, words, has_rule=menu.cursor > 0 or bool(text))
    if text:
        canvas.sentence(wins, view.names[position.winner], _QUIET_WINNER, *_FONTS, align="center")
        canvas.lines(text, NOTE, 2, SMALL, align="center")
        return
    if menu.cursor > 0:
        canvas.sentence(wins, view.names[position.winner], TITLE_BAR, BOLD, TEXT, SMALL)
        canvas.text(words(phrases.PROOF).format("").strip(), SUBTITLE, SMALL)
        canvas.text(group_letters(view.head), _LETTERS, BOLD, TEXT, SMALL)
        return
    name, font = fit_name(wins, view.names[position.winner], _WINNER.width, _WINNER.height, _FONTS)
    keys = canvas.image.copy()
    _draw_rays(canvas)
    _draw_sign(canvas, width(name, font) + 12)
    canvas.text(name, _WINNER, font, align="center")
    canvas.image.paste(keys.crop((0, _HORIZON, WIDTH, HEIGHT)), (0, _HORIZON))


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


def _is_inviting(view: SeatView, menu: Menu, words: Words) -> bool:
    """Return whether the way in for a phone is shown now: in the empty lobby, in turn with the dice, without news."""
    is_idle = not view.names and menu.chosen is MenuCommand.JOIN and view.idle_frame % _IDLE_FRAMES > 0
    return is_idle and view.invitation is not None and not (view.broken_off or view.alerts or words.notice(view))


def _draw_phone(canvas: Canvas, invitation: Invitation | None, menu: Menu, words: Words) -> None:
    """Draw the way in for a guest's phone: a QR code, the address and the code for typing, and OK's effect."""
    if invitation is None:
        canvas.lines(words(phrases.NO_PHONE_SEAT), _NO_PHONE, 2, BOLD, TEXT)
        draw_menu(canvas, menu, words)
        return
    room = _BESIDE if invitation.qr else TITLE_BAR
    rows = (Box(room.left, top, room.width, height) for top, height in _ROWS)
    typed = _typed(invitation.address, room.width)
    fonts = (SMALL, TINY)
    size = next(font for font in fonts if all(fits(line, room.width, _ADDRESS, font) for line in typed))
    for line, row in zip(typed, rows, strict=False):
        canvas.text(line, row, size)
    code = invitation.code[:_GROUP], invitation.code[_GROUP:]
    if not invitation.qr:
        canvas.text(" ".join(code), _CODE_ALONE, TITLE, BOLD, SMALL)
        draw_menu(canvas, menu, words)
        return
    canvas.dots(invitation.qr, _CODE, _MODULE)
    for line, row in zip(code, rows, strict=False):
        canvas.text(line, row, TITLE, BOLD, SMALL)
    if menu.chosen is MenuCommand.JOIN:
        canvas.text(ok_does(words, words.item(menu.chosen)), next(rows), BOLD, TEXT, SMALL)


def _typed(address: str, room: int) -> tuple[str, ...]:
    """Return an address in two lines of `room` pixels, as a person types it; none if it is too long."""
    text = address.removeprefix("http://").removeprefix("https://").rstrip("/")
    dots = [place + 1 for place, letter in enumerate(text) if letter == "."]
    ends = (*(at.end() for at in _BREAKS.finditer(text)), *reversed(dots))
    pairs = ((text[:end], text[end:]) for end in ends)
    fitting = [pair for pair in pairs if all(fits(line, room, _ADDRESS, TINY) for line in pair)]
    if room > _BESIDE.width:  # no port alone in a wide line
        fitting.sort(key=lambda pair: max(map(len, pair)))
    return fitting[0] if fitting else ()


def _draw_header(canvas: Canvas, view: SeatView, words: Words) -> None:
    """Draw the lobby's next step, and on a lit box a robot's level, or the name of a seat not among those below."""
    room = TITLE_BAR
    if view.alerts:
        room = room._replace(width=draw_tag(canvas, words.alert_in_short(view)))
    elif view.robot is not None:
        room = room._replace(width=draw_tag(canvas, words(phrases.ROBOT[view.robot]), _ROBOT_TAG))
    elif view.me is None:
        room = room._replace(width=draw_tag(canvas, view.name))
    if view.volume is not None:
        sentence = words.volume(view.volume)
    elif view.countdown_s is not None:
        sentence = words.begins_in(view.countdown_s)
    else:
        sentence = words(phrases.NEED_TWO if len(view.names) < 2 else phrases.WHO_IS_IN)
    canvas.text(sentence, room, BOLD, TEXT, SMALL)


def _draw_robot_keys(canvas: Canvas, menu: Menu, words: Words) -> None:
    """Draw the key row at a robot's seat: one word stands for the levels behind the arrows."""
    if menu.chosen is None:
        return
    ok, levels = ok_does(words, words.item(menu.chosen, at_robot=True)), words(phrases.OTHER_LEVELS)
    if not menu.cursor:
        draw_keys(canvas, ok, right=levels if len(menu.items) > 1 else None)
        return
    canvas.fill(RULE)
    start = draw_page_heading(canvas, levels, FOOT._replace(top=FOOT.top + 2, height=6)) + 4
    canvas.text(ok, FOOT._replace(left=start, width=FOOT.right - start), BOLD, TEXT, SMALL, align="right")


def _draw_names(canvas: Canvas, view: SeatView) -> None:
    """Draw the names in up to three rows, the larger the fewer, with this seat's on a lit box."""
    number = len(view.names)
    rows = 1 if number < 3 else 2 if number <= _MAX_WIDE_NAMES else 3
    columns = max(2, -(-number // rows))
    fonts = (TITLE, BOLD, TEXT, SMALL)[(0, 1, 3)[rows - 1] :]
    room = _NAMES.column(0, columns).width - _LIT
    roomy = (font for font in fonts if all(width(name, font) <= room for name in view.names))
    font = next(roomy, SMALL)
    across = [_NAMES.width // columns] * columns
    if rows > 2:  # then columns are as wide as their names, if all fit
        wide = [max(width(name, font) for name in view.names[column::columns]) + _LIT for column in range(columns)]
        spare = (_NAMES.width - sum(wide)) // columns
        across = [each + spare for each in wide] if spare >= 0 else across
    for index, name in enumerate(view.names):
        column = index % columns
        cell = _NAMES.row(index // columns, rows)
        high = min(cell.height - cell.height % 2, font.cap + 8)
        line = Box(LEFT + sum(across[:column]), cell.top + (cell.height - high) // 2, across[column] - 3, high)
        inner = line.inset(2, 1)
        shown = shorten(name, inner.width, inner.height, font)
        is_own = index == view.me
        if is_own:
            canvas.fill(line._replace(width=rasterise(shown, font).mask.width + 4))
        canvas.short(shown, inner, font, light=not is_own)
