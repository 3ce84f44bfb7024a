"""The bidding and the call: the standing bid at the left, shared by other scenes in a round, and beside it the seat's
options, or the player in turn.

The line below them gives the most urgent fact or a special round's rule, and OK's effect. A call under OK is explained
in the dice's place.
"""

from engine import Bid, Call, Player, Position, RoundKind
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.fitting import fits
from firmware_host.screens.graphics.glyphs import HIGH, LOW
from firmware_host.screens.graphics.text import BOLD, CAPITALS, LOUD, SMALL, TEXT, TITLE, bare
from firmware_host.screens.widgets import (
    BID,
    FACTS,
    LEFT,
    LINE,
    MIDDLE,
    WHOSE,
    WIDE_FACTS,
    draw_banner,
    draw_capitals,
    draw_caption,
    draw_choice,
    draw_page_heading,
    draw_shout,
    draw_small_bid,
    draw_turn_clock,
    has_banner,
)
from firmware_host.table.seat.menu import Menu, MenuCommand
from firmware_host.table.seat.view import SceneName, SeatView

_GAP = 4  # pixels between the number and the die
_DIE = 24
_TURN = Box(MIDDLE, 5, 60, 8)
_NAME = Box(MIDDLE, 16, 60, 8)
"""The player in turn below the word *turn*: in bold within page 2, on the bid's base line."""
_CALL = Box(MIDDLE, 12, 60, 14)
_CALLER = Box(LEFT, 1, 74, 15)
_CALLED_BID = Box(79, 1, 44, 15)
_LEAST_NAME = 4  # letters
_SHOUT = Box(1, 19, 124, 42)
"""The call's lit band."""


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
    draw_header(canvas, position)
    is_waiting, has_call = menu.chosen in (None, MenuCommand.WAIT), menu.chosen is MenuCommand.WAIT
    if open_hand is not None:
        draw_page_heading(canvas, words(phrases.HAND_OF), LINE, bare(view.names[open_hand]))
    elif counts:
        draw_page_heading(canvas, words(phrases.OTHERS_DICE), FACTS)
    else:
        has_caption = has_call or not is_waiting
        room = FACTS if has_caption else WIDE_FACTS
        is_brief = says_rule or has_caption or has_banner(view, words)
        _draw_facts(canvas, view, words, position, room, is_brief=is_brief)
    if is_waiting:
        if position.turn is not None:
            _draw_whose_turn(canvas, view, words, position.turn)
        if has_call and open_hand is None and view.notice is None:
            draw_caption(canvas, words.item(menu.items[menu.cursor - 1]), leftward=True)
        return
    draw_choice(canvas, menu, words)
    if open_hand is None:
        draw_caption(canvas, words(phrases.OK_BIDS if isinstance(menu.chosen, Bid) else phrases.OK_CALLS))
    if position.turn not in (None, view.me):
        canvas.sentence(words(phrases.TURN_BRIEFLY), view.names[position.turn], WHOSE, SMALL)


