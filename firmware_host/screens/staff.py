"""The staff menu: its sections, their items, a choice, and the test pictures. No dice are drawn."""

from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import SHEET, Box, Canvas
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD, TINY, TITLE
from firmware_host.screens.widgets import draw_answers
from firmware_host.table.staff.actions import StaffFigure, StaffView
from firmware_host.table.staff.items import StaffItem, StaffKind, StaffSection
from firmware_host.table.staff.sound import MAX_VOLUME

_HEAD = Box(1, 1, 124, 10)
"""Dark line on a lit bar, unique to this screen: the present place in the staff menu."""
_PLACE = Box(2, 13, 120, 10)
_CHOICE = Box(1, 24, 124, 20)
_BAR = Box(22, 43, 82, 4)
"""Volume bar."""
_HELP = Box(2, 48, 120, 8)
_HIGH_CHOICE = Box(1, 16, 124, 20)
"""Place for a choice with two lines below it."""
_LINES = Box(2, 42, 120, 16)
_COUNT = Box(2, 41, 120, 8)
_SINCE = Box(2, 53, 120, 8)
_ARROW = 6
_MANY_HOURS = 100
"""Hours from which minutes no longer matter."""
_OF_A_SEAT = {
    StaffItem.REMOVE: phrases.STAFF_OUT,
    StaffItem.HAND_OVER: phrases.STAFF_NEXT_PLAYER,
    StaffItem.ROBOT: phrases.STAFF_ROBOT,
}
_ASKED = {
    StaffItem.END_MATCH: phrases.STAFF_NOBODY_WINS,
    StaffItem.REOPEN: phrases.STAFF_SHAKE_AGAIN,
    StaffItem.POWER_OFF: phrases.STAFF_GOES_ON_LATER,
}
_VOLUMES = (StaffItem.VOLUME, StaffItem.GUESTS_MIN, StaffItem.GUESTS_MAX)
_ARROWS = {"left": True, "right": False}


