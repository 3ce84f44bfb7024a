"""The reveal in three steps: the called bid, the count running up with the matching dice, and the paying player.

Each display opens its own dice in its turn, so they come up around the table. The first step is the call's picture. The
count has the bid, a meter with a slot for each of its dice, and the number so far; below them one bold line, first for
the cup that goes up, in the end for the outcome. The verdict and the paying player take the display until the last cue;
then a key row comes up. Page 0 has the steps, each later page a player's hand in order of play.
"""

from typing import NamedTuple

from msgspec import structs

from engine import DUDO, Hand, Player, Position, Showdown
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.bidding import draw_call_moment, draw_called
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.fitting import fits
from firmware_host.screens.graphics.glyphs import LOW, Style
from firmware_host.screens.graphics.text import BIG, BOLD, CAPITALS, HUGE, SMALL, TEXT, TITLE, bare, width
from firmware_host.screens.widgets import (
    DICE,
    LEFT,
    draw_capitals,
    draw_covered,
    draw_hand,
    draw_notice,
    draw_own_dice,
    draw_page_heading,
    draw_small_bid,
    small_bid_columns,
)
from firmware_host.table.cues import FALL_FRAME_MS, Cue, CueKind, payer, reveal_cues
from firmware_host.table.seat.menu import Menu, MenuCommand
from firmware_host.table.seat.view import SeatView, hand_pages

_FADING: tuple[Style, ...] = ("outline", "solid", "dashed")
"""The lost die's styles, a frame each: it flashes, breaks up, and is gone."""
_BID = Box(LEFT, 1, 40, 15)
_METER = Box(46, 4, 54, 9)
_COUNT_RIGHT = 123
_PASS = Box(46, 1, 77, 14)
"""In place of meter and count: the player who passed."""
_LINE = Box(LEFT, 17, 121, 12)
"""The cup that goes up, in the end the outcome."""
_LINE_ALONE = Box(LEFT, 19, 121, 34)
"""The same at a display without own dice."""
HANDS = Box(LEFT, 31, DICE.width, 20)
"""The dice, smaller than under the cup."""
_NOTICE = Box(DICE.left, 30, DICE.width, 24)
_KEYS = Box(LEFT, 55, 121, 6)
_BAND = Box(1, 20, 124, 41)
"""The verdict, then the payer, on a lit ground."""
LOST_DIE = Box(94, 29, 24, 24)
"""The die lost or won by the call; nothing else changes as it goes."""
_YOU = Box(8, 24, 84, 15)
_YOUR_PRICE = Box(8, 42, 84, 15)
"""*You*, and below it the outcome, beside its die."""


class _Told(NamedTuple):
    """Everything shown by the cues so far."""

    cues: tuple[Cue, ...]
    is_all: bool
    frame: int  # of the lost die; -1 before the first

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
    shown = hand_pages(view.scene, position, view.me)
    page = view.page % (len(shown) + 1)
    notice = words.notice(view)
    if not told.has(CueKind.LIFT):
        if not page and not notice:
            draw_call_moment(canvas, view, words, showdown.caller, showdown.call, showdown.bid)
            return
        caller = structs.replace(view, caller=showdown.caller, call=showdown.call)
        draw_called(canvas, caller, words, position.replace(standing=showdown.bid))
        draw_own_dice(canvas, view, words, position)
        return
    _draw_count(canvas, view, words, showdown, told)
    if not page and not notice and told.has(CueKind.VERDICT) and not told.is_all:
        _draw_verdict(canvas, view, words, showdown, told)
        return
    player = shown[page - 1] if page else view.me
    hand = Hand() if player is None else showdown.hands[player]
    if page:
        _draw_page_line(canvas, view, words, position, showdown, shown[page - 1])
    else:
        _draw_line(canvas, view, words, showdown, told, _LINE if hand or notice else _LINE_ALONE)
    if notice:
        draw_notice(canvas, view, words, notice, _NOTICE)
    elif player is not None and hand:
        _draw_dice(canvas, position, showdown, told, player, is_own=not page)
    if told.is_all:
        _draw_keys(canvas, view, menu, words, position)


