"""Staff at a table whose daemons are killed: they ask over the staff socket, and remember what was answered.

What was answered is on disk whenever the daemon dies; what was not has happened wholly or not at all.
"""

import asyncio
import json
import random
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from firmware_host import wire
from firmware_host.public.address import path_beside
from firmware_host.public.line_log import MAX_KEPT_BYTES
from firmware_host.store.journal.journal import Journal
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.actions import StaffCommand

BETWEEN_S = 0.05, 0.5
EVENTS = {
    StaffCommand.UNDO: "undone",
    StaffCommand.HAND_OVER: "seat-handed-over",
    StaffCommand.END_MATCH: "match-broken-off",
    StaffCommand.REOPEN: "match-reopened",
    StaffCommand.PAUSE: "match-paused",
    StaffCommand.RESUME: "match-resumed",
}
"""The public event of each action."""
IN_A_MATCH = (SceneName.SHAKING, SceneName.CHOOSING, SceneName.BIDDING, SceneName.CALLED, SceneName.REVEAL)
MOST = {StaffCommand.UNDO: 16, StaffCommand.HAND_OVER: 7, StaffCommand.PAUSE: 4, StaffCommand.END_MATCH: 3}
"""How often staff do what in a match, at most: it is to end."""


class Run(Protocol):
    """A daemon, as the room knows it."""

    @property
    def states(self) -> Sequence[wire.PublicState]:
        """The states it told."""


class Staff:
    """`robots` are seats that get a robot in the lobby. `done` counts what was answered, `open` what was not."""

    def __init__(
        self,
        folder: Path,
        names: Sequence[str],
        robots: Sequence[int],
        rng: random.Random,
        *,
        run: Callable[[], Run],
        may_act: Callable[[], bool],
    ) -> None:
        self.done: Counter[StaffCommand] = Counter()
        self.open: Counter[StaffCommand] = Counter()
        self._folder = folder
        self._names = names
        self._robots = robots
        self._rng = rng
        self._run = run
        self._may_act = may_act

    async def live(self) -> None:
        """Ask for something every so often, until cancelled."""
        while True:
            await asyncio.sleep(self._rng.uniform(*BETWEEN_S))
            run = self._run()
            if run.states and self._may_act() and (wanted := self._wanted(run.states[-1])):
                await self._ask(*wanted)

    def _wanted(self, state: wire.PublicState) -> tuple[StaffCommand, int | None] | None:
        if state.paused:
            return StaffCommand.RESUME, None
        if state.scene == SceneName.LOBBY:
            if self.done[StaffCommand.END_MATCH] + self.open[StaffCommand.END_MATCH] and state.players:
                return StaffCommand.REOPEN, None  # refused where nothing has ended
            missing = [seat for seat in self._robots if seat not in state.players]
            return (StaffCommand.ROBOT, missing[0]) if missing and state.players else None
        if state.scene not in IN_A_MATCH:
            return None
        left = {what: most - self.done[what] - self.open[what] for what, most in MOST.items()}
        left = {what: times for what, times in left.items() if times > 0}
        if not left:
            return None
        what = self._rng.choices([*left], [*left.values()])[0]
        people = [seat for seat in state.players if seat not in self._robots]
        return what, self._rng.choice(people) if what is StaffCommand.HAND_OVER else None

    async def _ask(self, what: StaffCommand, seat: int | None) -> None:
        level = (RobotLevel.EASY, RobotLevel.MIDDLE)[(seat or 0) % 2]
        request: dict[str, Any] = {"ask": "act", "what": what, "level": level}
        if seat is not None:
            request["seat"] = self._names[seat]
        answer = b""
        try:
            reader, writer = await asyncio.open_unix_connection(str(path_beside(self._folder / "socket")))
        except OSError:
            return
        with suppress(ConnectionError):
            writer.write(json.dumps(request).encode() + b"\n")
            answer = await reader.readline()
        writer.close()
        if not answer.endswith(b"\n"):
            self.open[what] += 1
        elif json.loads(answer)["done"]:
            self.done[what] += 1

    def wrong(self) -> list[str]:
        """Return the facts on disk that contradict the answers."""
        found = _events_on_disk(self._folder)
        return [
            f"staff: {event} is {found[event]} times on disk, answered were {self.done[what]}, open {self.open[what]}"
            for what, event in EVENTS.items()
            if not self.done[what] <= found[event] <= self.done[what] + self.open[what]
        ]


def _events_on_disk(folder: Path) -> Counter[str]:
    """Count the public events of a journal by their type, from a copy."""
    copy = folder / "lines"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for file in (folder / "state").glob("journal.sqlite*"):
        if not file.name.endswith("-shm"):
            shutil.copy(file, copy)
    if not any(copy.iterdir()):
        return Counter()
    with Journal(copy / "journal.sqlite") as journal:
        assert journal.lines.first <= 1, "the journal has forgotten lines"
        lines = journal.lines.page_after(0, MAX_KEPT_BYTES)
    return Counter(json.loads(line)["type"] for line in lines)
