"""Shaking the cups, for a round or for the order of play."""

from engine import Phase, Position, RoundKind, Showdown
from firmware_host.screens import phrases
from firmware_host.screens.canvas import Canvas
from firmware_host.screens.claim import claim, line, opens
from firmware_host.screens.fonts import BOLD, HEAD, SMALL, SMALL_BOLD, TITLE
from firmware_host.screens.marks import Mark
from firmware_host.screens.outcome import outcome
from firmware_host.screens.roster import cups, roster
from firmware_host.screens.words import Words
from firmware_host.screens.zones import ASIDE, DICE, LINE, MENU, TOP, UNDER_TOP
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView

_FONTS = (TITLE, HEAD, BOLD, SMALL_BOLD)
_DIE = 12


def shaking(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Everything but the own dice until all cups are down."""
    if position.phase is Phase.SEATING:
        _order(canvas, view, menu, words, position)
        return
    asked = words(phrases.SHAKE if menu.chosen is None else phrases.ROLL) if _is_asked(view) else ""
    is_down = view.me in position.living and not asked
    if position.showdown is not None and position.kind is RoundKind.NORMAL and not is_down:
        _after_last_round(canvas, view, words, position.showdown, asked)
    else:
        _new_round(canvas, view, words, position, asked)
    cups(canvas, view, words, position)


def rolled(canvas: Canvas, position: Position) -> None:
    """What everybody rolled for the order of play so far, under the names; the last die of each counts."""
    for index, seat in enumerate(range(position.seats)):
        cell = DICE.column(index, position.seats)
        rolls = position.rolls[seat]
        face = 0 if not rolls or seat in position.rolling else rolls[-1]
        left = cell.left + (cell.width - 1 - _DIE) // 2
        canvas.die(face, left, cell.top + 4, "small", style="solid" if face else "outline")


def _after_last_round(canvas: Canvas, view: SeatView, words: Words, showdown: Showdown, asked: str) -> None:
    """What the last call came to stays until the own cup is down."""
    outcome(canvas, view, words, showdown)
    if asked:
        canvas.text(asked, LINE, SMALL_BOLD, SMALL)
    else:
        canvas.text(words(phrases.WAITING), LINE, SMALL)


def _new_round(canvas: Canvas, view: SeatView, words: Words, position: Position, asked: str) -> None:
    """What holds in the round to come, and who opens it."""
    claim(canvas, view, words, position)
    line(canvas, view, words, position)
    if asked:
        canvas.text(asked, MENU, *_FONTS)
    elif position.first is not None:
        opens(canvas, view, words, position.first)
        canvas.text(words(phrases.WAITING), ASIDE.row(1, 3), SMALL)


def _is_asked(view: SeatView) -> bool:
    return view.me is not None and view.me in view.waiting_for


def _order(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """The roll for the order of play, once a match: it has the whole width for its words."""
    asked = phrases.WAITING_FOR_ALL
    if _is_asked(view):
        asked = phrases.SHAKE_CUP if menu.chosen is None else phrases.ROLL
    canvas.text(words(asked), TOP, *(_FONTS if _is_asked(view) else _FONTS[1:]), align="center")
    again = any(position.rolls[seat] for seat in position.rolling)
    canvas.text(words(phrases.TIE_AGAIN if again else phrases.ONE_DIE), UNDER_TOP, SMALL, align="center")
    roster(canvas, view, words, range(position.seats), {}, dict.fromkeys(view.waiting_for, Mark.AWAITED))
