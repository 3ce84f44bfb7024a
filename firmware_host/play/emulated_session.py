"""A session at the emulated table: the real daemon with its real drivers, and robots in the chairs.

It lasts for one match, and for more as long as people stay. Robots stay outside the table: they press emulated buttons,
shake emulated cups and see their own display.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from functools import partial

from engine import Action, Rules, View
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.robots.opponents import Opponents
from firmware_host.daemon.robots.players import RobotPlayers, robot_players
from firmware_host.daemon.seat_display import FrameListener, SeatDisplay
from firmware_host.daemon.seats import has_dudo_button, seat_infos, words_of
from firmware_host.devices.devices import Devices
from firmware_host.play.chairs import Chair, Chairs
from firmware_host.play.kept_match import KeptMatch, temporary_match
from firmware_host.play.robot import Decide, Robot
from firmware_host.table.effects import HostEffect
from firmware_host.table.events import PublicEvent
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.robots import AskRobot, HandsRead
from firmware_host.table.staff.actions import ArrowsOpenMenu, StaffOptions
from firmware_host.table.table import Table
from firmware_host.wire import MatchBegan, MatchWon, PublicState, Seat, enumerate_seats
from hardware.config.layout import Layout
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.cup_process import CupProcess
from hardware.emulated.table import EmulatedSeat, EmulatedTable

LAST_LOOK_S = 1.0
"""Seconds for the last pictures to reach their displays."""

WatchSeat = Callable[[Seat, EmulatedSeat], FrameListener]
"""Returns further eyes for a seat's display, besides those of its player."""

ServePeople = Callable[[Chairs], AbstractAsyncContextManager[object]]
"""Brings people to the chairs, from the start of the session to its end."""


def serve_nobody(_: Chairs) -> AbstractAsyncContextManager[object]:
    """Leave all chairs to robots."""
    return nullcontext()


