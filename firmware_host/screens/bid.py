"""The bid that stands, 24 dots high: a number and a die. It stays where it is while the round lasts."""

from engine import Bid
from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.digits import HIGH, LOW
from firmware_host.screens.fonts import BOLD, SMALL
from firmware_host.screens.zones import BID

_APART = 4  # dots between the number and the die
_DIE = 24


def standing_bid(canvas: Canvas, bid: Bid, in_play: int) -> None:
    """Write a bid. Where so few dice are in play that it won't have two digits, no room is kept for them."""
    number = str(bid.quantity)
    digits = max(len(number), _digits(in_play))
    if digits > 2:
        _beyond_measure(canvas, bid, number)
        return
    left = _die_left(digits)
    canvas.number(number, left - _APART, BID.top, HIGH)
    canvas.die(bid.face, left, BID.top, "bid", style="solid")


def blank_bid(canvas: Canvas, in_play: int) -> None:
    """The die of the bid to come."""
    canvas.die(0, _die_left(_digits(in_play)), BID.top, "bid", style="solid")


def _digits(in_play: int) -> int:
    return 2 if in_play > 9 else 1


def _die_left(digits: int) -> int:
    across = HIGH.across("0" * digits) + _APART
    return BID.left + (BID.width - across - _DIE) // 2 + across


def _beyond_measure(canvas: Canvas, bid: Bid, number: str) -> None:
    """A quantity of three digits and more, which is legal and never serious."""
    left = BID.right - _DIE
    room = Box(BID.left, BID.top, left - 2 - BID.left, BID.height)
    if LOW.across(number) <= room.width:
        canvas.number(number, room.right, BID.top + 4, LOW)
    else:
        canvas.text(number, room, BOLD, SMALL)
    canvas.die(bid.face, left, BID.top, "bid", style="solid")
