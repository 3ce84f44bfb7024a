"""The bidding and the call: the standing bid above, shared by other scenes in a round, and the seat's options.

Before the first bid the header says so in words, which no choice beside it can be mistaken for; a round in need of an
explanation shows that instead. The line below gives the dice in play and OK's effect.
"""

from drivers.messages import Device
from engine import Bid, Call, Player, Position, RoundKind
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.glyphs import HIGH, LOW, Mark
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD, TINIEST, TINY, TITLE, fits
from firmware_host.screens.widgets import (
    BELOW_TURN,
    BID,
    CHOICE,
    FACTS,
    HINT,
    MARK_COLUMNS,
    NEAREST,
    OK_LINE,
    TURN,
    WHOSE,
    WIDE_FACTS,
    draw_choice,
    draw_page_heading,
    draw_round_roster,
    draw_shout,
    draw_small_bid,
    draw_turn_clock,
    has_sum,
)
from firmware_host.table.menu import Menu, MenuCommand
from firmware_host.table.seat_view import SceneName, SeatView

_GAP = 4  # pixels between the number and the die
_DIE = 24
_CAPITAL = 6
"""A capital's height in pixels. A line without higher letters lies in page 3 alone."""
_BESIDE_ARROW = 5  # columns from an arrow's left edge to the text beside it
_CALL = CHOICE._replace(top=10, height=14)
_CALLER = Box(2, 1, 74, 15)
_CALLED_BID = Box(79, 1, 44, 15)
_SHOUT = Box(1, 19, 124, 42)
"""The call's lit band."""
_EXPLANATION = Box(BID.left, 3, BID.width, 20)
_NO_BID = BID._replace(height=22)
_KIND = Box(BID.left, 1, BID.width, 13)
"""A special round's title before its first bid, on a lit band."""
_IN_PLAY = Box(BID.left, 16, BID.width, 8)
"""Below it, the number of dice."""


def draw_bidding(
    canvas: Canvas,
    view: SeatView,
    menu: Menu,
    words: Words,
    position: Position,
    *,
    open_hand: Player | None = None,
    counts: bool = False,
    says_rule: bool = False,
) -> None:
    """Draw everything but the dice.

    In an open round `open_hand` is the player whose dice lie open below; `counts` if all of them are counted. With
    `says_rule` the round's rule is there.
    """
    draw_header(canvas, view, words, position)
    is_offered = menu.chosen not in (None, MenuCommand.WAIT)
    if is_offered:
        draw_choice(canvas, menu, words, CHOICE, free=2)
    if position.turn is not None:
        (_draw_whose_turn if is_offered else _draw_turn)(canvas, view, words, position.turn)
    if menu.chosen is MenuCommand.WAIT and open_hand is None:  # the arrows lead from hand to hand there
        _draw_nearest_call(canvas, menu, words)
    if open_hand is not None:
        draw_page_heading(canvas, words(phrases.HAND_OF), view.names[open_hand])
        return
    if is_offered and (hint := words.item_hint(menu.chosen, position, view.names)):
        if menu.chosen not in phrases.SIDE_MENU and fits(
            whole := words(phrases.OK_CLAIMS).format(hint), HINT.width, HINT.height, SMALL
        ):
            hint = whole
        canvas.text(hint, HINT, SMALL, align="center")
        return
    if says_rule and position.standing is None:
        draw_round_roster(canvas, view, words, position)
        return
    if counts:
        canvas.text(words(phrases.OTHERS_DICE), FACTS, SMALL)
    else:
        is_wide = not is_offered or position.kind is not RoundKind.NORMAL
        if not draw_facts(canvas, view, words, position, WIDE_FACTS if is_wide else FACTS):
            draw_round_roster(canvas, view, words, position)
            return
        if is_wide:  # the round's rule stays in place as the turn comes and goes
            return
    if is_offered:
        canvas.text(words(phrases.OK_BIDS), OK_LINE, SMALL_BOLD, SMALL, align="center")


def draw_choice_in_turn(canvas: Canvas, menu: Menu, words: Words) -> None:
    """Draw the choice of a player in turn."""
    draw_choice(canvas, menu, words, CHOICE, free=2)
    canvas.text(words(phrases.YOUR_TURN), WHOSE, SMALL, align="center")


