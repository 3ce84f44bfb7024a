"""The shake, for a round or for the order of play: the task, or the players while others still shake."""

from engine import Phase, Player, Position, RoundKind
from firmware_host.fairness.chain import group_letters
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words, die_letter
from firmware_host.screens.bidding import draw_fact, head_shown, is_to_shake, place_to_play
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.text import BIG, BOLD, SMALL, TEXT, TINY, TITLE, bare, fits
from firmware_host.screens.widgets import LEFT, SUBTITLE, TITLE_BAR, has_banner
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SeatView

_CUP = Box(LEFT, 12, 34, 24)
_TOP, _ABOVE_BANNER = 2, 2
"""The cup's row above a rule, and above a banner."""
_BESIDE_CUP = 46
"""The left edge of the word beside the cup."""
_RULE = Box(LEFT, 28, 121, 22)
"""A round's rule, below a cup that is higher up."""
_FOOT = Box(LEFT, 52, 121, 8)
"""The letters that bind the makers of the dice, or a more urgent fact."""
_BANNER_FACT = Box(LEFT, 27, 121, 8)
_TABLE = Box(LEFT, 25, 121, 36)
_COLUMN = 62  # columns from one player to the next in a row
_VALUE = 8  # columns
_MAX_LINE = 12
"""Rows of a name in the list: a taller one, with marks above and below, takes a smaller type."""


def draw_shaking(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw everything but a banner until all cups are down."""
    if is_to_shake(view):
        _draw_task(canvas, view, menu, words, position)
        return
    is_covered = has_banner(view, words)
    if position.phase is Phase.SEATING:
        title = words(phrases.WAITING_FOR_ALL if view.waiting_for else phrases.ALL_HAVE_SHAKEN)
    else:
        title = words.still_shaking(len(view.waiting_for))
    if is_covered:
        canvas.cup(_CUP.left, _ABOVE_BANNER, is_shaken=False)
        canvas.lines(title, Box(_BESIDE_CUP, _ABOVE_BANNER, 124 - _BESIDE_CUP, _CUP.height), 2, BOLD, TEXT, SMALL)
        draw_fact(canvas, view, words, position, _BANNER_FACT)
        return
    canvas.text(title, TITLE_BAR, BOLD, TEXT)
    if not draw_fact(canvas, view, words, position, SUBTITLE):
        canvas.text(_about_round(view, words, position), SUBTITLE, SMALL)
    _draw_players(canvas, view, words, position)


def _draw_task(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw a shaken cup and the task; in a first or a special round its rule; and one line at the foot."""
    task = words(phrases.SHAKE if menu.chosen is None else phrases.ROLL)
    if has_banner(view, words):
        _draw_cup(canvas, task, _ABOVE_BANNER)
        draw_fact(canvas, view, words, position, _BANNER_FACT)
        return
    rule, name = _about_round(view, words, position), ""
    if position.kind is not RoundKind.NORMAL:
        rule, name = words.titled_rule(view, position)
    _draw_cup(canvas, task, _TOP if rule else _CUP.top)
    canvas.sentence_lines(rule, name, _RULE, 2, BOLD, TEXT, SMALL)
    if not draw_fact(canvas, view, words, position, _FOOT) and (head := group_letters(head_shown(view))):
        canvas.text(words(phrases.PROOF).format(head), _FOOT, SMALL, TINY)


def _draw_cup(canvas: Canvas, task: str, top: int) -> None:
    canvas.cup(_CUP.left, top)
    room = Box(_BESIDE_CUP, top, 124 - _BESIDE_CUP, _CUP.height)
    canvas.text(task, room, BIG, TITLE, BOLD)


def _about_round(view: SeatView, words: Words, position: Position) -> str:
    """Return a special round's title, and its rule if there is room; in a first round the place, or its rule."""
    if position.phase is Phase.SEATING:
        again = any(position.rolls[seat] for seat in position.rolling)
        return words(phrases.TIE_AGAIN if again else phrases.ONE_DIE)
    if position.kind is RoundKind.NORMAL:
        rule = words.round_rule(view, position)[0] if position.number == 1 else ""
        return place_to_play(view, words, position) or rule
    rule, name = words.titled_rule(view, position)
    whole, room = rule.format(name), SUBTITLE
    return whole if fits(whole, room.width, room.height, SMALL) else words.kind(position.kind, position.rules)


def _draw_players(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw each player with the number of their dice, or with the roll for the order of play, in two columns."""
    players = [Player(seat) for seat in range(position.seats)] if position.phase is Phase.SEATING else position.living
    rows = max(2, -(-len(players) // 2))
    is_full = rows > 2  # then only plain capitals keep apart
    fonts = (SMALL,) if is_full else (BOLD, TEXT, SMALL)
    for index, player in enumerate(players):
        cell = _TABLE.row(index // 2, rows)
        left = LEFT + _COLUMN * (index % 2)
        value = _value(position, player, is_full=is_full)
        indent = _VALUE + 2 if value else 0
        height = min(cell.height - 2 * is_full, _MAX_LINE)
        line = Box(left + indent, cell.top + (cell.height - height) // 2, 60 - indent, height)
        canvas.text(value, Box(left, cell.top, _VALUE, cell.height), *fonts, align="center")
        name = words(phrases.YOU) if player == view.you else view.names[player]
        if is_full:
            canvas.short(bare(name).upper(), line, SMALL)
        else:
            canvas.sentence("{}", name, line, *fonts)


def _value(position: Position, player: Player, *, is_full: bool) -> str:
    """Return a player's dice, with a plus for banked ones, or their last roll."""
    if position.phase is not Phase.SEATING:
        return f"{position.dice[player]}" + ("+" if position.banked and position.banked[player] else "")
    rolls = position.rolls[player]
    if not rolls or player in position.rolling:
        return ""
    return str(rolls[-1]) if is_full else die_letter(rolls[-1])
