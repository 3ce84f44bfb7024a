"""Parts shared by several screens: fixed places, the cursor, the own dice and banners, and the roster.

Things stay in place from screen to screen, so a bid costs only the bytes it changes. Frequent changes lie in whole
pages, the eight rows written at once by a controller.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from engine import Bid, Hand, Player, Position, RoundKind, Rules
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.glyphs import LOW, Mark, Style
from firmware_host.screens.graphics.text import (
    BIG,
    BOLD,
    HUGE,
    SMALL,
    SMALL_BOLD,
    SMALL_CLOSE,
    TINIEST,
    TINY,
    TITLE,
    Font,
    bare,
    fits,
    width,
)
from firmware_host.table.parts.timeouts import TURN_CLOCK_SHOWN_S
from firmware_host.table.seat.menu import Menu, MenuCommand
from firmware_host.table.seat.view import SceneName, SeatView

# Fixed places: two columns, and below them a line, all with one left edge each

LEFT, MIDDLE = 2, 64
"""The left edges of the two columns."""
BID = Box(LEFT, 1, 60, 24)
"""The left part of the header: the standing bid."""
WHOSE = Box(MIDDLE, 0, 60, 8)
"""The right part's first line: whose turn or whose call it is."""
CHOICE = Box(MIDDLE, 9, 60, 15)
"""Below it OK's effect or the call, in pages 1 and 2."""
TITLE_BAR = Box(LEFT, 1, 120, 12)
"""In place of both columns, where no bid stands: a title."""
SUBTITLE = Box(LEFT, 15, 120, 8)
FACTS = Box(LEFT, 26, 60, 6)
"""Below the left column, in capitals within page 3: the most urgent fact."""
CAPTION = Box(MIDDLE, 26, 60, 6)
"""Beside it, in capitals: the effect of OK or of an arrow. The place is reserved for it."""
ROSTER = Box(LEFT, 26, 120, 6)
"""In place of both, while no bid is being made: the players, each with the number of their dice, and the sum."""
HINT = Box(LEFT, 26, 123, 8)
"""In place of both: a sentence about the item under the cursor, or the round."""
DICE = Box(1, 36, 124, 24)
"""The own dice. Their pips are in rows 40–55, pages 5 and 6."""

_DICE_PITCH = 25


def dice_slots(number: int) -> list[Box]:
    """Return boxes for 24-pixel dice in `DICE`."""
    return [Box(DICE.left + index * _DICE_PITCH, DICE.top, 24, 24) for index in range(number)]


def pip_box(slot: Box) -> Box:
    """Return the part of a slot differing between faces."""
    return slot.inset(4, 4)


# Cursor, captions and turn clock

_ARROW = 6
_CHOICE_ARROW = 4
_BESIDE_ARROW = 3
_CAPTION_ARROW = 3
_CURSOR_DIE = 15
_CURSOR_GAP = 3  # pixels between the number and the die
_CLOCK_NUMBER = 24  # columns


def draw_choice(canvas: Canvas, menu: Menu, words: Words) -> None:
    """Draw OK's effect in bidding, between arrows towards further items; at an end of the row the arrow is hollow."""
    item, middle = menu.chosen, CHOICE.top + CHOICE.height // 2
    if item is None:
        return
    inner = CHOICE.inset(_CHOICE_ARROW + _BESIDE_ARROW)
    if isinstance(item, Bid):
        across = min(small_bid_columns(item), inner.width)
        draw_small_bid(canvas, item, inner._replace(width=across))
    else:
        low = inner._replace(top=inner.top + 2, height=inner.height - 2)  # apart from the line above
        across = canvas.text(words.item(item), low, BOLD, SMALL_BOLD)
    right = inner.left + across + _BESIDE_ARROW
    canvas.arrow(CHOICE.left, middle, _CHOICE_ARROW, leftward=True, hollow=menu.cursor == 0)
    canvas.arrow(right, middle, _CHOICE_ARROW, leftward=False, hollow=menu.cursor == len(menu.items) - 1)


