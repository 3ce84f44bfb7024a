"""The lobby: the players, and joining, starting or leaving. In the empty lobby dice turn now and then."""

from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD, TITLE, width
from firmware_host.screens.widgets import dice_slots, draw_banner, draw_choice
from firmware_host.table.menu import Menu, MenuCommand
from firmware_host.table.seat_view import SeatView

_HEADER = Box(2, 1, 120, 12)
_NAMES = Box(1, 16, 123, 22)
_ROW = 11
_MAX_WIDE_NAMES = 6
_FOOT = Box(2, 45, 120, 15)
_TITLE = Box(2, 2, 120, 18)
_INVITATION = Box(2, 21, 120, 12)


def draw_lobby(canvas: Canvas, view: SeatView, menu: Menu, words: Words) -> None:
    """Draw one seat's whole lobby picture."""
    if not view.names:
        _draw_empty(canvas, view, menu, words)
        return
    text = words.notice(view)
    _draw_header(canvas, view, words)
    _draw_names(canvas, view.names, 4 if text or len(view.names) > _MAX_WIDE_NAMES else 3)
    if text:
        draw_banner(canvas, text, lit=view.notice is not None)
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
    offer = words.item(menu.chosen or MenuCommand.JOIN)
    canvas.text(offer, _INVITATION, BOLD, SMALL_BOLD, align="center")
    if text := words.notice(view):
        draw_banner(canvas, text, lit=view.notice is not None)
        return
    for index, slot in enumerate(dice_slots(5)):
        turned = (view.idle_frame + 4 - index) // 5
        face = (3 * index + 2 * turned + turned // 3) % 6 + 1
        canvas.die(face, slot.left, slot.top, "bid", style="solid" if view.idle_frame % 5 == index else "outline")


def _draw_header(canvas: Canvas, view: SeatView, words: Words) -> None:
    """Draw the lobby's next step, and this seat's name on a lit box."""
    across = min(width(view.name, SMALL_BOLD) + 5, 52)
    label = Box(_HEADER.right - across, 2, across, 10)
    canvas.fill(label)
    canvas.text(view.name, label.inset(2), SMALL_BOLD, SMALL, align="center", light=False)
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
    room = Box(_HEADER.left, _HEADER.top, label.left - 3 - _HEADER.left, 12)
    canvas.text(sentence, room, BOLD, SMALL_BOLD, SMALL)


def _draw_names(canvas: Canvas, names: tuple[str, ...], columns: int) -> None:
    """Draw the names in two rows."""
    for index, name in enumerate(names):
        cell = _NAMES.column(index % columns, columns)
        line = Box(cell.left, cell.top + index // columns * _ROW, cell.width - 3, 8)
        canvas.short(name, line, SMALL)
