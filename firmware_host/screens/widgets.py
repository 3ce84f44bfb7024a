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
from firmware_host.table.menu import Menu
from firmware_host.table.parts.timeouts import TURN_CLOCK_SHOWN_S
from firmware_host.table.seat_view import SceneName, SeatView

# Fixed places

HEADER = Box(2, 1, 120, 24)
"""The standing bid or pass, and beside it the player's options or the player in turn."""
BID = Box(2, 1, 58, 24)
"""The left part of the header: the standing bid."""
STATUS_LINE = Box(64, 16, 60, 8)
"""The header's small line outside the bidding."""
WHOSE = Box(64, 0, 60, 8)
"""Above `CHOICE`: whose turn or whose call it is."""
NEAREST = Box(64, 1, 60, 5)
"""The same place: the call reached by ◀ out of turn, two pixels above the name of the player in turn."""
CHOICE = Box(64, 9, 60, 15)
"""OK's effect or the call, in pages 1 and 2."""
TURN = Box(64, 8, 60, 8)
"""In place of `CHOICE`, the name of the player in turn, in page 1."""
BELOW_TURN = Box(64, 18, 60, 6)
ROSTER = Box(2, 26, 120, 6)
"""Below the header, in capitals within page 3: the players, each with the number of their dice, and the sum."""
FACTS = Box(2, 26, 60, 8)
"""In place of the roster: more urgent facts."""
WIDE_FACTS = Box(2, 26, 120, 8)
"""The same where OK has no effect to explain beside it."""
OK_LINE = Box(64, 26, 60, 6)
"""Beside the facts: OK's effect."""
HEADING = Box(2, 1, 120, 8)
WIDE_CHOICE = Box(2, 11, 120, 14)
"""OK's effect over the whole width, below a line of words and above its meaning."""
TITLE_BAR = Box(2, 1, 120, 15)
SUBTITLE = Box(2, 17, 120, 8)
HINT = Box(1, 27, 123, 8)
"""In place of the roster: the meaning of the item under the cursor."""
DICE = Box(1, 36, 124, 24)
"""The own dice. Their pips are in rows 40–55, pages 5 and 6."""

_DICE_PITCH = 25


def dice_slots(number: int) -> list[Box]:
    """Return boxes for 24-pixel dice in `DICE`."""
    left = DICE.left + (DICE.width - (number * _DICE_PITCH - 1)) // 2
    return [Box(left + index * _DICE_PITCH, DICE.top, 24, 24) for index in range(number)]


def pip_box(slot: Box) -> Box:
    """Return the part of a slot differing between faces."""
    return slot.inset(4, 4)


# Cursor, heading and turn clock

_ARROW = 6
_HEADING_ARROW = 4
_CURSOR_DIE = 15
_CURSOR_GAP = 4  # pixels between the number and the die
_CLOCK_NUMBER = 24  # columns


