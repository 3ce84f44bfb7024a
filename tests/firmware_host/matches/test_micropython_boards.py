"""Matches in real time in which every seat is the real program under MicroPython, a process on a terminal."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import RULESETS
from firmware_host import cli
from firmware_host.play import emulated_session
from firmware_host.play.emulated_session import EmulatedSession
from firmware_host.play.robot import Robot
from firmware_host.store.scores.recorder import recording
from firmware_host.table.events import PublicEvent, Revealed
from firmware_host.wire import DeviceFound, DeviceLost, MatchWon
from hardware.config.layout import load_builtin
from hardware.emulated.cup_process import micropython

pytestmark = [
    pytest.mark.skipif(micropython() is None, reason="MicroPython's unix port is not installed"),
    pytest.mark.slow,
]

WITHIN_S = 900.0


class QuickRobot(Robot):
    """Makes up its mind at once."""

    async def _think(self, *_: object, **_more: object) -> None:
        await asyncio.sleep(0.02)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emulated_session, "Robot", QuickRobot)


def played(seats: int, rules: str, record: Path, is_enough: Callable[[list[PublicEvent]], bool]) -> list[PublicEvent]:
    """Let so many boards play until it is enough or somebody has won; nobody's board may have been lost."""
    layout, events = load_builtin("boards-8").first(seats), list[PublicEvent]()

    async def play(log_event: Callable[[PublicEvent], None]) -> None:
        enough = asyncio.Event()

        def handle(event: PublicEvent) -> None:
            log_event(event)
            events.append(event)
            if is_enough(events):
                enough.set()

        playing = asyncio.create_task(EmulatedSession(layout, RULESETS[rules], seed=1, real_time=True).play(handle))
        stopped = asyncio.create_task(enough.wait())
        async with asyncio.timeout(WITHIN_S):
            await asyncio.wait([playing, stopped], return_when=asyncio.FIRST_COMPLETED)
        for task in (playing, stopped):
            task.cancel()
        for outcome in await asyncio.gather(playing, stopped, return_exceptions=True):
            assert not isinstance(outcome, Exception), outcome

    with recording(record, RULESETS[rules], [seat.name for seat in layout.seats]) as log_event:
        asyncio.run(play(log_event))
    assert [event for event in events if isinstance(event, DeviceLost | DeviceFound)] == []
    assert cli.main(["verify", str(record)]) == 0
    return events


def test_two_boards_play_two_rounds(tmp_path: Path) -> None:
    def two(events: list[PublicEvent]) -> bool:
        return sum(isinstance(event, Revealed) for event in events) == 2

    assert two(played(2, "perudo", tmp_path / "scores", two))


@pytest.mark.soak
@pytest.mark.parametrize(("seats", "rules"), [(2, "kill-spot"), (8, "perudo")])
def test_boards_play_a_whole_match(seats: int, rules: str, tmp_path: Path) -> None:
    events = played(seats, rules, tmp_path / "scores", lambda events: False)
    (won,) = (event for event in events if isinstance(event, MatchWon))
    assert sorted(won.standings) == list(range(seats))
