"""From a seat's view to its picture: which scene is drawn by which file."""

from PIL import Image

from engine import View
from firmware_host.screens.bidding import bidding
from firmware_host.screens.canvas import Canvas
from firmware_host.screens.choosing import choosing
from firmware_host.screens.lobby import lobby
from firmware_host.screens.over import over
from firmware_host.screens.peek import peek
from firmware_host.screens.reveal import reveal
from firmware_host.screens.shaking import shaking
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SceneName, SeatView


def draw(view: SeatView, menu: Menu) -> Image.Image:
    """A seat's picture without dice: 128 × 64, mode "1". Before a reveal nothing it is handed holds a die."""
    return paint(view, menu).image


def draw_peek(view: SeatView, look: View) -> Image.Image:
    """A seat's picture while it looks under the cups, 128 × 64, mode "1": the dice in `look` and what stands."""
    return paint_peek(view, look).image


def paint(view: SeatView, menu: Menu) -> Canvas:
    """What `draw` draws, with the record of where each piece went. Raises `ValueError` where the match is missing."""
    canvas = Canvas()
    if view.scene is SceneName.LOBBY:
        lobby(canvas, view, menu)
        return canvas
    position = view.position
    if position is None:
        raise ValueError(f"the scene {view.scene} needs a position")
    match view.scene:
        case SceneName.SHAKING:
            shaking(canvas, view, menu, position)
        case SceneName.CHOOSING:
            choosing(canvas, view, menu, position)
        case SceneName.BIDDING | SceneName.CALLED:
            bidding(canvas, view, menu, position)
        case SceneName.REVEAL:
            reveal(canvas, view, menu, position)
        case SceneName.OVER:
            over(canvas, view, menu, position)
    return canvas


def paint_peek(view: SeatView, look: View) -> Canvas:
    """What `draw_peek` draws, with the record of where each piece went."""
    canvas = Canvas()
    peek(canvas, view, look)
    return canvas
