"""Whose dice a seat may see before the reveal: the one function that every view goes through."""

from engine.phase import BIDDING
from engine.position import Position
from engine.rounds import Sight


def sees(position: Position, seat: int) -> tuple[int, ...]:
    """The living seats, in order of play, whose dice `seat` may see now; a seat that is out sees none."""
    if position.phase is not BIDDING or seat not in position.living:
        return ()
    return tuple(other for other in position.living if _may_see(position, seat, other))


def _may_see(position: Position, seat: int, other: int) -> bool:
    own = seat == other
    match position.kind.sight:
        case Sight.OWN:
            return own
        case Sight.OWNER:
            return own and seat == position.owner
        case Sight.OTHERS:
            return not own
        case Sight.ONE_DIE if position.rules.closed_seen_by == "one-die":
            return own and position.dice[seat] == 1
        case Sight.ONE_DIE:
            return own and seat == position.owner
