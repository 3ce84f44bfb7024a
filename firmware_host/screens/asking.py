"""Questions to a player over the whole display: leave or take back, the kind of a special round, the player's name."""

from engine import Position
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.fitting import fits
from firmware_host.screens.graphics.text import BIG, BOLD, SMALL, TEXT, TITLE, width
from firmware_host.screens.widgets import (
    FOOT,
    LEFT,
    NOTE,
    TITLE_BAR,
    draw_answers,
    draw_keys,
    draw_notice,
    draw_ring,
    draw_small_bid,
    draw_tag,
    draw_turn_clock,
    ok_does,
    small_bid_columns,
)
from firmware_host.table.seat.menu import Menu, MenuCommand
from firmware_host.table.seat.names import MAX_LETTERS, NameItem, NameView
from firmware_host.table.seat.view import SeatView

_ASKED = Box(LEFT, 9, 121, 11)
_CONSEQUENCE = Box(LEFT, 24, 121, 8)
_NO = (MenuCommand.KEEP, MenuCommand.STAY)
_ABOUT_UNDO = (MenuCommand.UNDO, MenuCommand.KEEP, MenuCommand.AGREE)
_ITEM = Box(LEFT, 2, 121, 18)
"""An item of the side menu, above its meaning."""
_KINDS, _HIGH_KINDS = Box(LEFT, 15, 121, 15), Box(LEFT, 7, 121, 15)
"""The kind of round under OK, between a title and its meaning; and above a notice."""
_CHOOSES = Box(LEFT, 2, 121, 16)
_CHOICES = Box(LEFT, 22, 121, 8)
_SLOTS = Box(22, 15, 80, 26)
"""Places for letters."""
_SLOT = 24  # pixels across
_PITCH = 28
_REGULAR = Box(LEFT, 18, 121, 22)
_ARROW = 6
_LIFT = 3  # pixels between a letter and its underline
_SIGNS = {NameItem.DONE: "OK", NameItem.SKIP: "–"}


def draw_question(canvas: Canvas, view: SeatView, menu: Menu, words: Words) -> None:
    """Draw one seat's whole picture while an answer to a question in `phrases.QUESTION` is under OK."""
    if menu.chosen is None:
        return
    asked, why = phrases.QUESTION[menu.chosen]
    canvas.text(words(asked), _draw_taken_back(canvas, view, menu, _ASKED), BOLD, TEXT, SMALL)
    if not _draw_consequence(canvas, view, words(why) if why else "") and view.undo is not None:
        asks = words(phrases.ASKS_BACK).format(name="{}", votes=view.undo.votes, needed=view.undo.needed)
        canvas.sentence(asks, view.names[view.undo.player], _CONSEQUENCE, SMALL)
    if text := words.notice(view):
        draw_notice(canvas, view, words, text)
        return
    no, yes = words(phrases.COMMAND[MenuCommand.STAY]), words(phrases.COMMAND[MenuCommand.AGREE])
    draw_answers(canvas, words, (no, yes), chosen=0 if menu.chosen in _NO else 1)


def draw_side_menu(canvas: Canvas, view: SeatView, menu: Menu, words: Words) -> None:
    """Draw one seat's whole picture while an item of the side menu is under OK."""
    if menu.chosen is None:
        return
    item, after = words.item(menu.chosen), menu.items[menu.cursor + 1 :]
    canvas.text(item, _draw_taken_back(canvas, view, menu, _ITEM), TITLE, BOLD)
    if text := words.notice(view):
        canvas.lines(text, NOTE, 2, SMALL)
    else:
        _draw_consequence(canvas, view, words.item_hint(menu.chosen, view.position, view.names))
    right = words.item(after[0]) if after else None
    draw_keys(canvas, ok_does(words, item), left=words(phrases.COMMAND[MenuCommand.BACK]), right=right)


def _draw_taken_back(canvas: Canvas, view: SeatView, menu: Menu, title: Box) -> Box:
    """Draw the bid that would be taken back at a title's end; return the rest of its line."""
    if menu.chosen not in _ABOUT_UNDO or view.position is None or view.position.standing is None:
        return title
    across = small_bid_columns(view.position.standing)
    rest = title._replace(width=title.width - across - 4)
    draw_small_bid(canvas, view.position.standing, Box(rest.right + 4, title.bottom - 14, across, 15))
    return rest


def _draw_consequence(canvas: Canvas, view: SeatView, text: str) -> bool:
    """Draw the turn clock, or an answer's consequence; return whether there was one."""
    if view.clock_s is not None:
        draw_turn_clock(canvas, view.clock_s, _CONSEQUENCE)
    elif text:
        canvas.text(text, _CONSEQUENCE, SMALL)
    return view.clock_s is not None or bool(text)


def draw_choosing(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw a special round's owner's choice of its kind, or what the others read meanwhile."""
    if menu.chosen is None:
        if view.clock_s is not None:
            draw_turn_clock(canvas, view.clock_s, _CHOICES)
        name = "" if position.owner is None else view.names[position.owner]
        canvas.sentence(words(phrases.CHOOSES), name, _CHOOSES, TITLE, BOLD, TEXT, SMALL)
        kinds = ", ".join(words.item(kind, position.rules) for kind in position.choices)
        if view.clock_s is None and fits(kinds, _CHOICES.width, _CHOICES.height, SMALL):
            canvas.text(kinds, _CHOICES, SMALL)
        return
    banner = words.banner(view)
    told, name = banner or (words(phrases.YOU_CHOOSE), "")
    hint = words.item_hint(menu.chosen, position, view.names)
    is_line = width(told.format(name), SMALL) <= TITLE_BAR.width
    if banner is None and view.clock_s is not None:
        draw_turn_clock(canvas, view.clock_s, TITLE_BAR)
    elif is_line:
        canvas.sentence(told, name, TITLE_BAR, BOLD, TEXT, SMALL)
    draw_ring(canvas, words.item(menu.chosen, position.rules), _KINDS if is_line else _HIGH_KINDS)
    note = (hint, "") if is_line else (told, name)
    canvas.sentence_lines(*note, NOTE, 2, SMALL, align="center")
    draw_keys(canvas, words(phrases.OK_TAKES_ROUND))


def draw_naming(canvas: Canvas, view: SeatView, naming: NameView, words: Words) -> None:
    """Draw one seat's whole picture while entering a name."""
    canvas.text(words(phrases.NAME_ASKED), TITLE_BAR._replace(width=draw_tag(canvas, view.name)), BOLD, TEXT, SMALL)
    if naming.regulars:
        draw_ring(canvas, naming.choice if naming.item is None else words(phrases.NAME_ANSWER[naming.item]), _REGULAR)
    else:
        _draw_letters(canvas, naming)
    help_text = phrases.NAME_HELP[naming.item] if naming.item else phrases.NAME_TAKE
    if naming.regulars and naming.item is None:
        help_text = phrases.NAME_IS_MINE
    draw_keys(canvas, words(help_text))


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
    canvas.arrow(LEFT, middle, _ARROW, leftward=True)
    canvas.arrow(FOOT.right - _ARROW, middle, _ARROW, leftward=False)


def _draw_sign(canvas: Canvas, naming: NameView, slot: Box) -> None:
    """Draw the letter under OK, dark on the lit place, or a sign for OK's other effect."""
    if naming.item is NameItem.BACK:
        canvas.arrow(slot.left + slot.width // 2 - 4, slot.top + slot.height // 2, 9, leftward=True, light=False)
        return
    text = naming.choice if naming.item is None else _SIGNS[naming.item]
    canvas.text(text, slot, BIG, TITLE, BOLD, align="center", light=False)