def draw_call_moment(canvas: Canvas, view: SeatView, words: Words, caller: int, call: Call, bid: Bid | None) -> None:
    """Draw a call over the whole display: caller and bid above a word 24 pixels high."""
    name = words(phrases.YOU) if caller == view.you else view.names[caller]
    canvas.sentence(words(phrases.CALLER), name, _CALLER, TITLE, BOLD, SMALL_BOLD)
    if bid is not None:
        draw_small_bid(canvas, bid, _CALLED_BID)
    canvas.fill(_SHOUT)
    draw_shout(canvas, words(phrases.CALLED[call]), _SHOUT.inset(2), light=False)


def draw_called(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw caller, call and standing bid above a banner."""
    draw_header(canvas, view, words, position)
    if view.caller is not None and view.call is not None:
        draw_call(canvas, view, words, view.caller, view.call)
    draw_round_roster(canvas, view, words, position, view.caller)


def _draw_whose_turn(canvas: Canvas, view: SeatView, words: Words, player: Player) -> None:
    """Name the player in turn above the choice."""
    if player == view.me:
        canvas.text(words(phrases.YOUR_TURN), WHOSE, SMALL, align="center")
    else:
        canvas.sentence(words(phrases.TURN_BRIEFLY), view.names[player], WHOSE, SMALL, align="center")


def _draw_turn(canvas: Canvas, view: SeatView, words: Words, player: Player) -> None:
    """Name the player in turn on one line, and announce the turn on the next."""
    first, _, second = words(phrases.TURN_OF).partition("\n")
    canvas.sentence(first, view.names[player], TURN, SMALL)
    canvas.text(second, BELOW_TURN, SMALL)


def _draw_nearest_call(canvas: Canvas, menu: Menu, words: Words) -> None:
    """Draw the nearest call out of turn, reached by ◀."""
    canvas.arrow(NEAREST.left, NEAREST.top + 2, 3, leftward=True)
    nearest = words(phrases.MAY_CALL).format(words.item(menu.items[menu.cursor - 1]))
    canvas.text(nearest, NEAREST._replace(left=NEAREST.left + _BESIDE_ARROW), TINIEST)


# The header


def draw_header(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw the standing bid, or the event that the first bid waits for."""
    if position.standing is not None:
        draw_standing_bid(canvas, position.standing, position.in_play)
    elif place := place_to_play(view, words, position):
        canvas.lines(place, _EXPLANATION, 2, SMALL_BOLD, SMALL)
    elif view.scene is SceneName.BIDDING and (title := words.kind(position.kind, position.rules)):
        canvas.fill(_KIND)
        canvas.text(title, _KIND.inset(2), BOLD, SMALL_BOLD, SMALL, align="center", light=False)
        canvas.text(words.dice(position.in_play), _IN_PLAY, SMALL, align="center")
    elif position.number == 1 or position.kind is not RoundKind.NORMAL:
        canvas.sentence_lines(*words.round_rule(view, position), _EXPLANATION, 2, SMALL)
    elif view.scene is SceneName.BIDDING:
        canvas.lines(words(phrases.NO_BID), _NO_BID, 2, BOLD, SMALL_BOLD, SMALL, align="center")
    else:
        draw_blank_bid(canvas, position.in_play)


def draw_call(canvas: Canvas, view: SeatView, words: Words, caller: Player, call: Call) -> None:
    """Name the caller and draw the call as the display's largest text."""
    name = words(phrases.YOU) if caller == view.you else view.names[caller]
    canvas.sentence(words(phrases.CALLER), name, WHOSE, SMALL)
    canvas.text(words(phrases.CALLED[call]), _CALL, TITLE, BOLD, SMALL_BOLD, SMALL)


def draw_facts(canvas: Canvas, view: SeatView, words: Words, position: Position, box: Box = FACTS) -> bool:
    """Draw the most urgent fact for all players; return whether there is one.

    Below the bid the dice in play count as one in the first round, when all have equally many, and where names leave no
    room for them in the roster.
    """
    is_below_bid = box in (FACTS, WIDE_FACTS)
    elsewhere = _missing_elsewhere(view, position)
    if view.clock_s is not None:
        draw_turn_clock(canvas, view.clock_s, box)
    elif position.passer is not None:
        passed = phrases.YOU_PASSED if position.passer == view.me else phrases.PASSED
        canvas.sentence(words(passed), view.names[position.passer], box, SMALL_BOLD, SMALL)
    elif elsewhere:
        canvas.text(words.missing(elsewhere), box, SMALL)
    elif is_below_bid and position.kind is not RoundKind.NORMAL:
        _draw_kind(canvas, view, words, position, box)
    elif head := head_shown(view):  # it comes a moment later
        canvas.mark(Mark.SEALED, box.left, box.top + 1)
        canvas.text(
            head, box._replace(left=box.left + MARK_COLUMNS + 2, width=box.width - MARK_COLUMNS - 2), SMALL, TINY
        )
    elif is_below_bid and (position.number == 1 or not has_sum(position.living)):
        text = (words.of_dice if position.standing else words.dice)(position.in_play)
        canvas.text(text, box._replace(height=_CAPITAL) if text.isupper() else box, SMALL)
    else:
        return False
    return True


def _draw_kind(canvas: Canvas, view: SeatView, words: Words, position: Position, box: Box) -> None:
    """Draw a special round's rule, once there is a bid with its title."""
    if position.standing is None:
        canvas.sentence(*words.round_rule(view, position), box, SMALL)
        return
    kind, rule = words.kind(position.kind, position.rules), words.kind_rule(position)
    wholes = (*([rule] if rule else []), f"{kind}, {words.dice(position.in_play)}", kind)
    canvas.text(next(text for text in wholes if fits(text, box.width, box.height, SMALL)), box, SMALL)


def _missing_elsewhere(view: SeatView, position: Position) -> list[Device]:
    playing = {view.names[seat] for seat in position.living} - {view.name}
    return [missing.device for missing in view.missing if missing.name in playing]


def head_shown(view: SeatView) -> str:
    """Return the chain's hash for a player about to shake, who can note it: it commits the makers of the dice."""
    return view.head if is_to_shake(view) else ""


def is_to_shake(view: SeatView) -> bool:
    """Return whether the table waits for this seat's cup."""
    return view.scene is SceneName.SHAKING and view.me in view.waiting_for


def place_to_play(view: SeatView, words: Words, position: Position) -> str:
    """Return this seat's place in the order of play, in the shake after the roll for it; else an empty text."""
    if (
        view.scene is not SceneName.SHAKING
        or position.number > 1
        or not position.rolls
        or view.me not in position.living
    ):
        return ""
    return words(phrases.PLACE).format(position.living.index(view.me) + 1, len(position.living))


def draw_standing_bid(canvas: Canvas, bid: Bid, in_play: int) -> None:
    """Draw a bid, with room for two digits if enough dice are in play."""
    number = str(bid.quantity)
    digits = max(len(number), _digits(in_play))
    if digits > 2:
        _draw_long_bid(canvas, bid, number)
        return
    left = _die_left(digits)
    canvas.number(number, left - _GAP, BID.top, HIGH)
    canvas.die(bid.face, left, BID.top, "bid", style="solid")


def draw_blank_bid(canvas: Canvas, in_play: int) -> None:
    """Draw the coming bid's die."""
    canvas.die(0, _die_left(_digits(in_play)), BID.top, "bid", style="solid")


def _digits(in_play: int) -> int:
    return 2 if in_play > 9 else 1


def _die_left(digits: int) -> int:
    across = HIGH.across("0" * digits) + _GAP
    return BID.left + (BID.width - across - _DIE) // 2 + across


def _draw_long_bid(canvas: Canvas, bid: Bid, number: str) -> None:
    """Draw a quantity with three or more digits: legal, but never serious."""
    left = BID.right - _DIE
    room = Box(BID.left, BID.top, left - 2 - BID.left, BID.height)
    if LOW.across(number) <= room.width:
        canvas.number(number, room.right, BID.top + 4, LOW)
    else:
        canvas.text(number, room, BOLD, SMALL)
    canvas.die(bid.face, left, BID.top, "bid", style="solid")
