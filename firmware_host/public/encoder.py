"""Encodes public states and events as the lines of JSON in docs/events.md."""

from collections.abc import Sequence

import msgspec

from engine import Action, Bid, Rules
from firmware_host.public.narration import Narrator
from firmware_host.table import events
from firmware_host.table.events import PublicEvent
from firmware_host.table.public_state import Seating, by_seat
from firmware_host.wire import (
    ActionLine,
    EventLine,
    OrderLine,
    PublicBid,
    PublicState,
    RevealLine,
    RoundLine,
    StandingBid,
    UndoLine,
)

_JSON = msgspec.json.Encoder()


class LineEncoder:
    """An encoder for a table with these seat names, in layout order, and these rules.

    Each line ends in a newline.
    """

    def __init__(self, names: Sequence[str], rules: Rules | None = None) -> None:
        self._seats = len(names)
        self._narrator = Narrator(names, rules)

    def state(
        self, state: PublicState, seq: int = 0, journal: str = "", since: int | None = None, oldest: int = 1
    ) -> bytes:
        """Return a state's line after event number `seq`; `since` is for the answer to a request."""
        line = msgspec.structs.replace(state, seq=seq, journal=journal, since=since, oldest=oldest)
        return _JSON.encode(line) + b"\n"

    def event(self, event: PublicEvent, seq: int = 0) -> bytes:
        """Return the line of an event with number `seq`: its public fields and its sentences."""
        fields = msgspec.to_builtins(self._public_form(event))
        kind = fields.pop("type")
        return _JSON.encode({"type": kind, "seq": seq, **fields, "sentences": self._narrator.sentences(event)}) + b"\n"

    def _public_form(self, event: PublicEvent) -> EventLine:
        match event:
            case events.OrderRolled(rolls, order):
                return OrderLine(by_seat(dict(rolls), (), self._seats), order)
            case events.RoundBegan(number, kind, first, owner, dice):
                return RoundLine(number, kind, owner, first, by_seat(dict(dice), 0, self._seats))
            case events.ActionTaken(seat, action):
                return ActionLine(seat, str(action), _bid(action))
            case events.Undone(seat, action, by, standing, bidder):
                stands = None if standing is None or bidder is None else StandingBid(*standing, bidder)
                return UndoLine(seat, str(action), _bid(action), by, stands)
            case events.Revealed(showdown, players, dice):
                seating = Seating(players, self._seats)
                return RevealLine(seating.showdown(showdown), seating.by_seat(dice, 0))
        return event


def _bid(action: Action) -> PublicBid | None:
    return PublicBid(*action) if isinstance(action, Bid) else None
