"""The reveal in three steps: the called bid, the count running up with the matching dice, and the paying player.

Each display opens its own dice in its turn, so they come up around the table. The first step is the call's picture, and
the count changes little: a number, and a mark in the roster. Page 0 has the steps, each later page a player's hand in
order of play.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine import Hand, Player, Position, Showdown
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.bidding import draw_call, draw_standing_bid
from firmware_host.screens.graphics.canvas import SHEET, Box, Canvas, Piece
from firmware_host.screens.graphics.glyphs import LOW, Mark, die
from firmware_host.screens.graphics.text import BOLD, SMALL, SMALL_BOLD, TINIEST, TITLE, fits
from firmware_host.screens.widgets import (
    BID,
    CHOICE,
    DICE,
    WHOSE,
    draw_covered,
    draw_hand,
    draw_own_dice,
    draw_page_heading,
    draw_roster,
    has_names,
)
from firmware_host.table.cues import FALL_FRAME_MS, Cue, CueKind, payer, reveal_cues
from firmware_host.table.menu import Menu, MenuCommand
from firmware_host.table.seat_view import SeatView, hand_pages

_ARROW = 3
_GAP = 2  # pixels between the count and the words beside it
_BIG_DIE = 24
_DROPS = (3, 8, 14, 20)  # rows fallen at each of `FALL_FRAMES`: faster and faster
_PASS = BID._replace(height=22)
_COUNT = Box(62, CHOICE.top, LOW.across("00"), CHOICE.height)
_HANDS = Box(_COUNT.right + _GAP, 11, SHEET.right - _COUNT.right - _GAP, 5)
"""Beside the count, in page 1: two arrows with their targets."""
_GO_ON = _HANDS._replace(top=18, height=6)
"""Below it, in page 2: OK's effect, then the number of players yet to press it."""
LOST_DIE = Box(DICE.right - _BIG_DIE - 1, DICE.top, _BIG_DIE, DICE.height)
"""The die lost or won by the call; its fall leaves everything else in place."""
_PAYER = Box(DICE.left + 3, DICE.top + 1, LOST_DIE.left - DICE.left - 6, 16)
_PRICE = Box(_PAYER.left, _PAYER.bottom, _PAYER.width, 8)
"""*You*, and below it the outcome, beside its die.
"""


class _Told(NamedTuple):
    """Everything shown by the cues so far."""

    cues: tuple[Cue, ...]
    is_all: bool
    frame: int  # falling die

    def has(self, kind: CueKind) -> bool:
        """Return whether a cue of this kind has come."""
        return any(cue.kind is kind for cue in self.cues)

    @property
    def matching(self) -> int:
        """The matching dice so far."""
        return self.cues[-1].count

    @property
    def lifted(self) -> frozenset[int]:
        """The seats whose cups are up."""
        return self._seats(CueKind.LIFT)

    @property
    def counted(self) -> frozenset[int]:
        """The seats whose matching dice are lit."""
        return self._seats(CueKind.COUNT)

    def _seats(self, kind: CueKind) -> frozenset[int]:
        return frozenset(cue.seat for cue in self.cues if cue.kind is kind and cue.seat is not None)


