"""Messages between the table and its robots. A robot takes a free seat at a level or with a character.

The table offers a robot a `RobotTurn`; the daemon passes it to `daemon.robots`, which answers with a `RobotAction`. A
turn holds the view from the robot's own seat, so robots never see another's dice.
"""

from collections.abc import Hashable

from msgspec import Struct

from engine import View
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.menu import MenuCommand, MenuItem
from firmware_host.wire import Seat


class HandsRead(Struct, frozen=True):
    """Host message: the seats with a program's hands at the buttons instead of a person's, and its level.

    At an emulated table these seats join by themselves. The table treats them as people's, but records name them robots
    and they get no tips.
    """

    robots: dict[Seat, RobotLevel]


class RobotTurn(Struct, frozen=True):
    """A robot's present opportunity. It picks `item`, or decides by its `view` if that is given."""

    level: RobotLevel
    subject: Hashable  # an action on any other subject comes too late
    item: MenuCommand | None = None
    view: View | None = None
    is_in_turn: bool = True  # False: may call, but need not
    is_hurried: bool = False  # all people are waiting for robots

    def __repr__(self) -> str:
        return f"<RobotTurn of {self.level}>"  # the view holds dice


class AskRobot(Struct, frozen=True):
    """Effect: a seat's robot acts; None cancels its pending action."""

    seat: Seat
    turn: RobotTurn | None


class RobotAction(Struct, frozen=True):
    """A robot's action at its seat, with its turn's subject and the moment, as for a press."""

    seat: Seat
    item: MenuItem
    subject: Hashable
    at_ns: int

    def __repr__(self) -> str:
        return f"<RobotAction at {self.seat}>"
