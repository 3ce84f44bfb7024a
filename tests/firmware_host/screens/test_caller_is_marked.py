"""A call names its caller; then the count names the player whose cup goes up."""

import pytest
from support import rest_slow

from docs.gallery import Exhibit, gallery
from firmware_host.i18n.phrases import YOU
from firmware_host.i18n.words import ENGLISH
from firmware_host.table.cues import CueKind, reveal_cues
from firmware_host.table.seat.view import SceneName

every_size = pytest.mark.parametrize("seats", [2, *rest_slow(*range(3, 9))])


def caller(state: Exhibit) -> int | None:
    position = state.view.position
    if state.view.scene is SceneName.CALLED or position is None or position.showdown is None:
        return state.view.caller
    return position.showdown.caller


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
def test_while_dice_are_counted_the_player_whose_cup_goes_up_is_named_and_no_other(seats: int) -> None:
    states = [state for state in gallery(seats) if _counts(state)]
    assert states
    for state in states:
        view, texts = state.view, [piece.what for piece in state.painted().pieces]
        up = _cups_up(state)
        named = [name for name in view.names if f"Now: {name}" in texts]
        assert named == ([] if up == view.you else [view.names[up]]), state.name
        assert ("Now: You" in texts) is (up == view.you), state.name


def _cups_up(state: Exhibit) -> int:
    """Return the player whose cup went up last."""
    position, cue_ms = state.view.position, state.view.cue_ms
    assert position is not None
    assert position.showdown is not None
    assert cue_ms is not None
    cues = reveal_cues(position.showdown, position.showdown.bid, position.order)
    seat = [cue.seat for cue in cues if cue.at_ms <= cue_ms][-1]
    assert seat is not None
    return seat


def _counts(state: Exhibit) -> bool:
    """Return whether a state is within the count of a reveal: after the first cup, before the verdict."""
    position, cue_ms = state.view.position, state.view.cue_ms
    if state.view.scene is not SceneName.REVEAL or position is None or position.showdown is None or cue_ms is None:
        return False
    cues = reveal_cues(position.showdown, position.showdown.bid, position.order)
    come = {cue.kind for cue in cues if cue.at_ms <= cue_ms}
    return CueKind.LIFT in come and CueKind.VERDICT not in come
