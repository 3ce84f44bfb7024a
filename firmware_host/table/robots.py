"""What the table and its robots say to each other. A robot takes a seat that no person has, at one of three levels.

The table hands a robot a `RobotTurn` when it may do something; the daemon passes it to `daemon.robots`, which answers
with a `RobotAction`. A turn holds the view of the robot's own seat, so no robot can see another's dice.
"""

from collections.abc import Hashable, Mapping
from enum import StrEnum

from msgspec import Struct

from engine import View
from firmware_host.table.menu import MenuCommand, MenuItem


class RobotLevel(StrEnum):
    """How well a robot plays: the opponent of the engine that decides for it."""

    EASY = "easy"
    MIDDLE = "middle"
    HARD = "hard"


ROBOT_ITEMS: Mapping[MenuItem, RobotLevel] = {
    MenuCommand.ROBOT_EASY: RobotLevel.EASY,
    MenuCommand.ROBOT_MIDDLE: RobotLevel.MIDDLE,
    MenuCommand.ROBOT_HARD: RobotLevel.HARD,
}
"""The items of the lobby's menu that seat a robot."""


class RobotTurn(Struct, frozen=True):
    """Something that a robot may do now. It picks `item`, or decides by its `view` if that is not None."""

    level: RobotLevel
    subject: Hashable  # what it is about: an action about anything else comes too late
    item: MenuCommand | None = None
    view: View | None = None
    is_in_turn: bool = True  # False may call, but need not
    is_hurried: bool = False  # all people are waiting for robots

    def __repr__(self) -> str:
        return f"<RobotTurn of {self.level}>"  # the view holds dice


class AskRobot(Struct, frozen=True):
    """The effect that has a seat's robot act; None ends what it is about to do."""

    seat: int
    turn: RobotTurn | None


class RobotAction(Struct, frozen=True):
    """What a robot does at its seat, with the subject of its turn and the moment, as of a press."""

    seat: int
    item: MenuItem
    subject: Hashable
    at_ns: int

    def __repr__(self) -> str:
        return f"<RobotAction at {self.seat}>"
