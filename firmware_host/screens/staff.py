"""The staff menu: its sections, their items, a choice, and the test pictures. No dice are drawn."""

from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import SHEET, Box, Canvas
from firmware_host.screens.graphics.fitting import fits
from firmware_host.screens.graphics.text import BOLD, SMALL, TEXT, TINY, TITLE, width
from firmware_host.screens.widgets import LEFT, draw_answers, draw_keys, draw_ring, ok_does
from firmware_host.table.staff.actions import StaffFigure, StaffView
from firmware_host.table.staff.items import StaffItem, StaffKind
from firmware_host.table.staff.machine import JobOutcome
from firmware_host.table.staff.sound import MAX_VOLUME

_HEAD = Box(1, 1, 124, 13)
"""Dark line on a lit bar, unique to this screen: the present place in the staff menu."""
_ITEM = Box(LEFT, 24, 121, 16)
"""An item or a choice in the middle between header and key row."""
_HIGH_ITEM, _INFO = Box(LEFT, 17, 121, 16), Box(LEFT, 35, 121, 8)
"""One above a line."""
_LONGEST_INFO = 101  # columns
_TOLD_ALONE = Box(LEFT, 18, 121, 24)
"""A refusal or a report too long for that line."""
_BAR = Box(22, 41, 82, 3)
"""The volume's bar."""
_OWNER, _PARTS = Box(LEFT, 15, 121, 12), Box(LEFT, 29, 121, 14)
"""A seat's name, and the row of its buttons and its cup."""
_PARTS_ACROSS = {"left": 16, "ok": 24, "right": 16, "dudo": 36, "cup": 21}
"""The columns of each."""
_TITLE = Box(LEFT, 15, 121, 11)
"""A question."""
_TOLD = Box(LEFT, 28, 121, 8)
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
_ARROW = 5  # columns
_ARROWS = {"left": True, "right": False}


