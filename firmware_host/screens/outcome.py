"""What a call came to: the bid, and what there was of it; or what a doubted pass was."""

from engine import Showdown
from firmware_host.screens import phrases
from firmware_host.screens.bid import standing_bid
from firmware_host.screens.canvas import Canvas
from firmware_host.screens.claim import BESIDE_NUMBER, divider
from firmware_host.screens.digits import LOW
from firmware_host.screens.fonts import SMALL, SMALL_BOLD
from firmware_host.screens.words import Words
from firmware_host.screens.zones import ASIDE, MENU


def outcome(canvas: Canvas, words: Words, showdown: Showdown) -> None:
    """Draw the bid and the answer beside it; below it are two lines left."""
    divider(canvas)
    standing_bid(canvas, showdown.bid, sum(map(len, showdown.hands)))
    if showdown.matching is None:
        verdict = phrases.BLUFFED_PASS if showdown.right else phrases.HONEST_PASS
        canvas.text(words(verdict), ASIDE.row(0, 3), SMALL_BOLD, SMALL)
    else:
        canvas.text(words(phrases.FOUND), BESIDE_NUMBER.row(0, 3), SMALL)
        canvas.number(str(showdown.matching), MENU.right, MENU.top, LOW)
