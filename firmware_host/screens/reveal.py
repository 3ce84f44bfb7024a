"""The cups are up: what was bid, what there was, what it cost, and everybody's dice, one hand a leaf.

Leaf 0 is the summary with the own dice, each next one a player's hand in order of play.
"""

from collections.abc import Sequence

from engine import Hand, Position, Showdown
from firmware_host.screens import own_dice, phrases
from firmware_host.screens.bid import standing_bid
from firmware_host.screens.bidding import divider
from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.digits import LOW
from firmware_host.screens.fonts import SMALL, SMALL_BOLD, fits
from firmware_host.screens.leaf import leaf_of
from firmware_host.screens.roster import roster
from firmware_host.screens.words import Words
from firmware_host.screens.zones import ASIDE, LINE, MENU
from firmware_host.table.commands import Command
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView

_ALL = frozenset(range(1, 7))


def reveal(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """One seat's whole picture of a showdown. Raises `ValueError` without one."""
    showdown = position.showdown
    if showdown is None:
        raise ValueError("a reveal needs a showdown")
    divider(canvas)
    standing_bid(canvas, showdown.bid, position)
    _found(canvas, words, showdown, ok=menu.chosen is Command.GO_ON)
    _cost(canvas, view, words, showdown)
    shown = [seat for seat in position.order if showdown.hands[seat]]
    leaf = view.leaf % (len(shown) + 1)
    if leaf:
        _hand(canvas, view, words, position, showdown, shown[leaf - 1])
    else:
        _summary(canvas, view, words, position, showdown, shown)


def _found(canvas: Canvas, words: Words, showdown: Showdown, *, ok: bool) -> None:
    """What there was; below its word that OK goes on and arrows show the hands."""
    word = Box(ASIDE.left, ASIDE.top, 35, 8)
    if showdown.matching is None:
        verdict = words(phrases.BLUFFED_PASS if showdown.right else phrases.HONEST_PASS)
        canvas.text(verdict, ASIDE._replace(height=8), SMALL_BOLD, SMALL)
    else:
        canvas.text(words(phrases.FOUND), word, SMALL)
        canvas.number(str(showdown.matching), MENU.right, MENU.top, LOW)
    for left, leftward in ((ASIDE.left, True), (ASIDE.left + 5, False)):
        canvas.arrow(left, ASIDE.top + 12, 4, leftward=leftward)
    if ok:
        plate = Box(ASIDE.left + 12, ASIDE.top + 8, 17, 8)
        canvas.fill(plate)
        canvas.text("OK", plate, SMALL_BOLD, align="center", light=False)


def _cost(canvas: Canvas, view: SeatView, words: Words, showdown: Showdown) -> None:
    sentences, who = words.result(showdown)
    canvas.fill(LINE)
    name = "" if who is None else words(phrases.YOU) if who == view.me else view.names[who]
    room = LINE.inset(2)
    whole = (sentence for sentence in sentences if fits(sentence.format(name), room.width, room.height, SMALL))
    canvas.naming(next(whole, sentences[-1]), name, room, SMALL_BOLD, SMALL, align="center", light=False)


def _summary(
    canvas: Canvas, view: SeatView, words: Words, position: Position, showdown: Showdown, shown: Sequence[int]
) -> None:
    """How many dice count under each cup; below the own dice, or in big words what it cost oneself."""
    count = {seat: _matching(position, showdown, seat) for seat in shown}
    roster(canvas, view, words, shown, count, lit=[seat for seat in shown if count[seat]])
    own = Hand() if view.me is None else showdown.hands[view.me]
    cost = "" if view.me is None or view.notice is not None else words.own_result(showdown, view.me)
    if cost:
        own_dice.plate(canvas, cost, lit=True)
    elif not own or words.notice(view):
        own_dice.own_dice(canvas, view, words, position)
    else:
        assert view.me is not None
        own_dice.hand(canvas, own, _counting(position, showdown, view.me))


def _hand(canvas: Canvas, view: SeatView, words: Words, position: Position, showdown: Showdown, seat: int) -> None:
    """One player's dice, those that count with a lit core."""
    hand = showdown.hands[seat]
    name = words(phrases.YOU) if seat == view.me else view.names[seat]
    count = _matching(position, showdown, seat)
    leaf_of(canvas, words(phrases.COUNTS).format(name="{}", count=count, dice=len(hand)), name)
    if view.notice is not None:
        own_dice.own_dice(canvas, view, words, position)
    else:
        own_dice.hand(canvas, hand, _counting(position, showdown, seat))


def _matching(position: Position, showdown: Showdown, seat: int) -> int:
    counting = _counting(position, showdown, seat)
    return sum(face in counting for face in showdown.hands[seat])


def _counting(position: Position, showdown: Showdown, seat: int) -> frozenset[int]:
    """The faces that count in a seat's hand: those of the bid, or all of a doubted passer's."""
    if showdown.was_pass:
        return _ALL if seat == showdown.doubted else frozenset()
    wild = {1} if position.rules.wilds_in(showdown.kind) else set()
    return frozenset({showdown.bid.face} | wild)
