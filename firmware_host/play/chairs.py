"""Who plays where: a robot, a person at a page, or for the time being nobody.

`Evening` sets the chairs at its table and lets the robots play; the workbench seats people in them. A person is any
object that a page uses for itself; nothing here asks what it is.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Literal, Protocol

from firmware_host.play.virtual_seconds import of_the_loop
from hardware.emulated.seat import EmulatedSeat

Occupant = Literal["robot", "person", "free"]

UNVISITED_S = 20.0
"""After so many seconds a robot takes a chair that was kept for people and that nobody has come to."""
DESERTED_S = 20.0
"""Who reloads the page is back before this; who is not back after a match has gone home."""


class Player(Protocol):
    """Plays a seat by itself."""

    async def live(self) -> None:
        """Play until cancelled."""


class Chair:
    """One seat's occupant. While `kept` is true no robot sits down, whether or not a person does."""

    def __init__(self, seat: EmulatedSeat, robot: Player, *, for_people: bool = False) -> None:
        self.seat = seat
        self.for_people = for_people
        self.kept = for_people
        self.visited = False
        self.person: object | None = None
        self._robot = robot
        self._playing: asyncio.Task[None] | None = None

    @property
    def occupant(self) -> Occupant:
        """Who sits here; a chair whose person is away is free."""
        return "person" if self.person is not None else "free" if self.kept else "robot"

    @property
    def is_somebodys(self) -> bool:
        """Whether a person plays here, even one who is away for a moment."""
        return self.person is not None or (self.kept and self.visited)

    def take(self, person: object) -> None:
        """Somebody sits down."""
        self.leave()
        self.person = person
        self.kept = self.for_people = self.visited = True

    def leave(self) -> None:
        """Whoever sat here is gone; the chair waits."""
        self.seat.let_go()
        self.person = None

    def give_to_robot(self) -> None:
        """Whoever sat here does not come back."""
        self.leave()
        self.kept = False

    def wake_robot(self, ended: Callable[[asyncio.Task[None]], None]) -> None:
        """Let the robot play if it is its turn to sit here; `ended` hears when it stops."""
        if not self.kept and self._playing is None:
            self._playing = asyncio.ensure_future(self._robot.live())
            self._playing.add_done_callback(ended)

    def stop_robot(self) -> asyncio.Task[None] | None:
        """Take the robot's hands off if it plays; return what is left of it."""
        playing, self._playing = self._playing, None
        if playing is not None:
            playing.cancel()
            self.seat.let_go()
        return playing

    def __repr__(self) -> str:
        return f"<Chair {self.seat.name}: {self.occupant}>"


class Chairs:
    """The chairs of a table, by seat; `run` lets the robots play."""

    def __init__(self, chairs: Iterable[Chair]) -> None:
        self._chairs = tuple(chairs)
        self._listeners: list[Callable[[], None]] = []
        self._failed: asyncio.Future[None] | None = None
        self._somebody = asyncio.Event()
        self._nobody = asyncio.Event()
        self._nobody.set()

    def __getitem__(self, seat: int) -> Chair:
        return self._chairs[seat]

    def __len__(self) -> int:
        return len(self._chairs)

    @property
    def company(self) -> bool:
        """Whether robots share the table with people, or wait for them: then they take their time."""
        return any(chair.kept for chair in self._chairs)

    def listen(self, changed: Callable[[], None]) -> None:
        """Call `changed` whenever somebody has sat down or got up."""
        self._listeners.append(changed)

    def of(self, person: object) -> int | None:
        """Where somebody sits."""
        return next((seat for seat, chair in enumerate(self._chairs) if chair.person is person), None)

    def for_whoever_comes(self) -> int | None:
        """A chair that is meant for people and has none; one that waits before one that a robot has taken."""
        meant = [seat for seat, chair in enumerate(self._chairs) if chair.for_people and chair.person is None]
        return min(meant, key=lambda seat: not self._chairs[seat].kept, default=None)

    def sit(self, person: object, seat: int) -> object | None:
        """Seat somebody, whoever sat there; return the person who had to get up, if there was one."""
        before, chair = self.of(person), self._chairs[seat]
        if before == seat:
            return None
        if before is not None:
            self._give_up(before)
        displaced = chair.person
        chair.take(person)
        self._have_changed()
        return displaced

    def stand(self, person: object) -> None:
        """Let a robot have somebody's chair; it is not meant for people any more."""
        seat = self.of(person)
        if seat is not None:
            self._give_up(seat)
            self._have_changed()

    def leave(self, person: object) -> None:
        """Somebody is gone without a word: the chair waits for them, or for whoever comes next."""
        seat = self.of(person)
        if seat is not None:
            self._chairs[seat].leave()
            self._have_changed()

    def give_up_waiting(self) -> tuple[int, ...]:
        """Let robots have the chairs that nobody has ever come to; return these. Who comes later may still have one."""
        unvisited = tuple(seat for seat, chair in enumerate(self._chairs) if chair.kept and not chair.visited)
        for seat in unvisited:
            self._chairs[seat].give_to_robot()
        if unvisited:
            self._have_changed()
        return unvisited

    async def deserted(self) -> None:
        """Wait until the people have gone, and have not come back for a while; not at all if none ever came."""
        while any(chair.visited for chair in self._chairs):
            await self._nobody.wait()
            try:
                async with asyncio.timeout(of_the_loop(DESERTED_S)):
                    await self._somebody.wait()
            except TimeoutError:
                return

    async def run(self) -> None:
        """Let robots play until cancelled; raises what any of them raises."""
        self._failed = asyncio.get_running_loop().create_future()
        self._settle()
        try:
            await self._failed
        finally:
            stopped = [playing for chair in self._chairs if (playing := chair.stop_robot())]
            await asyncio.gather(*stopped, return_exceptions=True)

    def _give_up(self, seat: int) -> None:
        self._chairs[seat].give_to_robot()
        self._chairs[seat].for_people = False

    def _have_changed(self) -> None:
        is_anybody = any(chair.person is not None for chair in self._chairs)
        (self._somebody if is_anybody else self._nobody).set()
        (self._nobody if is_anybody else self._somebody).clear()
        self._settle()
        for changed in self._listeners:
            changed()

    def _settle(self) -> None:
        if self._failed is None or self._failed.done():
            return
        for chair in self._chairs:
            if chair.kept:
                chair.stop_robot()
            else:
                chair.wake_robot(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if task.cancelled() or self._failed is None or self._failed.done():
            return
        error = task.exception()
        if error is not None:
            self._failed.set_exception(error)
