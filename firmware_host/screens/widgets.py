"""Parts shared by several screens: the grid, the cursor, the key row, the own dice and banners.

Things stay in place from screen to screen, so a bid costs only the bytes it changes. Frequent changes lie in whole
pages, the eight rows written at once by a controller.
"""

import re
from collections.abc import Sequence

from engine import Bid, Hand, Position, RoundKind, Rules
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import SHEET, Align, Box, Canvas
from firmware_host.screens.graphics.glyphs import LOW, Style
from firmware_host.screens.graphics.text import BIG, BOLD, HUGE, SMALL, TEXT, TITLE, bare, fits, shorten, width
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
LINE = Box(LEFT, 28, 121, 8)
"""The line below both, four rows apart: a sentence about the round or the open hand, if beside the dice is no room."""
FACTS = Box(LEFT, 26, 60, 6)
"""The bid's caption, in capitals within page 3: the most urgent fact."""
CAPTION = Box(MIDDLE, 26, 60, 6)
"""The right column's, in the same way: the effect of OK or of an arrow."""
DICE = Box(1, 36, 124, 24)
"""The own dice. Their pips are in rows 40–55, pages 5 and 6."""
_ABSENCE = Box(LEFT, 40, 121, 11)
"""In their place, and in a reveal above the key row: the reason for having none."""
TITLE_BAR = Box(LEFT, 1, 121, 12)
"""On screens without a bid: a title."""
SUBTITLE = Box(LEFT, 16, 121, 8)
"""A line below it."""
FOOT = Box(LEFT, 50, 121, 11)
"""The key row, below a line from edge to edge: the effects of ◀, OK and ▶."""
ABOVE_KEYS = Box(1, 19, 124, 24)
"""A banner's place above it."""
_RULE = Box(SHEET.left, 46, SHEET.width, 1)

_DICE_PITCH, _OWN_DIE = 25, 22
_FEW_DICE = 2


def dice_slots(number: int, row: Box = DICE) -> list[Box]:
    """Return boxes for dice side by side, three columns apart for own dice and further in a lower row."""
    size = min(_OWN_DIE, row.height)
    top = row.top + (row.height - size) // 2
    return [Box(LEFT + index * _DICE_PITCH, top, size, size) for index in range(number)]


def beside_dice(number: int) -> Box | None:
    """Return the place for a sentence at the right of a few own dice; None beside more."""
    left = LEFT + number * _DICE_PITCH + 3
    return Box(left, DICE.top + 1, DICE.right - left, _OWN_DIE) if 0 < number <= _FEW_DICE else None


def pip_box(slot: Box) -> Box:
    """Return the part of an own die's slot differing between faces."""
    return slot.inset(3, 3)


# Cursor, captions and turn clock

_ARROW = 5
_CHOICE_ARROW = 4
_CHOICE_GAP = 4  # columns between an arrow and the longest word
_CAPTION_ARROW = 3
_CURSOR_DIE = 15
_CURSOR_GAP = 3  # pixels between the number and the die
_CLOCK_NUMBER = 24  # columns
_KEYS_APART = 4  # columns


