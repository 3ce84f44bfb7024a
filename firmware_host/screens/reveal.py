"""The reveal in three steps: the called bid, the count running up with the matching dice, and the paying player.

Each display opens its own dice in its turn, so they come up around the table. The first step is the call's picture. The
count is a meter with a slot for each die of the bid. The verdict and the paying player take the display until the last
cue; then one line keeps them. Page 0 has the steps, each later page a player's hand in order of play.
"""

from typing import NamedTuple

from msgspec import structs

from engine import Hand, Player, Position, Showdown
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.bidding import draw_call, draw_call_moment, draw_standing_bid
from firmware_host.screens.graphics.canvas import Box, Canvas, Piece
from firmware_host.screens.graphics.glyphs import HIGH, Mark, die
from firmware_host.screens.graphics.text import BIG, BOLD, HUGE, SMALL, SMALL_BOLD, TITLE, width
from firmware_host.screens.widgets import (
    DICE,
    draw_covered,
    draw_hand,
    draw_own_dice,
    draw_page_heading,
    draw_roster,
    draw_small_bid,
    has_names,
    small_bid_columns,
)
from firmware_host.table.cues import FALL_FRAME_MS, Cue, CueKind, payer, reveal_cues
from firmware_host.table.seat.menu import Menu, MenuCommand
from firmware_host.table.seat.view import SeatView, hand_pages

_ARROW = 3
_BIG_DIE = 24
_DROPS = (3, 8, 14, 20)  # rows fallen at each of `FALL_FRAMES`: faster and faster
_BID = Box(2, 0, 40, 8)
"""The bid's name, above its number and die."""
_BID_BELOW = Box(2, 9, 40, 15)
_LABEL = Box(45, 0, 57, 8)
"""The count's name."""
_METER = Box(45, 10, 57, 14)
_LOW_METER = Box(45, 10, 57, 6)
_HANDS = Box(45, 18, 57, 6)
"""In the end below a lower meter: two arrows with their targets."""
_COUNT = Box(104, 1, 20, HIGH.height)
_PASS = Box(45, 1, 78, 14)
"""In place of the count: the player who passed; in the end the kind of the pass, where the bar has the payer."""
_BAR = Box(1, 25, 124, 10)
"""In place of the roster after the last cue, on a lit ground: who pays, and apart from it OK's effect."""
_PAYS = 78
"""The columns of who pays, beside OK's effect."""
_GO_ON = Box(81, 26, 44, 8)
_BAND = Box(1, 26, 124, 35)
"""The verdict, then the payer, on a lit ground."""
LOST_DIE = Box(DICE.right - _BIG_DIE - 1, DICE.top, _BIG_DIE, DICE.height)
"""The die lost or won by the call; its fall leaves everything else in place."""
_PAYER = Box(DICE.left + 1, DICE.top, LOST_DIE.left - DICE.left - 4, DICE.height)
"""The outcome for this player in the end, beside a won die."""
_YOU = Box(4, 28, 94, 15)
_YOUR_PRICE = Box(4, 44, 94, 15)
"""*You*, and below it the outcome, on the band beside its die."""


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
    shown = hand_pages(view.scene, position, view.me)
    page = view.page % (len(shown) + 1)
    is_moment = not page and not words.notice(view)
    if not told.has(CueKind.LIFT):
        if is_moment:
            draw_call_moment(canvas, view, words, showdown.caller, showdown.call, showdown.bid)
            return
        draw_standing_bid(canvas, showdown.bid, sum(map(len, showdown.hands)))
        draw_call(canvas, view, words, showdown.caller, showdown.call)
    else:
        _draw_count(canvas, view, words, showdown, told)
    if page:
        _draw_page(canvas, view, words, position, showdown, shown[page - 1])
    elif is_moment and told.has(CueKind.VERDICT) and not told.is_all:
        _draw_verdict(canvas, view, words, showdown, told)
    else:
        _draw_table(canvas, view, menu, words, position, showdown, told)


