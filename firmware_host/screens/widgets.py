"""Parts shared by several screens: the grid, the cursor, the key row, the own dice and banners.

Things stay in place from screen to screen, so a bid costs only the bytes it changes. Frequent changes lie in whole
pages, the eight rows written at once by a controller.
"""

import re

from engine import Bid, Hand, Position, RoundKind
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import SHEET, Align, Box, Canvas
from firmware_host.screens.graphics.fitting import base_line, fit, fits, shorten, wrap
from firmware_host.screens.graphics.glyphs import LOW, Style
from firmware_host.screens.graphics.text import BIG, BOLD, CAPITALS, HUGE, SMALL, TEXT, TINY, TITLE, bare, width
from firmware_host.table.parts.timeouts import TURN_CLOCK_SHOWN_S
from firmware_host.table.seat.menu import Menu, MenuCommand
from firmware_host.table.seat.view import SceneName, SeatView

# The grid: two columns, below them a line, then the dice; or a title, a middle and a key row

LEFT, MIDDLE = 2, 64
"""The left edges of the two columns."""
BID = Box(LEFT, 1, 60, 23)
"""The left column, in pages 0 to 2: the standing bid."""
WHOSE = Box(MIDDLE, 0, 60, 8)
"""The right column's first line, over a choice: the player in turn, or the caller."""
CHOICE = Box(MIDDLE, 9, 60, 15)
"""Below it the item under OK, on the bid's lower edge, in pages 1 and 2."""
FACTS = Box(LEFT, 26, 60, 6)
"""The bid's caption, in capitals within page 3: the most urgent fact."""
WIDE_FACTS = FACTS._replace(width=121)
"""The same beside an empty `CAPTION`."""
LINE = Box(LEFT, 27, 121, 6)
"""Both captions in one, a row lower: a sentence about the round or the open hand."""
CAPTION = Box(MIDDLE, 26, 60, 6)
"""The right column's, in the same way: the effect of OK or of an arrow."""
DICE = Box(1, 36, 124, 24)
"""The own dice. Their pips are in rows 40–55, pages 5 and 6."""
BANNER = Box(1, 35, 124, 26)
"""In their place: a sentence on one or two lines."""
TITLE_BAR = Box(LEFT, 1, 121, 12)
"""On screens without a bid: a title."""
SUBTITLE = Box(LEFT, 16, 121, 8)
"""A line below it."""
FOOT = Box(LEFT, 50, 121, 11)
"""The key row, below a line from edge to edge: the effects of ◀, OK and ▶."""
NOTE = Box(LEFT, 27, 121, 18)
"""Up to two small lines above it: the meaning of a choice, or a notice."""
RULE = Box(SHEET.left, 46, SHEET.width, 1)
"""The line above the key row."""

_DICE_PITCH, _OWN_DIE = 25, 22


def dice_slots(number: int, row: Box = DICE) -> list[Box]:
    """Return boxes for dice side by side, three columns apart for own dice and further in a lower row."""
    size = min(_OWN_DIE, row.height)
    top = row.top + (row.height - size) // 2
    return [Box(LEFT + index * _DICE_PITCH, top, size, size) for index in range(number)]


def pip_box(slot: Box) -> Box:
    """Return the part of an own die's slot differing between faces."""
    return slot.inset(3, 3)


# Cursor, captions and turn clock

_ARROW = 5
_CHOICE_ARROW = 4
_CHOICE_GAP = 4  # columns between an arrow and the longest word
_SMALL_ARROW = 3
_CURSOR_DIE = 15
_CURSOR_GAP = 3  # pixels between the number and the die
_CLOCK_NUMBER = 24  # columns
_KEYS_APART = 4  # columns


