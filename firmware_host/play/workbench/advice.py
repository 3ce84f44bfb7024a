"""The answer to "What would you do?": an action and its chance, from one seat's view alone.

It depends on dice seen under the cup, so `Workbench` sends it only to the person in the chair.
"""

from engine import Bid, View, visible_seats
from engine.opponents.strong import advise
from firmware_host.play.memory import Memory
from firmware_host.play.workbench.protocol import Advice
from firmware_host.table.seat.view import SceneName, SeatView
from firmware_host.wire import Seat


def advice(seat: Seat, view: SeatView, memory: Memory) -> Advice:
    """Return advice for the person at a seat; `memory` has this round's content of that seat's display."""
    position, me = view.position, view.me
    if position is None or me is None or view.scene not in (SceneName.BIDDING, SceneName.CHOOSING):
        return Advice(seat, "nothing")
    known = memory.view(position, me)
    if not known.legal:
        return Advice(seat, "wait" if me in position.living else "nothing")
    if view.scene is SceneName.BIDDING and not memory.hands and _may_look(known):
        return Advice(seat, "look")
    action, chance = advise(known)
    if action is None:
        return Advice(seat, "wait")
    percent = None if chance is None else round(100 * chance)
    if isinstance(action, Bid):
        return Advice(seat, "bid", percent, action.quantity, action.face)
    return Advice(seat, str(action), percent)


def _may_look(view: View) -> bool:
    return bool(visible_seats(view.position, view.seat))