def draw_menu(canvas: Canvas, menu: Menu, words: Words, box: Box, *fonts: Font, rules: Rules | None = None) -> None:
    """Draw OK's effect across the display, with arrows to further items behind it; a lone one leads to a name.

    `rules` names a kind of round.
    """
    item, middle, size = menu.chosen, box.top + box.height // 2, min(_ARROW, box.height // 2)
    if item is None:
        return
    text, has_left, has_right = words.item(item, rules), menu.cursor > 0, menu.cursor < len(menu.items) - 1
    right = box.right
    if has_right:
        right -= size
        canvas.arrow(right, middle, size, leftward=False)
    if has_left != has_right:
        named = words.item(menu.items[menu.cursor + (1 if has_right else -1)], rules)
        across, apart = width(named, SMALL), 4 * has_right
        if width(text, fonts[-1]) + 12 + across + apart + (size + 4) * has_left <= right - box.left:
            right -= across + apart
            canvas.text(named, Box(right, box.top, across, box.height), SMALL)
            right -= 4 * has_left
    if has_left:
        right -= size + 2 * has_right
        canvas.arrow(right, middle, size, leftward=True)
    canvas.text(text, box._replace(width=right - box.left - 3 * (has_left or has_right)), *fonts)


def small_bid_columns(bid: Bid) -> int:
    """Return the width of a bid's number and die."""
    return LOW.across(str(bid.quantity)) + _CURSOR_GAP + _CURSOR_DIE


def draw_small_bid(canvas: Canvas, bid: Bid, box: Box) -> None:
    """Draw a bid at the right end of a box, with a die that stays in place while its number grows to two digits."""
    number = str(bid.quantity)
    right = box.right - _CURSOR_DIE
    canvas.die(bid.face, right, box.top, "menu")
    if LOW.across(number) <= box.width - _CURSOR_DIE - _CURSOR_GAP:
        canvas.number(number, right - _CURSOR_GAP, box.top + _CURSOR_DIE - LOW.height, LOW)
    else:
        room = Box(box.left, box.top, box.width - _CURSOR_DIE - 2, box.height)
        canvas.text(number, room, BOLD, SMALL_BOLD, align="right")


def draw_capitals(canvas: Canvas, text: str, box: Box) -> None:
    """Draw a text at `FACTS` or `CAPTION` in capitals, which keep to one page; without room in small letters."""
    loud, high = text.upper(), box._replace(height=8)
    if not fits(loud, box.width, high.height, SMALL):
        loud = text
    canvas.text(loud, box if loud == bare(loud).upper() else high, SMALL)


def draw_caption(canvas: Canvas, text: str, *, leftward: bool | None = None) -> None:
    """Draw OK's effect, or behind an arrow the effect of that."""
    room = CAPTION
    if leftward is not None:
        canvas.arrow(room.left, room.top + 3, _CAPTION_ARROW, leftward=leftward)
        room = Box(room.left + _CAPTION_ARROW + 2, room.top, room.width - _CAPTION_ARROW - 2, room.height)
    draw_capitals(canvas, text, room)


def draw_page_heading(canvas: Canvas, sentence: str, name: str) -> None:
    """Name the open hand's owner, between arrows to the next hands."""
    middle = HINT.top + HINT.height // 2
    canvas.arrow(HINT.left, middle, 4, leftward=True)
    canvas.arrow(HINT.right - 4, middle, 4, leftward=False)
    canvas.sentence(sentence, name, HINT.inset(6), SMALL, align="center")


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
    canvas.text(text, box, BIG, TITLE, BOLD, SMALL_BOLD, align="center", light=light)


def draw_answers(canvas: Canvas, no: str, yes: str, box: Box, *, is_yes: bool) -> None:
    """Draw two answers side by side, the one under OK lit."""
    for index, (answer, is_chosen) in enumerate(((no, not is_yes), (yes, is_yes))):
        key = box._replace(left=MIDDLE if index else box.left, width=60)
        if is_chosen:
            canvas.fill(key)
        else:
            canvas.frame(key)
        canvas.text(answer, key.inset(2, 2), TITLE, BOLD, SMALL_BOLD, align="center", light=not is_chosen)


# The lower part: own dice or a banner


_WARNING, _BAR = 12, 3  # columns


def has_banner(view: SeatView, words: Words) -> bool:
    """Return whether a banner takes the dice's place. It then stands alone below the header."""
    return bool(words.notice(view) or words.held_up(view) or words.shaken_again(view))


