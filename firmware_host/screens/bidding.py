"""The bidding and the call: the standing bid above, shared by other scenes in a round, and the seat's options.

Before the first bid the header says so in words, which no choice beside it can be mistaken for; a special round has its
title there. The line below gives the most urgent fact, and beside it OK's effect.
"""

from drivers.messages import Device
from engine import Bid, Call, Player, Position, RoundKind
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.glyphs import HIGH, LOW
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD, TITLE, bare, fits
from firmware_host.screens.widgets import (
    BID,
    CHOICE,
    FACTS,
    HINT,
    ROSTER,
    WHOSE,
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
_CALL = CHOICE._replace(top=10, height=14)
_CALLER = Box(2, 1, 74, 15)
_CALLED_BID = Box(79, 1, 44, 15)
_SHOUT = Box(1, 19, 124, 42)
"""The call's lit band."""
_KIND = Box(BID.left, 1, BID.width, 11)
"""A special round's title before its first bid, on a lit ground."""


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
    is_looking: bool = False,
) -> None:
    """Draw everything but the dice.

    In an open round `open_hand` is the player whose dice lie open below; `counts` if all of them are counted. With
    `says_rule` the round's rule is there. A banner has no place there while the player `is_looking` under the cup.
    """
    is_covered = has_banner(view, words) and not is_looking
    draw_header(canvas, view, words, position)
    is_offered = menu.chosen not in (None, MenuCommand.WAIT)
    if is_offered:
        draw_choice(canvas, menu, words)
    if position.turn is not None:
        _draw_whose_turn(canvas, view, words, position.turn)
    if open_hand is not None:
        draw_page_heading(canvas, words(phrases.HAND_OF), view.names[open_hand])
    elif is_offered and (hint := words.item_hint(menu.chosen, position, view.names)):
        whole = words(phrases.OK_CLAIMS).format(hint)
        canvas.text(whole if fits(whole, HINT.width, HINT.height, SMALL) else hint, HINT, SMALL)
    else:
        has_caption = _draw_caption(canvas, menu, words, is_offered=is_offered, is_covered=is_covered)
        if counts:
            draw_capitals(canvas, words(phrases.OTHERS_DICE), FACTS)
        elif not draw_fact(canvas, view, words, position, FACTS, is_covered=is_covered) and not is_covered:
            is_plain = has_caption or says_rule or position.kind is RoundKind.NORMAL
            (_draw_facts if is_plain else _draw_rule)(canvas, view, words, position)


def _draw_caption(canvas: Canvas, menu: Menu, words: Words, *, is_offered: bool, is_covered: bool) -> bool:
    """Draw OK's effect, or the nearest call out of turn, reached by ◀; return whether there is one."""
    if is_offered:
        draw_caption(canvas, words(phrases.OK_BIDS))
    elif menu.chosen is MenuCommand.WAIT and not is_covered:
        draw_caption(canvas, words.item(menu.items[menu.cursor - 1]), leftward=True)
    else:
        return False
    return True


def draw_choice_in_turn(canvas: Canvas, menu: Menu, words: Words) -> None:
    """Draw the choice of a player in turn."""
    draw_choice(canvas, menu, words)
    canvas.sentence(words(phrases.TURN_BRIEFLY), words(phrases.YOU_AMONG), WHOSE, SMALL)


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


def _draw_whose_turn(canvas: Canvas, view: SeatView, words: Words, player: Player) -> None:
    """Name the player in turn, at the same place on every display."""
    name = words(phrases.YOU_AMONG) if player == view.me else view.names[player]
    canvas.sentence(words(phrases.TURN_BRIEFLY), name, WHOSE, SMALL)


# The header


def draw_header(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw the standing bid, or the title of the round that the first bid opens."""
    if position.standing is not None:
        draw_standing_bid(canvas, position.standing, position.in_play)
    elif title := words.kind(position.kind, position.rules):
        canvas.inverse_label(title, _KIND, BOLD, SMALL_BOLD, SMALL)
    else:
        canvas.lines(words(phrases.NO_BID), BID._replace(height=22), 2, BOLD, SMALL_BOLD, SMALL)


def draw_call(canvas: Canvas, view: SeatView, words: Words, caller: Player, call: Call) -> None:
    """Name the caller and draw the call as the display's largest text."""
    name = words(phrases.YOU) if caller == view.you else view.names[caller]
    canvas.sentence(words(phrases.CALLER), name, WHOSE, SMALL)
    canvas.text(words(phrases.CALLED[call]), _CALL, TITLE, BOLD, SMALL_BOLD, SMALL)


def draw_fact(canvas: Canvas, view: SeatView, words: Words, position: Position, box: Box, *, is_covered: bool) -> bool:
    """Draw a fact that is urgent in every scene of a round; return whether there is one.

    Above a banner, which has the place if it `is_covered`, this is the turn clock alone.
    """
    elsewhere = [] if is_covered else _missing_elsewhere(view, position)
    if view.clock_s is not None:
        draw_turn_clock(canvas, view.clock_s, box)
    elif elsewhere:
        draw_capitals(canvas, words.missing(elsewhere), box)
    return view.clock_s is not None or bool(elsewhere)


def _draw_facts(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw a pass, else a special round's title, else the number of dice in play."""
    if position.passer is not None:
        name = words(phrases.YOU) if position.passer == view.me else view.names[position.passer]
        passed = words(phrases.TITLE_AND_RULE).format(words(phrases.PASSING), bare(name)).upper()
        canvas.short(passed, FACTS._replace(width=FACTS.width - 4), SMALL)
        return
    kind = words.kind(position.kind, position.rules)
    draw_capitals(canvas, (kind if position.standing else "") or words.dice(position.in_play), FACTS)


def _draw_rule(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw a special round's rule, once there is a bid with its title."""
    if position.standing is None:
        canvas.sentence(*words.round_rule(view, position), HINT, SMALL)
        return
    kind, rule = words.kind(position.kind, position.rules), words.kind_rule(position)
    if rule and fits(rule, HINT.width, HINT.height, SMALL):
        canvas.text(rule, HINT, SMALL)
    else:
        draw_capitals(canvas, f"{kind}: {words.dice(position.in_play)}", ROSTER)


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
    """Draw a bid, with room for two digits if enough dice are in play: the die stays in place."""
    number = str(bid.quantity)
    if len(number) > 2 or in_play > 99:
        _draw_long_bid(canvas, bid, number)
        return
    right = BID.left + HIGH.across(number if in_play <= 9 else "00")
    canvas.number(number, right, BID.top, HIGH)
    canvas.die(bid.face, right + _GAP, BID.top, "bid", style="solid")


def _draw_long_bid(canvas: Canvas, bid: Bid, number: str) -> None:
    """Draw a quantity with three or more digits: legal, but never serious."""
    left = BID.right - _DIE
    room = Box(BID.left, BID.top, left - 2 - BID.left, BID.height)
    if LOW.across(number) <= room.width:
        canvas.number(number, room.right, BID.top + 4, LOW)
    else:
        canvas.text(number, room, BOLD, SMALL)
    canvas.die(bid.face, left, BID.top, "bid", style="solid")
