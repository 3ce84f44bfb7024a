"""One seat's knowledge in this round: the dice under the cups, and the bids and passes.

Robots and the hints for people decide from it. Its only source is that seat's display.
"""

from engine import PASS, Hand, Phase, Player, Position, View
from engine.match import History
from firmware_host.table.seat.view import SceneName, SeatView


class Memory:
    """The memory of one seat, from one roll to the next."""

    def __init__(self) -> None:
        self.hands: tuple[Hand | None, ...] = ()
        """The dice seen in this round by seat; empty before the first look."""
        self._history: History = ()

    def see(self, view: SeatView, look: View | None) -> None:
        """Take in the display's content."""
        if view.scene is SceneName.SHAKING:
            self.hands, self._history = (), ()
        elif view.position is not None:
            self._history = _heard(self._history, view.position)
        if look is not None:
            self.hands = look.hands

    def view(self, position: Position, seat: Player) -> View:
        """Return the position as this seat knows it."""
        return View(position, seat, self.hands or (None,) * position.seats, self._history)


def _heard(history: History, position: Position) -> History:
    """Return the round's bids and passes, with new ones at `position` and without those taken back."""
    if position.phase is not Phase.BIDDING or position.standing is None or position.bidder is None:
        return ()
    bid, passed = (position.bidder, position.standing), (position.passer, PASS)
    last = bid if position.passer is None else passed
    if last in history:  # anything after it was taken back
        return history[: history.index(last) + 1]
    if bid not in history:
        history = (*history, bid)
    if position.passer is not None and passed not in history:
        history = (*history, (position.passer, PASS))
    return history
