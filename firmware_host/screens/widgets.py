"""The parts that several screens share: where things stand, the cursor, the own dice and banners, and the roster.

Things stay where they are from screen to screen, so that a bid costs only the bytes of what it changes. What changes
often lies in whole pages, the eight rows that a controller writes at once.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from engine import Bid, Hand, Position, RoundKind
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.glyphs import LOW, Mark
from firmware_host.screens.graphics.text import (
    BOLD,
    HEAD,
    SMALL,
    SMALL_BOLD,
    TEXT,
    TINIEST,
    TINY,
    TITLE,
    Font,
    rasterise,
    shorten,
    width,
)
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SceneName, SeatView
from firmware_host.table.timeouts import TURN_CLOCK_SHOWN_S

# Where things stand

HEADER = Box(0, 0, 124, 24)
"""Pages 0–2: what stands, is asked for or was found."""
BID = Box(0, 0, 58, 24)
"""The left part of the header: the standing bid."""
HEADER_RIGHT = Box(64, 0, 60, 24)
"""The right part of the header: what may be said in turn, who said what out of turn."""
MENU = Box(64, 0, 60, 16)
STATUS_LINE = Box(64, 16, 60, 8)
"""The small line below the menu, which stays as it is when the turn comes and goes."""
TITLE_BAR = Box(0, 0, 124, 16)
SUBTITLE = Box(0, 16, 124, 8)
ROSTER = Box(0, 24, 124, 12)
"""Page 3 and half of page 4: the players and the number of their dice."""
HINT = Box(1, 24, 122, 11)
"""In place of the roster: what the item under the cursor means."""
DICE = Box(0, 36, 124, 24)
"""The own dice. Their pips are in rows 40–55, pages 5 and 6."""

_DICE_PITCH = 25


def dice_slots(number: int) -> list[Box]:
    """Return the boxes of dice of 24 dots in `DICE`."""
    left = DICE.left + (DICE.width - (number * _DICE_PITCH - 1)) // 2
    return [Box(left + index * _DICE_PITCH, DICE.top, 24, 24) for index in range(number)]


def pip_box(slot: Box) -> Box:
    """Return the part of a slot that differs from face to face."""
    return slot.inset(4, 4)


# Cursor, heading and turn clock

_ARROW = 6
_HEADING_ARROW = 5
_CURSOR_DIE = 15
_CURSOR_GAP = 4  # dots between the number and the die
_CLOCK_NUMBER = 24  # columns


def draw_choice(canvas: Canvas, menu: Menu, words: Words, box: Box) -> None:
    """Draw what OK would do into a box 16 dots high, between arrows that show where there are more items."""
    item = menu.chosen
    if item is None:
        return
    middle = box.top + box.height // 2 - 1
    if menu.cursor > 0:
        canvas.arrow(box.left, middle, _ARROW, leftward=True)
    if menu.cursor < len(menu.items) - 1:
        canvas.arrow(box.right - _ARROW, middle, _ARROW, leftward=False)
    inner = box.inset(_ARROW + 2)
    if isinstance(item, Bid):
        _draw_bid_choice(canvas, item, inner)
    else:
        canvas.text(words.item(item), inner, TITLE, HEAD, BOLD, SMALL_BOLD, align="center")


def _draw_bid_choice(canvas: Canvas, bid: Bid, box: Box) -> None:
    """Draw a bid whose die stays in place while its number grows to two digits."""
    number = str(bid.quantity)
    right = box.right - _CURSOR_DIE
    canvas.die(bid.face, right, box.top, "menu", style="solid")
    if LOW.across(number) <= box.width - _CURSOR_DIE - _CURSOR_GAP + 2:
        canvas.number(number, right - _CURSOR_GAP + 1, box.top, LOW)
    else:
        room = Box(box.left, box.top, box.width - _CURSOR_DIE - 2, box.height)
        canvas.text(number, room, BOLD, SMALL_BOLD, align="right")


def draw_page_heading(canvas: Canvas, sentence: str, name: str) -> None:
    """Say whose hand lies open, between arrows that lead to the next one."""
    middle = HINT.top + HINT.height // 2
    canvas.arrow(HINT.left, middle, _HEADING_ARROW, leftward=True)
    canvas.arrow(HINT.right - _HEADING_ARROW, middle, _HEADING_ARROW, leftward=False)
    canvas.sentence(sentence, name, HINT.inset(_HEADING_ARROW + 2), BOLD, TEXT, SMALL, align="center")


def draw_turn_clock(canvas: Canvas, seconds: int, box: Box) -> None:
    """Draw the last seconds of the turn clock into a line eight dots high: a number, and a bar that shrinks."""
    canvas.text(f"0:{seconds:02}", Box(box.left, box.top, _CLOCK_NUMBER, box.height), SMALL_BOLD)
    room = box.width - _CLOCK_NUMBER
    bar = room * min(seconds, TURN_CLOCK_SHOWN_S) // TURN_CLOCK_SHOWN_S
    canvas.fill(Box(box.left + _CLOCK_NUMBER, box.top + 2, bar, 4))


# The lower part: own dice or a banner


def draw_own_dice(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw the dice faceless as they lie under the cup; or a notice, or why there are none."""
    if text := words.notice(view):
        draw_banner(canvas, text, lit=view.notice is not None)
        return
    if held_up := words.held_up(view):
        draw_banner(canvas, *held_up, lit=False, leads_on=view.may_agree)
        return
    if again := words.shaken_again(view):
        draw_banner(canvas, *again, lit=False)
        return
    number = 0 if view.me is None else position.dice[view.me]
    if number and _needs_peek_hint(view, position):
        draw_sentence(canvas, words(phrases.TILT_TO_LOOK))
    elif number:
        draw_hand(canvas, Hand((0,) * number))
    else:
        draw_sentence(canvas, words(phrases.WATCHING if view.me is None else phrases.YOU_ARE_OUT))


