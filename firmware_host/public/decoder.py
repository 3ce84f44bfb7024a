"""Returns the events of public lines, for clients that tell them in sentences: the way back from `encoder`, without the
table.
"""

from drivers.messages import Device
from engine import Bid, Call, Hand, Player, RoundKind, Showdown, parse_action
from firmware_host.table import events
from firmware_host.table.events import PublicEvent, UndoneBy
from firmware_host.table.robot_level import RobotLevel
from firmware_host.wire import (
    ActionLine,
    DeviceFound,
    DeviceLost,
    DeviceReplaced,
    EventLine,
    Joined,
    OrderLine,
    PublicShowdown,
    RevealLine,
    RoundLine,
    UndoLine,
    all_seats,
    enumerate_seats,
)


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
