"""Encodes public states and events as the lines of JSON in docs/events.md, and returns a line's event."""

from collections.abc import Sequence

import msgspec

from drivers.messages import Device
from engine import Action, Bid, Call, Hand, Player, RoundKind, Rules, Showdown, parse_action
from firmware_host.public.narration import Narrator
from firmware_host.table import events
from firmware_host.table.events import PublicEvent, UndoneBy
from firmware_host.table.public_state import Seating, by_seat
from firmware_host.table.robot_level import RobotLevel
from firmware_host.wire import (
    ActionLine,
    DeviceFound,
    DeviceLost,
    DeviceReplaced,
    EventLine,
    Joined,
    OrderLine,
    PublicBid,
    PublicShowdown,
    PublicState,
    RevealLine,
    RoundLine,
    StandingBid,
    UndoLine,
    all_seats,
    enumerate_seats,
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


def event_of(line: EventLine) -> PublicEvent:
    """Return a read line's event, with its dice in the order of the seats. Raises `ValueError` for an unknown word."""
    match line:
        case OrderLine(rolls, order):
            return events.OrderRolled(tuple((seat, dice) for seat, dice in enumerate_seats(rolls) if dice), order)
        case RoundLine(number, kind, owner, first, dice):
            held = tuple((seat, count) for seat, count in enumerate_seats(dice) if count)
            return events.RoundBegan(number, RoundKind(kind), first, owner, held)
        case ActionLine(seat, action):
            return events.ActionTaken(seat, parse_action(action))
        case UndoLine(seat, action, _, by, stands):
            standing, bidder = (None, None) if stands is None else (Bid(stands.quantity, stands.face), stands.seat)
            return events.Undone(seat, parse_action(action), UndoneBy(by) if by else None, standing, bidder)
        case RevealLine(shown, dice):
            return events.Revealed(_showdown(shown), all_seats(len(dice)), dice)
        case Joined(seat, str(level)):
            return Joined(seat, RobotLevel(level))
        case DeviceLost(seat, device, why):
            return DeviceLost(seat, Device(device), why)
        case DeviceFound(seat, device):
            return DeviceFound(seat, Device(device))
        case DeviceReplaced(seat, device):
            return DeviceReplaced(seat, Device(device))
    return line


def _showdown(shown: PublicShowdown) -> Showdown:
    """Return a showdown whose players are the seats. A line has neither its round's number nor its kind."""
    changes = {shown.loser: -1, shown.gainer: 1}
    return Showdown(
        number=0,
        call=Call(shown.call),
        caller=Player(shown.caller),
        doubted=Player(shown.doubted),
        bid=Bid(shown.quantity, shown.face),
        kind=RoundKind.NORMAL,
        matching=shown.matching,
        right=shown.right,
        hands=tuple(map(Hand, shown.hands)),
        change=tuple(changes.get(seat, 0) for seat in all_seats(len(shown.hands))),
        out=tuple(map(Player, shown.out)),
    )