def _needs_peek_hint(view: SeatView, position: Position) -> bool:
    """Whether a player who has never looked under the cup may do so now."""
    return view.scene is SceneName.BIDDING and position.kind is RoundKind.NORMAL and not view.has_peeked


def draw_hand(canvas: Canvas, dice: Hand, counting: frozenset[int] = frozenset()) -> None:
    """Draw dice side by side; those whose face is `counting` are solid, as the die of the bid is."""
    for face, slot in zip(dice, dice_slots(len(dice)), strict=True):
        canvas.die(face, slot.left, slot.top, "big", style="solid" if face in counting else "outline")


def draw_sentence(canvas: Canvas, sentence: str, name: str = "") -> None:
    """Draw a few big words in place of dice."""
    canvas.sentence_lines(sentence, name, DICE.inset(2), 2, TITLE, HEAD, BOLD, SMALL_BOLD, SMALL, align="center")


def draw_banner(canvas: Canvas, text: str, name: str = "", *, lit: bool, leads_on: bool = False) -> None:
    """Draw a sentence of two lines: `lit` for what has just happened, in a frame for what lasts; ▶ if it `leads_on`."""
    if lit:
        canvas.fill(DICE)
    else:
        canvas.frame(DICE)
    room = Box(DICE.left + 3, DICE.top + 1, DICE.width - 6 - (_ARROW + 2) * leads_on, DICE.height - 2)
    if leads_on:
        canvas.arrow(room.right + 2, DICE.top + DICE.height // 2, _ARROW, leftward=False, light=not lit)
    canvas.sentence_lines(text, name, room, 2, BOLD, TEXT, SMALL_BOLD, SMALL, align="center", light=not lit)


# The roster

MARK_COLUMNS = 3
"""Columns of a mark before a name."""

_NAME_ROWS = 8
_NOTHING: Mapping[int, str] = MappingProxyType({})


class _Dots(NamedTuple):
    """How a die is drawn in the roster: dots across, dots down, and from one to the next."""

    across: int
    down: int
    pitch: int


_USUAL = _Dots(2, 2, 3)
_CROWDED = _Dots(1, 3, 2)
"""Where five of the usual ones would run into the next player's."""
_CROWDED_COLUMNS = 13
"""Most columns of a name in a crowded roster."""
_NAME_GAP = 3
"""Columns between a name and the next one's mark: at a glance it must not seem to be the first one's."""


def draw_roster(
    canvas: Canvas,
    view: SeatView,
    words: Words,
    seats: Sequence[int],
    dots: Mapping[int, int],
    marks: Mapping[int, Mark],
    behind: Mapping[int, str] = _NOTHING,
    caller: int | None = None,
) -> None:
    """Name these players, each with a mark before and `behind` after the name, and with a dot for each die below.

    The caller's name is inverse from the call through its reveal.
    """
    faulty = {missing.name for missing in view.missing}
    names = {seat: words(phrases.YOU) if seat == view.me else view.names[seat] for seat in seats}
    ends = {seat: "!" if view.names[seat] in faulty else behind.get(seat, "") for seat in seats}
    rooms = {seat: _name_box(index, len(seats)) for index, seat in enumerate(seats)}
    narrowest = min((room.width for room in rooms.values()), default=0)
    font = _roster_font([names[seat] + ends[seat] for seat in seats], narrowest)
    for seat, room in rooms.items():
        shown, across = canvas.shortened(names[seat], ends[seat], room, font)
        raster = rasterise(shown, font)
        left = min(room.left + (room.width - across) // 2, ROSTER.right - raster.left - raster.mask.width)
        if seat == caller:
            canvas.fill(_inverse_box(left + raster.left, raster.mask.width, room.top))
        canvas.text(shown, Box(left, room.top, across, _NAME_ROWS), font, light=seat != caller)
        if seat in marks:
            is_crowded = narrowest <= _CROWDED_COLUMNS
            beside_inverse = seat == caller and not is_crowded
            canvas.mark(marks[seat], max(0, left - MARK_COLUMNS - 1 - beside_inverse), room.top, crowded=is_crowded)
        _draw_dots(canvas, dots.get(seat, 0), room, _USUAL if narrowest > _CROWDED_COLUMNS else _CROWDED)


def draw_round_roster(
    canvas: Canvas, view: SeatView, words: Words, position: Position, caller: int | None = None
) -> None:
    """Draw everybody's dice in a round, with marks for the bidder and those the table waits for."""
    marks = {} if position.bidder is None else {position.bidder: Mark.BIDDER}
    marks |= dict.fromkeys(view.waiting_for, Mark.AWAITED)
    draw_roster(canvas, view, words, position.living, dict(enumerate(position.dice)), marks, _banked(position), caller)


def _banked(position: Position) -> dict[int, str]:
    return {seat: f"+{kept}" for seat, kept in enumerate(position.banked) if kept}


def _name_box(index: int, of: int) -> Box:
    """Return what is left of a player's cell beside the mark; in a crowd the next one's mark follows at once."""
    cell = ROSTER.column(index, of)
    gap = _NAME_GAP if cell.width > _CROWDED_COLUMNS + MARK_COLUMNS else 0
    return Box(cell.left + MARK_COLUMNS + 1, cell.top, cell.width - MARK_COLUMNS - gap, _NAME_ROWS)


def _inverse_box(left: int, across: int, top: int) -> Box:
    """Return the box behind a name, one column wider on either side."""
    right = min(left + across + 1, ROSTER.right)
    return Box(left - 1, top, right - left + 1, _NAME_ROWS)


def _roster_font(names: Sequence[str], room: int) -> Font:
    """Return the widest font in which all names are whole; else the widest that shows three letters of any."""
    if all(len(shorten(name, room, _NAME_ROWS, SMALL)) == len(name) for name in names):
        return SMALL
    return TINY if width("www", TINY) <= room else TINIEST


def _draw_dots(canvas: Canvas, number: int, room: Box, dot: _Dots) -> None:
    across = number * dot.pitch - (dot.pitch - dot.across)
    left = room.left + (room.width - 1 - across) // 2
    for index in range(number):
        canvas.fill(Box(left + index * dot.pitch, room.top + _NAME_ROWS + 1, dot.across, dot.down))
