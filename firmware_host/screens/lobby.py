"""The lobby: the players, and joining, starting or leaving. In the empty lobby dice turn now and then."""

from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD, TITLE, shorten, width
from firmware_host.screens.widgets import dice_slots, draw_choice, draw_notice
from firmware_host.table.menu import Menu, MenuCommand
from firmware_host.table.seat_view import SeatView

_HEADER = Box(2, 1, 120, 12)
_NAMES = Box(1, 15, 123, 28)
_LOW_NAMES = _NAMES._replace(height=20)
"""The names above a banner."""
_MAX_WIDE_NAMES = 6
_FOOT = Box(2, 45, 120, 15)
_TITLE = Box(2, 2, 120, 18)
_INVITATION = Box(2, 21, 120, 12)
_ARROW = 5


def draw_lobby(canvas: Canvas, view: SeatView, menu: Menu, words: Words) -> None:
    """Draw one seat's whole lobby picture."""
    if not view.names:
        _draw_empty(canvas, view, menu, words)
        return
    text = words.notice(view)
    _draw_header(canvas, view, words)
    _draw_names(canvas, view, _LOW_NAMES if text else _NAMES)
    if text:
        draw_notice(canvas, view, words, text)
    elif menu.chosen is MenuCommand.JOIN and len(menu.items) == 1:
        canvas.text(words(phrases.OK_JOINS), _FOOT, TITLE, BOLD, align="center")
    elif menu.items:
        draw_choice(canvas, menu, words, _FOOT)


def _draw_empty(canvas: Canvas, view: SeatView, menu: Menu, words: Words) -> None:
    """Draw the empty lobby: the game's name, an alert, or how the last match ended."""
    if problem := words.alert(view) or (words(phrases.BROKEN_OFF) if view.broken_off else ""):
        canvas.lines(problem, _TITLE, 2, SMALL_BOLD, SMALL, align="center")
    else:
        canvas.text(words(phrases.GAME), _TITLE, TITLE, align="center")
    _draw_offer(canvas, menu, words)
    if text := words.notice(view):
        draw_notice(canvas, view, words, text)
        return
    for index, slot in enumerate(dice_slots(5)):
        turned = (view.idle_frame + 4 - index) // 5
        face = (3 * index + 2 * turned + turned // 3) % 6 + 1
        canvas.die(face, slot.left, slot.top, "bid", style="solid" if view.idle_frame % 5 == index else "outline")


def _draw_offer(canvas: Canvas, menu: Menu, words: Words) -> None:
    """Draw OK's effect between arrows, first with the lesson behind the right one."""
    room, middle = _INVITATION, _INVITATION.top + _INVITATION.height // 2
    if menu.cursor < len(menu.items) - 1:
        canvas.arrow(room.right - _ARROW, middle, _ARROW, leftward=False)
    if menu.chosen is MenuCommand.JOIN and MenuCommand.LEARN in menu.items:
        learn = words.item(MenuCommand.LEARN)
        across = width(learn, SMALL)
        canvas.text(learn, Box(room.right - _ARROW - 3 - across, room.top, across, room.height), SMALL)
        room = room._replace(width=room.width - _ARROW - across - 8)
    elif menu.cursor > 0:
        canvas.arrow(room.left, middle, _ARROW, leftward=True)
        room = room.inset(_ARROW + 2)
    canvas.text(words.item(menu.chosen or MenuCommand.JOIN), room, BOLD, SMALL_BOLD, align="center")


def _draw_header(canvas: Canvas, view: SeatView, words: Words) -> None:
    """Draw the lobby's next step, and on a lit box the name of a seat not among those below."""
    room = _HEADER
    if view.me is None:
        across = min(width(view.name, SMALL_BOLD) + 5, 52)
        label = Box(_HEADER.right - across, 2, across, 10)
        canvas.fill(label)
        canvas.text(view.name, label.inset(2), SMALL_BOLD, SMALL, align="center", light=False)
        room = _HEADER._replace(width=label.left - 3 - _HEADER.left)
    if view.volume is not None:
        sentence = words.volume(view.volume)
    elif view.countdown_s is not None:
        sentence = words.begins_in(view.countdown_s)
    elif view.alerts:
        sentence = words.alert_in_short(view)
    elif view.robot is not None:
        sentence = words(phrases.ROBOT[view.robot])
    else:
        sentence = words(phrases.NEED_TWO if len(view.names) < 2 else phrases.WHO_IS_IN)
    canvas.text(sentence, room, BOLD, SMALL_BOLD, SMALL)


def _draw_names(canvas: Canvas, view: SeatView, box: Box) -> None:
    """Draw the names in one row or two, the larger the fewer, with this seat's on a lit box."""
    number = len(view.names)
    rows = 1 if number < 3 else 2
    columns = 4 if number > _MAX_WIDE_NAMES else max(2, -(-number // 2))
    room = box.column(0, columns).width - 7
    fonts = (BOLD, SMALL) if rows > 1 else (TITLE, BOLD, SMALL)
    roomy = (font for font in fonts if all(width(name, font) <= room for name in view.names))
    font = next(roomy, SMALL) if box is _NAMES else SMALL
    for index, name in enumerate(view.names):
        cell = box.row(index // columns, rows).column(index % columns, columns)
        high = min(cell.height, font.cap + 7)
        line = Box(cell.left, cell.top + (cell.height - high) // 2, cell.width - 3, high)
        shown = shorten(name, line.width - 4, high - 2, font)
        is_own = index == view.me
        if is_own:
            canvas.fill(line._replace(width=width(shown, font) + 4))
        canvas.short(shown, line.inset(2, 1), font, light=not is_own)
