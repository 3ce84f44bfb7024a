"""The bidding, in turn and out of turn, and the moment of a call: what stands, who said it, what this seat may say."""

from engine import Position
from firmware_host.screens import phrases
from firmware_host.screens.bid import standing_bid
from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.choice import choice
from firmware_host.screens.fonts import BOLD, HEAD, SMALL, SMALL_BOLD, TEXT, TITLE, fits
from firmware_host.screens.leaf import leaf_of
from firmware_host.screens.roster import of_the_round
from firmware_host.screens.words import Words
from firmware_host.screens.zones import ASIDE, BID, LINE, MENU, TELLS
from firmware_host.table.commands import Command
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView


def bidding(
    canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position, *, open_hand: int | None = None
) -> None:
    """Everything but the dice while bids are made; `open_hand` is whose dice lie open below in an open round."""
    _standing(canvas, view, words, position)
    offered = menu.chosen not in (None, Command.WAIT)
    if offered:
        choice(canvas, menu, words, MENU)
    else:
        _said(canvas, view, words, position, may_call=menu.chosen is Command.WAIT)
    _line(canvas, view, words, position)
    tells = words.item_tells(menu.chosen, position, view.names) if offered else ""
    if open_hand is not None:
        leaf_of(canvas, words(phrases.HAND_OF), view.names[open_hand])
    elif tells:
        canvas.text(tells, TELLS, TEXT, SMALL, align="center")
    else:
        of_the_round(canvas, view, words, position)


def called(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Who called what on the bid that stands, before the dice."""
    _standing(canvas, view, words, position)
    if view.call is not None:
        canvas.text(words(phrases.CALLED[view.call]), MENU, TITLE, HEAD, BOLD)
    if view.caller is not None:
        mine = view.caller == view.me
        canvas.naming(words(phrases.BY_YOU if mine else phrases.BY), view.names[view.caller], LINE, SMALL_BOLD)
    of_the_round(canvas, view, words, position)


def divider(canvas: Canvas) -> None:
    """Between what stands and what is said of it."""
    canvas.fill(Box(BID.right + 2, 2, 1, 20))


def _standing(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    divider(canvas)
    if position.standing is not None:
        standing_bid(canvas, position.standing, position)
        return
    if position.turn is None:
        return
    mine = position.turn == view.me
    opens = words(phrases.YOU_OPEN if mine else phrases.OPENS)
    sentence, name = words.holds(view, position)
    holds = sentence.format(name)
    if fits(holds, BID.width, 10, SMALL):
        canvas.naming(opens, view.names[position.turn], BID._replace(height=14), BOLD, TEXT, SMALL_BOLD, SMALL)
        canvas.text(holds, BID._replace(top=14, height=10), SMALL)
    else:
        canvas.naming(opens, view.names[position.turn], BID.row(0, 3), SMALL_BOLD, SMALL)
        canvas.lines(holds, BID._replace(top=8, height=16), 2, SMALL)


def _said(canvas: Canvas, view: SeatView, words: Words, position: Position, *, may_call: bool) -> None:
    """Whose bid it is, and what may be said to it out of turn."""
    if position.bidder is not None:
        mine = position.bidder == view.me
        by = words(phrases.BY_YOU if mine else phrases.BY)
        canvas.naming(by, view.names[position.bidder], ASIDE.row(0, 3), SMALL)
    if may_call:
        row = ASIDE.row(1, 3)
        canvas.arrow(row.left, row.top + 4, 4, leftward=True)
        canvas.text(words(phrases.CALLS), Box(row.left + 7, row.top, row.width - 7, row.height), SMALL)


def _line(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    playing = {view.names[seat] for seat in position.living} - {view.name}
    elsewhere = [missing.device for missing in view.missing if missing.name in playing]
    if position.passer is not None:
        passed = phrases.YOU_PASSED if position.passer == view.me else phrases.PASSED
        canvas.naming(words(passed), view.names[position.passer], LINE, SMALL_BOLD, SMALL)
    elif elsewhere:
        canvas.text(words.missing(elsewhere), LINE, SMALL)
    elif kind := words.kind(position.kind):
        canvas.text(f"{kind} · {position.in_play}", LINE, SMALL)
    else:
        canvas.text(words.dice(position.in_play), LINE, SMALL)
