"""The bid that stands, 24 dots high: a number and a die. It stays where it is while the round lasts."""

from engine import Bid, Position
from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.digits import HIGH, LOW
from firmware_host.screens.fonts import BOLD, SMALL
from firmware_host.screens.zones import BID

_APART = 4  # dots between the number and the die
_DIE = 24


def standing_bid(canvas: Canvas, bid: Bid, position: Position) -> None:
    """Write a bid. Where no bid of two digits is to be expected there is no room kept for them."""
    number = str(bid.quantity)
    digits = max(len(number), 2 if position.in_play > 9 else 1)
    if digits > 2:
        _beyond_measure(canvas, bid, number)
        return
    number_across = HIGH.across("0" * digits)
    left = BID.left + (BID.width - number_across - _APART - _DIE) // 2
    right = left + number_across
    canvas.number(number, right, BID.top, HIGH)
    canvas.die(bid.face, right + _APART, BID.top, "bid", style="solid")


def _beyond_measure(canvas: Canvas, bid: Bid, number: str) -> None:
    """A quantity of three digits and more, which is legal and never serious."""
    left = BID.right - _DIE
    room = Box(BID.left, BID.top, left - 2 - BID.left, BID.height)
    if LOW.across(number) <= room.width:
        canvas.number(number, room.right, BID.top + 4, LOW)
    else:
        canvas.text(number, room, BOLD, SMALL)
    canvas.die(bid.face, left, BID.top, "bid", style="solid")