def draw_reveal(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw one seat's whole picture of a showdown. Raises `ValueError` without one."""
    showdown = position.showdown
    if showdown is None:
        raise ValueError("a reveal needs a showdown")
    told = _told(view, showdown, position)
    _draw_bid(canvas, words, showdown, told)
    if told.has(CueKind.LIFT):
        _draw_count(canvas, view, words, showdown, told)
    else:
        draw_call(canvas, view, words, showdown.caller, showdown.call)
    if told.has(CueKind.LIFT):
        _draw_ways_on(canvas, view, menu, words, position, told)
    shown = hand_pages(view.scene, position, view.me)
    page = view.page % (len(shown) + 1)
    if page:
        _draw_page(canvas, view, words, position, showdown, shown[page - 1])
        return
    _draw_players(canvas, view, words, position, showdown, told)
    own = Hand() if view.me is None else showdown.hands[view.me]
    if words.notice(view):
        draw_own_dice(canvas, view, words, position)
    elif told.has(CueKind.PAYS) and view.you is not None and showdown.change[view.you]:
        _draw_own_payment(canvas, words, showdown, told, view.you)
    elif own:
        _draw_own_hand(canvas, view, position, showdown, told, own)
    else:
        draw_own_dice(canvas, view, words, position)


def _told(view: SeatView, showdown: Showdown, position: Position) -> _Told:
    cues = reveal_cues(showdown, showdown.bid.face, position.order)
    if view.cue_ms is None:
        return _Told(cues, is_all=True, frame=len(_DROPS))
    come = tuple(cue for cue in cues if cue.at_ms <= view.cue_ms)
    is_falling = come[-1].kind is CueKind.FALL
    return _Told(come, is_all=False, frame=(view.cue_ms - come[-1].at_ms) // FALL_FRAME_MS if is_falling else -1)


def _draw_bid(canvas: Canvas, words: Words, showdown: Showdown, told: _Told) -> None:
    """Draw the bid, or the outcome of a doubted pass."""
    if showdown.was_pass and told.has(CueKind.VERDICT):
        verdict = phrases.BLUFFED_PASS if showdown.right else phrases.HONEST_PASS
        canvas.lines(words(verdict), _PASS, 2, BOLD, SMALL_BOLD, SMALL)
    else:
        draw_standing_bid(canvas, showdown.bid, sum(map(len, showdown.hands)))


def _draw_count(canvas: Canvas, view: SeatView, words: Words, showdown: Showdown, told: _Told) -> None:
    """Draw the count for the bid's face in place of the call, and above it the verdict, then the payer."""
    if not showdown.was_pass:
        right = _COUNT.left + LOW.across("00" if sum(map(len, showdown.hands)) > 9 else "0")
        canvas.number(str(told.matching), right, _COUNT.bottom - LOW.height, LOW)
    who = payer(showdown)
    if told.has(CueKind.PAYS) and (who is None or who != view.you):
        _draw_sentence(canvas, words.payment(showdown), "" if who is None else view.names[who])
    elif showdown.was_pass:
        passed = phrases.YOU_PASSED if showdown.doubted == view.you else phrases.PASSED
        _draw_sentence(canvas, (words(passed),), view.names[showdown.doubted])
    else:
        text = words.verdict(showdown) if told.has(CueKind.VERDICT) else words(phrases.SO_FAR)
        canvas.text(text, WHOSE, SMALL)


def _draw_sentence(canvas: Canvas, sentences: Sequence[str], name: str) -> None:
    """Draw the first of these sentences whose gap fits whole above the count, else the last one."""
    whole = (text for text in sentences if fits(text.format(name), WHOSE.width, WHOSE.height, SMALL))
    canvas.sentence(next(whole, sentences[-1]), name, WHOSE, SMALL)


def _draw_ways_on(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position, told: _Told) -> None:
    """Draw arrows for the hands; after the last cue OK's effect, then the number of players yet to press it."""
    for number, leftward in enumerate((True, False)):
        canvas.arrow(_HANDS.left + number * (_ARROW + 2), _HANDS.top + 2, _ARROW, leftward=leftward)
    canvas.text(words(phrases.ALL_HANDS), _HANDS._replace(left=_HANDS.left + 2 * (_ARROW + 2)), TINIEST)
    if not told.is_all:
        return
    if menu.chosen is MenuCommand.GO_ON:
        canvas.text(words(phrases.OK_GOES_ON), _GO_ON, SMALL)
    elif view.me in position.living and view.waiting_for:
        canvas.text(words.still_to_go_on(len(view.waiting_for)), _GO_ON, SMALL)


def _draw_players(
    canvas: Canvas, view: SeatView, words: Words, position: Position, showdown: Showdown, told: _Told
) -> None:
    """Draw everybody's number of dice; a lost die leaves its player's number as it falls."""
    shown = [seat for seat in position.order if showdown.hands[seat]]
    dice = {seat: len(showdown.hands[seat]) - (told.has(CueKind.FALL) and seat == showdown.loser) for seat in shown}
    draw_roster(canvas, view, words, shown, dice, _marks(view, position, told), caller=showdown.caller)


def _marks(view: SeatView, position: Position, told: _Told) -> dict[Player, Mark]:
    """Return a mark for the player whose cup goes up.

    After the own OK, players yet to press it have one, if names have room: initials would run into marks.
    """
    if told.is_all:
        is_waiting = view.me in position.living and view.me not in view.waiting_for
        return dict.fromkeys(view.waiting_for, Mark.AWAITED) if is_waiting and has_names(position.order) else {}
    last = told.cues[-1]
    if last.seat is None or last.kind not in (CueKind.LIFT, CueKind.COUNT):
        return {}
    return {Player(last.seat): Mark.AWAITED}


def _draw_own_hand(
    canvas: Canvas, view: SeatView, position: Position, showdown: Showdown, told: _Told, own: Hand
) -> None:
    """Draw the own dice, face down until the own cup goes up, with counting dice lit."""
    assert view.me is not None
    if view.me not in told.lifted:
        draw_covered(canvas, len(own))
    else:
        draw_hand(canvas, own, _counting(position, showdown, view.me) if view.me in told.counted else frozenset())


def _draw_own_payment(canvas: Canvas, words: Words, showdown: Showdown, told: _Told, me: Player) -> None:
    """Draw this player's loss or gain, and the die: a won one stays, a lost one falls."""
    you, _, price = words.own_payment(showdown, me).partition("\n")
    box = _PAYER if price else _PAYER._replace(height=DICE.height - 1)
    canvas.text(you, box, TITLE, BOLD, SMALL_BOLD)
    canvas.text(price, _PRICE, SMALL_BOLD, SMALL)
    dropped = 0 if showdown.loser is None or told.frame < 0 else (*_DROPS, _BIG_DIE)[told.frame]
    if dropped < _BIG_DIE:
        _draw_falling_die(canvas, dropped)


def _draw_falling_die(canvas: Canvas, dropped: int) -> None:
    """Draw a die fallen by some rows, cut off below its place."""
    mask = die(0, "big").crop((0, 0, _BIG_DIE, _BIG_DIE - dropped))
    canvas.image.paste(255, (LOST_DIE.left, LOST_DIE.top + dropped), mask)
    canvas.pieces.append(Piece("die 24", Box(LOST_DIE.left, LOST_DIE.top + dropped, *mask.size)))


def _draw_page(
    canvas: Canvas, view: SeatView, words: Words, position: Position, showdown: Showdown, player: Player
) -> None:
    """Draw one player's dice, counting ones solid."""
    hand = showdown.hands[player]
    name = words(phrases.YOU) if player == view.you else view.names[player]
    count = _matching(position, showdown, player)
    draw_page_heading(canvas, words(phrases.COUNTS).format(name="{}", count=count, dice=len(hand)), name)
    if view.notice is not None:
        draw_own_dice(canvas, view, words, position)
    else:
        draw_hand(canvas, hand, _counting(position, showdown, player))


def _matching(position: Position, showdown: Showdown, player: Player) -> int:
    counting = _counting(position, showdown, player)
    return sum(face in counting for face in showdown.hands[player])


def _counting(position: Position, showdown: Showdown, player: Player) -> frozenset[int]:
    """Return the counting faces in a player's hand: the bid's, or all in a doubted passer's."""
    if showdown.was_pass:
        return frozenset(showdown.hands[player]) if player == showdown.doubted else frozenset()
    wild = {1} if position.rules.wilds_in(showdown.kind) else set()
    return frozenset({showdown.bid.face} | wild)
