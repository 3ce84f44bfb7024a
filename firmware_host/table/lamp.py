"""The light of a seat: whose turn it is, and in a reveal the same cues as on the displays. A test of staff lights all.

It follows from a `SeatView`, which has no die before the reveal, and changes with that seat's picture alone.
`daemon.seat_display` asks for it; a seat board has the light (LINK.md), a wired seat has none.
"""

from drivers.messages import Brightness
from engine import Position
from firmware_host.table.cues import FALL_FRAME_MS, CueKind, reveal_cues
from firmware_host.table.seat_view import SceneName, SeatView


def lamp_is_on(view: SeatView) -> bool:
    """Return whether the light of a seat is on."""
    if view.staff is not None and view.staff.is_test_picture:
        return True
    if view.me is None or view.brightness is Brightness.DARK:
        return False
    match view.scene, view.position:
        case SceneName.CALLED, _:
            return view.me == view.caller
        case SceneName.REVEAL, Position() as position if view.cue_ms is not None:
            return _is_lit_at(position, view.cue_ms, view.me)
        case SceneName.OVER, Position() as position:
            return view.me == position.winner
        case _:
            return view.me in view.waiting_for


def _is_lit_at(position: Position, moment_ms: int, player: int) -> bool:
    """Return whether a player's light is on at a moment of the cues.

    It is on at the caller, then at each cup that goes up, at nobody for the verdict, and at the player that pays, where
    it flashes with the die that falls.
    """
    showdown = position.showdown
    assert showdown is not None
    cues = reveal_cues(showdown, showdown.bid.face, position.order)
    cue = [cue for cue in cues if cue.at_ms <= moment_ms][-1]
    is_off = cue.kind is CueKind.FALL and (moment_ms - cue.at_ms) // FALL_FRAME_MS % 2 == 0
    return cue.seat == player and not is_off