def draw_own_dice(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw the dice blank as they lie under the cup; or a notice, or the reason for their absence."""
    if text := words.notice(view):
        draw_notice(canvas, view, words, text)
        return
    if told := words.held_up(view) or words.shaken_again(view):
        draw_banner(canvas, *told, lit=False, warns=True)
        if view.may_agree:
            draw_caption(canvas, words(phrases.COMMAND[MenuCommand.AGREE]), leftward=False)
        return
    number = 0 if view.me is None else position.dice[view.me]
    if number and _needs_peek_hint(view, position):
        draw_sentence(canvas, words(phrases.HOLD_TO_LOOK if view.is_phone else phrases.TILT_TO_LOOK))
    elif number:
        draw_covered(canvas, number)
    else:
        draw_sentence(canvas, words(phrases.WATCHING if view.me is None else phrases.YOU_ARE_OUT))


def _needs_peek_hint(view: SeatView, position: Position) -> bool:
    """Return whether a player who has never looked under the cup may do so now."""
    return view.scene is SceneName.BIDDING and position.kind is RoundKind.NORMAL and not view.has_peeked


def draw_hand(canvas: Canvas, dice: Hand, counting: frozenset[int] = frozenset(), style: Style = "counted") -> None:
    """Draw dice side by side; those with a `counting` face have another `style`."""
    for face, slot in zip(dice, dice_slots(len(dice)), strict=True):
        canvas.die(face, slot.left, slot.top, "big", style=style if face in counting else "outline")


def draw_covered(canvas: Canvas, number: int) -> None:
    """Draw dice under a cup."""
    draw_hand(canvas, Hand((0,) * number), frozenset({0}), "covered")


def draw_sentence(canvas: Canvas, sentence: str, name: str = "") -> None:
    """Draw a few big words in place of dice."""
    canvas.sentence_lines(sentence, name, DICE.inset(1, 1), 2, TITLE, BOLD, SMALL_BOLD, SMALL)


def draw_notice(canvas: Canvas, view: SeatView, words: Words, text: str) -> None:
    """Draw a seat's notice on a banner. It warns, unless the table has come back or gives a tip."""
    is_tip = view.tip is not None and text == words.tip(view, view.tip)
    draw_banner(canvas, text, lit=view.notice is not None, warns=not is_tip and text != words(phrases.RESUMED))


def draw_banner(canvas: Canvas, text: str, name: str = "", *, lit: bool, warns: bool = False) -> None:
    """Draw a sentence on two lines: an event on a `lit` ground, a lasting state behind a bar.

    If it `warns`, the bar is wider and has an exclamation mark.
    """
    across = 0 if lit else _WARNING if warns else _BAR
    canvas.fill(DICE if lit else DICE._replace(width=across))
    if across == _WARNING:
        canvas.fill(Box(DICE.left + 4, DICE.top + 4, 4, 10), light=False)
        canvas.fill(Box(DICE.left + 4, DICE.top + 16, 4, 4), light=False)
    left = DICE.left + across + 4
    room = Box(left, DICE.top + 1, DICE.right - 2 - left, DICE.height - 2)
    canvas.sentence_lines(text, name, room, 2, BOLD, SMALL_BOLD, SMALL, light=not lit)


# The roster

MARK_COLUMNS = 3
"""Columns for a mark before a name."""
_MARK_APART = 3
"""Columns kept free for a mark besides its own: one before the name, two after the number of the player before."""

_MAX_NAMES = 4
"""Largest number of players with names in the roster."""
_MAX_NAMES_WITH_SUM = 3
"""Largest number of players with names beside the sum; with four, each name would have three letters."""
_SUM_GAP = 4  # columns between the last player and the sum
_SUM = width("=00", SMALL) + _SUM_GAP  # columns, so digits move nothing
_NOTHING: Mapping[Player, str] = MappingProxyType({})


def draw_roster(
    canvas: Canvas,
    view: SeatView,
    words: Words,
    seats: Sequence[Player],
    dice: Mapping[Player, int],
    marks: Mapping[Player, Mark] | None = None,
    behind: Mapping[Player, str] = _NOTHING,
    caller: Player | None = None,
) -> None:
    """Name these players, each with the number of their `dice` and `behind` after the name; initials with the sum.

    A mark before a name has columns kept free wherever there may be `marks`, so all else stays put. The caller is
    underlined.
    """
    faulty = {missing.name for missing in view.missing}
    counts = {seat: f"{dice[seat]}" if dice.get(seat) else "" for seat in seats}
    total, room = f"={sum(dice.get(seat, 0) for seat in seats)}", ROSTER.width
    ends = [counts[seat] + ("!" if view.names[seat] in faulty else behind.get(seat, "")) for seat in seats]
    if has_names(seats):
        own = words(phrases.YOU_AMONG if view.robot is None else phrases.ROBOT_AMONG)
        names = [own if seat == view.me else _plain(view.names[seat]) for seat in seats]
        spaced = [f" {end}" if end else "" for end in ends]
        font = SMALL_CLOSE
        if has_sum(seats):
            room = ROSTER.width - max(_SUM, width(total, SMALL) + _SUM_GAP)
            canvas.text(total, ROSTER, SMALL, align="right")
        texts = _shortened(names, spaced, font, room - _MARK_APART * len(seats))
    else:
        room = ROSTER.width - max(_SUM, width(total, SMALL) + _SUM_GAP)
        names = initials([view.names[seat] for seat in seats])
        whole = [name + end for name, end in zip(names, ends, strict=True)]
        font = next((font for font in (SMALL, TINY) if _across(whole, font) <= room), TINIEST)
        if _across(whole, font) <= room:
            canvas.text(total, ROSTER, SMALL, align="right")
        else:
            room = ROSTER.width
        texts = _shortened(names, ends, font, room)
    left = ROSTER.left + (0 if marks is None else MARK_COLUMNS)
    apart = (room - left + ROSTER.left + MARK_COLUMNS - _across(texts, font)) // max(1, len(texts))
    for seat, text in zip(seats, texts, strict=True):
        across = width(text, font) if text else 0
        canvas.text(text, Box(left, ROSTER.top, across, ROSTER.height), font)
        if seat == caller:
            canvas.fill(Box(left, ROSTER.bottom + 1, across, 1))
        if marks and seat in marks:
            canvas.mark(marks[seat], left - MARK_COLUMNS - 1, ROSTER.top)
        left += across + apart + MARK_COLUMNS


def _across(texts: Sequence[str], font: Font) -> int:
    """Return these texts' columns with a mark before each."""
    return sum(MARK_COLUMNS + (width(text, font) if text else 0) for text in texts)


def _shortened(names: Sequence[str], ends: Sequence[str], font: Font, room: int) -> list[str]:
    """Return the names with their ends, cutting the widest names letter by letter until all fit."""
    kept = list(names)
    while _across(texts := [name + end for name, end in zip(kept, ends, strict=True)], font) > room:
        widest = max(range(len(kept)), key=lambda index: (len(kept[index]) > 1, width(kept[index], font)))
        if len(kept[widest]) < 2:
            break
        kept[widest] = kept[widest][:-1].rstrip()
    return texts


def has_names(seats: Sequence[Player]) -> bool:
    """Return whether the roster names these players; at a larger table initials stand for them."""
    return len(seats) <= _MAX_NAMES


def has_sum(seats: Sequence[Player]) -> bool:
    """Return whether the roster has room for the sum of these players' dice."""
    return len(seats) <= _MAX_NAMES_WITH_SUM or not has_names(seats)


def initials(names: Sequence[str]) -> list[str]:
    """Return each name's first letter, or the first two where another name begins with the same one."""
    plain = [_plain(name).replace(" ", "") for name in names]
    firsts = [name[:1] for name in plain]
    return [name[: 2 if firsts.count(name[:1]) > 1 else 1] for name in plain]


def _plain(name: str) -> str:
    """Return a name in capitals, letters and digits; a question mark if it has no such character.

    Other signs are higher than a capital or hang lower.
    """
    kept = "".join(letter for letter in bare(name).upper() if letter.isalnum() or letter == " ")
    return kept.strip() or "?"


def draw_round_roster(
    canvas: Canvas, view: SeatView, words: Words, position: Position, caller: Player | None = None
) -> None:
    """Draw everybody's number of dice in a round."""
    dice = {player: position.dice[player] for player in position.living}
    draw_roster(canvas, view, words, position.living, dice, None, _banked(position), caller)


def _banked(position: Position) -> dict[Player, str]:
    """Return a plus for each player with banked dice, with their number where names have room."""
    kept = {player: position.banked[player] for player in position.order if position.banked}
    return {player: f"+{count}" if has_names(position.living) else "+" for player, count in kept.items() if count}
