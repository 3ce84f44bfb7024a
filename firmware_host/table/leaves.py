"""Hands that lie open before a player are more than a glass can show at once: they are leafed through with ◀ ▶.

Leaf 0 is the summary of all; each of the others is one hand. Whose it is follows from public facts alone, so `Table`
counts leaves by this and the screens draw by it.
"""

from engine import Position
from engine.rules import Visibility
from engine.view import visible_seats
from firmware_host.table.seat_view import SceneName


def leaves(scene: SceneName, position: Position, me: int | None) -> tuple[int, ...]:
    """The players whose hands are on leaves 1, 2, …; none where there is nothing to leaf through.

    In an open round the hands that player `me` may see under the cups, from the next in order of play on; in a reveal,
    for everybody, all of them in that order.
    """
    if scene is SceneName.REVEAL and position.showdown is not None:
        hands = position.showdown.hands
        return tuple(player for player in position.order if hands[player])
    if scene is SceneName.BIDDING and me is not None and position.kind.visibility is Visibility.OTHERS:
        seen, place = visible_seats(position, me), position.order.index(me)
        return tuple(sorted(seen, key=lambda player: (position.order.index(player) - place) % len(position.order)))
    return ()
