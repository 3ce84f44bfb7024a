"""What a call came to: the bid, who called what, and what there was.

It stands from the reveal until the own cup has been shaken again, for whoever was not so quick.
"""

from engine import Showdown
from firmware_host.screens import phrases
from firmware_host.screens.bid import standing_bid
from firmware_host.screens.canvas import Canvas
from firmware_host.screens.claim import call, divider
from firmware_host.screens.digits import LOW
from firmware_host.screens.fonts import BOLD, SMALL, SMALL_BOLD
from firmware_host.screens.words import Words
from firmware_host.screens.zones import MENU
from firmware_host.table.seat_view import SeatView


def outcome(canvas: Canvas, view: SeatView, words: Words, showdown: Showdown) -> None:
    """Draw the upper part of the glass but for the small line."""
    divider(canvas)
    standing_bid(canvas, showdown.bid, sum(map(len, showdown.hands)))
    if showdown.matching is None:
        verdict = phrases.BLUFFED_PASS if showdown.right else phrases.HONEST_PASS
        canvas.text(words(verdict), MENU, BOLD, SMALL_BOLD, SMALL)
    else:
        call(canvas, view, words, showdown.caller, showdown.call)
        canvas.number(str(showdown.matching), MENU.right, MENU.top, LOW)
