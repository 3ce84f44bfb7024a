"""The shake, for a round or for the order of play."""

from engine import Phase, Player, Position, RoundKind
from firmware_host.fairness.chain import group_letters
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.bidding import draw_fact, head_shown, is_to_shake, place_to_play
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.text import BIG, BOLD, SMALL, SMALL_BOLD, TINY, TITLE, fits
from firmware_host.screens.widgets import (
    DICE,
    HINT,
    LEFT,
    SUBTITLE,
    TITLE_BAR,
    draw_round_roster,
    draw_turn_clock,
    has_banner,
)
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SeatView

_DIE = 12
_CUP = Box(LEFT, 14, 34, 24)
_BESIDE_CUP = 46
"""The left edge of the word beside the cup."""
_RULE = Box(LEFT, 30, 121, 20)
"""In a special round its title and rule, below a cup that is higher up."""
_FOOT = Box(LEFT, 52, 121, 8)
"""The letters that bind the makers of the dice, or a more urgent fact."""


def draw_shaking(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw everything but the own dice until all cups are down."""
    if position.phase is Phase.SEATING:
        _draw_request(canvas, view, menu, words, position)
    elif is_to_shake(view):
        _draw_task(canvas, words(phrases.SHAKE if menu.chosen is None else phrases.ROLL), top=1)
        draw_fact(canvas, view, words, position, HINT, is_covered=has_banner(view, words))
    else:
        canvas.text(words.still_shaking(len(view.waiting_for)), TITLE_BAR, BOLD)
        is_covered = has_banner(view, words)
        has_fact = draw_fact(canvas, view, words, position, SUBTITLE, is_covered=is_covered)
        if is_covered:
            return
        if not has_fact:
            canvas.text(_about_round(view, words, position), SUBTITLE, SMALL)
        draw_round_roster(canvas, view, words, position)


def _about_round(view: SeatView, words: Words, position: Position) -> str:
    """Return a special round's title, and its rule if there is room; in a first round the place, or its rule."""
    if position.kind is RoundKind.NORMAL:
        rule = words.round_rule(view, position)[0] if position.number == 1 else ""
        return place_to_play(view, words, position) or rule
    rule, name = words.titled_rule(view, position)
    whole, room = rule.format(name), SUBTITLE
    return whole if fits(whole, room.width, room.height, SMALL) else words.kind(position.kind, position.rules)


def is_shake_moment(view: SeatView, menu: Menu, position: Position) -> bool:
    """Return whether the shake takes the whole display: at a player who has to shake a cup for a round."""
    return is_to_shake(view) and position.phase is Phase.ROLLING and not menu.items


def draw_shake_moment(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw a shaken cup and the word; in a first or a special round its rule; and one line at the foot."""
    rule, name = _about_round(view, words, position), ""
    if position.kind is not RoundKind.NORMAL:
        rule, name = words.titled_rule(view, position)
    _draw_task(canvas, words(phrases.SHAKE), top=2 if rule else _CUP.top)
    canvas.sentence_lines(rule, name, _RULE, 2, BOLD, SMALL_BOLD, SMALL)
    if not draw_fact(canvas, view, words, position, _FOOT, is_covered=False):
        _draw_head(canvas, view, words, _FOOT)


def _draw_task(canvas: Canvas, task: str, top: int) -> None:
    """Draw a shaken cup, and beside it the task."""
    canvas.cup(_CUP.left, top)
    room = Box(_BESIDE_CUP, top, 124 - _BESIDE_CUP, _CUP.height)
    canvas.text(task, room, BIG, TITLE, BOLD)


def draw_order_rolls(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
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
    if view.clock_s is None:
        _draw_head(canvas, view, words, HINT)


def _draw_head(canvas: Canvas, view: SeatView, words: Words, box: Box) -> None:
    """Draw the letters committing the makers of the dice, with a word about them where the line has room."""
    if head := group_letters(head_shown(view)):
        canvas.text(words(phrases.PROOF).format(head), box, SMALL, TINY)


def _draw_request(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw the task in the roll for the order of play."""
    asked = phrases.WAITING_FOR_ALL if view.waiting_for else phrases.ALL_HAVE_SHAKEN
    if is_to_shake(view):
        asked = phrases.SHAKE_CUP if menu.chosen is None else phrases.ROLL
    canvas.text(words(asked), TITLE_BAR, BOLD)
    if view.clock_s is not None:
        draw_turn_clock(canvas, view.clock_s, SUBTITLE)
    elif not has_banner(view, words):
        again = any(position.rolls[seat] for seat in position.rolling)
        canvas.text(words(phrases.TIE_AGAIN if again else phrases.ONE_DIE), SUBTITLE, SMALL)
