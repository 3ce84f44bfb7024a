"""The bidding, in turn and out of turn: what stands, who is to speak, what this seat may say."""

from engine import Position
from firmware_host.screens import english as words
from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.fonts import BOLD, HEAD, SMALL, SMALL_BOLD, TEXT, TITLE
from firmware_host.screens.parts import BODY, bid_across, big_bid, foot, header, kind_tag, roster, slab, what_holds
from firmware_host.table.commands import Command
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView


def bidding(canvas: Canvas, view: SeatView, menu: Menu, position: Position) -> None:
    """One seat's picture while bids are made."""
    turn_line(canvas, view, position)
    standing(canvas, view, position, hint=_hint(view, menu, position))
    box = foot(canvas, view)
    if box is None:
        return
    if menu.items and menu.chosen is not Command.WAIT:
        slab(canvas, menu, box, position, lit=view.me is not None and view.me == position.turn)
    else:
        roster(canvas, view, position, box)


def turn_line(canvas: Canvas, view: SeatView, position: Position, top: int = 0) -> None:
    """The header: whose turn it is and the kind of the round."""
    active = view.me is not None and view.me == position.turn
    name = "" if position.turn is None else view.names[position.turn]
    header(canvas, words.YOUR_TURN if active else words.TURN, name, tag=kind_tag(position), active=active, top=top)


def standing(canvas: Canvas, view: SeatView, position: Position, box: Box = BODY, hint: str = "") -> None:
    """The standing bid and whose it is, or who opens; with a last line of small print."""
    bid = position.standing
    if bid is None:
        _opening(canvas, view, position, box)
        return
    big_bid(canvas, bid, box)
    left = box.left + bid_across(bid) + 4
    beside = Box(left, box.top, box.right - left, box.height)
    small = position.passer is not None or bool(hint)
    rows = 3 if small else 2
    canvas.text(words.faces(bid), beside.row(0, rows), BOLD, SMALL_BOLD)
    bidder = "" if position.bidder is None else view.names[position.bidder]
    by = words.BY_YOU if position.bidder == view.me else words.BY
    canvas.naming(by, bidder, beside.row(1, rows), TEXT, SMALL)
    if small:
        _small_print(canvas, view, position, hint, beside.row(2, rows))


def _small_print(canvas: Canvas, view: SeatView, position: Position, hint: str, box: Box) -> None:
    if position.passer is not None:
        passed = words.YOU_PASSED if position.passer == view.me else words.PASSED
        canvas.naming(passed, view.names[position.passer], box, SMALL_BOLD)
    elif hint == words.CALLS:
        canvas.arrow(box.left, box.top + box.height // 2, 4, leftward=True)
        canvas.text(hint, Box(box.left + 6, box.top, box.width - 6, box.height), SMALL)
    else:
        canvas.text(hint, box, SMALL)


def _hint(view: SeatView, menu: Menu, position: Position) -> str:
    if view.me is None:
        return words.WATCHING
    if not position.dice[view.me]:
        return words.YOU_ARE_OUT
    return words.CALLS if menu.chosen is Command.WAIT else ""


def _opening(canvas: Canvas, view: SeatView, position: Position, box: Box) -> None:
    if position.turn is None:
        return
    mine = position.turn == view.me
    name = view.names[position.turn]
    top = Box(box.left + 2, box.top + 1, box.width - 4, 16)
    canvas.naming(words.YOU_OPEN if mine else words.OPENS, name, top, TITLE, HEAD, BOLD)
    canvas.text(what_holds(view, position), Box(box.left + 2, top.bottom, box.width - 4, 9), SMALL)
