"""The shake, for a round or for the order of play."""

from engine import Phase, Position, RoundKind
from firmware_host.fairness.chain import group_letters
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.bidding import draw_header, draw_opener, draw_status_line, head_shown, is_to_shake
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.graphics.glyphs import Mark
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD, TINY, TITLE
from firmware_host.screens.widgets import (
    DICE,
    HINT,
    MENU,
    SUBTITLE,
    TITLE_BAR,
    draw_choice,
    draw_roster,
    draw_round_roster,
    draw_turn_clock,
)
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView

_FONTS = (TITLE, BOLD, SMALL_BOLD)
_DIE = 12


def draw_shaking(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw all but the own dice until all cups are down."""
    if position.phase is Phase.SEATING:
        _draw_order(canvas, view, menu, words, position)
        return
    draw_header(canvas, view, words, position)
    draw_status_line(canvas, view, words, position)
    if menu.chosen in phrases.SIDE_MENU:
        draw_choice(canvas, menu, words, MENU)
        canvas.text(words.item_hint(menu.chosen, position, view.names), HINT, SMALL, align="center")
        return
    if _is_asked(view):
        canvas.text(words(phrases.SHAKE if menu.chosen is None else phrases.ROLL), MENU, *_FONTS)
    elif position.first is not None:
        draw_opener(canvas, view, words, position.first)
    if is_to_shake(view) and position.kind is not RoundKind.NORMAL:  # whose title takes the place of the head
        canvas.text(head_shown(view), HINT, SMALL, align="center")
    else:
        draw_round_roster(canvas, view, words, position)


def draw_order_rolls(canvas: Canvas, view: SeatView, position: Position) -> None:
    """Draw the rolls for the order of play so far under the names; the last die of each counts."""
    for index, seat in enumerate(range(position.seats)):
        cell = DICE.column(index, position.seats)
        rolls = position.rolls[seat]
        face = 0 if not rolls or seat in position.rolling else rolls[-1]
        left = cell.left + (cell.width - 1 - _DIE) // 2
        canvas.die(face, left, cell.top + 3, "small", style="solid" if face else "outline")
    canvas.text(group_letters(head_shown(view)), DICE.row(2, 3), SMALL, TINY, align="center")


def _is_asked(view: SeatView) -> bool:
    return view.me is not None and view.me in view.waiting_for


def _draw_request(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    asked = phrases.WAITING_FOR_ALL
    if _is_asked(view):
        asked = phrases.SHAKE_CUP if menu.chosen is None else phrases.ROLL
    canvas.text(words(asked), TITLE_BAR, *(_FONTS if _is_asked(view) else _FONTS[1:]), align="center")
    if view.clock_s is not None:
        draw_turn_clock(canvas, view.clock_s, SUBTITLE)
        return
    again = any(position.rolls[seat] for seat in position.rolling)
    canvas.text(words(phrases.TIE_AGAIN if again else phrases.ONE_DIE), SUBTITLE, SMALL, align="center")


def _draw_order(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw the roll for the order of play, whose words have the whole width."""
    if menu.chosen in phrases.SIDE_MENU:
        draw_choice(canvas, menu, words, TITLE_BAR)
        canvas.text(words.item_hint(menu.chosen, position, view.names), SUBTITLE, SMALL, align="center")
    else:
        _draw_request(canvas, view, menu, words, position)
    draw_roster(canvas, view, words, range(position.seats), {}, dict.fromkeys(view.waiting_for, Mark.AWAITED))
