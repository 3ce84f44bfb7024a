"""One round at emulated wires, played twice with other dice under some cups, and everything that came out of it.

    ours = Round(layout, Dealt(KILL_SPOT, RoundKind.OPEN, hands, owner=0)).play(folder)
    theirs = Round(layout, Dealt(KILL_SPOT, RoundKind.OPEN, other_hands, owner=0)).play(folder)
    assert ours.reaching(2) == theirs.reaching(2)

`support.noninterference.taped_sessions` has the daemon. Hands press and shake by a script that looks at nothing but
what the whole room knows, so that the two rounds differ alone in their dice and in what these are made of. What is
heard ends with the reveal.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from support.noninterference.taped_sessions import SHIFT_INTERVAL_S, Seats, TapedSession, under_the_cups
from support.noninterference.tapes.tape import Dealt

from engine import DUDO, Action, Bid, Call, Position, View, legal_actions
from firmware_host.daemon.robots.players import RobotPlayers
from firmware_host.table.effects import HostEffect
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.robots import AskRobot
from firmware_host.table.seat.menu import Menu, MenuCommand, MenuItem
from firmware_host.table.staff.actions import StaffCommand
from firmware_host.table.staff.sound import SoundAndLight
from firmware_host.wire import Seat
from hardware.config.layout import Layout
from hardware.emulated.table import EmulatedSeat

__all__ = ["SHIFT_INTERVAL_S", "Incident", "Round", "Seats", "under_the_cups"]

Incident = Callable[["Round"], Awaitable[None]]
"""Something that happens to the table in mid-round; everybody is to end with the cup down and every cable in."""


class Round(TapedSession):
    """A table of a layout's seats at which one round is played by the script: some incidents, then the `call`-th call.

    Calls are counted over all that anybody could make.
    """

    def __init__(
        self, layout: Layout, dealt: Dealt, *, incidents: Sequence[Incident] = (), call: int = 0, **options: Any
    ) -> None:
        super().__init__(layout, dealt, **options)
        self.incidents = incidents
        self.call = call

    async def script(self, seats: Seats) -> None:
        """Shake, look, whatever is to happen to the table, a call. Every moment in it is fixed."""
        await self.shaken(seats)
        await self.tilted(seats)
        self.all_down()
        for incident in self.incidents:
            await self.noted(0.5, covered=seats)
            await incident(self)
        await self.noted(0.5, covered=seats)
        await self.called()

    async def shaken(self, seats: Seats) -> None:
        """Let links say hello and everybody shake, until the dice are dealt."""
        await asyncio.sleep(3)
        for seat, hand in zip(seats, self.dealt.hands, strict=False):
            if hand:
                seat.shake()
        await self.noted(2.5)

    async def tilted(self, seats: Seats) -> None:
        """Let everybody look under the cup, so close on each other that pictures wait for the wire."""
        for seat in seats:
            seat.tilt()
            await asyncio.sleep(0.003)
        await self.noted(0.7)

    async def made_a_call(self) -> tuple[EmulatedSeat, Seats]:
        """Everybody looks while somebody calls: who that was, and the others with dice."""
        if self.position.standing is None:
            await self.bid()
        calls = [(player, call) for player in self.position.living for call in Call if self._may(player, call)]
        player, call = calls[self.call % len(calls)]
        caller, *others = sorted(self.living, key=lambda seat: seat is not self.seats[player])
        for seat in (*others, *self.seats):
            if seat is not caller:
                seat.tilt()
        await self.choose(caller, call)
        await self.noted(0.1)  # the call is read from now on
        return caller, others

    async def called(self) -> None:
        """Somebody calls; then they look, press and pull at cables, until the cups go up."""
        caller, others = await self.made_a_call()
        for seat in self.seats:
            seat.tilt()
        await self.noted(0.2)
        self.all_down()
        others[0].press("ok")
        for seat in self.seats:
            seat.tap("right")
        await self.noted(0.2)
        cable = "board" if "board" in caller.devices else "panel"
        caller.unplug(cable)
        self.seats[-1].tap("ok")
        await self.noted(0.2)
        caller.plug(cable)
        await self.noted(0.5)
        others[0].release("ok")
        await asyncio.sleep(0.5)

    # What the whole room knows, and what hands do knowing it

    @property
    def position(self) -> Position:
        """The round, as everybody knows it."""
        assert self.table.scene.game is not None
        return self.table.scene.game.position

    @property
    def in_turn(self) -> EmulatedSeat:
        """The seat in turn."""
        assert self.position.turn is not None
        return self.seats[self.position.turn]

    @property
    def may_bid(self) -> bool:
        """Whether there is anything left to bid."""
        return any(isinstance(item, Bid) for item in self.menu(self.in_turn).items)

    async def bid(self) -> None:
        """Who is in turn bids the likeliest, unless there are only calls left."""
        menu = self.menu(self.in_turn)
        bids = [item for item in menu.items if isinstance(item, Bid)]
        if bids:
            await self.choose(self.in_turn, bids[0])

    def bid_at_once(self, for_s: float = 0.08) -> None:
        """Who is in turn presses OK, cup in hand or not, unless that would be a call."""
        if isinstance(self.menu(self.in_turn).chosen, Bid):
            self.in_turn.tap("ok", for_s)

    async def aim(self, seat: EmulatedSeat, item: MenuItem) -> bool:
        """Move the cursor there, with the cup down; return whether the seat has the item."""
        while MenuCommand.BACK in self.menu(seat).items:  # a hand that leaned on ▶ comes back from what lies behind
            seat.tap("left")
            await asyncio.sleep(0.15)
        if item is DUDO and "dudo" in seat.buttons:
            return True
        menu = self.menu(seat)
        if item not in menu.items:
            return False
        steps = menu.items.index(item) - menu.cursor
        for _ in range(abs(steps)):
            seat.tap("right" if steps > 0 else "left")
            await asyncio.sleep(0.15)
        return True

    def press(self, seat: EmulatedSeat, item: MenuItem, for_s: float = 0.08) -> None:
        """Press the button for an item that is aimed at."""
        seat.tap("dudo" if item is DUDO and "dudo" in seat.buttons else "ok", for_s)

    async def choose(self, seat: EmulatedSeat, item: MenuItem) -> None:
        """Move the cursor there and press OK, with the cup down."""
        if await self.aim(seat, item):
            self.press(seat, item)
        await asyncio.sleep(0.2)

    def call_of(self, seat: EmulatedSeat) -> Call | None:
        """Return a call that a seat may make."""
        return next((call for call in Call if self._may(self.number(seat), call)), None)

    async def undo(self) -> None:
        """The staff take the last action back."""
        await self._daemon.act_for_staff(StaffCommand.UNDO)

    def set_sound(self, settings: SoundAndLight) -> None:
        """Put settings of staff in force."""
        self._daemon.post(settings)

    def seat_robot(self, seat: EmulatedSeat, level: RobotLevel | None = None) -> None:
        """Have a robot play at a seat from now on, in mid-round.

        Without a level it makes the first legal bid, whatever its dice; with one it decides as those of the table do.
        """

        async def decide(seat: int, level: RobotLevel, view: View, seed: int) -> Action:
            return next(action for action in view.legal if isinstance(action, Bid))

        daemon = self._daemon
        self._host = daemon._host
        if level is None:
            robots = RobotPlayers(decide, random.Random(1), post=daemon.post)

            def carry_out(effect: HostEffect) -> None:
                if isinstance(effect, AskRobot):
                    robots.ask(effect.seat, effect.turn)
                else:
                    self._host(effect)

            daemon._host = carry_out
        self.table._context.robots[Seat(self.number(seat))] = level or RobotLevel.HARD
        daemon._inbox.put(None)

    def unseat_robot(self, seat: EmulatedSeat) -> None:
        """Have a person play there again."""
        del self.table._context.robots[self.number(seat)]
        self._daemon._host = self._host
        self._daemon._inbox.put(None)

    def all_up(self) -> None:
        """Everybody looks, who is out and who watches as well."""
        for seat in self.seats:
            seat.tilt()

    def all_down(self) -> None:
        """Nobody looks any more."""
        for seat in self.seats:
            seat.level()

    def number(self, seat: EmulatedSeat) -> int:
        """Return the layout's number of a seat."""
        return self.seats.index(seat)

    def _may(self, player: int, call: Call) -> bool:
        in_menu = call in self.menu(self.seats[player]).items
        return in_menu or (call is DUDO and call in legal_actions(self.position, player))

    def menu(self, seat: EmulatedSeat) -> Menu:
        """Return the menu of a seat."""
        return self.table._seats[self.number(seat)].menu