def draw_staff(canvas: Canvas, view: StaffView, words: Words) -> None:
    """Draw the service seat's whole picture while the staff menu is open; under a test every seat's."""
    if view.is_test_picture:
        _draw_test_picture(canvas, view, words)
        return
    canvas.fill(_HEAD)
    section = words(phrases.STAFF_SECTION[view.section])
    title = words(phrases.STAFF_MENU)
    canvas.text(title, Box(3, 2, 58, 8), SMALL_BOLD, SMALL, light=False)
    canvas.text("" if view.item is None else section, Box(64, 2, 59, 8), SMALL_BOLD, SMALL, align="right", light=False)
    if view.item is None:
        _draw_choice(canvas, section)
        canvas.text(f"{[*StaffSection].index(view.section) + 1}/{len(StaffSection)}", _PLACE, SMALL, align="center")
        canvas.text(words(phrases.STAFF_CLOSED_BY[view.closed_by]), _HELP, SMALL, TINY, align="center")
        return
    item = words(phrases.STAFF_ITEM[view.item])
    if view.is_sure is not None and view.figure is not None:
        canvas.text(words(phrases.STAFF_RESET).format(item), _PLACE, SMALL_BOLD, SMALL, align="center")
        draw_answers(canvas, words(phrases.STAFF_NO), words(phrases.STAFF_YES), _CHOICE, is_yes=view.is_sure)
        canvas.text(_count(view.item, view.figure, words), _HELP, SMALL_BOLD, SMALL, TINY, align="center")
    elif view.is_sure is not None:
        canvas.text(item, _PLACE, SMALL_BOLD, SMALL, align="center")
        draw_answers(canvas, words(phrases.STAFF_NO), words(phrases.STAFF_YES), _CHOICE, is_yes=view.is_sure)
        canvas.text(words(_ASKED[view.item]), _HELP, SMALL, TINY, align="center")
    elif view.item is StaffItem.INPUTS and view.value == "":
        canvas.text(item, _PLACE, SMALL_BOLD, SMALL, align="center")
        canvas.lines(words(phrases.STAFF_PRESS), _CHOICE, 1, BOLD, SMALL_BOLD, SMALL, align="center")
    elif view.button:
        canvas.text(item, _PLACE, SMALL_BOLD, SMALL, align="center")
        _draw_part(canvas, view, words)
    elif not view.asks or view.value is None:
        _draw_item(canvas, view, item, words)
    else:
        canvas.text(item, _PLACE, SMALL_BOLD, SMALL, align="center")
        _draw_choice(canvas, _value(view, words))
        if view.item in _VOLUMES and isinstance(view.value, int):
            canvas.frame(_BAR)
            canvas.fill(Box(_BAR.left, _BAR.top, _BAR.width * view.value // MAX_VOLUME, _BAR.height))
        state = phrases.STAFF_IN_FORCE if view.is_present else phrases.STAFF_OK_TAKES
        state = _OF_A_SEAT.get(view.item, state)
        canvas.text(words(state), _HELP, SMALL, TINY, align="center")


def _draw_item(canvas: Canvas, view: StaffView, item: str, words: Words) -> None:
    fact, _, second_line = str(view.value).partition("\n")
    has_lines = bool(second_line) or view.refusal is not None or view.report is not None or view.figure is not None
    _draw_choice(canvas, item, _HIGH_CHOICE if has_lines else _CHOICE)
    if view.refusal is not None:
        canvas.lines(words(phrases.STAFF_REFUSAL[view.refusal]), _LINES, 2, SMALL, TINY, align="center")
    elif view.report is not None:
        canvas.lines(words.job(view.report), _LINES, 2, SMALL, TINY, align="center")
    elif view.figure is not None and view.item is not None:
        _draw_figure(canvas, view.item, view.figure, words)
    elif second_line:
        canvas.text(fact, _COUNT, SMALL_BOLD, SMALL, TINY, align="center")
        canvas.text(second_line, _SINCE, SMALL_BOLD, SMALL, align="center")
    elif view.value is not None:
        canvas.text(_value(view, words), _HELP, SMALL_BOLD, SMALL, TINY, align="center")


def _draw_figure(canvas: Canvas, item: StaffItem, figure: StaffFigure, words: Words) -> None:
    """Draw a table counter and its first day."""
    canvas.text(_count(item, figure, words), _COUNT, SMALL_BOLD, SMALL, TINY, align="center")
    canvas.text(words(phrases.STAFF_SINCE).format(figure.since), _SINCE, SMALL, TINY, align="center")


def _count(item: StaffItem, figure: StaffFigure, words: Words) -> str:
    if figure.crashes:
        return words(phrases.STAFF_STARTS).format(starts=figure.count, crashes=figure.crashes)
    if item is StaffItem.HOURS:
        hours, minutes = figure.count // 3600, figure.count % 3600 // 60
        return f"{hours} h" if hours >= _MANY_HOURS else f"{hours} h {minutes} min"
    return str(figure.count)


def _draw_choice(canvas: Canvas, text: str, place: Box = _CHOICE) -> None:
    """Draw the choice under OK between a ring's arrows."""
    middle = place.top + place.height // 2
    canvas.arrow(place.left, middle, _ARROW, leftward=True)
    canvas.arrow(place.right - _ARROW, middle, _ARROW, leftward=False)
    canvas.text(text, place.inset(_ARROW + 5), TITLE, BOLD, SMALL_BOLD, SMALL, align="center")


def _draw_part(canvas: Canvas, view: StaffView, words: Words) -> None:
    """Draw a seat's name and its part that moved, or never did."""
    room = Box(_CHOICE.left, _CHOICE.top, 84, _CHOICE.height)
    canvas.text(str(view.value), room, TITLE, BOLD, SMALL_BOLD, SMALL, align="center")
    at = Box(room.right + 2, _CHOICE.top, _CHOICE.right - room.right - 2, _CHOICE.height)
    if view.button in _ARROWS:
        canvas.arrow(at.left + at.width // 2 - 4, at.top + at.height // 2, 9, leftward=_ARROWS[view.button])
    else:
        part = words(phrases.STAFF_CUP) if view.button == "cup" else view.button.upper()
        canvas.text(part, at, BOLD, SMALL_BOLD, SMALL, align="center")


def _value(view: StaffView, words: Words) -> str:
    if view.item is None or view.item.row.kind is not StaffKind.SETTING or view.value is None:
        return str(view.value)
    return words.setting(view.item, view.value)


def _draw_test_picture(canvas: Canvas, view: StaffView, words: Words) -> None:
    """Draw every other pixel at the edges, and the seat's name: dead rows or an upside-down display show.

    The service seat adds the test sound's volume, which may explain silence.
    """
    canvas.frame(SHEET)
    for left in range(SHEET.left + 2, SHEET.right - 6, 8):
        canvas.fill(Box(left, SHEET.top + 3, 4, 8))
        canvas.fill(Box(left + 4, SHEET.bottom - 11, 4, 8))
    has_volume = view.volume is not None
    canvas.text(str(view.value), Box(6, 17 if has_volume else 20, 116, 20), TITLE, BOLD, SMALL_BOLD, align="center")
    if view.volume is not None:
        volume = words.volume(view.volume) if view.volume else words(phrases.STAFF_SILENT)
        canvas.text(volume, Box(6, 38, 116, 9), SMALL_BOLD, SMALL, align="center")
