"""The upper part of the glass while a round lasts, from the shake to the call: what stands, and the small line.

Before the first bid there is a die without a face, which is all that the bid will change; where a round has something
to explain, it says so instead.
"""

from engine import Bid, Call, Position, RoundKind
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.glyphs import HIGH, LOW
from firmware_host.screens.graphics.regions import BID, HEADER_RIGHT, STATUS_LINE
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD, TEXT, TINY
from firmware_host.screens.graphics.typesetting import fits
from firmware_host.screens.widgets import draw_turn_clock
from firmware_host.table.seat_view import SceneName, SeatView

_APART = 4  # dots between the number and the die
_DIE = 24


def draw_header(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """What stands, or what the first bid waits for."""
    draw_divider(canvas)
    told = words.holds(view, position)
    if position.standing is not None:
        draw_standing_bid(canvas, position.standing, position.in_play)
    elif position.turn is not None and position.turn == view.me:
        canvas.text(words(phrases.YOU_OPEN), BID.row(0, 3), BOLD, TEXT, SMALL_BOLD, SMALL)
        canvas.lines_naming(*told, _UNDER, 2, SMALL)
    elif position.kind is not RoundKind.NORMAL or position.number == 1:
        over = _place(view, words, position) or (head_shown(view) if position.kind is not RoundKind.NORMAL else "")
        canvas.lines_naming(*told, _UNDER if over else BID._replace(height=16), 2, SMALL)
        canvas.text(over, BID.row(0, 3), SMALL, TINY)
    else:
        draw_blank_bid(canvas, position.in_play)


def draw_divider(canvas: Canvas) -> None:
    """Between what stands and what is said of it."""
    canvas.fill(Box(BID.right + 2, 2, 1, 20))


def draw_opener(canvas: Canvas, view: SeatView, words: Words, seat: int) -> None:
    """Who opens the round."""
    mine = seat == view.me
    canvas.naming(words(phrases.YOU_OPEN if mine else phrases.OPENS), view.names[seat], HEADER_RIGHT.row(0, 3), SMALL)


def draw_call(canvas: Canvas, view: SeatView, words: Words, caller: int, said: Call) -> None:
    """Who called what."""
    name = words(phrases.YOU) if caller == view.me else view.names[caller]
    canvas.naming(words(phrases.CALLER), name, HEADER_RIGHT.row(0, 3), SMALL)
    canvas.text(words(phrases.CALLED[said]), HEADER_RIGHT.row(1, 3), BOLD, SMALL_BOLD, SMALL)


def draw_status_line(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """What every player should know all the time, the most urgent first."""
    playing = {view.names[seat] for seat in position.living} - {view.name}
    elsewhere = [missing.device for missing in view.missing if missing.name in playing]
    if view.clock_s is not None:
        draw_turn_clock(canvas, view.clock_s, STATUS_LINE)
    elif position.passer is not None:
        passed = phrases.YOU_PASSED if position.passer == view.me else phrases.PASSED
        canvas.naming(words(passed), view.names[position.passer], STATUS_LINE, SMALL_BOLD, SMALL)
    elif elsewhere:
        canvas.text(words.missing(elsewhere), STATUS_LINE, SMALL)
    elif kind := words.kind(position.kind):
        canvas.text(_marked(f"{kind} · {position.in_play}", view), STATUS_LINE, SMALL)
    elif is_to_shake(view):  # and its head comes a moment later
        canvas.text(head_shown(view), STATUS_LINE, SMALL, TINY)
    else:
        canvas.text(_marked(words.dice(position.in_play), view), STATUS_LINE, SMALL)


def _marked(text: str, view: SeatView) -> str:
    """With a mark where something ails the table itself: what it is was said, and is again after the match."""
    marked = f"! {text}"
    return marked if view.alerts and fits(marked, STATUS_LINE.width, STATUS_LINE.height, SMALL) else text


def head_shown(view: SeatView) -> str:
    """The head of the chain, for who is about to shake: it binds whoever makes the dice, and can be written down."""
    return view.head if is_to_shake(view) else ""


def is_to_shake(view: SeatView) -> bool:
    """Whether the table waits for this seat's cup."""
    return view.scene is SceneName.SHAKING and view.me in view.waiting_for


_UNDER = Box(BID.left, 8, BID.width, 16)


def _place(view: SeatView, words: Words, position: Position) -> str:
    """Once the order of play has been rolled for: where this seat comes in it."""
    if position.number > 1 or not position.rolls or view.me not in position.living:
        return ""
    return words(phrases.PLACE).format(position.living.index(view.me) + 1, len(position.living))


def draw_standing_bid(canvas: Canvas, bid: Bid, in_play: int) -> None:
    """Write a bid. Where so few dice are in play that it won't have two digits, no room is kept for them."""
    number = str(bid.quantity)
    digits = max(len(number), _digits(in_play))
    if digits > 2:
        _beyond_measure(canvas, bid, number)
        return
    left = _die_left(digits)
    canvas.number(number, left - _APART, BID.top, HIGH)
    canvas.die(bid.face, left, BID.top, "bid", style="solid")


def draw_blank_bid(canvas: Canvas, in_play: int) -> None:
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