def draw_choice(canvas: Canvas, menu: Menu, words: Words, box: Box, rules: Rules | None = None, free: int = 0) -> None:
    """Draw OK's effect into a box at least 14 pixels high, with arrows towards further items.

    `rules` names a kind of round. A word leaves the topmost rows `free`, for the distance to a line above.
    """
    item = menu.chosen
    if item is None:
        return
    middle = box.top + box.height // 2
    if menu.cursor > 0:
        canvas.arrow(box.left, middle, _ARROW, leftward=True)
    if menu.cursor < len(menu.items) - 1:
        canvas.arrow(box.right - _ARROW, middle, _ARROW, leftward=False)
    inner = box.inset(_ARROW + 2)
    if isinstance(item, Bid):
        across = min(small_bid_columns(item), inner.width)
        draw_small_bid(canvas, item, Box(inner.left + (inner.width - across) // 2, inner.top, across, inner.height))
    else:
        low = Box(inner.left, inner.top + free, inner.width, inner.height - free)
        canvas.text(words.item(item, rules), low, TITLE, BOLD, SMALL_BOLD, align="center")


def small_bid_columns(bid: Bid) -> int:
    """Return the width of a bid's number and die."""
    return LOW.across(str(bid.quantity)) + _CURSOR_GAP + _CURSOR_DIE


def draw_small_bid(canvas: Canvas, bid: Bid, box: Box) -> None:
    """Draw a bid at the right end of a box, with a die that stays in place while its number grows to two digits."""
    number = str(bid.quantity)
    right = box.right - _CURSOR_DIE
    canvas.die(bid.face, right, box.top, "menu")
    if LOW.across(number) <= box.width - _CURSOR_DIE - _CURSOR_GAP + 2:
        canvas.number(number, right - _CURSOR_GAP + 1, box.top + _CURSOR_DIE - LOW.height, LOW)
    else:
        room = Box(box.left, box.top, box.width - _CURSOR_DIE - 2, box.height)
        canvas.text(number, room, BOLD, SMALL_BOLD, align="right")


def draw_page_heading(canvas: Canvas, sentence: str, name: str) -> None:
    """Name the open hand's owner, between arrows to the next hands."""
    middle = HINT.top + HINT.height // 2
    canvas.arrow(HINT.left, middle, _HEADING_ARROW, leftward=True)
    canvas.arrow(HINT.right - _HEADING_ARROW, middle, _HEADING_ARROW, leftward=False)
    canvas.sentence(sentence, name, HINT.inset(_HEADING_ARROW + 2), SMALL_BOLD, SMALL, align="center")


def draw_turn_clock(canvas: Canvas, seconds: int, box: Box) -> None:
    """Draw the turn clock's last seconds into a line eight pixels high: a number, and a shrinking bar."""
    canvas.text(f"0:{seconds:02}", Box(box.left, box.top, _CLOCK_NUMBER, box.height), SMALL_BOLD)
    room = box.width - _CLOCK_NUMBER
    bar = room * min(seconds, TURN_CLOCK_SHOWN_S) // TURN_CLOCK_SHOWN_S
    canvas.fill(Box(box.left + _CLOCK_NUMBER, box.top + 2, bar, 4))


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
        key = box.column(index, 2).inset(4)
        if is_chosen:
            canvas.fill(key)
        else:
            canvas.frame(key)
        canvas.text(answer, key.inset(2, 2), TITLE, BOLD, SMALL_BOLD, align="center", light=not is_chosen)


# The lower part: own dice or a banner


_WARNING = 12  # columns
_ROBOT = 40  # columns


def draw_own_dice(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw the dice blank as they lie under the cup; or a notice, or the reason for their absence."""
    if text := words.notice(view):
        draw_notice(canvas, view, words, text)
        return
    if held_up := words.held_up(view):
        draw_banner(canvas, *held_up, lit=False, leads_on=view.may_agree, warns=True)
        return
    if again := words.shaken_again(view):
        draw_banner(canvas, *again, lit=False, warns=True)
        return
    number = 0 if view.me is None else position.dice[view.me]
    if number and _needs_peek_hint(view, position):
        draw_sentence(canvas, words(phrases.TILT_TO_LOOK))
    elif number:
        draw_covered(canvas, number)
    elif view.robot is not None:
        draw_robot_head(canvas)
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


def draw_robot_head(canvas: Canvas) -> None:
    """Draw a robot in place of dice."""
    canvas.robot(DICE.left + (DICE.width - _ROBOT) // 2, DICE.top)


def draw_sentence(canvas: Canvas, sentence: str, name: str = "") -> None:
    """Draw a few big words in place of dice."""
    canvas.sentence_lines(sentence, name, DICE.inset(2, 1), 2, TITLE, BOLD, SMALL_BOLD, SMALL, align="center")


def draw_notice(canvas: Canvas, view: SeatView, words: Words, text: str) -> None:
    """Draw a seat's notice on a banner. It warns, unless the table has come back or gives a tip."""
    is_tip = view.tip is not None and text == words.tip(view, view.tip)
    draw_banner(canvas, text, lit=view.notice is not None, warns=not is_tip and text != words(phrases.RESUMED))


def draw_banner(
    canvas: Canvas, text: str, name: str = "", *, lit: bool, leads_on: bool = False, warns: bool = False
) -> None:
    """Draw a sentence on two lines: `lit` for an event, between two lines for a lasting state; ▶ if it `leads_on`.

    A lasting state that `warns` has an exclamation mark before it, and no frame that could be a die.
    """
    left = DICE.left + 3
    canvas.fill(DICE)
    if not lit:
        canvas.fill(DICE.inset(0, 1), light=False)
        if warns:
            canvas.fill(Box(DICE.left, DICE.top, _WARNING, DICE.height))
            canvas.fill(Box(DICE.left + 4, DICE.top + 4, 4, 10), light=False)
            canvas.fill(Box(DICE.left + 4, DICE.top + 16, 4, 4), light=False)
            left += _WARNING
    room = Box(left, DICE.top + 1, DICE.right - 3 - left - (_ARROW + 2) * leads_on, DICE.height - 2)
    if leads_on:
        canvas.arrow(room.right + 2, DICE.top + DICE.height // 2, _ARROW, leftward=False, light=not lit)
    canvas.sentence_lines(text, name, room, 2, BOLD, SMALL_BOLD, SMALL, align="center", light=not lit)


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
    marks: Mapping[Player, Mark],
    behind: Mapping[Player, str] = _NOTHING,
    caller: Player | None = None,
) -> None:
    """Name these players, each with the number of their `dice` and `behind` after the name; initials with the sum.

    A mark before a name has columns always kept free, so everything else stays put. The caller is underlined.
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
    apart = (room - _across(texts, font)) // max(1, len(texts))
    left = ROSTER.left + apart // 2 + MARK_COLUMNS
    for seat, text in zip(seats, texts, strict=True):
        across = width(text, font) if text else 0
        canvas.text(text, Box(left, ROSTER.top, across, ROSTER.height), font)
        if seat == caller:
            canvas.fill(Box(left, ROSTER.bottom + 1, across, 1))
        if seat in marks:
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
    draw_roster(canvas, view, words, position.living, dice, {}, _banked(position), caller)


def _banked(position: Position) -> dict[Player, str]:
    """Return a plus for each player with banked dice, with their number where names have room."""
    kept = {player: position.banked[player] for player in position.order if position.banked}
    return {player: f"+{count}" if has_names(position.living) else "+" for player, count in kept.items() if count}