def draw_result(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Draw the upper part of a showdown after its last cue. Raises `ValueError` without one."""
    showdown = position.showdown
    if showdown is None:
        raise ValueError("a result needs a showdown")
    _draw_count(canvas, view, words, showdown, _told(structs.replace(view, cue_ms=None), showdown, position))


def _draw_table(
    canvas: Canvas, view: SeatView, menu: Menu, words: Words, position: Position, showdown: Showdown, told: _Told
) -> None:
    """Draw the players, in the end who pays and OK's effect, and below them the own dice."""
    if told.is_all and not _is_waiting(view, position):
        _draw_outcome(canvas, view, menu, words, showdown)
    elif not words.notice(view):
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
    cues = reveal_cues(showdown, showdown.bid, position.order)
    if view.cue_ms is None:
        return _Told(cues, is_all=True, frame=len(_DROPS))
    come = tuple(cue for cue in cues if cue.at_ms <= view.cue_ms)
    is_falling = come[-1].kind is CueKind.FALL
    return _Told(come, is_all=False, frame=(view.cue_ms - come[-1].at_ms) // FALL_FRAME_MS if is_falling else -1)


def _draw_count(canvas: Canvas, view: SeatView, words: Words, showdown: Showdown, told: _Told) -> None:
    """Draw the bid, a slot for each of its dice, and the count; or a doubted pass; and the arrows to the hands."""
    bid = showdown.bid
    canvas.text(words(phrases.BID_NAMED), _BID, SMALL)
    draw_small_bid(canvas, bid, _BID_BELOW._replace(width=min(small_bid_columns(bid), _BID_BELOW.width)))
    position = view.position
    if showdown.was_pass:
        passed = phrases.YOU_PASSED if showdown.doubted == view.you else phrases.PASSED
        is_told = told.is_all and payer(showdown) != view.you  # else on the bar
        label = _verdict(words, showdown) if is_told else words(passed)
        canvas.sentence(label, view.names[showdown.doubted], _PASS, BOLD, SMALL_BOLD, SMALL)
    else:
        if told.is_all and position is not None and _is_waiting(view, position):
            label = words.still_to_go_on(len(view.waiting_for))
        else:
            label = words(phrases.THERE if told.has(CueKind.VERDICT) else phrases.SO_FAR)
        canvas.text(label, _LABEL, SMALL)
        canvas.meter(told.matching, bid.quantity, _LOW_METER if told.is_all else _METER)
        canvas.number(str(told.matching), _COUNT.right, _COUNT.top, HIGH)
    if not told.is_all:
        return
    for number, leftward in enumerate((True, False)):
        canvas.arrow(_HANDS.left + number * (_ARROW + 2), _HANDS.top + 3, _ARROW, leftward=leftward)
    across = 2 * (_ARROW + 2) + 1
    room = _HANDS._replace(left=_HANDS.left + across, width=_HANDS.width - across)
    canvas.text(words(phrases.ALL_HANDS), room, SMALL)


def _verdict(words: Words, showdown: Showdown) -> str:
    if showdown.was_pass:
        return words(phrases.BLUFFED_PASS if showdown.right else phrases.HONEST_PASS)
    return words.verdict(showdown)


def _draw_verdict(canvas: Canvas, view: SeatView, words: Words, showdown: Showdown, told: _Told) -> None:
    """Draw the verdict as large as it fits, then the payer; the payer's own display has the die."""
    canvas.fill(_BAND)
    who, room = payer(showdown), _BAND.inset(3, 1)
    if not told.has(CueKind.PAYS):
        canvas.lines(_verdict(words, showdown), room, 2, HUGE, BIG, TITLE, BOLD, align="center", light=False)
    elif who is not None and (me := view.you) == who:
        you, _, price = words.own_payment(showdown, me).partition("\n")
        canvas.text(you, _YOU if price else _YOU._replace(height=31), TITLE, BOLD, light=False)
        canvas.text(price, _YOUR_PRICE, TITLE, BOLD, SMALL_BOLD, light=False)
        _draw_die(canvas, showdown, told, light=False)
    else:
        name = "" if who is None else view.names[who]
        canvas.sentence_lines(
            words.payment(showdown)[0], name, room, 2, BIG, TITLE, BOLD, SMALL_BOLD, align="center", light=False
        )


def _draw_outcome(canvas: Canvas, view: SeatView, menu: Menu, words: Words, showdown: Showdown) -> None:
    """Draw the payer, at the payer's own display the verdict, and apart from it OK's effect."""
    has_ok = menu.chosen is MenuCommand.GO_ON
    bar = _BAR._replace(width=_PAYS if has_ok else _BAR.width)
    room = bar._replace(left=bar.left + 3, width=bar.width - 6, top=bar.top + 1, height=8)
    who, name = payer(showdown), ""
    if who is not None and who == view.you:
        sentence = _verdict(words, showdown)
    else:
        name = "" if who is None else view.names[who]
        told = words.payment(showdown)
        sentence = next((each for each in told if width(each.format(name), SMALL) <= room.width), told[-1])
    canvas.fill(bar)
    canvas.sentence(sentence, name, room, SMALL, light=False)
    if has_ok:
        canvas.fill(_BAR._replace(left=_GO_ON.left, width=_GO_ON.width))
        canvas.text(words(phrases.OK_GOES_ON), _GO_ON, SMALL, align="center", light=False)


def _is_waiting(view: SeatView, position: Position) -> bool:
    """Return whether this player has gone on, and others have not."""
    return view.me in position.living and bool(view.waiting_for) and view.me not in view.waiting_for


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
        return dict.fromkeys(view.waiting_for, Mark.AWAITED) if has_names(position.order) else {}
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
    """Draw this player's loss or gain, and a won die."""
    room = _PAYER if showdown.loser is None else _PAYER._replace(width=DICE.width - 4)
    text = words.own_payment(showdown, me).replace("\n", " ")
    canvas.lines(text, room, 2, TITLE, BOLD, SMALL_BOLD)
    _draw_die(canvas, showdown, told)


def _draw_die(canvas: Canvas, showdown: Showdown, told: _Told, *, light: bool = True) -> None:
    """Draw a won die, or a lost one as far as it has fallen, cut off below its place."""
    dropped = 0 if showdown.loser is None or told.frame < 0 else (*_DROPS, _BIG_DIE)[told.frame]
    if dropped == _BIG_DIE:
        return
    mask = die(0, "big").crop((0, 0, _BIG_DIE, _BIG_DIE - dropped))
    canvas.image.paste(255 if light else 0, (LOST_DIE.left, LOST_DIE.top + dropped), mask)
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