@dataclass(frozen=True)
class EmulatedSession:
    """A session's layout, rules, and random seed."""

    layout: Layout
    rules: Rules
    seed: int
    real_time: bool = False
    """Runs on the machine's clock with cups and boards as processes; then a seed does not determine the match."""
    host_seeds: Callable[[], bytes] | None = None
    """Returns the host's seeds of 32 bytes; None derives them from `seed` too."""
    kept: KeptMatch | None = None
    """Where the match is kept and goes on; None plays a match that ends with the session."""
    opponents: Opponents | None = None
    """Decide for the robots; without them they decide by the odds."""
    gives_tips: bool = False
    """Whether people who have not played before may come."""

    async def play(
        self,
        tell: Callable[[PublicEvent], None],
        watchers: Sequence[WatchSeat] = (),
        *,
        publish: Callable[[PublicState], None] = lambda _: None,
        people: int = 0,
        serve_people: ServePeople = serve_nobody,
        attach_staff: Callable[[Daemon], None] = lambda _: None,
    ) -> None:
        """Play until a match is won and the table is without people.

        `tell` receives public events, `publish` the public state, `attach_staff` the daemon before it runs. The first
        `people` chairs are kept for people, who arrive through `serve_people`; their keys open the staff menu.
        """
        loop = asyncio.get_running_loop()
        cups = CupProcess if self.real_time else EmulatedCup
        emulated = EmulatedTable(self.layout, loop, seed=self.seed, cups=cups)
        won = asyncio.Event()
        robots = [self._robot(seat, each) for seat, each in enumerate_seats(emulated.seats)]
        chairs = Chairs(
            Chair(seat, robot, for_people=number < people)
            for number, (seat, robot) in enumerate(zip(emulated.seats, robots, strict=True))
        )
        chairs.replace_board = emulated.replace_board
        for robot in robots:
            robot.people, robot.has_people = lambda: chairs.people, lambda: chairs.has_people
        spoken = words_of(self.layout)
        with emulated, nullcontext(self.kept) if self.kept else temporary_match() as kept, ExitStack() as stack:
            seats, turn_clock_s = seat_infos(self.layout), self.layout.turn_clock_s
            menu = StaffOptions(takes_hold=people > 0)
            table = Table(
                self.rules,
                seats,
                scene=kept.scene,
                turn_clock_s=turn_clock_s,
                staff=menu,
                gives_tips=self.gives_tips,
            )
            kept.restore(table)
            seeds = self.host_seeds or partial(self._random("house").randbytes, 32)
            daemon = Daemon(table, kept.journal, seeds=seeds, tell=_tracking_win(won, tell), publish=publish)
            attach_staff(daemon)
            chairs.tell_table = daemon.post
            service = next((seat for seat, info in enumerate_seats(seats) if info.is_service), Seat(0))
            chairs.on_change(
                lambda: daemon.post(ArrowsOpenMenu(people > 0 and chairs.may_be_staff(chairs[service].person)))
            )
            if serve_people is not serve_nobody:
                chairs.on_change(lambda: daemon.post(self._hands(chairs)))
                daemon.post(self._hands(chairs))
            durable = kept.journal.last_events
            names = [seat.name for seat in self.layout.seats]
            # Where dice are secret, a robot's waits must not give away its next random numbers.
            rng = random.SystemRandom() if self.host_seeds else self._random("robots")
            players = robot_players(names, print, rng, daemon.post)
            async with (
                Devices(self.layout, emulated, loop=loop, post=daemon.post, durable_events=durable) as devices,
                serve_people(chairs),
            ):
                asked = partial(_ask_robots, stack.enter_context(players))
                panels = zip(devices.displays, robots, spoken, strict=True)
                displays = [
                    SeatDisplay(
                        panel,
                        [
                            robot.see,
                            chairs[seat].see,
                            *(watch(seat, emulated.seats[seat]) for watch in watchers),
                        ],
                        chairs[seat].words or words,
                    )
                    for seat, (panel, robot, words) in enumerate_seats(panels)
                ]
                for seat, display in enumerate_seats(displays):
                    chairs[seat].on_spoken = display.speak
                await _until(_over(won, chairs), [daemon.run(displays, devices.links, asked), chairs.run()])

    def _hands(self, chairs: Chairs) -> HandsRead:
        """Return the robots in the chairs, for a table where people play too."""
        level = self.opponents.level if self.opponents else lambda seat: RobotLevel.MIDDLE
        return HandsRead({seat: level(seat) for seat in chairs.seats if chairs[seat].occupant == "robot"})

    def _robot(self, seat: Seat, emulated: EmulatedSeat) -> Robot:
        layout_seat = self.layout.seats[seat]
        seats = len(self.layout.seats)
        return Robot(
            emulated,
            self._random(layout_seat.name),
            dudo_button=has_dudo_button(layout_seat),
            starts_with=seats if seat == 0 else None,
            decide=self._decide(seat),
        )

    def _decide(self, seat: Seat) -> Decide | None:
        opponents, name = self.opponents, self.layout.seats[seat].name
        if opponents is None:
            return None

        async def decide(view: View, rng: random.Random) -> Action | None:
            return await opponents.decide(seat, name, view, rng.getrandbits(64))

        return decide

    def _random(self, whose: str) -> random.Random:
        return random.Random(f"{self.seed}/{whose}")


def _ask_robots(players: RobotPlayers, effect: HostEffect) -> None:
    """Carry out a table's effect outside the game: a table for play has robots, but no settings or names."""
    if isinstance(effect, AskRobot):
        players.ask(effect.seat, effect.turn)


def _tracking_win(won: asyncio.Event, tell: Callable[[PublicEvent], None]) -> Callable[[PublicEvent], None]:
    """Return `tell`, extended to keep `won` set while the last match is over."""

    def told(event: PublicEvent) -> None:
        tell(event)
        if isinstance(event, MatchWon):
            won.set()
        elif isinstance(event, MatchBegan):
            won.clear()

    return told


async def _over(won: asyncio.Event, chairs: Chairs) -> None:
    """Wait until a match is won and people have left, so that it is the last."""
    while not won.is_set():
        await won.wait()
        await chairs.wait_until_deserted()
    await asyncio.sleep(LAST_LOOK_S)


async def _until(over: Coroutine[None, None, None], work: Iterable[Coroutine[None, None, None]]) -> None:
    """Run `work` until `over` returns; an error in any part ends the session and is raised."""
    tasks = [asyncio.ensure_future(part) for part in (over, *work)]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