def draw_result(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw the upper part of a showdown after its last cue. Raises `ValueError` without one."""
    showdown = position.showdown
    if showdown is None:
        raise ValueError("a result needs a showdown")
    _draw_count(canvas, view, words, showdown, _told(structs.replace(view, cue_ms=None), showdown, position))


def _told(view: SeatView, showdown: Showdown, position: Position) -> _Told:
    cues = reveal_cues(showdown, showdown.bid, position.order)
    if view.cue_ms is None:
        return _Told(cues, is_all=True, frame=len(_FADING))
    come = tuple(cue for cue in cues if cue.at_ms <= view.cue_ms)
    is_falling = come[-1].kind is CueKind.FALL
    return _Told(come, is_all=False, frame=(view.cue_ms - come[-1].at_ms) // FALL_FRAME_MS if is_falling else -1)


def _draw_count(canvas: Canvas, view: SeatView, words: Words, showdown: Showdown, told: _Told) -> None:
    """Draw the bid, a slot for each of its dice, and the count; or a doubted pass."""
    bid = showdown.bid
    draw_small_bid(canvas, bid, _BID._replace(width=min(small_bid_columns(bid), _BID.width)))
    if showdown.was_pass:
        passed = words(phrases.YOU_PASSED if showdown.doubted == view.you else phrases.PASSED)
        doubted = words(phrases.LABELLED).format(passed, words(phrases.CALLED[DUDO]))
        canvas.sentence(doubted, view.names[showdown.doubted], _PASS, BOLD, TEXT, SMALL)
        return
    canvas.meter(told.matching, bid.quantity, _METER)
    canvas.number(str(told.matching), _COUNT_RIGHT, _BID.top + 1, LOW)


def _verdict(words: Words, showdown: Showdown) -> str:
    if showdown.was_pass:
        return words(phrases.BLUFFED_PASS if showdown.right else phrases.HONEST_PASS)
    return words.verdict(showdown)


def _draw_verdict(canvas: Canvas, view: SeatView, words: Words, showdown: Showdown, told: _Told) -> None:
    """Draw the verdict as large as it fits, then the payer; the payer's own display has the die."""
    canvas.fill(_BAND)
    who, room = payer(showdown), _BAND.inset(4, 2)
    if not told.has(CueKind.PAYS):
        canvas.lines(_verdict(words, showdown), room, 2, HUGE, BIG, TITLE, BOLD, align="center", light=False)
    elif who is not None and (me := view.you) == who:
        you, _, price = words.own_payment(showdown, me).partition("\n")
        canvas.text(you, _YOU if price else _YOU._replace(height=33), TITLE, BOLD, light=False)
        canvas.text(price, _YOUR_PRICE, TITLE, BOLD, TEXT, SMALL, light=False)
        _draw_die(canvas, showdown, told)
    else:
        name = "" if who is None else view.names[who]
        canvas.sentence_lines(
            words.payment(showdown)[0], name, room, 2, BIG, TITLE, BOLD, TEXT, align="center", light=False
        )


def _draw_line(canvas: Canvas, view: SeatView, words: Words, showdown: Showdown, told: _Told, box: Box) -> None:
    """Draw whose cup goes up, in the end the outcome, for the payer in the second person; alone as large as it fits."""
    seat = payer(showdown) if told.is_all else told.cues[-1].seat
    name = "" if seat is None else view.names[seat]
    if not told.is_all:
        name = words(phrases.YOU) if seat is not None and seat == view.you else name
        sentences = [words(phrases.CUP_NOW)] if seat is not None else [""]
    elif seat is not None and (me := view.you) == seat:
        sentences = [words.own_payment(showdown, me).replace("\n", " ")]
    else:
        sentences = [each[:1].upper() + each[1:] for each in words.payment(showdown)]
    if box is _LINE_ALONE:
        canvas.sentence_lines(sentences[0], name, box, 2, TITLE, BOLD, TEXT, align="center")
        return
    sentence = next((each for each in sentences if width(each.format(name), BOLD) <= box.width), sentences[-1])
    canvas.sentence(sentence, name, box, BOLD, TEXT, SMALL)


def _draw_keys(canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position) -> None:
    """Draw the key row: two arrows to the hands, and OK's effect, after it the players without a press."""
    has_own = not view.page and menu.chosen is MenuCommand.GO_ON and view.me in position.living
    start = draw_page_heading(canvas, words(phrases.YOUR_DICE if has_own else phrases.ALL_HANDS), _KEYS) + 4
    room = _KEYS._replace(left=start, width=_KEYS.right - start)
    if menu.chosen is MenuCommand.GO_ON:
        draw_capitals(canvas, words(phrases.OK_GOES_ON), room, "right")
    elif view.me in position.living and view.waiting_for and view.me not in view.waiting_for:
        awaited = words.still_to_go_on([bare(view.names[player]).upper() for player in view.waiting_for])
        whole = (text for text in awaited if fits(text, room.width, room.height, CAPITALS))
        draw_capitals(canvas, next(whole, awaited[-1]), room, "right")


def _draw_dice(
    canvas: Canvas, position: Position, showdown: Showdown, told: _Told, player: Player, *, is_own: bool
) -> None:
    """Draw a page's dice, or the own ones, face down until the own cup goes up; counting dice are lit."""
    hand = showdown.hands[player]
    if is_own and player not in told.lifted:
        draw_covered(canvas, len(hand), HANDS)
    else:
        is_counted = not is_own or player in told.counted
        draw_hand(canvas, hand, _counting(position, showdown, player) if is_counted else frozenset(), row=HANDS)


def _draw_die(canvas: Canvas, showdown: Showdown, told: _Told) -> None:
    """Draw a won die, or a lost one as it fades."""
    frame = 0 if showdown.loser is None else max(told.frame, 0)
    if frame < len(_FADING):
        canvas.die(showdown.bid.face, LOST_DIE.left, LOST_DIE.top, "big", style=_FADING[frame], light=False)


def _draw_page_line(
    canvas: Canvas, view: SeatView, words: Words, position: Position, showdown: Showdown, player: Player
) -> None:
    """Name the player of a hand, and its counting dice."""
    hand = showdown.hands[player]
    name = words(phrases.YOU) if player == view.you else view.names[player]
    count = sum(face in _counting(position, showdown, player) for face in hand)
    told = words(phrases.COUNTS).format(name="{}", count=count, dice=len(hand))
    canvas.sentence(told, name, _LINE, BOLD, TEXT, SMALL)


def _counting(position: Position, showdown: Showdown, player: Player) -> frozenset[int]:
    """Return the counting faces in a player's hand: the bid's, or all in a doubted passer's."""
    if showdown.was_pass:
        return frozenset(showdown.hands[player]) if player == showdown.doubted else frozenset()
    wild = {1} if position.rules.wilds_in(showdown.kind) else set()
    return frozenset({showdown.bid.face} | wild)
