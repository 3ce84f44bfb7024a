"""Who has called is seen among the names, from the call through its reveal: that name alone is underlined."""

import pytest
from support.host.picture_layout import is_inverted

from docs.gallery import Exhibit, gallery
from firmware_host.screens.graphics.canvas import Canvas, Piece
from firmware_host.screens.widgets import ROSTER
from firmware_host.table.seat_view import SceneName, hand_pages

EVERY_TABLE = range(2, 9)


def caller(state: Exhibit) -> int | None:
    position = state.view.position
    if state.view.scene is SceneName.CALLED or position is None or position.showdown is None:
        return state.view.caller
    return position.showdown.caller


def is_underlined(canvas: Canvas, name: Piece) -> bool:
    """Whether the row below the roster's letters is ink from the name's first column to its last."""
    row = [canvas.image.getpixel((column, ROSTER.bottom + 1)) for column in range(name.box.left, name.box.right - 1)]
    return all(bool(dot) is not is_inverted(canvas) for dot in row)


def underlined(state: Exhibit) -> list[int]:
    """The players whose names in the roster are underlined."""
    position = state.view.position
    assert position is not None
    seats = hand_pages(state.view.scene, position, state.view.me) or position.living
    canvas = state.painted()
    line = [piece for piece in canvas.pieces if ROSTER.top <= piece.box.top and piece.box.bottom <= ROSTER.bottom]
    names = [piece for piece in line if "=" not in piece.what]
    assert len(names) == len(seats), state.name
    return [seat for seat, name in zip(seats, names, strict=True) if is_underlined(canvas, name)]


@pytest.mark.parametrize("seats", EVERY_TABLE)
@pytest.mark.parametrize("scene", [SceneName.CALLED, SceneName.REVEAL])
def test_the_name_of_who_called_is_underlined_and_no_other(scene: SceneName, seats: int) -> None:
    states = [state for state in gallery(seats) if state.view.scene is scene and not state.view.page]
    assert states
    for state in states:
        assert underlined(state) == [caller(state)], state.name
