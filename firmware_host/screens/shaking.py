"""The shake, for a round or for the order of play: the task, or the players while others still shake."""

from collections.abc import Sequence

from engine import Phase, Player, Position, RoundKind
from firmware_host.fairness.chain import group_letters
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words, die_letter
from firmware_host.screens.bidding import draw_fact, head_shown, is_to_shake, place_to_play
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.fitting import fits
from firmware_host.screens.graphics.text import BIG, BOLD, SMALL, TEXT, TINY, TITLE, Font, width
from firmware_host.screens.widgets import LEFT, MIDDLE, SUBTITLE, TITLE_BAR, draw_turn_clock, has_banner
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SeatView

_CUP = Box(LEFT, 12, 34, 24)
_TOP = 1
"""The cup's row above a rule or a banner."""
_BESIDE_CUP = 46
"""The left edge of the word beside the cup."""
_RULE = Box(LEFT, 29, 121, 22)
"""A round's rule, below a cup that is higher up."""
_FOOT = Box(LEFT, 53, 121, 8)
"""The letters that bind the makers of the dice, or a more urgent fact."""
_CLOCK = Box(LEFT, 26, 121, 6)
"""The turn clock above a banner."""
_TABLE, _LONG_TABLE = Box(LEFT, 27, 121, 34), Box(LEFT, 16, 121, 45)
_FEW = 4
"""Players in a list below a line about the round."""
_MAX_LINE = 15
"""Rows of a name in the list: a taller one, with marks above and below, takes a smaller type."""


def draw_shaking(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw everything but a banner until all cups are down."""
    if is_to_shake(view):
        _draw_task(canvas, view, menu, words, position)
        return
    is_covered = has_banner(view, words)
    title = who_still_shakes(view, words)
    if is_covered:
        canvas.cup(_CUP.left, _TOP, is_shaken=False)
        canvas.sentence_lines(*title, Box(_BESIDE_CUP, _TOP, 124 - _BESIDE_CUP, _CUP.height), 2, BOLD, TEXT, SMALL)
        if view.clock_s is not None:
            draw_turn_clock(canvas, view.clock_s, _CLOCK)
        return
    players = [Player(seat) for seat in range(position.seats)] if position.phase is Phase.SEATING else position.living
    is_full = len(players) > _FEW
    told = "" if is_full else _about_round(view, words, position)
    has_fact = draw_fact(canvas, view, words, position, TITLE_BAR if is_full else SUBTITLE)
    if not (is_full and has_fact):
        canvas.sentence(*title, TITLE_BAR, BOLD, TEXT)
    if told and not has_fact:
        canvas.text(told, SUBTITLE, SMALL)
    has_line = not is_full and (has_fact or bool(told))
    _draw_players(canvas, view, words, position, players, _TABLE if has_line else _LONG_TABLE)


def who_still_shakes(view: SeatView, words: Words) -> tuple[str, str]:
    """Return that somebody still shakes, with a gap for how many, or for the name of the last."""
    waiting = [view.names[player] for player in view.waiting_for]
    return words.still_shaking(len(waiting)), waiting[0] if len(waiting) == 1 else f"{len(waiting)}"


def _draw_task(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw a shaken cup and the task; in a first or a special round its rule; and one line at the foot."""
    task = words(phrases.SHAKE if menu.chosen is None else phrases.ROLL)
    if has_banner(view, words):
        _draw_cup(canvas, task, _TOP)
        if view.clock_s is not None:
            draw_turn_clock(canvas, view.clock_s, _CLOCK)
        return
    rule, name = _about_round(view, words, position), ""
    if position.kind is not RoundKind.NORMAL:
        rule, name = words.titled_rule(view, position)
    _draw_cup(canvas, task, _TOP if rule else _CUP.top)
    has_fact = draw_fact(canvas, view, words, position, _FOOT)
    if has_fact:
        canvas.sentence_lines(rule, name, _RULE._replace(height=18), 2, SMALL)
        return
    canvas.sentence_lines(rule, name, _RULE, 2, BOLD, TEXT, SMALL)
    if head := group_letters(head_shown(view)):
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


def _draw_players(
    canvas: Canvas, view: SeatView, words: Words, position: Position, players: Sequence[Player], box: Box
) -> None:
    """Draw each player with the number of their dice, or with the roll for the order of play, in two columns."""
    columns = 1 if len(players) == 2 else 2
    rows = -(-len(players) // columns)
    names = [words(phrases.YOU) if player == view.you else view.names[player] for player in players]
    values = [_value(position, player) for player in players]
    height = min(box.height // rows, _MAX_LINE) - 2 * (columns - 1)  # two rows apart, whatever the letters

    def indent(font: Font) -> int:
        return max(width(value, font) + _gap(font) * bool(value) for value in values)

    fonts = (TITLE, BOLD, TEXT, SMALL)[columns - 1 + 2 * (rows > 3) :]
    across = box.width // columns - 1
    font = next(
        (each for each in fonts if all(fits(name, across - indent(each), height, each) for name in names)), SMALL
    )
    beside = indent(font)
    for index, (name, value) in enumerate(zip(names, values, strict=True)):
        cell = box.row(index // columns, rows)
        line = Box(LEFT + (MIDDLE - LEFT) * (index % columns), cell.top + (cell.height - height) // 2, across, height)
        canvas.text(value, line._replace(width=max(beside - _gap(font), 0)), font, SMALL, align="right")
        canvas.sentence("{}", name, line._replace(left=line.left + beside, width=across - beside), font)


def _gap(font: Font) -> int:
    """Return the columns between a number and a name."""
    return font.cap // 2 + 1


def _value(position: Position, player: Player) -> str:
    """Return a player's dice, with a plus for banked ones, or their last roll."""
    if position.phase is not Phase.SEATING:
        return f"{position.dice[player]}" + ("+" if position.banked and position.banked[player] else "")
    rolls = position.rolls[player]
    return "" if not rolls or player in position.rolling else die_letter(rolls[-1])
