"""Matches at real terminals whose daemon, a process of its own, is killed over and over.

    async with KilledTable(folder, seed=1) as table:
        await table.go(10)
        await table.finish()
    assert table.wrong == []

A table may begin with a `scene`. Boards and hands live on; `support.crash.examination` says what must hold. The same
seed chooses the same moments.
"""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack, aclosing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from support.crash.boards import KilledSeat, phone_at, seat_at
from support.crash.daemon import AT_THE_END, OF_STAFF, POINTS
from support.crash.display_reader import DisplayReader, plain
from support.crash.examination import DaemonRun, Examination
from support.crash.players import Player
from support.crash.processes import Daemons
from support.crash.staff import Staff

from engine import PERUDO, Rules
from firmware_host import wire
from firmware_host.configuration.rules.custom import to_toml
from firmware_host.public.address import phones_folder
from firmware_host.public.reader import ReadLine, TableReader
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.view import SceneName
from hardware.emulated.pace import PICO

UP_WITHIN_S = 30.0
"""A table is up in a fraction of a second; this is for machines that have other things to do."""
STEADY_S = 0.06
NAMES = ("Red", "Orange", "Yellow", "Green")
KINDS = {"starting": 12, "cold": 6, "playing": 40, "point": 42}
"""How often a death comes while a forked daemon or one from nothing starts, in mid-play, or at a point of its own."""
COMES_S = {"starting": (0.0, 0.35), "cold": (0.1, 1.2), "playing": (0.0, 1.4), "point": (2.0, 2.0)}
AFTER = {"heard": 14, "asked": 4, "written": 4, "told": 5, "shown": 10, "settled": 12} | dict.fromkeys(OF_STAFF, 2)
WITHIN_S = 0.003
EXPORTS_S = 15.0
"""Long after a match that is over has been written down."""
COUNTDOWN_DIES = 0.002
"""How likely a death in each fiftieth of a second of the countdown to a match is: with more there would be no match."""


@dataclass(frozen=True)
class Plan:
    """When a daemon is to die: so long after its start, or after it is up; or the `after`-th time at a point."""

    kind: str
    after_s: float = 0.0
    dies: str = ""
    after: int = 0
    within_s: float = 0.0


def planned(rng: random.Random, kind: str = "", dies: str = "") -> Plan:
    """Some death, of some kind or at some point; there often at once, else a moment later."""
    kind = kind or ("point" if dies else rng.choices([*KINDS], [*KINDS.values()])[0])
    after_s = rng.uniform(*COMES_S[kind])
    if kind != "point":
        return Plan(kind, after_s)
    dies = dies or rng.choice(POINTS)
    later_s = rng.choice([0.0, 0.0, rng.uniform(0.0, WITHIN_S)])
    return Plan(kind, after_s, dies, rng.randint(1, AFTER[dies]), later_s)


