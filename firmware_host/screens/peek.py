"""The view under the cup: the own dice; in an open round all others; else the reason for an empty view.

Everything dependent on a hidden die stays inside `dice_boxes`, and these depend on public facts alone.
"""

from collections import Counter
from functools import cache

from engine import FACES, Hand, Player, Position, View
from engine.rounds import SEATS
from engine.rules import DICE as DICE_OF_A_SEAT
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.text import BOLD
from firmware_host.screens.widgets import DICE, dice_slots, draw_hand, draw_own_dice, draw_sentence, pip_box
from firmware_host.table.seat.view import SceneName, SeatView, hand_pages


@cache
def preload() -> None:
    """Draw every hidden die and count once in this process, so pictures with dice never fill a cache.

    Otherwise the first picture with a new face would take longer and delay other seats' pictures.
    """
    for wild_aces in (False, True):
        draw_hand(Canvas(wild_aces=wild_aces), Hand(FACES))
    for number in range(DICE_OF_A_SEAT * SEATS[-1] + 1):
        _count(number)


def dice_boxes(view: SeatView, look: View) -> tuple[Box, ...]:
    """Return the boxes for dice in the picture from `draw_peek`: the same for any dice."""
    if look.own is not None:
        return _pips(look.seat, look.position)
    shown = _shown(look)
    if not shown:
        return ()
    page = view.page % (len(shown) + 1)
    return _pips(shown[page - 1], look.position) if page else tuple(map(_count_box, FACES))


def draw_under_cup(canvas: Canvas, view: SeatView, words: Words, look: View) -> None:
    """Draw a seat's permitted view in place of its covered dice."""
    if look.own is not None:
        draw_hand(canvas, look.own)
    elif shown := _shown(look):
        page = view.page % (len(shown) + 1)
        if page:
            seen = look.hands[shown[page - 1]]
            assert seen is not None
            draw_hand(canvas, seen)
        else:
            _draw_counts(canvas, look)
    else:
        _draw_nothing(canvas, view, words, look.position)


def shows_counts(view: SeatView, look: View) -> bool:
    """Return whether an open round's page is the summary, with all others' dice counted by face."""
    return look.own is None and bool(_shown(look)) and hand_owner(view, look) is None


def says_rule(view: SeatView, look: View) -> bool:
    """Return whether the round's rule takes the dice's place: this player may not look in it."""
    return look.own is None and not _shown(look) and _is_barred(view, look.position)


def hand_owner(view: SeatView, look: View) -> Player | None:
    """Return the player whose hand an open round's page shows; None on the summary, or in any other round."""
    shown = _shown(look)
    page = view.page % (len(shown) + 1) if look.own is None and shown else 0
    return shown[page - 1] if page else None


def _shown(look: View) -> tuple[Player, ...]:
    """Return the other players with open dice, a page each."""
    return hand_pages(SceneName.BIDDING, look.position, look.seat)


def _pips(player: Player, position: Position) -> tuple[Box, ...]:
    return tuple(pip_box(slot) for slot in dice_slots(position.dice[player]))


def _cell(face: int) -> Box:
    return DICE.row((face - 1) // 3, 2).column((face - 1) % 3, 3)


def _count_box(face: int) -> Box:
    cell = _cell(face)
    return Box(cell.left + 19, cell.top, 20, cell.height)


def _draw_counts(canvas: Canvas, look: View) -> None:
    """Draw the count for each face under the others' cups; the standing bid's face is solid."""
    counted = Counter(face for seen in look.visible for face in seen)
    standing = look.position.standing
    for face in FACES:
        cell = _cell(face)
        is_bid = standing is not None and standing.face == face
        canvas.die(face, cell.left + 5, cell.top, "small", style="solid" if is_bid else "outline")
        _draw_count(canvas, face, counted[face])


def _draw_count(canvas: Canvas, face: int, number: int) -> None:
    canvas.copy(_count(number), _count_box(FACES[0]), _count_box(face))


@cache
def _count(number: int) -> Canvas:
    """Return a count drawn in the first face's box; kept for good, while texts fall out of their caches."""
    canvas = Canvas()
    canvas.text(str(number), _count_box(FACES[0]).inset(1), BOLD)
    return canvas


def _is_barred(view: SeatView, position: Position) -> bool:
    return view.me in position.living and position.kind in phrases.NO_LOOK


def _draw_nothing(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    if _is_barred(view, position):
        owner = "" if position.owner is None else view.names[position.owner]
        draw_sentence(canvas, words(phrases.NO_LOOK[position.kind]), owner)
    else:
        draw_own_dice(canvas, view, words, position)
