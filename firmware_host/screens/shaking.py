"""The shake, for a round or for the order of play."""

from engine import Phase, Player, Position, RoundKind
from firmware_host.fairness.chain import group_letters
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.bidding import draw_facts, draw_header, head_shown, place_to_play
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD, TINY, TITLE
from firmware_host.screens.widgets import (
    DICE,
    HEADING,
    HINT,
    STATUS_LINE,
    SUBTITLE,
    TITLE_BAR,
    WIDE_CHOICE,
    draw_choice,
    draw_round_roster,
    draw_shout,
    draw_turn_clock,
)
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SceneName, SeatView

_FONTS = (TITLE, BOLD, SMALL_BOLD)
_DIE = 12
_ABOVE_STATUS = STATUS_LINE._replace(top=5)
_STILL = Box(64, 0, 60, 24)
"""The players awaited, without a fact above."""
_TASK = Box(64, 1, 60, 13)
"""This seat's task above a banner."""
_CUP = Box(1, 1, 34, 24)
_BESIDE_CUP = Box(38, 1, 86, 14)
_USUAL = Box(38, 4, 86, 8)
_FACT = Box(38, 16, 86, 8)
"""Beside a cup: the task; a usual round's rule or the place in it; and the most urgent fact."""
_KIND = Box(2, 1, 58, 9)
_BESIDE_KIND = Box(64, 1, 60, 8)
_RULE = Box(2, 11, 122, 13)
"""In the moment of a special round's shake: its title, the most urgent fact, and below both its rule."""
_WORD = Box(1, 34, 124, 27)


def draw_shaking(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw everything but the own dice until all cups are down."""
    if position.phase is Phase.SEATING:
        _draw_order(canvas, view, menu, words, position)
        return
    if menu.chosen in phrases.SIDE_MENU:
        _draw_side_menu(canvas, view, menu, words, position)
        return
    if _is_asked(view):
        _draw_task(canvas, view, menu, words, position)
    else:
        draw_header(canvas, view, words, position)
        still = words.still_shaking(len(view.waiting_for))
        if draw_facts(canvas, view, words, position, _ABOVE_STATUS):
            canvas.text(still, STATUS_LINE, SMALL)
        else:
            canvas.lines(still, _STILL, 2, BOLD, SMALL_BOLD, SMALL)
    draw_round_roster(canvas, view, words, position)


def is_shake_moment(view: SeatView, menu: Menu, position: Position) -> bool:
    """Return whether the shake takes the whole display: at a player who has to shake a cup for a round."""
    return view.scene is SceneName.SHAKING and position.phase is Phase.ROLLING and _is_asked(view) and not menu.items


def draw_shake_moment(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw a shaken cup beside the round's rule, the players, and the word over the whole width."""
    if title := words.kind(position.kind, position.rules):
        canvas.inverse_label(title, _KIND, SMALL)
        canvas.sentence(*words.round_rule(view, position), _RULE, BOLD, SMALL_BOLD, SMALL, align="center")
    else:
        canvas.cup(_CUP.left, _CUP.top)
        place = place_to_play(view, words, position)
        canvas.text(place or words.round_rule(view, position)[0], _USUAL, SMALL_BOLD, SMALL)
    draw_facts(canvas, view, words, position, _BESIDE_KIND if title else _FACT)
    draw_round_roster(canvas, view, words, position)
    draw_shout(canvas, words(phrases.SHAKE), _WORD)


def _draw_task(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw what this seat has to do above a banner: shake a cup, drawn where no rule has its place, or press OK."""
    shakes = menu.chosen is None
    has_cup = shakes and position.kind is RoundKind.NORMAL
    if has_cup:
        canvas.cup(_CUP.left, _CUP.top)
    else:
        draw_header(canvas, view, words, position)
    canvas.text(words(phrases.SHAKE if shakes else phrases.ROLL), _BESIDE_CUP if has_cup else _TASK, *_FONTS)
    draw_facts(canvas, view, words, position, _FACT if has_cup else STATUS_LINE)


def _draw_side_menu(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw the side menu below the task of this seat, or the awaited players."""
    task = words(phrases.SHAKE) if _is_asked(view) else ""
    if view.clock_s is not None:
        canvas.text(task, HEADING.column(0, 2), SMALL)
        draw_turn_clock(canvas, view.clock_s, HEADING.column(1, 2) if task else HEADING)
    else:
        still = words.still_shaking(len(view.waiting_for))
        canvas.text(f"{task} {still}".strip(), HEADING, SMALL, align="center")
    draw_choice(canvas, menu, words, WIDE_CHOICE)
    canvas.text(words.item_hint(menu.chosen, position, view.names), HINT, SMALL, align="center")


def draw_order_rolls(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw the rolls for the order of play so far, each before the name; each player's last die counts."""
    columns = max(2, -(-position.seats // 2))
    for player in map(Player, range(position.seats)):
        row, column = divmod(player, columns)
        cell = DICE.column(column, columns)
        rolls = position.rolls[player]
        face = 0 if not rolls or player in position.rolling else rolls[-1]
        top = DICE.top + 13 * row
        canvas.die(face, cell.left, top, "small", style="solid" if face else "outline")
        name = words(phrases.YOU) if player == view.me else view.names[player]
        canvas.short(name, Box(cell.left + _DIE + 2, top + 2, cell.width - _DIE - 3, 8), SMALL)
    if menu.chosen in phrases.SIDE_MENU:
        asked = words(phrases.SHAKE_CUP) if _is_asked(view) else words.still_shaking(len(view.waiting_for))
        canvas.text(asked, HINT, SMALL_BOLD, SMALL, align="center")
    else:
        _draw_head(canvas, words, group_letters(head_shown(view)))


def _draw_head(canvas: Canvas, words: Words, head: str) -> None:
    """Draw the letters committing the makers of the dice, with a word about them where the line has room."""
    if head:
        canvas.text(words(phrases.PROOF).format(head), HINT, SMALL, TINY, align="center")


def _is_asked(view: SeatView) -> bool:
    return view.me is not None and view.me in view.waiting_for


def _draw_request(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    asked = phrases.WAITING_FOR_ALL if view.waiting_for else phrases.ALL_HAVE_SHAKEN
    if _is_asked(view):
        asked = phrases.SHAKE_CUP if menu.chosen is None else phrases.ROLL
    canvas.text(words(asked), TITLE_BAR, *(_FONTS if _is_asked(view) else _FONTS[1:]), align="center")
    if view.clock_s is not None:
        draw_turn_clock(canvas, view.clock_s, SUBTITLE)
        return
    again = any(position.rolls[seat] for seat in position.rolling)
    canvas.text(words(phrases.TIE_AGAIN if again else phrases.ONE_DIE), SUBTITLE, SMALL, align="center")


def _draw_order(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw the roll for the order of play, with words over the whole width."""
    if menu.chosen in phrases.SIDE_MENU:
        draw_choice(canvas, menu, words, TITLE_BAR)
        canvas.text(words.item_hint(menu.chosen, position, view.names), SUBTITLE, SMALL, align="center")
    else:
        _draw_request(canvas, view, menu, words, position)
