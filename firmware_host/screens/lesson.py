"""The lesson at a free seat: each step as in a match, with a sentence in place of the dice and a line above it.

Nothing here is secret: the dice are made up.
"""

from msgspec import structs

from engine import ACES, Position
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.bidding import draw_standing_bid
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.text import BIG, BOLD, SMALL, TEXT, TITLE
from firmware_host.screens.reveal import draw_result
from firmware_host.screens.widgets import (
    BID,
    CHOICE,
    FACTS,
    LINE,
    draw_banner,
    draw_capitals,
    draw_caption,
    draw_choice,
    draw_hand,
)
from firmware_host.table.seat.lesson import LEARNER, LessonStep, LessonView, made_up_hand
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SceneName, SeatView

_TITLE = Box(40, BID.top, 84, 14)
_TITLE_ALONE = BID._replace(width=121)
_ACE = Box(66, BID.top, 24, 24)
_EQUALS = Box(90, BID.top, 10, 24)
_ANY = Box(100, BID.top, 24, 24)
_STEP_BY_OK = {LessonStep.RAISE: phrases.OK_BIDS, LessonStep.HALF: phrases.OK_BIDS}


def draw_lesson(canvas: Canvas, view: SeatView, menu: Menu, words: Words, lesson: LessonView) -> None:
    """Draw one seat's whole picture of a lesson's step."""
    _draw_header(canvas, view, menu, words, lesson)
    if lesson.is_looking:
        draw_capitals(canvas, words(phrases.LESSON_HAND), LINE)
        draw_hand(canvas, made_up_hand(lesson.position.rules))
        return
    _draw_line(canvas, words, lesson)
    draw_banner(canvas, words.lesson(lesson), lit=False)


def _draw_header(canvas: Canvas, view: SeatView, menu: Menu, words: Words, lesson: LessonView) -> None:
    """Draw the upper part as a match shows it."""
    position = lesson.position
    match lesson.step:
        case LessonStep.SHAKE:
            canvas.cup(BID.left, BID.top)
            canvas.text(words(phrases.LESSON_TITLE), _TITLE, TITLE, BOLD, TEXT)
        case LessonStep.LOOK:
            canvas.text(words.dice(position.in_play), _TITLE_ALONE, TITLE, BOLD)
        case LessonStep.COST:
            draw_result(canvas, _as_in_match(view, position), words, position)
        case LessonStep.END:
            canvas.text(words(phrases.GAME), _TITLE_ALONE, BIG)
        case step:
            if position.standing is not None:
                draw_standing_bid(canvas, position.standing)
            if step is LessonStep.BID:
                canvas.text(words.of_dice(position.in_play), CHOICE, SMALL, align="center")
            elif step is LessonStep.WILD:
                _draw_ace(canvas, position)
            else:
                draw_choice(canvas, menu, words)


def _draw_ace(canvas: Canvas, position: Position) -> None:
    """Draw an ace, which counts as the bid's face where aces are wild."""
    wild = position.rules.wilds_in(position.kind)
    canvas.die(ACES, _ACE.left if wild else _ANY.left - 17, _ACE.top, "bid")
    if wild and position.standing is not None:
        canvas.text("=", _EQUALS, TITLE, align="center")
        canvas.die(position.standing.face, _ANY.left, _ANY.top, "bid")


def _as_in_match(view: SeatView, position: Position) -> SeatView:
    return structs.replace(
        view, scene=SceneName.REVEAL, names=("",) * position.seats, me=LEARNER, position=position, waiting_for=()
    )


def _draw_line(canvas: Canvas, words: Words, lesson: LessonView) -> None:
    """Draw the number of the step, first how to leave, and OK's effect."""
    if lesson.step is LessonStep.SHAKE:
        canvas.arrow(FACTS.left, FACTS.top + 3, 3, leftward=True)
        canvas.text(words(phrases.LESSON_LEAVE), Box(FACTS.left + 5, FACTS.top, 55, 8), SMALL)
    else:
        canvas.meter(lesson.number, lesson.steps, FACTS)
    ok = _STEP_BY_OK.get(lesson.step, phrases.OK_GOES_ON)
    if lesson.step is LessonStep.END and lesson.may_join:
        ok = phrases.OK_JOINS
    draw_caption(canvas, words(ok))
