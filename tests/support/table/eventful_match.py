"""A match in which everything happens: people and robots, undos and hand-overs by staff, daemons that are killed.

`PYTHONPATH=tests .venv/bin/python -m support.table.eventful_match` plays it, and prints its record and the verdict.
"""

import sys
import tempfile
from pathlib import Path

from support.table.dying_sessions import KilledMatch
from support.table.harness import TableHarness

from engine import PERUDO
from engine.opponents.middle import choose
from firmware_host.fairness.verify.checker import verify
from firmware_host.table.events import Undone
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.actions import StaffAction, StaffCommand
from firmware_host.wire import SeatHandedOver
from hardware.emulated.virtual_loop import VirtualLoop

SEATS = 6
PEOPLE, ROBOTS = (0, 1, 2), (3, 4)
LEVELS = (RobotLevel.HARD, RobotLevel.EASY)
DEATHS, UNDOS, HAND_OVERS = 5, 10, 3


class EventfulMatch(KilledMatch):
    """One such match of three people and two robots at six seats, by its seed."""

    def __init__(self, loop: VirtualLoop, folder: Path, *, seed: int) -> None:
        super().__init__(loop, folder, PERUDO, seed=seed, deaths=DEATHS, seats=SEATS)
        self._every = 25  # records: a daemon lives for a while
        self.undone = self.handed_over = 0

    def _played(self, harness: TableHarness) -> bool:
        self.last = harness
        if harness.scene is SceneName.LOBBY:
            self._begin(harness)
        while harness.scene is not SceneName.OVER:
            self._step(harness)
        return True

    def _begin(self, harness: TableHarness) -> None:
        for seat in PEOPLE:
            harness[seat].pick(MenuCommand.JOIN)
        for seat, level in zip(ROBOTS, LEVELS, strict=True):
            harness[seat].pick(level)
        harness[0].pick(MenuCommand.START)
        harness.wait(5)

    def _step(self, harness: TableHarness) -> None:
        """Let staff, a robot or a person do something, or time pass."""
        told = [event for _, events in self.recorded for event in events]
        self.undone = sum(isinstance(event, Undone) for event in told)
        self.handed_over = sum(isinstance(event, SeatHandedOver) for event in told)
        if self.undone < UNDOS and harness.scene is SceneName.BIDDING and not self._rng.randrange(4):
            harness.send(StaffAction(StaffCommand.UNDO))
        if self.handed_over < HAND_OVERS and harness.scene is SceneName.BIDDING and not self._rng.randrange(4):
            harness.send(StaffAction(StaffCommand.HAND_OVER, self._rng.choice(PEOPLE)))
        turns = {seat: turn for seat, turn in harness.robots.items() if turn and turn.is_in_turn}
        people = [hand for hand in harness if hand.awaited and hand.view.robot is None]
        if turns:
            seat, turn = self._rng.choice(sorted(turns.items(), key=lambda pair: pair[0]))
            harness.let_robot_act(seat, None if turn.view is None else choose(turn.view, self._rng))
            harness.wait(0.1)
        elif people:
            self._rng.choice(people).does_something(self._rng)
        else:
            harness.wait(1)


def main() -> None:
    """Play the match with the seed of the command line, and print its record and the verdict."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    with tempfile.TemporaryDirectory() as folder:
        match = EventfulMatch(VirtualLoop(), Path(folder), seed=seed)
        match.play()
        print(match.record)
        for verdict in verify(match.record):
            print(*verdict.lines(), sep="\n")


if __name__ == "__main__":
    main()
