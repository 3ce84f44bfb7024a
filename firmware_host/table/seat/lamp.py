"""A seat's lamp: on in turn, and following the display cues in a reveal. A staff test lights all lamps.

It follows from a `SeatView`, which has no die before the reveal, and changes only together with the seat's picture.
`daemon.seat_display` asks for it; seat boards have a lamp (LINK.md), wired seats do not.
"""

from drivers.messages import Brightness
from engine import Player, Position
from firmware_host.table.cues import FALL_FRAME_MS, CueKind, reveal_cues
from firmware_host.table.seat.view import SceneName, SeatView


def lamp_is_on(view: SeatView) -> bool:
    """Return whether a seat's lamp is on."""
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


def _is_lit_at(position: Position, moment_ms: int, player: Player) -> bool:
    """Return whether a player's lamp is on at a moment in the cues.

    It lights at the caller, then at each lifted cup, goes dark for the verdict, and lights at the paying player,
    flashing with the falling die.
    """
    showdown = position.showdown
    assert showdown is not None
    cues = reveal_cues(showdown, showdown.bid, position.order)
    last = [cue for cue in cues if cue.at_ms <= moment_ms][-1]
    if last.kind is CueKind.FALL and (moment_ms - last.at_ms) // FALL_FRAME_MS % 2 == 0:
        return False
    return any(cue.seat == player for cue in cues if (cue.at_ms, cue.kind) == (last.at_ms, last.kind))
