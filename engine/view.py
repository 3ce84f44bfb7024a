"""What one seat may know: the public position and the dice it may see, and by construction nothing else.

`visible_seats` decides whose dice a seat sees before the reveal; every view is made from it, by `Match.view`.
"""

from engine.hands import Hand
from engine.legality import LegalActions, legal_actions
from engine.position import BIDDING, Position, value
from engine.rules import Visibility


@value
class View:
    """One seat's view of a match. `hands` has one entry a seat, None where this seat may not look."""

    position: Position
    seat: int
    hands: tuple[Hand | None, ...]

    @property
    def own(self) -> Hand | None:
        """The seat's own dice, or None where it may not see them."""
        return self.hands[self.seat]

    @property
    def visible(self) -> tuple[Hand, ...]:
        """All hands the seat may see, in order of seats."""
        return tuple(hand for hand in self.hands if hand is not None)

    @property
    def legal(self) -> LegalActions:
        """What the seat may do now."""
        return legal_actions(self.position, self.seat)

    @property
    def without_dice(self) -> "View":
        """The same view with the cup down: no dice at all."""
        return View(self.position, self.seat, (None,) * len(self.hands))


def visible_seats(position: Position, seat: int) -> tuple[int, ...]:
    """Return the living seats, in order of play, whose dice `seat` may see now; a seat that is out sees none."""
    if position.phase is not BIDDING or seat not in position.living:
        return ()
    return tuple(other for other in position.living if _may_see(position, seat, other))


def _may_see(position: Position, seat: int, other: int) -> bool:
    own = seat == other
    match position.kind.visibility:
        case Visibility.OWN:
            return own
        case Visibility.OWNER:
            return own and seat == position.owner
        case Visibility.OTHERS:
            return not own
        case Visibility.ONE_DIE if position.rules.closed_seen_by == "one-die":
            return own and position.dice[seat] == 1
        case Visibility.ONE_DIE:
            return own and seat == position.owner