def draw_staff(canvas: Canvas, view: StaffView, words: Words) -> None:
    """Draw the service seat's whole picture while the staff menu is open; under a test every seat's."""
    if view.is_test_picture:
        _draw_test_picture(canvas, view, words)
        return
    section = words(phrases.STAFF_SECTION[view.section])
    if view.item is None:
        _draw_head(canvas, "", words)
        draw_ring(canvas, section, _HIGH_ITEM)
        canvas.text(words(phrases.STAFF_CLOSED_BY[view.closed_by]), _INFO, SMALL, align="center")
        draw_keys(canvas, words(phrases.STAFF_OPENS))
        return
    item = words(phrases.STAFF_ITEM[view.item])
    is_waiting = view.item is StaffItem.INPUTS and view.value == ""
    if view.is_sure is not None:
        _draw_head(canvas, section, words)
        asked = words(phrases.STAFF_RESET).format(item) if view.figure is not None else item
        canvas.text(asked, _TITLE, BOLD, TEXT, SMALL)
        told = _count(view.item, view.figure, words) if view.figure is not None else words(_ASKED[view.item])
        canvas.text(told, _TOLD, SMALL, TINY)
        draw_answers(canvas, words, (words(phrases.STAFF_NO), words(phrases.STAFF_YES)), chosen=int(view.is_sure))
    elif is_waiting or view.button:
        _draw_head(canvas, item, words)
        if is_waiting:
            canvas.text(words(phrases.STAFF_PRESS), _ITEM, BOLD, TEXT, SMALL, align="center")
        else:
            _draw_part(canvas, view)
        draw_keys(canvas, ok_does(words, words(phrases.STAFF_ITEM[StaffItem.BACK])))
    elif view.asks and view.value is not None:
        _draw_head(canvas, item, words)
        draw_ring(canvas, _value(view, words), _ITEM)
        state = phrases.STAFF_IN_FORCE if view.is_present else phrases.STAFF_OK_TAKES
        draw_keys(canvas, words(_OF_A_SEAT.get(view.item, state)))
        if view.item in _VOLUMES and isinstance(view.value, int):
            canvas.frame(_BAR)
            canvas.fill(Box(_BAR.left, _BAR.top, _BAR.width * view.value // MAX_VOLUME, _BAR.height))
    else:
        _draw_item(canvas, view, section, item, words)


def _draw_head(canvas: Canvas, text: str, words: Words) -> None:
    """Draw the head, at its end the present place in the menu."""
    room = _HEAD._replace(height=12).inset(3)
    canvas.fill(_HEAD)
    canvas.text(words(phrases.STAFF_MENU), room, BOLD, light=False)
    if text:
        across = width(words(phrases.STAFF_MENU), BOLD) + 6
        room = room._replace(left=room.left + across, width=room.width - across)
        canvas.text(text, room, BOLD, TEXT, SMALL, align="right", light=False)


def _draw_item(canvas: Canvas, view: StaffView, section: str, item: str, words: Words) -> None:
    """Draw an item, a fact about it, and OK's effect; a refusal or a report in place of that."""
    told = ""
    if view.refusal is not None:
        told = words(phrases.STAFF_REFUSAL[view.refusal])
    elif view.report is not None:
        told = words.job(view.report)
    elif view.item is not None and view.figure is not None:
        _draw_head(canvas, item, words)
        draw_ring(canvas, _count(view.item, view.figure, words), _HIGH_ITEM)
        canvas.text(words(phrases.STAFF_SINCE).format(view.figure.since), _INFO, SMALL, align="center")
        if view.figure.count:
            draw_keys(canvas, words(phrases.STAFF_OK_RESETS))
        return
    does = phrases.STAFF_OK.get(view.item.row.kind) if view.item is not None else None
    if view.refusal is None and view.report is not None and view.report.outcome is not JobOutcome.BEGUN:
        does = phrases.STAFF_AGAIN
    ok = "" if does is None else words(does)
    if not told and view.value is not None:
        told, _, second_line = _value(view, words).partition("\n")
        ok = ok or second_line or told
        told = "" if ok == told else told
    if not told:
        _draw_head(canvas, section, words)
        draw_ring(canvas, item, _ITEM)
    elif fits(told, _LONGEST_INFO, _INFO.height, SMALL):
        _draw_head(canvas, section, words)
        draw_ring(canvas, item, _HIGH_ITEM)
        canvas.text(told, _INFO, SMALL, align="center")
    else:
        _draw_head(canvas, item, words)
        draw_ring(canvas, told, _TOLD_ALONE, lines=2)
    draw_keys(canvas, ok)


def _count(item: StaffItem, figure: StaffFigure, words: Words) -> str:
    if figure.crashes:
        return words(phrases.STAFF_STARTS).format(starts=figure.count, crashes=figure.crashes)
    if item is StaffItem.HOURS:
        hours, minutes = figure.count // 3600, figure.count % 3600 // 60
        return f"{hours} h" if hours >= _MANY_HOURS else f"{hours} h {minutes} min"
    return str(figure.count)


def _draw_part(canvas: Canvas, view: StaffView) -> None:
    """Draw a seat's name above its buttons and its cup: the one that has just moved, or never did, is lit."""
    canvas.text(str(view.value), _OWNER, BOLD, TEXT, SMALL, align="center")
    left = _PARTS.left
    for part, across in _PARTS_ACROSS.items():
        key, is_lit = _PARTS._replace(left=left, width=across), part == view.button
        if is_lit:
            canvas.fill(key)
        else:
            canvas.frame(key)
        if part in _ARROWS:
            at = left + (across - _ARROW) // 2, key.top + key.height // 2
            canvas.arrow(*at, _ARROW, leftward=_ARROWS[part], light=not is_lit)
        elif part == "cup":
            canvas.small_cup(left + 5, key.top + 4, light=not is_lit)
        else:
            canvas.text(part.upper(), key.inset(2), BOLD, SMALL, align="center", light=not is_lit)
        left = key.right + 2


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
    canvas.text(str(view.value), Box(6, 17 if has_volume else 20, 116, 20), TITLE, BOLD, TEXT, align="center")
    if view.volume is not None:
        volume = words.volume(view.volume) if view.volume else words(phrases.STAFF_SILENT)
        canvas.text(volume, Box(6, 38, 116, 9), TEXT, SMALL, align="center")