def draw_call_hint(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> bool:
    """Draw in the dice's place what a call under OK claims, brings and costs; return whether there is one."""
    if view.scene is not SceneName.BIDDING or menu.chosen is None or isinstance(menu.chosen, Bid):
        return False
    name = "" if position.bidder is None else view.names[position.bidder]
    if hint := words.item_hint(menu.chosen, position, ["{}"] * len(view.names), say=words.drawn):
        draw_banner(canvas, hint, name, lit=False)
    return bool(hint)


def draw_call_moment(canvas: Canvas, view: SeatView, words: Words, caller: int, call: Call, bid: Bid | None) -> None:
    """Draw a call over the whole display: caller and bid above a word 24 pixels high."""
    name = words(phrases.YOU) if caller == view.you else view.names[caller]
    canvas.sentence(words(phrases.CALLER), name, _CALLER, TITLE, BOLD, TEXT)
    if bid is not None:
        draw_small_bid(canvas, bid, _CALLED_BID)
    canvas.fill(_SHOUT)
    draw_shout(canvas, words(phrases.CALLED[call]), _SHOUT.inset(2), light=False)


def draw_called(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw caller, call and standing bid above a banner."""
    draw_header(canvas, position)
    if view.caller is not None and view.call is not None:
        name = words(phrases.YOU) if view.caller == view.you else view.names[view.caller]
        canvas.sentence(words(phrases.CALLER), name, WHOSE._replace(top=2), SMALL)
        canvas.text(words(phrases.CALLED[view.call]), _CALL, TITLE, BOLD, TEXT, SMALL)


def _draw_whose_turn(canvas: Canvas, view: SeatView, words: Words, player: Player) -> None:
    """Name the player in turn at the same place on every display, below the word *turn*."""
    name = words(phrases.YOU) if player == view.me else view.names[player]
    loud = bare(name).upper()
    spelt = (name.upper(), LOUD), (loud, LOUD), (name, BOLD), (bare(name), BOLD)
    fitting = (each for each in spelt if fits(each[0], _NAME.width, _NAME.height, each[1]))
    shown, font = next(fitting, (loud, SMALL))
    canvas.short(shown, _NAME, font)
    canvas.text(words(phrases.TURN_BRIEFLY).partition("{")[0].strip(" :\u00a0"), _TURN, SMALL)


# The header


def draw_header(canvas: Canvas, position: Position) -> None:
    """Draw the standing bid, or its empty place."""
    if position.standing is not None:
        draw_standing_bid(canvas, position.standing)
    else:
        _draw_empty_bid(canvas)


def _draw_empty_bid(canvas: Canvas) -> None:
    """Draw the first bid's place: a dash for the number and a die with a dashed edge."""
    stroke = HIGH.stroke
    canvas.fill(Box(BID.left, BID.top + (HIGH.height - stroke) // 2, HIGH.width, stroke))
    canvas.die(0, BID.left + HIGH.width + _GAP, BID.top, "bid", style="dashed")


def _draw_facts(canvas: Canvas, view: SeatView, words: Words, position: Position, room: Box, *, is_brief: bool) -> None:
    """Draw the most urgent fact below the bid; of a special round the rule, or the title if it `is_brief`."""
    if draw_fact(canvas, view, words, position, FACTS, room):
        return
    if position.passer is not None:
        passed = phrases.YOU_PASSED if position.passer == view.me else phrases.PASSED
        _draw_about(canvas, words(passed), view.names[position.passer], room)
        return
    told, name = words.round_rule(view, position)
    told = told.format(bare(name))
    if position.kind is RoundKind.NORMAL:
        draw_capitals(canvas, words.dice(position.in_play), FACTS)
    elif is_brief or not fits(told, LINE.width, 8, SMALL):
        draw_capitals(canvas, words.kind(position.kind, position.rules), WIDE_FACTS)
    else:
        draw_capitals(canvas, told, LINE)


def draw_fact(
    canvas: Canvas, view: SeatView, words: Words, position: Position, box: Box, room: Box | None = None
) -> bool:
    """Draw a fact that is urgent in every scene of a round, a sentence in the `room`; return whether there is one."""
    playing = {view.names[seat] for seat in position.living} - {view.name}
    elsewhere = [missing for missing in view.missing if missing.name in playing and not words.held_up(view)]
    if view.clock_s is not None:
        draw_turn_clock(canvas, view.clock_s, box)
    elif elsewhere:
        part = words(phrases.MISSING_THERE[elsewhere[0].device])
        told = words(phrases.LABELLED).format("{}", part)
        _draw_about(canvas, told, elsewhere[0].name, room or box)
    return view.clock_s is not None or bool(elsewhere)


def _draw_about(canvas: Canvas, sentence: str, name: str, box: Box) -> None:
    """Draw a sentence about a player in capitals, a long name cut, or where that leaves too little in small letters."""
    for length in range(len(name), _LEAST_NAME - 1, -1):
        loud = sentence.format(bare(name[:length])).upper()
        if loud == bare(loud) and fits(loud, box.width, FACTS.height, CAPITALS):
            canvas.text(loud, box._replace(height=FACTS.height), CAPITALS)
            return
    canvas.sentence(sentence, name, box._replace(height=8), SMALL)


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


def draw_standing_bid(canvas: Canvas, bid: Bid) -> None:
    """Draw a bid from the left edge on."""
    number = str(bid.quantity)
    if len(number) > 2:
        _draw_long_bid(canvas, bid, number)
        return
    right = BID.left + HIGH.across(number)
    canvas.number(number, right, BID.top, HIGH)
    canvas.die(bid.face, right + _GAP, BID.top, "bid", style="solid")


def _draw_long_bid(canvas: Canvas, bid: Bid, number: str) -> None:
    """Draw a quantity with three or more digits: legal, but never serious."""
    left = BID.right - _DIE
    room = BID._replace(width=left - 2 - BID.left)
    if LOW.across(number) <= room.width:
        canvas.number(number, room.right, BID.top + 4, LOW)
    else:
        canvas.text(number, room, BOLD, SMALL)
    canvas.die(bid.face, left, BID.top, "bid", style="solid")
