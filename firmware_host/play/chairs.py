"""The occupants at an emulated table: a robot, a person at a page, or a chair free for now.

`EmulatedSession` makes the chairs and lets the robots play; the workbench seats people in them. A person is any object,
compared by identity alone.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable
from typing import Literal, Protocol

from drivers.messages import Introduced
from engine import View
from firmware_host.i18n.words import Words
from firmware_host.play.memory import Memory
from firmware_host.table.invitation import Invited
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SceneName, SeatView
from firmware_host.util.virtual_seconds import virtual_seconds
from firmware_host.wire import Seat, all_seats, enumerate_seats
from hardware.emulated.seat import EmulatedSeat

Occupant = Literal["robot", "person", "free"]

UNVISITED_S = 20.0
"""Seconds until a robot takes an empty chair kept for a person."""
DESERTED_S = 20.0
"""Seconds without people after which the session ends; a person who reloads the page is back sooner."""


class Player(Protocol):
    """An automatic player."""

    async def run(self) -> None:
        """Play until cancelled."""


class Chair:
    """The chair at one seat. While `kept` is true it stays free for a person, and robots leave it alone."""

    def __init__(self, seat: EmulatedSeat, robot: Player | None, *, for_people: bool = False) -> None:
        self.seat = seat
        self.for_people = for_people
        self.kept = for_people
        self.visited = False
        self.person: object | None = None
        self.shown: tuple[SeatView, Menu, View | None] | None = None
        self.memory = Memory()
        """What the occupant has seen in this round, for their hints."""
        self.on_shown: Callable[[], None] | None = None
        self.words: Words | None = None
        """The language of the display, None for the layout's; changed by `speak`."""
        self.on_spoken: Callable[[Words], None] | None = None
        self._robot = robot
        self._playing: asyncio.Task[None] | None = None

    @property
    def occupant(self) -> Occupant:
        """The kind of occupant; a chair is free while its person is away, and without a robot of its own."""
        return "person" if self.person is not None else "free" if self.kept or self._robot is None else "robot"

    @property
    def has_robot(self) -> bool:
        """Whether a robot plays on for a person who leaves the chair."""
        return self._robot is not None

    @property
    def is_a_persons(self) -> bool:
        """Whether the chair belongs to a person, even one who is away for a moment."""
        return self.person is not None or (self.kept and self.visited)

    @property
    def robot_has_dice(self) -> bool:
        """Whether a robot plays here and has shaken dice still under its cup."""
        return self.occupant == "robot" and self.shown is not None and _has_dice(self.shown[0])

    def see(self, view: SeatView, menu: Menu, look: View | None) -> None:
        """Keep the display's content, for people who read it as text. This seat's `FrameListener`."""
        self.shown = view, menu, look
        self.memory.see(view, look)
        if self.on_shown is not None:
            self.on_shown()

    def speak(self, words: Words) -> None:
        """Have the seat's display speak a language."""
        self.words = words
        if self.on_spoken is not None:
            self.on_spoken(words)

    def take(self, person: object) -> None:
        """Seat a person."""
        self.leave()
        self.memory.hands = ()  # seen by another
        self.person = person
        self.kept = self.for_people = self.visited = True

    def leave(self) -> None:
        """Remove the person; the chair stays free."""
        self.seat.let_go()
        self.person = None

    def give_to_robot(self) -> None:
        """Remove the person and give the chair to a robot."""
        self.leave()
        self.kept = False

    def start_robot(self, ended: Callable[[asyncio.Task[None]], None]) -> None:
        """Start the robot unless the chair is kept; `ended` is called at the end of its task."""
        if self._robot is not None and not self.kept and self._playing is None:
            self._playing = asyncio.ensure_future(self._robot.run())
            self._playing.add_done_callback(ended)

    def stop_robot(self) -> asyncio.Task[None] | None:
        """Cancel the robot and release its buttons and cup; return its task, if it was playing."""
        playing, self._playing = self._playing, None
        if playing is not None:
            playing.cancel()
            self.seat.let_go()
        return playing

    def __repr__(self) -> str:
        return f"<Chair {self.seat.name}: {self.occupant}>"


