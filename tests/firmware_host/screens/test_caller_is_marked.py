"""The caller is marked from the call through the count: by the largest name, then by the only underlined one."""

import pytest
from support import rest_slow
from support.pictures.picture_layout import is_inverted

from docs.gallery import Exhibit, gallery
from firmware_host.i18n.phrases import YOU
from firmware_host.i18n.words import ENGLISH
from firmware_host.screens.graphics.canvas import Canvas, Piece
from firmware_host.screens.widgets import ROSTER
from firmware_host.table.cues import CueKind, reveal_cues
from firmware_host.table.seat.view import SceneName, hand_pages

every_size = pytest.mark.parametrize("seats", [2, *rest_slow(*range(3, 9))])


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


@every_size
def test_a_call_names_its_caller(seats: int) -> None:
    states = [state for state in gallery(seats) if state.view.scene is SceneName.CALLED]
    assert states
    for state in states:
        who = caller(state)
        assert who is not None
        name = ENGLISH(YOU) if who == state.view.you else state.view.names[who]
        assert state.painted().pieces[0].what == f"{name}:", state.name


@every_size
def test_while_dice_are_counted_the_name_of_who_called_is_underlined_and_no_other(seats: int) -> None:
    states = [state for state in gallery(seats) if _counts(state)]
    assert states
    for state in states:
        assert underlined(state) == [caller(state)], state.name


def _counts(state: Exhibit) -> bool:
    """Whether a state is within the count of a reveal: after the first cup, before the verdict."""
    position, cue_ms = state.view.position, state.view.cue_ms
    if state.view.scene is not SceneName.REVEAL or position is None or position.showdown is None or cue_ms is None:
        return False
    cues = reveal_cues(position.showdown, position.showdown.bid, position.order)
    come = {cue.kind for cue in cues if cue.at_ms <= cue_ms}
    return CueKind.LIFT in come and CueKind.VERDICT not in come
