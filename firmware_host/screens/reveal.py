"""The reveal: the bid, the count, its cost, and everybody's dice, one hand a page.

Page 0 is the summary with the own dice, each next page a player's hand in order of play.
"""

from collections.abc import Sequence

from engine import Hand, Position, Showdown
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.bidding import draw_standing_bid
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.glyphs import LOW, Mark
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD, fits
from firmware_host.screens.widgets import (
    BID,
    MENU,
    STATUS_LINE,
    draw_hand,
    draw_own_dice,
    draw_page_heading,
    draw_roster,
)
from firmware_host.table.menu import Menu, MenuCommand
from firmware_host.table.seat_view import SeatView, hand_pages

_ALL = frozenset(range(1, 7))
_ARROW = 4
_DIE = 15


def draw_reveal(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw one seat's whole picture of a showdown. Raises `ValueError` without one."""
    showdown = position.showdown
    if showdown is None:
        raise ValueError("a reveal needs a showdown")
    _draw_outcome(canvas, words, showdown)
    _draw_ways_on(canvas, ok=menu.chosen is MenuCommand.GO_ON, waits=view.me in position.living)
    _draw_cost(canvas, view, words, showdown)
    shown = hand_pages(view.scene, position, view.me)
    page = view.page % (len(shown) + 1)
    if page:
        _draw_page(canvas, view, words, position, showdown, shown[page - 1])
    else:
        _draw_summary(canvas, view, words, position, showdown, shown)


def _draw_outcome(canvas: Canvas, words: Words, showdown: Showdown) -> None:
    """Draw the bid and beside it how many of its face there are; or what a doubted pass was."""
    if showdown.matching is None:
        verdict = phrases.BLUFFED_PASS if showdown.right else phrases.HONEST_PASS
        canvas.lines(words(verdict), BID, 2, BOLD, SMALL_BOLD, SMALL)
        return
    draw_standing_bid(canvas, showdown.bid, sum(map(len, showdown.hands)))
    left = MENU.right - _DIE
    canvas.die(showdown.bid.face, left, MENU.top, "menu", style="solid")
    canvas.number(str(showdown.matching), left - 3, MENU.top, LOW)


def _draw_ways_on(canvas: Canvas, *, ok: bool, waits: bool) -> None:
    """Draw that arrows lead to the other hands and OK goes on, or that the others have not gone on yet."""
    for number, leftward in enumerate((True, False)):
        canvas.arrow(MENU.left + number * (_ARROW + 3), MENU.top + 11, _ARROW, leftward=leftward)
    if ok:
        canvas.text("OK", Box(MENU.left, 0, 14, 8), SMALL_BOLD)
    elif waits:
        for dot in range(3):
            canvas.fill(Box(MENU.left + 4 * dot, MENU.top + 3, 2, 2))


def _draw_cost(canvas: Canvas, view: SeatView, words: Words, showdown: Showdown) -> None:
    """Draw the cost and who pays it."""
    sentences, who = words.result(showdown)
    if who is not None and who == view.me and who in showdown.out:
        canvas.text(words(phrases.YOU_ARE_OUT), STATUS_LINE, SMALL_BOLD, SMALL)
        return
    name = "" if who is None else words(phrases.YOU) if who == view.me else view.names[who]
    whole = (
        text
        for text in sentences
        for font in (SMALL_BOLD, SMALL)
        if fits(text.format(name), STATUS_LINE.width, 8, font)
    )
    canvas.sentence(next(whole, sentences[-1]), name, STATUS_LINE, SMALL_BOLD, SMALL)


def _draw_summary(
    canvas: Canvas, view: SeatView, words: Words, position: Position, showdown: Showdown, shown: Sequence[int]
) -> None:
    """Draw all dice as before, who lost or won one, and the own hand; after OK, who has not pressed it yet."""
    dice = {seat: len(showdown.hands[seat]) for seat in shown}
    marks: dict[int, Mark] = {}
    if view.me in position.living and view.me not in view.waiting_for:
        marks = dict.fromkeys(view.waiting_for, Mark.AWAITED)
    draw_roster(canvas, view, words, shown, dice, marks, caller=showdown.caller)
    own = Hand() if view.me is None else showdown.hands[view.me]
    if not own or words.notice(view):
        draw_own_dice(canvas, view, words, position)
    else:
        assert view.me is not None
        draw_hand(canvas, own, _counting(position, showdown, view.me))


def _draw_page(canvas: Canvas, view: SeatView, words: Words, position: Position, showdown: Showdown, seat: int) -> None:
    """Draw one player's dice, those that count solid."""
    hand = showdown.hands[seat]
    name = words(phrases.YOU) if seat == view.me else view.names[seat]
    count = _matching(position, showdown, seat)
    draw_page_heading(canvas, words(phrases.COUNTS).format(name="{}", count=count, dice=len(hand)), name)
    if view.notice is not None:
        draw_own_dice(canvas, view, words, position)
    else:
        draw_hand(canvas, hand, _counting(position, showdown, seat))


def _matching(position: Position, showdown: Showdown, seat: int) -> int:
    counting = _counting(position, showdown, seat)
    return sum(face in counting for face in showdown.hands[seat])


def _counting(position: Position, showdown: Showdown, seat: int) -> frozenset[int]:
    """Return the faces that count in a seat's hand: those of the bid, or all of a doubted passer's."""
    if showdown.was_pass:
        return _ALL if seat == showdown.doubted else frozenset()
    wild = {1} if position.rules.wilds_in(showdown.kind) else set()
    return frozenset({showdown.bid.face} | wild)