def draw_choice(canvas: Canvas, menu: Menu, words: Words) -> None:
    """Draw OK's effect in bidding, between arrows towards further items; at an end of the row the arrow is hollow."""
    item, middle = menu.chosen, CHOICE.top + CHOICE.height // 2
    if item is None:
        return
    inner = CHOICE.inset(_CHOICE_ARROW + _CHOICE_GAP)
    if isinstance(item, Bid):
        across = min(small_bid_columns(item), inner.width)
        draw_small_bid(canvas, item, inner._replace(left=inner.left + (inner.width - across) // 2, width=across))
    else:
        canvas.text(words.item(item), inner, BOLD, TEXT, SMALL, align="center")
    for left, leftward, end in (
        (CHOICE.left, True, 0),
        (CHOICE.right - _CHOICE_ARROW, False, len(menu.items) - 1),
    ):
        canvas.arrow(left, middle, _CHOICE_ARROW, leftward=leftward, hollow=menu.cursor == end)


def draw_ring(canvas: Canvas, text: str, box: Box) -> None:
    """Draw a choice in the middle of the display, between arrows at its edges."""
    middle = box.top + box.height // 2
    canvas.arrow(box.left, middle, _ARROW, leftward=True)
    canvas.arrow(box.right - _ARROW, middle, _ARROW, leftward=False)
    canvas.text(text, box.inset(_ARROW + 4), TITLE, BOLD, TEXT, SMALL, align="center")


def draw_menu(
    canvas: Canvas, menu: Menu, words: Words, box: Box = FOOT, *, rules: Rules | None = None, has_rule: bool = True
) -> None:
    """Draw the key row for a menu. `rules` names a kind of round."""
    if menu.chosen is None:
        return
    names = [words.item(item, rules) for item in menu.items]
    left = names[menu.cursor - 1] if menu.cursor else None
    right = names[menu.cursor + 1] if menu.cursor + 1 < len(names) else None
    ok = names[menu.cursor]
    if menu.chosen not in (MenuCommand.WAIT, MenuCommand.PHONE):
        ok = ok_does(words, ok)
    draw_keys(canvas, ok, left=left, right=right, box=box, has_rule=has_rule)


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
        canvas.fill(_RULE._replace(top=box.top - 4))
    texts = [text or "" for text in (left, right)]
    arrows = sum(_ARROW + _KEYS_APART for text in (left, right) if text is not None)

    def room() -> int:
        return box.width - arrows - sum(width(text, SMALL) + 2 * _KEYS_APART for text in texts if text)

    for side in (0, 1):
        if width(ok, BOLD) > room():
            texts[side] = ""
    middle, inner = box.top + box.height // 2, box
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
        canvas.text(texts[1], Box(end, box.top + 1, across, 8), SMALL)
        inner = inner._replace(width=end - (_KEYS_APART if across else 1) - inner.left)
    canvas.text(ok, inner, BOLD, TEXT, SMALL, align="left" if left is None and right is not None else "center")


def draw_tag(canvas: Canvas, name: str) -> int:
    """Draw a seat's name on a lit box at the end of the title's line; return the columns left of it."""
    across = min(width(name, SMALL) + 6, 56)
    label = Box(TITLE_BAR.right - across, 2, across, 10)
    canvas.fill(label)
    canvas.short(name, label.inset(3, 1), SMALL, light=False)
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


def draw_capitals(canvas: Canvas, text: str, box: Box, align: Align = "left") -> None:
    """Draw a text in capitals, which keep to one page; without room in small letters."""
    loud, high = text.upper(), box._replace(height=8)
    if not fits(loud, box.width, high.height, SMALL):
        loud = text
    if loud == bare(loud).upper():
        canvas.text(shorten(loud, box.width, box.height, SMALL), box, SMALL, align=align)
    else:
        canvas.text(loud, high, SMALL, align=align)


def draw_caption(canvas: Canvas, text: str, *, leftward: bool | None = None) -> None:
    """Draw OK's effect in the column's middle, or behind an arrow the effect of that."""
    if leftward is None:
        draw_capitals(canvas, text, CAPTION, "center")
        return
    room = CAPTION._replace(left=CAPTION.left + _CAPTION_ARROW + 2, width=CAPTION.width - _CAPTION_ARROW - 2)
    canvas.arrow(CAPTION.left, CAPTION.top + 3, _CAPTION_ARROW, leftward=leftward)
    draw_capitals(canvas, text, room)


def draw_page_heading(canvas: Canvas, sentence: str, name: str, box: Box = LINE) -> None:
    """Name the open hand's owner, between arrows to the next hands."""
    middle = box.top + box.height // 2
    canvas.arrow(box.left, middle, 4, leftward=True)
    canvas.arrow(box.right - 4, middle, 4, leftward=False)
    canvas.sentence(
        sentence, name, box.inset(8), *((BOLD, TEXT, SMALL) if box.height > 8 else (SMALL,)), align="center"
    )


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


_ANSWERS = Box(DICE.left, 38, DICE.width, 22)
_ANSWER_KEYS = {2: ((0, 60), (63, 61)), 3: ((0, 40), (42, 40), (84, 40))}
"""The first columns and widths of two answers, and of three."""
_UNEVEN_KEYS = (0, 28), (31, 45), (79, 45)
"""The same for three with a long word."""


def draw_answers(canvas: Canvas, words: Words, answers: Sequence[str], chosen: int) -> None:
    """Draw answers side by side: OK's lit, the others behind the arrows that lead to them."""
    of = len(answers)
    fonts = (BOLD, TEXT, SMALL) if of == 2 else (SMALL,)
    keys = _ANSWER_KEYS[of]
    if of > 2 and not all(fits(word, keys[0][1] - 11, 8, SMALL) for answer in answers for word in answer.split()):
        keys = _UNEVEN_KEYS
    for index, answer in enumerate(answers):
        left, across = keys[index]
        key, is_chosen = _ANSWERS._replace(left=_ANSWERS.left + left, width=across), index == chosen
        room = key.inset(4 if of == 2 else 2, 2)
        if is_chosen:
            canvas.fill(key)
            canvas.text(ok_does(words, answer), room, *fonts, align="center", light=False)
            continue
        canvas.frame(key)
        leftward, middle = index < chosen, key.top + key.height // 2
        canvas.arrow(room.left + 1 if leftward else room.right - 5, middle, 4, leftward=leftward)
        room = room._replace(left=room.left + (7 if leftward else 0), width=room.width - 7)
        canvas.lines(answer, room, 2, *fonts, align="center")


# The lower part: own dice or a banner


_WARNING, _BAR = 12, 3  # columns


def has_banner(view: SeatView, words: Words) -> bool:
    """Return whether a banner takes the dice's place. It then stands alone below the header."""
    return bool(words.notice(view) or words.held_up(view) or words.shaken_again(view))


def draw_own_dice(canvas: Canvas, view: SeatView, words: Words, position: Position, box: Box = DICE) -> None:
    """Draw the dice blank as they lie under the cup; or a notice, in its `box`, or the reason for their absence."""
    if text := words.notice(view):
        draw_notice(canvas, view, words, text, box)
        return
    if told := words.held_up(view) or words.shaken_again(view):
        draw_banner(
            canvas,
            *told,
            lit=False,
            warns=True,
            key=words(phrases.COMMAND[MenuCommand.AGREE]) if view.may_agree else "",
            box=box,
        )
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
    """Tell a player without dice the reason, quietly and always in the same line."""
    canvas.text(words(phrases.WATCHING if view.me is None else phrases.YOU_ARE_OUT), _ABSENCE, TEXT, SMALL)


def draw_sentence(canvas: Canvas, sentence: str, name: str = "", row: Box = DICE) -> None:
    """Draw a few big words in place of dice."""
    canvas.sentence_lines(sentence, name, row.inset(1, 1), 2, TITLE, BOLD, TEXT, SMALL)


def draw_notice(canvas: Canvas, view: SeatView, words: Words, text: str, box: Box = DICE) -> None:
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
    is_loud: bool = True,
    key: str = "",
    box: Box = DICE,
) -> None:
    """Draw a sentence on two lines: an event on a `lit` ground, a lasting state behind a bar.

    If it `warns`, the bar is wider and has an exclamation mark. A `key` at its end is the effect of ▶.
    """
    across = 0 if lit else _WARNING if warns else _BAR
    canvas.fill(box if lit else box._replace(width=across))
    if across == _WARNING:
        canvas.fill(Box(box.left + 4, box.top + 4, 4, 10), light=False)
        canvas.fill(Box(box.left + 4, box.top + 16, 4, 4), light=False)
    left = box.left + across + 4
    room = Box(left, box.top + 1, box.right - 2 - left, box.height - 2)
    if key:
        beside = width(key, SMALL) + 16
        frame = Box(box.right - beside, box.top + 5, beside, 14)
        canvas.frame(frame)
        canvas.text(key, Box(frame.left + 4, frame.top + 3, beside - 14, 8), SMALL)
        canvas.arrow(frame.right - 8, frame.top + 7, 4, leftward=False)
        room = room._replace(width=frame.left - 3 - left)
    fonts = (BOLD, TEXT, SMALL) if is_loud else (TEXT, SMALL)
    canvas.sentence_lines(text, name, room, 2, *fonts, light=not lit)
