"""The question for a player's name: a regular's from a list, or three letters one after the other."""

from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.text import BIG, BOLD, SMALL, SMALL_BOLD, TINY, TITLE, width
from firmware_host.table.seat.names import MAX_LETTERS, NameItem, NameView
from firmware_host.table.seat.view import SeatView

_HEADER = Box(2, 2, 120, 10)
_SLOTS = Box(22, 16, 80, 28)
_SLOT = 24  # pixels across
_PITCH = 28
_REGULAR = Box(1, 18, 124, 22)
_HELP = Box(2, 49, 120, 10)
_ARROW = 6
_LIFT = 3  # pixels between a letter and its underline
_SIGNS = {NameItem.DONE: "OK", NameItem.SKIP: "–"}


def draw_naming(canvas: Canvas, view: SeatView, naming: NameView, words: Words) -> None:
    """Draw one seat's whole picture while entering a name."""
    _draw_header(canvas, view, words)
    if naming.regulars:
        _draw_regular(canvas, naming, words)
    else:
        _draw_letters(canvas, naming)
    help_text = phrases.NAME_HELP[naming.item] if naming.item else phrases.NAME_TAKE
    if naming.regulars and naming.item is None:
        help_text = phrases.NAME_IS_MINE
    canvas.text(words(help_text), _HELP, BOLD, SMALL_BOLD, SMALL, align="center")


def _draw_header(canvas: Canvas, view: SeatView, words: Words) -> None:
    """Draw the question, and this seat's name on a lit box, as in the lobby."""
    across = min(width(view.name, SMALL_BOLD) + 5, 52)
    label = Box(_HEADER.right - across, 2, across, 10)
    canvas.fill(label)
    canvas.text(view.name, label.inset(2), SMALL_BOLD, SMALL, align="center", light=False)
    room = Box(_HEADER.left, _HEADER.top - 1, label.left - 3 - _HEADER.left, 12)
    canvas.text(words(phrases.NAME_ASKED), room, BOLD, SMALL_BOLD, SMALL)


def _draw_letters(canvas: Canvas, naming: NameView) -> None:
    """Draw a place for each letter; the chosen one is lit, with a ring's arrows beside it."""
    at = min(len(naming.letters), MAX_LETTERS - 1)
    is_whole = len(naming.letters) == MAX_LETTERS
    for place in range(MAX_LETTERS):
        slot = Box(_SLOTS.left + place * _PITCH, _SLOTS.top, _SLOT, _SLOTS.height)
        if place == at and not is_whole:
            canvas.fill(slot)
            _draw_sign(canvas, naming, slot)
        else:
            canvas.fill(Box(slot.left, slot.bottom - 2, slot.width, 2))
            letter = naming.letters[place : place + 1]
            canvas.text(letter, Box(slot.left, slot.top, slot.width, slot.height - _LIFT), BIG, TITLE, align="center")
    middle = _SLOTS.top + _SLOTS.height // 2
    canvas.arrow(2, middle, _ARROW, leftward=True)
    canvas.arrow(_HEADER.right - _ARROW + 2, middle, _ARROW, leftward=False)


def _draw_sign(canvas: Canvas, naming: NameView, slot: Box) -> None:
    """Draw the letter under OK, dark on the lit place, or a sign for OK's other effect."""
    if naming.item is NameItem.BACK:
        canvas.arrow(slot.left + slot.width // 2 - 4, slot.top + slot.height // 2, 9, leftward=True, light=False)
        return
    text = naming.choice if naming.item is None else _SIGNS[naming.item]
    canvas.text(text, slot, BIG, TITLE, BOLD, align="center", light=False)


def _draw_regular(canvas: Canvas, naming: NameView, words: Words) -> None:
    """Draw a regular's name, or another answer, between a ring's arrows."""
    middle = _REGULAR.top + _REGULAR.height // 2
    canvas.arrow(_REGULAR.left, middle, _ARROW, leftward=True)
    canvas.arrow(_REGULAR.right - _ARROW, middle, _ARROW, leftward=False)
    text = naming.choice if naming.item is None else words(phrases.NAME_ANSWER[naming.item])
    canvas.text(text, _REGULAR.inset(_ARROW + 3), BIG, TITLE, BOLD, SMALL_BOLD, TINY, align="center")
