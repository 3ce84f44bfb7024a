"""What one seat may know: the public position and the dice it may see, and by construction nothing else."""

from engine.hands import Hand
from engine.legality import LegalActions
from engine.position import Position
from engine.value import value


@value
class View:
    """One seat's sight of a match. `hands` has one entry a seat, None where this seat may not look."""

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
        return self.position.legal(self.seat)

    @property
    def covered(self) -> "View":
        """The same view with the cup down: no dice at all."""
        return View(self.position, self.seat, (None,) * len(self.hands))
