"""The opponents of robots decide in a process of their own, and a faulty one is replaced by middle."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support import ROOT

from engine import PALO_FIJO, PASS, PERUDO, RULESETS, Action, Bid, Match, Pass, View
from engine.opponents import find
from firmware_host.daemon.robots.opponents import Opponents
from firmware_host.play.emulated_session import EmulatedSession
from firmware_host.play.memory import Memory
from firmware_host.table.events import PublicEvent
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.view import SceneName, SeatView
from firmware_host.wire import MatchWon, Seat
from hardware.config.layout import load_builtin
from hardware.emulated.virtual_loop import VirtualLoop

Put = Callable[..., Match]
FAULTY = """
import os, time
from engine import Bid
def raises(view, rng): raise ValueError("no\\nidea")
def illegal(view, rng): return Bid(0, 9)
def waits(view, rng):
    while True:
        try: time.sleep(1)
        except BaseException: pass
def ends(view, rng): os._exit(3)
"""


PAGES = [(ROOT / f"docs/{page}.md").read_text(encoding="utf-8") for page in ("opponents", "robots")]


@pytest.mark.parametrize("level", RobotLevel)
def test_every_level_has_its_opponent_and_its_place_in_the_documents(level: RobotLevel) -> None:
    with Opponents([level], print) as opponents:
        assert opponents.level(Seat(0)) is level
    assert find(level).name == level
    assert all(re.search(rf"[`*](Robot: )?{level}[`*]", page) for page in PAGES)


@pytest.mark.parametrize(("name", "level"), [("strong", RobotLevel.HARD), ("odds", RobotLevel.MIDDLE)])
def test_an_opponent_without_a_level_is_shown_at_the_nearest(name: str, level: RobotLevel) -> None:
    with Opponents([name], print) as opponents:
        assert opponents.level(Seat(7)) is level


def decided(opponents: Opponents, view: View, *seats: int) -> list[Action | None]:
    async def decide() -> list[Action | None]:
        return [await opponents.decide(seat, f"seat {seat}", view, 7) for seat in seats]

    return asyncio.run(decide())


@pytest.fixture
def view(put: Put) -> View:
    return put(PERUDO, [5, (3, 4, 4, 5, 6)], bid=Bid(7, 2)).view(1)


def test_each_faulty_opponent_is_named_and_middle_plays_on(
    view: View, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "faulty_opponents.py").write_text(FAULTY)
    monkeypatch.syspath_prepend(str(tmp_path))
    names = [f"faulty_opponents:{name}" for name in ("raises", "illegal", "waits", "ends")]
    lines: list[str] = []
    with Opponents(names, lines.append, limit_s=0.5) as opponents:
        first = decided(opponents, view, 0, 1, 2, 3)
        assert first == decided(opponents, view, 0, 1, 2, 3)
    assert all(action in view.legal for action in first)
    problems = ["raised ValueError", "returned 0x9 in turn, not legal", "did not return within 0.5 s"]
    assert lines == [
        f"{name}, the opponent at seat {seat}, {problem}; middle plays on for it."
        for seat, (name, problem) in enumerate(zip(names, [*problems, "ended its process"], strict=True))
    ]


def test_why_says_what_the_opponent_of_a_seat_believed(view: View) -> None:
    lines: list[str] = []
    with Opponents(["easy", "middle"], lines.append, why=True) as opponents:
        decided(opponents, view, 0, 3)
    assert [line.partition(" chose ")[0] for line in lines] == ["seat 0 (easy)", "seat 3 (middle)"]
    assert all(line.endswith("%.") for line in lines)


@pytest.mark.slow
def test_a_seed_plays_the_same_match_of_levels_again() -> None:
    short = replace(RULESETS["kill-spot"], starting_dice=3)

    def played() -> list[PublicEvent]:
        events: list[PublicEvent] = []
        layout = load_builtin("emulated").first(2)
        with Opponents(["easy", "middle"], print) as opponents:
            session = EmulatedSession(layout, short, seed=5, opponents=opponents)
            with asyncio.Runner(loop_factory=VirtualLoop) as runner:
                runner.run(session.play(events.append))
        return events

    events = played()
    assert isinstance(events[-1], MatchWon)
    assert events == played()


def test_a_seat_remembers_the_bids_and_passes_and_the_dice_of_its_look(put: Put) -> None:
    memory, match = Memory(), put(PALO_FIJO, [5, 5, 5]).play(0, Bid(2, 3))
    actions: list[tuple[int, Bid | Pass]] = [(0, Bid(2, 3)), (1, PASS), (2, Bid(3, 3))]
    looks = [None, match.view(1), None]
    for (seat, action), look in zip(actions, looks, strict=True):
        match = match if seat == 0 else match.play(seat, action)
        for _ in range(2):  # a display shows one position many times
            memory.see(SeatView(SceneName.BIDDING, "Lima", ("a", "b", "c"), 1, match.position), look)
    known = memory.view(match.position, 1)
    assert known.history == match.history == tuple(actions)
    assert known.hands == match.view(1).hands
    for undone in (match.undo(), match.undo().undo()):
        memory.see(SeatView(SceneName.BIDDING, "Lima", ("a", "b", "c"), 1, undone.position), None)
        assert memory.view(undone.position, 1).history == undone.history
    memory.see(SeatView(SceneName.SHAKING, "Lima", ("a", "b", "c"), 1, match.position), None)
    assert memory.view(match.position, 1).own is None
