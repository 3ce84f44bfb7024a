"""The lower part of the glass: the own dice, covered or not, or what must be said over them."""

from engine import Hand, Position, RoundKind
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.regions import DICE, dice_slots
from firmware_host.screens.graphics.text import BOLD, HEAD, SMALL, SMALL_BOLD, TEXT, TITLE
from firmware_host.table.seat_view import SceneName, SeatView

_ARROW = 6


def draw_own_dice(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """The dice as they lie under the cup, faceless; or a notice, or why there are none."""
    if text := words.notice(view):
        draw_banner(canvas, text, lit=view.notice is not None)
        return
    if held_up := words.held_up(view):
        draw_banner(canvas, *held_up, lit=False, leads_on=view.may_agree)
        return
    if again := words.shaken_again(view):
        draw_banner(canvas, *again, lit=False)
        return
    number = 0 if view.me is None else position.dice[view.me]
    if number and _wonders(view, position):
        draw_sentence(canvas, words(phrases.TILT_TO_LOOK))
    elif number:
        draw_hand(canvas, Hand((0,) * number))
    else:
        draw_sentence(canvas, words(phrases.WATCHING if view.me is None else phrases.YOU_ARE_OUT))


def _wonders(view: SeatView, position: Position) -> bool:
    """Whether somebody who has never looked under the cup may do so now."""
    return view.scene is SceneName.BIDDING and position.kind is RoundKind.NORMAL and not view.has_peeked


def draw_hand(canvas: Canvas, dice: Hand, counting: frozenset[int] = frozenset()) -> None:
    """Dice side by side; those whose face is `counting` are lit all over, as the die of the bid is."""
    for face, slot in zip(dice, dice_slots(len(dice)), strict=True):
        canvas.die(face, slot.left, slot.top, "big", style="solid" if face in counting else "outline")


def draw_sentence(canvas: Canvas, sentence: str, name: str = "") -> None:
    """A few big words in place of dice."""
    canvas.lines_naming(sentence, name, DICE.inset(2), 2, TITLE, HEAD, BOLD, SMALL_BOLD, SMALL, align="center")


def draw_banner(canvas: Canvas, text: str, name: str = "", *, lit: bool, leads_on: bool = False) -> None:
    """A sentence of two lines: on a lit plate what has just happened, in a frame what lasts; ▶ if that `leads_on`."""
    if lit:
        canvas.fill(DICE)
    else:
        canvas.frame(DICE)
    room = Box(DICE.left + 3, DICE.top + 1, DICE.width - 6 - (_ARROW + 2) * leads_on, DICE.height - 2)
    if leads_on:
        canvas.arrow(room.right + 2, DICE.top + DICE.height // 2, _ARROW, leftward=False, light=not lit)
    canvas.lines_naming(text, name, room, 2, BOLD, TEXT, SMALL_BOLD, SMALL, align="center", light=not lit)
