"""Draws a seat's view by choosing each scene's file.

An inverted picture means that the table waits for this seat: it can be seen from across the table.
"""

from PIL import Image

from engine import Phase, Position, View
from firmware_host.i18n import phrases
from firmware_host.i18n.words import ENGLISH, Words
from firmware_host.screens.asking import draw_choosing, draw_naming, draw_question, draw_side_menu
from firmware_host.screens.bidding import draw_bidding, draw_call_hint, draw_call_moment, draw_called
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.idle import draw_paused, draw_robot
from firmware_host.screens.lesson import draw_lesson
from firmware_host.screens.lobby import draw_lobby, draw_over
from firmware_host.screens.peek import draw_under_cup, hand_owner, says_rule, shows_counts
from firmware_host.screens.reveal import draw_reveal
from firmware_host.screens.shaking import draw_shaking
from firmware_host.screens.staff import draw_staff
from firmware_host.screens.widgets import draw_own_dice, has_banner
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SceneName, SeatView


def draw(view: SeatView, menu: Menu, words: Words = ENGLISH) -> Image.Image:
    """Draw a seat's picture without dice: 128 × 64, mode "1". Before a reveal no argument holds a die."""
    return paint(view, menu, words).image


def draw_peek(view: SeatView, menu: Menu, look: View, words: Words = ENGLISH) -> Image.Image:
    """Draw a seat's picture while it peeks, 128 × 64, mode "1": the one from `draw` with the dice in `look`.

    Everything dependent on the dice is inside `dice_boxes(view, look)`.
    """
    return paint_peek(view, menu, look, words).image


def paint(view: SeatView, menu: Menu, words: Words = ENGLISH) -> Canvas:
    """Draw as `draw` does, recording each piece's place. Raises `ValueError` without a needed position."""
    return _paint(view, menu, None, words)


def paint_peek(view: SeatView, menu: Menu, look: View, words: Words = ENGLISH) -> Canvas:
    """Draw as `draw_peek` does, recording each piece's place."""
    return _paint(view, menu, look, words)


def _paint(view: SeatView, menu: Menu, look: View | None, words: Words) -> Canvas:
    if view.lesson is not None:
        wild_aces = view.lesson.position.rules.wild_aces
    else:
        wild_aces = view.position is not None and _has_wild_aces(view.scene, view.position)
    canvas = Canvas(wild_aces=wild_aces)
    if view.staff is not None:
        draw_staff(canvas, view.staff, words)
        return canvas
    if view.naming is not None:
        draw_naming(canvas, view, view.naming, words)
        return canvas
    if view.lesson is not None:
        draw_lesson(canvas, view, menu, words, view.lesson)
        return canvas
    if view.scene is SceneName.LOBBY:
        draw_lobby(canvas, view, menu, words)
        return canvas
    position = view.position
    if position is None:
        raise ValueError(f"the scene {view.scene} needs a position")
    if view.paused:
        draw_paused(canvas, words)
        return canvas
    if view.robot is not None and view.scene not in (SceneName.REVEAL, SceneName.OVER):
        draw_robot(canvas, view, words, position, view.robot)
    elif view.scene is SceneName.REVEAL:
        draw_reveal(canvas, view, menu, words, position)
    elif view.scene is SceneName.OVER:
        draw_over(canvas, view, menu, words, position)
    else:
        _in_round(canvas, view, menu, look, words, position)
    if _is_awaited(view, position):
        canvas.invert()
    return canvas


def _in_round(canvas: Canvas, view: SeatView, menu: Menu, look: View | None, words: Words, position: Position) -> None:
    """Draw a scene with dice under the cups: the header above, the own dice below; or a moment over all of it."""
    if look is None and menu.chosen in phrases.QUESTION:
        draw_question(canvas, view, menu, words)
        return
    if look is None and menu.chosen in phrases.SIDE_MENU:
        draw_side_menu(canvas, view, menu, words)
        return
    if view.scene is SceneName.CALLED and view.call is not None and not has_banner(view, words):
        assert view.caller is not None
        draw_call_moment(canvas, view, words, view.caller, view.call, position.standing)
        return
    match view.scene:
        case SceneName.SHAKING:
            draw_shaking(canvas, view, menu, words, position)
        case SceneName.CHOOSING:
            draw_choosing(canvas, view, menu, words, position)
        case SceneName.CALLED:
            draw_called(canvas, view, words, position)
        case _:
            _draw_bidding(canvas, view, menu, look, words, position)
    if look is not None:
        draw_under_cup(canvas, view, words, look)
    elif not has_banner(view, words) and draw_call_hint(canvas, view, menu, words, position):
        return
    elif _has_own_dice(view, words, menu):
        draw_own_dice(canvas, view, words, position)


def _has_own_dice(view: SeatView, words: Words, menu: Menu) -> bool:
    """Return whether there are dice under the cups, or a banner, and no choice of a round takes their place."""
    if view.scene is SceneName.CHOOSING and menu.items:
        return False
    return view.scene is not SceneName.SHAKING or has_banner(view, words)


def _draw_bidding(
    canvas: Canvas, view: SeatView, menu: Menu, look: View | None, words: Words, position: Position
) -> None:
    if look is None:
        draw_bidding(canvas, view, menu, words, position)
        return
    draw_bidding(
        canvas,
        view,
        menu,
        words,
        position,
        open_hand=hand_owner(view, look),
        counts=shows_counts(view, look),
        says_rule=says_rule(view, look),
    )


def _has_wild_aces(scene: SceneName, position: Position) -> bool:
    """Return whether aces count as every face in this round, or did in the revealed one."""
    if scene is SceneName.REVEAL and position.showdown is not None:
        return position.rules.wilds_in(position.showdown.kind)
    return position.phase is not Phase.SEATING and position.rules.wilds_in(position.kind)


def _is_awaited(view: SeatView, position: Position) -> bool:
    """Return whether the table waits for this seat's person, or it has won. A robot's seat stays dark."""
    if view.robot is not None and view.scene is not SceneName.OVER:
        return False
    match view.scene:
        case SceneName.BIDDING | SceneName.SHAKING | SceneName.CHOOSING:
            return view.me is not None and view.me in view.waiting_for
        case SceneName.REVEAL:  # OK counts during the cues too, but is not awaited yet
            return view.me is not None and view.me in view.waiting_for and view.cue_ms is None
        case SceneName.OVER:
            return view.me is not None and view.me == position.winner
    return False