class Chairs:
    """A table's chairs by seat; `run` lets the robots play."""

    def __init__(self, chairs: Iterable[Chair]) -> None:
        self._chairs = tuple(chairs)
        self._listeners: list[Callable[[], None]] = []
        self._failed: asyncio.Future[None] | None = None
        self._waiting = False
        self.expects_people = False
        """Whether people may come to any chair as long as the session lasts: robots leave the start to them."""
        self.may_be_staff: Callable[[object], bool] = lambda person: True
        """Whether the occupant of a chair, None for a robot, may open the staff menu."""
        self.replace_board: Callable[[Seat, Callable[[], object] | None], None] = lambda seat, open_port: None
        """Puts a phone in place of a seat's board, see `EmulatedTable`."""
        self.tell_table: Callable[[Introduced | Invited], None] = lambda message: None
        """Sends the table a message about people."""
        self._any_person = asyncio.Event()
        self._no_person = asyncio.Event()
        self._no_person.set()

    def __getitem__(self, seat: Seat) -> Chair:
        return self._chairs[seat]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The table's seats."""
        return all_seats(len(self._chairs))

    @property
    def has_people(self) -> bool:
        """Whether people are at the table or expected: robots then play slowly."""
        return self.expects_people or any(chair.kept for chair in self._chairs)

    @property
    def people(self) -> frozenset[str]:
        """Return the names, as displays have them, of seats with people, present or expected."""
        kept = (chair for chair in self._chairs if chair.kept)
        return frozenset(chair.seat.name if chair.shown is None else chair.shown[0].name for chair in kept)

    def on_change(self, changed: Callable[[], None]) -> None:
        """Call `changed` after every change of an occupant."""
        self._listeners.append(changed)

    def wait(self) -> None:
        """Hold every robot until `begin`."""
        self._waiting = True

    def begin(self) -> None:
        """Let the robots play."""
        self._waiting = False
        self._assign_robots()

    def seat_of(self, person: object) -> Seat | None:
        """Return a person's seat, or None."""
        return next((seat for seat, chair in enumerate_seats(self._chairs) if chair.person is person), None)

    def next_free(self, besides: Collection[Seat] = ()) -> Seat | None:
        """Return the seat of a chair that is open to people and empty; a kept one before one taken by a robot.

        Seats in `besides` belong to somebody who is away.
        """
        free = [seat for seat, chair in enumerate_seats(self._chairs) if chair.for_people and chair.person is None]
        meant = [seat for seat in free if seat not in besides]
        return min(meant, key=lambda seat: not self._chairs[seat].kept, default=None)

    def sit(self, person: object, seat: Seat) -> object | None:
        """Seat a person; return the person who lost the chair, if any."""
        before, chair = self.seat_of(person), self._chairs[seat]
        if before == seat:
            return None
        if before is not None:
            self._give_up(before)
        displaced = chair.person
        chair.take(person)
        self._notify()
        return displaced

    def stand(self, person: object) -> None:
        """Give a person's chair to a robot and close it to people."""
        seat = self.seat_of(person)
        if seat is not None:
            self._give_up(seat)
            self._notify()

    def reserve(self, seat: Seat) -> None:
        """Keep a chair for its owner until they come."""
        self._chairs[seat].kept = self._chairs[seat].for_people = self._chairs[seat].visited = True
        self._notify()

    def vacate(self, seat: Seat) -> None:
        """Give a chair to a robot, whoever has it."""
        self._give_up(seat)
        self._notify()

    def leave(self, person: object) -> None:
        """Remove a person whose page has gone: the chair stays free for them, or for the next person."""
        seat = self.seat_of(person)
        if seat is not None:
            self._chairs[seat].leave()
            self._notify()

    def fill_unvisited(self) -> tuple[Seat, ...]:
        """Give unvisited chairs to robots; return their seats. They stay open to people."""
        unvisited = tuple(seat for seat, chair in enumerate_seats(self._chairs) if chair.kept and not chair.visited)
        for seat in unvisited:
            self._chairs[seat].give_to_robot()
        if unvisited:
            self._notify()
        return unvisited

    async def wait_until_deserted(self) -> None:
        """Wait until all people have been gone for `DESERTED_S`; return at once if no person ever came or is due."""
        while self.expects_people or any(chair.visited for chair in self._chairs):
            await self._no_person.wait()
            if self.expects_people:
                await asyncio.Event().wait()  # until it is cancelled
            try:
                async with asyncio.timeout(virtual_seconds(DESERTED_S)):
                    await self._any_person.wait()
            except TimeoutError:
                return

    async def run(self) -> None:
        """Run the robots until cancelled; raise their errors."""
        self._failed = asyncio.get_running_loop().create_future()
        self._assign_robots()
        try:
            await self._failed
        finally:
            stopped = [playing for chair in self._chairs if (playing := chair.stop_robot())]
            await asyncio.gather(*stopped, return_exceptions=True)

    def _give_up(self, seat: Seat) -> None:
        self._chairs[seat].give_to_robot()
        self._chairs[seat].for_people = False

    def _notify(self) -> None:
        has_person = any(chair.person is not None for chair in self._chairs)
        (self._any_person if has_person else self._no_person).set()
        (self._no_person if has_person else self._any_person).clear()
        self._assign_robots()
        for changed in self._listeners:
            changed()

    def _assign_robots(self) -> None:
        if self._waiting or self._failed is None or self._failed.done():
            return
        for chair in self._chairs:
            if chair.kept:
                chair.stop_robot()
            else:
                chair.start_robot(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if task.cancelled() or self._failed is None or self._failed.done():
            return
        error = task.exception()
        if error is not None:
            self._failed.set_exception(error)


def _has_dice(view: SeatView) -> bool:
    if view.position is None or view.me not in view.position.living:
        return False
    if view.scene is SceneName.SHAKING:
        return view.me not in view.waiting_for
    return view.scene in (SceneName.BIDDING, SceneName.CALLED)
