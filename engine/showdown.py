"""How a round ended: the call, the count and what it cost, all dice on the table for everybody to see."""

from engine.actions import Bid, Call
from engine.hands import Hand
from engine.rounds import RoundKind
from engine.value import value


@value
class Showdown:
    """A reveal. Everything in it is public, the hands too: a round is over when it exists."""

    number: int  # of the round it ended
    call: Call
    caller: int
    doubted: int  # the bidder, or the passer of a doubted pass
    bid: Bid  # the one that stood
    kind: RoundKind
    matching: int | None  # dice that counted for the bid; None for a doubted pass
    right: bool  # whether the caller was
    hands: tuple[Hand, ...]  # by seat, empty for who was out
    change: tuple[int, ...]  # by seat, dice won or lost
    out: tuple[int, ...]  # seats that lost their last die

    @property
    def was_pass(self) -> bool:
        """Whether a pass was doubted, and not the bid."""
        return self.matching is None

    @property
    def loser(self) -> int | None:
        """The seat that lost a die, if one did."""
        return self.change.index(-1) if -1 in self.change else None

    @property
    def gainer(self) -> int | None:
        """The seat that won a die, if one did."""
        return self.change.index(1) if 1 in self.change else None
