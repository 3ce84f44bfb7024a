"""The shake, for a round or for the order of play."""

from engine import Phase, Player, Position
from firmware_host.fairness.chain import group_letters
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.bidding import draw_facts, draw_header, head_shown, place_to_play
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD, TINIEST, TINY, TITLE
from firmware_host.screens.widgets import (
    BID,
    DICE,
    HINT,
    MENU,
    STATUS_LINE,
    SUBTITLE,
    TITLE_BAR,
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
_CUP = Box(1, 1, 34, 24)
_USUAL = Box(38, 4, 86, 8)
_FACT = Box(38, 16, 86, 8)
"""In the moment of the shake: a usual round's rule or the place in it, and the most urgent fact, beside a cup."""
_KIND = Box(2, 1, 38, 5)
_BESIDE_KIND = Box(42, 0, 82, 8)
_RULE = Box(2, 10, 122, 13)
"""The same in a special round: its title and the fact above its rule."""
_WORD = Box(1, 34, 124, 27)
_ASKED = BID._replace(top=5, height=16)
"""This seat's remaining task, when the side menu has its place."""


def draw_shaking(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw everything but the own dice until all cups are down."""
    if position.phase is Phase.SEATING:
        _draw_order(canvas, view, menu, words, position)
        return
    if menu.chosen in phrases.SIDE_MENU:
        _draw_side_menu(canvas, view, menu, words, position)
        return
    draw_header(canvas, view, words, position)
    draw_facts(canvas, view, words, position, STATUS_LINE if _is_asked(view) else _ABOVE_STATUS)
    if _is_asked(view):
        canvas.text(words(phrases.SHAKE if menu.chosen is None else phrases.ROLL), MENU, *_FONTS)
    else:
        canvas.text(words.still_shaking(len(view.waiting_for)), STATUS_LINE, SMALL)
    draw_round_roster(canvas, view, words, position)


def is_shake_moment(view: SeatView, menu: Menu, position: Position) -> bool:
    """Return whether the shake takes the whole display: at a player who has to shake a cup for a round."""
    return view.scene is SceneName.SHAKING and position.phase is Phase.ROLLING and _is_asked(view) and not menu.items


def draw_shake_moment(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw a shaken cup beside the round's rule, the players, and the word over the whole width."""
    if title := words.kind(position.kind, position.rules):
        canvas.text(title, _KIND, TINIEST)
        canvas.sentence(*words.round_rule(view, position), _RULE, BOLD, SMALL_BOLD, SMALL, align="center")
    else:
        canvas.cup(_CUP.left, _CUP.top)
        place = place_to_play(view, words, position)
        canvas.text(place or words.round_rule(view, position)[0], _USUAL, SMALL_BOLD, SMALL)
    draw_facts(canvas, view, words, position, _BESIDE_KIND if title else _FACT)
    draw_round_roster(canvas, view, words, position)
    draw_shout(canvas, words(phrases.SHAKE), _WORD)


def _draw_side_menu(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw the side menu and the awaited players."""
    if _is_asked(view):
        canvas.text(words(phrases.SHAKE), _ASKED, *_FONTS, align="center")
    else:
        draw_header(canvas, view, words, position)
    draw_choice(canvas, menu, words, MENU)
    if view.clock_s is not None:
        draw_turn_clock(canvas, view.clock_s, STATUS_LINE)
    else:
        canvas.text(words.still_shaking(len(view.waiting_for)), STATUS_LINE, SMALL, align="center")
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