class KilledTable:
    """`wrong` says what did not hold, `counts` what was looked at; `back_s` how long it took until a table was up."""

    def __init__(
        self,
        folder: Path,
        *,
        seed: object,
        seats: int = 2,
        rules: Rules = PERUDO,
        reckless: bool = False,
        plant: str = "",
        undo_every: int = 0,
        robots: Sequence[int] = (),
        has_staff: bool = False,
        scene: Scene | None = None,
        phones: Sequence[int] = (),
    ) -> None:
        self.back_s: list[float] = []
        self._folder = folder
        self._rng = random.Random(f"{seed}/deaths")
        self._seed = seed
        self._seats = seats
        self._reckless = reckless
        self._opened = AsyncExitStack()
        self._plays = False
        self._daemon_run = DaemonRun(0, 0.0)
        folder.mkdir(exist_ok=True)
        self._reader = DisplayReader(_layout(folder / "layout.toml", seats, rules, phones), rules)
        self._task: dict[str, Any] = {"serial": str(folder / "by-id"), "tape": str(folder / "tape"), "plant": plant}
        self._task |= {"undo_every": undo_every, "robots_hurry": bool(robots)}
        self._robots = robots
        self._has_staff = has_staff
        places = {"--layout": folder / "layout.toml", "--state": folder / "state", "--events": folder / "socket"}
        self._scene = scene
        self._phones = phones
        self._run = ["run", *(str(word) for place in places.items() for word in place)]

    async def __aenter__(self) -> Self:
        self._daemons = await self._opened.enter_async_context(Daemons(self._folder / "daemon.log"))
        loop, serial = asyncio.get_running_loop(), self._folder / "by-id"
        self.seats: Sequence[KilledSeat] = [
            phone_at(n, NAMES[n], loop, phones_folder(self._folder / "socket"))
            if n in self._phones
            else seat_at(n, NAMES[n], loop, serial)
            for n in range(self._seats)
        ]
        for seat in self.seats:
            self._opened.callback(seat.close)
        await asyncio.sleep(2 * PICO.boot_us / 1e6)  # what boards show when they start is on no record
        people = [number for number in range(self._seats) if number not in self._robots]
        self.players = [self._player(number, self.seats[number]) for number in people]
        self.staff = Staff(
            self._folder,
            NAMES,
            self._robots,
            random.Random(f"{self._seed}/staff"),
            run=lambda: self._daemon_run,
            may_act=lambda: self._plays,
        )
        self._examination = Examination(self._folder, self._reader, self.seats, self.players)
        if self._scene is not None:
            await self._examination.begin_with(self._scene)
        self._hands = [asyncio.create_task(player.live()) for player in self.players]
        self._hands.append(asyncio.create_task(self._follow()))
        if self._has_staff:
            self._hands.append(asyncio.create_task(self.staff.live()))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        for hand in self._hands:
            hand.cancel()
        ends = await asyncio.gather(*self._hands, return_exceptions=True)
        await self._opened.aclose()
        for end in ends:
            if isinstance(end, Exception):
                raise end

    @property
    def wrong(self) -> list[str]:
        """What did not hold."""
        return self._examination.wrong

    @property
    def counts(self) -> Counter[str]:
        """What was looked at, and which deaths were died."""
        return self._examination.counts

    @property
    def state(self) -> wire.PublicState | None:
        """What the room was told last by this daemon."""
        return self._daemon_run.states[-1] if self._daemon_run.states else None

    async def go(self, kills: int, kind: str = "", dies: str = "") -> None:
        """So many daemons live and die."""
        for _ in range(kills):
            await self.live(planned(self._rng, kind, dies))

    async def until_wrong(self, at_most: int, dies: str = "", later_s: float = 0.0) -> int:
        """Daemons die in mid-play, or so long after a point, until something does not hold; return how many did."""
        for kill in range(at_most):
            plan = planned(self._rng, "" if dies else "playing", dies)
            await self.live(replace(plan, within_s=later_s) if dies else plan)
            if self.wrong:
                return kill + 1
        return at_most

    async def finish(self, within_s: float = 240.0) -> None:
        """The match that is on is played to its end, with two more deaths while it is written down.

        The last daemon is told to stop; then every match that was written down is checked.
        """
        exporting, exported = AT_THE_END
        await self.live(Plan("finish", within_s, exporting, 1, self._rng.uniform(0.0, WITHIN_S)))
        await self.live(Plan("point", EXPORTS_S, exported, 1))
        await self.live(Plan("stop", 0.2))
        self._examination.look_at_matches(self._folder / "state")
        self._examination.look_at_counters(self._folder / "state")
        self._examination.look_at_followed(self._folder / "state")

    def _player(self, number: int, seat: KilledSeat) -> Player:
        return Player(
            number,
            seat,
            random.Random(f"{self._seed}/{number}"),
            run=lambda: self._daemon_run,
            may_act=lambda: self._plays,
            everybody=self._seats,
            reckless=self._reckless,
        )

    async def live(self, plan: Plan) -> None:
        """One daemon lives and dies as planned."""
        self._daemon_run = run = DaemonRun(self._daemon_run.number + 1, asyncio.get_running_loop().time())
        tape = Path(self._task["tape"])
        tape.write_bytes(b"")
        log_bytes = (self._folder / "daemon.log").stat().st_size
        dies: dict[str, Any] = {"dies": plan.dies, "after": plan.after, "within_s": plan.within_s}
        daemon = await self._daemons.begin(self._task | dies, self._run, cold=plan.kind == "cold")
        reading = asyncio.create_task(self._read_socket(daemon.ended, run))
        try:
            await self._pass_time(plan, run, daemon.ended)
        finally:
            self._plays = False
            daemon.send_signal(signal.SIGTERM if plan.kind == "stop" else signal.SIGKILL)
            code = await daemon.ended
            await reading
            while not all(seat.board.is_done for seat in self.seats):  # a board takes in what a dead daemon has sent
                await asyncio.sleep(0.005)
        self.counts[f"death {plan.kind} {plan.dies}".strip()] += 1
        if code != (0 if plan.kind == "stop" else -signal.SIGKILL):
            self._examination.report(f"the daemon ended by itself with {code}: {self._log_tail()}")
        self._examination.look_at_what_is_left(run, tape)
        for wrong in self.staff.wrong() if self._has_staff else ():
            self._examination.report(wrong)
        self._look_at_log(log_bytes)

    async def _pass_time(self, plan: Plan, run: DaemonRun, dying: "asyncio.Task[int]") -> None:
        if plan.kind in ("starting", "cold"):
            await _wait(dying, plan.after_s)
            return
        await self._until_up(run, dying)
        self._plays = not dying.done() and plan.kind != "stop" and plan.dies not in AT_THE_END[1:]
        left_s = plan.after_s
        while left_s > 0 and not dying.done():
            await _wait(dying, 0.02)
            if plan.kind == "finish" and self.state is not None and self.state.scene == SceneName.OVER:
                self._plays = False
                await _wait(dying, EXPORTS_S)
                return
            if run.countdown_s is None or plan.kind == "finish":
                left_s -= 0.02
            elif self._rng.random() < COUNTDOWN_DIES:
                return

    async def _until_up(self, run: DaemonRun, dying: "asyncio.Task[int]") -> None:
        """Until every display has a picture of this daemon, and for a moment no other."""
        loop = asyncio.get_running_loop()
        boards = [seat.board for seat in self.seats]
        while not dying.done():
            if loop.time() - run.began_s > UP_WITHIN_S:
                self._examination.report(f"not up within {UP_WITHIN_S} s: {self._log_tail()}")
                return
            latest_s = max(max(board.shown_s, board.pictured_s) for board in boards)
            is_up = all(board.is_lit and board.is_done and board.pictured_s >= run.began_s for board in boards)
            if run.states and is_up and loop.time() - latest_s > STEADY_S:
                self.back_s.append(latest_s - run.began_s)
                self._examination.look_at_resumed(run)
                return
            await _wait(dying, 0.01)

    async def _read_socket(self, dying: "asyncio.Task[int]", run: DaemonRun) -> None:
        """Listen to the public lines of one daemon until its death."""
        while not dying.done():
            try:
                reader, writer = await asyncio.open_unix_connection(str(self._folder / "socket"), limit=1 << 22)
            except OSError:
                await asyncio.sleep(0.005)
                continue
            with suppress(ConnectionError):
                while (line := await reader.readline()).endswith(b"\n"):
                    state = wire.read(line)
                    if isinstance(state, wire.PublicState):
                        run.countdown_s = state.countdown_s
                        run.troubles.update(state.troubles)
                        run.is_missing |= any(seat.missing for seat in state.seats)
                        run.states.append(plain(state))
            writer.close()
            return

    async def _follow(self) -> None:
        """Read what all the daemons publish, as one that misses no event."""
        async with aclosing(TableReader(self._folder / "socket").lines()) as lines:
            async for line in lines:
                if isinstance(line, ReadLine):
                    self._examination.follow(line)

    def _look_at_log(self, since: int) -> None:
        log = (self._folder / "daemon.log").read_bytes()[since:].decode()
        if "Traceback" in log:
            self._examination.report(log)

    def _log_tail(self) -> str:
        return (self._folder / "daemon.log").read_text()[-600:]


def _layout(path: Path, seats: int, rules: Rules, phones: Sequence[int]) -> Path:
    devices = ["phone = true" if n in phones else f'board = "KILLED{n}"' for n in range(seats)]
    seats_toml = (f'[[seat]]\nname = "{NAMES[n]}"\ncolor = "{NAMES[n].lower()}"\n{devices[n]}\n' for n in range(seats))
    path.with_name("rules.toml").write_text(to_toml(rules))
    path.write_text('name = "killed"\nrules = "rules.toml"\n' + "".join(seats_toml))
    return path


async def _wait(task: "asyncio.Task[int]", at_most_s: float) -> None:
    await asyncio.wait([task], timeout=at_most_s)
