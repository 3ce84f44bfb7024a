"""Robots of the table at emulated buttons, cups and displays: a match with the real daemon and opponents' process."""

import asyncio
from pathlib import Path

import pytest

from engine import PERUDO
from firmware_host.fairness.chain import read_match_line
from firmware_host.play.emulated_session import EmulatedSession
from firmware_host.play.kept_match import KeptMatch
from firmware_host.store.journal.journal import Journal
from firmware_host.table.events import ActionTaken, PublicEvent
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.wire import ChainEntryAdded, MatchWon
from hardware.config.layout import load_builtin
from hardware.emulated.virtual_loop import VirtualLoop

TABLE = load_builtin("emulated").first(4)
ROBOTS = ((2, RobotLevel.EASY), (3, RobotLevel.MIDDLE))


@pytest.mark.slow
def test_a_match_of_two_hands_and_two_robots_is_won(tmp_path: Path) -> None:
    told: list[PublicEvent] = []
    lobby = Lobby(joined=(0, 1, 2, 3), counting=True, robots=ROBOTS)
    with Journal(tmp_path / "journal.sqlite") as journal:
        session = EmulatedSession(TABLE, PERUDO, 3, kept=KeptMatch(journal, tmp_path, lobby))
        with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=60)) as runner:
            runner.run(session.play(told.append))
    assert any(isinstance(event, MatchWon) for event in told)
    assert {event.seat for event in told if isinstance(event, ActionTaken)} == {0, 1, 2, 3}
    line = next(event.line for event in told if isinstance(event, ChainEntryAdded))
    assert [name.partition(" [")[2] for name in read_match_line(line)[1]] == ["", "", "robot easy]", "robot middle]"]
