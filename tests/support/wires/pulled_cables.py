"""Somebody pulls cables out of cups and boards while a match is played, and puts them back; and what must hold then.

It looks on at an `TableHarness`: it sees what each seat's eyes see, hears the story and reads the public state.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable

from PIL import Image

from drivers.messages import Brightness, Device
from engine import Bid, Hand, View
from firmware_host.daemon.seat_display import FrameListener
from firmware_host.screens import draw, draw_peek
from firmware_host.table.events import ActionTaken, PublicEvent, Revealed, RoundBegan
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SceneName, SeatView
from firmware_host.wire import MatchBegan, MatchWon, PublicState
from hardware.emulated.seat import EmulatedSeat

BACK_WITHIN_S = 1.0
STEADY_S = 0.15
"""A picture is looked at when it is so old: until then it may be on its way."""
PULLED_S = ((0.01, 0.3), (0.3, 3.0), (3.0, 12.0))
"""How long a cable is out: a loose plug, a hand that puts it into another port, somebody who has to be called."""


class PulledCables:
    """Pulls a cable every `every_s` seconds or so, from the first round to the end; `wrong` says what did not hold."""

    def __init__(self, seed: int, *, every_s: float) -> None:
        self.pulled: Counter[str] = Counter()
        self.compared = 0
        self.wrong: list[str] = []
        self.won: list[MatchWon] = []
        self.head: str | None = None
        """What the panels show of the chain, in the end."""
        self._rng = random.Random(f"{seed}/cables")
        self._every_s = every_s
        self._seats: dict[int, EmulatedSeat] = {}
        self._wanted: dict[int, tuple[float, Callable[[], Image.Image]]] = {}
        self._dark: set[int] = set()
        self._away: set[int] = set()
        self._missing: set[tuple[int, Device]] = set()
        self._rounds = 0
        self._hands: dict[tuple[int, int], Hand] = {}
        self._bid: Bid | None = None

    # Where it looks on.

    def onlooker(self, number: int, seat: EmulatedSeat) -> FrameListener:
        """Look at a seat's display."""
        self._seats[number] = seat

        def see(view: SeatView, menu: Menu, look: View | None) -> None:
            picture = (lambda: draw(view, menu)) if look is None else (lambda: draw_peek(view, menu, look))
            self._wanted[number] = asyncio.get_running_loop().time(), picture
            (self._dark.add if view.brightness is Brightness.DARK else self._dark.discard)(number)
            if look is not None:
                self._check_hand(number, look)

        return see

    def tell(self, event: PublicEvent) -> None:
        """Hear the story."""
        match event:
            case MatchBegan():
                asyncio.get_running_loop().call_later(self._pause_s(), self._pull)
            case RoundBegan():
                self._rounds += 1
                self._bid = None
            case ActionTaken(action=Bid() as bid):
                self._bid = bid
            case Revealed():
                self._bid = None
            case MatchWon():
                self.won.append(event)

    def publish(self, state: PublicState) -> None:
        """Read the public state."""
        self._missing = {(seat, Device(device)) for seat, there in enumerate(state.seats) for device in there.missing}
        self.head = state.head or self.head
        standing = state.standing and Bid(state.standing.quantity, state.standing.face)
        if state.scene in (SceneName.BIDDING, SceneName.CALLED) and standing != self._bid:
            self._say(f"{standing} stands, {self._bid} was said last")

    # What it does.

    def _pause_s(self) -> float:
        return self._rng.expovariate(1 / self._every_s)

    def _pull(self) -> None:
        if self.won:
            return
        loop = asyncio.get_running_loop()
        loop.call_later(self._pause_s(), self._pull)
        there = [number for number in self._seats if number not in self._away]
        if not there:
            return
        number = self._rng.choice(there)
        seat = self._seats[number]
        cable = self._rng.choice([device for device in seat.devices if device != "panel"])
        self.pulled[cable] += 1
        self._away.add(number)
        seat.unplug(cable)
        loop.call_later(self._rng.uniform(*self._rng.choice(PULLED_S)), self._put_back, number, cable)

    def _put_back(self, number: int, cable: str) -> None:
        self._seats[number].plug(cable)
        asyncio.get_running_loop().call_later(BACK_WITHIN_S, self._look, number, cable)

    def _look(self, number: int, cable: str) -> None:
        """A second after a cable is back all is as if it had never been out."""
        loop = asyncio.get_running_loop()
        if (number, Device(cable)) in self._missing:
            self._say(f"the {cable} of seat {number} is back for a second and still missing")
        since_s, picture = self._wanted[number]
        if loop.time() - since_s < STEADY_S:
            loop.call_later(STEADY_S, self._look, number, cable)
            return
        self._away.discard(number)
        self.compared += 1
        if number not in self._dark and not self._seats[number].shows(picture()):
            self._say(f"seat {number} does not show what it should, a second after its {cable} is back")

    def _check_hand(self, number: int, look: View) -> None:
        if look.seat is None:
            return
        hand = look.hands[look.seat]
        if hand is not None and self._hands.setdefault((self._rounds, number), hand) != hand:
            self._say(f"the dice of seat {number} changed in round {self._rounds}")

    def _say(self, what: str) -> None:
        self.wrong.append(f"{asyncio.get_running_loop().time():.3f} s: {what}")