def draw_choice(canvas: Canvas, menu: Menu, words: Words) -> None:
    """Draw OK's effect in bidding, between arrows towards further items."""
    item, middle = menu.chosen, CHOICE.top + CHOICE.height // 2
    if item is None:
        return
    inner = CHOICE.inset(_CHOICE_ARROW + _CHOICE_GAP)
    if isinstance(item, Bid):
        across = min(small_bid_columns(item), inner.width)
        draw_small_bid(canvas, item, inner._replace(left=inner.left + (inner.width - across) // 2, width=across))
    else:
        canvas.text(words.item(item), inner, BOLD, TEXT, SMALL, align="center")
    if menu.cursor:
        canvas.arrow(CHOICE.left, middle, _CHOICE_ARROW, leftward=True)
    if menu.cursor + 1 < len(menu.items):
        canvas.arrow(CHOICE.right - _CHOICE_ARROW, middle, _CHOICE_ARROW, leftward=False)


def draw_ring(canvas: Canvas, text: str, box: Box, *, lines: int = 1) -> None:
    """Draw a choice in the middle of the display, between arrows at its edges and at the middle of its capitals.

    A text of several `lines` that is too long for them has all of the width, without arrows.
    """
    room = box.inset(_ARROW + 4)
    if lines > 1:
        rows, _ = wrap(text, (room.width, room.height), lines, (SMALL,))
        if " ".join(rows) != text:
            canvas.lines(text, box, lines, SMALL, TINY, align="center")
            return
        canvas.lines(text, room, lines, BOLD, TEXT, SMALL, align="center")
        middle = box.top + box.height // 2
    else:
        shown, font = fit(text, room.width, room.height, (TITLE, BOLD, TEXT, SMALL))
        canvas.text(shown, room, font, align="center")
        middle = box.top + base_line(shown, box.height, font) - (font.cap + 1) // 2
    canvas.arrow(box.left, middle, _ARROW, leftward=True)
    canvas.arrow(box.right - _ARROW, middle, _ARROW, leftward=False)


def draw_menu(canvas: Canvas, menu: Menu, words: Words, *, has_rule: bool = True) -> None:
    """Draw the key row for a menu."""
    if menu.chosen is None:
        return
    names = [words.item(item) for item in menu.items]
    left = names[menu.cursor - 1] if menu.cursor else None
    right = names[menu.cursor + 1] if menu.cursor + 1 < len(names) else None
    ok = names[menu.cursor]
    if menu.chosen is not MenuCommand.WAIT:
        ok = "" if menu.chosen is MenuCommand.PHONE else ok_does(words, ok)
    draw_keys(canvas, ok, left=left, right=right, has_rule=has_rule)


def ok_does(words: Words, item: str) -> str:
    """Return OK's effect in words; a colon in it gives way to that behind OK."""
    loud = words(phrases.OK_CLAIMS)
    return item if item.startswith(loud[:2]) else loud.format(re.sub(r"\s*:", "", item))


def draw_keys(
    canvas: Canvas,
    ok: str,
    *,
    left: str | None = None,
    right: str | None = None,
    box: Box = FOOT,
    has_rule: bool = True,
) -> None:
    """Draw the effects of ◀, OK and ▶ in a row; an arrow without room for its text stands alone."""
    if has_rule:
        canvas.fill(RULE._replace(top=box.top - 4))
    texts = [text or "" for text in (left, right)]
    arrows = sum(_ARROW + _KEYS_APART for text in (left, right) if text is not None)

    def room() -> int:
        return box.width - arrows - sum(width(text, SMALL) + 2 * _KEYS_APART for text in texts if text)

    for side in (0, 1):
        if width(ok, BOLD) > room():
            texts[side] = ""
    middle, inner = box.top + box.height // 2 - 1, box
    if left is not None:
        canvas.arrow(box.left, middle, _ARROW, leftward=True)
        start = box.left + _ARROW + 2
        across = canvas.text(texts[0], Box(start, box.top + 1, box.width, 8), SMALL)
        edge = start + across + (_KEYS_APART if across else 1)
        inner = inner._replace(left=edge, width=box.right - edge)
    if right is not None:
        canvas.arrow(box.right - _ARROW, middle, _ARROW, leftward=False)
        across = width(texts[1], SMALL) if texts[1] else 0
        end = box.right - _ARROW - 3 - across
        canvas.text(texts[1], Box(end, box.top + 1, across, 8), SMALL, align="right")
        inner = inner._replace(width=end - (_KEYS_APART if across else 1) - inner.left)
    canvas.text(ok, inner, BOLD, TEXT, SMALL, align="left" if left is None and right is not None else "center")


def draw_tag(canvas: Canvas, text: str, most: int = 56) -> int:
    """Draw a text on a lit box at the end of the title's line; return the columns left of it."""
    across = min(width(text, SMALL) + 6, most)
    label = Box(TITLE_BAR.right - across, 2, across, 10)
    canvas.fill(label)
    canvas.short(text, label.inset(3, 1), SMALL, light=False)
    return label.left - 4 - TITLE_BAR.left


def small_bid_columns(bid: Bid) -> int:
    """Return the width of a bid's number and die."""
    return LOW.across(str(bid.quantity)) + _CURSOR_GAP + _CURSOR_DIE


def draw_small_bid(canvas: Canvas, bid: Bid, box: Box) -> None:
    """Draw a bid at the right end of a box."""
    number = str(bid.quantity)
    right = box.right - _CURSOR_DIE
    canvas.die(bid.face, right, box.top, "menu")
    if LOW.across(number) <= box.width - _CURSOR_DIE - _CURSOR_GAP:
        canvas.number(number, right - _CURSOR_GAP, box.top + 1, LOW)
    else:
        room = Box(box.left, box.top, box.width - _CURSOR_DIE - 2, box.height)
        canvas.text(number, room, BOLD, TEXT, SMALL, align="right")


def draw_capitals(canvas: Canvas, text: str, box: Box, align: Align = "left") -> int:
    """Draw a text in capitals, which keep to one page, or in small letters without room; return its width."""
    loud, higher = text.upper().replace("’", "'"), box._replace(height=box.height + 1)
    for rows in (box, higher):  # an accent takes one row more
        if fits(loud, rows.width, rows.height, CAPITALS):
            return canvas.text(loud, rows, CAPITALS, align=align)
    if text == bare(text).upper():
        return canvas.text(shorten(text, box.width, box.height, CAPITALS), box, CAPITALS, align=align)
    return canvas.text(text, box._replace(height=8), SMALL, align=align)


def draw_caption(canvas: Canvas, text: str, *, leftward: bool | None = None) -> None:
    """Draw OK's effect in the column's middle, or behind an arrow the effect of that."""
    if leftward is None:
        draw_capitals(canvas, text, CAPTION, "center")
        return
    room = CAPTION._replace(left=CAPTION.left + _SMALL_ARROW + 3, width=CAPTION.width - _SMALL_ARROW - 3)
    canvas.arrow(CAPTION.left, CAPTION.top + 3, _SMALL_ARROW, leftward=leftward)
    draw_capitals(canvas, text, room)


def draw_page_heading(canvas: Canvas, sentence: str, box: Box, name: str = "") -> int:
    """Name the open hand's owner, or all hands, before two arrows to the next; return the column behind them."""
    arrows = 2 * (_SMALL_ARROW + 3) + 1
    room, text = box._replace(width=box.width - arrows, height=8), sentence.format(name)
    if fits(text, room.width, room.height, SMALL):
        across = draw_capitals(canvas, text, room._replace(height=box.height))
    else:
        across = canvas.sentence(sentence, name, room, SMALL)
    left, middle = box.left + across + 4, box.top + box.height // 2
    for number, leftward in enumerate((True, False)):
        canvas.arrow(left + number * (_SMALL_ARROW + 3), middle, _SMALL_ARROW, leftward=leftward)
    return left + arrows


def draw_turn_clock(canvas: Canvas, seconds: int, box: Box) -> None:
    """Draw the turn clock's last seconds into a line: a number, and a shrinking bar."""
    canvas.text(f"0:{seconds:02}", box._replace(width=_CLOCK_NUMBER), SMALL)
    room = box.width - _CLOCK_NUMBER
    bar = room * min(seconds, TURN_CLOCK_SHOWN_S) // TURN_CLOCK_SHOWN_S
    canvas.fill(Box(box.left + _CLOCK_NUMBER, box.top + (box.height - 4) // 2, bar, 4))


# Loud words, and answers to a question


def draw_shout(canvas: Canvas, text: str, box: Box, *, light: bool = True) -> None:
    """Draw a word in capitals 24 pixels high, without its marks if they leave no room; else as large as it fits."""
    loud = text.replace("\u00a0", "").upper()
    for shown in (loud, loud.strip("¡!")):
        if fits(shown, box.width, box.height, HUGE):
            canvas.text(shown, box, HUGE, align="center", light=light)
            return
    canvas.text(text, box, BIG, TITLE, BOLD, TEXT, align="center", light=light)


_ANSWERS = Box(1, 40, 60, 20), Box(65, 40, 60, 20)


def draw_answers(canvas: Canvas, words: Words, answers: tuple[str, str], chosen: int) -> None:
    """Draw two answers side by side: OK's lit, the other behind the arrow that leads to it."""
    for index, (answer, key) in enumerate(zip(answers, _ANSWERS, strict=True)):
        room = key.inset(4, 2)
        if index == chosen:
            canvas.fill(key)
            canvas.text(ok_does(words, answer), room, BOLD, TEXT, SMALL, align="center", light=False)
            continue
        canvas.frame(key)
        leftward, middle = index < chosen, key.top + key.height // 2
        canvas.arrow(room.left if leftward else room.right - 4, middle, 4, leftward=leftward)
        canvas.text(answer, room.inset(7), BOLD, TEXT, SMALL, align="center")


# The lower part: own dice or a banner


_WARNING, _BAR = 12, 3  # columns


def has_banner(view: SeatView, words: Words) -> bool:
    """Return whether a banner takes the dice's place. It then stands alone below the header."""
    return words.banner(view) is not None


def draw_own_dice(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw the dice blank as they lie under the cup; or a notice, or the reason for their absence."""
    if text := words.notice(view):
        draw_notice(canvas, view, words, text)
        return
    if told := words.banner(view):
        key = words(phrases.COMMAND[MenuCommand.AGREE]) if view.may_agree else ""
        draw_banner(canvas, *told, lit=False, warns=True, key=key)
        return
    number = 0 if view.me is None else position.dice[view.me]
    if number and _needs_peek_hint(view, position):
        draw_sentence(canvas, words(phrases.HOLD_TO_LOOK if view.is_phone else phrases.TILT_TO_LOOK))
    elif number:
        draw_covered(canvas, number)
    else:
        draw_absence(canvas, view, words)


def _needs_peek_hint(view: SeatView, position: Position) -> bool:
    """Return whether a player who has never looked under the cup may do so now."""
    return view.scene is SceneName.BIDDING and position.kind is RoundKind.NORMAL and not view.has_peeked


def draw_hand(
    canvas: Canvas, dice: Hand, marked: frozenset[int] = frozenset(), style: Style = "solid", row: Box = DICE
) -> None:
    """Draw dice side by side as large as the row; those with a `marked` face have another `style`."""
    cut = "own" if row.height == DICE.height else "shown"
    for face, slot in zip(dice, dice_slots(len(dice), row), strict=True):
        canvas.die(face, slot.left, slot.top, cut, style=style if face in marked else "outline")


def draw_covered(canvas: Canvas, number: int, row: Box = DICE) -> None:
    """Draw dice under a cup."""
    draw_hand(canvas, Hand((0,) * number), frozenset({0}), "covered", row)


def draw_absence(canvas: Canvas, view: SeatView, words: Words) -> None:
    """Tell a player without dice the reason."""
    draw_sentence(canvas, words(phrases.WATCHING if view.me is None else phrases.YOU_ARE_OUT))


def draw_sentence(canvas: Canvas, sentence: str, name: str = "") -> None:
    """Draw a few words in place of dice."""
    canvas.sentence_lines(sentence, name, BANNER.inset(1, 1), 2, BOLD, TEXT, SMALL)


def draw_notice(canvas: Canvas, view: SeatView, words: Words, text: str, box: Box = BANNER) -> None:
    """Draw a seat's notice on a banner. It warns, unless the table has come back or gives a tip."""
    is_tip = view.tip is not None and text == words.tip(view, view.tip)
    draw_banner(canvas, text, lit=view.notice is not None, warns=not is_tip and text != words(phrases.RESUMED), box=box)


def draw_banner(
    canvas: Canvas,
    text: str,
    name: str = "",
    *,
    lit: bool,
    warns: bool = False,
    key: str = "",
    box: Box = BANNER,
) -> None:
    """Draw a sentence on two lines: an event on a `lit` ground, a lasting state behind a bar.

    If it `warns`, the bar is wider and has an exclamation mark. A `key` behind the second line is the effect of ▶.
    """
    across = 0 if lit else _WARNING if warns else _BAR
    canvas.fill(box if lit else box._replace(width=across))
    if across == _WARNING:
        canvas.fill(Box(box.left + 4, box.top + 5, 4, 10), light=False)
        canvas.fill(Box(box.left + 4, box.top + 17, 4, 4), light=False)
    left = box.left + across + 4
    room = Box(left, box.top + 1, box.right - 2 - left, box.height - 2)
    if not key:
        canvas.sentence_lines(text, name, room, 2, BOLD, TEXT, SMALL, light=not lit)
        return
    first, _, second = text.partition(". ")
    canvas.sentence(f"{first}.", name, room.row(0, 2), BOLD, TEXT, SMALL)
    draw_keys(canvas, second, right=key, box=Box(left, room.bottom - 11, room.width, 11), has_rule=False)
